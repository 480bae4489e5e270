//===- Operands.cpp - What a conditional hands to its branches -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand may be a tensor, or something that holds some: its tensors and
// numbers, the leaves, are what the conditional's node lists and what a branch
// has parameters for; a branch sees the same structure over its parameters.
// A container of which it is not known what it holds is one leaf.
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/StmtWalk.h"
#include "../interp/machine/Types.h"
#include "Branch.h"
#include "BranchRuns.h"
#include "OperandReader.h"
#include "OutputReader.h"
#include "condlint/Op.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

/// Whether the body of the cond \p f is seen and uses its branches: what does not fit to it does not compile.
static bool callsBranches(const clang::FunctionDecl &f, const CondArguments &where) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *body = f.getBody(definition);
  return body && findStatement(body, [&](const clang::Stmt &s) {
           const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(&s);
           const auto *p = ref ? llvm::dyn_cast<clang::ParmVarDecl>(ref->getDecl()) : nullptr;
           const bool isBranch = p && p->getDeclContext() == definition &&
                                 (static_cast<std::int32_t>(p->getFunctionScopeIndex()) == where.trueBranch ||
                                  static_cast<std::int32_t>(p->getFunctionScopeIndex()) == where.falseBranch);
           return isBranch ? Walk::Found : Walk::On;
         });
}

/// Whether the callable \p held takes the \p items of a list one by one: several, or a tensor.
static bool takesElements(Machine &m, const Value &held, const std::vector<Value> &items, clang::QualType list) {
  if (const Callable *bound = held.callable(); bound && !bound->target.isAbsent()) {
    const auto holes = static_cast<std::size_t>(
        std::ranges::count_if(bound->bound, [](const Value &b) { return b.as<Placeholder>(); }));
    return holes != 1 && holes == items.size();
  }
  std::vector<Argument> each(items.size());
  for (Argument &a : each)
    a.type = typeArgument(list, 0);
  const clang::FunctionDecl *f = m.target(held, each);
  if (const clang::CXXRecordDecl *closure = held.record() ? held.record()->type : nullptr;
      !f && closure && closure->isLambda())
    f = closure->getLambdaCallOperator(); // of a generic one nothing is known
  if (!f || f->getNumNonObjectParams() == 0)
    return false;
  for (unsigned i = 0; i < f->getNumNonObjectParams(); ++i)
    if (m.className(f->getNonObjectParameter(i)->getType()) != "at::Tensor")
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The structure of an operand
//===----------------------------------------------------------------------===//

/// The value at \p i-th place of a structure of type \p whole.
static Step element(std::size_t i) { return Step::ofIndex(static_cast<std::int64_t>(i)); }

bool TorchDomain::OperandReader::isOwnStruct(clang::QualType type) {
  const clang::CXXRecordDecl *c = Machine::classOf(type);
  if (!c || !c->hasDefinition() || c->isUnion() || c->isLambda() || isModuleClass(c))
    return false;
  const std::string_view name = domain.machine->qualifiedName(*c);
  constexpr std::array<std::string_view, 4> libraries{"std::", "c10::", "at::", "torch::"};
  return domain.standardClass(name).empty() &&
         std::ranges::none_of(libraries, [&](std::string_view library) { return name.starts_with(library); });
}

bool TorchDomain::OperandReader::isPointerLike(clang::QualType type) {
  const std::string_view name = domain.machine->className(type);
  return type.getNonReferenceType()->isPointerType() || name == "std::shared_ptr" || name == "std::unique_ptr" ||
         name == "std::reference_wrapper";
}

Value TorchDomain::OperandReader::mapRecord(const Value &v, clang::QualType type, const OperandParts &parts,
                                            unsigned depth) {
  Record out;
  out.type = v.record() ? v.record()->type : Machine::classOf(type);
  if (const Record *r = v.record())
    out = *r;
  else // whichever class the object is of
    out.rest = v.symbol()->id;
  const std::function<void(const clang::CXXRecordDecl &, unsigned)> add = [&](const clang::CXXRecordDecl &c,
                                                                              unsigned level) {
    for (const clang::CXXBaseSpecifier &base : c.bases())
      if (const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl(); b && b->hasDefinition() && level < 8)
        add(*b, level + 1);
    for (const clang::FieldDecl *f : c.fields()) {
      const Value held = domain.machine->part(v, Step::ofField(f), f->getType());
      out.set(f, domain.isUndefined(held) || !domain.holdsTensors(f->getType())
                     ? held
                     : mapOperand(held, f->getType(), parts, depth));
    }
  };
  add(*out.type->getDefinition(), 0);
  return out;
}

Value TorchDomain::OperandReader::mapPointer(const Value &v, clang::QualType type, const OperandParts &parts,
                                             unsigned depth) {
  const clang::QualType pointee = pointeeType(type);
  const Pointer to = domain.machine->dereference(v, pointee, nullptr);
  const Place *only = to.only();
  if (!only || !only->object)
    return parts.leaf(domain.machine->unknown("what a pointer points to"), type);
  return parts.pointee(mapOperand(domain.machine->peek(*only, pointee), pointee, parts, depth), pointee, to);
}

Value TorchDomain::OperandReader::mapOperand(const Value &v, clang::QualType type, const OperandParts &parts,
                                             unsigned depth) {
  constexpr unsigned most = 8;
  if (type.isNull() && v.symbol())
    type = domain.machine->symbol(v.symbol()->id).type;
  const auto partAt = [&](std::size_t i, const Value &held) {
    return mapOperand(held, partType(domain.ast, type, element(i)), parts, depth + 1);
  };
  if (depth >= most)
    return parts.leaf(v, type);
  if (const List *l = v.list(); l && l->isComplete()) {
    List out;
    for (std::size_t i = 0; i < l->items.size(); ++i)
      out.items.push_back(partAt(i, l->items[i]));
    return out;
  }
  if (const Optional *o = v.optional(); o && (!o->has || *o->has) && !o->value.isAbsent()) {
    Optional out;
    out.has = o->has;
    out.value = partAt(0, o->value);
    return out;
  }
  if (const Map *held = v.map(); held && !held->rest) {
    Map out;
    out.complete = held->complete;
    for (const auto &[key, value] : held->entries)
      out.entries.emplace(key, mapOperand(value, partType(domain.ast, type, Step::ofKey(key)), parts, depth + 1));
    return out;
  }
  if (type.isNull() || (!v.symbol() && !v.record() && !v.pointer()))
    return parts.leaf(v, type);
  if (!domain.holdsTensors(type)) // what else the user's own cond hands on
    return v;
  if (v.pointer() || isPointerLike(type))
    return mapPointer(v, type, parts, depth + 1);
  if (const auto count = v.symbol() ? partCount(domain.ast, type) : std::nullopt) {
    List out;
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i)
      out.items.push_back(partAt(i, domain.machine->part(v, element(i), partType(domain.ast, type, element(i)))));
    return out;
  }
  if (v.symbol() && domain.machine->className(type) == "std::optional") {
    Optional out;
    out.value = partAt(0, domain.machine->part(v, element(0), typeArgument(type, 0)));
    return out;
  }
  return isOwnStruct(type) ? mapRecord(v, type, parts, depth + 1) : parts.leaf(v, type);
}

void TorchDomain::OperandReader::collectOperands(Operands &o, Argument &given, Argument &branch) {
  Machine &m = *domain.machine;
  const Value v = m.load(given);
  o.written = given.expr;
  const std::string_view cls = m.className(given.type);
  const bool isVector =
      cls == "std::vector" || cls == "c10::ArrayRef" || cls == "c10::List" || cls == "std::initializer_list";
  const bool spreads = given.type.getNonReferenceType()->isArrayType() || cls == "std::tuple" || cls == "std::array" ||
                       cls == "std::pair";
  const auto items = m.elements(v);
  const Pointer at = m.placeOf(branch);
  // A list is one parameter of the branches unless they take its elements.
  if (items &&
      (spreads || (isVector && takesElements(m, at.only() ? m.peek(*at.only()) : Value(), *items, given.type)))) {
    o.given = *items;
    // Of a tuple of references (`std::tie`) the operands are what they refer to.
    for (std::size_t i = 0; i < o.given.size(); ++i) {
      const clang::QualType part = partType(domain.ast, given.type, element(i));
      o.types.push_back(part);
      if (const Pointer *refers = o.given[i].pointer(); refers && !part.isNull() && part->isReferenceType())
        o.given[i] = m.load(Pointer(*refers), given.expr, part.getNonReferenceType());
    }
    return;
  }
  o.given.push_back(v);
  o.types.push_back(given.type);
  if (isVector && (v.list() || v.symbol()))
    o.form = items ? OperandForm::List : OperandForm::AnyList;
}

bool TorchDomain::OperandReader::isOpen(const Value &leaf, clang::QualType type) {
  const bool isContainer =
      !type.isNull() && domain.holdsTensors(type) && domain.machine->className(type) != "at::Tensor";
  return leaf.symbol() || leaf.list() || leaf.map() || (leaf.unknown() && isContainer);
}

TorchDomain::Operands TorchDomain::OperandReader::operandsOf(Call &c, const CondArguments &where, Argument &branch) {
  Operands o;
  o.adapted = c.name == "condlint::cond" || callsBranches(*c.callee, where);
  if (where.operands == CondArguments::Rest) {
    const auto last = static_cast<std::size_t>(std::max({where.predicate, where.trueBranch, where.falseBranch}));
    for (std::size_t i = last + 1; i < c.arguments.size(); ++i) {
      o.given.push_back(domain.machine->load(c.arguments[i]));
      o.types.push_back(c.arguments[i].type);
      o.written = o.written ? o.written : c.arguments[i].expr;
    }
  } else if (where.operands >= 0 && static_cast<std::size_t>(where.operands) < c.arguments.size()) {
    collectOperands(o, c.arguments[static_cast<std::size_t>(where.operands)], branch);
  }
  OperandParts collect;
  collect.leaf = [&](const Value &leaf, clang::QualType type) {
    o.leaves.push_back(
        isOpen(leaf, type) ? domain.newTensor(domain.unknownValue("a list of unknown length", c.expr, false)) : leaf);
    return leaf;
  };
  collect.pointee = [](const Value &, clang::QualType, const Pointer &to) { return to; };
  for (std::size_t i = 0; i < o.given.size(); ++i)
    mapOperand(o.given[i], o.types[i], collect, 0);
  constexpr std::size_t most = 1024;
  if (o.leaves.size() > most) {
    o.form = OperandForm::AnyList;
    o.given.assign(1, domain.newTensor(domain.unknownValue("a list of unknown length", c.expr, false)));
    o.leaves = o.given;
  }
  // The same tensor stays the same value, whoever asks.
  for (Value &leaf : o.leaves)
    if ((domain.isTensor(leaf) || leaf.unknown() || leaf.optional()) && !domain.isUndefined(leaf))
      leaf = domain.newTensor(domain.valueOf(leaf, c.expr));
  for (const Value &leaf : o.leaves)
    o.values.push_back(!domain.isTensor(leaf)     ? OutputReader(domain).literalOf(leaf)
                       : domain.isUndefined(leaf) ? ValueId()
                                                  : domain.valueOf(leaf, c.expr));
  return o;
}

//===----------------------------------------------------------------------===//
// As a branch sees it
//===----------------------------------------------------------------------===//

Value TorchDomain::OperandReader::openParameter(ValueId parameter, clang::QualType type) {
  SymbolInfo info;
  info.type = type;
  info.name = domain.graphs.text(domain.graphs[parameter].name);
  info.region = domain.machine->region();
  const Value v = domain.machine->symbolic(std::move(info));
  if (v.symbol())
    domain.openOperands[v.symbol()->id.index()] = parameter;
  return v;
}

ValueId TorchDomain::OperandReader::openOperandOf(const SymbolInfo &part) const {
  for (SymbolId whole = part.parent; whole; whole = domain.machine->symbol(whole).parent)
    if (const auto known = domain.openOperands.find(whole.index()); known != domain.openOperands.end())
      return known->second;
  return {};
}

Value TorchDomain::OperandReader::partOfOperand(ValueId parameter, const clang::Stmt *at) {
  NodeDraft d = domain.anyPart(parameter);
  const NodeId n = domain.emitIn(domain.graphs[parameter].graph, d, 1, at);
  inferNode(domain.graphs, n);
  return domain.newTensor(domain.graphs.result(n, 0));
}

/// An object of outside that the branch is given: what it writes there, others see.
static Pointer lent(Machine &m, BranchScope &branch, const Value &held, clang::QualType type, Storage storage,
                    const clang::ValueDecl *decl) {
  m.leaveRegion();
  Pointer out = Pointer::to(m.newObject(held, type, storage, decl));
  m.enterRegion();
  branch.pointees.insert(out.only()->object);
  return out;
}

static bool isLent(clang::QualType type) {
  return !type.isNull() && type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
}

Value TorchDomain::OperandReader::asParameter(Branch &b, const Value &v, clang::QualType type, std::size_t &next) {
  OperandParts parts;
  parts.leaf = [&](const Value &leaf, clang::QualType leafType) -> Value {
    if (next >= b.parameters.size())
      return domain.machine->unknown("an operand");
    const ValueId p = b.parameters[next++];
    if (const Number *n = leaf.number()) {
      Number out = *n;
      out.known = false;
      out.provenance = Provenance::Varies;
      out.test = nullptr;
      out.source = std::make_shared<SourceDatum>(SourceDatum::Facet::Value, ObjectId(), 0, p);
      return out;
    }
    if (leaf.text())
      return leaf;
    if (isOpen(leaf, leafType) && !leafType.isNull())
      return openParameter(p, leafType);
    const Value tensor = domain.newTensor(p);
    b.handles.emplace_back(p, tensor.handle()->object);
    return tensor;
  };
  parts.pointee = [&](const Value &held, clang::QualType pointee, const Pointer &to) {
    Pointer out = lent(*domain.machine, domain.scopes.back(), held, pointee, Storage::Pointee,
                       domain.machine->object(to.only()->object).decl);
    out.mayBeNull = to.mayBeNull;
    return out;
  };
  return mapOperand(v, type, parts, 0);
}

std::vector<Argument> TorchDomain::OperandReader::branchArguments(Branch &b, const Operands &operands) {
  std::vector<Argument> arguments;
  std::size_t next = 0;
  for (std::size_t i = 0; i < operands.given.size(); ++i) {
    Argument a;
    const std::size_t first = next;
    a.value = asParameter(b, operands.given[i], operands.types[i], next);
    if (operands.form == OperandForm::List && a.value.list()) {
      const auto count = static_cast<std::uint32_t>(a.value.list()->items.size());
      a.value.own<List>().origin =
          std::make_shared<const OperandListDatum>(b.graph, count, static_cast<std::uint32_t>(operands.leaves.size()));
    }
    // Types, so that the call operator of a generic lambda can be told.
    if (b.body && i < b.body->getNumNonObjectParams())
      a.type = b.body->getNonObjectParameter(static_cast<unsigned>(i))->getType();
    if (next == first + 1 && !operands.adapted)
      BranchRuns(domain).recordKind(b.parameters[first], operands.given[i], a.type);
    if (isLent(operands.types[i]) && isLent(a.type))
      a.place = lent(*domain.machine, domain.scopes.back(), a.value, a.type.getNonReferenceType(), Storage::Parameter,
                     b.body->getNonObjectParameter(static_cast<unsigned>(i)));
    arguments.push_back(std::move(a));
  }
  return arguments;
}

} // namespace condlint::cxx

//===- Outputs.cpp - What a branch returns as the graph's values ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "OutputReader.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

ValueId TorchDomain::OutputReader::literalOf(const Value &v) {
  Type t;
  if (v.number())
    return domain.scalarValue(*v.number());
  t.kind = v.text() ? ValueKind::String : ValueKind::Object;
  const ValueId id = domain.graphs.addLiteral(domain.graph(), domain.graphs.types.intern(t));
  domain.graphs[id].type = domain.graphs[id].recorded;
  return id;
}

/// \p v is a parameter of the branch \p branch, a value of outside, or a part of one, on whichever path it was made.
static bool isGiven(const Model &m, ValueId v, GraphId branch) {
  constexpr std::size_t most = 64;
  std::vector<ValueId> open{v};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const ValueId w = condlint::withoutAssumptions(m, open[i]);
    if (!w || i >= most)
      return false;
    const NodeId def = m[w].origin == ValueOrigin::Result ? m[w].def : NodeId();
    const auto operands = def ? m.operands(def) : std::span<const ValueId>();
    if (!operands.empty() && (isCxx(m, def, CxxOp::Join) || has(m, def, attr::unsized)))
      open.insert(open.end(), operands.begin(), operands.end());
    else if (def ? m[w].graph == branch || isCxx(m, def, CxxOp::Unknown) : m[w].origin != ValueOrigin::Parameter)
      return false;
  }
  return true;
}

void TorchDomain::OutputReader::flattenOpenList(std::vector<ValueId> &out, const Value &v, clang::QualType type,
                                                const clang::Stmt *at) {
  const List *l = v.list();
  if (l ? static_cast<bool>(l->rest) : !v.symbol())
    return;
  const clang::QualType elementType = partType(domain.ast, type, Step::ofIndex(0));
  const Value any = l ? l->every : domain.machine->part(v, Step::ofIndex(-1), elementType);
  if (!domain.isTensor(any))
    return;
  if (const ValueId element = domain.valueOf(any, at); isGiven(domain.graphs, element, domain.graph()))
    out.push_back(element);
}

void TorchDomain::OutputReader::flatten(std::vector<ValueId> &out, bool &known, const Value &v, clang::QualType type,
                                        const clang::Stmt *at, unsigned depth) {
  if (depth > 16 || out.size() > 4096) {
    known = false;
    return;
  }
  const auto partOf = [&](const Step &s, clang::QualType t) {
    flatten(out, known, domain.machine->part(v, s, t), t, at, depth + 1);
  };
  const std::string_view cls = domain.machine->className(type);
  if (domain.isTensor(v) || cls == "at::Tensor" || cls == "at::TensorBase") {
    out.push_back(domain.valueOf(v, at));
    return;
  }
  if (v.isNull()) {
    out.push_back(domain.emitOne(NodeDraft(domain.graphs, CxxOp::None), at));
    return;
  }
  if (v.number() || v.text()) {
    out.push_back(literalOf(v));
    return;
  }
  if (const Optional *o = v.optional()) {
    if (o->has)
      return *o->has ? flatten(out, known, o->value, typeArgument(type, 0), at, depth + 1)
                     : out.push_back(domain.emitOne(NodeDraft(domain.graphs, CxxOp::None), at));
    NodeDraft d(domain.graphs, CxxOp::Join);
    const ValueId both[] = {domain.emitOne(NodeDraft(domain.graphs, CxxOp::None), at), domain.valueOf(o->value, at)};
    d.values("values", both);
    out.push_back(domain.emitOne(std::move(d), at));
    return;
  }
  if (const List *l = v.list()) {
    if (!l->sized) {
      known = false;
      return flattenOpenList(out, v, type, at);
    }
    for (std::size_t i = 0; i < l->items.size(); ++i)
      flatten(out, known, l->items[i], partType(domain.ast, type, Step::ofIndex(static_cast<std::int64_t>(i))), at,
              depth + 1);
    return;
  }
  if (const Map *map = v.map()) {
    known = known && map->complete;
    for (const auto &[key, value] : map->entries)
      flatten(out, known, value, typeArgument(type, 1), at, depth + 1);
    return;
  }
  if (v.pointer()) {
    const Place *only = v.pointer()->only();
    if (only && !type.isNull() && !type->isPointerType() && depth < 16)
      return flatten(out, known, domain.machine->peek(*only), type, at, depth + 1);
    out.push_back(literalOf(Value(Null{})));
    return;
  }
  if (v.symbol() && (cls == "std::vector" || domain.standardClass(cls) == "std::vector")) {
    known = false;
    return flattenOpenList(out, v, type, at);
  }
  if (cls == "std::tuple" || cls == "std::pair") {
    for (unsigned i = 0; i < typeArgumentCount(type); ++i)
      partOf(Step::ofIndex(i), typeArgument(type, i));
    return;
  }
  if (cls == "std::array") {
    const auto size = integerArgument(*Machine::classOf(type), 1);
    for (std::int64_t i = 0; i < size.value_or(0) && i < 64; ++i)
      partOf(Step::ofIndex(i), typeArgument(type, 0));
    return;
  }
  if (cls == "std::optional" || cls == "c10::IValue" || (type.isNull() && v.unknown())) {
    out.push_back(v.unknown() || v.symbol() ? domain.unknownValue("a value that is not followed", at, false)
                                            : literalOf(v));
    return;
  }
  const clang::CXXRecordDecl *record = v.record() && v.record()->type ? v.record()->type : Machine::classOf(type);
  if (record && record->hasDefinition() && !record->isUnion() && !record->isLambda() &&
      domain.standardClass(domain.machine->qualifiedName(*record)).empty() && !cls.starts_with("std::") &&
      !cls.starts_with("c10::") && !cls.starts_with("at::")) {
    for (const clang::CXXBaseSpecifier &base : record->bases())
      if (const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl(); b && b->hasDefinition())
        for (const clang::FieldDecl *f : b->fields())
          partOf(Step::ofField(f), f->getType());
    for (const clang::FieldDecl *f : record->fields())
      partOf(Step::ofField(f), f->getType());
    return;
  }
  if (v.datum() || v.callable() || v.record()) {
    out.push_back(literalOf(v));
    return;
  }
  known = false;
}

std::optional<std::size_t> TorchDomain::OutputReader::leafCount(clang::QualType type, unsigned depth) {
  if (type.isNull() || depth > 8)
    return std::nullopt;
  type = type.getNonReferenceType();
  if (type->isVoidType())
    return 0;
  const std::string_view cls = domain.machine->className(type);
  if (numberKind(type) || cls == "at::Tensor" || cls == "c10::IValue" || cls == "c10::Scalar" || cls == "c10::SymInt")
    return 1;
  std::size_t sum = 0;
  const auto add = [&](clang::QualType part) {
    const auto n = leafCount(part, depth + 1);
    sum += n.value_or(0);
    return n.has_value();
  };
  if (cls == "std::tuple" || cls == "std::pair") {
    for (unsigned i = 0; i < typeArgumentCount(type); ++i)
      if (!add(typeArgument(type, i)))
        return std::nullopt;
    return sum;
  }
  if (cls == "std::array") {
    const auto n = leafCount(typeArgument(type, 0), depth + 1);
    const auto size = integerArgument(*Machine::classOf(type), 1);
    return n && size && *size >= 0 && *size <= 64 ? std::optional(*n * static_cast<std::size_t>(*size)) : std::nullopt;
  }
  const clang::CXXRecordDecl *record = Machine::classOf(type);
  if (!record || !record->hasDefinition() || record->isUnion() || cls.starts_with("std::") ||
      cls.starts_with("c10::") || cls.starts_with("at::"))
    return std::nullopt;
  for (const clang::CXXBaseSpecifier &base : record->bases())
    if (!add(base.getType()))
      return std::nullopt;
  for (const clang::FieldDecl *f : record->fields())
    if (!add(f->getType()))
      return std::nullopt;
  return sum;
}

Value TorchDomain::OutputReader::rebuild(const Value &pattern, clang::QualType type, const std::vector<ValueId> &leaves,
                                         std::size_t &next, unsigned depth) {
  const auto unknownPart = [&] { return domain.machine->unknown(type, "what a conditional returns"); };
  if (depth > 16)
    return unknownPart();
  const auto take = [&]() -> ValueId { return next < leaves.size() ? leaves[next++] : ValueId(); };
  const std::string_view cls = domain.machine->className(type);
  if (domain.isTensor(pattern) || cls == "at::Tensor") {
    const ValueId v = take();
    return v ? domain.newTensor(v) : unknownPart();
  }
  if (const Number *n = pattern.number()) {
    const ValueId v = take();
    Number out = Number::unknown(n->kind);
    if (v)
      out.source = std::make_shared<SourceDatum>(SourceDatum::Facet::Value, ObjectId(), 0, v);
    return out;
  }
  if (const List *l = pattern.list(); l && l->sized) {
    List out;
    for (std::size_t i = 0; i < l->items.size(); ++i)
      out.items.push_back(rebuild(l->items[i], partType(domain.ast, type, Step::ofIndex(static_cast<std::int64_t>(i))),
                                  leaves, next, depth + 1));
    return out;
  }
  if (const Optional *o = pattern.optional()) {
    Optional out;
    out.has = o->has;
    if (!o->has || *o->has)
      out.value = rebuild(o->value, typeArgument(type, 0), leaves, next, depth + 1);
    else
      take();
    return out;
  }
  if (const Record *r = pattern.record(); r && r->type && !r->type->isLambda()) {
    Record out;
    out.type = r->type;
    out.restReason = domain.machine->reason("what a conditional returns");
    const auto add = [&](const clang::FieldDecl *f) {
      out.set(f, rebuild(domain.machine->part(pattern, Step::ofField(f), f->getType()), f->getType(), leaves, next,
                         depth + 1));
    };
    for (const clang::CXXBaseSpecifier &base : r->type->bases())
      if (const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl(); b && b->hasDefinition())
        for (const clang::FieldDecl *f : b->fields())
          add(f);
    for (const clang::FieldDecl *f : r->type->fields())
      add(f);
    return out;
  }
  if (cls == "c10::IValue") {
    const ValueId v = take();
    return v ? domain.newTensor(v) : unknownPart();
  }
  return unknownPart();
}

} // namespace condlint::cxx

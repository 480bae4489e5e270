//===- Branches.cpp - A branch function as a graph ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "Branch.h"
#include "BranchRuns.h"
#include "OperandReader.h"
#include "OutputReader.h"
#include "WrittenOutputs.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>

namespace condlint::cxx {

void TorchDomain::BranchRuns::noteWritten(NodeDraft &d, const clang::ReturnStmt &statement,
                                          const clang::FunctionDecl &function, std::size_t outputs) {
  const std::vector<WrittenOutput> written = writtenOutputs(statement, function);
  if (written.empty() || written.size() != outputs)
    return;
  std::vector<LocationId> at;
  std::vector<std::int64_t> compound;
  for (const WrittenOutput &w : written) {
    at.push_back(domain.places.at(w.range, &function));
    compound.push_back(w.compound ? 1 : 0);
  }
  d.set(attr::writtenAt, at);
  d.set(attr::compound, compound);
}

/// What is called where the callable lies at \p at; null for an empty one. \p mayBeNull is set where it may be
/// empty or that.
static Value calledAt(Machine &m, const Pointer &at, bool &mayBeNull) {
  const Place *only = at.only();
  Value target = only ? m.peek(*only) : m.unknown("one of several functions");
  while (const Pointer *p = target.pointer()) {
    const Place *next = p->only();
    mayBeNull = mayBeNull || p->mayBeNull;
    target = next ? m.peek(*next) : m.unknown("one of several functions");
  }
  return target;
}

/// In words what \p target is, where that is nothing that can be called; empty for the rest.
static std::string_view notCallable(const TorchDomain &domain, const Value &target) {
  return target.number() ? "a number" : target.text() ? "a string" : domain.isTensor(target) ? "a tensor" : "";
}

/// The call operator of the lambda \p target, of a generic one its pattern; null for others.
static const clang::FunctionDecl *lambdaOperator(const Value &target) {
  const clang::CXXRecordDecl *type = target.record() ? target.record()->type : nullptr;
  return type && type->isLambda() ? type->getLambdaCallOperator() : nullptr;
}

/// A parameter for one operand, not for several.
static bool takesOne(Machine &m, clang::QualType type) {
  constexpr std::array scalars{"at::Tensor", "c10::Scalar", "c10::SymInt"};
  type = type.getNonReferenceType();
  return type->isUndeducedAutoType() || type->isTemplateTypeParmType() || numberKind(type) ||
         std::ranges::find(scalars, m.className(type)) != scalars.end();
}

/// How many parameters the branch takes when it is given \p count; \p count where that fits or is not known.
static std::size_t parametersTaken(Machine &m, const Value &target, const clang::FunctionDecl *f, std::size_t count) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(f);
  if (!f)
    f = lambdaOperator(target);
  else if (target.callable() && (!target.callable()->function || (method && method->isInstance())))
    return count; // std::bind, or a method whose object is an operand
  if (!f || f->isVariadic())
    return count;
  std::size_t least = 0;
  for (unsigned i = 0; i < f->getNumNonObjectParams(); ++i) {
    const clang::ParmVarDecl *p = f->getNonObjectParameter(i);
    if (p->isParameterPack() || !takesOne(m, p->getType()))
      return count;
    least += p->hasDefaultArg() ? 0U : 1U;
  }
  return std::clamp<std::size_t>(count, least, f->getNumNonObjectParams());
}

void TorchDomain::BranchRuns::findFunction(Branch &b, const Value &target, const Operands &operands) {
  std::vector<Argument> probe(operands.given.size());
  for (std::size_t i = 0; i < probe.size(); ++i)
    probe[i].value = operands.given[i];
  const clang::FunctionDecl *f = b.function = domain.machine->target(target, probe);
  if (!f)
    return;
  const auto broken = [](const clang::FunctionDecl &function) {
    return function.isInvalidDecl() || function.getReturnType()->isUndeducedType();
  };
  if (!f->hasBody(b.body))
    b.body = nullptr;
  b.invalid = broken(*f) || (b.body && broken(*b.body));
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
  if (!method || !method->getParent()->isLambda())
    b.name = domain.machine->qualifiedName(*f);
}

void TorchDomain::BranchRuns::addParameters(Branch &b, const Value &target, const Operands &operands, const Call &c) {
  const clang::FunctionDecl *named = b.body ? b.body : b.function;
  const bool list = operands.form == OperandForm::List;
  const auto add = [&](std::size_t i) {
    std::string name;
    if (named && !list && i < named->getNumNonObjectParams())
      name = named->getNonObjectParameter(static_cast<unsigned>(i))->getNameAsString();
    return domain.graphs.addParameter(
        b.graph, domain.graphs.strings.intern(name.empty() ? "operand" + std::to_string(i) : name), TypeId());
  };
  std::vector<ValueId> given;
  for (const Value &leaf : operands.leaves)
    given.push_back(leaf.isAbsent()                           ? ValueId()
                    : domain.isTensor(leaf) || leaf.unknown() ? domain.valueOf(leaf, c.expr)
                                                              : OutputReader(domain).literalOf(leaf));
  for (std::size_t i = 0; i < given.size(); ++i)
    b.parameters.push_back(add(i));
  // A list may be asked for more than it has.
  for (std::size_t i = 0; list && i < OperandListDatum::spare; ++i)
    add(given.size() + i);
  std::size_t count = given.size();
  if (!operands.adapted && operands.form != OperandForm::AnyList) {
    const std::size_t passed = list ? 1 : operands.given.size();
    const std::size_t taken = parametersTaken(*domain.machine, target, b.function, passed);
    count = taken < passed ? count - std::min(count, passed - taken) : count + taken - passed;
    if (list)
      count = std::min(count, given.size() + OperandListDatum::spare);
    for (std::size_t i = given.size(); !list && i < count; ++i)
      add(i);
    given.resize(std::min(given.size(), count));
  }
  domain.graphs[b.graph].parameters.count = static_cast<std::uint32_t>(count);
  inferParameters(domain.graphs, b.graph, given);
  for (std::size_t i = 0; i < std::min(given.size(), b.parameters.size()); ++i)
    if (given[i])
      domain.operandOf[b.parameters[i].index()] = given[i];
}

void TorchDomain::BranchRuns::recordKind(ValueId parameter, const Value &given, clang::QualType type) {
  if (type.isNull())
    return;
  type = type.getNonReferenceType();
  Type wanted;
  if (const auto number = numberKind(type); number && domain.isTensor(given))
    wanted.kind = *number == Number::Kind::Bool      ? ValueKind::SymBool
                  : *number == Number::Kind::Integer ? ValueKind::SymInt
                                                     : ValueKind::SymFloat;
  else if (domain.machine->className(type) == "at::Tensor" && (given.number() || given.text()))
    wanted.kind = ValueKind::Tensor;
  else
    return;
  domain.graphs[parameter].recorded = domain.graphs.types.intern(wanted);
}

void TorchDomain::BranchRuns::noteReturn(Branch &b, const Value &value, const clang::ReturnStmt *statement,
                                         const clang::Expr *callable, const Call &c) {
  std::vector<ValueId> out;
  bool known = true;
  Value v = value;
  clang::QualType type = b.type;
  // A `return` that does not parse leaves a function that comes to its end without one.
  if (!statement && v.isVoid() && !type.isNull() && !type->isVoidType() &&
      domain.ast.getDiagnostics().hasErrorOccurred())
    b.invalid = true;
  if (const Pointer *p = v.pointer(); p && !type.isNull() && type->isReferenceType())
    v = domain.machine->load(*p, nullptr, type.getNonReferenceType());
  if (!type.isNull())
    type = type.getNonReferenceType();
  if (!v.isVoid())
    OutputReader(domain).flatten(out, known, v, type, statement ? static_cast<const clang::Stmt *>(statement) : c.expr);
  NodeDraft d(domain.graphs, CxxOp::Return);
  d.values("values", out);
  if (statement && b.body && known)
    noteWritten(d, *statement, *b.body, out.size());
  const NodeId n = domain.emit(d, 0, statement ? static_cast<const clang::Stmt *>(statement) : callable);
  inferNode(domain.graphs, n);
  b.resultsKnown = b.resultsKnown && known;
  b.returned.push_back(std::move(out));
  b.returns = true;
  domain.scopes.back().returned = true;
  b.value = b.value.isAbsent() ? v : domain.machine->join(b.value, v);
}

void TorchDomain::BranchRuns::runBody(Branch &b, const Pointer &at, std::vector<Argument> arguments,
                                      const clang::Expr *callable, const Call &c) {
  constexpr std::size_t maxNesting = 16;
  Machine &m = *domain.machine;
  const bool tried = m.scouting();
  if (!domain.overflown && domain.scopes.size() <= maxNesting) {
    std::vector<Pointer> reached{at};
    for (const Argument &a : arguments)
      if (a.place)
        reached.push_back(*a.place);
    const auto body = [&] {
      // Only of the branch's own body; what it calls has no handler.
      m.invoke(at, std::move(arguments), c.expr, [&](const Value &value, const clang::ReturnStmt *statement) {
        if (!m.scouting() || tried) // what is only tried out is forgotten
          noteReturn(b, value, statement, callable, c);
      });
    };
    if (m.runShare(body, reached) && !m.tooLarge() && !domain.overflown)
      return;
  }
  m.noteLeftOut();
  NodeDraft d(domain.graphs, CxxOp::Opaque);
  d.values("values", b.parameters);
  d.set(attr::name, "code that is too large to be read");
  d.set(attr::branch, true);
  domain.emit(d, 0, c.expr);
  b.resultsKnown = false;
}

void TorchDomain::BranchRuns::recordDemands(const Branch &b) {
  for (const auto &[parameter, object] : b.handles) {
    const Token *t = domain.machine->objectValue(object).token();
    if (!t || t->tag != ValueTag || !b.returns)
      continue;
    std::vector<ValueId> demands;
    if (domain.withoutAssumptions(ValueId(t->id), [&](ValueId v) { demands.push_back(v); }) != parameter)
      continue;
    for (std::size_t i = demands.size(); i-- > 0;)
      domain.recordDemand(parameter, domain.graphs.types[domain.graphs[demands[i]].recorded]);
  }
}

void TorchDomain::BranchRuns::joinReturns(Branch &b, const Call &c) {
  for (const auto &r : b.returned)
    b.resultsKnown = b.resultsKnown && r.size() == b.returned.front().size();
  if (b.returned.empty())
    b.resultsKnown = false;
  if (!b.resultsKnown)
    return;
  b.results = b.returned.front();
  for (std::size_t i = 0; b.returned.size() > 1 && i < b.results.size(); ++i) {
    std::vector<ValueId> ways;
    for (const auto &r : b.returned)
      if (std::ranges::find(ways, r[i]) == ways.end())
        ways.push_back(r[i]);
    if (ways.size() == 1)
      continue;
    NodeDraft d(domain.graphs, CxxOp::Join);
    d.values("values", ways);
    b.results[i] = domain.emitOne(std::move(d), c.expr);
  }
}

TorchDomain::Branch TorchDomain::BranchRuns::runBranch(std::string_view role, Argument &callable,
                                                       const Operands &operands, const Call &c) {
  Machine &m = *domain.machine;
  Branch b;
  // The callable's place, made outside of the region: what it holds is captured.
  const Pointer at = m.placeOf(callable);
  const Value target = calledAt(m, at, b.mayBeMissing);
  b.instead = notCallable(domain, target);
  if (target.isNull() || !b.instead.empty()) {
    b.missing = true;
    return b;
  }
  b.graph = domain.graphs.addGraph(domain.graphs.strings.intern(role), domain.graphs.strings.intern(role),
                                   domain.graph(), NodeId());
  findFunction(b, target, operands);
  addParameters(b, target, operands, c);
  b.type = b.function ? b.function->getReturnType() : c.type;
  if (!m.frames().empty())
    b.location = b.body ? domain.places.at(b.body->getSourceRange(), b.body)
                        : domain.locate(callable.expr ? callable.expr : c.expr);
  domain.graphs[b.graph].location = b.location;

  BranchScope scope;
  scope.graph = b.graph;
  scope.frame = m.frames().size();
  scope.path = m.path();
  if (at.only())
    scope.callable = at.only()->object;
  domain.scopes.push_back(std::move(scope));
  m.enterRegion();
  const State::Left left = m.leftSoFar();
  const Store::Mark mark = m.store().mark();
  // Whoever follows what is written outside hears of what is left there in the end.
  std::vector<Trace *> outside = m.store().exchangeTraces({});
  runBody(b, at.only() ? Pointer::to(*at.only()) : at, OperandReader(domain).branchArguments(b, operands),
          callable.expr, c);
  if (!m.dead())
    b.admitted = domain.admittedSizes();
  recordDemands(b);
  joinReturns(b, c);
  // What it left in variables of outside; the tensors' own state stays as it was.
  for (const auto &[object, value] : m.store().changes(mark))
    if (m.object(object).region < m.region() && !value.token() && !value.isAbsent() && object != domain.pathConstraints)
      b.writes.emplace_back(object, value);
  m.store().undo(mark);
  m.store().exchangeTraces(std::move(outside));
  m.leaveRegion();
  m.forgetLeft(left);
  m.revive();
  domain.graphs.setCaptures(b.graph, domain.scopes.back().captures);
  b.scope = std::move(domain.scopes.back());
  domain.scopes.pop_back();
  return b;
}

} // namespace condlint::cxx

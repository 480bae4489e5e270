//===- Conditionals.cpp - A cond-like call as a node with two branches ----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/StmtWalk.h"
#include "../interp/machine/Types.h"
#include "Branch.h"
#include "BranchRuns.h"
#include "CaptureFinder.h"
#include "OperandReader.h"
#include "OutputReader.h"
#include "WrittenOutputs.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

/// A conditional as a node: predicate, branches, results.
class TorchDomain::ConditionalCalls {
public:
  explicit ConditionalCalls(TorchDomain &torch) : domain(torch) {}
  void addPredicate(NodeDraft &d, Argument &a);
  /// Adds to the graph of \p b after it is finished.
  void inScope(Branch &b, const std::function<void()> &record);
  /// What \p b left in variables of outside is there from here on.
  void leaveWrites(const Branch &b);
  void readAcross(Branch &reader, const Branch &writer, const Call &c);
  /// The branches' results, and how many the conditional has.
  std::size_t joinResults(Branches &branches, const Call &c);
  /// The two branches as arguments; those that have a graph are returned.
  std::vector<GraphId> addRegions(NodeDraft &d, const Branches &branches, bool adapted);
  /// Where the branches stand, and their names.
  void addBranches(NodeDraft &d, const Branches &branches);
  bool doesNotCompile(const Call &c, const Branches &branches) const;
  /// What was run before \p c, or what \p c stands in, may lack a statement.
  bool isBehindGap(const Call &c) const;
  Value resultOf(const Call &c, NodeId conditional, const Branches &branches);
  /// Adds the conditional's node, called after its place.
  NodeId emitConditional(NodeDraft &d, std::size_t results, const clang::Expr *at);

private:
  TorchDomain &domain;
};

namespace {

constexpr std::size_t maxValues = 20'000; // of one conditional

std::optional<CondArguments> annotationOf(const clang::FunctionDecl &f, const clang::ASTContext &ast) {
  for (const clang::FunctionDecl *d : f.redecls())
    for (const auto *a : d->specific_attrs<clang::AnnotateAttr>()) {
      if (a->getAnnotation() != "condlint::cond")
        continue;
      CondArguments where;
      std::int32_t *const positions[] = {&where.predicate, &where.trueBranch, &where.falseBranch, &where.operands};
      std::size_t i = 0;
      for (const clang::Expr *e : a->args()) {
        clang::Expr::EvalResult r;
        if (i < std::size(positions) && !e->isValueDependent() && e->EvaluateAsInt(r, ast))
          *positions[i] = static_cast<std::int32_t>(r.Val.getInt().getExtValue());
        ++i;
      }
      return where;
    }
  return std::nullopt;
}

} // namespace

std::optional<CondArguments> TorchDomain::condArguments(const clang::FunctionDecl &f) {
  const clang::FunctionDecl *key = f.getCanonicalDecl();
  if (auto known = conds.find(key); known != conds.end())
    return known->second;
  std::optional<CondArguments> where = annotationOf(f, ast);
  if (!where)
    if (const clang::FunctionDecl *pattern = f.getTemplateInstantiationPattern())
      where = annotationOf(*pattern, ast);
  if (!where)
    if (const clang::FunctionTemplateDecl *t = f.getPrimaryTemplate())
      where = annotationOf(*t->getTemplatedDecl(), ast);
  if (!where) {
    const std::string name = qualifiedNameOf(f);
    if (auto configured = options.condFunctions.find(name); configured != options.condFunctions.end())
      where = configured->second;
    else if (name == "condlint::cond")
      where = CondArguments();
  }
  conds[key] = where;
  return where;
}

//===----------------------------------------------------------------------===//
// The predicate
//===----------------------------------------------------------------------===//

void TorchDomain::ConditionalCalls::addPredicate(NodeDraft &d, Argument &a) {
  // An int, a pointer or a string that becomes a bool here is none.
  const clang::Expr *e = a.expr;
  const char *disguise = nullptr;
  while (e) {
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      if (cast->getCastKind() == clang::CK_IntegralToBoolean)
        disguise = "int";
      else if (cast->getCastKind() == clang::CK_PointerToBoolean)
        disguise = "pointer";
      else if (cast->getCastKind() == clang::CK_FloatingToBoolean)
        disguise = "float";
      e = cast->getSubExpr();
    } else if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) {
      e = full->getSubExpr();
    } else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) {
      e = temporary->getSubExpr();
    } else {
      break;
    }
  }
  const Value v = domain.machine->load(a);
  if (disguise) {
    if (std::string_view(disguise) == "int")
      d.integer("", 0);
    else
      d.opaque("", disguise);
    return;
  }
  if (domain.isUndefined(v)) {
    d.value("", ValueId());
    return;
  }
  if (const Number *n = v.number()) {
    if (n->kind == Number::Kind::Bool && n->known && n->provenance == Provenance::Literal)
      d.boolean("", n->integer != 0);
    else if (n->kind == Number::Kind::Bool)
      d.value("", domain.scalarValue(n->known ? Number::unknown(Number::Kind::Bool) : *n));
    else if (n->kind == Number::Kind::Integer)
      d.integer("", n->integer);
    else
      d.real("", n->real);
    return;
  }
  if (v.text()) {
    d.text("", *v.text());
    return;
  }
  if (v.isNull()) {
    d.number("", AttributeKind::None, 0);
    return;
  }
  d.value("", domain.valueOf(v, a.expr, "a predicate that is not followed"));
}

//===----------------------------------------------------------------------===//
// The conditional
//===----------------------------------------------------------------------===//

void TorchDomain::ConditionalCalls::inScope(Branch &b, const std::function<void()> &record) {
  domain.scopes.push_back(std::move(b.scope));
  record();
  b.scope = std::move(domain.scopes.back());
  domain.scopes.pop_back();
}

void TorchDomain::ConditionalCalls::leaveWrites(const Branch &b) {
  for (const auto &[object, value] : b.writes) {
    const clang::CXXRecordDecl *closure = Machine::classOf(domain.machine->object(object).type);
    if (closure && closure->isLambda() && object != b.scope.callable)
      continue; // a closure's own copies
    domain.machine->setObject(
        object, CaptureFinder(domain).leaked(Place{object, {}}, domain.machine->objectValue(object), value, b.scope));
  }
}

void TorchDomain::ConditionalCalls::readAcross(Branch &reader, const Branch &writer, const Call &c) {
  for (const BranchScope::Read &r : std::vector(reader.scope.reads)) {
    if (!writer.scope.wrote(r.number, r.whole) || reader.scope.wrote(r.number, r.whole))
      continue;
    inScope(reader, [&] {
      NodeDraft read(domain.graphs, CxxOp::Read);
      CaptureFinder(domain).addVariable(read, r.number, r.whole);
      const NodeId n = domain.emit(read, 0, c.expr);
      domain.graphs[n].location = r.at;
      inferNode(domain.graphs, n);
    });
  }
}

std::size_t TorchDomain::ConditionalCalls::joinResults(Branches &branches, const Call &c) {
  // Of a branch whose number of results is not known, as many as the other has.
  std::optional<std::size_t> count;
  for (const Branch &b : branches)
    if (!b.missing && b.resultsKnown && !count)
      count = b.results.size();
  for (const Branch &b : branches)
    if (!b.missing && !count)
      count = OutputReader(domain).leafCount(b.type);
  if (!count)
    count = OutputReader(domain).leafCount(c.type);
  for (Branch &b : branches) {
    if (b.missing)
      continue;
    if (!b.resultsKnown)
      inScope(b, [&] {
        b.results.clear();
        for (std::size_t k = 0; k < count.value_or(1); ++k)
          b.results.push_back(domain.unknownValue(
              b.returns ? "outputs whose number is not known" : "no output is reached", c.expr, false));
      });
    domain.graphs.setResults(b.graph, b.results);
  }
  // What only one of the branches has is an output all the same.
  std::optional<std::size_t> most;
  for (const Branch &b : branches)
    if (!b.missing)
      most = std::max(most.value_or(0), b.results.size());
  return most.value_or(count.value_or(0));
}

std::vector<GraphId> TorchDomain::ConditionalCalls::addRegions(NodeDraft &d, const Branches &branches, bool adapted) {
  std::vector<GraphId> regions;
  for (const Branch &b : branches) {
    Attribute region;
    region.name = domain.graphs.strings.intern("");
    region.kind = b.missing ? AttributeKind::None : AttributeKind::Region;
    region.list = {static_cast<std::uint32_t>(regions.size()), 1};
    if (!b.instead.empty()) {
      // What a cond that is seen makes of something else, its own body says.
      region.kind = adapted ? AttributeKind::Region : AttributeKind::Opaque;
      region.list = {static_cast<std::uint32_t>(branches.size()), 1};
      region.text = domain.graphs.strings.intern(b.instead);
    }
    d.attribute(region);
    if (!b.missing)
      regions.push_back(b.graph);
  }
  return regions;
}

void TorchDomain::ConditionalCalls::addBranches(NodeDraft &d, const Branches &branches) {
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (branches[i].missing)
      continue;
    if (branches[i].location)
      d.set(attr::branchAt[i], branches[i].location);
    if (!branches[i].name.empty())
      d.set(attr::branchName[i], branches[i].name);
    if (branches[i].mayBeMissing)
      d.set(attr::mayBeEmpty[i]);
  }
  // Sizes that a check has excluded show no difference: each branch's own checks must hold too.
  std::vector<Dim> admitted = domain.admittedSizes();
  for (const Branch &b : branches)
    std::ranges::copy_if(b.admitted, std::back_inserter(admitted),
                         [&](Dim size) { return std::ranges::find(admitted, size) == admitted.end(); });
  if (!admitted.empty())
    d.dims(attr::admitted.name, admitted);
}

bool TorchDomain::ConditionalCalls::doesNotCompile(const Call &c, const Branches &branches) const {
  // A `return` that does not compile leaves a function that returns nothing.
  const bool hasErrors = domain.ast.getDiagnostics().hasErrorOccurred();
  return std::ranges::any_of(c.arguments, [](const Argument &a) { return a.expr && a.expr->containsErrors(); }) ||
         std::ranges::any_of(branches, [&](const Branch &b) {
           return b.invalid || (hasErrors && !b.missing && !b.type.isNull() && b.type->isVoidType());
         });
}

Value TorchDomain::ConditionalCalls::resultOf(const Call &c, NodeId conditional, const Branches &branches) {
  std::vector<ValueId> out;
  for (std::size_t i = 0; i < domain.graphs.resultCount(conditional); ++i)
    out.push_back(domain.graphs.result(conditional, i));
  if (c.type.isNull() || c.type->isVoidType())
    return Void{};
  const bool second = branches[0].missing || branches[0].value.isAbsent() ||
                      (branches[0].results.size() != out.size() && branches[1].results.size() == out.size());
  const Branch &pattern = branches[second ? 1 : 0];
  std::size_t next = 0;
  if (!pattern.value.isAbsent() && pattern.resultsKnown)
    return OutputReader(domain).rebuild(pattern.value, c.type.getNonReferenceType(), out, next);
  return OutputReader(domain).leafCount(c.type) == out.size()
             ? OutputReader(domain).rebuild(Value(), c.type, out, next)
             : domain.machine->unknown(c.type, "what a conditional returns");
}

NodeId TorchDomain::ConditionalCalls::emitConditional(NodeDraft &d, std::size_t results, const clang::Expr *at) {
  const NodeId n = domain.emit(d, results, at);
  const SourceLocation where = domain.graphs.location(domain.graphs[n].location);
  domain.graphs[n].name =
      domain.graphs.strings.intern("cond@" + std::to_string(where.line) + ":" + std::to_string(where.column));
  return n;
}

constexpr std::string_view doesNotCompileReason = "it holds code that does not compile";

void TorchDomain::onBrokenCall(Machine &, const clang::FunctionDecl &callee, const clang::Expr *at) {
  if (!condArguments(callee))
    return;
  ++rootConditionals;
  NodeDraft d(graphs, higherOrderDomain, condOperator);
  for (int argument = 0; argument < 4; ++argument)
    d.opaque("", "unknown");
  d.set(attr::unknown, doesNotCompileReason);
  inferNode(graphs, ConditionalCalls(*this).emitConditional(d, 0, at));
}

bool TorchDomain::ConditionalCalls::isBehindGap(const Call &c) const {
  if (domain.machine->gaps() != domain.gapsInBranches)
    return true;
  const clang::Expr *at = domain.machine->frames().size() > 1 ? domain.machine->frames().front()->call : c.expr;
  const clang::SourceManager &sm = domain.ast.getSourceManager();
  return domain.rootGap.isValid() &&
         (!at || sm.isBeforeInTranslationUnit(domain.rootGap, sm.getExpansionLoc(at->getBeginLoc())));
}

Value TorchDomain::conditional(Call &c, const CondArguments &where) {
  Machine &m = *machine;
  const auto argumentAt = [&](std::int32_t i) -> Argument * {
    return i >= 0 && static_cast<std::size_t>(i) < c.arguments.size() ? &c.arguments[static_cast<std::size_t>(i)]
                                                                      : nullptr;
  };
  Argument *predicate = argumentAt(where.predicate);
  Argument *callables[] = {argumentAt(where.trueBranch), argumentAt(where.falseBranch)};
  if (!predicate || !callables[0] || !callables[1])
    return m.unknown(c.type, "a conditional without its arguments");
  if (scopes.empty()) { // the outermost
    budget = maxValues;
    overflown = false;
    poison = ValueId();
  }
  ++rootConditionals;
  const Operands operands = OperandReader(*this).operandsOf(c, where, *callables[0]);
  NodeDraft d(graphs, higherOrderDomain, condOperator);
  ConditionalCalls(*this).addPredicate(d, *predicate);

  const bool behindGap = ConditionalCalls(*this).isBehindGap(c);
  const std::size_t gapsBefore = m.gaps() - gapsInBranches;
  const std::size_t damage = m.damage() - (c.expr && c.expr->containsErrors() ? 1 : 0);
  constexpr std::array<std::string_view, 2> roles{"true", "false"};
  const std::size_t firstLeak = leaks.size();
  Branches branches;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    branches[i] = BranchRuns(*this).runBranch(roles[i], *callables[i], operands, c);
    ConditionalCalls(*this).leaveWrites(branches[i]);
  }
  for (std::size_t i = firstLeak; i < leaks.size(); ++i)
    leaks[i].other = false;
  // What the true branch read and the false one writes: the other direction.
  if (!branches[0].missing && !branches[1].missing)
    ConditionalCalls(*this).readAcross(branches[0], branches[1], c);
  const std::size_t results = ConditionalCalls(*this).joinResults(branches, c);

  const std::vector<GraphId> regions = ConditionalCalls(*this).addRegions(d, branches, operands.adapted);
  d.values("", operands.values);
  gapsInBranches = m.gaps() - gapsBefore;
  if (behindGap || m.damage() != damage || ConditionalCalls(*this).doesNotCompile(c, branches))
    d.set(attr::unknown, doesNotCompileReason);
  else if (!unfollowed.empty())
    d.set(attr::unknown, unfollowed);
  const clang::FunctionDecl *in = m.frames().back()->function;
  if (predicate->expr) {
    d.set(attr::predicateAt, places.at(predicate->expr->getSourceRange(), in));
    if (const auto compound = needsParentheses(*predicate->expr, *in))
      d.set(attr::predicateCompound, *compound);
  }
  if (operands.written)
    d.set(attr::operandsAt, places.at(operands.written->getSourceRange(), in));
  ConditionalCalls(*this).addBranches(d, branches);

  const NodeId n = ConditionalCalls(*this).emitConditional(d, results, c.expr);
  for (const GraphId region : regions)
    graphs[region].owner = n;
  graphs.setRegions(n, regions);
  inferNode(graphs, n);
  return ConditionalCalls(*this).resultOf(c, n, branches);
}

} // namespace condlint::cxx

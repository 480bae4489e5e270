//===- ReachingDefinitions.cpp - What a local holds where ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReachingDefinitions.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Analysis/Analyses/Dominators.h>
#include <clang/Analysis/CFG.h>
#include <clang/Basic/Diagnostic.h>
#include <unordered_map>
#include <unordered_set>

namespace condlint::cxx {

namespace {

using namespace clang;

/// Blocks and definitions that all walks through one unit pass; beyond it the order is not known.
constexpr std::size_t mostSteps = 100'000;

/// A place in a control flow graph: before the element \p index of a block.
struct BlockPlace {
  const CFGBlock *block = nullptr;
  unsigned index = 0;
};

/// Whether the graph of \p body can be built without deep recursion and shows every
/// way through it: the ways into a handler are not among its edges.
bool isPlain(const Stmt *body) {
  constexpr std::size_t deepest = 1000;
  std::vector<std::pair<const Stmt *, std::size_t>> open{{body, 0}};
  while (!open.empty()) {
    const auto [s, depth] = open.back();
    open.pop_back();
    if (s == nullptr)
      continue;
    if (depth > deepest || isa<CXXTryStmt>(s))
      return false;
    for (const Stmt *child : s->children())
      open.emplace_back(child, depth + 1);
  }
  return true;
}

/// Something that \p v is given, at the element \p index of its block.
struct Definition {
  unsigned index = 0;
  const Assignments::Given *given = nullptr; ///< neither: the declaration itself
  const Assignments::Passed *passed = nullptr;

  /// Nothing of the part \p steps that was there before is left.
  bool overwrites(const Steps &steps) const {
    if (passed != nullptr)
      return false;
    return given == nullptr || (given->whole && given->into.size() <= steps.size() &&
                                std::equal(given->into.begin(), given->into.end(), steps.begin()));
  }
};

} // namespace

/// The control flow graph of one function.
struct ReachingDefinitions::Flow {
  std::unique_ptr<CFG> graph;
  std::unordered_map<const Stmt *, BlockPlace> places;
  std::unordered_map<const VarDecl *, BlockPlace> declared;
  std::optional<ControlDependencyCalculator> decisions; ///< once they are asked for

  const BlockPlace *placeOf(const Stmt *s) const {
    const auto found = places.find(s);
    return found == places.end() ? nullptr : &found->second;
  }
};

/// The definitions of one variable.
struct ReachingDefinitions::Local {
  std::unordered_map<const CFGBlock *, std::vector<Definition>> in; ///< in the order of their places
  Values always;                                                    ///< what has no place in the function

  /// Adds to \p out what \p block gives the part \p steps before the element \p end; true
  /// when nothing from before the block is left.
  bool collect(const CFGBlock *block, unsigned end, const Steps &steps, Values &out, std::size_t &left) const {
    const auto found = in.find(block);
    if (found == in.end())
      return false;
    const std::vector<Definition> &list = found->second;
    auto at = std::lower_bound(list.begin(), list.end(), end,
                               [](const Definition &d, unsigned index) { return d.index < index; });
    while (at != list.begin()) {
      const Definition &d = *--at;
      left -= left != 0;
      if (d.given != nullptr)
        out.given.push_back(d.given);
      else if (d.passed != nullptr)
        out.passed.push_back(d.passed);
      else
        out.first = true;
      if (d.overwrites(steps))
        return true;
    }
    return false;
  }
};

ReachingDefinitions::ReachingDefinitions(const Assignments &given, ASTContext &c)
    : assignments(given), ast(c), stepsLeft(mostSteps) {}
ReachingDefinitions::~ReachingDefinitions() = default;

ReachingDefinitions::Values ReachingDefinitions::everything(const ValueDecl *v) const {
  Values out;
  out.first = true;
  for (const Assignments::Given &g : assignments.to(v))
    out.given.push_back(&g);
  for (const Assignments::Passed &p : assignments.passed(v))
    out.passed.push_back(&p);
  return out;
}

ReachingDefinitions::Flow *ReachingDefinitions::flowOf(const FunctionDecl *f) {
  const auto [at, added] = flows.try_emplace(f);
  if (!added)
    return at->second.get();
  Stmt *body = f->doesThisDeclarationHaveABody() ? f->getBody() : nullptr;
  if (body == nullptr || ast.getDiagnostics().hasUncompilableErrorOccurred() || !isPlain(body))
    return nullptr;
  auto flow = std::make_unique<Flow>();
  CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  flow->graph = CFG::buildCFG(f, body, &ast, options);
  if (flow->graph == nullptr)
    return nullptr;
  for (const CFGBlock *block : *flow->graph)
    for (unsigned i = 0; i < block->size(); ++i) {
      const auto element = (*block)[i].getAs<CFGStmt>();
      if (!element)
        continue;
      flow->places.try_emplace(element->getStmt(), BlockPlace{block, i});
      if (const auto *declaration = dyn_cast<DeclStmt>(element->getStmt()))
        for (const Decl *d : declaration->decls())
          if (const auto *v = dyn_cast<VarDecl>(d))
            flow->declared.try_emplace(v, BlockPlace{block, i});
    }
  at->second = std::move(flow);
  return at->second.get();
}

const ReachingDefinitions::Local &ReachingDefinitions::localOf(const VarDecl *v, const Flow &flow) {
  std::unique_ptr<Local> &local = locals[v];
  if (local != nullptr)
    return *local;
  local = std::make_unique<Local>();
  if (const auto at = flow.declared.find(v); at != flow.declared.end())
    local->in[at->second.block].push_back({at->second.index, nullptr, nullptr});
  for (const Assignments::Given &g : assignments.to(v))
    if (const BlockPlace *at = flow.placeOf(g.by))
      local->in[at->block].push_back({at->index, &g, nullptr});
    else
      local->always.given.push_back(&g);
  for (const Assignments::Passed &p : assignments.passed(v))
    if (const BlockPlace *at = flow.placeOf(p.call))
      local->in[at->block].push_back({at->index, nullptr, &p});
    else
      local->always.passed.push_back(&p);
  for (auto &[block, list] : local->in)
    std::stable_sort(list.begin(), list.end(),
                     [](const Definition &a, const Definition &b) { return a.index < b.index; });
  return *local;
}

ReachingDefinitions::Values ReachingDefinitions::at(const VarDecl *v, const Steps &steps, const Expr *read) {
  const auto *function = dyn_cast<FunctionDecl>(v->getDeclContext());
  if (assignments.to(v).empty() && assignments.passed(v).empty())
    return {true, {}, {}};
  const std::size_t all = assignments.to(v).size() + assignments.passed(v).size();
  stepsLeft -= std::min(stepsLeft, isExhausted() ? 0 : all / 16);
  if (isExhausted() || function == nullptr || !v->hasLocalStorage() || assignments.hasOtherNames(v, steps))
    return everything(v);
  const Flow *flow = flowOf(function);
  const BlockPlace exit{flow != nullptr ? &flow->graph->getExit() : nullptr, 0};
  const BlockPlace *from = flow == nullptr ? nullptr : read != nullptr ? flow->placeOf(read) : &exit;
  if (from == nullptr)
    return everything(v);
  const Local &local = localOf(v, *flow);
  Values out = local.always;
  std::unordered_set<const CFGBlock *> seen;
  std::vector<const CFGBlock *> open;
  const auto before = [&](const CFGBlock *block) {
    if (block == &flow->graph->getEntry())
      out.first = true;
    for (const CFGBlock *each : block->preds())
      if (each != nullptr && seen.insert(each).second)
        open.push_back(each);
  };
  if (!local.collect(from->block, from->index, steps, out, stepsLeft))
    before(from->block);
  while (!open.empty()) {
    const CFGBlock *block = open.back();
    open.pop_back();
    stepsLeft -= stepsLeft != 0;
    if (!local.collect(block, block->size(), steps, out, stepsLeft))
      before(block);
  }
  return stepsLeft != 0 ? out : everything(v);
}

std::optional<std::vector<const Expr *>> ReachingDefinitions::decisionsOver(const Expr *e, const FunctionDecl *f) {
  Flow *flow = flowOf(f);
  const BlockPlace *place = flow != nullptr ? flow->placeOf(e) : nullptr;
  if (place == nullptr)
    return std::nullopt;
  if (!flow->decisions)
    flow->decisions.emplace(flow->graph.get());
  std::vector<const Expr *> out;
  for (const CFGBlock *b : flow->decisions->getControlDependencies(const_cast<CFGBlock *>(place->block)))
    if (const auto *condition = dyn_cast_or_null<Expr>(b->getTerminatorCondition()))
      out.push_back(condition);
  return out;
}

} // namespace condlint::cxx

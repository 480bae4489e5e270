//===- ReadNetworks.cpp - A unit that builds networks to a model ------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadNetworks.h"
#include "../interp/machine/Types.h"
#include "Builders.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <deque>
#include <set>

namespace condlint::cxx {

namespace {

/// Runs of one function, each another path.
constexpr std::size_t mostRuns = 24;
/// The same where each turns a choice that no other has turned.
constexpr std::size_t mostTurns = 64;
/// The same where values that the code picks are paths of their own.
constexpr std::size_t mostRunsOfPicks = 16;
/// Statements and expressions that are followed in one run: those of some ten thousand layers.
constexpr unsigned mostSteps = 2'000'000;
/// The same on the other paths of all functions of the unit together.
constexpr unsigned otherSteps = 2'000'000;
/// Of these, where values of any type that are picked are paths of their own.
constexpr unsigned pickSteps = 500'000;
/// And in all functions, one after the other.
constexpr unsigned allSteps = 4'000'000;

Limits limits(unsigned steps) {
  Limits l;
  l.calls = 48;
  l.recursion = 16;
  l.steps = steps;
  l.objects = 4'000'000;
  return l;
}

/// Finds code that does not compile.
class ErrorFinder : public clang::DynamicRecursiveASTVisitor {
public:
  bool found = false;
  bool VisitExpr(clang::Expr *e) override {
    found = found || e->containsErrors();
    return !found;
  }
  bool VisitVarDecl(clang::VarDecl *v) override {
    found = found || v->isInvalidDecl();
    return !found;
  }
};

/// What a function gives back when it could not do what it should. \p leftEarly: it came to its end where
/// something was not as it should be.
bool isFailure(const Value &result, const clang::FunctionDecl &f, bool leftEarly) {
  if (f.getReturnType()->isVoidType() && leftEarly)
    return true;
  if (const Number *n = result.number())
    return n->known &&
           ((n->kind == Number::Kind::Bool && n->integer == 0) || (n->kind == Number::Kind::Integer && n->integer < 0));
  if (const Optional *o = result.optional())
    return o->has && !*o->has;
  // It threw.
  return result.isNull() || result.isAbsent();
}

/// The paths of one function that are still to be taken, each as what to decide first. Those that turn a
/// choice for the first time come before those that only combine what was turned before: what hangs
/// on a single choice is seen by then (NetworkRuns.h).
class OpenPaths {
public:
  using Script = std::vector<unsigned>;

  std::optional<Script> next(std::size_t run) {
    std::deque<Script> &from = turns.empty() ? combinations : turns;
    if (from.empty() || run >= (turns.empty() ? mostRuns : mostTurns))
      return std::nullopt;
    Script script = std::move(from.front());
    from.pop_front();
    return script;
  }
  /// A run made the choices \p taken, of which the first \p prescribed were given to it.
  void branch(const std::vector<PathChoice> &taken, std::size_t prescribed) {
    for (std::size_t i = prescribed; i < taken.size(); ++i) {
      std::deque<Script> &to = known.insert(taken[i].place).second ? turns : combinations;
      for (unsigned path = 1; path < taken[i].paths; ++path) {
        Script next;
        for (std::size_t k = 0; k < i; ++k)
          next.push_back(taken[k].path);
        next.push_back(path);
        to.push_back(std::move(next));
      }
    }
  }
  void startAgain() { turns.emplace_back(); }
  /// Each choice was made each way.
  bool isCovered() const { return turns.empty(); }
  /// And with each other one that was made each path.
  bool isComplete() const { return turns.empty() && combinations.empty(); }

private:
  std::deque<Script> turns{Script()};
  std::deque<Script> combinations;
  std::set<std::uint64_t> known; ///< the places of choices that some run made
};

class NetworkReader {
public:
  NetworkReader(clang::ASTContext &context, clang::Preprocessor *pp, const SourceOptions &source,
                std::vector<NotUnderstood> &complaints)
      : ast(context), options(source), notUnderstood(complaints), version(tensorrtVersion(pp)),
        builders(context, source, classes), places(context, model) {}

  std::optional<Model> read() {
    if (builders.empty())
      return std::nullopt;
    model.info.format = Format::Cxx;
    model.info.dialect = Dialect::TensorRT;
    model.info.frontEnd = FrontEnd::TensorRT;
    if (version != 0)
      model.info.version = std::to_string(version / 100) + '.' + std::to_string(version % 100);
    const clang::SourceManager &sm = ast.getSourceManager();
    if (const auto file = sm.getFileEntryRefForID(sm.getMainFileID()))
      model.info.path = file->getName().str();
    for (const clang::FunctionDecl *f : builders.roots())
      if (!entered.contains(f))
        readRoot(*f);
    // What only runs on paths that were not followed is read by itself.
    for (const clang::FunctionDecl *f : builders.builders())
      if (!entered.contains(f))
        readRoot(*f);
    return std::move(model);
  }

private:
  bool isBuilding(const clang::Expr &e) {
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&e))
      if (const clang::FunctionDecl *callee = call->getDirectCallee(); callee && builders.leads(callee))
        return true;
    const EntityKind entityKind = classes.of(e.getType());
    return entityKind != EntityKind::None && entityKind != EntityKind::Other && entityKind != EntityKind::Parser;
  }

  bool hasErrors(const Machine &m) {
    if (!ast.getDiagnostics().hasErrorOccurred())
      return false;
    for (const clang::FunctionDecl *f : m.entered()) {
      auto [known, isNew] = broken.try_emplace(f, false);
      if (isNew) {
        ErrorFinder finder;
        finder.TraverseStmt(f->getBody());
        known->second = finder.found || holdsError(options, ast.getSourceManager(), f->getBody()->getSourceRange());
      }
      if (known->second)
        return true;
    }
    return false;
  }

  /// To follow each value that the first run picked, on each path that builds, takes too long: some are joined from
  /// now on.
  bool joinsPicks(const std::vector<PathChoice> &taken, HostPaths &paths) {
    std::size_t runs = 1;
    for (const PathChoice &d : taken)
      runs = std::min(runs * d.paths, mostRunsOfPicks + 1);
    const auto steps = (runs - 1) * lastSteps;
    const bool areTooMany = runs > mostRunsOfPicks || steps > otherBudget;
    if (std::ranges::any_of(taken, isOther, &PathChoice::pick)) {
      if (areTooMany || steps > pickBudget) {
        paths.joinOthers();
        return true;
      }
      pickBudget -= static_cast<unsigned>(steps);
      return false;
    }
    if (!areTooMany || std::ranges::all_of(taken, [](const PathChoice &d) { return d.pick == Pick::None; }))
      return false;
    paths.joinValues();
    return true;
  }

  /// What the runs of one function came to.
  struct Runs {
    std::vector<FunctionId> made;
    std::string bound; ///< why an execution may do what none of them does; empty: none
    bool complained = false;
  };

  /// Runs \p f once for each path that it can go.
  void runWays(const clang::FunctionDecl &f, HostPaths &paths, HostPaths::Mode mode, Runs &runs) {
    const std::string name = qualifiedNameOf(f);
    OpenPaths open;
    bool missed = false;
    bool settled = false; ///< which values that are picked are paths of their own
    const bool isFirst = mode == HostPaths::Mode::Run;
    std::size_t run = 0;
    for (; (run == 0 && isFirst) || otherBudget >= lastSteps; ++run) { // else it would not come to its end
      const auto script = open.next(run);
      if (!script)
        break;
      unsigned &budget = run == 0 && isFirst ? firstBudget : otherBudget;
      paths.begin(*script, mode);
      NetworkLog log(model, version);
      log.graphName = name;
      log.tellsPaths = !isFirst;
      TensorRtDomain domain(log, places, classes, holders, paths);
      Machine m(ast, domain, model.dims, limits(std::min(mostSteps, budget)));
      m.setOwnCode([this](const clang::FunctionDecl &callee) { return builders.isOwn(callee); });
      const Value result = m.runRoot(f);
      lastSteps = m.stepsUsed();
      budget -= std::min(budget, lastSteps);
      entered.insert(m.entered().begin(), m.entered().end());
      const bool errors = hasErrors(m);
      domain.finish(m, result, m.tooLarge() ? "too large" : errors ? "code that does not compile" : "");
      const std::vector<PathChoice> &taken = paths.choices();
      // Where that would be too many runs, values that are picked are joined from now on: this run
      // stands beside those that cover all paths.
      const bool startsAgain = !settled && joinsPicks(taken, paths);
      settled = !startsAgain;
      if (startsAgain) {
        open.startAgain();
      } else if (!m.tooLarge()) { // what does not come to its end on one path does not come to it on another
        open.branch(taken, script->size());
      }
      if (m.tooLarge() || errors)
        paths.noteBound(m.tooLarge() ? "the code does too much to be followed to its end"
                                     : "the code does not compile");
      if (runs.bound.empty())
        runs.bound = paths.boundedBy();
      if ((m.tooLarge() || errors) && !runs.complained) {
        runs.complained = true;
        complain(f, name,
                 m.tooLarge() ? "does too much to be followed to its end" : "holds code that does not compile");
      }
      if (!log.builds())
        continue;
      log.emit();
      runs.made.push_back(addFunction(name, log.graph(), taken));
      if (!taken.empty() && isFailure(result, f, paths.leftEarly()))
        model[runs.made.back()].failed = true;
      missed = missed || (paths.tooMany() && !startsAgain);
    }
    if (missed || !open.isCovered())
      for (FunctionId id : runs.made)
        model[id].otherWays = true;
    if (runs.bound.empty() && !open.isComplete())
      runs.bound = "not all paths that the code can go were followed";
  }

  void readRoot(const clang::FunctionDecl &f) {
    HostPaths paths([this](const clang::Expr &e) { return isBuilding(e); });
    ++root;
    Runs runs;
    runWays(f, paths, HostPaths::Mode::Run, runs);
    noteRuns(runs, false);
    if (runs.bound.empty() || runs.made.empty())
      return;
    // What all executions have in common: each path by itself, or where those are too many all together.
    for (const HostPaths::Mode mode : {HostPaths::Mode::Strict, HostPaths::Mode::Joined}) {
      Runs all;
      all.complained = true;
      runWays(f, paths, mode, all);
      noteRuns(all, true);
      if (all.bound.empty())
        break;
    }
  }

  /// Says in the graphs of \p runs what they stand for.
  void noteRuns(const Runs &runs, bool isCommon) {
    Operator op;
    op.dialect = Dialect::TensorRT;
    op.domain = model.strings.intern(cxxDomain);
    op.name = model.strings.intern(nameOf(CxxOp::Run));
    const OperatorId said = model.addOperator(op);
    for (FunctionId id : runs.made) {
      std::vector<Attribute> attributes{make(model, attr::root, root)};
      if (isCommon)
        attributes.push_back(make(model, attr::common));
      if (!runs.bound.empty())
        attributes.push_back(make(model, attr::bound, runs.bound));
      const NodeId n = model.addNode(model[id].body, said, op.name, {}, {}, {});
      model[n].attributes = model.poolAttributes(attributes);
    }
  }

  void complain(const clang::FunctionDecl &f, const std::string &name, std::string_view what) {
    notUnderstood.push_back(
        {sourceLocation(ast, f.getLocation(), name), std::string("'").append(name).append("' ").append(what)});
  }

  FunctionId addFunction(const std::string &name, GraphId body, const std::vector<PathChoice> &taken) {
    Function function;
    function.name = model.strings.intern(name);
    function.body = body;
    for (const PathChoice &d : taken)
      function.choices.push_back({d.place, d.path, d.fromOutside});
    const FunctionId id = model.addFunction(std::move(function));
    model[body].function = id;
    return id;
  }

  clang::ASTContext &ast;
  const SourceOptions &options;
  std::vector<NotUnderstood> &notUnderstood;
  std::int32_t version;
  Model model;
  TensorRtClasses classes;
  Holders holders;
  Builders builders;
  SourceMap places;
  llvm::DenseSet<const clang::FunctionDecl *> entered;
  llvm::DenseMap<const clang::FunctionDecl *, bool> broken;
  std::int64_t root = 0; ///< the number of the current function
  unsigned firstBudget = allSteps;
  unsigned otherBudget = otherSteps;
  unsigned pickBudget = pickSteps;
  unsigned lastSteps = 0;
};

} // namespace

std::optional<Model> readNetworks(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options,
                                  std::vector<NotUnderstood> &notUnderstood) {
  return NetworkReader(ast, pp, options, notUnderstood).read();
}

} // namespace condlint::cxx

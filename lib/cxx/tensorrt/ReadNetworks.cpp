//===- ReadNetworks.cpp - A unit that builds networks to a model ------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadNetworks.h"
#include "../interp/Types.h"
#include "Builders.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <deque>

namespace condlint::cxx {

namespace {

constexpr std::size_t mostRuns = 24; ///< of one function, each another way
/// The same where values that the code picks are ways of their own.
constexpr std::size_t mostRunsOfPicks = 16;
/// Statements and expressions that are followed in one run: those of some ten thousand layers.
constexpr unsigned mostSteps = 2'000'000;
/// The same in the other ways of all functions of the unit together.
constexpr unsigned otherSteps = 2'000'000;
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
class ErrorFinder : public clang::RecursiveASTVisitor<ErrorFinder> {
public:
  bool found = false;
  bool VisitExpr(clang::Expr *e) {
    found = found || e->containsErrors();
    return !found;
  }
  bool VisitVarDecl(clang::VarDecl *v) {
    found = found || v->isInvalidDecl();
    return !found;
  }
};

/// What a function gives back when it could not do what it should.
bool isFailure(const Value &result, const clang::FunctionDecl &f) {
  if (const Number *n = result.number())
    return n->known &&
           ((n->kind == Number::Kind::Bool && n->integer == 0) || (n->kind == Number::Kind::Integer && n->integer < 0));
  if (const Optional *o = result.optional())
    return o->has && !*o->has;
  // Without a result it threw.
  return result.isNull() || (result.isVoid() && !f.getReturnType()->isVoidType() && !f.isMain() &&
                             !llvm::isa<clang::CXXConstructorDecl>(f));
}

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
    // What only runs in ways that were not followed is read by itself.
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
    const Thing thing = classes.of(e.getType());
    return thing != Thing::None && thing != Thing::Other && thing != Thing::Parser;
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

  /// To follow each value that the first run picked, in each way to build, takes too long.
  bool picksTooMuch(const std::vector<Decision> &taken) const {
    std::size_t runs = 1;
    for (const Decision &d : taken)
      runs = std::min(runs * d.ways, mostRunsOfPicks + 1);
    return std::ranges::any_of(taken, &Decision::picks) &&
           (runs > mostRunsOfPicks || (runs - 1) * lastSteps > otherBudget);
  }

  void readRoot(const clang::FunctionDecl &f) {
    Ways ways([this](const clang::Expr &e) { return isBuilding(e); });
    const std::string name = qualifiedNameOf(f);
    std::deque<std::vector<unsigned>> scripts{{}};
    bool complained = false;
    bool missed = false;
    std::vector<FunctionId> made;
    for (std::size_t run = 0; run < mostRuns && !scripts.empty(); ++run) {
      unsigned &budget = run == 0 ? firstBudget : otherBudget;
      if (run != 0 && budget < lastSteps)
        break; // it would not come to its end
      const std::vector<unsigned> script = std::move(scripts.front());
      scripts.pop_front();
      ways.begin(script);
      NetworkLog log(model, version);
      log.graphName = name;
      TensorRtDomain domain(log, places, classes, holders, ways);
      Machine m(ast, domain, model.dims, limits(std::min(mostSteps, budget)));
      m.setOwnCode([this](const clang::FunctionDecl &callee) { return builders.isOwn(callee); });
      const Value result = m.runRoot(f);
      lastSteps = m.stepsUsed();
      budget -= std::min(budget, lastSteps);
      entered.insert(m.entered().begin(), m.entered().end());
      const bool errors = hasErrors(m);
      domain.finish(m, result, m.tooLarge() ? "too large" : errors ? "code that does not compile" : "");
      const std::vector<Decision> &taken = ways.decisions();
      // Where that would be too many runs, values that are picked are joined from now on: this run
      // stands beside those that cover all ways.
      const bool restarts = run == 0 && picksTooMuch(taken);
      if (restarts) {
        ways.joinValues();
        scripts.push_back({});
      }
      // What does not come to its end one way does not come to it another.
      for (std::size_t i = script.size(); i < taken.size() && !m.tooLarge() && !restarts; ++i)
        for (unsigned way = 1; way < taken[i].ways; ++way) {
          std::vector<unsigned> next;
          for (std::size_t k = 0; k < i; ++k)
            next.push_back(taken[k].way);
          next.push_back(way);
          scripts.push_back(std::move(next));
        }
      if ((m.tooLarge() || errors) && !complained) {
        complained = true;
        notUnderstood.push_back({sourceLocation(ast, f.getLocation(), name),
                                 m.tooLarge() ? "'" + name + "' does too much to be followed to its end"
                                              : "'" + name + "' holds code that does not compile"});
      }
      if (!log.builds())
        continue;
      log.emit();
      made.push_back(addFunction(name, log.graph(), taken));
      if (!taken.empty() && isFailure(result, f))
        model[made.back()].failed = true;
      missed = missed || ways.tooMany();
    }
    if (missed || !scripts.empty())
      for (FunctionId id : made)
        model[id].otherWays = true;
  }

  FunctionId addFunction(const std::string &name, GraphId body, const std::vector<Decision> &taken) {
    Function function;
    function.name = model.strings.intern(name);
    function.body = body;
    for (const Decision &d : taken)
      function.choices.push_back({d.place, d.way, d.fromOutside});
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
  unsigned firstBudget = allSteps;
  unsigned otherBudget = otherSteps;
  unsigned lastSteps = 0;
};

} // namespace

std::optional<Model> readNetworks(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options,
                                  std::vector<NotUnderstood> &notUnderstood) {
  return NetworkReader(ast, pp, options, notUnderstood).read();
}

} // namespace condlint::cxx

//===- State.h - What the machine knows where it is -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known where the interpreter is: what objects hold, which functions run, which
// conditions decide that this runs; and what it has met so far. What a fork leaves is taken
// back and joined (Store.h); all else only grows.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_STATE_H
#define CONDLINT_CXX_INTERP_MACHINE_STATE_H

#include "../values/Store.h"
#include "AskedContainers.h"
#include "AskedTexts.h"
#include "Domain.h"
#include "Objects.h"
#include "PathCondition.h"
#include "WritersElsewhere.h"
#include <algorithm>
#include <clang/AST/ExprCXX.h>
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <map>
#include <memory>

namespace condlint::cxx {

/// A call of a function that runs.
struct Frame {
  const clang::FunctionDecl *function = nullptr;
  const clang::Expr *site = nullptr; ///< the call; null for a root and a region's function
  const clang::Expr *call = nullptr; ///< the call that is being made in it
  std::optional<Pointer> self;       ///< `this`
  /// By variable: where it lies. References lie where what they name lies.
  llvm::DenseMap<const clang::ValueDecl *, Pointer> variables;
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures; ///< in a lambda, by what is captured
  std::optional<Pointer> closure;
  clang::FieldDecl *capturedThis = nullptr;
  unsigned region = 0;
};

/// A path that was left for further out, and what was asked on it: what follows runs only where not all of that holds.
struct LeftPath {
  const void *to = nullptr;         ///< the jump that it took; null: it ended, in an exception or a failed check
  std::shared_ptr<const Test> test; ///< what held on it, as far as it is kept
  bool isKept = true;               ///< that is all of it
  std::vector<const clang::Stmt *> asked = {}; ///< the conditions, the innermost first
};

class State {
public:
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  clang::ASTContext &ast() const { return context; }
  DimTable &dims() { return dimTable; }
  /// The numbers from outside among the symbols of \ref dims.
  SignedNumbers &signedNumbers() { return fromOutside; }
  /// What is asked of texts from outside, among the same.
  AskedTexts &askedTexts() { return ofTexts; }
  /// What is asked of containers from outside, among the same.
  AskedContainers &askedContainers() { return ofContainers; }
  /// The call expressions that were met while running, so that what was never reached can be found.
  const llvm::DenseSet<const clang::Expr *> &reached() const { return reachedCalls; }
  /// The functions whose bodies were run.
  const llvm::DenseSet<const clang::FunctionDecl *> &entered() const { return enteredFunctions; }
  /// The current join is of what stood somewhere and what may have been stored there: no path
  /// need lead to either.
  bool joinsWeakly() const { return isWeak; }
  const SymbolInfo &symbol(SymbolId s) const { return symbols[s.index()]; }
  const Object &object(ObjectId o) const { return objects[o.index()]; }
  const Value &objectValue(ObjectId o) const { return memory.get(o); }
  /// Changes what is known of an object; no write of the program.
  void setObject(ObjectId o, Value v) { memory.set(o, std::move(v)); }
  bool isOuter(ObjectId o) const { return objects[o.index()].region < regionDepth; }
  unsigned region() const { return regionDepth; }
  /// Where what is being joined meets.
  const JoinPoint &joinPoint() const { return met; }
  /// The path that leads to the first of the two that are being joined, or to the second, may never be taken.
  bool joinsInDoubt(bool second) const { return metInDoubt[second ? 1 : 0]; }
  /// The conditions that decide what runs now.
  const PathCondition &pathCondition() const { return conditions; }
  Store &store() { return memory; }
  bool dead() const { return isDead; } ///< no execution comes here
  /// Objects made before are outer ones from here on: using them is told to the domain.
  void enterRegion() {
    if (regionDepth++ == 0)
      repeatedSteps = 0;
  }
  void leaveRegion() {
    if (--regionDepth == 0)
      repeatedSteps = 0;
  }
  /// The program ends here: a check failed, an exception was thrown.
  void fail() {
    endPath();
    raised = nullptr;
    ++failures;
  }
  /// Nothing comes after.
  void endPath() {
    if (!isDead)
      leftPaths.push_back({});
    isDead = true;
  }
  /// The paths that were left and that nobody has met again, and the conditions so far.
  struct Left {
    std::size_t paths, conditions;
  };
  Left leftSoFar() const { return {leftPaths.size(), conditions.size()}; }
  /// Forgets those behind \p before: what comes after runs whether they were left or not.
  void forgetLeft(Left before) {
    leftPaths.resize(std::min(before.paths, leftPaths.size()));
    conditions.resize(std::min(before.conditions, conditions.size()));
  }
  void revive() { isDead = false; } ///< for who runs something whose paths all end, and goes on
  bool scouting() const { return scoutDepth != 0; }
  /// Code that is not seen may change what lies at \p o while it runs.
  bool isSeenElsewhere(ObjectId o) const { return isReachable(objects[o.index()]) || escaped.contains(o.index()); }
  /// How often code has run that is not seen.
  unsigned unseen() const { return unseenCalls; }
  /// A number for the current stretch of code: what runs under the same number runs
  /// equally often, but for early exits. Each path of a fork has one of its own.
  std::uint32_t path() const {
    asksPath = true;
    return pathNumber;
  }
  /// What runs now stands for any trip of a loop.
  bool inAnyTrip() const { return anyTrips != 0; }
  /// The current loop that is run for some trips, since nobody knows how many it makes
  /// (`Domain::trips`), by a number; 0: none.
  std::uint32_t assumedLoop() const { return assumedNumber; }
  const std::vector<std::unique_ptr<Frame>> &frames() const { return stack; }
  Domain &domain() { return dom; }
  /// How many pieces of code that do not compile were met.
  std::size_t damage() const { return damaged; }
  /// The `new` or `malloc` that made \p o; null for other objects.
  const clang::Expr *allocation(ObjectId o) const { return allocations.lookup(o.index()); }
  /// How many bodies were run of which the AST may lack a part.
  std::size_t gaps() const { return gapCount; }
  /// True when the last run hit a limit; what it says is incomplete.
  bool tooLarge() const { return exhausted; }
  /// Some code was not run, or not to its end, since a limit was met: what it calls was not run for it.
  bool hasLeftOut() const { return leftOut || exhausted; }
  void noteLeftOut() { leftOut = true; }
  unsigned stepsUsed() const { return limits.steps - stepsLeft; }
  ReasonId reason(std::string_view text);
  std::string_view reasonText(ReasonId r) const;

protected:
  State(clang::ASTContext &ast, Domain &domain, DimTable &dims, const Limits &bounds)
      : context(ast), dom(domain), dimTable(dims), limits(bounds), conditions(ast, domain) {}
  ~State() = default;

  /// Takes one of the steps that are left; false where there is none.
  bool step();
  /// Undoes what is remembered of values that were looked into while scouting.
  void forgetScouted();
  /// Code that is not seen can get at \p o without being given it.
  static bool isReachable(const Object &o);

  clang::ASTContext &context;
  Domain &dom;
  DimTable &dimTable;
  SignedNumbers fromOutside;
  AskedTexts ofTexts;
  AskedContainers ofContainers;
  Limits limits;
  Store memory;
  std::vector<Object> objects;
  std::vector<SymbolInfo> symbols;
  std::map<std::pair<std::uint32_t, std::string>, Value> symbolParts;
  std::map<std::uint32_t, ObjectId> symbolPointees;
  std::map<std::string, std::int64_t> unknownIndexes;     ///< by what tells the index from others
  std::vector<std::shared_ptr<const Datum>> askedSources; ///< of numbers that were indexes: their positions tell them
  std::int64_t lastUnknownIndex = Step::anyIndex;
  /// What was looked into since scouting began: to be looked into again.
  std::vector<std::pair<std::uint32_t, std::string>> newParts;
  std::vector<std::uint32_t> newPointees;
  std::vector<const clang::VarDecl *> newGlobals;
  std::vector<Place> lostPlaces; ///< where pointers led to of which nobody knows any more where they lead to
  unsigned timeless = 0;         ///< objects made now were there all along
  /// By field of a closure that was made in a region: the outer variable that it is a copy of.
  llvm::DenseMap<const clang::FieldDecl *, Place> copies;
  llvm::DenseMap<const clang::VarDecl *, Pointer> globals;
  llvm::DenseMap<const clang::NamedDecl *, std::unique_ptr<std::string>> names;
  std::function<bool(const clang::FunctionDecl &)> ownCode;
  std::vector<std::string> reasons;
  llvm::StringMap<ReasonId> reasonIndex;
  std::vector<std::unique_ptr<Frame>> stack;
  llvm::DenseSet<const clang::Expr *> reachedCalls;
  llvm::DenseSet<const clang::FunctionDecl *> enteredFunctions;
  unsigned reentered = 0;
  unsigned repeating = 0;        ///< calls around of functions that were run before
  unsigned repeatedSteps = 0;    ///< since the outermost region was entered or left
  mutable bool asksPath = false; ///< somebody wanted to know on which path it is
  /// By method and class: see \ref onlyOverrider.
  llvm::DenseMap<std::pair<const clang::CXXMethodDecl *, const clang::CXXRecordDecl *>, const clang::CXXMethodDecl *>
      overriders;
  std::uint64_t tripsAround = 1; ///< how often the loops around go round, all together
  unsigned regionDepth = 0;
  unsigned nestingDepth = 0;
  unsigned scoutDepth = 0;
  std::uint32_t pathNumber = 0;
  std::uint32_t lastPath = 0;
  std::vector<ObjectId> reachable;       ///< what code that is not seen can get at, without being given it
  llvm::DenseSet<std::uint32_t> escaped; ///< of that what it was given once
  unsigned unseenCalls = 0;
  unsigned anyTrips = 0; ///< loops around that are not followed trip by trip
  std::uint32_t assumedNumber = 0;
  std::uint32_t lastAssumed = 0;
  unsigned stepsLeft = 0;
  std::size_t failures = 0;
  std::vector<LeftPath> leftPaths; ///< in the order in which they were left
  std::size_t openForks = 0;       ///< places met where what is not determined says which path is taken
  JoinPoint met;                   ///< where the paths that are joined meet
  bool metInDoubt[2] = {false, false};
  PathCondition conditions;
  WritersElsewhere writersElsewhere;
  std::size_t damaged = 0;
  std::size_t gapCount = 0;
  bool isWeak = false;
  bool hasViews = false; ///< a value was made that is a view of another one (`Viewed`)
  bool isFirstTrip = false;
  std::function<bool(const clang::FunctionDecl &)> isBroken;
  llvm::DenseMap<std::uint32_t, const clang::Expr *> allocations;
  bool isDead = false;
  const clang::CXXThrowExpr *raised = nullptr; ///< where it is dead: what did it, if an exception did
  Value thrown;                                ///< and what that was
  bool exhausted = false;
  bool leftOut = false;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_STATE_H

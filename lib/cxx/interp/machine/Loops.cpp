//===- Loops.cpp - Loops --------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose condition is known on every trip is followed trip by trip. Any
// other is run twice: once only to learn what a trip writes, and, with all of
// that unknown, once for what it does.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "AssumedTrips.h"
#include "Jumps.h"
#include "Lifetimes.h"
#include "LoopHead.h"
#include "LoopWays.h"
#include "Names.h"
#include "Relations.h"
#include "Statements.h"
#include "StmtWalk.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <limits>
#include <llvm/Support/SaveAndRestore.h>
#include <utility>

namespace condlint::cxx {

namespace {

/// The trips of `for (i = known; i < known; ++i)` and its kin, if the condition
/// compares a number that the increment steps with one that stays.
std::optional<std::uint64_t> tripsBetween(const Number *a, const Number *b) {
  if (!a || !b || !a->known || !b->known || a->kind == Number::Kind::Floating || b->kind == Number::Kind::Floating)
    return std::nullopt;
  std::int64_t trips = 0;
  if (__builtin_sub_overflow(b->integer, a->integer, &trips))
    return std::numeric_limits<std::uint64_t>::max();
  return trips < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(trips) : static_cast<std::uint64_t>(trips);
}

/// The trips of a loop of which its \p condition and \p increment say it.
std::optional<std::uint64_t> tripsAhead(Machine &m, const clang::Expr *condition, const clang::Expr *increment) {
  const auto *c =
      condition && increment ? llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  if (!c || !c->isRelationalOp() || c->getLHS()->HasSideEffects(m.ast()) || c->getRHS()->HasSideEffects(m.ast()))
    return std::nullopt;
  const Value a = m.eval(c->getLHS());
  const Value b = m.eval(c->getRHS());
  return llvm::isa<clang::UnaryOperator>(increment->IgnoreParens()) ? tripsBetween(a.number(), b.number())
                                                                    : std::nullopt;
}

} // namespace

void Machine::Loops::markCounters(Store::Mark since) {
  // A loop counter differs from trip to trip, though each trip knows it.
  for (auto &[object, value] : m.memory.changes(since))
    if (const Number *n = value.number(); n && n->known && n->provenance < Provenance::Varies) {
      Number counter = *n;
      counter.provenance = Provenance::Varies;
      m.memory.set(object, counter);
    }
}

bool Machine::Loops::isLong(std::uint64_t trips) const {
  return trips > m.limits.unroll || (trips > 1 && trips * m.tripsAround > m.limits.nested);
}

void Machine::Loops::runLoopOnce(const LoopParts &p) {
  const MarkScope scope(m.memory);
  const std::size_t decided = m.conditions.size();
  Jump again = m.jumps->here();
  Jump *const outer = m.jumps->continues;
  m.jumps->continues = &again;
  const Store::Mark before = m.memory.mark();
  Statements(m).run(p.item);
  Statements(m).run(p.body);
  m.jumps->continues = outer;
  m.jumps->land(again);
  m.jumps->settle(before, decided);
  m.conditions.resize(decided);
}

void Machine::Loops::beginCounting(const clang::Expr &increment, AssumedTrips &assumed) {
  const auto *step = llvm::dyn_cast<clang::UnaryOperator>(increment.IgnoreParens());
  const auto *ref = step ? llvm::dyn_cast<clang::DeclRefExpr>(step->getSubExpr()->IgnoreParens()) : nullptr;
  if (!ref)
    return;
  const Store::Mark before = m.memory.mark();
  const Pointer counter = m.lvalue(ref);
  if (const Place *only = counter.only(); only && only->object && only->path.empty()) {
    m.memory.set(only->object, Value(m.memory.get(only->object)));
    assumed.countWith(only->object);
  }
  markCounters(before);
}

bool Machine::Loops::followTrips(const LoopParts &p, AssumedTrips &assumed, bool &determinedTrips) {
  for (unsigned trip = 0; trip <= m.limits.unroll; ++trip) {
    const std::size_t alive = m.lifetimes->living.size();
    if (trip != 0 || !p.bodyFirst) {
      const Value condition = Statements(m).conditionOf(p.conditionVariable, p.condition);
      if (m.isDead)
        return true;
      determinedTrips = determinedTrips && m.isDetermined(condition);
      m.openForks += determinedTrips ? 0 : 1;
      const std::optional<bool> goes =
          m.way ? m.way->goesOn(m, *p.loop, condition, testOf(m, condition, p.condition).get())
                : assumed.goesOn(condition);
      if (!goes) // Evaluated once more, for a trip of which nothing is known.
        return false;
      if (!*goes)
        return true;
    }
    if (trip == 0 && p.increment)
      beginCounting(*p.increment, assumed);
    runLoopOnce(p);
    if (m.isDead)
      return true;
    if (p.increment) {
      const Store::Mark before = m.memory.mark();
      Statements(m).run(p.increment);
      markCounters(before);
    }
    m.lifetimes->leaveScope(alive);
    assumed.endTrip();
  }
  return false;
}

void Machine::Loops::runAnyTrip(const LoopParts &p) {
  const std::size_t alive = m.lifetimes->living.size(), decided = m.conditions.size();
  if (p.condition) {
    const auto test = testOf(m, Statements(m).conditionOf(p.conditionVariable, p.condition), p.condition);
    // Its first trip knows more of what the loop changes.
    if (m.conditions.asksAgain(p.condition) && !(test && test->isKept() && m.dom.admits(*test, true)))
      m.dom.beginDoubt(m, m.jumps->doubted = p.loop);
    m.conditions.add(p.condition, test.get(), p.loop);
    if (test && !m.isDead)
      test->assume(m, true);
  }
  runLoopOnce(p);
  if (p.increment)
    Statements(m).run(p.increment);
  m.conditions.resize(decided);
  m.lifetimes->leaveScope(alive);
}

/// A path may leave \p loop for further out.
static bool isLeftForGood(const clang::Stmt &loop) {
  return findStatement(&loop, [](const clang::Stmt &s) {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(&s);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::CXXThrowExpr>(s) || (callee && callee->isNoReturn())
               ? Walk::Found
           : llvm::isa<clang::LambdaExpr>(s) ? Walk::Past
                                             : Walk::On;
  });
}

void Machine::Loops::leave(const clang::Stmt &loop, std::size_t leftPaths) {
  m.jumps->leftIn(leftPaths, &loop); // on one of its trips, if it makes any
  const bool mayBeLeft = !m.isDead && isLeftForGood(loop);
  // That none of its trips left for good hangs on all that it asks.
  if (mayBeLeft && m.conditions.isUnsure(m.dom, &loop, nullptr, false))
    m.dom.beginDoubt(m, m.jumps->doubted = &loop);
  m.jumps->assumeNotLeft(leftPaths);
  if (mayBeLeft)
    m.conditions.add(&loop);
}

/// The condition of the one `break` of a \p body, `if (condition) break;`, which holds behind a loop that nothing else
/// leaves; null where there are others, or where it asks for what the body declares or changes what it asks for.
static const clang::Expr *onlyBreak(const clang::ASTContext &ast, const clang::Stmt *body) {
  const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  if (!block)
    return nullptr;
  const clang::Expr *found = nullptr;
  for (const clang::Stmt *s : block->body()) {
    const auto *decided = llvm::dyn_cast<clang::IfStmt>(s);
    const clang::Stmt *then = decided && !decided->getElse() && !decided->getInit() && !decided->getConditionVariable()
                                  ? decided->getThen()
                                  : nullptr;
    if (const auto *inner = llvm::dyn_cast_or_null<clang::CompoundStmt>(then); inner && inner->size() == 1)
      then = inner->body_front();
    if (llvm::isa_and_nonnull<clang::BreakStmt>(then) && !found)
      found = decided->getCond();
  }
  if (!found || found->HasSideEffects(ast))
    return nullptr;
  unsigned breaks = 0;
  llvm::DenseSet<const clang::ValueDecl *> declared;
  forEachStatement(body, [&](const clang::Stmt &s) {
    if (llvm::isa<clang::BreakStmt, clang::GotoStmt>(s))
      ++breaks;
    if (const auto *d = llvm::dyn_cast<clang::DeclStmt>(&s))
      for (const clang::Decl *one : d->decls())
        if (const auto *v = llvm::dyn_cast<clang::ValueDecl>(one))
          declared.insert(v);
  });
  bool isInner = breaks != 1;
  forEachStatement(found, [&](const clang::Stmt &s) {
    const auto *e = llvm::dyn_cast<clang::DeclRefExpr>(&s);
    isInner = isInner || (e && (declared.contains(e->getDecl()) || llvm::isa<clang::BindingDecl>(e->getDecl())));
  });
  return isInner ? nullptr : found;
}

/// The loop \p condition always holds.
static bool isEndless(const clang::ASTContext &ast, const clang::Expr *condition) {
  bool truth = true;
  return !condition || (!condition->isValueDependent() && condition->EvaluateAsBooleanCondition(truth, ast) && truth);
}

/// Which path the \p condition of a loop takes for certain.
static std::optional<bool> certainTruth(Machine &m, const Value &condition) {
  const Number *n = condition.number();
  const auto truth = n ? truthIn(m, *n) : std::nullopt;
  return truth || !n || !n->test || m.assumedLoop() != 0 ? truth : n->test->decided(m);
}

/// The loop was left because its condition \p e is \p truth, which holds from here on.
static void leftBecause(Machine &m, const Value &condition, const clang::Expr *e, bool truth) {
  if (m.dead() || certainTruth(m, condition))
    return;
  if (const auto test = testOf(m, condition, e))
    test->assume(m, truth);
}

void Machine::Loops::runLoop(const LoopParts &p) {
  if (m.isDead)
    return;
  const MarkScope scope(m.memory);
  Jump leave = m.jumps->here();
  Jump *const outerBreaks = std::exchange(m.jumps->breaks, &leave);
  // Long ones are not begun: what 64 trips do is no better known than what one does.
  const auto trips = p.conditionVariable ? std::nullopt : tripsAhead(m, p.condition, p.increment);
  const bool isTooLong = trips && isLong(*trips);
  bool begins = false; // the first trip is made
  if (isTooLong) {
    const Value condition = Statements(m).conditionOf(nullptr, p.condition);
    begins = p.bodyFirst || (condition.number() && condition.number()->truth().value_or(false));
  }
  const std::uint64_t outside = m.tripsAround;
  if (!isTooLong)
    m.tripsAround *= std::max<std::uint64_t>(trips.value_or(1), 1);
  bool determinedTrips = true;
  AssumedTrips assumed(m, *p.loop);
  const bool finished = !isTooLong && followTrips(p, assumed, determinedTrips);
  if (!m.isDead)
    assumed.end();
  m.tripsAround = outside;
  if (!finished && !m.isDead) {
    m.summariseLoop([&] { runAnyTrip(p); }, {p.loop, p.condition, determinedTrips, begins});
    // It came to its end by its condition, which does not hold from here on.
    const std::size_t alive = m.lifetimes->living.size();
    const Value condition = m.isDead ? Value() : Statements(m).conditionOf(p.conditionVariable, p.condition);
    if (certainTruth(m, condition).value_or(false))
      m.isDead = true; // only a break leaves it
    else
      leftBecause(m, condition, p.condition, false);
    m.lifetimes->leaveScope(alive);
  }
  m.jumps->breaks = outerBreaks;
  m.jumps->land(leave);
  if (m.isDead || finished || p.item || !isEndless(m.context, p.condition))
    return;
  if (const clang::Expr *left = onlyBreak(m.context, p.body))
    leftBecause(m, m.eval(left), left, true);
}

void Machine::Loops::runFirstTrip(const std::function<void()> &trip, const Delta &written) {
  if (!m.dom.followsFirstTrip() || m.scoutDepth != 0 || m.isFirstTrip || m.exhausted)
    return;
  // Numbers count, and are no better known there than after it.
  if (std::ranges::none_of(written, [&](const auto &entry) {
        const Value &old = m.memory.get(entry.first);
        return !old.isAbsent() && !old.same(entry.second) && (old.handle() || old.list() || old.record());
      }))
    return;
  const MarkScope scope(m.memory);
  const Store::Mark before = m.memory.mark();
  const std::uint32_t path = std::exchange(m.pathNumber, ++m.lastPath); // there may be none
  m.isFirstTrip = true;
  trip();
  m.isFirstTrip = false;
  m.pathNumber = path;
  m.memory.undo(before);
  m.isDead = false;
}

void Machine::summariseLoop(const std::function<void()> &once, const LoopFacts &loop) {
  if (isDead)
    return;
  if (way) { // it makes so many trips and no other
    way->lose();
    return once();
  }
  const llvm::SaveAndRestore any(anyTrips, anyTrips + 1);
  const bool determinedTrips = loop.determinedTrips;
  bool inDoubt[2] = {false, false}; // whether there is a trip that comes to its end
  const std::function<void()> trip = [&] {
    const std::size_t doubts = dom.doubts();
    once();
    inDoubt[0] = dom.doubts() > doubts;
    dom.endDoubts(doubts);
  };
  LoopHead head(*this, trip, determinedTrips);
  head.scout();
  Loops(*this).runFirstTrip(trip, head.written());
  head.reachFixpoint();
  // Where nothing is known at the head of a trip, it may use what the one before left there.
  std::vector<ObjectId> forgotten;
  for (const auto &[object, value] : head.written())
    if (const Value &held = memory.get(object); dom.keepsPlaces() && (held.unknown() || held.list()))
      forgotten.push_back(object);
  const auto wholeTrip = [&] {
    trip();
    for (const ObjectId o : isDead ? std::vector<ObjectId>() : forgotten)
      dom.onLost(*this, memory.get(o), nullptr);
  };
  const Store::Mark before = memory.mark();
  if (loop.begins) {
    const llvm::SaveAndRestore path(pathNumber, ++lastPath); // it is run more often than what is around
    wholeTrip();
    if (inDoubt[0] && !isDead) // of a trip that is made it is not known whether it left
      dom.beginDoubt(*this, jumps->doubted = loop.loop);
  } else { // No trip at all, or some.
    JoinPoint where{determinedTrips, conditions.lastNumber() + 1, {}, {}};
    // Whoever asks for what a trip is decided by, or what is decided in it, may know whether there was one.
    for (const clang::Stmt *s : {static_cast<const clang::Stmt *>(loop.condition), loop.loop})
      if (s)
        where.take({false, 0, conditions.asked(s), {}});
    const std::size_t pathsBefore = leftPaths.size();
    fork(wholeTrip, [] {}, std::move(where), inDoubt);
    jumps->leftIn(pathsBefore, nullptr); // on some trip: what was asked on it then is not kept
  }
  if (isDead)
    return;
  // After several trips what the last one wrote is no better known.
  llvm::DenseSet<std::uint32_t> done;
  for (const auto &[object, value] : memory.changes(before)) {
    if (!done.insert(object.index()).second)
      continue;
    const Number *n = value.number();
    Value left = value;
    if (n && n->known)
      left = determinedTrips ? determined(Number::unknown(n->kind)) : Value(Number::unknown(n->kind));
    if (left = withNames(*this, std::move(left)); !left.same(value))
      memory.set(object, std::move(left));
  }
  for (const auto &[object, first] : head.counters())
    Loops(*this).keepCount(object, first);
}

void Machine::Loops::keepCount(ObjectId object, const Number &before) {
  const Number *now = m.memory.get(object).number();
  if (before.known && now && !now->known && m.conditions.relations().steps(m.objects[object.index()].decl) > 0)
    atLeast(m, *now, before.integer);
}

} // namespace condlint::cxx

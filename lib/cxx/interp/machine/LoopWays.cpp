//===- LoopWays.cpp - Ways that a loop may go -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopWays.h"
#include "Jumps.h"
#include "Trial.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/DeclCXX.h>
#include <deque>
#include <llvm/Support/SaveAndRestore.h>

namespace condlint::cxx {

constexpr unsigned mostWays = 48;        ///< that are gone of one loop
constexpr unsigned mostFarTrips = 12;    ///< of one that goes far
constexpr std::size_t mostChoices = 32;  ///< on one way
constexpr unsigned mostWaySteps = 4'000; ///< of one way
constexpr std::size_t mostAnswers = 10;  ///< that are turned

namespace {

/// A number that a loop leaves, and what one of its ways leaves there.
using Pair = std::pair<Number, std::optional<Number>>;

/// Adds to \p out the numbers in \p left that are not known, and what \p now has in their place.
void addNumbers(Machine &m, const Value &left, const Value *now, std::vector<Pair> &out, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  constexpr std::size_t most = 64;
  const auto addPart = [&](const Value &part, const Step &step, clang::QualType type) {
    const Value other = now ? m.part(*now, step, type) : Value();
    addNumbers(m, part, now ? &other : nullptr, out, depth + 1);
  };
  if (const Number *n = left.number()) {
    const Number *one = now ? now->number() : nullptr;
    const bool isSame = one && one->kind == n->kind && (one->known || !one->determined);
    if (!n->known && !n->determined && out.size() < most)
      out.emplace_back(*n, isSame ? std::optional(*one) : std::nullopt);
  } else if (const Record *r = left.record(); r && depth < deepest) {
    for (const auto &[field, value] : r->fields)
      addPart(value, Step::ofField(field), field->getType());
  } else if (const List *l = left.list(); l && l->sized && depth < deepest) {
    for (std::size_t i = 0; i < l->items.size() && out.size() < most; ++i)
      addPart(l->items[i], Step::ofIndex(static_cast<std::int64_t>(i)), {});
  } else if (const Optional *o = left.optional(); o && depth < deepest) {
    addNumbers(m, o->value, now && now->optional() ? &now->optional()->value : nullptr, out, depth + 1);
  }
}

} // namespace

bool Machine::Way::next() {
  if (made.size() >= mostChoices)
    lose();
  made.push_back(made.size() < given.size() ? given[made.size()] : far.value_or(false));
  return made.back();
}

bool Machine::Way::choose(Machine &m, const Value &condition, const clang::Stmt *asked, const Test *test) {
  if (m.isDetermined(condition))
    lose();
  // What is kept of one says nothing of another of which nothing is.
  const bool isKept = test && test->isKept();
  for (const auto &[other, wasKept] : decided)
    if (other != asked && (!isKept || !wasKept) && m.conditions.areRelated(other, asked))
      lose();
  if (decided.size() < mostChoices)
    decided.emplace_back(asked, isKept);
  if (isKept)
    return next();
  // Whether two of these hold together is not known, nor whether one is answered in the same way twice.
  if (!unkept) {
    unkept = asked;
    unkeptAnswer = next();
    if (m.conditions.isUnsure(m.dom, asked, test, unkeptAnswer))
      lose();
  }
  if (!asked || unkept != asked)
    lose();
  return unkeptAnswer;
}

bool Machine::Way::goesOn(Machine &m, const clang::Stmt &loop, const Value &condition, const Test *test) {
  if (isLost)
    return false;
  const auto known = condition.number() ? condition.number()->truth() : std::nullopt;
  if (const auto truth = known || !test ? known : test->decided(m))
    return *truth;
  if (m.isDetermined(condition) || !test || !test->isKept())
    lose();
  if (isLost)
    return false;
  bool more = false;
  if (!far) {
    more = next();
  } else if (outermost == &loop) {
    const MarkScope scope(m.memory);
    const Store::Mark here = m.memory.mark();
    test->assume(m, false);
    end();
    m.memory.undo(here);
    more = ++trips <= mostFarTrips;
  }
  test->assume(m, more);
  return more;
}

void Machine::either(const std::function<void()> &first, const std::function<void()> &second) {
  if (!way)
    fork(first, second);
  else if (way->next())
    second();
  else
    first();
}

bool Machine::Way::hasMore(Machine &m, const clang::Stmt &loop, const Value &count, std::int64_t i) {
  const Number *n = count.number();
  const auto test = n ? m.dom.comparison(m, clang::BO_GT, *n, Number::ofInteger(i)) : nullptr;
  Number more = n && n->known ? Number::boolean(n->integer > i) : Number::unknown(Number::Kind::Bool);
  more.determined = n && n->determined;
  return goesOn(m, loop, more, test.get());
}

void Machine::visitEach(const clang::Expr *site, const Value &count, const std::function<void(std::int64_t)> &once) {
  const auto visit = [&] {
    if (!way || !site)
      return summariseLoop([&] { once(-1); });
    for (std::int64_t i = 0; !isDead && way->hasMore(*this, *site, count, i); ++i)
      once(i);
  };
  site ? LoopWays(*this).run(*site, visit) : visit();
}

void Machine::LoopWays::go(const std::function<void()> &loop, Way &one) {
  const Trial trial(m);
  const llvm::SaveAndRestore gone(m.way, &one);
  const llvm::SaveAndRestore path(m.pathNumber, ++m.lastPath); // it may not be gone
  const llvm::SaveAndRestore forks(m.openForks);
  const llvm::SaveAndRestore steps(m.stepsLeft, std::min(m.stepsLeft, mostWaySteps));
  const llvm::SaveAndRestore failed(m.failures);
  const llvm::SaveAndRestore large(m.exhausted);
  const llvm::SaveAndRestore out(m.leftOut);
  const unsigned before = m.stepsLeft;
  const Jumps::Exits exits = m.jumps->exits();
  const std::size_t doubts = m.dom.doubts();
  loop();
  if (!m.isDead && !m.exhausted)
    one.end();
  m.waySteps += before - m.stepsLeft;
  m.dom.endDoubts(doubts);
  m.jumps->forgetBehind(exits);
  m.raised = nullptr;
  // A number that was looked into stays the same one, but for one of several.
  std::erase_if(m.newParts, [&](const auto &key) {
    const auto part = m.symbolParts.find(key);
    return part != m.symbolParts.end() && part->second.number() &&
           key.second.find(Step::anyElement) == std::string::npos && key.second.find("[-") == std::string::npos;
  });
}

bool Machine::LoopWays::isAffordable() const {
  return m.waySteps < m.limits.steps / 4 && m.objects.size() < m.limits.objects / 2;
}

std::vector<LoopEnd> Machine::LoopWays::tryOut(const clang::Stmt &stmt, const std::function<void()> &loop,
                                               const Delta &left) {
  std::vector<LoopEnd> ends;
  const std::function<void()> end = [&] {
    constexpr std::size_t most = 128;
    std::vector<Pair> numbers;
    for (const auto &[object, value] : left) {
      const Value now = m.memory.get(object);
      addNumbers(m, value, &now, numbers);
    }
    LoopEnd one{m.dom.whatHolds(m), {}};
    for (Pair &pair : numbers)
      one.left.push_back(std::move(pair.second));
    if (ends.size() < most)
      ends.push_back(std::move(one));
  };
  std::deque<std::vector<bool>> open{{}};
  for (unsigned i = 0; i < mostWays && !open.empty() && isAffordable(); ++i) {
    const std::size_t turned = open.front().size();
    Way one(std::move(open.front()), end);
    open.pop_front();
    go(loop, one);
    const std::vector<bool> &made = one.answers();
    for (std::size_t k = turned; k < std::min(made.size(), mostAnswers); ++k) {
      open.emplace_back(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(k));
      open.back().push_back(!made[k]);
    }
  }
  for (const bool answer : {true, false}) {
    Way one(stmt, answer, end);
    if (!ends.empty() && isAffordable())
      go(loop, one);
  }
  return ends;
}

void Machine::LoopWays::determineTexts(Store::Mark since) {
  for (const auto &[object, value] : m.memory.changes(since))
    if (const Object &o = m.objects[object.index()];
        value.unknown() && o.storage != Storage::External && !o.type.isNull() && isTextType(o.type))
      m.memory.set(object, m.determined(value));
}

void Machine::LoopWays::run(const clang::Stmt &stmt, const std::function<void()> &loop) {
  if (!m.dom.relatesAnswers() || m.way || m.isDead || m.exhausted)
    return loop();
  const MarkScope scope(m.memory);
  const Store::Mark start = m.memory.mark();
  const std::uint64_t named = m.dom.lastIdentified();
  loop();
  if (m.isDead || m.exhausted)
    return;
  determineTexts(start);
  if (m.scoutDepth != 0 || m.isFirstTrip)
    return;
  const Delta changes = m.memory.changes(start);
  m.memory.undo(start);
  Delta left;
  std::vector<Pair> numbers;
  for (const auto &[object, value] : changes) {
    const std::size_t before = numbers.size();
    if (!m.memory.get(object).isAbsent()) // it was there before the loop
      addNumbers(m, value, nullptr, numbers);
    if (numbers.size() != before)
      left.emplace_back(object, value);
  }
  std::vector<LoopEnd> ends;
  if (!numbers.empty())
    ends = tryOut(stmt, loop, left);
  m.memory.apply(changes);
  if (numbers.empty())
    return;
  std::vector<Number> all;
  for (Pair &pair : numbers)
    all.push_back(std::move(pair.first));
  m.dom.onLoopLeft(m, all, std::move(ends), named);
}

} // namespace condlint::cxx

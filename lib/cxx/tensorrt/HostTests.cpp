//===- HostTests.cpp - What conditions ask of numbers of the host ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTests.h"
#include "../interp/values/Tests.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace condlint::cxx {

//===----------------------------------------------------------------------===//
// What numbers may be
//===----------------------------------------------------------------------===//

void HostNumbers::clear() {
  values.clear();
  onPaths.clear();
}

const PossibleValues *HostNumbers::find(const Machine &m, std::uint32_t symbol) const {
  if (const auto here = m.path() == 0 ? onPaths.end() : onPaths.find({m.path(), symbol}); here != onPaths.end())
    return &here->second;
  const auto known = values.find(symbol);
  return known == values.end() ? nullptr : &known->second;
}

void HostNumbers::restrict(const Machine &m, std::uint32_t symbol, clang::BinaryOperatorKind opcode,
                           std::int64_t constant) {
  if (m.path() == 0) {
    if (!m.scouting())
      values[symbol].restrict(opcode, constant);
    return;
  }
  const PossibleValues *known = find(m, symbol);
  PossibleValues here = known ? *known : PossibleValues();
  here.restrict(opcode, constant);
  onPaths.insert_or_assign({m.path(), symbol}, std::move(here));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

void HostTest::assume(Machine &m, bool truth) const {
  numbers.restrict(m, symbol, truth ? opcode : clang::BinaryOperator::negateComparisonOp(opcode), constant);
}

std::optional<bool> HostTest::decided(Machine &m) const {
  const PossibleValues *known = numbers.find(m, symbol);
  return known ? known->holds(opcode, constant) : std::nullopt;
}

void HostTest::restrict(PossibleValues &values, bool holds) const {
  values.restrict(holds ? opcode : clang::BinaryOperator::negateComparisonOp(opcode), constant);
}

namespace {

/// `a < b`, `a <= b` of two numbers.
class OrderTest : public Test {
public:
  OrderTest(HostNumbers &all, const HostSymbol &a, clang::BinaryOperatorKind op, const HostSymbol &b)
      : numbers(all), left(a.number), right(b.number), made(a.made || b.made), opcode(op) {}
  void assume(Machine &m, bool truth) const override {
    const clang::BinaryOperatorKind op = truth ? opcode : clang::BinaryOperator::negateComparisonOp(opcode);
    restrict(m, left, op, right);
    restrict(m, right, mirrored(op), left);
  }
  std::optional<bool> decided(Machine &m) const override {
    // It holds for all where it does for those that lie nearest to each other.
    for (const bool truth : {true, false}) {
      const clang::BinaryOperatorKind op = truth ? opcode : clang::BinaryOperator::negateComparisonOp(opcode);
      const bool isBelow = op == clang::BO_LT || op == clang::BO_LE;
      const PossibleValues *a = numbers.find(m, left), *b = numbers.find(m, right);
      const auto end = b ? (isBelow ? b->lowest() : b->highest()) : std::nullopt;
      if (a && end && a->holds(op, *end).value_or(false))
        return truth;
    }
    return std::nullopt;
  }
  std::uint32_t first() const { return left; }
  std::uint32_t second() const { return right; }
  bool comparesMade() const { return made; }
  clang::BinaryOperatorKind comparison() const { return opcode; }

private:
  /// \p what \p op \p other holds: the first lies beyond all that is on the near side of the second.
  void restrict(Machine &m, std::uint32_t what, clang::BinaryOperatorKind op, std::uint32_t other) const {
    const PossibleValues *known = numbers.find(m, other);
    const bool isBelow = op == clang::BO_LT || op == clang::BO_LE;
    if (const auto end = known ? (isBelow ? known->highest() : known->lowest()) : std::nullopt)
      numbers.restrict(m, what, op, *end);
  }

  HostNumbers &numbers;
  std::uint32_t left, right;
  bool made;
  clang::BinaryOperatorKind opcode;
};

class AlikeTest : public Test {
public:
  AlikeTest(std::shared_ptr<const Test> a, std::shared_ptr<const Test> b) : first(std::move(a)), second(std::move(b)) {}
  bool isGiven() const override { return first->isGiven() && second->isGiven(); }
  void assume(Machine &m, bool truth) const override {
    if (const auto known = first->decided(m))
      second->assume(m, *known == truth);
    else if (const auto other = second->decided(m))
      first->assume(m, *other == truth);
  }
  std::optional<bool> decided(Machine &m) const override {
    const auto a = first->decided(m), b = second->decided(m);
    return a && b ? std::optional(*a == *b) : std::nullopt;
  }
  const Test &left() const { return *first; }
  const Test &right() const { return *second; }

private:
  std::shared_ptr<const Test> first, second;
};

/// Calls \p each with the tests that \p t is made of, those of no others.
void forEachPart(const Test *t, const std::function<void(const Test *)> &each) {
  if (const auto *no = dynamic_cast<const NotTest *>(t)) {
    forEachPart(&no->denied(), each);
  } else if (const auto *both = dynamic_cast<const BothTest *>(t)) {
    forEachPart(both->left(), each);
    forEachPart(both->right(), each);
  } else if (const auto *same = dynamic_cast<const AlikeTest *>(t)) {
    forEachPart(&same->left(), each);
    forEachPart(&same->right(), each);
  } else {
    each(t);
  }
}

} // namespace

std::shared_ptr<const Test> orderOf(HostNumbers &numbers, const HostSymbol &a, clang::BinaryOperatorKind op,
                                    const HostSymbol &b) {
  if (!clang::BinaryOperator::isRelationalOp(op) || a.number == b.number)
    return nullptr;
  return std::make_shared<const OrderTest>(numbers, a, op, b);
}

/// Adds what \p t compares for being alike to \p all; false where an odd number of them is denied.
static bool addAlike(const std::shared_ptr<const Test> &t, std::vector<std::shared_ptr<const Test>> &all) {
  if (const auto *no = dynamic_cast<const NotTest *>(t.get()))
    return !addAlike({t, &no->denied()}, all);
  if (const auto *same = dynamic_cast<const AlikeTest *>(t.get())) {
    const bool left = addAlike({t, &same->left()}, all), right = addAlike({t, &same->right()}, all);
    return left == right;
  }
  const auto isSame = [&](const std::shared_ptr<const Test> &other) {
    const HostQuestion a = questionOf(t.get()), b = questionOf(other.get());
    return !a.words.empty() && a.words == b.words && a.truth == b.truth;
  };
  if (const auto twice = std::ranges::find_if(all, isSame); twice != all.end())
    all.erase(twice); // `f == f` holds
  else
    all.push_back(t);
  return true;
}

std::shared_ptr<const Test> alike(std::shared_ptr<const Test> a, std::shared_ptr<const Test> b) {
  std::vector<std::shared_ptr<const Test>> all;
  const bool truth = addAlike(a, all) == addAlike(b, all);
  if (all.empty()) // nothing is left to ask
    return std::make_shared<const AlikeTest>(std::move(a), std::move(b));
  std::shared_ptr<const Test> made = all.front();
  for (std::size_t i = 1; i < all.size(); ++i)
    made = std::make_shared<const AlikeTest>(std::move(made), all[i]);
  return truth ? made : negated(made);
}

//===----------------------------------------------------------------------===//
// What they ask
//===----------------------------------------------------------------------===//

HostQuestion questionOf(const Test *t) {
  HostQuestion q;
  // `>` and `>=` ask what `<=` and `<` deny.
  const auto spell = [&](clang::BinaryOperatorKind op, std::uint32_t number, const std::string &other) {
    q.truth = op != clang::BO_NE && op != clang::BO_GE && op != clang::BO_GT;
    const auto written = q.truth ? op : clang::BinaryOperator::negateComparisonOp(op);
    q.words = fmt::format("n{} {} {}", number, clang::BinaryOperator::getOpcodeStr(written).str(), other);
  };
  if (const auto *no = dynamic_cast<const NotTest *>(t)) {
    q = questionOf(&no->denied());
    q.truth = !q.truth;
  } else if (const auto *both = dynamic_cast<const BothTest *>(t)) {
    q = HostQuestion::all({questionOf(both->left()), questionOf(both->right())}, true);
  } else if (const auto *same = dynamic_cast<const AlikeTest *>(t)) {
    q = HostQuestion::areAlike(questionOf(&same->left()), questionOf(&same->right()), true);
  } else if (const auto *order = dynamic_cast<const OrderTest *>(t)) {
    spell(order->comparison(), order->first(), fmt::format("n{}", order->second()));
  } else if (const auto *number = dynamic_cast<const HostTest *>(t)) {
    spell(number->opcode, number->symbol, std::to_string(number->constant));
    q.subject = fmt::format("n{}", number->symbol);
    q.opcode = q.truth ? number->opcode : clang::BinaryOperator::negateComparisonOp(number->opcode);
    q.constant = number->constant;
  }
  return q;
}

bool asksOrder(const Test *t) {
  bool does = false;
  forEachPart(t, [&](const Test *part) { does = does || dynamic_cast<const OrderTest *>(part); });
  return does;
}

bool asksMade(const Test *t, bool orUnknown) {
  bool does = false;
  forEachPart(t, [&](const Test *part) {
    const auto *number = dynamic_cast<const HostTest *>(part);
    const auto *order = dynamic_cast<const OrderTest *>(part);
    does = does || (number && number->made) || (order && order->comparesMade()) || (!part && orUnknown);
  });
  return does;
}

bool asksOnly(const Test *t, const std::set<std::uint32_t> &numbers) {
  bool does = true;
  forEachPart(t, [&](const Test *part) {
    const auto *number = dynamic_cast<const HostTest *>(part);
    does = does && number && numbers.contains(number->symbol);
  });
  return does;
}

std::set<std::uint32_t> numbersOf(const Test *t) {
  std::set<std::uint32_t> all;
  bool isOthers = false;
  forEachPart(t, [&](const Test *part) {
    const auto *number = dynamic_cast<const HostTest *>(part);
    isOthers = isOthers || !number;
    if (number)
      all.insert(number->symbol);
  });
  return isOthers ? std::set<std::uint32_t>() : all;
}

std::vector<std::set<std::uint32_t>> numbersOfParts(const Test *t) {
  std::vector<std::set<std::uint32_t>> all;
  forEachPart(t, [&](const Test *part) { all.push_back(numbersOf(part)); });
  return all;
}

/// Comparisons of which one at least holds where \p t is \p truth; false where there are others too.
static bool addAlternatives(const Test *t, bool truth, std::vector<std::pair<const HostTest *, bool>> &out) {
  if (const auto *no = dynamic_cast<const NotTest *>(t))
    return addAlternatives(&no->denied(), !truth, out);
  if (const auto *both = dynamic_cast<const BothTest *>(t); both && !truth)
    return addAlternatives(both->left(), false, out) && addAlternatives(both->right(), false, out);
  const auto *number = dynamic_cast<const HostTest *>(t);
  if (number)
    out.emplace_back(number, truth);
  return number != nullptr;
}

/// The same where there are several, all about one number; else none.
static std::vector<std::pair<const HostTest *, bool>> alternativesOf(const Test *t, bool truth) {
  std::vector<std::pair<const HostTest *, bool>> either;
  const auto isOther = [&](const auto &one) { return one.first->symbol != either.front().first->symbol; };
  if (!t || !addAlternatives(t, truth, either) || either.size() < 2 || std::ranges::any_of(either, isOther))
    return {};
  return either;
}

void assumeEither(HostNumbers &numbers, const Test *t, bool truth) {
  const auto either = alternativesOf(t, truth);
  std::optional<PossibleValues> all;
  for (const auto &[test, holds] : either) {
    PossibleValues one = numbers.anywhere(test->symbol);
    test->restrict(one, holds);
    all = all ? all->hullWith(one) : one;
  }
  if (all)
    numbers.anywhere(either.front().first->symbol) = *all;
}

std::optional<bool> isEither(const HostNumbers &numbers, const Machine &m, const Test *t) {
  for (const bool truth : {true, false}) {
    const auto either = alternativesOf(t, truth);
    const PossibleValues *known = either.empty() ? nullptr : numbers.find(m, either.front().first->symbol);
    if (!known)
      continue;
    PossibleValues left = *known;
    for (const auto &[test, holds] : either)
      test->restrict(left, !holds);
    if (left.isNone())
      return truth;
  }
  return std::nullopt;
}

/// What numbers may be besides where \p t is \p truth, as far as it says so; false where one can be nothing then.
static bool mayBe(const HostNumbers &all, const Machine &m, const Test *t, bool truth,
                  std::map<std::uint32_t, PossibleValues> &numbers) {
  if (const auto *no = dynamic_cast<const NotTest *>(t))
    return mayBe(all, m, &no->denied(), !truth, numbers);
  if (const auto *both = dynamic_cast<const BothTest *>(t))
    return !truth || (mayBe(all, m, both->left(), true, numbers) && mayBe(all, m, both->right(), true, numbers));
  const auto *number = dynamic_cast<const HostTest *>(t);
  if (!number)
    return true;
  const PossibleValues *known = all.find(m, number->symbol);
  PossibleValues &values = numbers.try_emplace(number->symbol, known ? *known : PossibleValues()).first->second;
  number->restrict(values, truth);
  return !values.isNone();
}

std::optional<bool> isAlways(const HostNumbers &numbers, const Machine &m, const Test *t) {
  for (const bool truth : {true, false})
    if (std::map<std::uint32_t, PossibleValues> supposed; t && !mayBe(numbers, m, t, truth, supposed))
      return !truth;
  return std::nullopt;
}

} // namespace condlint::cxx

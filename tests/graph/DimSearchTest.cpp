//===- DimSearchTest.cpp - Sizes that conditions admit --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Dim.h"
#include "graph/DimRelation.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <gtest/gtest.h>
#include <random>

using namespace condlint;
using Outcome = DimComparison::Verdict;

namespace {

class DimSearch : public ::testing::Test {
protected:
  Dim n(std::int64_t v) { return d.constant(v); }
  Dim size(const std::string &name, std::int64_t least = 0) {
    return d.symbol(name, SymbolOrigin::Named, {least, std::numeric_limits<std::int64_t>::max()});
  }
  /// \p a is at least \p b.
  Dim atLeast(Dim a, Dim b) { return d.sub(a, b); }
  void equal(std::vector<Dim> &conditions, Dim a, Dim b) {
    conditions.push_back(d.sub(a, b));
    conditions.push_back(d.sub(b, a));
  }
  /// The two differ for sizes that \p conditions admit, and the witness is one.
  void expectRefuted(Dim a, Dim b, const std::vector<Dim> &conditions) {
    const DimComparison c = d.compare(a, b, conditions);
    ASSERT_EQ(c.result, Outcome::Refuted) << d.str(a) << " and " << d.str(b) << ": " << c.reason;
    ASSERT_FALSE(c.witness.empty());
    EXPECT_NE(c.witnessA, c.witnessB);
    EXPECT_EQ(d.evaluate(a, c.witness), c.witnessA);
    EXPECT_EQ(d.evaluate(b, c.witness), c.witnessB);
    for (const Dim e : conditions) // those about other sizes have no value there
      EXPECT_GE(d.evaluate(e, c.witness).value_or(0), 0) << d.str(e);
  }

  DimTable d;
};

} // namespace

TEST_F(DimSearch, ThreeToSixSizesUnderBounds) {
  for (std::size_t count = 3; count <= 6; ++count) {
    std::vector<Dim> conditions;
    Dim product = n(1);
    for (std::size_t i = 0; i < count; ++i) {
      const Dim s = size("s" + std::to_string(i));
      conditions.push_back(atLeast(s, n(40 + static_cast<std::int64_t>(i))));
      product = d.mul(product, s);
    }
    // A window that all of them play a part in.
    conditions.push_back(atLeast(product, n(100)));
    const Dim first = size("s0");
    expectRefuted(d.min(first, n(64)), first, conditions);
    // The same where nothing admits more than 64.
    conditions.push_back(atLeast(n(64), first));
    EXPECT_EQ(d.compare(d.min(first, n(64)), first, conditions).result, Outcome::Proved);
  }
}

TEST_F(DimSearch, AnEqualityLeavesOneValue) {
  const Dim h = size("h"), w = size("w"), c = size("c"), b = size("b");
  std::vector<Dim> conditions;
  equal(conditions, h, d.mul(n(2), w));
  equal(conditions, w, d.add(c, n(117)));
  equal(conditions, d.mul(b, c), n(391)); // 17 * 23
  expectRefuted(d.mul(h, b), d.mul(w, d.mul(c, n(3))), conditions);
  // It is what the other is.
  std::vector<Dim> same;
  equal(same, h, w);
  EXPECT_EQ(d.compare(h, w, same).result, Outcome::Proved);
}

TEST_F(DimSearch, AConvolutionsWindow) {
  // (h + 2*3 - 7)//2 + 1 >= 1 and the same of w; b*h*w >= 4096
  const Dim h = size("h"), w = size("w"), b = size("b");
  const auto out = [&](Dim s) { return d.add(d.floorDiv(d.sub(d.add(s, n(6)), n(7)), n(2)), n(1)); };
  const std::vector<Dim> conditions{atLeast(out(h), n(100)), atLeast(out(w), n(100)), atLeast(n(8), b)};
  expectRefuted(d.min(h, n(512)), h, conditions);
  expectRefuted(out(h), out(w), conditions);
}

TEST_F(DimSearch, MultiplesOfADivisor) {
  const Dim h = size("h"), w = size("w"), g = size("g");
  std::vector<Dim> conditions;
  equal(conditions, d.mod(h, n(56)), n(0));
  equal(conditions, d.mod(w, n(24)), n(0));
  conditions.push_back(atLeast(h, n(57)));
  conditions.push_back(atLeast(w, n(100)));
  conditions.push_back(atLeast(d.mul(h, w), d.mul(g, n(1000))));
  conditions.push_back(atLeast(g, n(2)));
  expectRefuted(d.floorDiv(h, n(7)), d.floorDiv(w, n(8)), conditions);
}

TEST_F(DimSearch, ChecksThatContradictEachOtherProveNothing) {
  const Dim h = size("h"), w = size("w"), k = size("k");
  const std::vector<Dim> conditions{atLeast(h, d.add(w, n(1))), atLeast(w, d.add(k, n(1))), atLeast(k, h)};
  const DimComparison c = d.compare(d.min(h, n(32)), h, conditions);
  EXPECT_NE(c.result, Outcome::Proved);
  EXPECT_TRUE(c.witness.empty());
  EXPECT_NE(c.reason, "");
}

TEST_F(DimSearch, SaysWhatStoodInTheWay) {
  const Dim h = size("h"), w = size("w"), k = size("k");
  const std::array arguments{h, w};
  const std::vector<Dim> conditions{atLeast(d.opaque("f", arguments), k)};
  EXPECT_EQ(d.compare(d.min(h, n(32)), h, conditions).reason,
            "a check of the sizes depends on a function whose values are not known");
  // Found where one of the two is negative alone.
  const Dim x = d.sub(h, n(5));
  const DimComparison c = d.compare(x, d.max(x, n(0)));
  ASSERT_EQ(c.result, Outcome::Refuted);
  EXPECT_EQ(c.reason, "they differ only where one of them is negative");
}

TEST_F(DimSearch, ValuesForConditions) {
  const Dim h = size("h"), w = size("w");
  const auto found = valuesFor(d, std::vector<Dim>{d.sub(isLess(d, n(100), h), n(1)), d.negate(isLess(d, h, w)),
                                                   d.sub(isEqual(d, d.mul(n(3), w), n(48)), n(1))});
  ASSERT_TRUE(found);
  EXPECT_GT(d.evaluate(h, *found), 100);
  EXPECT_EQ(d.evaluate(w, *found), 16);
  EXPECT_FALSE(valuesFor(d, std::vector<Dim>{d.sub(isLess(d, h, n(0)), n(1))})); // no size is negative
  const Dim any = d.symbol("any", SymbolOrigin::Unbacked, Interval());
  const auto below = valuesFor(d, std::vector<Dim>{d.sub(isLess(d, any, n(-7)), n(1))});
  ASSERT_TRUE(below);
  EXPECT_LT(d.evaluate(any, *below), -7);
}

TEST_F(DimSearch, EndsSoon) {
  // Sums of squares, which propagation does little about.
  std::vector<Dim> conditions;
  Dim sum = n(0), other = n(0);
  for (int i = 0; i < 12; ++i) {
    const Dim s = size("s" + std::to_string(i), 1);
    sum = d.add(sum, d.mul(s, d.mul(s, s)));
    other = d.add(other, d.mul(s, n(7 + i)));
  }
  equal(conditions, sum, d.add(d.mul(n(97), other), n(1234567)));
  const auto begin = std::chrono::steady_clock::now();
  const DimComparison c = d.compare(d.min(size("s0"), n(5)), size("s0"), conditions);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)); // sanitizers are slow
  EXPECT_NE(c.result, Outcome::Proved);
}

class DimSearchAgainstAll : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, DimSearchAgainstAll, ::testing::Range(0u, 8u));

/// What is said under random conditions is held against all values of four small symbols.
TEST_P(DimSearchAgainstAll, AgreesWithEveryValue) {
  std::mt19937 random(GetParam());
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  constexpr std::int64_t most = 7;
  std::size_t undecided = 0, decided = 0;
  for (int round = 0; round < 60; ++round) {
    DimTable d;
    std::vector<Dim> symbols;
    for (const char *name : {"a", "b", "c", "e"})
      symbols.push_back(d.symbol(name, SymbolOrigin::Declared, {0, most}));
    const auto linear = [&] {
      Dim sum = d.constant(pick(-6, 6));
      for (const Dim s : symbols)
        if (pick(0, 1) != 0)
          sum = d.add(sum, d.mul(d.constant(pick(-3, 3)), s));
      return sum;
    };
    const auto expression = [&] {
      const Dim x = linear(), y = linear();
      switch (pick(0, 5)) {
      case 0:
        return d.min(x, y);
      case 1:
        return d.max(x, y);
      case 2:
        return d.floorDiv(x, d.constant(pick(2, 5)));
      case 3:
        return d.mul(symbols[static_cast<std::size_t>(pick(0, 3))], symbols[static_cast<std::size_t>(pick(0, 3))]);
      case 4:
        return d.mod(x, d.constant(pick(2, 5)));
      default:
        return x;
      }
    };
    const Dim a = expression(), b = pick(0, 3) == 0 ? expression() : d.add(a, d.min(linear(), d.constant(0)));
    std::vector<Dim> conditions;
    for (int i = pick(1, 5); i > 0; --i)
      conditions.push_back(d.add(expression(), d.constant(pick(0, 8))));
    const DimComparison c = d.compare(a, b, conditions);
    std::size_t equal = 0, different = 0;
    for (std::int64_t i = 0; i <= most; ++i)
      for (std::int64_t j = 0; j <= most; ++j)
        for (std::int64_t k = 0; k <= most; ++k)
          for (std::int64_t l = 0; l <= most; ++l) {
            const Assignment at{{"a", i}, {"b", j}, {"c", k}, {"e", l}};
            if (std::ranges::any_of(conditions, [&](Dim e) { return d.evaluate(e, at).value_or(-1) < 0; }))
              continue;
            ++(d.evaluate(a, at) == d.evaluate(b, at) ? equal : different);
          }
    // Where nothing is admitted, by conditions on other sizes perhaps, there is nothing to say.
    if (equal + different == 0)
      continue;
    switch (c.result) {
    case Outcome::Proved:
      ++decided;
      EXPECT_EQ(different, 0u) << d.str(a) << " and " << d.str(b);
      break;
    case Outcome::Refuted:
      ++decided;
      EXPECT_EQ(c.always ? equal : 0, 0u) << d.str(a) << " and " << d.str(b);
      EXPECT_TRUE(c.always || different != 0) << d.str(a) << " and " << d.str(b);
      for (const Dim e : conditions) {
        const auto value = c.witness.empty() ? std::nullopt : d.evaluate(e, c.witness);
        EXPECT_GE(value.value_or(0), 0);
      }
      break;
    case Outcome::Unknown:
      ++undecided;
      EXPECT_NE(c.reason, "");
      break;
    }
  }
  EXPECT_LE(undecided, decided / 20) << decided;
}

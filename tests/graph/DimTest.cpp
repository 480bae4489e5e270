//===- DimTest.cpp - Canonical forms and proofs, one by one ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "condlint/Dim.h"
#include <gtest/gtest.h>

namespace condlint {
namespace {

constexpr std::int64_t infinity = std::numeric_limits<std::int64_t>::max();
using Verdict = DimComparison::Verdict;

struct DimTest : testing::Test {
  DimTable t;
  Dim c(std::int64_t v) { return t.constant(v); }
  Dim s(const char *name, std::int64_t min = 0, std::int64_t max = infinity,
        SymbolOrigin origin = SymbolOrigin::Declared) {
    return t.symbol(name, origin, {min, max});
  }
  std::string str(Dim d) { return t.str(d); }
};

TEST_F(DimTest, NumbersAreFoundAgain) {
  EXPECT_EQ(c(4), c(4));
  EXPECT_NE(c(4), c(5));
  for (const std::int64_t v : {-1'000'000'000'000ll, -17ll, -1ll, 0ll, 1ll, 1023ll, 1024ll, 99'999'999'999ll}) {
    EXPECT_EQ(t.asConstant(c(v)), v);
    EXPECT_TRUE(t.isConstant(c(v), v));
    EXPECT_EQ(str(c(v)), std::to_string(v));
  }
  EXPECT_EQ(t.asConstant(c(std::numeric_limits<std::int64_t>::min())), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(str(c(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  EXPECT_FALSE(t.asConstant(s("n")));
  EXPECT_FALSE(t.asConstant(Dim{}));
}

TEST_F(DimTest, UnknownStaysUnknown) {
  const Dim n = s("n"), u;
  EXPECT_FALSE(u.known());
  EXPECT_EQ(str(u), "?");
  for (const Dim d : {t.add(n, u), t.sub(u, n), t.mul(u, c(0)), t.negate(u), t.floorDiv(u, n), t.mod(n, u), t.min(n, u),
                      t.max(u, n), t.ceilDiv(u, c(2))})
    EXPECT_FALSE(d.known());
  const Dim args[] = {n, u};
  EXPECT_FALSE(t.opaque("f", args).known());
  EXPECT_EQ(t.compare(u, u).result, Verdict::Unknown);
  EXPECT_FALSE(t.compare(u, n).reason.empty());
}

TEST_F(DimTest, PolynomialsAreCanonical) {
  const Dim a = s("a"), b = s("b");
  EXPECT_EQ(t.add(a, b), t.add(b, a));
  EXPECT_EQ(t.mul(t.add(a, b), t.sub(a, b)), t.sub(t.mul(a, a), t.mul(b, b)));
  EXPECT_EQ(t.sub(t.add(a, c(3)), a), c(3));
  EXPECT_EQ(t.negate(t.negate(a)), a);
  EXPECT_EQ(t.mul(a, c(0)), c(0));
  EXPECT_EQ(str(t.add(t.mul(c(2), a), c(1))), "2*a + 1");
  EXPECT_EQ(str(t.sub(c(4), a)), "-a + 4");
  EXPECT_EQ(str(t.add(t.add(b, t.mul(a, b)), t.mul(a, a))), "a*a + a*b + b");
}

TEST_F(DimTest, TextDoesNotDependOnTheOrderOfMaking) {
  DimTable other;
  const Dim b = other.symbol("b", SymbolOrigin::Declared), a = other.symbol("a", SymbolOrigin::Declared);
  EXPECT_EQ(other.str(other.max(other.add(b, a), other.mul(b, a))),
            str(t.max(t.add(s("a"), s("b")), t.mul(s("a"), s("b")))));
}

TEST_F(DimTest, WhatOverflowsIsUnknown) {
  const Dim big = c(infinity), n = s("n");
  EXPECT_FALSE(t.add(big, c(1)).known());
  EXPECT_FALSE(t.mul(big, c(2)).known());
  EXPECT_FALSE(t.negate(c(std::numeric_limits<std::int64_t>::min())).known());
  EXPECT_FALSE(t.mul(t.mul(big, n), c(2)).known());
  EXPECT_FALSE(t.floorDiv(c(std::numeric_limits<std::int64_t>::min()), c(-1)).known());
  EXPECT_TRUE(t.floorDiv(t.mul(big, n), c(infinity - 1)).known());
  EXPECT_TRUE(t.mod(t.mul(c(std::numeric_limits<std::int64_t>::min()), n), c(3)).known());
}

TEST_F(DimTest, DivisionRoundsDown) {
  EXPECT_EQ(t.floorDiv(c(-7), c(2)), c(-4));
  EXPECT_EQ(t.floorDiv(c(7), c(-2)), c(-4));
  EXPECT_EQ(t.mod(c(-7), c(2)), c(1));
  EXPECT_EQ(t.mod(c(7), c(-2)), c(-1));
  EXPECT_EQ(t.ceilDiv(c(7), c(2)), c(4));
  EXPECT_EQ(t.ceilDiv(c(-7), c(2)), c(-3));
  EXPECT_FALSE(t.floorDiv(s("n"), c(0)).known());
  EXPECT_FALSE(t.mod(s("n"), c(0)).known());
}

TEST_F(DimTest, DivisionIsReduced) {
  const Dim n = s("n"), k = s("k", 1);
  EXPECT_EQ(t.floorDiv(t.mul(c(2), n), c(2)), n);
  EXPECT_EQ(t.floorDiv(t.add(t.mul(n, c(4)), c(3)), c(4)), n);
  EXPECT_EQ(t.floorDiv(t.mul(n, k), k), n);
  EXPECT_EQ(t.floorDiv(t.mul(t.add(n, c(1)), t.add(k, c(2))), t.add(k, c(2))), t.add(n, c(1)));
  EXPECT_EQ(t.floorDiv(t.floorDiv(n, c(2)), c(3)), t.floorDiv(n, c(6)));
  EXPECT_EQ(t.floorDiv(t.add(t.mul(n, k), c(0)), t.mul(k, k)), t.floorDiv(n, k));
  EXPECT_EQ(t.mod(t.add(t.mul(c(6), n), c(5)), c(3)), c(2));
  EXPECT_EQ(t.mod(t.mul(c(2), n), c(4)), t.mul(c(2), t.mod(n, c(2))));
  EXPECT_EQ(t.mod(n, n), c(0));
  EXPECT_EQ(str(t.floorDiv(n, c(2))), "n//2");
  EXPECT_EQ(str(t.floorDiv(t.add(n, c(1)), c(2))), "(n + 1)//2");
  EXPECT_EQ(str(t.ceilDiv(n, c(4))), "(n + 3)//4");
  EXPECT_EQ(t.negate(t.floorDiv(t.negate(n), c(4))), t.ceilDiv(n, c(4)));
  EXPECT_EQ(str(t.mul(c(2), t.floorDiv(n, c(2)))), "2*(n//2)");
  EXPECT_EQ(str(t.mod(t.add(n, c(1)), k)), "(n + 1) % k");
  // Inside the bounds nothing remains of them.
  EXPECT_EQ(t.floorDiv(s("small", 0, 7), c(8)), c(0));
  EXPECT_EQ(t.mod(s("small"), c(8)), s("small"));
}

TEST_F(DimTest, ExtremaAreReduced) {
  const Dim n = s("n", 2, 16), m = s("m", 20, 30), k = s("k");
  EXPECT_EQ(t.min(n, m), n);
  EXPECT_EQ(t.max(n, m), m);
  const Dim four = s("four", 2, 4);
  EXPECT_EQ(t.min(four, c(4)), four);
  EXPECT_EQ(t.max(n, c(0)), n);
  EXPECT_EQ(t.min(n, t.add(n, c(1))), n);
  EXPECT_EQ(t.min(n, n), n);
  EXPECT_EQ(t.min(t.min(n, c(4)), c(6)), t.min(n, c(4)));
  EXPECT_EQ(str(t.min(c(4), n)), "min(n, 4)");
  EXPECT_EQ(str(t.min(t.add(n, c(1)), c(4))), "min(n, 3) + 1");
  EXPECT_EQ(str(t.min(t.mul(n, c(2)), c(8))), "2*min(n, 4)");
  EXPECT_EQ(t.min(t.sub(c(4), n), c(0)), t.sub(c(4), t.max(n, c(4))));
  EXPECT_EQ(str(t.min(t.min(n, k), c(7))), "min(k, n, 7)");
  // The length of x[2:4] with x of size k: never negative.
  EXPECT_EQ(t.max(t.sub(t.min(k, c(4)), t.min(k, c(2))), c(0)), t.sub(t.min(k, c(4)), t.min(k, c(2))));
}

TEST_F(DimTest, OpaqueFunctionsAreEqualToThemselves) {
  const Dim n = s("n");
  const Dim one[] = {n}, two[] = {t.add(n, c(1))};
  EXPECT_EQ(t.opaque("f", one), t.opaque("f", one));
  EXPECT_NE(t.opaque("f", one), t.opaque("g", one));
  EXPECT_NE(t.opaque("f", one), t.opaque("f", two));
  EXPECT_EQ(str(t.opaque("f", two)), "f(n + 1)");
  EXPECT_EQ(t.compare(t.opaque("f", one), t.opaque("f", one)).result, Verdict::Proved);
  const DimComparison open = t.compare(t.opaque("f", one), t.opaque("f", two));
  EXPECT_EQ(open.result, Verdict::Unknown);
  EXPECT_FALSE(open.reason.empty());
  EXPECT_EQ(t.compare(t.opaque("f", one), n).result, Verdict::Unknown);
  EXPECT_FALSE(t.evaluate(t.opaque("f", one), {{"n", 1}}));
  const DimComparison shifted = t.compare(t.opaque("f", one), t.add(t.opaque("f", one), c(1)));
  EXPECT_EQ(shifted.result, Verdict::Refuted);
  EXPECT_TRUE(shifted.always);
  EXPECT_TRUE(shifted.witness.empty());
}

TEST_F(DimTest, SymbolsAreListedByName) {
  const Dim d = t.floorDiv(t.add(s("z"), t.min(s("a", 0, 9, SymbolOrigin::Named), s("z"))), c(3));
  const auto found = t.symbolsOf(d);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "a");
  EXPECT_EQ(found[0].bounds, (Interval{0, 9}));
  EXPECT_EQ(found[1].name, "z");
  EXPECT_TRUE(t.mentions(d, SymbolOrigin::Named));
  EXPECT_FALSE(t.mentions(d, SymbolOrigin::Unbacked));
}

TEST_F(DimTest, FreshSymbolsEqualNothingElse) {
  const Dim x = t.fresh("x.0", SymbolOrigin::Anonymous), y = t.fresh("x.0", SymbolOrigin::Anonymous);
  EXPECT_NE(x, y);
  EXPECT_NE(str(x), str(y));
  EXPECT_TRUE(str(y).starts_with("x.0"));
  // A model that uses the name itself means another symbol.
  const Dim named = s("x.0");
  EXPECT_NE(named, x);
  EXPECT_EQ(str(named), "x.0");
  EXPECT_NE(str(x), "x.0");
  EXPECT_EQ(s("x.0"), named);
}

TEST_F(DimTest, NamesThatAreNoWordsAreQuoted) {
  EXPECT_EQ(str(t.add(s("batch size"), c(1))), "'batch size' + 1");
  EXPECT_EQ(str(s("2*N")), "'2*N'");
  EXPECT_EQ(str(s("a'b\\\n\x1b\xff")), R"('a\'b\\\x0a\x1b\xff')");
  EXPECT_EQ(str(s("min")), "'min'");
  EXPECT_EQ(str(s("größe")), "'größe'");
}

TEST_F(DimTest, BoundsCoverEveryValue) {
  const Dim n = s("n", 2, 16), k = s("k", -3, 3), f = s("f");
  EXPECT_EQ(t.boundsOf(t.add(t.mul(n, c(2)), c(1))), (Interval{5, 33}));
  EXPECT_EQ(t.boundsOf(t.mul(k, k)), (Interval{0, 9}));
  EXPECT_EQ(t.boundsOf(t.mul(n, k)), (Interval{-48, 48}));
  EXPECT_EQ(t.boundsOf(t.sub(n, f)), (Interval{std::numeric_limits<std::int64_t>::min(), 16}));
  EXPECT_EQ(t.boundsOf(t.mod(f, c(5))), (Interval{0, 4}));
  EXPECT_EQ(t.boundsOf(t.floorDiv(n, c(3))), (Interval{0, 5}));
  EXPECT_EQ(t.boundsOf(t.min(f, n)), (Interval{0, 16}));
  EXPECT_EQ(t.boundsOf(Dim{}), Interval());
}

TEST_F(DimTest, BoundsThatAdmitNothingAreNoBounds) {
  t.setBounds("n", {5, 1}); // no such symbol: nothing happens
  EXPECT_EQ(t.boundsOf(s("n", 7, 3)), Interval());
  t.setBounds("n", {5, 1});
  EXPECT_EQ(t.boundsOf(s("n")), Interval());
  t.setBounds("n", {2, 4});
  EXPECT_EQ(t.boundsOf(s("n")), (Interval{2, 4}));
}

TEST_F(DimTest, DepthAndSizeAreBounded) {
  Dim d = s("n");
  for (int i = 0; i < 1000; ++i)
    d = t.min(t.floorDiv(t.mul(d, d), t.add(s("m"), c(i))), s(("k" + std::to_string(i)).c_str()));
  EXPECT_FALSE(d.known());
  Dim sum = c(0);
  for (int i = 0; i < 257; ++i)
    sum = t.add(sum, s(("s" + std::to_string(i)).c_str()));
  EXPECT_FALSE(sum.known());
  Dim power = s("n");
  for (int i = 0; i < 64; ++i)
    power = t.mul(power, s("n"));
  EXPECT_FALSE(power.known());
}

TEST_F(DimTest, CompareNumbers) {
  EXPECT_EQ(t.compare(c(3), c(3)).result, Verdict::Proved);
  const DimComparison r = t.compare(c(3), c(4));
  EXPECT_EQ(r.result, Verdict::Refuted);
  EXPECT_TRUE(r.always);
  EXPECT_EQ(r.witnessA, 3);
  EXPECT_EQ(r.witnessB, 4);
  EXPECT_TRUE(r.witness.empty());
}

TEST_F(DimTest, CompareTwiceASize) {
  const DimComparison r = t.compare(s("N"), t.mul(c(2), s("N")));
  EXPECT_EQ(r.result, Verdict::Refuted);
  EXPECT_FALSE(r.always); // equal for N = 0
  EXPECT_EQ(r.witness, (Assignment{{"N", 1}}));
  EXPECT_EQ(r.witnessA, 1);
  EXPECT_EQ(r.witnessB, 2);
  const Dim m = s("M", 1);
  EXPECT_TRUE(t.compare(m, t.mul(c(2), m)).always);
}

TEST_F(DimTest, CompareANeighbour) {
  const DimComparison r = t.compare(s("N"), t.add(s("N"), c(1)));
  EXPECT_EQ(r.result, Verdict::Refuted);
  EXPECT_TRUE(r.always);
  EXPECT_EQ(r.witness, (Assignment{{"N", 1}}));
}

TEST_F(DimTest, AWitnessDoesNotHangOnWhichSymbolWasMetFirst) {
  const auto witness = [](const char *first, const char *second) {
    DimTable table;
    for (const char *name : {first, second})
      table.symbol(name, SymbolOrigin::Named);
    const auto symbol = [&](const char *name) { return table.symbol(name, SymbolOrigin::Named); };
    const Dim sum = table.add(symbol("s4"), table.mul(table.constant(2), symbol("s86")));
    return std::pair(table.compare(symbol("s4"), symbol("s86")).witness, table.compare(sum, symbol("s86")).witness);
  };
  EXPECT_EQ(witness("s4", "s86"), witness("s86", "s4"));
}

TEST_F(DimTest, CompareAClampedSize) {
  const Dim s0 = s("s0", 2, 16);
  const DimComparison r = t.compare(t.min(s0, c(4)), s0);
  EXPECT_EQ(r.result, Verdict::Refuted);
  EXPECT_FALSE(r.always);
  EXPECT_EQ(r.witness, (Assignment{{"s0", 5}}));
  EXPECT_EQ(r.witnessA, 4);
  EXPECT_EQ(r.witnessB, 5);
  const Dim clamped = t.min(s0, c(4));
  t.setBounds("s0", {2, 4});
  EXPECT_EQ(t.compare(clamped, s0).result, Verdict::Proved);
}

TEST_F(DimTest, AWitnessShowsSizesThatCanBe) {
  const Dim n = s("n");
  const DimComparison r = t.compare(t.sub(n, c(5)), c(3));
  EXPECT_EQ(r.witness, (Assignment{{"n", 5}}));
  EXPECT_EQ(r.witnessA, 0);
  const DimComparison two = t.compare(t.sub(n, s("m")), t.sub(c(4), s("m")));
  EXPECT_GE(two.witnessA, 0);
  EXPECT_GE(two.witnessB, 0);
}

TEST_F(DimTest, CompareTwoSymbols) {
  const DimComparison r = t.compare(s("a"), s("b", 0, infinity, SymbolOrigin::Named));
  EXPECT_EQ(r.result, Verdict::Refuted);
  EXPECT_FALSE(r.always);
  EXPECT_EQ(r.weakestOrigin, SymbolOrigin::Named);
  ASSERT_EQ(r.witness.size(), 2u);
  EXPECT_NE(r.witness[0].second, r.witness[1].second);
  EXPECT_EQ(t.compare(s("a"), s("u0", 0, infinity, SymbolOrigin::Unbacked)).weakestOrigin, SymbolOrigin::Unbacked);
  EXPECT_EQ(t.compare(s("a"), t.fresh("x", SymbolOrigin::Anonymous)).weakestOrigin, SymbolOrigin::Anonymous);
}

TEST_F(DimTest, SymbolsThatCancelDoNotWeaken) {
  const Dim u = s("u0", 0, infinity, SymbolOrigin::Unbacked), a = s("a");
  const DimComparison r = t.compare(t.add(u, a), t.add(u, c(4)));
  EXPECT_EQ(r.result, Verdict::Refuted);
  EXPECT_EQ(r.weakestOrigin, SymbolOrigin::Declared);
  EXPECT_EQ(t.evaluate(t.add(u, a), r.witness), r.witnessA);
  EXPECT_EQ(t.evaluate(t.add(u, c(4)), r.witness), r.witnessB);
}

TEST_F(DimTest, IntervalsThatDoNotMeetRefuteAlways) {
  const DimComparison r = t.compare(s("a", 0, 4), s("b", 5, 9));
  EXPECT_EQ(r.result, Verdict::Refuted);
  EXPECT_TRUE(r.always);
}

TEST_F(DimTest, ParityRefutesAlways) {
  EXPECT_TRUE(t.compare(t.mul(c(2), s("a")), t.add(t.mul(c(2), s("b")), c(1))).always);
  EXPECT_TRUE(t.compare(t.mul(c(6), s("a")), t.add(t.mul(c(4), t.mul(s("b"), s("a"))), c(3))).always);
}

TEST_F(DimTest, PinnedSymbolsAreNumbers) {
  EXPECT_EQ(t.compare(s("p", 4, 4), c(4)).result, Verdict::Proved);
  const DimComparison r = t.compare(s("p"), c(5));
  EXPECT_TRUE(r.always);
  EXPECT_EQ(r.witness, (Assignment{{"p", 4}}));
}

TEST_F(DimTest, QuotientsAndRemaindersAddUp) {
  const Dim n = s("n");
  auto proved = [&](Dim a, Dim b) { return t.compare(a, b).result == Verdict::Proved; };
  EXPECT_TRUE(proved(t.add(t.mul(t.floorDiv(n, c(3)), c(3)), t.mod(n, c(3))), n));
  EXPECT_TRUE(proved(t.add(t.floorDiv(n, c(2)), t.ceilDiv(n, c(2))), n));
  EXPECT_TRUE(proved(t.add(t.min(n, c(4)), t.max(n, c(4))), t.add(n, c(4))));
  EXPECT_TRUE(proved(t.mod(t.mul(n, t.add(n, c(1))), c(2)), c(0)));
  EXPECT_TRUE(proved(t.sub(n, t.floorDiv(n, c(2))), t.floorDiv(t.add(n, c(1)), c(2))));
  const Dim k = s("k", 1);
  EXPECT_TRUE(proved(t.add(t.mul(t.floorDiv(n, k), k), t.mod(n, k)), n));
  const DimComparison odd = t.compare(t.mod(t.mul(n, t.add(n, c(1))), c(2)), c(1));
  EXPECT_EQ(odd.result, Verdict::Refuted);
  EXPECT_TRUE(odd.always);
}

TEST_F(DimTest, SmallRangesAreTriedOut) {
  const Dim b = s("b", 0, 1);
  EXPECT_EQ(t.compare(t.mul(b, b), b).result, Verdict::Proved);
  EXPECT_TRUE(t.compare(t.mul(b, b), t.add(b, t.mul(c(5), t.sub(c(1), t.mul(b, b))))).result == Verdict::Refuted);
}

TEST_F(DimTest, ConditionsExcludeValues) {
  const Dim n = s("n"), k = s("k");
  const Dim counted = t.floorDiv(t.max(n, c(2)), c(2)), whole = t.floorDiv(n, c(2));
  const auto under = [&](Dim a, Dim b, std::vector<Dim> notNegative) { return t.compare(a, b, notNegative); };
  EXPECT_EQ(under(counted, whole, {}).result, Verdict::Refuted) << "at 1 and at 0";
  EXPECT_EQ(under(counted, whole, {t.sub(n, c(2))}).result, Verdict::Proved);
  EXPECT_EQ(under(n, c(4), {t.sub(n, c(4)), t.sub(c(4), n)}).result, Verdict::Proved);
  EXPECT_EQ(under(counted, whole, {t.sub(n, c(1))}).witness, (Assignment{{"n", 1}}));
  const DimComparison both = under(n, t.mul(c(2), n), {t.negate(t.mod(n, c(3))), t.sub(n, c(1))});
  EXPECT_EQ(both.witness, (Assignment{{"n", 3}})) << "the first that 3 divides";
  // What says nothing of the symbols compared does not count.
  EXPECT_EQ(under(n, c(4), {t.sub(k, c(7))}).witness.size(), 1u);
  // No value is left: nothing is proved of none.
  EXPECT_NE(under(t.mul(n, n), n, {t.sub(n, c(9)), t.sub(c(3), n)}).result, Verdict::Proved);
}

TEST_F(DimTest, EvaluateNeedsEverySymbol) {
  const Dim d = t.add(t.mul(s("a"), s("b")), t.floorDiv(s("a"), s("b")));
  EXPECT_EQ(t.evaluate(d, {{"a", 7}, {"b", 2}}), 17);
  EXPECT_FALSE(t.evaluate(d, {{"a", 7}}));
  EXPECT_FALSE(t.evaluate(d, {{"a", 7}, {"b", 0}}));
  EXPECT_FALSE(t.evaluate(d, {{"a", infinity}, {"b", 2}}));
  EXPECT_EQ(t.evaluate(c(3), {}), 3);
}

} // namespace
} // namespace condlint

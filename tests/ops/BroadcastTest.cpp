//===- BroadcastTest.cpp - Shapes that stretch, axes, sizes ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/Broadcast.h"
#include "graph/TypeWords.h"
#include <gtest/gtest.h>
#include <limits>

using namespace condlint;

namespace {

struct BroadcastTest : testing::Test {
  DimTable dims;
  Dim n = dims.symbol("N", SymbolOrigin::Named), m = dims.symbol("M", SymbolOrigin::Named);
  Dim large = dims.symbol("s0", SymbolOrigin::Declared, {2, 100});
  Dim c(std::int64_t v) { return dims.constant(v); }

  std::string both(Dim a, Dim b) {
    bool mismatch = false, reverse = false;
    const Dim result = broadcastDim(dims, a, b, mismatch);
    EXPECT_EQ(result, broadcastDim(dims, b, a, reverse)) << "not symmetric";
    EXPECT_EQ(mismatch, reverse);
    return mismatch ? "mismatch" : dims.str(result);
  }
};

TEST_F(BroadcastTest, OneStretches) {
  EXPECT_EQ(both(c(1), n), "N");
  EXPECT_EQ(both(c(1), Dim()), "?");
  EXPECT_EQ(both(n, n), "N");
}

TEST_F(BroadcastTest, ASizeThatIsNotOneDecides) {
  EXPECT_EQ(both(c(4), n), "4");
  EXPECT_EQ(both(c(4), Dim()), "4");
  EXPECT_EQ(both(c(0), n), "0");
  EXPECT_EQ(both(large, n), "s0");
  EXPECT_EQ(both(large, Dim()), "s0");
}

TEST_F(BroadcastTest, TwoSizesThatMayBothBeOneAreUnknown) {
  EXPECT_EQ(both(n, m), "?");
  EXPECT_EQ(both(Dim(), n), "?");
}

TEST_F(BroadcastTest, NeverFitting) {
  EXPECT_EQ(both(c(3), c(4)), "mismatch");
  EXPECT_EQ(both(c(0), c(4)), "mismatch");
  EXPECT_EQ(both(c(200), large), "mismatch");
  EXPECT_EQ(both(c(50), large), "50");
}

TEST_F(BroadcastTest, Shapes) {
  const Dim a[] = {c(2), n}, b[] = {c(5), c(1), c(1)}, wrong[] = {c(3), c(1)};
  EXPECT_EQ(spellDims(dims, broadcast(dims, a, b).dims), "[5, 2, N]");
  EXPECT_FALSE(broadcast(dims, a, b).mismatch);
  const Shape bad = broadcast(dims, a, wrong);
  EXPECT_TRUE(bad.mismatch);
  EXPECT_EQ(bad.axis, 1u);
}

TEST_F(BroadcastTest, AxesCountFromTheEndToo) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(normalizeAxis(-1, 3), 2u);
  EXPECT_EQ(normalizeAxis(3, 3), std::nullopt);
  EXPECT_EQ(normalizeAxis(-4, 3), std::nullopt);
  EXPECT_EQ(normalizeAxis(least, 3), std::nullopt);
  EXPECT_EQ(normalizeAxis(0, 0), std::nullopt);
  EXPECT_EQ(normalizeAxis(-1, 0, true), 0u);
}

TEST_F(BroadcastTest, CountingElements) {
  const Dim shape[] = {c(2), n}, none[] = {Dim(), c(0)}, unknown[] = {Dim(), c(2)};
  EXPECT_EQ(dims.str(elementCount(dims, shape)), "2*N");
  EXPECT_EQ(elementCount(dims, none), c(0));
  EXPECT_FALSE(elementCount(dims, unknown).known());
  EXPECT_EQ(elementCount(dims, {}), c(1));
}

} // namespace

//===- StridesTest.cpp - How torch lays results out -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/Strides.h"
#include "graph/TypeWords.h"
#include "ops/Broadcast.h"
#include <gtest/gtest.h>

using namespace condlint;

namespace {

struct StridesTest : testing::Test {
  DimTable dims;
  Dim s0 = dims.symbol("s0", SymbolOrigin::Declared, {0, 100});
  Dim u0 = dims.symbol("u0", SymbolOrigin::Unbacked);
  Dim c(std::int64_t v) { return dims.constant(v); }
  std::vector<Dim> list(std::initializer_list<int> values) {
    std::vector<Dim> out;
    for (int v : values)
      out.push_back(c(v));
    return out;
  }
  Type tensor(const std::vector<Dim> &shape, const std::vector<Dim> &strides) {
    Type t;
    t.kind = ValueKind::Tensor;
    t.layout = Layout::Strided;
    t.hasRank = t.hasStrides = true;
    t.dims = shape;
    t.strides = strides;
    return t;
  }
  std::string text(const std::optional<std::vector<Dim>> &v) { return v ? spellDims(dims, *v) : "none"; }
  std::string view(std::vector<Dim> shape, std::vector<Dim> strides, std::vector<Dim> to) {
    const ViewStrides v = viewStrides(dims, shape, strides, to);
    return v.fits == Tri::Yes ? text(v.strides) : v.fits == Tri::No ? "copy" : "?";
  }
};

TEST_F(StridesTest, Contiguous) {
  EXPECT_EQ(text(contiguousStrides(dims, list({2, 3, 4}))), "[12, 4, 1]");
  EXPECT_EQ(text(contiguousStrides(dims, list({2, 0, 4}))), "[4, 4, 1]");
  const std::vector<Dim> symbolic{c(2), s0, c(4)}, data{c(2), u0}, unknown{c(2), Dim(), c(3)};
  EXPECT_EQ(text(contiguousStrides(dims, symbolic)), "[4*s0, 4, 1]");
  EXPECT_EQ(text(contiguousStrides(dims, data)), "[max(u0, 1), 1]");
  EXPECT_EQ(text(contiguousStrides(dims, unknown)), "[?, 3, 1]");
}

TEST_F(StridesTest, Formats) {
  EXPECT_EQ(text(stridesInFormat(dims, list({2, 3, 4, 5}), MemoryFormat::ChannelsLast)), "[60, 1, 15, 3]");
  EXPECT_EQ(text(stridesInFormat(dims, list({2, 3, 4}), MemoryFormat::ChannelsLast)), "none");
  EXPECT_EQ(text(stridesInFormat(dims, list({2, 3, 4, 5, 6}), MemoryFormat::ChannelsLast3d)), "[360, 1, 90, 18, 3]");
}

TEST_F(StridesTest, SuggestedFormat) {
  const auto of = [&](std::initializer_list<int> shape, std::initializer_list<int> strides) {
    const auto s = list(shape), t = list(strides);
    const auto format = suggestedFormat(dims, tensor(s, t));
    return format ? static_cast<int>(*format) : 0;
  };
  constexpr int rows = 1, last = 2, last3d = 3;
  EXPECT_EQ(of({2, 3, 4, 5}, {60, 20, 5, 1}), rows);
  EXPECT_EQ(of({2, 3, 4, 5}, {60, 1, 15, 3}), last);
  EXPECT_EQ(of({2, 3, 4, 5}, {120, 1, 30, 6}), last) << "with gaps";
  EXPECT_EQ(of({2, 3, 4, 5}, {0, 1, 15, 3}), rows);
  EXPECT_EQ(of({2, 1, 1, 1}, {1, 1, 1, 1}), rows) << "in either order";
  EXPECT_EQ(of({2, 3, 4, 5, 6}, {360, 1, 90, 18, 3}), last3d);
  EXPECT_EQ(of({2, 3}, {1, 2}), rows);
  const std::vector<Dim> shape{c(2), s0, c(4), c(5)}, strides{dims.mul(c(20), s0), c(1), dims.mul(c(5), s0), s0},
      unknown{Dim(), c(1), Dim(), Dim()};
  EXPECT_EQ(suggestedFormat(dims, tensor(shape, strides)), MemoryFormat::ChannelsLast);
  EXPECT_EQ(suggestedFormat(dims, tensor(shape, unknown)), std::nullopt);
}

TEST_F(StridesTest, Recognised) {
  const auto shape = list({2, 3}), row = list({3, 1}), column = list({1, 2}), holes = list({6, 1}), one = list({1, 3}),
             anything = list({77, 1});
  EXPECT_EQ(isContiguous(dims, tensor(shape, row)), Tri::Yes);
  EXPECT_EQ(isContiguous(dims, tensor(shape, column)), Tri::No);
  EXPECT_EQ(isContiguous(dims, tensor(one, anything)), Tri::Yes);
  EXPECT_EQ(isContiguous(dims, Type()), Tri::Unknown);
  EXPECT_EQ(isDense(dims, tensor(shape, column)), Tri::Yes);
  EXPECT_EQ(isDense(dims, tensor(shape, holes)), Tri::No);
  const std::vector<Dim> symbolic{s0, c(3)}, transposed{c(1), s0};
  EXPECT_EQ(isDense(dims, tensor(symbolic, transposed)), Tri::Yes);
}

TEST_F(StridesTest, ElementwiseKeepsTheOrderOfAxes) {
  const auto shape = list({2, 3, 4}), permuted = list({4, 8, 1}), small = list({4}), unit = list({1});
  const Type operands[] = {tensor(shape, permuted), tensor(small, unit)};
  EXPECT_EQ(text(elementwiseStrides(dims, shape, operands)), "[4, 8, 1]");
  const auto holes = list({100, 10, 2});
  const Type sliced[] = {tensor(shape, holes)};
  EXPECT_EQ(text(elementwiseStrides(dims, shape, sliced)), "[12, 4, 1]");
}

TEST_F(StridesTest, ElementwiseWithSymbols) {
  const std::vector<Dim> shape{s0, c(4)}, row{c(4), c(1)}, column{c(1), s0};
  const Type rows[] = {tensor(shape, row)}, columns[] = {tensor(shape, column)};
  EXPECT_EQ(text(elementwiseStrides(dims, shape, rows)), "[4, 1]");
  EXPECT_EQ(text(elementwiseStrides(dims, shape, columns)), "[1, s0]");
  const std::vector<Dim> unknown{Dim(), c(4)};
  Type none = tensor(unknown, row);
  none.hasStrides = false;
  EXPECT_EQ(text(elementwiseStrides(dims, unknown, std::span<const Type>(&none, 1))), "none");
}

TEST_F(StridesTest, Views) {
  EXPECT_EQ(view(list({2, 3, 4}), list({12, 4, 1}), list({6, 4})), "[4, 1]");
  EXPECT_EQ(view(list({2, 3}), list({1, 2}), list({6})), "copy");
  EXPECT_EQ(view(list({2, 3}), list({1, 2}), list({2, 3, 1})), "[1, 2, 2]");
  EXPECT_EQ(view({}, {}, list({1, 1})), "[1, 1]");
  EXPECT_EQ(view({s0, c(6)}, {c(6), c(1)}, {s0, c(2), c(3)}), "[6, 3, 1]");
  EXPECT_EQ(view({s0, c(6)}, {c(6), c(1)}, {dims.mul(s0, c(6))}), "[1]");
  EXPECT_EQ(view({Dim(), c(6)}, {c(6), c(1)}, {Dim()}), "?");
}

} // namespace

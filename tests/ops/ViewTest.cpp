//===- ViewTest.cpp - Types of views ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What torch answers for numbers is compared in TorchOracleTest; here is what has
// symbols, and ONNX.
//
//===----------------------------------------------------------------------===//
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

/// Size, strides and offset: "[n, 4] [4, 1] +0".
std::string layout(const OneNode &n, std::size_t i = 0) {
  const Type &t = n.m.type(n.m.result(n.node, i));
  const auto text = [&](std::span<const Dim> dims) {
    std::string s = "[";
    for (std::size_t k = 0; k < dims.size(); ++k)
      s += (k ? ", " : "") + n.m.dims.str(dims[k]);
    return s + "]";
  };
  return text(t.dims) + " " + (t.hasStrides ? text(t.strides) : "?") + " +" + n.m.dims.str(t.storageOffset);
}

OneNode &&withLayout(OneNode &&n, std::vector<OneNode::Size> sizes, std::vector<OneNode::Size> strides) {
  Type t = n.tensorType(Float32, std::move(sizes));
  const Type s = n.tensorType(Float32, std::move(strides));
  t.strides = s.dims;
  t.hasStrides = true;
  t.layout = Layout::Strided;
  t.storageOffset = n.m.dims.constant(0);
  n.arg("self", t);
  return std::move(n);
}

TEST(View, SymbolicSizesOfTorchViews) {
  EXPECT_EQ(layout(withLayout(OneNode::torch("view"), {"n", 4}, {4, 1}).ints("size", {-1}).run()), "[4*n] [1] +0");
  EXPECT_EQ(layout(withLayout(OneNode::torch("view"), {"n", 4}, {4, 1}).ints("size", {-1, 2, 2}).run()),
            "[n, 2, 2] [4, 2, 1] +0");
  EXPECT_EQ(
      layout(withLayout(OneNode::torch("transpose", "int"), {"n", 4}, {4, 1}).attr("dim0", 0).attr("dim1", 1).run()),
      "[4, n] [1, 4] +0");
  EXPECT_EQ(
      layout(withLayout(OneNode::torch("select", "int"), {"n", 4}, {4, 1}).attr("dim", 0).attr("index", -1).run()),
      "[4] [1] +4*n - 4");
  EXPECT_EQ(
      layout(
          withLayout(OneNode::torch("flatten", "using_ints"), {"n", "m", 4}, {"s", 4, 1}).attr("start_dim", 1).run()),
      "[n, 4*m] [s, 1] +0");
}

TEST(View, WhatOnlyACopyCouldShowIsRefused) {
  const auto viewed = [](std::string_view op, std::vector<OneNode::Size> sizes, std::vector<OneNode::Size> strides) {
    return withLayout(OneNode::torch(op), std::move(sizes), std::move(strides)).ints("size", {12}).run().rejected();
  };
  constexpr std::string_view said = "view: [4, 3] with the strides [1, 4] has no view of shape [12]; reshape copies it";
  EXPECT_EQ(viewed("view", {4, 3}, {1, 4}), said);
  EXPECT_NE(viewed("_unsafe_view", {4, 3}, {1, 4}), "");
  EXPECT_EQ(viewed("view", {4, 3}, {3, 1}), "");
  EXPECT_EQ(viewed("view", {12, 1}, {1, 12}), "");
  EXPECT_EQ(viewed("view_copy", {4, 3}, {1, 4}), ""); // eager torch copies
  EXPECT_EQ(withLayout(OneNode::torch("reshape"), {4, 3}, {1, 4}).ints("shape", {12}).run().rejected(), "");
  // Which strides a symbol stands for is not known.
  EXPECT_EQ(viewed("view", {4, 3}, {1, "s"}), "");
  // Sizes that are wrong are said once.
  EXPECT_EQ(withLayout(OneNode::torch("view"), {4, 3}, {1, 4}).ints("size", {7}).run().found.invalid.size(), 1U);
}

TEST(View, SlicesClampWithSymbols) {
  const auto slice = [](std::vector<OneNode::Size> sizes, std::int64_t start, std::int64_t end) {
    OneNode n = OneNode::torch("slice", "Tensor");
    n.arg("self", Float32, std::move(sizes)).attr("dim", 0).attr("start", start).attr("end", end).attr("step", 1);
    return n.run().type();
  };
  EXPECT_EQ(slice({10}, 2, 5), "float32[3]");
  EXPECT_EQ(slice({10}, -3, INT64_MAX), "float32[3]");
  EXPECT_EQ(slice({10}, 8, 3), "float32[0]");
  EXPECT_EQ(slice({"n"}, 0, INT64_MAX), "float32[n]");
  EXPECT_EQ(slice({"n"}, 0, 5), "float32[min(n, 5)]");
  EXPECT_EQ(slice({-1}, 0, 5), "float32[?]");
}

TEST(View, RejectsWhatNeverFits) {
  EXPECT_NE(OneNode::torch("view").arg("self", Float32, {2, 3}).ints("size", {4}).run().rejected(), "");
  EXPECT_NE(OneNode::torch("view").arg("self", Float32, {2, 3}).ints("size", {-1, 4}).run().rejected(), "");
  EXPECT_NE(OneNode::torch("permute").arg("self", Float32, {2, 3}).ints("dims", {0, 0}).run().rejected(), "");
  EXPECT_NE(OneNode::torch("unsqueeze").arg("self", Float32, {2, 3}).attr("dim", 4).run().rejected(), "");
  EXPECT_NE(OneNode::torch("expand").arg("self", Float32, {2, 3}).ints("size", {5, 3}).run().rejected(), "");
  EXPECT_NE(OneNode::torch("expand").arg("self", Float32, {2, 3}).ints("size", {-1, 2, 3}).run().rejected(), "");
  EXPECT_EQ(OneNode::torch("expand").arg("self", Float32, {2, 3}).ints("size", {4, -1, 3}).run().rejected(), "");
  EXPECT_NE(OneNode::onnx("Reshape", 14).in(Float32, {2, 3}).numbers({4}).run().rejected(), "");
  EXPECT_EQ(OneNode::torch("view").arg("self", Float32, {"n", 3}).ints("size", {6}).run().rejected(), "");
}

TEST(View, UnknownStaysUnknown) {
  EXPECT_EQ(
      OneNode::torch("view").arg("self", OneNode::torch("x").rankless(Float32)).ints("size", {2, -1}).run().type(),
      "float32[2, ?]");
  EXPECT_EQ(OneNode::torch("squeeze").arg("self", Float32, {"n", 2}).run().type(), "float32[...]");
  EXPECT_EQ(OneNode::onnx("Squeeze", 13).in(Float32, {"n", 2}).run().type(), "float32[...]");
  EXPECT_EQ(OneNode::onnx("Transpose", 13).in(Type()).run().type(), "unknown[...]");
}

TEST(View, OnnxReshape) {
  const auto reshape = [](std::vector<OneNode::Size> sizes, std::vector<int> target, std::int64_t allowZero = 0) {
    return OneNode::onnx("Reshape", 14)
        .in(Float32, std::move(sizes))
        .numbers(std::move(target))
        .attr("allowzero", allowZero)
        .run()
        .type();
  };
  EXPECT_EQ(reshape({2, 3, 4}, {0, -1}), "float32[2, 12]");
  EXPECT_EQ(reshape({"b", "c", 4}, {0, -1}), "float32[b, 4*c]");
  EXPECT_EQ(reshape({"b", 3}, {-1}), "float32[3*b]");
  EXPECT_EQ(reshape({"b", 6}, {-1, 4}), "float32[b + b//2, 4]");
  EXPECT_EQ(reshape({0, 3}, {0, 5}, 1), "float32[0, 5]");
  EXPECT_EQ(reshape({-1, 3}, {0, -1}), "float32[?, 3]");
  // The target is not known, but how long it is.
  EXPECT_EQ(OneNode::onnx("Reshape", 14).in(Float32, {2, 3}).in(Int64, {3}).run().type(), "float32[?, ?, ?]");
  EXPECT_EQ(OneNode::onnx("Reshape", 1).in(Float32, {2, 3}).ints("shape", {3, -1}).run().type(), "float32[3, 2]");
}

TEST(View, OnnxAxesAsAttributesAndInputs) {
  EXPECT_EQ(OneNode::onnx("Unsqueeze", 11).in(Float32, {2}).ints("axes", {0, 2}).run().type(), "float32[1, 2, 1]");
  EXPECT_EQ(OneNode::onnx("Unsqueeze", 13).in(Float32, {2}).numbers({-1}).run().type(), "float32[2, 1]");
  EXPECT_EQ(OneNode::onnx("Unsqueeze", 13).in(Float32, {2}).in(Int64, {2}).run().type(), "float32[?, ?, ?]");
  EXPECT_EQ(OneNode::onnx("Squeeze", 11).in(Float32, {1, 2, 1}).ints("axes", {-1}).run().type(), "float32[1, 2]");
  EXPECT_EQ(OneNode::onnx("Squeeze", 13).in(Float32, {1, "n", 1}).numbers({0}).run().type(), "float32[n, 1]");
  EXPECT_NE(OneNode::onnx("Squeeze", 13).in(Float32, {3, 2}).numbers({0}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("Flatten", 13).in(Float32, {"b", 3, 4}).run().type(), "float32[b, 12]");
  EXPECT_EQ(OneNode::onnx("Flatten", 13).in(Float32, {"b", 3, 4}).attr("axis", 0).run().type(), "float32[1, 12*b]");
}

// "clamped into [0, dims[i]-1] for negative stepping": a start before the beginning is the first element.
TEST(View, OnnxSliceBackwards) {
  const auto backwards = [](OneNode::Size size, int start, int end, int step = -1) {
    return OneNode::onnx("Slice", 13)
        .in(Float32, {size})
        .numbers({start})
        .numbers({end})
        .numbers({0})
        .numbers({step})
        .run()
        .type();
  };
  EXPECT_EQ(backwards(3, -5, -4), "float32[1]");
  EXPECT_EQ(backwards(3, -5, -3), "float32[0]");
  EXPECT_EQ(backwards(3, 9, -9), "float32[3]");
  EXPECT_EQ(backwards(3, 9, -9, -2), "float32[2]");
  EXPECT_EQ(backwards(0, -5, -4), "float32[0]");
  EXPECT_EQ(backwards(3, -1, 0), "float32[2]");
}

TEST(View, OnnxSliceAndSplit) {
  EXPECT_EQ(OneNode::onnx("Slice", 1).in(Float32, {10, 5}).ints("starts", {2}).ints("ends", {-1}).run().type(),
            "float32[7, 5]");
  EXPECT_EQ(OneNode::onnx("Slice", 13)
                .in(Float32, {10, "n"})
                .numbers({-1})
                .numbers({-20})
                .numbers({0})
                .numbers({-3})
                .run()
                .type(),
            "float32[4, n]");
  EXPECT_EQ(OneNode::onnx("Slice", 13).in(Float32, {10, "n"}).in(Int64, {1}).in(Int64, {1}).run().type(),
            "float32[?, n]");
  OneNode even = OneNode::onnx("Split", 13);
  even.in(Float32, {6, "n"}).attr("axis", 0).run(3);
  EXPECT_EQ(even.type(2), "float32[2, n]");
  OneNode uneven = OneNode::onnx("Split", 18);
  uneven.in(Float32, {7}).attr("num_outputs", 3).run(3);
  EXPECT_EQ(uneven.type(0) + uneven.type(2), "float32[3]float32[1]");
  OneNode sizes = OneNode::onnx("Split", 13);
  sizes.in(Float32, {7}).numbers({3, 4}).run(2);
  EXPECT_EQ(sizes.type(1), "float32[4]");
  OneNode bad = OneNode::onnx("Split", 13);
  bad.in(Float32, {7}).numbers({3, 3}).run(2);
  EXPECT_NE(bad.rejected(), "");
  OneNode none = OneNode::onnx("Split", 13);
  none.in(Float32, {7}).numbers({7, 0}).run(2);
  EXPECT_EQ(none.rejected(), "");
  OneNode negative = OneNode::onnx("Split", 13);
  negative.in(Float32, {7}).numbers({8, -1}).run(2);
  EXPECT_EQ(negative.rejected(), "Split: a piece has a size of -1");
}

TEST(View, OnnxExpandStretchesBothWays) {
  EXPECT_EQ(OneNode::onnx("Expand", 13).in(Float32, {3, 1}).numbers({2, 1, 6}).run().type(), "float32[2, 3, 6]");
  EXPECT_EQ(OneNode::onnx("Expand", 13).in(Float32, {3, 4}).numbers({1}).run().type(), "float32[3, 4]");
  EXPECT_NE(OneNode::onnx("Expand", 13).in(Float32, {3, 4}).numbers({5}).run().rejected(), "");
}

TEST(View, NumbersFollowTheirElements) {
  using Numbers = std::vector<std::int64_t>;
  const auto of = [](const char *name, std::vector<int> numbers, std::vector<int> second) {
    return OneNode::onnx(name, 13).numbers(std::move(numbers)).numbers(std::move(second)).run().content();
  };
  EXPECT_EQ(of("Reshape", {1, 2, 3, 4}, {2, 2}), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(of("Unsqueeze", {5}, {0}), (Numbers{5}));
  EXPECT_EQ(of("Gather", {7, 8, 9}, {2, 0, -2}), (Numbers{9, 7, 8}));
  EXPECT_EQ(of("Tile", {1, 2}, {2}), (Numbers{1, 2, 1, 2}));
  EXPECT_EQ(of("Expand", {3}, {3}), (Numbers{3, 3, 3}));
  EXPECT_EQ(OneNode::onnx("Slice", 13)
                .numbers({1, 2, 3, 4})
                .numbers({3})
                .numbers({0})
                .numbers({0})
                .numbers({-2})
                .run()
                .content(),
            (Numbers{4, 2}));
  EXPECT_EQ(OneNode::onnx("Concat", 13).attr("axis", 0).numbers({1, 2}).numbers({3}).run().content(),
            (Numbers{1, 2, 3}));
  EXPECT_EQ(OneNode::onnx("Shape", 15).in(Float32, {2, 3, 4}).attr("start", 1).attr("end", -1).run().content(),
            (Numbers{3}));
  EXPECT_EQ(OneNode::onnx("Size", 13).in(Float32, {2, 3, 4}).run().content(), (Numbers{24}));
  OneNode split = OneNode::onnx("Split", 13);
  split.numbers({1, 2, 3, 4}).numbers({1, 3}).run(2);
  EXPECT_EQ(split.content(1), (Numbers{2, 3, 4}));
}

} // namespace

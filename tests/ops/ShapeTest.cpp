//===- ShapeTest.cpp - Shapes that move ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

TEST(Shape, JoinsAlongOneAxis) {
  const auto concat = [](std::vector<OneNode::Size> a, std::vector<OneNode::Size> b, std::int64_t axis) {
    OneNode n = OneNode::onnx("Concat", 13);
    n.attr("axis", axis).in(Float32, std::move(a)).in(Float32, std::move(b)).run();
    return n.type() + (n.rejected().empty() ? "" : " !");
  };
  EXPECT_EQ(concat({"n", 4}, {"m", 4}, 0), "float32[m + n, 4]");
  EXPECT_EQ(concat({"n", 4}, {-1, 4}, 0), "float32[?, 4]");
  EXPECT_EQ(concat({2, 4}, {3, 5}, 0), "float32[5, ?] !");
  EXPECT_EQ(concat({2, 4}, {2, 4, 1}, 0), "float32[...] !");
  EXPECT_EQ(concat({2, -1}, {2, 4}, 0), "float32[4, 4]");
  OneNode cat = OneNode::torch("cat");
  const Type a = cat.tensorType(Float32, {0}), b = cat.tensorType(Float64, {"n", 3});
  EXPECT_EQ(cat.args("tensors", {a, b, b}).attr("dim", -1).run().type(), "float64[n, 6]");
}

TEST(Shape, PadsInEveryVersion) {
  EXPECT_EQ(OneNode::onnx("Pad", 2).in(Float32, {2, "n"}).ints("pads", {0, 1, 0, 2}).run().type(), "float32[2, n + 3]");
  EXPECT_EQ(OneNode::onnx("Pad", 13).in(Float32, {2, "n"}).numbers({1, 0, 1, 0}).run().type(), "float32[4, n]");
  EXPECT_EQ(OneNode::onnx("Pad", 18).in(Float32, {2, "n"}).numbers({1, 1}).absent().numbers({-1}).run().type(),
            "float32[2, n + 2]");
  EXPECT_NE(OneNode::onnx("Pad", 13).in(Float32, {2, 3}).numbers({1, 1}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("Pad", 13).in(Float32, {2, "n"}).numbers({-1, -4, -1, 0}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("Pad", 13).in(Float32, {2, 3}).numbers({0, -2, 0, -2}).run().rejected(),
            "Pad: a size of 3 becomes -1, less than none");
  EXPECT_EQ(OneNode::torch("constant_pad_nd").arg("self", Float32, {2, "n"}).ints("pad", {1, 2}).run().type(),
            "float32[2, n + 3]");
}

TEST(Shape, NothingIsRepeatedLessThanNever) {
  const auto tile = [](int last) {
    OneNode n = OneNode::onnx("Tile", 13);
    return n.in(Float32, {"n", 3}).numbers({2, last}).run().rejected();
  };
  EXPECT_EQ(tile(0), "");
  EXPECT_EQ(tile(-1), "Tile: axis 1 is repeated -1 times");
  // Nobody needs to know the repeats to count them.
  const auto counted = [](int count) {
    return OneNode::onnx("Tile", 13).in(Float32, {"n", 3}).in(Int64, {count}).run().rejected();
  };
  EXPECT_EQ(counted(2), "");
  EXPECT_EQ(counted(3), "Tile: 3 repeats for rank 2");
  EXPECT_EQ(OneNode::onnx("Tile", 13).in(Float32, {"n", 3}).in(Int64, {"k"}).run().rejected(), "");
}

TEST(Shape, RepeatsAndBlocks) {
  EXPECT_EQ(OneNode::onnx("Tile", 13).in(Float32, {2, "n"}).numbers({1, 3}).run().type(), "float32[2, 3*n]");
  EXPECT_EQ(OneNode::onnx("Tile", 1).in(Float32, {2, 3}).numbers({4}, true).numbers({1}, true).run().type(),
            "float32[2, 12]");
  EXPECT_EQ(OneNode::onnx("DepthToSpace", 13).in(Float32, {"n", 8, 2, 3}).attr("blocksize", 2).run().type(),
            "float32[n, 2, 4, 6]");
  EXPECT_EQ(OneNode::onnx("SpaceToDepth", 13).in(Float32, {"n", 2, 4, 6}).attr("blocksize", 2).run().type(),
            "float32[n, 8, 2, 3]");
  EXPECT_NE(OneNode::onnx("DepthToSpace", 13).in(Float32, {1, 6, 2, 3}).attr("blocksize", 2).run().rejected(), "");
  EXPECT_EQ(OneNode::torch("repeat").arg("self", Float32, {"n", 2}).ints("repeats", {3, 1, 2}).run().type(),
            "float32[3, n, 4]");
}

// ONNX Runtime 1.32 refuses each of the second kind when it comes to the node; onnx's own inference none.
TEST(Shape, ReverseSequenceHasALengthForEachEntryOfTheBatch) {
  const auto refused = [](std::vector<int> lengths, std::int64_t batch = 1, std::int64_t time = 0) {
    return OneNode::onnx("ReverseSequence", 10)
        .in(Float32, {2, 3})
        .numbers(std::move(lengths))
        .attr("batch_axis", batch)
        .attr("time_axis", time)
        .run()
        .rejected();
  };
  EXPECT_EQ(refused({1, 2, 0}), "");
  EXPECT_EQ(refused({3, 1}, 0, 1), "");
  EXPECT_EQ(refused({1, 2}), "ReverseSequence: 2 lengths for a batch of 3");
  EXPECT_EQ(refused({1, 3, 1}), "ReverseSequence: the length 3 is none of 0 to 2");
  EXPECT_EQ(refused({1, -1, 1}), "ReverseSequence: the length -1 is none of 0 to 2");
  EXPECT_EQ(refused({1, 2}, 1, 1), "the batches and the steps of ReverseSequence are on one axis, 1");
  EXPECT_NE(refused({1, 2}, 2, 1), "");
  EXPECT_EQ(OneNode::onnx("ReverseSequence", 10).in(Float32, {2, "n"}).in(Int64, {"m"}).run().rejected(), "");
}

} // namespace

//===- AssemblyTest.cpp - Tensors put together of others, gradients -------===//
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

std::string joined(std::string_view name, std::string_view list, std::vector<std::vector<OneNode::Size>> shapes,
                   DType second = Float32) {
  OneNode n = OneNode::torch(name);
  std::vector<Type> types;
  for (auto &shape : shapes)
    types.push_back(n.tensorType(types.empty() ? Float32 : second, std::move(shape)));
  return n.args(list, types).run().type();
}

TEST(Assembly, Blocks) {
  EXPECT_EQ(joined("block_diag", "tensors", {{2, 3}, {4}, {}}), "float32[4, 8]");
  EXPECT_EQ(joined("block_diag", "tensors", {{"n", 3}, {1, 1}}), "float32[n + 1, 4]");
  EXPECT_EQ(joined("block_diag", "tensors", {{2, 3}, {1, 1}}, Float64), "unknown[3, 4]");
  EXPECT_EQ(joined("cartesian_prod", "tensors", {{2}, {3}, {"n"}}), "float32[6*n, 3]");
  EXPECT_EQ(joined("cartesian_prod", "tensors", {{2}}), "unknown"); // the vector itself
  EXPECT_EQ(joined("pad_sequence", "sequences", {{2, 5}, {3, 5}}), "float32[3, 2, 5]");
}

TEST(Assembly, BlocksHaveTwoAxesAtMost) {
  const auto blocks = [](std::vector<OneNode::Size> shape) {
    OneNode n = OneNode::torch("block_diag");
    return n.args("tensors", {n.tensorType(Float32, {2}), n.tensorType(Float32, std::move(shape))}).run().rejected();
  };
  EXPECT_EQ(blocks({"n", 3}), "");
  EXPECT_EQ(blocks({1, 2, 3}), "block_diag: an operand has 3 axes, expected 2 at most");
}

TEST(Assembly, CombinationsAndDiagonals) {
  const auto combined = [](OneNode::Size n, std::int64_t r, std::int64_t repeated) {
    OneNode node = OneNode::torch("combinations");
    return node.arg("self", Int64, {n}).attr("r", r).attr("with_replacement", repeated).run().type();
  };
  EXPECT_EQ(combined(5, 3, 0), "int64[10, 3]");
  EXPECT_EQ(combined(5, 3, 1), "int64[35, 3]");
  EXPECT_EQ(combined(2, 3, 0), "int64[0, 3]");
  EXPECT_EQ(combined("n", 2, 0), "int64[?, 2]");
  EXPECT_EQ(OneNode::torch("diagflat").arg("self", Float32, {2, "n"}).attr("offset", -1).run().type(),
            "float32[2*n + 1, 2*n + 1]");
}

TEST(Assembly, Segments) {
  const auto segments = [](std::string_view name, std::vector<OneNode::Size> given) {
    OneNode n = OneNode::torch("segment_reduce");
    return n.arg("data", Float32, {2, 6, 4}).arg(name, Int64, std::move(given)).run().type();
  };
  EXPECT_EQ(segments("lengths", {2, 3}), "float32[2, 3, 4]");
  EXPECT_EQ(segments("offsets", {2, 3}), "float32[2, 2, 4]");
  EXPECT_EQ(segments("lengths", {2, 3, 4, 5}), "float32[...]");
}

TEST(Assembly, Gradients) {
  OneNode softmax = OneNode::torch("_softmax_backward_data");
  softmax.arg("grad_output", Float32, {2, "n"}).arg("output", Float32, {2, "n"}).attr("dim", 1);
  EXPECT_EQ(softmax.run().type(), "unknown[2, n]"); // without the element type that it is to have
  EXPECT_EQ(
      OneNode::torch("glu_backward").arg("grad_output", Float32, {2, 3}).arg("self", Float16, {2, 6}).run().type(),
      "float16[2, 6]");
  EXPECT_EQ(OneNode::torch("select_backward").arg("grad_output", Float32, {3}).ints("input_sizes", {2, 3}).run().type(),
            "float32[2, 3]");
  EXPECT_EQ(OneNode::torch("select_backward").arg("grad_output", Float32, {3}).run().type(), "unknown");
}

TEST(Assembly, TensorSolve) {
  const auto solved = [](std::vector<OneNode::Size> a, std::vector<OneNode::Size> b) {
    OneNode n = OneNode::torch("linalg_tensorsolve");
    return n.arg("self", Float32, std::move(a)).arg("other", Float32, std::move(b)).run().type();
  };
  EXPECT_EQ(solved({2, 3, 6}, {2, 3}), "float32[6]");
  EXPECT_EQ(solved({6}, {2, 3}), "float32[...]");
}

TEST(Assembly, ThreeOperandsWithTheirNewAxes) {
  using Axes = std::vector<std::int64_t>;
  const auto product = [](std::vector<OneNode::Size> third, const Axes &added, const Axes &summed) {
    return OneNode::exported("_trilinear")
        .arg("i1", Float32, {6, 3})
        .arg("i2", Float32, {5, 3, 4})
        .arg("i3", Float32, std::move(third))
        .ints("expand1", {1, 3})
        .ints("expand2", {0})
        .ints("expand3", added)
        .ints("sumdim", summed)
        .run()
        .rejected();
  };
  EXPECT_EQ(product({6, 4}, {1, 2}, {2, 3}), "");
  EXPECT_EQ(product({"n", 4}, {1, 2}, {-1}), "");
  EXPECT_EQ(product({0, 4, 3}, {1, 2}, {2}), "") << "nothing is multiplied";
  EXPECT_NE(product({5, 4}, {1, 2}, {2, 3}), "") << "6 and 5";
  EXPECT_NE(product({6, 4}, {1, 1}, {2, 3}), "") << "one axis twice";
  EXPECT_NE(product({6, 4}, {1}, {2}), "") << "an axis is missing";
  EXPECT_NE(product({6, 4}, {1, 2}, {4}), "") << "no such axis";
}

} // namespace

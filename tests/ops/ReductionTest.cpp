//===- ReductionTest.cpp - Reductions and scans ---------------------------===//
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

OneNode onnx(std::string_view name, std::int32_t version) {
  OneNode n = OneNode::onnx(name, version);
  n.in(Float32, {"N", 3, 4});
  return n;
}

TEST(Reduction, OnnxAxesAreAnAttributeOrAnInput) {
  EXPECT_EQ(onnx("ReduceMean", 13).ints("axes", {1}).run().type(), "float32[N, 1, 4]");
  EXPECT_EQ(onnx("ReduceMean", 18).numbers({-1}).attr("keepdims", 0).run().type(), "float32[N, 3]");
  EXPECT_EQ(onnx("ReduceSum", 13).numbers({0, 1}).run().type(), "float32[1, 1, 4]");
  EXPECT_EQ(onnx("ReduceSum", 11).ints("axes", {0}).attr("keepdims", 0).run().type(), "float32[3, 4]");
}

TEST(Reduction, OnnxWithoutAxesReducesAllOrNothing) {
  EXPECT_EQ(onnx("ReduceMax", 18).run().type(), "float32[1, 1, 1]");
  EXPECT_EQ(onnx("ReduceMax", 18).attr("keepdims", 0).run().type(), "float32[]");
  EXPECT_EQ(onnx("ReduceMax", 18).attr("noop_with_empty_axes", 1).run().type(), "float32[N, 3, 4]");
}

TEST(Reduction, OnnxUnknownAxesLeaveWhatIsSure) {
  EXPECT_EQ(onnx("ReduceMin", 18).in(Int64, {2}).run().type(), "float32[?, ?, ?]");
  EXPECT_EQ(onnx("ReduceMin", 18).in(Int64, {2}).attr("keepdims", 0).run().type(), "float32[?]");
  EXPECT_EQ(onnx("ReduceMin", 18).in(Int64, {"k"}).attr("keepdims", 0).run().type(), "float32[...]");
}

TEST(Reduction, AnAxisThatIsNotThereIsRejected) {
  EXPECT_NE(onnx("ReduceMean", 13).ints("axes", {3}).run().rejected(), "");
  EXPECT_NE(onnx("ArgMax", 13).attr("axis", -4).run().rejected(), "");
  EXPECT_EQ(onnx("ArgMax", 13).attr("axis", -3).run().type(), "int64[1, 3, 4]");
  EXPECT_NE(OneNode::torch("sum", "dim_IntList").arg("self", Float32, {2}).ints("dim", {1}).run().rejected(), "");
  EXPECT_EQ(OneNode::torch("sum", "dim_IntList").arg("self", Float32, {}).ints("dim", {-1}).run().type(), "float32[]");
}

TEST(Reduction, OnnxFoldsShapeArithmetic) {
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(OneNode::onnx("ReduceProd", 13).numbers({2, 3, 4}).run().content(), Numbers{24});
  EXPECT_EQ(OneNode::onnx("ReduceMax", 13).numbers({2, 7, 4}).run().content(), Numbers{7});
  EXPECT_EQ(OneNode::onnx("CumSum", 14).numbers({1, 2, 3}).numbers({0}, true).run().content(), (Numbers{1, 3, 6}));
  EXPECT_EQ(OneNode::onnx("CumSum", 14)
                .numbers({1, 2, 3})
                .numbers({0}, true)
                .attr("exclusive", 1)
                .attr("reverse", 1)
                .run()
                .content(),
            (Numbers{5, 3, 0}));
}

TEST(Reduction, TorchTypes) {
  auto type = [](std::string_view name, DType element) {
    return OneNode::torch(name).arg("self", element, {2, "s0"}).run().type();
  };
  EXPECT_EQ(type("sum", Int32), "int64[]");
  EXPECT_EQ(type("sum", Float16), "float16[]");
  EXPECT_EQ(type("any", UInt8), "uint8[]");
  EXPECT_EQ(type("any", Int64), "bool[]");
  EXPECT_EQ(type("argmax", Float32), "int64[]");
  EXPECT_EQ(type("var", Complex64), "float32[]");
}

TEST(Reduction, TorchMeanRefusesIntegers) {
  EXPECT_NE(OneNode::torch("mean").arg("self", Int64, {2}).run().rejected(), "");
  EXPECT_EQ(OneNode::torch("mean").arg("self", Int64, {2}).attr("dtype", Float32).run().type(), "float32[]");
}

TEST(Reduction, TorchValuesAndIndices) {
  OneNode n = OneNode::torch("max", "dim");
  n.arg("self", Float32, {2, "s0"}).attr("dim", 0).attr("keepdim", 1).run(2);
  EXPECT_EQ(n.type(0) + n.type(1), "float32[1, s0]int64[1, s0]");
  OneNode two = OneNode::torch("max", "other");
  two.arg("self", Float32, {2}).arg("other", Float64, {1, 1}).run();
  EXPECT_EQ(two.type(), "float64[1, 2]");
}

TEST(Reduction, SoftmaxTakesADtype) {
  EXPECT_EQ(
      OneNode::torch("softmax", "int").arg("self", Float16, {2, 3}).attr("dim", -1).attr("dtype", Float32).run().type(),
      "float32[2, 3]");
  EXPECT_EQ(OneNode::torch("_softmax").arg("self", Float16, {2}).attr("dim", 0).attr("half_to_float", 1).run().type(),
            "float32[2]");
}

/// `keepdims` is 1 or it is not (onnx's inference, ONNX Runtime).
TEST(Reduction, OnnxKeepsDimensionsForOneOnly) {
  EXPECT_EQ(onnx("ReduceMax", 18).attr("keepdims", 2).run().type(), "float32[]");
  EXPECT_EQ(onnx("ReduceMax", 18).attr("keepdims", 1).run().type(), "float32[1, 1, 1]");
}

TEST(Reduction, SumToOneNumber) {
  const auto sum = [](std::vector<OneNode::Size> from, std::vector<std::int64_t> size) {
    return OneNode::torch("sum_to_size").arg("self", Bool, std::move(from)).ints("size", std::move(size)).run().type();
  };
  EXPECT_EQ(sum({}, {}), "int64[]"); // always summed
  EXPECT_EQ(sum({3}, {3}), "bool[3]");
}

} // namespace

TEST(Reduction, TheKthOfSoMany) {
  const auto kth = [](OneNode::Size size, std::int64_t k) {
    OneNode n = OneNode::exported("kthvalue");
    return n.arg("self", Float32, {2, size}).attr("k", k).run(2).rejected();
  };
  EXPECT_EQ(kth(3, 3), "");
  EXPECT_EQ(kth("n", 9), "");
  EXPECT_NE(kth(3, 4), "");
}

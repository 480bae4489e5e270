//===- CreationTest.cpp - Factories and random tensors --------------------===//
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

using Numbers = std::vector<std::int64_t>;

TEST(Creation, OnnxRange) {
  OneNode n = OneNode::onnx("Range", 11);
  n.numbers({1}, true).numbers({10}, true).numbers({3}, true).run();
  EXPECT_EQ(n.type(), "int64[3]");
  EXPECT_EQ(n.content(), (Numbers{1, 4, 7}));
  OneNode none = OneNode::onnx("Range", 11);
  none.numbers({10}, true).numbers({1}, true).numbers({3}, true).run();
  EXPECT_EQ(none.type(), "int64[0]");
  OneNode zero = OneNode::onnx("Range", 11);
  zero.numbers({0}, true).numbers({1}, true).numbers({0}, true).run();
  EXPECT_EQ(zero.type(), "int64[?]");
}

// Kernels take a vector of one number, where not all three are known as the model is loaded.
TEST(Creation, OnnxRangeOfVectors) {
  const auto refused = [](OneNode &n) { return n.run().rejected(); };
  EXPECT_EQ(refused(OneNode::onnx("Range", 11).in(Int64, {}).numbers({10}).numbers({3})), "");
  EXPECT_NE(refused(OneNode::onnx("Range", 11).in(Int64, {}).numbers({10, 11}).numbers({3})), "");
  EXPECT_EQ(refused(OneNode::onnx("Range", 11).in(Int64, {}).in(Int64, {"n"}).numbers({3})), "");
  EXPECT_NE(refused(OneNode::onnx("Range", 11).in(Int64, {}).in(Int64, {2}).numbers({3})), "");
}

TEST(Creation, OnnxConstantInAllItsForms) {
  EXPECT_EQ(OneNode::onnx("Constant", 13).attr("value_int", 5).run().content(), Numbers{5});
  EXPECT_EQ(OneNode::onnx("Constant", 13).ints("value_ints", {1, 2}).run().type(), "int64[2]");
  EXPECT_EQ(OneNode::onnx("Constant", 13).real("value_float", 1.5).run().type(), "float32[]");
  EXPECT_EQ(OneNode::onnx("Constant", 13).reals("value_floats", {1, 2, 3}).run().type(), "float32[3]");
  EXPECT_EQ(OneNode::onnx("Constant", 13).attr("value_string", "a").run().type(), "string[]");
  EXPECT_EQ(OneNode::onnx("Constant", 13).strings("value_strings", {"a"}).run().type(), "string[1]");
  EXPECT_EQ(OneNode::onnx("Constant", 13).run().type(), "unknown");
}

TEST(Creation, OnnxConstantOfShape) {
  EXPECT_EQ(OneNode::onnx("ConstantOfShape", 9).numbers({2, 3}).run().type(), "float32[2, 3]");
  EXPECT_EQ(OneNode::onnx("ConstantOfShape", 9).in(Int64, {3}).run().type(), "float32[?, ?, ?]");
  EXPECT_EQ(OneNode::onnx("ConstantOfShape", 9).in(Int64, {"k"}).run().type(), "float32[...]");
}

TEST(Creation, OnnxRandom) {
  EXPECT_EQ(OneNode::onnx("RandomNormal", 1).ints("shape", {2, 3}).run().type(), "float32[2, 3]");
  EXPECT_EQ(OneNode::onnx("RandomUniformLike", 1).in(Float16, {"N"}).attr("dtype", 11).run().type(), "float64[N]");
  EXPECT_EQ(OneNode::onnx("Multinomial", 7).in(Float32, {"N", 5}).attr("sample_size", 4).run().type(), "int32[N, 4]");
  OneNode dropout = OneNode::onnx("Dropout", 13), old = OneNode::onnx("Dropout", 7);
  EXPECT_EQ(dropout.in(Float32, {2}).run(2).type(1), "bool[2]");
  EXPECT_EQ(old.in(Float32, {2}).run(2).type(1), "float32[2]");
}

TEST(Creation, DropoutIsRandomOnlyInTraining) {
  auto random = [](OneNode n) { return effectsOf(n.m, n.node).random; };
  auto torch = [](int train) {
    OneNode n = OneNode::torch("dropout");
    n.arg("input", Float32, {2}).real("p", 0.5).attr("train", train).run();
    return n;
  };
  EXPECT_TRUE(random(torch(1)));
  EXPECT_FALSE(random(torch(0)));
  OneNode inference = OneNode::onnx("Dropout", 13), training = OneNode::onnx("Dropout", 13);
  inference.in(Float32, {2}).run();
  training.in(Float32, {2}).in(Float32, {}).in(Bool, {}).run();
  EXPECT_FALSE(random(std::move(inference)));
  EXPECT_TRUE(random(std::move(training)));
  OneNode rand = OneNode::torch("rand");
  rand.ints("size", {2}).run();
  EXPECT_TRUE(random(std::move(rand)));
}

TEST(Creation, TorchFactories) {
  EXPECT_EQ(OneNode::torch("full").ints("size", {2}).attr("fill_value", 1).run().type(), "int64[2]");
  EXPECT_EQ(OneNode::torch("full").ints("size", {}).real("fill_value", 1).run().type(), "float32[]");
  EXPECT_EQ(OneNode::torch("arange", "start_step").attr("start", 0).attr("end", 10).attr("step", 4).run().type(),
            "int64[3]");
  EXPECT_EQ(OneNode::torch("arange").real("end", 2.5).run().type(), "float32[3]");
}

TEST(Creation, ARangeLeadsSomewhere) {
  const auto range = [](std::int64_t start, std::int64_t end, std::int64_t step) {
    OneNode n = OneNode::exported("arange", "start_step");
    return n.attr("start", start).attr("end", end).attr("step", step).run().rejected();
  };
  EXPECT_EQ(range(0, 3, 2), "");
  EXPECT_EQ(range(3, 0, -2), "");
  EXPECT_EQ(range(3, 3, 1), "");
  EXPECT_EQ(range(-1, -2, 2), "arange: no steps of 2 lead from -1 to -2");
  EXPECT_EQ(range(0, 3, 0), "arange: the step is 0");
}

TEST(Creation, APhysicalLayoutNamesEachAxisOnce) {
  const auto permuted = [](std::vector<std::int64_t> layout) {
    OneNode n = OneNode::exported("empty_permuted");
    return n.ints("size", {2, 3}).ints("physical_layout", std::move(layout)).run().rejected();
  };
  EXPECT_EQ(permuted({1, 0}), "");
  EXPECT_EQ(permuted({0, 99}), "empty_permuted: 'physical_layout' does not name each of 2 axes once");
  EXPECT_NE(permuted({0, -1}), ""); // torch takes no axes from the end here
  EXPECT_NE(permuted({0, 0}), "");
  EXPECT_EQ(permuted({0}), "'size' has 2 entries and 'physical_layout' has 1");
}

TEST(Creation, TorchSymbolicSizes) {
  OneNode n = OneNode::torch("arange", "start_step");
  Type t;
  t.kind = ValueKind::SymInt;
  n.attr("start", 0).arg("end", t).attr("step", 2).run();
  EXPECT_EQ(n.type(), "int64[?]");
  const Dim content[] = {n.m.dims.symbol("s0", SymbolOrigin::Declared, {2, 8})};
  n.m[n.m.operands(n.node)[0]].content = n.m.addContent(content);
  inferTypes(n.m);
  EXPECT_EQ(n.type(), "int64[(s0 + 1)//2]");
}

TEST(Creation, LikeKeepsTheLayout) {
  OneNode n = OneNode::torch("zeros_like");
  Type t = n.tensorType(Float32, {2, 3});
  const std::vector<Dim> strides{n.m.dims.constant(1), n.m.dims.constant(2)};
  t.strides = strides;
  t.hasStrides = true;
  t.layout = Layout::Strided;
  n.arg("self", t).run();
  const Type &result = n.m.type(n.m.result(n.node, 0));
  ASSERT_TRUE(result.hasStrides);
  EXPECT_EQ(n.m.dims.asConstant(result.strides[0]), 1);
}

TEST(Creation, SparseTensorsHaveTheirValuesType_R8) {
  const auto layoutOf = [](OneNode &n) { return n.resultType().layout; };
  OneNode sized = OneNode::torch("sparse_coo_tensor", "indices_size");
  sized.arg("indices", Int64, {2, 5}).arg("values", Float64, {5}).ints("size", {4, 6}).run();
  EXPECT_EQ(sized.type(), "float64[4, 6]");
  EXPECT_EQ(layoutOf(sized), Layout::SparseCoo);
  OneNode unsized = OneNode::torch("sparse_coo_tensor", "indices");
  unsized.arg("indices", Int64, {2, 5}).arg("values", Float32, {5, 3}).run();
  EXPECT_EQ(unsized.resultType().dims.size(), 3u);
  OneNode open = OneNode::torch("sparse_coo_tensor", "indices");
  open.arg("indices", open.rankless(Int64)).arg("values", Float32, {5}).run();
  EXPECT_FALSE(open.resultType().hasRank);
  EXPECT_EQ(layoutOf(open), Layout::SparseCoo);
  OneNode rows = OneNode::torch("sparse_csr_tensor", "crow_col_value");
  rows.arg("crow_indices", Int64, {5}).arg("col_indices", Int64, {7}).arg("values", Float32, {7}).run();
  EXPECT_EQ(rows.resultType().dims.size(), 2u);
  EXPECT_EQ(layoutOf(rows), Layout::SparseCsr);
  OneNode blocks = OneNode::torch("sparse_bsr_tensor", "crow_col_value");
  blocks.arg("crow_indices", Int64, {5}).arg("col_indices", Int64, {7}).arg("values", Float32, {7, 2, 2}).run();
  EXPECT_EQ(blocks.resultType().dims.size(), 2u);
  OneNode empty = OneNode::torch("sparse_coo_tensor", "size");
  empty.ints("size", {4, 4}).run();
  EXPECT_EQ(empty.type(), "float32[4, 4]");
}

} // namespace

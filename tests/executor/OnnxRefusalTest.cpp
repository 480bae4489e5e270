//===- OnnxRefusalTest.cpp - What ONNX Runtime's kernels refuse in a run --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneKernel.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

Array floats(const std::string &name, std::vector<std::int64_t> shape, const std::vector<double> &values) {
  return array(name, DType::Float32, std::move(shape), values);
}

std::string node(const std::string &op, int opset, const std::string &operands, const std::vector<Array> &inputs,
                 const std::string &attributes = {}, const std::string &results = R"("r")") {
  return computed(fmt::format(R"("dialect": "onnx", "opsets": {{"": {}}})", opset),
                  fmt::format(R"({{"op": "{}", "operands": [{}], "attributes": [{}], "results": [{}]}})", op, operands,
                              attributes, results),
                  inputs);
}

TEST(OnnxRefusal, PartsOfASplitAreEqualButTheLast) {
  const Array x = floats("x", {5}, {1, 2, 3, 4, 5});
  const std::string two = R"({"name": "num_outputs", "int": 2})", four = R"({"name": "num_outputs", "int": 4})";
  EXPECT_EQ(node("Split", 18, R"("x")", {x}, two, R"("r", "s")"), "float32[3]: 1, 2, 3");
  EXPECT_TRUE(refused(node("Split", 13, R"("x")", {x}, "", R"("r", "s")")));
  EXPECT_TRUE(refused(node("Split", 2, R"("x")", {x}, "", R"("r", "s")")));
  EXPECT_TRUE(refused(node("Split", 18, R"("x")", {x}, four, R"("r", "s", "t", "u")"))) << "2, 2, 1 and -1";
  EXPECT_TRUE(refused(node("Split", 18, R"("x")", {x}, "", R"("r", "s")"))) << "nobody says how";
  EXPECT_EQ(node("Split", 13, R"("x")", {floats("x", {4}, {1, 2, 3, 4})}, "", R"("r", "s")"), "float32[2]: 1, 2");
}

TEST(OnnxRefusal, NothingIsStretchedBeforeVersion8) {
  const std::vector<Array> two{floats("x", {1, 2}, {1, 2}), floats("y", {2}, {3, 1})};
  const std::vector<Array> same{floats("x", {2}, {1, 2}), floats("y", {2}, {3, 1})};
  for (const char *op : {"Sum", "Mean", "Max", "Min"}) {
    EXPECT_TRUE(refused(node(op, 6, R"("x", "y")", two))) << op;
    EXPECT_FALSE(refused(node(op, 8, R"("x", "y")", two))) << op;
    EXPECT_FALSE(refused(node(op, 6, R"("x", "y")", same))) << op;
  }
}

TEST(OnnxRefusal, PoolsHaveNoFewerPlacesThanNone) {
  const auto pooled = [](const char *op, int window, int step, int ceiling) {
    return node(op, 19, R"("x")", {floats("x", {1, 1, 3}, {1, 2, 3})},
                fmt::format(R"({{"name": "kernel_shape", "ints": [{}]}}, {{"name": "strides", "ints": [{}]}},
                               {{"name": "ceil_mode", "int": {}}})",
                            window, step, ceiling));
  };
  for (const char *op : {"MaxPool", "AveragePool"}) {
    EXPECT_TRUE(refused(pooled(op, 5, 1, 0))) << op;
    EXPECT_TRUE(refused(pooled(op, 5, 1, 1))) << op;
    EXPECT_TRUE(refused(pooled(op, 99, 3, 1))) << op;
    EXPECT_EQ(pooled(op, 6, 3, 0), "float32[1, 1, 0]: ") << op;
    EXPECT_EQ(pooled(op, 6, 3, 1), "float32[1, 1, 0]: ") << op;
    EXPECT_EQ(pooled(op, 4, 1, 0), "float32[1, 1, 0]: ") << op;
    EXPECT_FALSE(refused(pooled(op, 3, 2, 1))) << op;
  }
}

TEST(OnnxRefusal, ARatioLeavesSomething) {
  const auto dropped = [](double ratio) {
    return node("Dropout", 13, R"("x", "p")", {floats("x", {2}, {1, 2}), floats("p", {}, {ratio})});
  };
  EXPECT_EQ(dropped(0.5), "float32[2]: 1, 2");
  EXPECT_TRUE(refused(dropped(1)));
  EXPECT_TRUE(refused(dropped(-1)));
}

TEST(OnnxRefusal, WeightsAreForTheHiddenSizeThatIsNamed) {
  const auto run = [](int hidden) {
    return node("RNN", 14, R"("x", "w", "h")",
                {floats("x", {1, 1, 1}, {1}), floats("w", {1, 1, 1}, {0}), floats("h", {1, 1, 1}, {0})},
                fmt::format(R"({{"name": "hidden_size", "int": {}}})", hidden));
  };
  EXPECT_EQ(run(1), "float32[1, 1, 1, 1]: 0");
  EXPECT_TRUE(refused(run(2)));
}

TEST(OnnxRefusal, EdgesOfMelBandsAreInTheSpectrum) {
  const auto weights = [](double low, double high) {
    return node("MelWeightMatrix", 17, R"("n", "d", "s", "l", "h")",
                {array("n", DType::Int64, {}, {2}), array("d", DType::Int64, {}, {8}),
                 array("s", DType::Int64, {}, {8}), floats("l", {}, {low}), floats("h", {}, {high})});
  };
  EXPECT_FALSE(refused(weights(0, 4)));
  EXPECT_TRUE(refused(weights(0, 8)));
  EXPECT_TRUE(refused(weights(-1, 4)));
}

TEST(OnnxRefusal, NoAxisIsSlicedTwice) {
  const auto sliced = [](double second) {
    return node(
        "Slice", 13, R"("x", "s", "e", "a")",
        {floats("x", {2, 2}, {1, 2, 3, 4}), indices("s", {0, 0}), indices("e", {1, 1}), indices("a", {0, second})});
  };
  EXPECT_EQ(sliced(1), "float32[1, 1]: 1");
  EXPECT_TRUE(refused(sliced(0)));
  EXPECT_TRUE(refused(sliced(-2)));
}

TEST(OnnxRefusal, BlocksCoverTheAxisOnce) {
  const auto scaled = [](std::int64_t scales) {
    return node("DequantizeLinear", 21, R"("x", "s")",
                {array("x", DType::Int8, {4}, {1, 2, 3, 4}),
                 floats("s", {scales}, std::vector<double>(static_cast<std::size_t>(scales), 2))},
                R"({"name": "block_size", "int": 2}, {"name": "axis", "int": 0})");
  };
  EXPECT_EQ(scaled(2), "float32[4]: 2, 4, 6, 8");
  EXPECT_TRUE(refused(scaled(3)));
}

TEST(OnnxRefusal, UpdatesHaveTheShapeThatIndicesAskFor) {
  const auto scattered = [](std::vector<std::int64_t> shape) {
    return node("ScatterND", 18, R"("x", "i", "u")",
                {floats("x", {2, 2}, {1, 2, 3, 4}), array("i", DType::Int64, {1, 1}, {1}),
                 floats("u", std::move(shape), {5, 6})});
  };
  EXPECT_EQ(scattered({1, 2}), "float32[2, 2]: 1, 2, 5, 6");
  EXPECT_TRUE(refused(scattered({2})));
  EXPECT_TRUE(refused(scattered({1, 1, 2})));
}

TEST(OnnxRefusal, SlopesAndOperandsAreStretchedAlike) {
  EXPECT_EQ(node("PRelu", 16, R"("x", "s")", {floats("x", {1}, {-1}), floats("s", {2}, {2, 3})}), "float32[2]: -2, -3");
}

} // namespace
} // namespace condlint::test

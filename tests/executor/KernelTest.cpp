//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What kernels compute at the edges of types, and what they refuse as torch and ONNX do.
#include "Samples.h"

namespace condlint::test {
namespace {

/// The results of one node on \p inputs.
std::string computed(const std::string &dialect, const std::string &node, const std::vector<Array> &inputs,
                     const std::string &results = R"("r")") {
  std::string parameters;
  for (const Array &a : inputs)
    parameters += (parameters.empty() ? "" : ", ") +
                  value(a.name, fmt::format("{}[{}]", dtypeName(a.dtype), fmt::join(a.shape, ", ")));
  return Session(
             fmt::format(
                 R"({{"condlint": "graph-1", {}, "graph": {{"parameters": [{}], "nodes": [{}], "results": [{}]}}}})",
                 dialect, parameters, node, results))
      .run(inputs);
}
std::string torch(const std::string &op, const std::string &attributes, const std::vector<Array> &inputs,
                  const std::string &results = R"("r")") {
  return computed(R"("dialect": "torch", "version": "2.13")",
                  fmt::format(R"({{"op": "aten.{}", "attributes": [{}], "results": [{}]}})", op, attributes, results),
                  inputs);
}
std::string onnxNode(const std::string &op, const std::string &operands, const std::vector<Array> &inputs,
                     const std::string &attributes = {}) {
  return computed(R"("dialect": "onnx", "opsets": {"": 20})",
                  fmt::format(R"({{"op": "{}", "operands": [{}], "attributes": [{}], "results": ["r"]}})", op, operands,
                              attributes),
                  inputs);
}
std::string operand(const std::string &name) { return fmt::format(R"({{"name": "{0}", "operand": "{0}"}})", name); }
Array indices(const std::string &name, const std::vector<double> &values) {
  return array(name, DType::Int64, {static_cast<std::int64_t>(values.size())}, values);
}
bool refused(const std::string &outcome) { return outcome.starts_with("error: "); }

TEST(NegativeIndices, AreRefusedWhereTorchRefusesThem) {
  const Array x = floats("self", {1, 2, 3, 4});
  for (const double last : {-1.0, 3.0}) {
    const Array at = indices("index", {0, last}), source = floats("src", {7, 8});
    const std::string along = R"({"name": "dim", "int": 0}, )" + operand("index");
    const auto gathered = [&](const std::string &op, const std::string &more, std::vector<Array> inputs) {
      return torch(op, operand("self") + ", " + along + more, inputs);
    };
    EXPECT_EQ(refused(gathered("gather.default", "", {x, at})), last < 0);
    EXPECT_EQ(refused(gathered("index_select.default", "", {x, at})), last < 0);
    EXPECT_EQ(refused(gathered("scatter.src", ", " + operand("src"), {x, at, source})), last < 0);
    EXPECT_EQ(refused(gathered("scatter_add.default", ", " + operand("src"), {x, at, source})), last < 0);
    Array other = source;
    other.name = "source";
    EXPECT_EQ(refused(gathered("index_add.default", ", " + operand("source"), {x, at, other})), last < 0);
    EXPECT_EQ(refused(gathered("index_copy.default", ", " + operand("source"), {x, at, other})), last < 0);
    Array weight = array("weight", DType::Float32, {4, 1}, {1, 2, 3, 4}), rows = at;
    rows.name = "indices";
    EXPECT_EQ(refused(torch("embedding.default", operand("weight") + ", " + operand("indices"), {weight, rows})),
              last < 0);
  }
}

TEST(NegativeIndices, CountFromTheEndWhereTheyDo) {
  const Array x = floats("self", {1, 2, 3, 4}), at = indices("index", {0, -1});
  EXPECT_EQ(torch("take.default", operand("self") + ", " + operand("index"), {x, at}), "float32[2]: 1, 4");
  EXPECT_EQ(torch("index.Tensor", operand("self") + R"(, {"name": "indices", "operands": ["index"]})", {x, at}),
            "float32[2]: 1, 4");
  EXPECT_EQ(torch("index_fill.int_Scalar",
                  operand("self") + R"(, {"name": "dim", "int": 0}, )" + operand("index") +
                      R"(, {"name": "value", "int": 9})",
                  {x, at}),
            "float32[4]: 9, 2, 3, 9");
  EXPECT_EQ(onnxNode("Gather", R"("self", "index")", {x, at}), "float32[2]: 1, 4");
  EXPECT_EQ(onnxNode("GatherElements", R"("self", "index")", {x, at}), "float32[2]: 1, 4");
  EXPECT_EQ(onnxNode("ScatterElements", R"("self", "index", "u")", {x, at, floats("u", {7, 8})}),
            "float32[4]: 7, 2, 3, 8");
}

TEST(Kernels, ADeviationIsNotLostInItsVariance) {
  const Array x = array("self", DType::Float16, {2}, {1000, -1000});
  const std::string more = R"(, {"name": "dim", "ints": [0]}, {"name": "correction", "int": 0})";
  EXPECT_EQ(torch("std.correction", operand("self") + more, {x}), "float16[]: 1000");
  EXPECT_EQ(torch("var.correction", operand("self") + more, {x}), "float16[]: inf");
  EXPECT_TRUE(refused(torch("var.correction", operand("self") + more, {indices("self", {1, 2})})));
}

TEST(Kernels, TheSignOfNanIsZeroInTorchAndNanInOnnx) {
  const Array x = floats("self", {std::nan(""), -2, 0});
  EXPECT_EQ(torch("sign.default", operand("self"), {x}), "float32[3]: 0, -1, 0");
  EXPECT_EQ(onnxNode("Sign", R"("self")", {x}), "float32[3]: nan, -1, 0");
}

TEST(Kernels, NanIsEachForItselfInTorchAndAllAlikeInOnnx) {
  const double nan = std::nan("");
  const Array x = floats("self", {nan, 2, nan, 1, 2});
  const std::string three = R"("r", "inverse", "counts")";
  EXPECT_EQ(torch("_unique2.default", operand("self"), {x}, three), "float32[4]: 1, 2, nan, nan");
  EXPECT_EQ(onnxNode("Unique", R"("self")", {x}), "float32[3]: 1, 2, nan");
  EXPECT_EQ(torch("unique_dim.default", operand("self") + R"(, {"name": "dim", "int": 0})", {x}, three),
            "float32[4]: 1, 2, nan, nan");
  EXPECT_TRUE(refused(torch("unique_dim.default", operand("self") + R"(, {"name": "dim", "int": 0})",
                            {array("self", DType::Float32, {}, {1})}, three)));
}

TEST(Kernels, HeavisideTakesItsValuesAtZero) {
  EXPECT_EQ(torch("heaviside.default", operand("self") + ", " + operand("values"),
                  {floats("self", {-1, 0, 2}), floats("values", {5, 6, 7})}),
            "float32[3]: 0, 6, 1");
}

TEST(Kernels, TheNextFloatIsThatOfTheElementType) {
  const auto next = [](DType t, double a, double b) {
    return torch("nextafter.default", operand("self") + ", " + operand("other"),
                 {array("self", t, {}, {a}), array("other", t, {}, {b})});
  };
  EXPECT_EQ(next(DType::Float16, 1, 2), "float16[]: 1.0009765625");
  EXPECT_EQ(next(DType::Float16, 1, 0), "float16[]: 0.99951171875");
  EXPECT_EQ(next(DType::Float16, -65504, -INFINITY), "float16[]: -inf");
  EXPECT_EQ(next(DType::Float16, INFINITY, 0), "float16[]: 65504");
  EXPECT_EQ(next(DType::Float16, 0, -1), "float16[]: -5.960464477539063e-08");
  EXPECT_EQ(next(DType::BFloat16, 1, 2), "bfloat16[]: 1.0078125");
  EXPECT_EQ(next(DType::Float64, 1, 1), "float64[]: 1");
}

TEST(Kernels, WhatTorchDoesNotDefineIsRefused) {
  const Array yes = array("self", DType::Bool, {2}, {1, 0}), none = array("self", DType::Float32, {0}, {});
  for (const char *op : {"neg.default", "relu.default", "argmax.default"})
    EXPECT_TRUE(refused(torch(op, operand("self"), {yes}))) << op;
  EXPECT_TRUE(refused(torch("sub.Tensor", operand("self") + R"(, {"name": "other", "operand": "self"})", {yes})));
  EXPECT_TRUE(refused(torch("amax.default", operand("self") + R"(, {"name": "dim", "ints": [0]})", {none})));
  const Array mask = floats("mask", {1, 0}), x = floats("self", {1, 2});
  EXPECT_TRUE(refused(torch("masked_fill.Scalar",
                            operand("self") + ", " + operand("mask") + R"(, {"name": "value", "int": 1})", {x, mask})));
}

TEST(Refused, WhatInferenceRefusesDoesNotRun) {
  OnnxIf m;
  m.yes.nodes = onnx("Not", R"("x")", "a");
  auto read = readJson(FileBytes::copy(m.json()), "test.json");
  ASSERT_TRUE(read);
  ExecutorOptions options = onTestDevice();
  options.refused = inferTypes(read->front()).invalid;
  ASSERT_EQ(options.refused.size(), 1U);
  // ONNX is well-typed before anything runs.
  const auto taken = Executor::create(read->front(), options);
  ASSERT_FALSE(taken);
  EXPECT_TRUE(taken.error().place.starts_with("main/If_0/then_branch/"));
  options.bothBranches = true;
  auto both = Executor::create(read->front(), options);
  ASSERT_TRUE(both);
  auto inputs = (*both)->bind(std::vector<Array>{truth("c", false), floats("x", {1, 2, 3, 4})});
  ASSERT_TRUE(inputs);
  EXPECT_TRUE((*both)->run(*inputs));
  ASSERT_EQ((*both)->conditionals().size(), 1U);
  EXPECT_FALSE((*both)->conditionals()[0].ran[0]);
  EXPECT_TRUE((*both)->conditionals()[0].ran[1]);
}

TEST(Refused, AResultThatNothingDefines) {
  TorchCond c = soundCond();
  c.results = R"({"undefined": "nowhere"})";
  Session s(c.json());
  EXPECT_NE(s.run({truth("p", true), floats("x", {1, 2, 3, 4})}).find("main: returns 'nowhere', which nothing defines"),
            std::string::npos);
}

} // namespace
} // namespace condlint::test

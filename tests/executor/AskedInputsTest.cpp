//===- AskedInputsTest.cpp - Inputs that predicates ask for ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "validation/AskedInputs.h"
#include "Samples.h"
#include "condlint/Conditional.h"
#include <set>

namespace condlint::test {
namespace {

/// The values that the model's first result, a predicate, had in runs on the inputs that are asked for.
std::string seen(const std::string &json) {
  auto models = readJson(FileBytes::copy(json), "test.json");
  if (!models) {
    ADD_FAILURE() << models.error().str() << "\n" << json;
    return {};
  }
  Model &m = models->front();
  inferTypes(m);
  auto executor = Executor::create(m, {}, openConstants);
  if (!executor) {
    ADD_FAILURE() << executor.error().str();
    return {};
  }
  const std::vector<Conditional> all = conditionals(m);
  std::set<std::string> values;
  for (const AskedInputs &asked : askedInputs(m, all)) {
    auto drawn = (*executor)->draw(7, 1, asked.sizes);
    if (!drawn)
      continue;
    std::vector<Array> arrays;
    for (std::size_t i = 0; i < drawn->size(); ++i) {
      auto a = (*executor)->toArray((*drawn)[i]);
      a->name = fmt::format("in{}", i);
      putAsked(asked, (*executor)->inputs()[i], *a);
      arrays.push_back(std::move(*a));
    }
    const auto bound = (*executor)->bind(arrays);
    if (!bound) {
      ADD_FAILURE() << bound.error().str();
      continue;
    }
    const auto results = (*executor)->run(*bound);
    values.insert(results ? spelled(*(*executor)->toArray(results->front())) : "failed");
  }
  return fmt::format("{}", fmt::join(values, " "));
}

/// A conditional on \p predicate, which \p nodes (each before a comma) make of x and k.
std::string on(const std::string &nodes, const std::string &predicate, const std::string &x = "float32[4]",
               const std::string &k = "int64[3]") {
  TorchCond c = soundCond(x);
  c.parameters = value("x", x) + ", " + value("k", k);
  c.before = nodes;
  c.predicate = fmt::format(R"({{"operand": "{}"}})", predicate);
  c.results = fmt::format(R"("{}", "y")", predicate);
  return c.json();
}

std::string compared(const std::string &op, const std::string &of, const std::string &other,
                     const std::string &type = "bool[]") {
  return aten(op + ".Scalar", of, "q", type, fmt::format(R"(, {{"name": "other", {}}})", other)) + ", ";
}

const std::string both = "bool[]: 0 bool[]: 1";

TEST(AskedInputs, ASumThatIsPositiveAndOneThatIsNot) {
  const std::string sum = aten("sum.default", "x", "s", "float32[]") + ", ";
  EXPECT_EQ(seen(on(sum + compared("gt", "s", R"("int": 0)"), "q")), both);
  EXPECT_EQ(seen(on(sum + compared("le", "s", R"("float": -250.5)"), "q")), both);
  EXPECT_EQ(seen(on(aten("mean.default", "x", "s", "float32[]") + ", " + compared("ge", "s", R"("int": 1000)"), "q")),
            both);
  EXPECT_EQ(seen(on(aten("abs.default", "x", "a", "float32[4]") + ", " + aten("sum.default", "a", "s", "float32[]") +
                        ", " + compared("gt", "s", R"("int": 77)"),
                    "q")),
            both);
}

TEST(AskedInputs, IntegersThatAreNegativeOrLarge) {
  const std::string most = aten("max.default", "k", "s", "int64[]") + ", ";
  EXPECT_EQ(seen(on(most + compared("lt", "s", R"("int": -5)"), "q")), both);
  EXPECT_EQ(seen(on(most + compared("gt", "s", R"("int": 50000)"), "q")), both);
  EXPECT_EQ(seen(on(most + compared("eq", "s", R"("int": 12345)"), "q")), both);
  EXPECT_EQ(seen(on(most + compared("ne", "s", R"("int": -3)"), "q")), both);
  // On every element at once.
  EXPECT_EQ(
      seen(on(compared("ge", "k", R"("int": 9)", "bool[3]") + aten("all.default", "q", "r", "bool[]") + ", ", "r")),
      both);
}

TEST(AskedInputs, ThroughArithmeticAndLogic) {
  const std::string sum = aten("sum.default", "k", "s", "int64[]") + ", ";
  const auto other = [](int n) { return fmt::format(R"(, {{"name": "other", "int": {}}})", n); };
  EXPECT_EQ(
      seen(on(sum + aten("mul.Tensor", "s", "t", "int64[]", other(3)) + ", " +
                  aten("sub.Tensor", "t", "u", "int64[]", other(20)) + ", " + compared("gt", "u", R"("int": 400)"),
              "q")),
      both);
  EXPECT_EQ(
      seen(on(aten("isnan.default", "x", "n", "bool[4]") + ", " + aten("any.default", "n", "q", "bool[]") + ", ", "q")),
      both);
  EXPECT_EQ(
      seen(on(sum + compared("gt", "s", R"("int": 40)") + aten("logical_not.default", "q", "r", "bool[]") + ", ", "r")),
      both);
}

TEST(AskedInputs, ANumberThatIsReadFromATensor) {
  // u0 = k.sum().item(), which the model takes to be from 5 to 9; it asks whether u0 > 7.
  TorchCond c = soundCond();
  c.parameters = value("x", "float32[4]") + ", " + value("k", "int64[3]");
  c.symbols = R"("u0": {"min": 5, "max": 9})";
  c.before = aten("sum.default", "k", "s", "int64[]") + ", " +
             R"({"op": "aten.item.default", "attributes": [{"name": "self", "operand": "s"}],
                 "results": [{"name": "n", "type": "sym_int", "content": ["u0"]}]}, )" +
             R"({"op": "_operator.gt", "attributes": [{"name": "a", "operand": "n"}, {"name": "b", "int": 7}],
                 "results": [{"name": "q", "type": "sym_bool"}]}, )";
  c.predicate = R"({"operand": "q"})";
  c.results = R"("n", "y")";
  const std::string numbers = seen(c.json());
  EXPECT_NE(numbers.find(": 8"), std::string::npos) << numbers;
  EXPECT_NE(numbers.find(": 5"), std::string::npos) << numbers;
  EXPECT_EQ(numbers.find("failed"), std::string::npos) << numbers;
}

TEST(AskedInputs, SizesOfSeveralAxes) {
  OnnxIf i;
  i.parameters = value("x", "float32[h, w]");
  // h * w > 100
  i.before = onnx("Size", R"("x")", "n") + R"(, {"op": "Constant", "attributes": [{"name": "value_int", "int": 100}],
             "results": ["k"]}, )" +
             onnx("Greater", R"("n", "k")", "q") + ", ";
  i.inputs = R"("q")";
  i.results = R"("q", "y")";
  EXPECT_EQ(seen(i.json()), both);
}

TEST(AskedInputs, AFloatThatTheFileHolds) {
  OnnxIf i;
  i.parameters = value("x", "float32[n]");
  i.before = onnx("ReduceMax", R"("x")", "s", {}, R"({"name": "keepdims", "int": 0})") +
             R"(, {"op": "Constant", "attributes": [{"name": "value_float", "float": 40.5}], "results": ["k"]}, )" +
             onnx("Less", R"("k", "s")", "q") + ", ";
  i.inputs = R"("q")";
  i.results = R"("q", "y")";
  EXPECT_EQ(seen(i.json()), both);
}

TEST(AskedInputs, WhatIsNotUnderstoodAsksForNothing) {
  EXPECT_EQ(seen(on(aten("sin.default", "x", "s", "float32[4]") + ", " + aten("sum.default", "s", "t", "float32[]") +
                        ", " + compared("gt", "t", R"("int": 0)"),
                    "q")),
            "");
}

} // namespace
} // namespace condlint::test

//===- TorchLoopsTest.cpp - What while_loop, scan and map demand ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

using namespace condlint;

namespace {

std::string value(const std::string &name, const std::string &type) {
  return fmt::format(R"({{"name": "{}", "type": "{}"}})", name, type);
}

/// A node of one operand and one result.
std::string node(const std::string &op, const std::string &self, const std::string &result, const std::string &type) {
  return fmt::format(R"({{"op": "aten.{}", "attributes": [{{"name": "self", "operand": "{}"}}], "results": [{}]}})", op,
                     self, value(result, type));
}

std::string region(const std::string &parameters, const std::string &nodes, const std::string &results) {
  return fmt::format(R"({{"region": {{"parameters": [{}], "nodes": [{}], "results": [{}]}}}})", parameters, nodes,
                     results);
}

/// What is wrong with a model of one loop, joined: what its operators reject and what they disprove.
std::string faults(const std::string &parameters, const std::string &op, const std::string &arguments,
                   const std::string &results, Format format = Format::Json) {
  auto models = readJson(FileBytes::copy(fmt::format(
                             R"({{"condlint": "graph-1", "dialect": "torch", "graph": {{"parameters": [{}], "nodes": [
            {{"op": "higher_order.{}", "attributes": [{}], "results": [{}]}}], "results": []}}}})",
                             parameters, op, arguments, results)),
                         "test.json");
  if (!models)
    return models.error().str();
  models->front().info.format = format;
  const Inference found = inferTypes(models->front());
  std::string text;
  for (const InvalidOperand &i : found.invalid)
    text += (text.empty() ? "" : "; ") + i.message;
  for (const Contradiction &c : found.contradictions)
    text += fmt::format("{}{} {} is {}", text.empty() ? "" : "; ", c.facet, c.recorded, c.inferred);
  return text;
}

/// A while_loop that carries a counter i and a tensor x, and reads w.
struct While {
  std::string condition = region(value("i", "int64[]") + "," + value("x", "float32[4]") + "," + value("w", "bool[]"),
                                 node("logical_not.default", "i", "go", "bool[]"), R"("go")");
  std::string i = "int64[]", x = "float32[4]", w = "bool[]"; ///< what the body takes
  std::string nodes = node("neg.default", "i", "j", "int64[]") + "," + node("relu.default", "x", "y", "float32[4]");
  std::string yields = R"("j", "y")";
  std::string results = value("a", "int64[]") + "," + value("b", "float32[4]");

  std::string run() const {
    const std::string body = region(value("i", i) + "," + value("x", x) + "," + value("w", w), nodes, yields);
    return faults(value("i", "int64[]") + "," + value("x", "float32[4]") + "," + value("w", "bool[]"), "while_loop",
                  condition + "," + body + R"(, {"operands": ["i", "x"]}, {"operands": ["w"]})", results);
  }
};

TEST(TorchLoops, WhatIsCarriedComesBackAsItWas) {
  EXPECT_EQ(While().run(), "");
  const auto carrying = [](const std::string &op, const std::string &type) {
    While loop;
    loop.nodes = node("neg.default", "i", "j", "int64[]") + "," + node(op, "x", "y", type);
    return loop.run();
  };
  EXPECT_EQ(carrying("isnan.default", "bool[4]"), "what is carried begins as float32[4] and comes back as bool[4]");
  EXPECT_EQ(carrying("sum.default", "float32[]"), "what is carried begins as float32[4] and comes back as float32[]");
  EXPECT_EQ(carrying("tan.default", "float32[4]"), "");
  // A result whose record is a lie is reported as that.
  EXPECT_EQ(carrying("tan.default", "float64[4]"), "dtype float64 is float32");
  While swapped;
  swapped.yields = R"("y", "j")";
  EXPECT_EQ(swapped.run(), "what is carried begins as int64[] and comes back as float32[4]");
}

TEST(TorchLoops, AsManyValuesAsAreCarried) {
  While few, many, declared;
  few.yields = R"("j")";
  EXPECT_EQ(few.run(), "its body yields 1 value(s), but 2 are needed");
  many.yields = R"("j", "y", "y")";
  EXPECT_EQ(many.run(), "its body yields 3 value(s), but 2 are needed");
  declared.results += "," + value("c", "bool[]");
  EXPECT_EQ(declared.run(), "it yields 2 value(s), but 3 are declared");
}

TEST(TorchLoops, TheConditionIsOneBoolean) {
  const auto of = [](const std::string &operand, const std::string &op, const std::string &type, bool twice = false) {
    While loop;
    loop.condition = region(value("i", "int64[]") + "," + value("x", "float32[4]") + "," + value("w", "bool[]"),
                            node(op, operand, "go", type), twice ? R"("go", "go")" : R"("go")");
    return loop.run();
  };
  EXPECT_EQ(of("w", "logical_not.default", "bool[]"), "");
  EXPECT_EQ(of("i", "neg.default", "int64[]"), "its condition must yield one boolean without axes, but yields int64[]");
  EXPECT_EQ(of("x", "isnan.default", "bool[4]"),
            "its condition must yield one boolean without axes, but yields bool[4]");
  EXPECT_EQ(of("w", "logical_not.default", "bool[]", true),
            "its condition yields 2 values, but must yield one boolean");
}

TEST(TorchLoops, TheBodyTakesWhatItIsGiven) {
  While wide;
  wide.w += R"("}, {"name": "more", "type": "bool[])";
  EXPECT_EQ(wide.run(), "its body takes 4 value(s), but is given 3");
  // Nothing in the body fits its record: that of the parameter is what is wrong.
  While lying;
  lying.x = "float64[4]";
  EXPECT_EQ(lying.run(), "its body takes float64[4] for what is passed as float32[4]");
  While open;
  open.x = "float32[?]";
  EXPECT_EQ(open.run(), "");
}

TEST(TorchLoops, WhatIsDeclaredOfTheResults) {
  While dtype, open;
  dtype.results = value("a", "int64[]") + "," + value("b", "float64[4]");
  EXPECT_EQ(dtype.run(), "dtype float64 is float32");
  open.results = value("a", "int64[]") + "," + value("b", "float32[?]");
  EXPECT_EQ(open.run(), "");
}

/// A scan that carries c over the rows of xs.
std::string scan(const std::string &row, const std::string &carried, const std::string &stacked) {
  const std::string body = region(
      value("c", "float32[4]") + "," + value("x", row) + "," + value("w", "bool[]"),
      node("relu.default", "c", "d", "float32[4]") + "," + node("isnan.default", "x", "y", "bool[3]"), R"("d", "y")");
  return faults(value("c", carried) + "," + value("xs", "float32[5, 3]") + "," + value("w", "bool[]"), "scan",
                body + R"(, {"operands": ["c"]}, {"operands": ["xs"]}, {"operands": ["w"]})",
                value("a", "float32[4]") + "," + value("b", stacked));
}

TEST(TorchLoops, ScanRunsOverSlices) {
  EXPECT_EQ(scan("float32[3]", "float32[4]", "bool[5, 3]"), "");
  EXPECT_EQ(scan("float32[5, 3]", "float32[4]", "bool[5, 3]"),
            "its body takes float32[5, 3] for what is passed as float32[3]");
  EXPECT_EQ(scan("float32[3]", "float32[6]", "bool[5, 3]"),
            "its body takes float32[4] for what is passed as float32[6]");
  EXPECT_EQ(scan("float32[3]", "float32[4]", "bool[6, 3]"), "shape [6, 3] is [5, 3]");
}

TEST(TorchLoops, MapRunsOverSlices) {
  const auto map = [](const std::string &operands, const std::string &results, Format format = Format::Json) {
    const std::string body = region(value("x", "float32[3]") + "," + value("w", "bool[]"),
                                    node("isnan.default", "x", "y", "bool[3]"), R"("y")");
    return faults(value("xs", "float32[5, 3]") + "," + value("w", "bool[]"), "map_impl",
                  body + R"(, {"operands": ["xs"]}, {)" + operands + "}", results, format);
  };
  EXPECT_EQ(map(R"("operands": ["w"])", value("a", "bool[5, 3]")), "");
  EXPECT_EQ(map(R"("operands": [])", value("a", "bool[5, 3]")), "its body takes 2 value(s), but is given 1");
  EXPECT_EQ(map(R"("operands": ["w"])", value("a", "bool[5, 3]") + "," + value("b", "bool[5, 3]")),
            "its body yields 1 value(s), but at least 2 are needed");
  EXPECT_EQ(map(R"("none": true)", value("a", "bool[5, 3]"), Format::Pt2), "takes a list of values, but is given none");
  // Graph JSON need not say.
  EXPECT_EQ(map(R"("none": true)", value("a", "bool[5, 3]")), "");
}

} // namespace

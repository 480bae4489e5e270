//===- DrawingTest.cpp - What a picture shows -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Reader.h"
#include "condlint/Rule.h"
#include "report/drawing/DrawConditional.h"
#include "report/drawing/Svg.h"
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace condlint;

namespace {

std::string example(const std::string &name) { return std::string(CONDLINT_SOURCE_DIR) + "/examples/" + name; }

/// What is drawn of the models in \p path, with what is found of them.
InputReport drawn(const std::string &path, DrawingLimits limits = {DrawingLimits::Which::All}) {
  InputReport report;
  report.path = path;
  report.drawing = limits;
  auto models = readModel(path);
  EXPECT_TRUE(models) << path;
  if (!models)
    return report;
  for (Model &m : *models) {
    const std::vector<Target> targets{defaultTarget(m)};
    ModelResult found = check(m, targets, {});
    for (ModelResult::Of &of : found.targets)
      append(report, std::move(of.result.conditionals), {}, std::move(of.result.findings));
    drawInto(report, m, "");
  }
  return report;
}

const Drawing::Box *boxTitled(const Drawing::Side &s, std::string_view title) {
  const auto at = std::ranges::find(s.boxes, title, &Drawing::Box::title);
  return at == s.boxes.end() ? nullptr : &*at;
}

} // namespace

TEST(Drawing, AWriteIsOnTheWayFromTheOperandToWhatIsReturned) {
  const InputReport r = drawn(example("written_operand.pt2"));
  ASSERT_EQ(r.drawings.size(), 1U);
  const Drawing &d = r.drawings.front();
  ASSERT_EQ(d.sides.size(), 2U);
  const auto written = std::ranges::find_if(d.sides, [](const Drawing::Side &s) {
    return std::ranges::any_of(
        s.boxes, [](const Drawing::Box &b) { return b.isNamed && b.title.find("_.") != std::string::npos; });
  });
  ASSERT_NE(written, d.sides.end());
  const auto named = std::ranges::find(written->boxes, true, &Drawing::Box::isNamed);
  EXPECT_TRUE(named->isInSlice);
  EXPECT_FALSE(named->type.empty());
  ASSERT_NE(boxTitled(*written, "operand 0"), nullptr);
  EXPECT_TRUE(boxTitled(*written, "operand 0")->isInSlice);
}

TEST(Drawing, EveryConditionalOfAModelOnceAndTheWorstFirst) {
  const InputReport all = drawn(example("nested.onnx"));
  EXPECT_GE(all.drawings.size(), 2U);
  const InputReport wrong = drawn(example("nested.onnx"), {DrawingLimits::Which::WithFindings});
  EXPECT_LE(wrong.drawings.size(), all.drawings.size());
  const InputReport none = drawn(example("nested.onnx"), {});
  EXPECT_TRUE(none.drawings.empty());
}

TEST(Drawing, EdgesJoinBoxesThatAreThere) {
  for (const char *name : {"nested.onnx", "squeeze.onnx", "lengths.onnx", "early_exit.pt2", "returned_operand.pt2"}) {
    const InputReport r = drawn(example(name));
    EXPECT_FALSE(r.drawings.empty()) << name;
    for (const Drawing &d : r.drawings)
      for (const Drawing::Side &s : d.sides) {
        EXPECT_TRUE(std::ranges::any_of(s.boxes, [](const Drawing::Box &b) { return b.kind == Drawing::Kind::Output; }))
            << name;
        EXPECT_TRUE(std::ranges::any_of(s.boxes, &Drawing::Box::isInSlice)) << name;
        for (const Drawing::Edge &e : s.edges) {
          ASSERT_LT(e.from, s.boxes.size());
          ASSERT_LT(e.to, s.boxes.size());
        }
        EXPECT_TRUE(drawing::svgOf(s, drawing::Extent::Whole, "x").starts_with("<svg"));
      }
  }
}

namespace {

/// A conditional of torch whose true branch is a chain of \p n operators and whose other is one that yields float16;
/// all of it comes from one line.
InputReport chain(int n, DrawingLimits limits) {
  std::string nodes;
  for (int i = 0; i < n; ++i)
    nodes += fmt::format(
        R"({}{{"op": "aten.sin.default", "name": "n{}", "attributes": [{{"name": "self", "operand": "{}"}}], "results": [{{"name": "t{}"}}], "location": {{"path": "m.py", "line": 7}}}})",
        i == 0 ? "" : ", ", i, i == 0 ? "x" : fmt::format("t{}", i - 1), i);
  const auto region = [](const std::string &name, const std::string &list, const std::string &result) {
    return fmt::format(
        R"({{"region": {{"name": "{}", "parameters": [{{"name": "x", "type": "float32[4]"}}], "nodes": [{}], "results": ["{}"]}}}})",
        name, list, result);
  };
  const std::string other =
      R"({"op": "aten.to.dtype", "attributes": [{"name": "self", "operand": "x"}, {"name": "dtype", "dtype": "float16"}], "results": [{"name": "h"}], "location": {"path": "m.py", "line": 7}})";
  const std::string text = fmt::format(
      R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{"parameters": [{{"name": "p", "type": "bool[]"}}, {{"name": "x", "type": "float32[4]"}}], "nodes": [{{"op": "higher_order.cond", "name": "cond", "attributes": [{{"operand": "p"}}, {}, {}, {{"operands": ["x"]}}], "results": [{{"name": "y"}}], "location": {{"path": "m.py", "line": 7}}}}], "results": ["y"]}}}})",
      region("true_graph_0", nodes, fmt::format("t{}", n - 1)), region("false_graph_0", other, "h"));
  const std::string file = testing::TempDir() + fmt::format("condlint-chain-{}-{}.json", n, getpid());
  std::ofstream(file) << text;
  return drawn(file, limits);
}

} // namespace

TEST(Drawing, WhatDiffersIsMarkedOnBothSides) {
  const InputReport r = chain(5, {DrawingLimits::Which::WithFindings});
  ASSERT_EQ(r.drawings.size(), 1U);
  for (const Drawing::Side &s : r.drawings.front().sides) {
    ASSERT_NE(boxTitled(s, "output 0"), nullptr);
    EXPECT_TRUE(boxTitled(s, "output 0")->differs);
  }
  EXPECT_EQ(boxTitled(r.drawings.front().sides[1], "output 0")->type, "float16[4]");
  EXPECT_FALSE(drawing::isPartial(r.drawings.front().sides[0]));
}

TEST(Drawing, OfALineThatManyNodesComeFromThoseAreNamedThatAFindingNames) {
  const InputReport r = chain(5, {DrawingLimits::Which::WithFindings});
  ASSERT_EQ(r.drawings.size(), 1U);
  const auto &boxes = r.drawings.front().sides[0].boxes;
  EXPECT_LE(std::ranges::count_if(boxes, &Drawing::Box::isNamed), 2) << "what makes the output, and the output";
}

TEST(Drawing, OfAHugeBranchWhatMattersIsKept) {
  const InputReport r = chain(5000, {DrawingLimits::Which::All});
  ASSERT_EQ(r.drawings.size(), 1U);
  const Drawing::Side &s = r.drawings.front().sides[0];
  EXPECT_LT(s.boxes.size(), 60U);
  EXPECT_GT(s.leftOut, 4900U);
  EXPECT_TRUE(drawing::isPartial(s));
  ASSERT_NE(boxTitled(s, "output 0"), nullptr);
  EXPECT_NE(std::ranges::find(s.boxes, "n4999", &Drawing::Box::name), s.boxes.end()) << "what makes the output";
  EXPECT_EQ(std::ranges::count_if(s.boxes, [](const Drawing::Box &b) { return b.hiddenInputs != 0; }), 1)
      << "where the rest was cut off";
}

TEST(Drawing, AWholeBranchOfSomeHundredsIsKeptWithItsSlice) {
  const InputReport r = chain(300, {DrawingLimits::Which::All});
  const Drawing::Side &s = r.drawings.front().sides[0];
  EXPECT_EQ(s.leftOut, 0U);
  EXPECT_GE(s.boxes.size(), 300U);
  EXPECT_LT(std::ranges::count(s.boxes, true, &Drawing::Box::isInSlice), 60);
  EXPECT_TRUE(drawing::isPartial(s));
}

TEST(Drawing, ThereIsAnEndOfWhatIsKept) {
  DrawingLimits limits{DrawingLimits::Which::All};
  limits.boxesInAll = 10;
  const InputReport r = chain(300, limits);
  EXPECT_LT(r.drawings.front().sides[0].boxes.size(), 60U) << "what matters alone";
}

//===- GraphTest.cpp - Graphs of kernels, launched as recorded ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A run as one graph, whose conditionals the device decides: on the host that plays the
// GPU, and on a GPU.
#include "executor/Samples.h"

namespace condlint::test {
namespace {

class Graph : public testing::Test {
protected:
  void SetUp() override {
    if (testDevice() != "cuda")
      GTEST_SKIP() << "CONDLINT_TEST_DEVICE is not cuda";
  }
};

ExecutorOptions asGraph(std::uint64_t memoryLimit = 0) {
  ExecutorOptions o = onTestDevice();
  o.asGraph = true;
  o.memoryLimit = memoryLimit;
  return o;
}

const std::vector<double> one{1, 2, 3, 4}, two{5, 6, 7, 8};

/// What each of \p inputs yields as a graph, which is what it yields without one.
std::vector<std::string> bothWays(const std::string &json, const std::vector<std::vector<Array>> &inputs) {
  Session graph(json, asGraph()), nodes(json);
  std::vector<std::string> out;
  for (const std::vector<Array> &i : inputs) {
    out.push_back(graph.run(i));
    EXPECT_EQ(out.back(), nodes.run(i));
  }
  EXPECT_EQ(graph.executor->statistics().notOneGraph, "");
  EXPECT_EQ(graph.executor->statistics().graphLaunches, inputs.size());
  return out;
}

/// Why \p json is no graph; it runs all the same.
std::string obstacle(const std::string &json, const std::vector<Array> &inputs) {
  Session graph(json, asGraph()), nodes(json);
  EXPECT_EQ(graph.run(inputs), nodes.run(inputs));
  EXPECT_EQ(graph.ran, nodes.ran);
  EXPECT_EQ(graph.executor->statistics().graphLaunches, 0U);
  EXPECT_EQ(graph.executor->statistics().nodes, nodes.executor->statistics().nodes);
  return graph.executor->statistics().notOneGraph;
}

TEST_F(Graph, TheBranchChangesBetweenTwoLaunches) {
  Session s(soundCond().json(), asGraph());
  EXPECT_EQ(s.run({truth("p", true), floats("x", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  EXPECT_TRUE(s.hasRun("main/cond/true_graph_0/sin") && s.hasRun("main/cond/false_graph_0/cos")); // both are recorded
  EXPECT_EQ(s.run({truth("p", false), floats("x", {0, 0, 0, 0})}), "float32[4]: 1, 1, 1, 1");
  EXPECT_TRUE(s.ran.empty()); // the host runs no node
  EXPECT_EQ(s.executor->statistics().deviceConditionals, 1U);
}

TEST_F(Graph, OtherSizesAreAnotherGraph) {
  const auto input = [](bool p, const std::vector<double> &x) {
    return std::vector<Array>{truth("p", p), floats("x", x)};
  };
  bothWays(soundCond("float32").json(), {input(true, {1, 2}), input(false, one), input(false, {1, 2})});
}

/// An ONNX model that decides by the sum of x.
std::string decided(const std::string &nodes, const std::string &yes, const std::string &no) {
  const auto branch = [&](const std::string &name, const std::string &body) {
    return Region{"", body, R"("r")"}.json(name);
  };
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"parameters": [
      {{"name": "x", "type": "float32[4]"}}], "nodes": [{{"op": "ReduceSum", "operands": ["x"], "results": ["s"],
      "attributes": [{{"name": "keepdims", "int": 0}}]}}, {{"op": "Sub", "operands": ["s", "s"], "results": ["zero"]}},
      {{"op": "Greater", "operands": ["s", "zero"], "results": ["p"]}}, {}
      {{"op": "If", "operands": ["p"], "results": ["y"], "attributes": [{{"name": "then_branch", "region": {}}},
      {{"name": "else_branch", "region": {}}}]}}], "results": ["y"]}}}})",
      nodes, branch("then_branch", yes), branch("else_branch", no));
}
std::string node(const std::string &op, const std::string &operands, const std::string &result) {
  return fmt::format(R"({{"op": "{}", "operands": [{}], "results": ["{}"]}})", op, operands, result);
}
const std::string doubled = node("Add", R"("x", "x")", "r"), negated = node("Neg", R"("x")", "r");

TEST_F(Graph, DecidesByWhatItComputes) {
  const auto out = bothWays(decided("", doubled, negated),
                            {{floats("x", one)}, {floats("x", {-1, -2, -3, -4})}, {floats("x", two)}});
  EXPECT_EQ(out, (std::vector<std::string>{"float32[4]: 2, 4, 6, 8", "float32[4]: 1, 2, 3, 4",
                                           "float32[4]: 10, 12, 14, 16"}));
}

TEST_F(Graph, ConditionalsInsideOfEachOther) {
  // The inner one decides by the first element.
  const std::string inner = fmt::format(
      R"({}, {}, {{"op": "If", "operands": ["q"], "results": ["r"], "attributes": [{{"name": "then_branch", "region": {}}},
      {{"name": "else_branch", "region": {}}}]}})",
      node("Exp", R"("x")", "e"), R"({"op": "Less", "operands": ["s", "e0"], "results": ["q"]})",
      Region{"", node("Mul", R"("e", "x")", "t"), R"("t")"}.json("then_branch"),
      Region{"", node("Sub", R"("e", "x")", "t"), R"("t")"}.json("else_branch"));
  const std::string before = R"({"op": "ReduceMax", "operands": ["x"], "results": ["m"],
      "attributes": [{"name": "keepdims", "int": 0}]}, {"op": "Add", "operands": ["m", "m"], "results": ["e0"]},)";
  bothWays(decided(before, inner, negated),
           {{floats("x", one)}, {floats("x", {0, 0, 0, 9})}, {floats("x", {-1, -2, -3, -4})}, {floats("x", two)}});
}

TEST_F(Graph, WhatDependsOnNoInputIsComputedOnce) {
  // Reshape reads its sizes on the host: they come from the shape of x alone.
  const std::string yes = node("Shape", R"("x")", "k") + ", " + node("Add", R"("x", "x")", "d") + ", " +
                          node("Reshape", R"("d", "k")", "r");
  bothWays(decided("", yes, negated), {{floats("x", one)}, {floats("x", {-1, -2, -3, -4})}});
}

TEST_F(Graph, AnOperandPassedOnIsCopied) {
  const auto out = bothWays(decided("", doubled, node("Identity", R"("x")", "r")),
                            {{floats("x", one)}, {floats("x", {-1, -2, -3, -4})}});
  EXPECT_EQ(out[1], "float32[4]: -1, -2, -3, -4");
}

TEST_F(Graph, ResultsLieWhereBothBranchesWantThem) {
  // Results of one node twice, one that another overwrites before it is copied, and what no input decides.
  const auto both = [](const std::string &name, const std::string &nodes, const std::string &results) {
    return Region{"", nodes, results}.json(name);
  };
  const std::string split = R"({"op": "Split", "operands": ["x"], "results": ["lo", "hi"],
      "attributes": [{"name": "num_outputs", "int": 2}]})";
  const std::string constant = R"({"op": "Constant", "results": ["c"], "attributes": [{"name": "value_floats",
      "floats": [7, 8]}]}, {"op": "Neg", "operands": ["c"], "results": ["seven"]})";
  const auto model = [&](const std::string &yes, const std::string &no) {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"parameters": [
      {{"name": "x", "type": "float32[4]"}}], "nodes": [{{"op": "ReduceSum", "operands": ["x"], "results": ["s"],
      "attributes": [{{"name": "keepdims", "int": 0}}]}}, {{"op": "Sub", "operands": ["s", "s"], "results": ["zero"]}},
      {{"op": "Greater", "operands": ["s", "zero"], "results": ["p"]}},
      {{"op": "If", "operands": ["p"], "results": ["y", "z"], "attributes": [{{"name": "then_branch", "region": {}}},
      {{"name": "else_branch", "region": {}}}]}}], "results": ["y", "z"]}}}})",
        yes, no);
  };
  const std::string halves = both("then_branch", split, R"("hi", "lo")");
  const std::string twice = both("else_branch", split + ", " + node("Add", R"("lo", "hi")", "t"), R"("t", "t")");
  const std::string known = both("else_branch", constant, R"("seven", "c")");
  const std::string turned = both(
      "else_branch", split + ", " + node("Neg", R"("hi")", "t") + ", " + node("Abs", R"("t")", "u"), R"("u", "t")");
  for (const std::string &no : {twice, known, turned}) {
    bothWays(model(halves, no), {{floats("x", one)}, {floats("x", {-1, -2, -3, -4})}, {floats("x", two)}});
    std::string other = no;
    other.replace(other.find("else_branch"), 11, "then_branch");
    std::string first = halves;
    first.replace(first.find("then_branch"), 11, "else_branch");
    bothWays(model(other, first), {{floats("x", one)}, {floats("x", {-1, -2, -3, -4})}, {floats("x", two)}});
  }
}

TEST_F(Graph, HowABranchLaysOutItsResultIsNoDifferenceToOnnx) {
  const std::string matrix = node("Mul", R"("c", "x")", "t") + ", ",
                    column = R"({"op": "Reshape", "operands": ["x", "k"],
      "results": ["c"]},)";
  const std::string sizes =
      R"({"op": "Constant", "attributes": [{"name": "value_ints", "ints": [4, 1]}], "results": ["k"]},)";
  bothWays(decided(sizes + column, matrix + node("Transpose", R"("t")", "r"), matrix + node("Neg", R"("t")", "r")),
           {{floats("x", one)}, {floats("x", {-1, -2, -3, -4})}});
}

TEST_F(Graph, AWeightThatIsWrittenBeginsAnewWithEachLaunch) {
  // zeros is filled before the graph runs, and written in it.
  TorchCond c = soundCond();
  c.before = R"({"op": "aten.zeros.default", "attributes": [{"name": "size", "ints": [4]}], "results": ["w"]}, )";
  c.after = ", " + aten("add_.Tensor", "w", "w2", "float32[4]", R"(, {"name": "other", "operand": "y"})");
  c.results = R"("w2")";
  const auto out = bothWays(
      c.json(), {{truth("p", false), floats("x", {0, 0, 0, 0})}, {truth("p", false), floats("x", {0, 0, 0, 0})}});
  EXPECT_EQ(out[1], "float32[4]: 1, 1, 1, 1");
}

TEST_F(Graph, WhatCannotBeRecordedRunsNodeByNode) {
  const std::vector<Array> x{floats("x", one)};
  // What k is only the device knows, and how long NonZero's result is.
  EXPECT_NE(obstacle(decided("", node("NonZero", R"("x")", "r"),
                             node("Neg", R"("x")", "n") + ", " + node("NonZero", R"("n")", "r")),
                     x)
                .find("the host reads what is computed on the device"),
            std::string::npos);
  EXPECT_NE(
      obstacle(decided("", doubled, node("Neg", R"("s")", "r")), x).find("the branches yield float32[4] and float32[]"),
      std::string::npos);
  // A conditional that is decided beforehand.
  const std::string known = R"({"op": "Shape", "operands": ["x"], "results": ["k"]},
      {"op": "Greater", "operands": ["k", "k"], "results": ["b"]},)";
  std::string json = decided(known, doubled, negated);
  const std::string decider = R"("op": "If", "operands": ["p"])";
  json.replace(json.find(decider), decider.size(), R"("op": "If", "operands": ["b"])");
  EXPECT_EQ(obstacle(json, x), "no conditional depends on what the device computes");
}

TEST_F(Graph, ABranchThatWritesToItsOperandIsNoGraph) {
  TorchCond c = soundCond();
  c.no.nodes = aten("add_.Scalar", "x", "cos", "float32[4]", R"(, {"name": "other", "int": 1})");
  const std::vector<Array> inputs{truth("p", true), floats("x", one)};
  EXPECT_NE(obstacle(c.json(), inputs), "");
  TorchCond shared = soundCond();
  shared.no.nodes = "";
  shared.no.results = R"("x")";
  EXPECT_NE(obstacle(shared.json(), inputs).find("shares its storage"), std::string::npos);
}

} // namespace
} // namespace condlint::test

//===- ControlFlowTest.cpp - Conditionals and loops, run ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each operator that owns graphs, and that only what is chosen runs.
#include "Samples.h"

namespace condlint::test {
namespace {

/// A node of tensor arguments by name: `call("mul.Tensor", "self=x other=y", "z")`.
std::string call(const std::string &op, const std::string &arguments, const std::string &result) {
  std::string list;
  for (std::size_t at = 0; at < arguments.size();) {
    const std::size_t end = std::min(arguments.find(' ', at), arguments.size()), equals = arguments.find('=', at);
    const std::string name = arguments.substr(at, equals - at), value = arguments.substr(equals + 1, end - equals - 1);
    const bool number = value.find_first_not_of("-0123456789") == std::string::npos;
    list += fmt::format(R"({}{{"name": "{}", {}}})", list.empty() ? "" : ", ", name,
                        number ? "\"int\": " + value : "\"operand\": \"" + value + "\"");
    at = end + 1;
  }
  return fmt::format(R"({{"op": "aten.{}", "attributes": [{}], "results": ["{}"]}})", op, list, result);
}

std::string torchModel(const std::string &parameters, const std::string &nodes, const std::string &results) {
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{"parameters": [{}], "nodes": [{}],
      "results": [{}]}}}})",
      parameters, nodes, results);
}

std::string onnxModel(const std::string &parameters, const std::string &nodes, const std::string &results,
                      const std::string &constants = {}, const std::string &more = {}) {
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20, "local": 1}}, "graph": {{"parameters": [{}],
      "constants": [{}], "nodes": [{}], "results": [{}]}}{}}})",
      parameters, constants, nodes, results, more);
}

std::string region(const std::string &parameters, const std::string &nodes, const std::string &results,
                   const std::string &name = "body") {
  return Region{parameters, nodes, results}.json(name);
}

TEST(ControlFlow, CondRunsTheBranchThatThePredicateSelectsAndNoOther) {
  Session s(soundCond().json());
  EXPECT_EQ(s.run({truth("p", true), floats("x", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  EXPECT_TRUE(s.hasRun("main/cond/true_graph_0/sin"));
  EXPECT_FALSE(s.hasRun("main/cond/false_graph_0/cos"));
  EXPECT_EQ(s.run({truth("p", false), floats("x", {0, 0, 0, 0})}), "float32[4]: 1, 1, 1, 1");
  EXPECT_FALSE(s.hasRun("main/cond/true_graph_0/sin"));
}

TEST(ControlFlow, TheBranchThatIsNotTakenNeedNotBeExecutable) {
  TorchCond c = soundCond();
  c.no.nodes =
      R"({"op": "nobody.knows.default", "attributes": [{"name": "self", "operand": "x"}], "results": ["cos"]})";
  Session s(c.json());
  EXPECT_EQ(s.run({truth("p", true), floats("x", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  const std::string wrong = s.run({truth("p", false), floats("x", {0, 0, 0, 0})});
  EXPECT_NE(wrong.find("main/cond/false_graph_0/cos"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("nobody.knows"), std::string::npos) << wrong;
}

TEST(ControlFlow, WhatOnnxReadsBeforeItIsMadeIsMadeFirst) {
  // ONNX Runtime sorts the nodes of a file; what a branch reads counts as read by its If.
  const std::string relu = R"({"op": "Relu", "name": "relu", "operands": ["x"], "results": ["h"]})";
  const std::string choice = fmt::format(
      R"({{"op": "If", "name": "if", "operands": ["p"], "attributes": [{{"name": "then_branch", "region": {}}},
      {{"name": "else_branch", "region": {}}}], "results": ["y"]}})",
      region("", R"({"op": "Neg", "operands": ["h"], "results": ["a"]})", R"("a")", "then"),
      region("", R"({"op": "Abs", "operands": ["h"], "results": ["b"]})", R"("b")", "else"));
  const std::string parameters = value("p", "bool") + ", " + value("x", "float32[2]");
  Session s(onnxModel(parameters, choice + ", " + relu, R"("y")"));
  EXPECT_EQ(s.run({truth("p", true), floats("x", {1, -2})}), "float32[2]: -1, -0");
  EXPECT_EQ(s.run({truth("p", false), floats("x", {1, -2})}), "float32[2]: 1, 0");
  // What waits for itself runs never.
  Session circle(onnxModel(parameters, R"({"op": "Neg", "name": "n", "operands": ["b"], "results": ["a"]},
      {"op": "Abs", "name": "m", "operands": ["a"], "results": ["b"]})",
                           R"("b")"));
  EXPECT_NE(circle.run({truth("p", true), floats("x", {1, -2})}).find("missing"), std::string::npos);
}

TEST(ControlFlow, PredicatesOfOneElementOfAnyTypeAndRank) {
  TorchCond c = soundCond();
  c.parameters = value("p", "float32[1, 1]") + ", " + value("x", "float32[4]");
  Session s(c.json());
  EXPECT_EQ(s.run({array("p", DType::Float32, {1, 1}, {0.5}), floats("x", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  c.parameters = value("p", "bool[2]") + ", " + value("x", "float32[4]");
  Session two(c.json());
  EXPECT_NE(two.run({array("p", DType::Bool, {2}, {1, 1}), floats("x", {0, 0, 0, 0})}).find("one element"),
            std::string::npos);
}

TEST(ControlFlow, CondsNest) {
  const std::string inner = fmt::format(
      R"({{"op": "higher_order.cond", "name": "cond_1", "attributes": [{{"operand": "q"}}, {{"region": {}}}, {{"region": {}}},
      {{"operands": ["x"]}}], "results": ["inner"]}})",
      region(value("x"), call("neg.default", "self=x", "neg"), R"("neg")", "true_graph_1"),
      region(value("x"), call("abs.default", "self=x", "abs"), R"("abs")", "false_graph_1"));
  TorchCond c;
  c.parameters = value("p", "bool[]") + ", " + value("q", "bool[]") + ", " + value("x", "float32[2]");
  c.yes = {value("q") + ", " + value("x"), inner, R"("inner")"};
  c.no = {value("q") + ", " + value("x"), call("sin.default", "self=x", "sin"), R"("sin")"};
  c.operands = R"({"operands": ["q", "x"]})";
  Session s(c.json());
  const Array x = floats("x", {-2, 0});
  EXPECT_EQ(s.run({truth("p", true), truth("q", false), x}), "float32[2]: 2, 0");
  EXPECT_FALSE(s.hasRun("main/cond/true_graph_0/cond_1/true_graph_1/neg"));
  EXPECT_EQ(s.run({truth("p", true), truth("q", true), x}), "float32[2]: 2, -0");
}

TEST(ControlFlow, SwitchTakesTheBranchOfItsIndex) {
  std::string regions;
  for (const char *op : {"neg", "abs", "square"})
    regions += (regions.empty() ? "" : ", ") +
               region(value("x"), call(std::string(op) + ".default", "self=x", op), fmt::format("\"{}\"", op), op);
  Session s(
      torchModel(value("i", "int64[]") + ", " + value("x", "float32[1]"),
                 fmt::format(R"({{"op": "higher_order.switch", "name": "switch", "attributes": [{{"operand": "i"}},
                                   {{"regions": [{}]}}, {{"operands": ["x"]}}], "results": ["y"]}})",
                             regions),
                 R"("y")"));
  EXPECT_EQ(s.run({whole("i", 0), floats("x", {-3})}), "float32[1]: 3");
  EXPECT_TRUE(s.hasRun("main/switch/neg/neg"));
  EXPECT_EQ(s.run({whole("i", 2), floats("x", {-3})}), "float32[1]: 9");
  EXPECT_FALSE(s.hasRun("main/switch/abs/abs"));
}

TEST(ControlFlow, WhileLoopRunsAsLongAsItsConditionHolds) {
  const std::string test = region(value("i") + ", " + value("x") + ", " + value("n"),
                                  call("lt.Tensor", "self=i other=n", "go"), R"("go")", "cond");
  const std::string body =
      region(value("i") + ", " + value("x") + ", " + value("n"),
             call("add.Scalar", "self=i other=1", "next") + ", " + call("mul.Scalar", "self=x other=2", "twice"),
             R"("next", "twice")");
  Session s(
      torchModel(value("i", "int64[]") + ", " + value("x", "float32[1]") + ", " + value("n", "int64[]"),
                 fmt::format(R"({{"op": "higher_order.while_loop", "name": "loop", "attributes": [{{"region": {}}},
                                   {{"region": {}}}, {{"operands": ["i", "x"]}}, {{"operands": ["n"]}}],
                                   "results": ["i2", "x2"]}})",
                             test, body),
                 R"("i2", "x2")"));
  EXPECT_EQ(s.run({whole("i", 0), floats("x", {1}), whole("n", 5)}), "int64[]: 5\nfloat32[1]: 32");
  EXPECT_EQ(s.run({whole("i", 7), floats("x", {1}), whole("n", 5)}), "int64[]: 7\nfloat32[1]: 1");
}

TEST(ControlFlow, ALoopWithoutATripYieldsValuesOfTheirOwn) {
  const std::string test = region(value("i") + ", " + value("x"), call("lt.Scalar", "self=i other=1", "go"), R"("go")");
  const std::string body =
      region(value("i") + ", " + value("x"),
             call("add.Scalar", "self=i other=1", "next") + ", " + call("mul.Scalar", "self=x other=2", "twice"),
             R"("next", "twice")");
  // What is written afterwards is the loop's result, not its operand.
  Session s(
      torchModel(value("i", "int64[]") + ", " + value("x", "float32[1]"),
                 fmt::format(R"({{"op": "higher_order.while_loop", "name": "loop", "attributes": [{{"region": {}}},
                                   {{"region": {}}}, {{"operands": ["i", "x"]}}, {{"operands": []}}],
                                   "results": ["i2", "x2"]}}, {})",
                             test, body, call("add_.Scalar", "self=x2 other=1", "y")),
                 R"("y", "x")"));
  EXPECT_EQ(s.run({whole("i", 0), floats("x", {1})}), "float32[1]: 3\nfloat32[1]: 1");
  EXPECT_EQ(s.run({whole("i", 7), floats("x", {1})}), "float32[1]: 2\nfloat32[1]: 1");
}

TEST(ControlFlow, MapScanAndAssociativeScan) {
  const std::string body =
      region(value("row") + ", " + value("w"), call("mul.Tensor", "self=row other=w", "z"), R"("z")");
  Session map(torchModel(value("x", "float32[2, 2]") + ", " + value("w", "float32[2]"),
                         fmt::format(R"({{"op": "higher_order.map_impl", "name": "map", "attributes": [{{"region": {}}},
                                     {{"operands": ["x"]}}, {{"operands": ["w"]}}], "results": ["y"]}})",
                                     body),
                         R"("y")"));
  const Array x = array("x", DType::Float32, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(map.run({x, floats("w", {10, 1})}), "float32[2, 2]: 10, 2, 30, 4");

  const std::string step = region(
      value("c") + ", " + value("row"),
      call("add.Tensor", "self=c other=row", "sum") + ", " + call("neg.default", "self=row", "neg"), R"("sum", "neg")");
  Session scan(torchModel(value("x", "float32[2, 2]") + ", " + value("w", "float32[2]"),
                          fmt::format(R"({{"op": "higher_order.scan", "name": "scan", "attributes": [{{"region": {}}},
                                      {{"operands": ["w"]}}, {{"operands": ["x"]}}, {{"operands": []}}],
                                      "results": ["last", "all"]}})",
                                      step),
                          R"("last", "all")"));
  EXPECT_EQ(scan.run({x, floats("w", {10, 1})}), "float32[2]: 14, 7\nfloat32[2, 2]: -1, -2, -3, -4");

  const std::string combine =
      region(value("a") + ", " + value("b"), call("add.Tensor", "self=a other=b", "sum"), R"("sum")");
  Session running(torchModel(value("x", "float32[2, 2]"),
                             fmt::format(R"({{"op": "higher_order.associative_scan", "name": "scan", "attributes": [
                                         {{"region": {}}}, {{"operands": ["x"]}}, {{"operands": []}}],
                                         "results": ["all"]}})",
                                         combine),
                             R"("all")"));
  EXPECT_EQ(running.run({x}), "float32[2, 2]: 1, 2, 4, 6");
}

/// A node of what torch.vmap stands for before dispatch.
std::string vmapNode(const std::string &op, const std::string &arguments, const std::string &result = {}) {
  return fmt::format(
      R"({{"op": {{"domain": "torch._functorch.predispatch", "name": "{}"}}, "attributes": [{}], "results": ["{}"]}})",
      op, arguments, result.empty() ? op + "_none" : result);
}

TEST(ControlFlow, VmapRunsOnceASlice) {
  const auto model = [](const std::string &size, const std::string &nodes, const std::string &result) {
    return torchModel(value("x", "float32[2, 3]"),
                      vmapNode("lazy_load_decompositions", "") + ", " +
                          vmapNode("_vmap_increment_nesting", R"({"int": )" + size + R"(}, {"string": "error"})") +
                          ", " + nodes + ", " + vmapNode("_vmap_decrement_nesting", "") + ", " +
                          call("neg.default", "self=r", "n"),
                      result);
  };
  const Array x = array("x", DType::Float32, {2, 3}, {1, 2, 3, 10, 20, 30});
  const std::string slices = R"({"operand": "x"}, {"int": 1}, {"int": 1})";
  const auto stack = [](const std::string &of, int axis) {
    return vmapNode("_remove_batch_dim",
                    fmt::format(R"({{"operand": "{}"}}, {{"int": 1}}, {{"int": 3}}, {{"int": {}}})", of, axis), "r");
  };
  // The columns: their running sums, as rows and as columns again; x is read in each round, and afterwards.
  const std::string sums =
      vmapNode("_add_batch_dim", slices, "a") + ", " + call("cumsum.default", "self=a dim=0", "s") + ", ";
  EXPECT_EQ(Session(model("3", sums + stack("s", 0), R"("n", "x")")).run({x}),
            "float32[3, 2]: -1, -11, -2, -22, -3, -33\nfloat32[2, 3]: 1, 2, 3, 10, 20, 30");
  EXPECT_EQ(Session(model("3", sums + stack("s", 1), R"("n")")).run({x}), "float32[2, 3]: -1, -2, -3, -11, -22, -33");
  EXPECT_EQ(Session(model("3", stack("x", 0), R"("n")")).run({x}).substr(0, 17), "float32[3, 2, 3]:");
  // A slice that is not there, and one of no batch.
  EXPECT_TRUE(Session(model("4", sums + stack("s", 0), R"("n")")).run({x}).starts_with("error: "));
  EXPECT_TRUE(Session(torchModel(value("x", "float32[2, 3]"), vmapNode("_add_batch_dim", slices, "a"), R"("a")"))
                  .run({x})
                  .starts_with("error: "));
}

TEST(ControlFlow, IfReadsTheScopesAroundItAndIsLazy) {
  OnnxIf m;
  Session s(m.json());
  EXPECT_EQ(s.run({truth("c", true), floats("x", {-1, 2, -3, 4})}), "float32[4]: 0, 2, 0, 4");
  EXPECT_FALSE(s.hasRun("main/If_0/else_branch/Neg_0"));
  EXPECT_EQ(s.run({truth("c", false), floats("x", {-1, 2, -3, 4})}), "float32[4]: 1, -2, 3, -4");
}

std::string loop(const std::string &body, const std::string &operands, const std::string &results) {
  return fmt::format(
      R"({{"op": "Loop", "name": "loop", "operands": [{}], "attributes": [{{"name": "body", "region": {}}}],
                     "results": [{}]}})",
      operands, body, results);
}

TEST(ControlFlow, LoopCarriesCollectsAndStops) {
  const std::string body =
      region(value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("a", "float32[1]"),
             onnx("Add", R"("a", "a")", "b") + ", " + onnx("Less", R"("b", "top")", "less") + ", " +
                 onnx("Squeeze", R"("less")", "more"),
             R"("more", "b", "b")");
  const std::string parameters = value("n", "int64[]") + ", " + value("go", "bool[]") + ", " +
                                 value("x", "float32[1]") + ", " + value("top", "float32[1]");
  Session s(onnxModel(parameters, loop(body, R"("n", "go", "x")", R"("last", "all")"), R"("last", "all")"));
  EXPECT_EQ(s.run({whole("n", 3), truth("go", true), floats("x", {1}), floats("top", {100})}),
            "float32[1]: 8\nfloat32[3, 1]: 2, 4, 8");
  EXPECT_EQ(s.run({whole("n", 50), truth("go", true), floats("x", {1}), floats("top", {10})}),
            "float32[1]: 16\nfloat32[4, 1]: 2, 4, 8, 16");
  EXPECT_EQ(s.run({whole("n", 3), truth("go", false), floats("x", {1}), floats("top", {10})}),
            "float32[1]: 1\nfloat32[0, 1]: ");
}

TEST(ControlFlow, AConditionalInALongLoopIsValidatedOftenEnough) {
  const std::string choice = fmt::format(
      R"({{"op": "If", "name": "if", "operands": ["go"], "attributes": [{{"name": "then_branch", "region": {}}},
      {{"name": "else_branch", "region": {}}}], "results": ["b"]}})",
      region("", onnx("Add", R"("a", "one")", "more"), R"("more")"),
      region("", onnx("Neg", R"("a")", "less"), R"("less")"));
  const std::string body = region(
      value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("a", "float32[1]"), choice, R"("go", "b")");
  ExecutorOptions options = onTestDevice();
  options.bothBranches = true;
  Session s(onnxModel(value("n", "int64[]") + ", " + value("c", "bool[]") + ", " + value("one", "float32[1]"),
                      loop(body, R"("n", "c", "one")", R"("last")"), R"("last")"),
            options);
  EXPECT_EQ(s.run({whole("n", 1200), truth("c", true), floats("one", {1})}), "float32[1]: 1201");
  ASSERT_EQ(s.executor->conditionals().size(), 1U);
  EXPECT_EQ(s.executor->conditionals()[0].times, 1000U);
  EXPECT_TRUE(s.executor->conditionals()[0].ran[1]);
}

TEST(ControlFlow, ALoopWithoutEndEndsWithItsTime) {
  ExecutorOptions options = onTestDevice();
  options.timeLimit = 0.05;
  // Without a node in its body, and with one.
  for (const std::string &nodes : {std::string(), onnx("Abs", R"("a")", "b")}) {
    const std::string body =
        region(value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("a", "float32[1]"), nodes,
               nodes.empty() ? R"("go", "a")" : R"("go", "b")");
    Session s(onnxModel(value("n", "int64[]") + ", " + value("go", "bool[]") + ", " + value("x", "float32[1]"),
                        loop(body, R"("n", "go", "x")", R"("last")"), R"("last")"),
              options);
    const std::string end = s.run({whole("n", 1e15), truth("go", true), floats("x", {1})});
    EXPECT_NE(end.find("the run takes longer than the 0.05 s"), std::string::npos) << end;
    EXPECT_EQ(s.run({whole("n", 3), truth("go", true), floats("x", {1})}), "float32[1]: 1");
  }
}

TEST(ControlFlow, ScanWalksBackwardsWhereItIsTold) {
  const std::string body =
      region(value("s", "float32[1]") + ", " + value("row", "float32[1]"),
             onnx("Add", R"("s", "row")", "t") + ", " + onnx("Identity", R"("t")", "u"), R"("t", "u")");
  const std::string node = fmt::format(
      R"({{"op": "Scan", "name": "scan", "operands": ["s0", "x"], "attributes": [{{"name": "body", "region": {}}},
      {{"name": "num_scan_inputs", "int": 1}}, {{"name": "scan_input_directions", "ints": [1]}}], "results": ["last", "all"]}})",
      body);
  Session s(onnxModel(value("s0", "float32[1]") + ", " + value("x", "float32[3, 1]"), node, R"("last", "all")"));
  EXPECT_EQ(s.run({floats("s0", {0}), array("x", DType::Float32, {3, 1}, {1, 2, 3})}),
            "float32[1]: 6\nfloat32[3, 1]: 3, 5, 6");
}

TEST(ControlFlow, SequencesAreMapped) {
  const std::string body = region(value("item", "float32[1]"), onnx("Neg", R"("item")", "n"), R"("n")");
  const std::string nodes =
      onnx("SequenceConstruct", R"("x", "y")", "list") + ", " +
      fmt::format(R"({{"op": "SequenceMap", "name": "map", "operands": ["list"], "attributes": [{{"name": "body",
                  "region": {}}}], "results": ["out"]}})",
                  body);
  Session s(onnxModel(value("x", "float32[1]") + ", " + value("y", "float32[1]"), nodes, R"("out")"));
  EXPECT_EQ(s.run({floats("x", {1}), floats("y", {-2})}), "(float32[1]: -1; float32[1]: 2)");
}

TEST(ControlFlow, FunctionsRunWithTheirOwnNames) {
  const std::string functions =
      R"(, "functions": [{"domain": "local", "name": "F", "opsets": {"": 20}, "graph": {"parameters": [{"name": "a"}],
      "nodes": [{"op": "Neg", "operands": ["a"], "results": ["x"]}], "results": ["x"]}}])";
  Session s(onnxModel(
      value("x", "float32[1]"),
      R"({"op": "local::F", "operands": ["x"], "results": ["y"]}, {"op": "Add", "operands": ["x", "y"], "results": ["z"]})",
      R"("y", "z")", {}, functions));
  EXPECT_EQ(s.run({floats("x", {2})}), "float32[1]: -2\nfloat32[1]: 0");
}

} // namespace
} // namespace condlint::test

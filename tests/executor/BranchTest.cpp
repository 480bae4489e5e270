//===- BranchTest.cpp - Either branch, run ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Both branches run, and what they do to each other's operands is seen.
#include "Samples.h"

namespace condlint::test {
namespace {

ExecutorOptions both() {
  ExecutorOptions o = onTestDevice();
  o.bothBranches = true;
  return o;
}

std::string inPlace(const std::string &self, const std::string &result) {
  return aten("add_.Scalar", self, result, "float32[4]", R"(, {"name": "other", "int": 1})");
}

const std::vector<Array> inputs{truth("p", true), floats("x", {1, 2, 3, 4})};

TEST(BothBranches, RunWhateverThePredicateSays) {
  Session s(soundCond().json(), both());
  EXPECT_EQ(s.run({truth("p", false), floats("x", {0, 0, 0, 0})}), "float32[4]: 1, 1, 1, 1");
  EXPECT_TRUE(s.hasRun("main/cond/true_graph_0/sin"));
  EXPECT_TRUE(s.hasRun("main/cond/false_graph_0/cos"));
  EXPECT_EQ(s.observed(), Rules{});
  ASSERT_EQ(s.executor->conditionals().size(), 1U);
  const ConditionalRun &r = s.executor->conditionals()[0];
  EXPECT_TRUE(r.reached && r.ran[0] && r.ran[1]);
}

TEST(BothBranches, AWrittenOperandIsSeenAndPutBack_M1) {
  TorchCond c = soundCond();
  c.no.nodes = inPlace("x", "cos");
  c.no.nodes += ", " + aten("clone.default", "cos", "copy", "float32[4]");
  c.no.results = R"("copy")";
  c.after = ", " + aten("neg.default", "x", "neg", "float32[4]");
  c.results = R"("neg")";
  Session s(c.json(), both());
  EXPECT_EQ(s.run(inputs), "float32[4]: -1, -2, -3, -4"); // the other branch left no trace
  EXPECT_EQ(s.observed(), Rules{"wrote-operand main/cond/false_graph_0/cos"});
}

TEST(BothBranches, AWriteThroughAViewIsAWrite) {
  TorchCond c = soundCond();
  c.yes.nodes = aten("slice.Tensor", "x", "part", "float32[2]",
                     R"(, {"name": "dim", "int": 0}, {"name": "start", "int": 0}, {"name": "end", "int": 2})") +
                ", " + aten("zero_.default", "part", "zero", "float32[2]") + ", " +
                aten("sin.default", "x", "sin", "float32[4]");
  Session s(c.json(), both());
  s.run(inputs);
  EXPECT_EQ(s.observed(), Rules{"wrote-operand main/cond/true_graph_0/zero"});
}

TEST(BothBranches, AWriteToTheBranchsOwnTensorIsNone) {
  TorchCond c = soundCond();
  c.yes.nodes = aten("clone.default", "x", "own", "float32[4]") + ", " + inPlace("own", "sin");
  Session s(c.json(), both());
  EXPECT_EQ(s.run(inputs), "float32[4]: 2, 3, 4, 5");
  EXPECT_EQ(s.observed(), Rules{});
}

TEST(BothBranches, SharedStorageIsSeen_A1_A2) {
  TorchCond c = soundCond();
  c.no.nodes = "";
  c.no.results = R"("x")";
  Session s(c.json(), both());
  s.run(inputs);
  ASSERT_EQ(s.observed().size(), 1U);
  EXPECT_EQ(s.executor->observations()[0].kind, Observation::Kind::SharesOperand);

  TorchCond d = soundCond();
  d.yes.nodes += ", " + aten("view.default", "sin", "again", "float32[4]", R"(, {"name": "size", "ints": [4]})");
  d.yes.results = R"("sin", "again")";
  d.no.results = R"("cos", "other")";
  d.no.nodes += ", " + aten("exp.default", "x", "other", "float32[4]");
  d.outputs = value("y", "float32[4]") + ", " + value("z", "float32[4]");
  d.results = R"("y", "z")";
  Session two(d.json(), both());
  two.run(inputs);
  EXPECT_EQ(two.observed(), Rules{"shares-output main/cond/true_graph_0/again"});
}

TEST(BothBranches, WhatTheBranchesYieldIsKept) {
  TorchCond c = soundCond();
  c.no.nodes = aten("to.dtype", "x", "cos", "float16[4]", R"(, {"name": "dtype", "dtype": "float16"})");
  Session s(c.json(), both());
  s.run(inputs);
  const std::vector<ObservedType> seen = s.executor->observed();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NE(seen[0].dtype, seen[1].dtype);
  s.executor->forget();
  EXPECT_TRUE(s.executor->observed().empty());
}

TEST(BothBranches, WhatTheFileRecordsIsComparedWithWhatIsComputed) {
  TorchCond c = soundCond("float32[4]");
  c.outputs = value("y", "float32[5]");
  Session s(c.json(), both());
  s.run(inputs);
  EXPECT_EQ(s.observed(), Rules{"false-declaration main/cond"});
}

TEST(BothBranches, AMissingOperatorStopsItsBranchAndNoOther) {
  TorchCond c = soundCond();
  c.no.nodes =
      R"({"op": "nobody.knows.default", "attributes": [{"name": "self", "operand": "x"}], "results": ["cos"]})";
  Session s(c.json(), both());
  EXPECT_EQ(s.run({truth("p", true), floats("x", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  const ConditionalRun &r = s.executor->conditionals()[0];
  EXPECT_TRUE(r.ran[0]);
  EXPECT_FALSE(r.ran[1]);
  EXPECT_NE(r.problems[1].find("nobody.knows"), std::string::npos);
  ASSERT_EQ(s.executor->problems().size(), 1U);
  EXPECT_TRUE(s.executor->problems()[0].missingOperator);
}

TEST(BothBranches, APredicateOfTwoElementsIsABreakAndBothAreSeen_P3) {
  TorchCond c = soundCond();
  c.parameters = value("p", "bool[2]") + ", " + value("x", "float32[4]");
  const std::vector<Array> two{array("p", DType::Bool, {2}, {1, 0}), floats("x", {0, 0, 0, 0})};
  Session s(c.json(), both());
  s.run(two);
  EXPECT_EQ(s.observed(), Rules{"predicate-not-scalar main/cond"});
  EXPECT_TRUE(s.executor->problems().empty());
  ASSERT_EQ(s.executor->conditionals().size(), 1U);
  EXPECT_TRUE(s.executor->conditionals()[0].ran[0] && s.executor->conditionals()[0].ran[1]);
  // Where one branch is to run, nothing says which.
  EXPECT_NE(Session(c.json()).run(two).find("not one element"), std::string::npos);
  c.parameters = value("p", "bool[1]") + ", " + value("x", "float32[4]");
  Session one(c.json(), both());
  one.run({array("p", DType::Bool, {1}, {1}), floats("x", {0, 0, 0, 0})});
  EXPECT_EQ(one.observed(), Rules{});
}

TEST(BothBranches, ConditionalsBehindAMissingOperatorAreStillReached) {
  TorchCond c = soundCond();
  c.before =
      R"({"op": "nobody.knows.default", "attributes": [{"name": "self", "operand": "x"}], "results": ["lost"]},)";
  Session s(c.json(), both());
  s.run(inputs);
  ASSERT_EQ(s.executor->conditionals().size(), 1U);
  EXPECT_TRUE(s.executor->conditionals()[0].ran[1]);
}

TEST(BothBranches, OnnxHasValuesAndNoStorages) {
  OnnxIf m;
  m.no.nodes = onnx("Identity", R"("x")", "b");
  Session s(m.json(), both());
  EXPECT_EQ(s.run({truth("c", true), floats("x", {-1, 2, -3, 4})}), "float32[4]: 0, 2, 0, 4");
  EXPECT_EQ(s.observed(), Rules{});
}

/// As torch lays out what it reverses or sorts: like the operand, where that lies densely.
TEST(BothBranches, WhatIsReversedOrSortedLiesAsItLay) {
  const auto stridesOf = [](const std::string &op, const std::string &more) {
    TorchCond c = soundCond();
    c.parameters = value("p", "bool[]") + ", " + value("x", "float32[2, 3]");
    const auto branch = [&](const std::string &result) {
      return Region{value("x", "float32[2, 3]"),
                    aten("t.default", "x", "turned", "float32[3, 2]") + ", " +
                        aten("gt.Scalar", "turned", "mask", "bool[3, 2]", R"(, {"name": "other", "int": 0})") + ", " +
                        aten(op, "turned", result, "float32[3, 2]", more),
                    fmt::format("\"{}\"", result)};
    };
    c.yes = branch("a");
    c.no = branch("b");
    c.outputs = value("y", "float32[3, 2]");
    Session s(c.json(), both());
    s.run({truth("p", true), array("x", DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6})});
    std::string text;
    for (const ObservedType &t : s.executor->observed())
      text += fmt::format("{};", fmt::join(t.strides, ","));
    return text;
  };
  EXPECT_EQ(stridesOf("flip.default", R"(, {"name": "dims", "ints": [0]})"), "1,3;1,3;");
  EXPECT_EQ(stridesOf("msort.default", ""), "1,3;1,3;");
  EXPECT_EQ(stridesOf("cumsum.default", R"(, {"name": "dim", "int": 0})"), "2,1;2,1;");
  EXPECT_EQ(stridesOf("diff.default", R"(, {"name": "n", "int": 0})"), "1,3;1,3;");
  EXPECT_EQ(stridesOf("rot90.default", R"(, {"name": "k", "int": 2}, {"name": "dims", "ints": [0, 1]})"), "1,3;1,3;");
  const std::string whole = R"(, {"name": "src", "operand": "turned"}, {"name": "dim", "int": 0})";
  EXPECT_EQ(stridesOf("slice_scatter.default", whole), "1,3;1,3;");
  // Of a row-major copy.
  EXPECT_EQ(stridesOf("masked_fill.Scalar", R"(, {"name": "mask", "operand": "mask"}, {"name": "value", "int": 0})"),
            "2,1;2,1;");
}

/// As transformers call it: of heads that were split off and turned to the front.
TEST(BothBranches, AttentionLiesAsItsQuery) {
  TorchCond c = soundCond();
  c.parameters = value("p", "bool[]") + ", " + value("x", "float32[1, 3, 2, 4]");
  const auto branch = [](const std::string &result) {
    return Region{value("x", "float32[1, 3, 2, 4]"),
                  aten("transpose.int", "x", "q", "float32[1, 2, 3, 4]",
                       R"(, {"name": "dim0", "int": 1}, {"name": "dim1", "int": 2})") +
                      R"(, {"op": "aten.scaled_dot_product_attention.default", "attributes": [
                      {"name": "query", "operand": "q"}, {"name": "key", "operand": "q"}, {"name": "value", "operand": "q"}],
                      "results": [")" +
                      result + R"("]})",
                  fmt::format("\"{}\"", result)};
  };
  c.yes = branch("a");
  c.no = branch("b");
  c.outputs = value("y", "float32[1, 2, 3, 4]");
  Session s(c.json(), both());
  s.run({truth("p", true), array("x", DType::Float32, {1, 3, 2, 4}, std::vector<double>(24, 1))});
  ASSERT_FALSE(s.executor->observed().empty());
  for (const ObservedType &t : s.executor->observed())
    EXPECT_EQ(fmt::format("{}", fmt::join(t.strides, ",")), "24,4,8,1");
}

TEST(BothBranches, PartOfAnImageInChannelsLastKeepsItsFormat) {
  TorchCond c = soundCond();
  c.parameters = value("p", "bool[]") + ", " + value("x", "float32[1, 2, 2, 4]");
  const auto branch = [](const std::string &result) {
    return Region{
        value("x", "float32[1, 2, 2, 4]"),
        aten("permute.default", "x", "image", "float32[1, 4, 2, 2]", R"(, {"name": "dims", "ints": [0, 3, 1, 2]})") +
            ", " +
            aten("slice.Tensor", "image", "part", "float32[1, 2, 2, 2]",
                 R"(, {"name": "dim", "int": 1}, {"name": "start", "int": 0}, {"name": "end", "int": 2})") +
            ", " +
            aten("avg_pool2d.default", "part", result, "float32[1, 2, 2, 2]",
                 R"(, {"name": "kernel_size", "ints": [1, 1]})"),
        fmt::format("\"{}\"", result)};
  };
  c.yes = branch("a");
  c.no = branch("b");
  c.outputs = value("y", "float32[1, 2, 2, 2]");
  Session s(c.json(), both());
  s.run({truth("p", true), array("x", DType::Float32, {1, 2, 2, 4}, std::vector<double>(16, 1))});
  ASSERT_FALSE(s.executor->observed().empty());
  for (const ObservedType &t : s.executor->observed())
    EXPECT_EQ(fmt::format("{}", fmt::join(t.strides, ",")), "8,1,4,2");
}

TEST(BothBranches, AnInputLiesAsItIsRecorded) {
  // A slice that is given leaves gaps: what is contiguous of it is a copy.
  const auto shares = [](const std::string &strides) {
    const std::string type = R"({"kind": "tensor", "dtype": "float32", "shape": [2, 2], "strides": )" + strides + "}";
    TorchCond c = soundCond();
    c.parameters = value("p", "bool[]") + R"(, {"name": "x", "type": )" + type + "}";
    c.yes = {R"({"name": "x", "type": )" + type + "}", aten("contiguous.default", "x", "a", "float32[2, 2]"), R"("a")"};
    c.no = {R"({"name": "x", "type": )" + type + "}", aten("exp.default", "x", "b", "float32[2, 2]"), R"("b")"};
    c.outputs = value("y", "float32[2, 2]");
    Session s(c.json(), both());
    s.run({truth("p", true), array("x", DType::Float32, {2, 2}, {1, 2, 3, 4})});
    return s.observed().size();
  };
  EXPECT_EQ(shares("[4, 2]"), 0u);
  EXPECT_EQ(shares("[2, 1]"), 1u);
  EXPECT_EQ(shares("[1, 1]"), 1u) << "two elements in one place: no tensor that can be given";
}

/// As a tracer takes it for its decomposition, and not as the kernel hands on the operand.
TEST(BothBranches, DropoutThatIsOffIsACopy_A1) {
  const auto branch = [](const std::string &op) {
    TorchCond c = soundCond();
    c.yes.nodes = R"({"op": "aten.)" + op + R"(.default", "attributes": [{"name": "input", "operand": "x"},
                    {"name": "p", "float": 0.5}, {"name": "train", "bool": false}], "results": ["sin"]})";
    Session s(c.json(), both());
    s.run({truth("p", true), floats("x", {1, 2, 3, 4})});
    return s.observed();
  };
  EXPECT_EQ(branch("dropout"), Rules{});
  EXPECT_EQ(branch("alpha_dropout").size(), 1u);
}

} // namespace
} // namespace condlint::test

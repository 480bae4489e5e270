//===- SignatureTest.cpp - The rules about branches and operands ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

TEST(Signature, B1BranchIsNoGraph) {
  const std::string json =
      R"({"condlint": "graph-1", "dialect": "torch", "graph": {"parameters": [{"name": "p", "type": "bool[]"},
    {"name": "x", "type": "float32[4]"}], "nodes": [{"op": "higher_order.cond", "name": "cond", "attributes": [{"operand": "p"},
    {"none": true}, {"region": {"name": "false_graph_0", "parameters": [{"name": "x", "type": "float32[4]"}], "results": ["x"]}},
    {"operands": ["x"]}], "results": [{"name": "y", "type": "float32[4]"}]}], "results": ["y"]}})";
  EXPECT_EQ(found(json, "torch@2.13", {"branch-empty", "output-alias"}), Rules{"error branch-missing"});
}

TEST(Signature, C9IfWithoutElse) {
  const std::string json =
      R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 20}, "graph": {"parameters": [{"name": "c",
    "type": "bool[]"}, {"name": "x", "type": "float32[4]"}], "nodes": [{"op": "If", "operands": ["c"], "attributes": [{"name":
    "then_branch", "region": {"nodes": [{"op": "Relu", "operands": ["x"], "results": ["a"]}], "results": ["a"]}}], "results": ["y"]}],
    "results": ["y"]}})";
  EXPECT_EQ(found(json, "onnx"), Rules{"error branch-missing"});
  EXPECT_NE(theFinding(json, "onnx", "branch-missing").message.find("'else_branch'"), std::string::npos);
}

TEST(Signature, C9ABranchThatIsMisspeltIsNamed) {
  std::string json = OnnxIf().json();
  json.replace(json.find("else_branch"), 11, "else_brnch");
  EXPECT_NE(theFinding(json, "onnx", "branch-missing").message.find("'else_brnch' is no name of one"),
            std::string::npos);
}

TEST(Signature, B2AsManyOperandsAsParameters) {
  TorchCond c = soundCond();
  c.operands = R"({"operands": ["x", "x"]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-count"});
  c.operands = R"({"operands": []})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-count"});
  EXPECT_EQ(found(soundCond().json(), "torch@2.13"), Rules{});
}

TEST(Signature, B2OperandsMayBeLeftOut) {
  TorchCond c = soundCond();
  const std::string full =
      R"({"op": "aten.full.default", "attributes": [{"name": "size", "ints": [4]}, {"name": "fill_value", "float": 1}],
    "results": [{"name": "full", "type": "float32[4]"}]})";
  c.yes = {"", full, R"("full")"};
  c.no = {"", full, R"("full")"};
  c.operands = "";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
}

TEST(Signature, IfTakesThePredicateAlone) {
  OnnxIf i;
  i.inputs = R"("c", "x")";
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error operand-count"});
  OnnxIf inner;
  inner.yes.parameters = value("z", "float32[4]");
  for (const char *target : {"onnx", "onnxruntime", "tensorrt@10.13"})
    EXPECT_EQ(found(inner.json(), target), Rules{"error operand-count"}) << target;
}

TEST(Signature, B3EachFacetOfAnOperand) {
  const auto declared = [](const std::string &type) {
    TorchCond c = soundCond();
    c.yes.parameters = value("x", type);
    return found(c.json(), "torch@2.13",
                 {"output-dtype", "output-rank", "output-shape", "output-declared", "graph-malformed", "output-device",
                  "output-layout", "branch-identical"});
  };
  EXPECT_EQ(declared("float16[4]"), Rules{"error operand-type"});
  EXPECT_EQ(declared("float32[4, 1]"), Rules{"error operand-type"});
  EXPECT_EQ(declared("float32[5]"), Rules{"error operand-type"});
  EXPECT_EQ(declared("sym_int"), Rules{"error operand-type"});
  EXPECT_EQ(declared("float32[?]"), Rules{});
  EXPECT_EQ(declared("float32[...]"), Rules{});
  EXPECT_EQ(declared("?[4]"), Rules{});
}

TEST(Signature, B3AFalseRecordBreaksNothingInTheBranch) {
  // The body fits what is passed, so the record of the parameter is what is wrong.
  TorchCond c = soundCond("float32[4, 4]");
  c.yes.nodes =
      R"({"op": "aten.mm.default", "attributes": [{"name": "self", "operand": "x"}, {"name": "mat2", "operand": "x"}],
    "results": [)" +
      value("sin", "float32[4, 4]") + "]}";
  for (const char *type : {"float32[4, 5]", "float64[4, 4]", "float32[4]"}) {
    c.yes.parameters = value("x", type);
    EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-type"}) << type;
  }
  // Here it fits neither: both are said.
  c.yes.parameters = value("x", "float32[4, 5]");
  c.yes.nodes =
      R"({"op": "aten.mm.default", "attributes": [{"name": "self", "operand": "x"}, {"name": "mat2", "operand": "w"}],
    "results": [)" +
      value("sin", "float32[4, 4]") + "]}";
  c.yes.parameters += ", " + value("w", "float32[7, 4]");
  c.no.parameters += ", " + value("w", "float32[7, 4]");
  c.parameters += ", " + value("w", "float32[7, 4]");
  c.operands = R"({"operands": ["x", "w"]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), (Rules{"error operator-type", "error operand-type"}));
}

TEST(Signature, WhatAConditionalYieldsGoesOnWhateverIsDeclaredOfIt) {
  // y is declared falsely, and passed to a second conditional, which takes what y really is.
  TorchCond c = soundCond();
  TorchCond inner = soundCond();
  c.after = R"(, {"op": "higher_order.cond", "name": "cond_1", "attributes": [{"operand": "p"}, {"region": )" +
            inner.yes.json("true_graph_1") + R"(}, {"region": )" + inner.no.json("false_graph_1") +
            R"(}, {"operands": ["y"]}], "results": [)" + value("z", "float32[4]") + "]}";
  c.results = R"("z")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  for (const char *type : {"float64[4]", "float32[4, 1]", "float32[5]"}) {
    c.outputs = value("y", type);
    EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-declared"}) << type;
  }
}

TEST(Signature, B3AFalseRecordIsNotPassedOn) {
  // The parameter of the outer branch is recorded falsely; the one inside is not.
  TorchCond inner = soundCond();
  TorchCond c = soundCond();
  c.yes.nodes = R"({"op": "higher_order.cond", "name": "cond_1", "attributes": [{"operand": "q"}, {"region": )" +
                inner.yes.json("true_graph_1") + R"(}, {"region": )" + inner.no.json("false_graph_1") +
                R"(}, {"operands": ["x"]}], "results": [)" + value("sin", "float32[4]") + "]}";
  c.parameters += ", " + value("q", "bool[]");
  c.operands = R"({"operands": ["x", "q"]})";
  c.no.parameters += ", " + value("q", "bool[]");
  c.yes.parameters = value("x", "float32[4]") + ", " + value("q", "bool[]");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  for (const char *type : {"float64[4]", "float32[4, 1]", "float32[5]"}) {
    c.yes.parameters = value("x", type) + ", " + value("q", "bool[]");
    EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-type"}) << type;
  }
}

TEST(Signature, B3OperandOnAnotherDevice) {
  TorchCond c = soundCond();
  const auto on = [](const std::string &device) {
    return R"({"kind": "tensor", "dtype": "float32", "shape": [4], "device": ")" + device + "\"}";
  };
  c.parameters = value("p", "bool[]") + ", " + value("x", on("cuda"));
  c.yes.parameters = c.no.parameters = value("x", on("cpu"));
  EXPECT_EQ(found(c.json(), "torch@2.13", {"output-declared", "graph-malformed", "output-device"}),
            Rules{"error operand-type"});
}

TEST(Signature, B3AFalseRecordOfADeviceIsOneFinding) {
  const auto on = [](const std::string &device) {
    return R"({"kind": "tensor", "dtype": "float32", "shape": [4], "device": ")" + device + "\"}";
  };
  TorchCond c = soundCond(on("cpu"));
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  c.yes.parameters = value("x", on("cuda"));
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-type"});
}

TEST(Signature, B3AFalseRecordOfAnInputOfTheModelIsOneFinding) {
  // x is read by a node of the main graph and by the conditional: both take it as float32[4].
  const auto on = [](const std::string &type, const std::string &device) {
    return R"({"kind": "tensor", "dtype": ")" + type + R"(", "shape": [4], "device": ")" + device + "\"}";
  };
  const std::string sound = on("float32", "cpu");
  TorchCond c = soundCond(sound);
  c.before = aten("relu.default", "x", "r", sound) + ",";
  c.results = R"("y", "r")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  for (const std::string &type : {on("float64", "cpu"), on("float32", "cuda"), std::string("float32[5]")}) {
    c.parameters = value("p", "bool[]") + ", " + value("x", type);
    EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-type"}) << type;
  }
  // What else is wrong is said beside it.
  c.before += aten("abs.default", "p", "q", "float16[]") + ",";
  EXPECT_EQ(found(c.json(), "torch@2.13"), (Rules{"error graph-malformed", "error operand-type"}));
}

TEST(Signature, AFalseRecordOfAnInputThatOnlyNodesReadIsOneFinding) {
  TorchCond c = soundCond();
  c.before = aten("relu.default", "w", "r", "float32[4]") + "," + aten("neg.default", "w", "s", "float32[4]") + "," +
             aten("abs.default", "w", "t", "float32[4]") + ",";
  c.results = R"("y", "r", "s", "t")";
  const auto all = [&](const std::string &type) {
    c.parameters = value("p", "bool[]") + ", " + value("x", "float32[4]") + ", " + value("w", type);
    return found(c.json(), "torch@2.13");
  };
  EXPECT_EQ(all("float32[4]"), Rules{});
  for (const char *type : {"float64[4]", "float32[5]", "float32[4, 1]"})
    EXPECT_EQ(all(type), Rules{"error graph-malformed"}) << type;
}

TEST(Signature, O1OperandsAreAList) {
  TorchCond c = soundCond();
  c.operands = R"({"operand": "x"})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-kind"});
  c.operands = R"({"ints": [1, 2]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-kind"});
}

TEST(Signature, O3SymbolicIntsArePassedByNewerVersions) {
  TorchCond c = soundCond();
  c.parameters += ", " + value("n", "sym_int");
  c.operands = R"({"operands": ["x", "n"]})";
  c.yes.parameters += ", " + value("n", "sym_int");
  c.no.parameters += ", " + value("n", "sym_int");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  EXPECT_EQ(found(c.json(), "torch@2.6"), Rules{"error operand-kind"});
  c.parameters = value("p", "bool[]") + ", " + value("x", "float32[4]") + ", " + value("n", "sym_float");
  EXPECT_EQ(found(c.json(), "torch@2.13", {"operand-type", "operand-unused"}), Rules{"error operand-kind"});
}

TEST(Signature, AnOperandThatNobodyReads) {
  TorchCond c = soundCond();
  c.parameters += ", " + value("z", "float32[2]");
  c.operands = R"({"operands": ["x", "z"]})";
  c.yes.parameters += ", " + value("z", "float32[2]");
  c.no.parameters += ", " + value("z", "float32[2]");
  EXPECT_EQ(found(c.json(), "torch@2.13", {}), Rules{"note operand-unused"});
  EXPECT_EQ(found(soundCond().json(), "torch@2.13", {}), Rules{});
}

} // namespace

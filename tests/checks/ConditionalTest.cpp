//===- ConditionalTest.cpp - What is read as a conditional, and effects in it ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

Model modelOf(const std::string &json) {
  auto models = readJson(FileBytes::copy(json), "test.json");
  EXPECT_TRUE(models);
  return models ? std::move(models->front()) : Model();
}

TEST(Conditional, OfTorch) {
  const Model m = modelOf(soundCond().json());
  const auto list = conditionals(m);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].predicateKind, PredicateKind::Value);
  EXPECT_TRUE(list[0].hasBothBranches());
  EXPECT_EQ(list[0].branches[0].name, "true_graph_0");
  EXPECT_EQ(list[0].operands.size(), 1u);
  EXPECT_FALSE(list[0].capturesAllowed);
}

TEST(Conditional, OfOnnxByVersion) {
  for (const auto &[opset, since] : {std::pair(1, 1), {10, 1}, {11, 11}, {12, 11}, {15, 13}, {18, 16}, {26, 25}}) {
    OnnxIf i;
    i.opset = opset;
    const Model m = modelOf(i.json());
    EXPECT_EQ(conditionals(m).at(0).sinceVersion, since) << opset;
  }
}

/// The second has no name: it is called after its place.
TEST(Conditional, TwoOfOnePathAreTwoFindings) {
  OnnxIf i;
  i.no.nodes = onnx("Cast", R"("x")", "b", "", R"({"name": "to", "int": 7})");
  const std::string one = i.json();
  const auto at = one.find(R"({"op": "If")"), end = one.rfind("], \"results\"");
  std::string two = one.substr(at, end - at);
  i.after = ", " + two.replace(two.find(R"(, "name": "If_0")"), 16, "").replace(two.rfind("\"y\""), 3, "\"z\"");
  const std::string unnamed = i.json();
  const auto count = [](std::string json) {
    std::size_t n = 0;
    for (const Finding &f : checkJson(json, "onnx").findings)
      n += f.rule == "output-dtype" ? 1U : 0U;
    return n;
  };
  EXPECT_EQ(count(one), 1U);
  EXPECT_EQ(count(unnamed), 2U);
  std::string alike = unnamed;
  EXPECT_EQ(count(alike.replace(alike.find("If_0"), 4, "If_1")), 2U); // both are main/If_1
}

TEST(Conditional, LoopsHoldSome) {
  const std::string body = R"({"parameters": [{"name": "i"}, {"name": "go"}, {"name": "v"}], "nodes": [
    {"op": "If", "operands": ["go"], "attributes": [
      {"name": "then_branch", "region": {"nodes": [{"op": "Relu", "operands": ["v"], "results": ["a"]}], "results": ["a"]}},
      {"name": "else_branch", "region": {"nodes": [{"op": "Neg", "operands": ["v"], "results": ["b"]}], "results": ["b"]}}],
     "results": ["w"]}], "results": ["go", "w"]})";
  const Model m = modelOf(R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 20}, "graph": {"parameters": [
    {"name": "n", "type": "int64[]"}, {"name": "c", "type": "bool[]"}, {"name": "x", "type": "float32[2]"}], "nodes": [
    {"op": "Loop", "name": "Loop_0", "operands": ["n", "c", "x"], "attributes": [{"name": "body", "region": )" +
                          body + R"(}], "results": ["y"]}], "results": ["y"]}})");
  const auto list = conditionals(m);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(m.path(list[0].node), "main/Loop_0/body/If_0");
}

TEST(Conditional, ArgumentsByPosition) {
  TorchCond c = soundCond();
  c.predicate = "";
  EXPECT_EQ(conditionals(modelOf(c.json())).at(0).predicateKind, PredicateKind::Missing);
  c.predicate = R"({"string": "x"})";
  const Conditional odd = conditionals(modelOf(c.json())).at(0);
  EXPECT_EQ(odd.predicateKind, PredicateKind::Other);
  EXPECT_EQ(odd.predicateInstead.kind, AttributeKind::String);
  c = soundCond();
  c.operands = R"({"operands": ["x"]}, {"int": 3})";
  EXPECT_EQ(conditionals(modelOf(c.json())).at(0).extraInputs, 1u);
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-count"});
}

const std::string item = R"({"op": "aten.item.default", "attributes": [{"name": "self", "operand": "x"}], "results": [
  {"name": "n", "type": "sym_int", "content": ["u0"]}]}, )";

TEST(Effects, B4HostSyncInsideABranch) {
  TorchCond c = soundCond("int64[]");
  c.yes.nodes = aten("abs.default", "x", "sin", "int64[]");
  c.no.nodes = aten("neg.default", "x", "cos", "int64[]");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  c.yes.nodes = item + c.yes.nodes;
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"note host-sync"});
  // AOTInductor 2.13 compiles the number of what the branch computes, and not that of its operand.
  EXPECT_EQ(found(c.json(), "aoti@2.13"), Rules{"error host-sync"});
  EXPECT_EQ(found(c.json(), "aoti@2.12"), Rules{"note host-sync"});
  c.yes.nodes = aten("abs.default", "x", "sin", "int64[]") + ", " +
                R"({"op": "aten.item.default", "attributes": [{"name": "self", "operand": "sin"}], "results": [
      {"name": "n", "type": "sym_int", "content": ["u0"]}]})";
  EXPECT_EQ(found(c.json(), "aoti@2.13"), Rules{"note host-sync"});
}

TEST(Effects, R17APredicateThatComparesANumberThatWasRead) {
  TorchCond c = soundCond();
  const std::string total = aten("sum.default", "x", "t", "float32[]") + ", ";
  c.before = total + aten("item.default", "t", "v", "sym_float") + ", " +
             R"({"op": "_operator.gt", "attributes": [{"operand": "v"}, {"float": 0.5}], "results": [
      {"name": "q", "type": "sym_bool"}]},)";
  c.predicate = R"({"operand": "q"})";
  const Rules without{"output-layout", "predicate-constant"};
  EXPECT_EQ(found(c.json(), "aoti@2.14", without), Rules{"error host-sync"});
  EXPECT_EQ(found(c.json(), "aoti@2.15", without), Rules{});
}

TEST(Effects, R17ASymbolThatLeaves) {
  TorchCond c = soundCond("int64[]");
  const auto ones = [](const std::string &size) {
    return fmt::format(R"({{"op": "made_up.ones.default", "attributes": [{{"name": "n", "operand": "x"}}], "results": [
      {{"name": "o", "type": "float32[{}]"}}]}})",
                       size);
  };
  c.yes.nodes = item + ones("u0");
  c.no.nodes = ones("u0");
  c.yes.results = c.no.results = R"("o")";
  c.outputs = value("y", "float32[u1]");
  EXPECT_EQ(found(c.json(), "torch@2.13", {"branch-identical"}), Rules{"note host-sync"});
}

TEST(Effects, E4RandomOfTorch) {
  TorchCond c = soundCond();
  c.yes.nodes = aten("rand_like.default", "x", "r", "float32[4]");
  c.yes.results = R"("r")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"note random-in-branch"});
}

} // namespace

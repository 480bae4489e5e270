//===- StorageTest.cpp - Aliases, duplicates and writes -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

const std::string type = "float32[4]";

std::string view(const std::string &from, const std::string &to) {
  return aten("view.default", from, to, type, R"(, {"name": "size", "ints": [4]})");
}

/// The true branch as given, the false one sound.
TorchCond yes(const std::string &nodes, const std::string &results) {
  TorchCond c = soundCond();
  c.yes.nodes = nodes;
  c.yes.results = results;
  return c;
}

TEST(Storage, A1AnOperandItself) {
  EXPECT_EQ(found(yes("", R"("x")").json(), "torch@2.13"), Rules{"error output-alias"});
  EXPECT_EQ(found(yes(aten("clone.default", "x", "c", type), R"("c")").json(), "torch@2.13"), Rules{});
}

TEST(Storage, A1AViewOfAView) {
  const TorchCond c = yes(view("x", "v") + ", " + aten("detach.default", "v", "w", type), R"("w")");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-alias"});
  const Finding f = theFinding(c.json(), "torch@2.13", "output-alias");
  EXPECT_NE(f.message.find("operand 0 ('x')"), std::string::npos) << f.message;
  ASSERT_EQ(f.fixes.size(), 1u);
  EXPECT_NE(f.fixes[0].description.find("clone"), std::string::npos);
  // A view of the branch's own work is its own.
  EXPECT_EQ(found(yes(aten("sin.default", "x", "s", type) + ", " + view("s", "v"), R"("v")").json(), "torch@2.13"),
            Rules{});
}

TEST(Storage, AnOuterValueOfAnIf) {
  OnnxIf i;
  i.yes = {"", "", R"("x")"};
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error output-alias"});
  EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{"error output-alias"});
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"note output-alias"});
  i.yes = {"", onnx("Identity", R"("x")", "a"), R"("a")"};
  EXPECT_EQ(found(i.json(), "onnx"), Rules{});
}

TEST(Storage, AnOuterValueThatIsReturnedBeforeItIsDefinedIsToldOnce) {
  const auto returned = [](const std::string &name, const std::string &target) {
    OnnxIf i;
    i.yes = {"", "", '"' + name + '"'};
    i.after = ", " + onnx("Exp", R"("x")", "later");
    i.results = R"("y", "later")";
    return found(i.json(), target);
  };
  EXPECT_EQ(returned("later", "onnx"), Rules{"error value-undefined"});
  EXPECT_EQ(returned("later", "onnxruntime"), Rules{"error output-alias"}) << "which puts it first";
  for (const char *target : {"onnx", "onnxruntime"}) {
    EXPECT_EQ(returned("y", target), Rules{"error value-undefined"}) << target << ": its own output";
    EXPECT_EQ(returned("x", target), Rules{"error output-alias"}) << target;
  }
}

TEST(Storage, A2OneValueTwice) {
  TorchCond c = yes(aten("sin.default", "x", "s", type), R"("s", "s")");
  c.no = {value("x", type), aten("cos.default", "x", "c", type) + ", " + aten("sin.default", "x", "d", type),
          R"("c", "d")"};
  c.outputs = value("y", type) + ", " + value("z", type);
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-duplicate"});
  c.yes.nodes = aten("sin.default", "x", "s", type) + ", " + view("s", "v");
  c.yes.results = R"("s", "v")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-duplicate"});
  c.yes.nodes = aten("sin.default", "x", "s", type) + ", " + aten("clone.default", "s", "v", type);
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
}

TEST(Storage, AnOutputTooManyIsOneBreak) {
  // Which of the two is too many nobody knows, and without it all is well.
  TorchCond c = yes(aten("sin.default", "x", "s", type), R"("s", "s")");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-count"});
  EXPECT_EQ(verdictOf(c.json(), "torch@2.13", "output-duplicate"), "unknown");
  c.yes.results = R"("s", "s", "s")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-count"});
  // The other branch returns two as well: one is too many, and one is there twice.
  c.no = {value("x", type), aten("cos.default", "x", "c", type) + ", " + aten("sin.default", "x", "d", type),
          R"("c", "d")"};
  c.outputs = value("y", type) + ", " + value("z", type);
  EXPECT_EQ(found(c.json(), "torch@2.13"), (Rules{"error output-count", "error output-duplicate"}));
}

TEST(Storage, AnOperandTwiceIsAnAlias) {
  TorchCond c = yes("", R"("x", "x")");
  c.no.results = R"("cos", "cos2")";
  c.no.nodes += ", " + aten("cos.default", "cos", "cos2", type);
  c.outputs = value("y", type) + ", " + value("z", type);
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-alias"});
}

TEST(Storage, OneNameTwiceInAnIf) {
  OnnxIf i;
  i.yes.results = R"("a", "a")";
  i.no = {"", onnx("Neg", R"("x")", "b") + ", " + onnx("Abs", R"("x")", "d"), R"("b", "d")"};
  i.outputs = value("y") + ", " + value("z");
  i.results = R"("y", "z")";
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error output-duplicate"});
  EXPECT_EQ(found(i.json(), "tensorrt@10.13"), Rules{"warning output-duplicate"});
}

TEST(Storage, TP6OneNameInBothBranches) {
  OnnxIf i;
  i.no = {"", onnx("Neg", R"("x")", "a"), R"("a")"};
  EXPECT_EQ(found(i.json(), "tensorrt@8.2"), Rules{"error output-duplicate"});
  EXPECT_EQ(found(i.json(), "tensorrt@8.4"), Rules{});
  EXPECT_EQ(found(i.json(), "onnx"), Rules{});
  EXPECT_EQ(found(OnnxIf().json(), "tensorrt@8.2"), Rules{});
  // Of a condition that is known the parser reads one branch.
  i.parameters = value("x", "float32[4]");
  i.constants = R"({"name": "c", "type": "bool[]", "data": {"ints": [1]}})";
  EXPECT_EQ(found(i.json(), "tensorrt@8.2"), Rules{"note predicate-constant"});
}

TEST(Storage, A1WhatATracerCopiesIsNoAlias) {
  const auto returns = [](const std::string &op, const std::string &train) {
    TorchCond c = yes(aten(op + ".default", "x", "d", type,
                           R"(, {"name": "p", "float": 0.5}, {"name": "train", "bool": )" + train + "}"),
                      R"("d")");
    return found(c.json(), "torch@2.13", {"random-in-branch"});
  };
  EXPECT_EQ(returns("dropout", "false"), Rules{}); // decomposed into a clone
  EXPECT_EQ(returns("dropout", "true"), Rules{});
  for (const char *op : {"alpha_dropout", "feature_dropout", "feature_alpha_dropout", "native_dropout"})
    EXPECT_EQ(returns(op, "false"), Rules{"error output-alias"}) << op;
}

TEST(Storage, M1WhatATracerCopiesMayBeWritten) {
  // Run operator by operator, the operand itself is written.
  TorchCond c = yes(
      aten("dropout.default", "x", "d", type, R"(, {"name": "p", "float": 0.5}, {"name": "train", "bool": false})") +
          ", " + aten("relu_.default", "d", "r", type),
      R"("r")");
  EXPECT_EQ(verdictOf(c.json(), "torch@2.13", "input-mutation"), "unknown");
  EXPECT_EQ(verdictOf(c.json(), "torch@2.13", "output-alias"), "proved");
}

TEST(Storage, A3OperandsThatShare) {
  TorchCond c = soundCond();
  c.before = view("x", "v") + ",";
  c.operands = R"({"operands": ["x", "v"]})";
  for (Region *r : {&c.yes, &c.no})
    r->parameters += ", " + value("z", type);
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error operand-alias"});
  // The same tensor twice is one operand.
  c.operands = R"({"operands": ["x", "x"]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  c.before = aten("clone.default", "x", "v", type) + ",";
  c.operands = R"({"operands": ["x", "v"]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
}

TEST(Storage, A3WeightsOfOneRecord) {
  TorchCond c = soundCond();
  c.operands = R"({"operands": ["x", "v", "w"]})";
  const auto weights = [&](const std::string &weight, const std::string &first, const std::string &second) {
    for (Region *r : {&c.yes, &c.no})
      r->parameters = value("x", type) + ", " + value("v", weight) + ", " + value("w", weight);
    std::string json = c.json();
    const auto data = [&](const std::string &name, const std::string &record) {
      return fmt::format(R"({{"name": "{}", "type": "{}", "data": {{"file": "{}"}}}})", name, weight, record);
    };
    const std::string before = R"("nodes": [)";
    return json.insert(json.rfind(before, json.find("higher_order.cond")),
                       fmt::format(R"("constants": [{}, {}], )", data("v", first), data("w", second)));
  };
  // A buffer that is a view of another one is saved with it, and shares its storage when it is loaded.
  EXPECT_EQ(found(weights(type, "weight_0", "weight_0"), "torch@2.13"), Rules{"error operand-alias"});
  EXPECT_EQ(found(weights(type, "weight_0", "weight_1"), "torch@2.13"), Rules{});
  // What has no elements has no storage.
  EXPECT_EQ(found(weights("float32[0]", "weight_0", "weight_0"), "torch@2.13"), Rules{});
}

TEST(Storage, A3OperandsOfARegionThatShareStorage) {
  TorchCond c = soundCond();
  c.operands = R"({"operands": ["x", "z"]})";
  for (Region *r : {&c.yes, &c.no})
    r->parameters += ", " + value("z", type);
  const Region inner{value("p", "bool[]") + ", " + value("x", type) + ", " + value("z", type), c.nodes(), R"("y")"};
  const auto passing = [&](const std::string &before, const std::string &second) {
    return c.jsonOf(
        before + fmt::format(R"({{"op": "higher_order.invoke_subgraph", "name": "call", "attributes": [{{"region": {}}},
                        {{"string": "sub"}}, {{"operand": "p"}}, {{"operand": "x"}}, {{"operand": "{}"}}], "results": [{}]}})",
                             inner.json("sub"), second, value("y", type)));
  };
  EXPECT_EQ(found(passing(view("x", "v") + ",", "v"), "torch@2.13"), Rules{"error operand-alias"});
  EXPECT_EQ(found(passing(aten("clone.default", "x", "v", type) + ",", "v"), "torch@2.13"), Rules{});
  EXPECT_EQ(found(passing("", "x"), "torch@2.13"), Rules{}); // the same tensor twice
}

/// The nodes \p before and a while_loop that carries x, whose body takes \p further as z and p, and runs \p c.
std::string looped(const TorchCond &c, const std::string &before, const std::string &further) {
  const std::string parameters = value("x", type) + ", " + value("z", type) + ", " + value("p", "bool[]");
  const Region condition{parameters, aten("logical_not.default", "p", "go", "bool[]"), R"("go")"};
  const Region body{parameters, c.nodes(), R"("y")"};
  return c.jsonOf(
      before +
      fmt::format(
          R"({{"op": "higher_order.while_loop", "name": "loop", "attributes": [{{"region": {}}}, {{"region": {}}},
                     {{"operands": ["x"]}}, {{"operands": ["{}", "p"]}}], "results": [{}]}})",
          condition.json("condition"), body.json("body"), further, value("y", type)));
}

TEST(Storage, A3OperandsOfALoopThatShareStorage) {
  TorchCond c = soundCond();
  c.operands = R"({"operands": ["x", "z"]})";
  for (Region *r : {&c.yes, &c.no})
    r->parameters += ", " + value("z", type);
  EXPECT_EQ(found(looped(c, view("x", "v") + ",", "v"), "torch@2.13"), Rules{"error operand-alias"});
  EXPECT_EQ(found(looped(c, aten("clone.default", "x", "v", type) + ",", "v"), "torch@2.13"), Rules{});
  EXPECT_EQ(found(looped(c, "", "x"), "torch@2.13"), Rules{}); // the same tensor twice
}

TEST(Storage, A3ASliceSharesStorageWithTheWhole) {
  TorchCond c = soundCond();
  c.parameters = value("p", "bool[]") + ", " + value("x", "float32[4, 4]") + ", " + value("w", type);
  c.operands = R"({"operands": ["x", "z"]})";
  const auto mapped = [&](const std::string &of, const std::string &z) {
    for (Region *r : {&c.yes, &c.no})
      r->parameters = value("x", type) + ", " + value("z", z);
    const Region body{value("x", type) + ", " + value("z", z) + ", " + value("p", "bool[]"), c.nodes(), R"("y")"};
    return c.jsonOf(fmt::format(R"({{"op": "higher_order.map_impl", "name": "map", "attributes": [{{"region": {}}},
                                   {{"operands": ["x"]}}, {{"operands": ["{}", "p"]}}], "results": [{}]}})",
                                body.json("body"), of, value("y", "float32[4, 4]")));
  };
  EXPECT_EQ(found(mapped("x", "float32[4, 4]"), "torch@2.13"), Rules{"error operand-alias"});
  EXPECT_EQ(found(mapped("w", type), "torch@2.13"), Rules{});
}

std::string add_(const std::string &self, const std::string &result) {
  return aten("add_.Scalar", self, result, type, R"(, {"name": "other", "int": 1})");
}

TEST(Storage, M1AWriteToAnOperand) {
  const std::string after = ", " + aten("sin.default", "w", "s", type);
  EXPECT_EQ(found(yes(add_("x", "w") + after, R"("s")").json(), "torch@2.13"), Rules{"error input-mutation"});
  EXPECT_EQ(found(yes(view("x", "v") + ", " + add_("v", "w") + after, R"("s")").json(), "torch@2.13"),
            Rules{"error input-mutation"});
}

TEST(Storage, M5AWriteToItsOwn) {
  EXPECT_EQ(found(yes(aten("sin.default", "x", "s", type) + ", " + add_("s", "w"), R"("w")").json(), "torch@2.13"),
            Rules{});
}

TEST(Storage, M6AWriteToABuffer) {
  TorchCond c = yes(add_("x", "w") + ", " + aten("sin.default", "w", "s", type), R"("s")");
  c.parameters = value("p", "bool[]") + R"(, {"name": "x", "type": "float32[4]", "role": "buffer"})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error capture-mutation"});
}

TEST(Storage, M6AWriteToABufferInARegionWithoutGradients) {
  TorchCond c = yes(add_("x", "w") + ", " + aten("sin.default", "w", "s", type), R"("s")");
  EXPECT_EQ(found(c.withoutGradients(type, value("y", type)), "torch@2.13"), Rules{"error input-mutation"});
  c.parameters = value("p", "bool[]") + R"(, {"name": "x", "type": "float32[4]", "role": "buffer"})";
  EXPECT_EQ(found(c.withoutGradients(type, value("y", type)), "torch@2.13"), Rules{"error capture-mutation"});
}

TEST(Storage, M6AWriteToABufferInALoop) {
  TorchCond c = yes(add_("x", "w") + ", " + aten("sin.default", "w", "s", type), R"("s")");
  EXPECT_EQ(found(looped(c, "", "x"), "torch@2.13"), Rules{"error input-mutation"});
  c.operands = R"({"operands": ["z"]})";
  c.parameters =
      value("p", "bool[]") + ", " + value("x", type) + R"(, {"name": "state", "type": "float32[4]", "role": "buffer"})";
  EXPECT_EQ(found(looped(c, "", "state"), "torch@2.13"), Rules{"error capture-mutation"});
  EXPECT_EQ(found(looped(c, aten("clone.default", "state", "v", type) + ",", "v"), "torch@2.13"),
            Rules{"error input-mutation"});
}

TEST(Storage, TheInnermostConditionalReportsAWrite) {
  const auto nested = [](const std::string &innerNodes, const std::string &innerResult) {
    TorchCond c = soundCond();
    c.parameters = value("p", "bool[]") + ", " + value("x", type);
    c.operands = R"({"operands": ["x", "p"]})";
    c.no.parameters += ", " + value("q", "bool[]");
    const Region inner{value("x", type), innerNodes, innerResult};
    const Region other{value("x", type), aten("cos.default", "x", "cos", type), R"("cos")"};
    c.yes = {
        value("x", type) + ", " + value("q", "bool[]"),
        fmt::format(R"({{"op": "higher_order.cond", "name": "cond", "attributes": [{{"operand": "q"}}, {{"region": {}}},
               {{"region": {}}}, {{"operands": ["x"]}}], "results": [{}]}})",
                    inner.json("true_graph_0"), other.json("false_graph_0"), value("z", type)),
        R"("z")"};
    return c.json();
  };
  const std::string writes = nested(add_("x", "w") + ", " + aten("sin.default", "w", "s", type), R"("s")");
  const Finding write = theFinding(writes, "torch@2.13", "input-mutation");
  EXPECT_EQ(write.conditional, "main/cond/true_graph_0/cond");
  EXPECT_TRUE(std::ranges::any_of(write.related, [](const Related &r) { return r.graphPath == "main/cond"; }));
  const Finding alias = theFinding(nested("", R"("x")"), "torch@2.13", "output-alias");
  EXPECT_EQ(alias.conditional, "main/cond/true_graph_0/cond");
}

TEST(Storage, AnUnknownOperatorMayWriteAnything) {
  const TorchCond c = yes(
      R"({"op": "mystery.op.default", "attributes": [{"name": "self", "operand": "x"}], "results": [{"name": "s", "type": "float32[4]"}]})",
      R"("s")");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  EXPECT_EQ(verdictOf(c.json(), "torch@2.13", "input-mutation"), "unknown");
  EXPECT_EQ(verdictOf(c.json(), "torch@2.13", "output-alias"), "unknown");
}

} // namespace

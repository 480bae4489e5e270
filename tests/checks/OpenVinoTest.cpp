//===- OpenVinoTest.cpp - What OpenVINO makes of an If --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"
#include <algorithm>

using namespace condlint;
using namespace condlint::test;

namespace {

constexpr const char *newest = "openvino@2026.4";

OnnxIf ifWithPredicate(const std::string &type) {
  OnnxIf i;
  i.parameters = value("c", type) + ", " + value("x", "float32[4]");
  return i;
}

/// Neg of x and Abs of w.
OnnxIf ifOfTypes(const std::string &x, const std::string &w) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", x) + ", " + value("w", w);
  i.yes = {"", onnx("Neg", R"("x")", "a"), R"("a")"};
  i.no = {"", onnx("Abs", R"("w")", "b"), R"("b")"};
  return i;
}

/// The predicate is the stored constant \p truth.
OnnxIf ifOfConstant(OnnxIf i, const std::string &name = "k") {
  i.constants = fmt::format(R"({{"name": "{}", "type": "bool[]", "data": {{"bytes": [1]}}}})", name);
  i.inputs = fmt::format(R"("{}")", name);
  return i;
}

TEST(OpenVino, OV1TheFirstByteDecides) {
  for (const char *type : {"float32[]", "float64[]", "float16[]", "int64[]", "int32[]"})
    EXPECT_EQ(found(ifWithPredicate(type).json(), newest), Rules{"error predicate-dtype"}) << type;
  for (const char *type : {"int8[]", "uint8[]"}) {
    EXPECT_EQ(found(ifWithPredicate(type).json(), newest), Rules{"warning predicate-dtype"}) << type;
    EXPECT_EQ(found(ifWithPredicate(type).json(), "onnx"), Rules{"error predicate-dtype"}) << type;
  }
  EXPECT_EQ(found(ifWithPredicate("bool[]").json(), newest), Rules{});
}

TEST(OpenVino, OV1WhatFollowsFromConstantsIsAskedWhetherItIsZero) {
  OnnxIf i;
  i.constants = R"({"name": "k", "type": "int64[]", "data": {"bytes": [0, 1, 0, 0, 0, 0, 0, 0]}})";
  i.inputs = R"("k")";
  const std::string bad = "error predicate-dtype", doubtful = "warning predicate-dtype";
  for (const char *target : {"openvino@2024.6", newest})
    EXPECT_TRUE(has(i.json(), target, doubtful) && !has(i.json(), target, bad)) << target;
  EXPECT_TRUE(has(i.json(), "openvino@2023.3", bad)) << "where 256 is not read";
  EXPECT_TRUE(has(i.json(), "onnxruntime", bad));
  EXPECT_NE(theFinding(i.json(), newest, "predicate-dtype").help.find("then branch for all but 0"), std::string::npos);
  EXPECT_NE(
      theFinding(ifWithPredicate("int64[]").json(), newest, "predicate-dtype").help.find("the else branch for 0.5"),
      std::string::npos);
}

TEST(OpenVino, OV2OneAxisAtMost) {
  for (const char *type : {"bool[1, 1]", "bool[1, 1, 1]", "bool[1, N]", "bool[N, M]", "bool[3]", "bool[0]"})
    EXPECT_EQ(found(ifWithPredicate(type).json(), newest), Rules{"error predicate-shape"}) << type;
  for (const char *type : {"bool[]", "bool[1]"})
    EXPECT_EQ(found(ifWithPredicate(type).json(), newest), Rules{}) << type;
  EXPECT_EQ(found(ifWithPredicate("bool[N]").json(), newest), Rules{"warning predicate-shape"});
  EXPECT_EQ(verdictOf(ifWithPredicate("bool[...]").json(), newest, "predicate-shape"), "unknown");
  EXPECT_EQ(found(ifWithPredicate("bool[1, 1]").json(), "onnx"), Rules{});
}

TEST(OpenVino, OV3NoRankIsOpen) {
  EXPECT_EQ(found(ifOfTypes("float32[3]", "float32[1, 3]").json(), newest), Rules{"error output-rank"});
  EXPECT_EQ(found(ifOfTypes("float32[]", "float32[1, 1]").json(), newest), Rules{"error output-rank"});
  EXPECT_EQ(found(ifOfTypes("float32[]", "float32[1]").json(), newest), Rules{"warning output-rank"});
  EXPECT_EQ(found(ifOfTypes("float32[3]", "float32[]").json(), newest), Rules{"warning output-rank"});
  EXPECT_EQ(found(ifOfTypes("float32[3]", "float32[4]").json(), newest), Rules{"note output-shape"});
  EXPECT_EQ(found(ifOfTypes("float32[3]", "float32[1, 3]").json(), "onnx"), Rules{"warning output-rank"});
  EXPECT_EQ(verdictOf(ifOfTypes("float32[3]", "float32[...]").json(), newest, "output-rank"), "unknown");
  OnnxIf unused = ifOfTypes("float32[3]", "float32[1, 3]");
  unused.after = ", " + onnx("Exp", R"("x")", "z");
  unused.results = R"("z")";
  EXPECT_FALSE(has(unused.json(), newest, "error output-rank"));
  EXPECT_EQ(verdictOf(unused.json(), newest, "output-rank"), "unknown");
}

TEST(OpenVino, OV3AnOutputThatNothingNeedsIsDropped) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[2, 3]");
  const std::string sum = onnx("ReduceSum", R"("x")", "r", "float32[]", R"({"name": "keepdims", "int": 0})");
  i.yes = {"", onnx("Neg", R"("x")", "a") + ", " + sum, R"("a", "r")"};
  i.no = {"", onnx("Abs", R"("x")", "b") + ", " + onnx("Exp", R"("x")", "s"), R"("b", "s")"};
  i.outputs = value("y", "float32[2, 3]") + ", " + value("u", "float32[...]");
  const std::string bad = "error output-rank";
  const auto expectOpen = [&](const char *why) {
    for (const char *target : {"openvino@2023.3", newest}) {
      EXPECT_FALSE(has(i.json(), target, bad)) << why;
      EXPECT_EQ(verdictOf(i.json(), target, "output-rank"), "unknown") << why;
    }
  };
  expectOpen("the other output is the model's");
  i.after = ", " + onnx("Neg", R"("u")", "z");
  expectOpen("what reads it nothing needs");
  i.results = R"("z")";
  EXPECT_TRUE(has(i.json(), newest, bad)) << "the other output is not needed";
  i.after = ", " + onnx("Shape", R"("u")", "z");
  EXPECT_TRUE(has(i.json(), newest, bad));
  i.after = "";
  i.results = R"("y", "u")";
  EXPECT_TRUE(has(i.json(), newest, bad));
}

TEST(OpenVino, OV3AnOutputThatLeavesByOneThatNothingNeeds) {
  const auto nested = [](const std::string &results) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[2, 3]");
    const std::string sum = onnx("ReduceSum", R"("x")", "r", "float32[]", R"({"name": "keepdims", "int": 0})");
    const std::string inner = fmt::format(
        R"({{"op": "If", "name": "inner", "operands": ["c"], "attributes": [{{"name": "then_branch", "region": {}}},
           {{"name": "else_branch", "region": {}}}], "results": [{}]}})",
        Region{"", sum, R"("r")"}.json("it"), Region{"", onnx("Exp", R"("x")", "s"), R"("s")"}.json("ie"),
        value("u", "float32[...]"));
    i.yes = {"", onnx("Neg", R"("x")", "a") + ", " + inner, R"("a", "u")"};
    i.no = {"", onnx("Abs", R"("x")", "b") + ", " + onnx("Exp", R"("x")", "e"), R"("b", "e")"};
    i.outputs = value("y", "float32[2, 3]") + ", " + value("z", "float32[...]");
    i.results = results;
    return i.json();
  };
  const std::string bad = "error output-rank";
  EXPECT_FALSE(has(nested(R"("y")"), newest, bad));
  EXPECT_TRUE(has(nested(R"("y", "z")"), newest, bad));
  EXPECT_TRUE(has(nested(R"("z")"), newest, bad));
}

TEST(OpenVino, OV4TensorsOfOneDtype) {
  EXPECT_EQ(found(ifOfTypes("float32[3]", "int64[3]").json(), newest), Rules{"error output-dtype"});
}

/// Both branches put a sequence together, of \p x and of \p w.
OnnxIf ifOfSequences(const std::string &x, const std::string &w) {
  OnnxIf i = ifOfTypes("float32[3]", "float32[3]");
  i.parameters += ", " + value("k", "int64[]");
  i.yes.nodes = onnx("Exp", R"("x")", "f") + ", " + onnx("SequenceConstruct", x, "a");
  i.no.nodes = onnx("Exp", R"("w")", "g") + ", " + onnx("SequenceConstruct", w, "b");
  i.after = ", " + onnx("SequenceAt", R"("y", "k")", "z");
  i.results = R"("z")";
  return i;
}

TEST(OpenVino, OV4EntriesOfASequenceAreFoundSince2026_3) {
  const OnnxIf same = ifOfSequences(R"("x", "f")", R"("g", "w")");
  for (const char *old : {"openvino@2023.3", "openvino@2026.2"})
    EXPECT_TRUE(has(same.json(), old, "error output-kind")) << old;
  for (const char *target : {"openvino@2026.3", newest, "openvino"})
    EXPECT_TRUE(has(same.json(), target, "warning output-kind")) << target;
  EXPECT_EQ(found(same.json(), "onnx"), Rules{});
  // Other numbers of entries; of a single one that both branches may share nobody knows which is taken.
  const OnnxIf two = ifOfSequences(R"("x", "f")", R"("g", "w", "w")");
  EXPECT_TRUE(has(two.json(), newest, "error output-kind"));
  EXPECT_TRUE(has(ifOfSequences(R"("f")", R"("g", "w")").json(), newest, "error output-kind"));
  OnnxIf shared = ifOfSequences(R"("x")", R"("g", "w")");
  EXPECT_EQ(verdictOf(shared.json(), newest, "output-kind"), "unknown");
  shared.after = ", " + onnx("SequenceLength", R"("y")", "z");
  EXPECT_TRUE(has(shared.json(), newest, "error output-kind")) << "but not how many they are";
  // What is inserted after, put together or returned.
  OnnxIf whole = same;
  whole.after = ", " + onnx("ConcatFromSequence", R"("y")", "z", "", R"({"name": "axis", "int": 0})");
  EXPECT_TRUE(has(whole.json(), newest, "error output-kind"));
  whole.after = "";
  whole.results = R"("y")";
  EXPECT_TRUE(has(whole.json(), newest, "error output-kind"));
  whole.after = ", " + onnx("Identity", R"("y")", "s") + ", " + onnx("SequenceErase", R"("s", "k")", "r") + ", " +
                onnx("SequenceAt", R"("r", "k")", "z");
  whole.results = R"("z")";
  EXPECT_TRUE(has(whole.json(), newest, "warning output-kind")) << "what is left of it has entries as well";
  // What nothing needs is dropped.
  OnnxIf unused = two;
  unused.after = ", " + onnx("Exp", R"("x")", "z");
  EXPECT_FALSE(has(unused.json(), newest, "error output-kind"));
  EXPECT_EQ(verdictOf(unused.json(), newest, "output-kind"), "unknown");
  EXPECT_EQ(verdictOf(unused.json(), "openvino@2025.4", "output-kind"), "unknown");
}

TEST(OpenVino, OV4NumbersOfEntriesFollowFromWhatMakesThem) {
  OnnxIf i = ifOfSequences(R"("x", "f")", R"("g", "w")");
  const auto severity = [&](const std::string &nodes) {
    i.yes.nodes = nodes;
    return has(i.json(), newest, "warning output-kind") ? "warning"
           : has(i.json(), newest, "error output-kind") ? "error"
                                                        : verdictOf(i.json(), newest, "output-kind");
  };
  const std::string one = onnx("SequenceConstruct", R"("x")", "s");
  EXPECT_EQ(severity(one + ", " + onnx("SequenceInsert", R"("s", "x")", "a")), "warning");
  EXPECT_EQ(
      severity(onnx("SequenceConstruct", R"("x", "x", "x")", "s") + ", " + onnx("SequenceErase", R"("s", "k")", "a")),
      "warning");
  i.parameters +=
      ", " + value("m", "float32[2, 3]") + ", " + value("n", "float32[3, 3]") + ", " + value("o", "float32[N, 3]");
  const std::string apart = R"({"name": "keepdims", "int": 0})";
  EXPECT_EQ(severity(onnx("SplitToSequence", R"("m")", "a", "", apart)), "warning");
  EXPECT_EQ(severity(onnx("SplitToSequence", R"("n")", "a", "", apart)), "error");
  EXPECT_EQ(severity(onnx("SplitToSequence", R"("o")", "a", "", apart)), "unknown");
}

TEST(OpenVino, OV4ASurplusOutputIsDroppedSince2026_2) {
  // The then branch returns one that nothing declares.
  OnnxIf i;
  const auto surplus = [&](const std::string &nodes) {
    i.yes = {"", onnx("Neg", R"("x")", "a") + (nodes.empty() ? "" : ", " + nodes), R"("a", "s")"};
    return i.json();
  };
  const std::string exp = surplus(onnx("Exp", R"("x")", "s"));
  for (const char *target : {"openvino@2023.3", "openvino@2026.1", "onnx", "onnxruntime"})
    EXPECT_TRUE(has(exp, target, "error output-count")) << target;
  for (const char *target : {"openvino@2026.2", newest, "openvino"})
    EXPECT_TRUE(has(exp, target, "warning output-count")) << target;
  // Only one node is left out, and none that reads another one.
  EXPECT_TRUE(has(surplus(onnx("Add", R"("x", "x")", "s")), newest, "error output-count"));
  EXPECT_TRUE(has(surplus(onnx("Exp", R"("a")", "s")), newest, "error output-count"));
  // As many in both: right before, and again where both or none are left out.
  surplus(onnx("Add", R"("x", "x")", "s"));
  i.no = {"", onnx("Abs", R"("x")", "b") + ", " + onnx("Mul", R"("x", "x")", "r"), R"("b", "r")"};
  for (const char *target : {"openvino@2023.3", newest})
    EXPECT_TRUE(has(i.json(), target, "warning output-count")) << target;
  i.no.nodes = onnx("Abs", R"("x")", "b") + ", " + onnx("Sin", R"("x")", "r");
  EXPECT_TRUE(has(i.json(), "openvino@2026.1", "warning output-count"));
  EXPECT_TRUE(has(i.json(), newest, "error output-count"));
  // What nothing needs.
  i.after = ", " + onnx("Exp", R"("x")", "z");
  i.results = R"("z")";
  EXPECT_FALSE(has(i.json(), newest, "error output-count"));
  EXPECT_EQ(verdictOf(i.json(), newest, "output-count"), "unknown");
}

TEST(OpenVino, OV5OpenSizesUntil2026_1) {
  const OnnxIf open = ifOfTypes("float32[N, 4]", "float32[N, 4]");
  for (const char *broken : {"openvino@2023.3", "openvino@2025.4", "openvino@2026.1"})
    EXPECT_EQ(found(open.json(), broken), Rules{"error output-memory"}) << broken;
  for (const char *right : {"openvino@2026.2", newest, "openvino", "onnx", "onnxruntime", "tensorrt@10.13"})
    EXPECT_EQ(found(open.json(), right), Rules{}) << right;
  const char *old = "openvino@2025.4";
  EXPECT_EQ(found(ifOfTypes("float32[3]", "float32[3]").json(), old), Rules{});
  EXPECT_EQ(found(ifOfTypes("float32[N, 4]", "float32[N, 5]").json(), old), Rules{"note output-shape"})
      << "which never agree";
  EXPECT_TRUE(has(ifOfTypes("float32[N]", "float32[M]").json(), old, "warning output-memory"));
  EXPECT_FALSE(has(ifOfTypes("float32[N]", "float32[3]").json(), old, "warning output-memory")) << "one is fixed";
  // Inside, what nobody reads, and what one branch alone gives.
  OnnxIf used = open;
  used.after = ", " + onnx("Exp", R"("y")", "z");
  used.results = R"("z")";
  EXPECT_EQ(found(used.json(), old), Rules{"error output-memory"});
  used.after = ", " + onnx("Exp", R"("x")", "z");
  EXPECT_EQ(found(used.json(), old), Rules{});
  EXPECT_EQ(found(ifOfConstant(open).json(), old), Rules{"note predicate-constant"});
}

TEST(OpenVino, OV5AConditionalIsDroppedWithTheCallOfItsFunction) {
  const auto returning = [](const char *result) {
    const OnnxIf open;
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20, "local": 1}}, "graph": {{
        "parameters": [{}, {}], "nodes": [{{"op": "local::F", "operands": ["c", "x"], "results": ["w"]}}, {}], "results": ["{}"]}},
        "functions": [{{"domain": "local", "name": "F", "opsets": {{"": 20}}, "graph": {{"parameters": [{{"name": "c"}}, {{"name": "x"}}],
        "nodes": [{{"op": "If", "name": "If_0", "operands": ["c"], "attributes": [{{"name": "then_branch", "region": {}}},
        {{"name": "else_branch", "region": {}}}], "results": ["y"]}}], "results": ["y"]}}}}]}})",
        value("c", "bool[]"), value("x", "float32[N, 4]"), onnx("Exp", R"("x")", "z"), result, open.yes.json("t"),
        open.no.json("e"));
  };
  const char *old = "openvino@2025.4";
  EXPECT_TRUE(has(returning("w"), old, "error output-memory"));
  EXPECT_FALSE(has(returning("z"), old, "error output-memory"));
  EXPECT_EQ(verdictOf(returning("z"), old, "output-memory"), "unknown");
}

TEST(OpenVino, OV5WhatFollowsFromDataIsNotKnown) {
  OnnxIf i = ifOfTypes("float32[3]", "float32[3]");
  i.yes.nodes = onnx("NonZero", R"("x")", "a");
  i.no.nodes = onnx("NonZero", R"("w")", "b");
  EXPECT_EQ(found(i.json(), "openvino@2025.4"), Rules{});
  EXPECT_EQ(verdictOf(i.json(), "openvino@2025.4", "output-memory"), "unknown");
}

TEST(OpenVino, OV6OuterValuesMayBeReturned) {
  OnnxIf i;
  i.yes = {"", "", R"("x")"};
  for (const char *target : {"openvino@2025.4", "openvino@2026.2", newest})
    EXPECT_EQ(found(i.json(), target), Rules{"note output-alias"}) << target;
  for (const char *target : {"openvino@2026.0", "openvino@2026.1", "onnx", "onnxruntime"})
    EXPECT_EQ(found(i.json(), target), Rules{"error output-alias"}) << target;
  i.constants = R"({"name": "k", "type": "float32[4]"})";
  i.yes.results = R"("k")";
  EXPECT_EQ(found(i.json(), newest), Rules{"error output-alias"});
  EXPECT_EQ(found(i.json(), "openvino@2025.4"), Rules{"note output-alias"});
}

TEST(OpenVino, OV6AWeightOfTheBranchItself) {
  OnnxIf i;
  i.yes = {"", "", R"("k")", R"({"name": "k", "type": "float32[4]"})"};
  for (const char *target : {"openvino@2026.0", "openvino@2026.1"}) {
    EXPECT_EQ(found(i.json(), target), Rules{"error output-alias"}) << target;
    EXPECT_NE(theFinding(i.json(), target, "output-alias").message.find("a weight of its own"), std::string::npos);
  }
  for (const char *target : {"openvino@2025.4", "openvino@2026.2", newest, "onnx", "onnxruntime"})
    EXPECT_FALSE(has(i.json(), target, "error output-alias")) << target;
  i.yes.nodes = onnx("Identity", R"("k")", "a", "float32[4]");
  i.yes.results = R"("a")";
  EXPECT_FALSE(has(i.json(), "openvino@2026.1", "error output-alias"));
}

TEST(OpenVino, OV7AStoredConstantChoosesTheType) {
  EXPECT_EQ(found(ifOfConstant(ifOfTypes("float32[3]", "float32[1, 3]")).json(), newest),
            Rules{"note predicate-constant"});
  EXPECT_EQ(found(ifOfConstant(ifOfTypes("float32[3]", "int64[3]")).json(), newest), Rules{"note predicate-constant"});
  // Of what is computed nothing is known.
  OnnxIf i = ifOfConstant(ifOfTypes("float32[3]", "float32[1, 3]"));
  i.before = onnx("Not", R"("k")", "p") + ", ";
  i.inputs = R"("p")";
  EXPECT_EQ(found(i.json(), newest), Rules{"note predicate-constant"});
  EXPECT_EQ(verdictOf(i.json(), newest, "output-rank"), "unknown");
}

TEST(OpenVino, OV8OperatorsWithoutAConversion) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[4, 4]");
  i.yes.nodes = onnx("Det", R"("x")", "a");
  i.no.nodes = onnx("ReduceSum", R"("x")", "b", "", R"({"name": "keepdims", "int": 0})");
  EXPECT_EQ(found(i.json(), newest), Rules{"error unsupported-in-branch"});
  EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{});
  i.yes.nodes = onnx("Bernoulli", R"("x")", "a");
  for (const char *target : {"openvino@2023.3", newest})
    EXPECT_TRUE(has(i.json(), target, "error unsupported-in-branch")) << target;
  EXPECT_FALSE(has(i.json(), "onnxruntime", "error unsupported-in-branch"));
  i.yes.nodes = onnx("LpPool", R"("x")", "a", "float32[]", R"({"name": "kernel_shape", "ints": [2]})");
  EXPECT_TRUE(has(i.json(), "openvino@2026.2", "error unsupported-in-branch"));
  EXPECT_FALSE(has(i.json(), newest, "error unsupported-in-branch"));
}

/// The If of ifOfTypes() whose first branch is \p nodes, which make a.
std::string branchOf(const std::string &nodes, int opset = 20, const std::string &constants = {}) {
  OnnxIf i = ifOfTypes("float32[2, 4, 3]", "float32[2, 4, 3]");
  i.yes.nodes = nodes;
  i.constants = constants;
  i.opset = opset;
  return i.json();
}

TEST(OpenVino, OV8OperatorsThatSingleVersionsLack) {
  const std::string bad = "error unsupported-in-branch";
  const std::string exp = onnx("Exp", R"("x")", "f") + ", ";
  struct Case {
    std::string nodes;
    const char *until, *since; ///< the last version that does not read it, the first that does
    int opset = 24;
  };
  for (const Case &c : std::vector<Case>{
           {onnx("LayerNormalization", R"("x", "w")", "a"), "2023.3", "2024.6"},
           {onnx("SoftmaxCrossEntropyLoss", R"("x", "w")", "a"), "2024.6", "2025.4"},
           {onnx("RMSNormalization", R"("x", "w")", "a"), "2026.2", "2026.3"},
           {onnx("Swish", R"("x")", "a"), "2026.3", "2026.4"},
           {onnx("com.microsoft::Gelu", R"("x")", "a"), "2023.3", "2024.6"},
           {onnx("com.microsoft::FastGelu", R"("x")", "a"), "2024.6", "2025.4"},
           {onnx("com.microsoft::QuickGelu", R"("x")", "a"), "2026.0", "2026.1"},
           {onnx("com.microsoft::QuickGelu", R"("x")", "a", "", R"({"name": "alpha", "float": 1.702})"), "2023.3",
            "2024.6"},
           {onnx("com.microsoft::Pad", R"("x", "w")", "a"), "2023.3", "2024.6"},
           {onnx("com.microsoft::GatherND", R"("x", "w")", "a"), "2023.3", "2024.6"},
           {onnx("com.microsoft::FusedConv", R"("x", "w")", "a"), "2026.0", "2026.1"},
           {onnx("com.microsoft::SkipLayerNormalization", R"("x", "x", "w")", "a"), "2025.4", "2026.0"},
           {onnx("com.microsoft::SkipSimplifiedLayerNormalization", R"("x", "x", "w")", "a"), "2026.0", "2026.1"},
           {onnx("com.microsoft::GroupQueryAttention", R"("x", "x", "x", "x", "x", "w", "w")", "a"), "2026.1",
            "2026.2"},
           {onnx("ai.onnx.ml::Normalizer", R"("x")", "a"), "2026.1", "2026.2"},
           {exp + onnx("QuantizeLinear", R"("f", "w")", "a"), "2024.6", "2025.4"},
           {onnx("ScatterND", R"("x", "w", "w")", "a", "", R"({"name": "reduction", "string": "add"})"), "2026.2",
            "2026.3"},
           {onnx("GridSample", R"("x", "w")", "a", "", R"({"name": "mode", "string": "linear"})"), "2026.2",
            "2026.3"}}) {
    EXPECT_TRUE(has(branchOf(c.nodes, c.opset), std::string("openvino@") + c.until, bad)) << c.nodes << c.until;
    EXPECT_FALSE(has(branchOf(c.nodes, c.opset), std::string("openvino@") + c.since, bad)) << c.nodes << c.since;
    EXPECT_FALSE(has(branchOf(c.nodes, c.opset), "onnxruntime", bad)) << c.nodes;
  }
  // Pads of mode wrap no version reads.
  for (const char *pad : {"Pad", "com.microsoft::Pad"})
    for (const char *mode : {"wrap", "edge"}) {
      const std::string nodes =
          onnx(pad, R"("x", "w")", "a", "", fmt::format(R"({{"name": "mode", "string": "{}"}})", mode));
      EXPECT_EQ(has(branchOf(nodes), newest, bad), mode == std::string_view("wrap")) << pad << mode;
      EXPECT_FALSE(has(branchOf(nodes), "onnxruntime", bad)) << pad << mode;
    }
  // In other uses they are read.
  EXPECT_FALSE(has(branchOf(onnx("ScatterND", R"("x", "w", "w")", "a")), "openvino@2026.2", bad));
  EXPECT_FALSE(has(branchOf(onnx("GridSample", R"("x", "w")", "a")), "openvino@2023.3", bad));
  EXPECT_FALSE(has(branchOf(exp + onnx("QuantizeLinear", R"("f", "w", "x")", "a")), "openvino@2023.3", bad));
  // Of ONNX Runtime's own those that are read are known, of other domains nothing is.
  EXPECT_TRUE(has(branchOf(onnx("com.microsoft::Inverse", R"("x")", "a")), newest, bad));
  EXPECT_FALSE(has(branchOf(onnx("com.microsoft::BiasGelu", R"("x", "w")", "a")), "openvino@2023.3", bad));
  for (const auto &[op, attribute] : {std::pair("EmbedLayerNormalization", R"({"name": "epsilon", "float": 1e-12})"),
                                      std::pair("QLinearLeakyRelu", R"({"name": "alpha", "float": 0.01})"),
                                      std::pair("RotaryEmbedding", R"({"name": "interleaved", "int": 0})")}) {
    const std::string name = std::string("com.microsoft::") + op;
    EXPECT_TRUE(has(branchOf(onnx(name, R"("x", "w")", "a")), newest, bad)) << op;
    EXPECT_FALSE(has(branchOf(onnx(name, R"("x", "w")", "a", "", attribute)), newest, bad)) << op;
  }
  const std::string other = branchOf(onnx("org.example::Odd", R"("x")", "a"));
  EXPECT_FALSE(has(other, newest, bad));
  EXPECT_EQ(verdictOf(other, newest, "unsupported-in-branch"), "unknown");
}

TEST(OpenVino, OV8TypesThatAreRefusedOrComputedWrongly) {
  const std::string bad = "error unsupported-in-branch";
  const auto of = [](const char *type, const std::string &nodes) {
    OnnxIf i = ifOfTypes(type, type);
    i.parameters = value("c", "bool[]") + ", " + value("x", type);
    i.yes.nodes = nodes;
    return i.json();
  };
  for (const char *target : {"openvino@2023.3", newest}) {
    for (const char *type : {"float16[2]", "bfloat16[2]", "float64[2]"})
      EXPECT_TRUE(has(of(type, onnx("Celu", R"("x")", "a")), target, bad)) << target << type;
    EXPECT_FALSE(has(of("float32[2]", onnx("Celu", R"("x")", "a")), target, bad)) << target;
    for (const char *type : {"int8[2]", "uint8[2]"})
      EXPECT_TRUE(has(of(type, onnx("Div", R"("x", "x")", "a")), target, bad)) << target << type;
    for (const char *type : {"int16[2]", "uint16[2]", "int32[2]", "int64[2]", "float32[2]"})
      EXPECT_FALSE(has(of(type, onnx("Div", R"("x", "x")", "a")), target, bad)) << target << type;
    EXPECT_FALSE(has(of("int8[2]", onnx("Mul", R"("x", "x")", "a")), target, bad)) << target;
  }
}

TEST(OpenVino, OV12RanksThatHangOnWhatIsGiven) {
  const std::string bad = "error unsupported-in-branch", zero = R"({"name": "keepdims", "int": 0})";
  const auto of = [&](const std::string &nodes, const char *axes) {
    OnnxIf i = ifOfTypes("float32[2, 4, 3]", "float32[2, 4, 3]");
    i.parameters += ", " + value("k", axes) + ", " + value("s", "float32[2, n, 3]");
    i.constants = R"({"name": "one", "type": "int64[1]", "data": {"bytes": [1, 0, 0, 0, 0, 0, 0, 0]}})";
    i.yes.nodes = nodes + ", " + onnx("ReduceSum", R"("f")", "g", "", zero) + ", " + onnx("Mul", R"("x", "g")", "a");
    return i.json();
  };
  struct Case {
    std::string nodes;
    const char *axes;
    bool isRead, isReadBefore; ///< in the newest version, and in 2023.3
  };
  for (const Case &c : std::vector<Case>{{onnx("Unsqueeze", R"("x", "k")", "f"), "int64[1]", false, false},
                                         {onnx("Unsqueeze", R"("x", "one")", "f"), "int64[1]", true, true},
                                         {onnx("Squeeze", R"("x", "k")", "f"), "int64[1]", true, true},
                                         {onnx("Squeeze", R"("x", "k")", "f"), "int64[2]", false, false},
                                         {onnx("Squeeze", R"("x")", "f"), "int64[1]", true, true},
                                         {onnx("Squeeze", R"("s")", "f"), "int64[1]", false, false},
                                         {onnx("Reshape", R"("x", "k")", "f"), "int64[3]", true, true},
                                         {onnx("Reshape", R"("x", "k")", "f"), "int64[n]", false, false},
                                         {onnx("Expand", R"("x", "k")", "f"), "int64[n]", false, false},
                                         {onnx("Tile", R"("x", "k")", "f"), "int64[n]", false, false},
                                         {onnx("ConstantOfShape", R"("k")", "f"), "int64[n]", false, false},
                                         {onnx("ReduceMax", R"("x", "k")", "f"), "int64[2]", true, true},
                                         {onnx("ReduceMax", R"("x", "k")", "f"), "int64[n]", false, false},
                                         {onnx("ReduceMax", R"("x", "k")", "f", "", zero), "int64[1]", true, false},
                                         {onnx("ReduceMax", R"("x", "k")", "f", "", zero), "int64[2]", false, false}}) {
    EXPECT_EQ(has(of(c.nodes, c.axes), newest, bad), !c.isRead) << c.nodes << c.axes;
    EXPECT_EQ(has(of(c.nodes, c.axes), "openvino@2023.3", bad), !c.isReadBefore) << c.nodes << c.axes;
    EXPECT_FALSE(has(of(c.nodes, c.axes), "onnxruntime", bad)) << c.nodes << c.axes;
  }
  // What is computed may be folded before.
  const std::string computed =
      of(onnx("Abs", R"("k")", "l") + ", " + onnx("Unsqueeze", R"("x", "l")", "f"), "int64[1]");
  EXPECT_FALSE(has(computed, newest, bad));
  EXPECT_EQ(verdictOf(computed, newest, "unsupported-in-branch"), "unknown");
}

TEST(OpenVino, OV12AnInputWithAnInitializerIsAConstant) {
  OnnxIf i;
  i.parameters = value("k", "int64[1]") + ", " + value("c", "bool[]") + ", " + value("x", "float32[4]");
  i.constants = R"({"name": "one", "type": "int64[1]", "data": {"bytes": [1, 0, 0, 0, 0, 0, 0, 0]}})";
  i.yes.nodes = onnx("Unsqueeze", R"("x", "k")", "a");
  const auto isTold = [&](bool hasDefault) {
    auto models = readJson(FileBytes::copy(i.json()), "test.json");
    Model &m = models->front();
    if (hasDefault)
      m[ValueId(m[m.main()].parameters.first)].constant = m[ValueId(m[m.main()].constants.first)].constant;
    const Analysis analysis(m);
    return std::ranges::any_of(check(analysis, *parseTarget(newest), {}).findings,
                               [](const Finding &f) { return f.rule == "unsupported-in-branch"; });
  };
  EXPECT_TRUE(isTold(false));
  EXPECT_FALSE(isTold(true));
}

TEST(OpenVino, OV8GroupNormalizationStandsInNoBranch) {
  const std::string bad = "error unsupported-in-branch";
  const std::string node =
      onnx("GroupNormalization", R"("x", "w", "w")", "a", "", R"({"name": "num_groups", "int": 2})");
  for (const char *target : {"openvino@2024.6", newest})
    for (const int opset : {18, 21})
      EXPECT_TRUE(has(branchOf(node, opset), target, bad)) << target << opset;
  EXPECT_FALSE(has(branchOf(node, 18), "openvino@2023.3", bad));
  EXPECT_TRUE(has(branchOf(node, 21), "openvino@2023.3", bad));
}

TEST(OpenVino, OV8DropoutThatTrains) {
  const std::string bad = "error unsupported-in-branch";
  const std::string exp = onnx("Exp", R"("x")", "f") + ", ";
  const auto constant = [](const char *byte) {
    return fmt::format(R"({{"name": "k", "type": "bool[]", "data": {{"bytes": [{}]}}}})", byte);
  };
  for (const char *target : {"openvino@2023.3", newest}) {
    const std::string trained = exp + onnx("Dropout", R"("f", "w", "k")", "a");
    EXPECT_TRUE(has(branchOf(trained, 20, constant("1")), target, bad)) << target;
    EXPECT_FALSE(has(branchOf(trained, 20, constant("0")), target, bad)) << target;
    EXPECT_TRUE(has(branchOf(exp + onnx("Dropout", R"("f", "w", "c")", "a")), target, bad)) << target;
    EXPECT_FALSE(has(branchOf(exp + onnx("Dropout", R"("f")", "a")), target, bad)) << target;
  }
  // What it is given from around the branch it loses with it.
  for (const char *target : {"openvino@2026.0", newest})
    EXPECT_TRUE(has(branchOf(onnx("Dropout", R"("x")", "a")), target, bad)) << target;
  EXPECT_FALSE(has(branchOf(onnx("Dropout", R"("x")", "a")), "openvino@2025.4", bad));
  EXPECT_NE(
      theFinding(branchOf(onnx("Dropout", R"("x")", "a")), newest, "unsupported-in-branch").help.find("leave it out"),
      std::string::npos);
}

TEST(OpenVino, OV9SequencesThatABranchTakesApart) {
  OnnxIf i;
  const std::string made = onnx("SequenceConstruct", R"("x", "x")", "s"), at = onnx("SequenceAt", R"("s", "c")", "a");
  const std::string bad = "error unsupported-in-branch";
  i.yes.nodes = made + ", " + at;
  for (const char *target : {"openvino@2025.4", "openvino@2026.1", newest})
    EXPECT_TRUE(has(i.json(), target, bad)) << target;
  EXPECT_NE(theFinding(i.json(), newest, "unsupported-in-branch").message.find("put together in the branch"),
            std::string::npos);
  i.yes.nodes = made + ", " + onnx("ConcatFromSequence", R"("s")", "a", "", R"({"name": "axis", "int": 0})");
  EXPECT_FALSE(has(i.json(), newest, bad));
  EXPECT_TRUE(has(i.json(), "openvino@2025.4", bad)) << "of which it reads none at all";
  i.yes.nodes = onnx("SplitToSequence", R"("x")", "s") + ", " + at;
  EXPECT_FALSE(has(i.json(), newest, bad));
  // Counted, erased from and inserted into since 2026.3 alone.
  const std::string whole = onnx("ConcatFromSequence", R"("r")", "a", "", R"({"name": "axis", "int": 0})");
  const std::string inserted = onnx("SequenceInsert", R"("s", "x")", "r"),
                    erased = onnx("SequenceErase", R"("s")", "r");
  for (const std::string &nodes : {made + ", " + inserted + ", " + whole, made + ", " + erased + ", " + whole,
                                   made + ", " + onnx("SequenceLength", R"("s")", "a")}) {
    i.yes.nodes = nodes;
    EXPECT_TRUE(has(i.json(), "openvino@2026.2", bad)) << nodes;
    EXPECT_FALSE(has(i.json(), "openvino@2026.3", bad)) << nodes;
  }
  // Behind an Identity the entries are found, and the whole is not.
  const std::string copied = onnx("Identity", R"("s")", "r");
  i.yes.nodes = made + ", " + copied + ", " + whole;
  EXPECT_TRUE(has(i.json(), newest, bad));
  i.yes.nodes = made + ", " + copied + ", " + onnx("SequenceAt", R"("r", "c")", "a");
  EXPECT_FALSE(has(i.json(), newest, bad));
  EXPECT_TRUE(has(i.json(), "openvino@2026.2", bad));
  // From the graph around the branch.
  i.before = made + ", ";
  i.yes.nodes = at;
  EXPECT_TRUE(has(i.json(), "openvino@2026.2", bad));
  EXPECT_FALSE(has(i.json(), newest, bad));
  i.yes.nodes = onnx("ConcatFromSequence", R"("s")", "a", "", R"({"name": "axis", "int": 0})");
  EXPECT_TRUE(has(i.json(), newest, bad));
  EXPECT_FALSE(has(i.json(), "onnxruntime", bad));
}

TEST(OpenVino, OV9AnEntryThatTheBranchComputesMayBeFound) {
  OnnxIf i;
  i.parameters += ", " + value("k", "int64[]");
  i.constants =
      R"({"name": "zero", "type": "int64[]", "data": {"ints": [0]}}, {"name": "last", "type": "int64[]", "data": {"ints": [-1]}})";
  const auto verdict = [&](const std::string &made, const std::string &index, const char *target) {
    i.yes.nodes = onnx("Exp", R"("x")", "n") + ", " + made + ", " +
                  onnx("SequenceAt", R"("s", ")" + index + '"', "a", "float32[4]");
    return has(i.json(), target, "error unsupported-in-branch") ? "error"
                                                                : verdictOf(i.json(), target, "unsupported-in-branch");
  };
  const std::string both = onnx("SequenceConstruct", R"("x", "n")", "s");
  for (const char *target : {"openvino@2026.1", newest}) {
    EXPECT_EQ(verdict(both, "last", target), "unknown");
    EXPECT_EQ(verdict(both, "k", target), "unknown");
    EXPECT_EQ(verdict(both, "zero", target), "error") << "x itself";
    EXPECT_EQ(verdict(onnx("SequenceConstruct", R"("x", "x")", "s"), "k", target), "error") << "x in any case";
  }
  for (const char *target : {"openvino@2025.4", "openvino@2026.0"})
    EXPECT_EQ(verdict(both, "last", target), "error") << target;
  const std::string inserted =
      onnx("SequenceConstruct", R"("x")", "r") + ", " + onnx("SequenceInsert", R"("r", "n")", "s");
  EXPECT_EQ(verdict(inserted, "last", newest), "unknown");
  EXPECT_EQ(verdict(inserted, "last", "openvino@2026.2"), "error");
}

TEST(OpenVino, OV8WhatNothingNeedsMayBeDropped) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[4, 4]");
  const std::string sum = onnx("ReduceSum", R"("x")", "b", "", R"({"name": "keepdims", "int": 0})");
  i.no.nodes = sum;
  i.yes.nodes = onnx("Det", R"("x")", "d") + ", " + onnx("Exp", R"("d")", "e") + ", " +
                onnx("ReduceMax", R"("x")", "a", "", R"({"name": "keepdims", "int": 0})");
  EXPECT_FALSE(has(i.json(), newest, "error unsupported-in-branch")) << "the branch returns something else";
  EXPECT_EQ(verdictOf(i.json(), newest, "unsupported-in-branch"), "unknown");
  i.yes.results = R"("e")";
  EXPECT_TRUE(has(i.json(), newest, "error unsupported-in-branch"));
  i.after = ", " + onnx("Exp", R"("x")", "z");
  i.results = R"("z")";
  EXPECT_FALSE(has(i.json(), newest, "error unsupported-in-branch")) << "nothing reads the conditional";
}

TEST(OpenVino, OV10WhatABranchReadsAndTheGraphReturns) {
  const std::string bad = "error output-count";
  OnnxIf i;
  i.before = onnx("Exp", R"("x")", "v") + ", ";
  i.yes.nodes = onnx("Neg", R"("v")", "a");
  i.results = R"("v", "y")";
  EXPECT_TRUE(has(i.json(), newest, bad));
  EXPECT_TRUE(has(i.json(), "openvino@2026.1", bad));
  for (const char *other : {"openvino@2025.4", "onnx", "onnxruntime", "tensorrt@10.13"})
    EXPECT_FALSE(has(i.json(), other, bad)) << other;
  const Finding f = theFinding(i.json(), newest, "output-count");
  EXPECT_NE(f.message.find("returns as output 0"), std::string::npos) << f.message;
  EXPECT_NE(f.help.find("Identity"), std::string::npos) << f.help;
  // Behind the outputs of the branch it is one too many, which is dropped since 2026.2.
  i.results = R"("y", "v")";
  EXPECT_FALSE(has(i.json(), newest, bad));
  EXPECT_TRUE(has(i.json(), "openvino@2026.1", bad));
  i.no.nodes = onnx("Abs", R"("v")", "b");
  EXPECT_FALSE(has(i.json(), "openvino@2026.1", bad)) << "as many in both";
  EXPECT_TRUE(has(i.json(), "openvino@2026.0", bad)) << "where it always comes first";
  i.results = R"("v", "y")";
  EXPECT_TRUE(has(i.json(), "openvino@2026.1", bad));
  // A copy behind the conditional is what is advised.
  i.after = ", " + onnx("Identity", R"("v")", "w");
  i.results = R"("w", "y")";
  EXPECT_FALSE(has(i.json(), newest, bad));
  // No branch reads what is returned.
  i.yes.nodes = onnx("Neg", R"("x")", "a");
  i.no.nodes = onnx("Abs", R"("x")", "b");
  i.results = R"("v", "y")";
  EXPECT_FALSE(has(i.json(), newest, bad));
}

/// A Scan of x whose body, of the row r, holds \p nodes and returns o.
std::string scanOf(const std::string &nodes, const std::string &result) {
  return fmt::format(
      R"({{"op": "Scan", "name": "scan", "operands": ["x"], "attributes": [{{"name": "body", "region": {}}},
         {{"name": "num_scan_inputs", "int": 1}}], "results": [{}]}})",
      Region{value("r", "float32[4]"), nodes, R"("o")"}.json("body"), value(result, "float32[4, 4]"));
}

TEST(OpenVino, OV11NoConditionalStandsInAScan) {
  const std::string bad = "error unsupported-in-branch";
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[4, 4]") + ", " + value("w", "float32[4]");
  i.outputs = value("y", "float32[4, 4]");
  i.no.nodes = onnx("Abs", R"("x")", "b");
  i.yes.nodes = scanOf(onnx("Neg", R"("r")", "o"), "a");
  EXPECT_FALSE(has(i.json(), newest, bad)) << "a Scan in a branch, which reads its rows alone";
  i.yes.nodes = scanOf(onnx("Mul", R"("r", "w")", "o"), "a");
  EXPECT_TRUE(has(i.json(), newest, bad));
  EXPECT_TRUE(has(i.json(), "openvino@2023.3", bad));
  EXPECT_FALSE(has(i.json(), "onnxruntime", bad));
  EXPECT_NE(theFinding(i.json(), newest, "unsupported-in-branch").message.find("whose body reads 'w'"),
            std::string::npos)
      << theFinding(i.json(), newest, "unsupported-in-branch").message;
  i.constants = R"({"name": "k", "type": "float32[4]"})";
  i.yes.nodes = scanOf(onnx("Mul", R"("r", "k")", "o"), "a");
  EXPECT_FALSE(has(i.json(), newest, bad)) << "a weight";
}

TEST(OpenVino, OV11AConditionalInAScanReadsWhatIsInItsBody) {
  const std::string bad = "error unsupported-in-branch";
  const auto model = [](const std::string &predicate, const std::string &read) {
    const std::string inside = fmt::format(
        R"({}, {{"op": "If", "name": "if", "operands": ["{}"], "attributes": [
           {{"name": "then_branch", "region": {}}}, {{"name": "else_branch", "region": {}}}],
           "results": [{}]}})",
        onnx("IsNaN", R"("r")", "q", "bool[4]"), predicate,
        Region{"", onnx("Neg", '"' + read + '"', "a"), R"("a")"}.json("t"),
        Region{"", onnx("Abs", R"("r")", "b"), R"("b")"}.json("e"), value("o", "float32[4]"));
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[4, 4]") + ", " + value("w", "float32[4]");
    i.after = ", " + scanOf(inside, "f");
    i.results = R"("f")";
    return i.json();
  };
  for (const char *target : {"openvino@2023.3", newest}) {
    EXPECT_TRUE(has(model("c", "r"), target, bad)) << "the predicate";
    EXPECT_TRUE(has(model("q", "w"), target, bad)) << "what a branch reads";
    EXPECT_FALSE(has(model("q", "r"), target, bad)) << "values of the body alone";
  }
  EXPECT_NE(theFinding(model("c", "r"), newest, "unsupported-in-branch").help.find("as an initial state"),
            std::string::npos);
}

TEST(OpenVino, NothingWithoutOutputsAndDeclarationsThatNobodyReads) {
  OnnxIf i;
  i.outputs = "";
  i.yes.results = i.no.results = "";
  i.results = R"("x")";
  EXPECT_TRUE(has(i.json(), newest, "warning output-none"));
  OnnxIf declared = ifOfTypes("float32[3]", "float32[3]");
  declared.yes.nodes = onnx("Neg", R"("x")", "a", "float32[1, 3]");
  EXPECT_EQ(found(declared.json(), newest), Rules{"warning output-declared"});
}

} // namespace

//===- TargetLimitsTest.cpp - Where ONNX and ONNX Runtime part ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"
#include <algorithm>
#include <map>

namespace condlint::test {
namespace {

using Rules = std::vector<std::string>;

TEST(TargetLimits, KernelsOfOnnxRuntimeTakeFewerRanks) {
  struct Case {
    const char *op, *attributes, *refused, *taken;
  };
  for (const Case &c : {Case{"GlobalAveragePool", "", "float32[2, 3]", "float32[2, 3, 4]"},
                        Case{"LRN", R"({"name": "size", "int": 3})", "float32[2, 3, 4]", "float32[2, 3, 4, 5]"},
                        Case{"LRN", R"({"name": "size", "int": 3})", "float32[2, 3, 4, 5, 6]", "float32[2, 3, 4, 5]"},
                        Case{"ArgMax", "", "float32[]", "float32[2]"}}) {
    for (const auto &[type, wanted] :
         {std::pair(c.refused, Rules{"error operator-type"}), {c.taken, Rules{}}, {"float32[...]", Rules{}}}) {
      OnnxIf i;
      i.parameters = value("c", "bool[]") + ", " + value("x", type);
      i.yes = {"", onnx(c.op, R"("x")", "a", "", c.attributes), R"("a")"};
      i.no = {"", onnx(c.op, R"("x")", "b", "", c.attributes) + ", " + onnx("Identity", R"("b")", "d"), R"("d")"};
      EXPECT_EQ(found(i.json(), "onnx"), Rules{}) << c.op << type;
      EXPECT_EQ(found(i.json(), "tensorrt@10.13", {"unsupported-in-branch"}), Rules{}) << c.op << type;
      EXPECT_EQ(found(i.json(), "onnxruntime"), wanted) << c.op << type; // one for both branches
    }
  }
}

TEST(TargetLimits, KernelsOfOnnxRuntimeLimitAttributes) {
  const auto with = [](const char *op, const std::string &attributes, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[1, 3, 9, 9]");
    i.yes = {"", onnx(op, R"("x")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx(op, R"("x")", "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), target);
  };
  const auto neighbours = [](int size) { return fmt::format(R"({{"name": "size", "int": {}}})", size); };
  EXPECT_EQ(with("LRN", neighbours(4), "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("LRN", neighbours(4), "onnx"), Rules{});
  EXPECT_EQ(with("LRN", neighbours(5), "onnxruntime"), Rules{});
  const auto padded = [](int pad) {
    return fmt::format(R"({{"name": "kernel_shape", "ints": [3, 3]}}, {{"name": "pads", "ints": [0, 0, {}, 0]}})", pad);
  };
  for (const char *pool : {"MaxPool", "AveragePool", "LpPool"}) {
    EXPECT_EQ(with(pool, padded(3), "onnxruntime"), Rules{"error operator-type"}) << pool;
    EXPECT_EQ(with(pool, padded(3), "onnx"), Rules{}) << pool;
    EXPECT_EQ(with(pool, padded(2), "onnxruntime"), Rules{}) << pool;
  }
}

TEST(TargetLimits, PoolsOfOnnxRuntimeNeedElementsAndLeaveDilationsOut) {
  const auto with = [](const std::string &type, const std::string &attributes, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", type);
    i.yes = {"", onnx("MaxPool", R"("x")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx("MaxPool", R"("x")", "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), target);
  };
  const std::string kernel = R"({"name": "kernel_shape", "ints": [2, 2]})";
  EXPECT_EQ(with("float32[1, 3, 0, 9]", kernel + R"(, {"name": "pads", "ints": [1, 1, 1, 1]})", "onnxruntime"),
            Rules{"error operator-type"});
  const auto spread = [&](int step) {
    return kernel + fmt::format(R"(, {{"name": "dilations", "ints": [2, 1]}}, {{"name": "strides", "ints": [{}, 1]}},
                                {{"name": "auto_pad", "string": "SAME_UPPER"}})",
                                step);
  };
  EXPECT_EQ(with("float32[1, 3, 8, 8]", spread(1), "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("float32[1, 3, 8, 8]", spread(1), "onnx"), Rules{});
  EXPECT_EQ(with("float32[1, 3, 8, 8]", spread(8), "onnxruntime"), Rules{}) << "one window either way";
}

/// `op` of the operands that \p types say, as what a branch returns or what is computed of further there.
Rules refusedIn(const std::string &op, const std::vector<std::string> &types, const std::string &attributes,
                const std::string &target, bool isReturned = true, int opset = 20, const std::string &recorded = "") {
  OnnxIf i;
  i.opset = opset;
  i.parameters = value("c", "bool[]");
  std::string operands;
  for (std::size_t k = 0; k < types.size(); ++k) {
    i.parameters += ", " + value(fmt::format("x{}", k), types[k]);
    operands += fmt::format("{}\"x{}\"", k == 0 ? "" : ", ", k);
  }
  const auto made = [&](const std::string &as) { return onnx(op, operands, as, recorded, attributes); };
  i.yes = {"", isReturned ? made("a") : made("u") + ", " + onnx("Neg", R"("u")", "a"), R"("a")"};
  i.no = {"", made("v") + ", " + onnx("Abs", R"("v")", "b"), R"("b")"};
  return found(i.json(), target, {"output-shape", "output-rank"});
}

TEST(TargetLimits, WhatABranchReturnsIsOfTheShapeThatOnnxRuntimeInfers) {
  const Rules bad{"error operator-type"};
  const auto pool = [](int size, const std::string &more, int opset = 20, bool isReturned = true,
                       const char *target = "onnxruntime") {
    return refusedIn("MaxPool", {fmt::format("float32[1, 2, {}]", size)}, more, target, isReturned, opset);
  };
  const auto ceiled = [](int ceiling, int kernel, int step, int pad) {
    return fmt::format(R"({{"name": "kernel_shape", "ints": [{}]}}, {{"name": "strides", "ints": [{}]}},
                          {{"name": "pads", "ints": [{}, {}]}}, {{"name": "ceil_mode", "int": {}}})",
                       kernel, step, pad, pad, ceiling);
  };
  EXPECT_EQ(pool(5, ceiled(1, 2, 3, 1)), bad) << "the last window begins beyond it";
  EXPECT_EQ(pool(5, ceiled(1, 2, 3, 1), 22), Rules{});
  EXPECT_EQ(pool(5, ceiled(1, 2, 3, 1), 20, false), Rules{});
  EXPECT_EQ(pool(5, ceiled(1, 2, 3, 1), 20, true, "onnx"), Rules{});
  EXPECT_EQ(pool(6, ceiled(1, 3, 2, 0)), Rules{});
  EXPECT_EQ(pool(5, ceiled(2, 2, 3, 1), 22), bad) << "a yes to inference, a no to the kernel";
  EXPECT_EQ(pool(5, ceiled(2, 2, 3, 1)), Rules{});
  EXPECT_EQ(pool(7, ceiled(2, 3, 2, 0), 22), Rules{}) << "both come to one size";
  const auto padded = [](const char *automatic, int pad) {
    return fmt::format(R"({{"name": "kernel_shape", "ints": [3]}}, {{"name": "strides", "ints": [2]}},
                          {{"name": "pads", "ints": [{}, {}]}}, {{"name": "auto_pad", "string": "{}"}})",
                       pad, pad, automatic);
  };
  EXPECT_EQ(pool(7, padded("SAME_UPPER", 0)), bad);
  EXPECT_EQ(pool(7, padded("SAME_UPPER", 1)), Rules{}) << "the same padding";
  EXPECT_EQ(pool(7, padded("VALID", 1)), bad);
  EXPECT_EQ(pool(7, padded("VALID", 1), 20, false), Rules{});
  EXPECT_EQ(pool(7, padded("NOTSET", 1)), Rules{});
  const auto sum = [](const char *equation, const std::vector<std::string> &types, bool isReturned = true) {
    return refusedIn("Einsum", types, fmt::format(R"({{"name": "equation", "string": "{}"}})", equation), "onnxruntime",
                     isReturned);
  };
  EXPECT_EQ(sum("ij,ij->ij", {"float32[1, 3]", "float32[2, 3]"}), bad);
  EXPECT_EQ(sum("ij,ij->ij", {"float32[1, 3]", "float32[2, 3]"}, false), Rules{});
  EXPECT_EQ(sum("ij,ij->ij", {"float32[2, 3]", "float32[1, 3]"}), Rules{});
  EXPECT_EQ(sum("ij,jk->ik", {"float32[2, 1]", "float32[3, 4]"}), Rules{}) << "it is summed over";
  EXPECT_EQ(sum("...ij,...jk->...ik", {"float32[1, 2, 3]", "float32[5, 3, 4]"}), Rules{});
  EXPECT_EQ(sum("ij,ij->ij", {"float32[n, 3]", "float32[2, 3]"}), Rules{}) << "n may be 2";
}

TEST(TargetLimits, ConvolutionsNameTheirPaddingOnce) {
  const auto convolved = [](const char *op, const std::string &attributes, const char *target, int opset = 20) {
    return refusedIn(op, {"float32[1, 2, 4]", "float32[2, 2, 3]"}, attributes, target, false, opset,
                     "float32[1, 2, ?]");
  };
  const auto padded = [](const char *automatic) {
    return fmt::format(R"({{"name": "pads", "ints": [1, 1]}}, {{"name": "auto_pad", "string": "{}"}})", automatic);
  };
  const Rules bad{"error operator-type"};
  EXPECT_EQ(convolved("Conv", padded("VALID"), "onnxruntime"), bad);
  EXPECT_EQ(convolved("Conv", padded("VALID"), "onnx"), Rules{});
  EXPECT_EQ(convolved("Conv", padded("NOTSET"), "onnxruntime"), Rules{});
  EXPECT_EQ(convolved("Conv", padded(""), "onnxruntime"), Rules{});
  for (const char *target : {"onnx", "onnxruntime"}) {
    EXPECT_EQ(convolved("ConvTranspose", padded("SAME_UPPER"), target), bad) << target;
    EXPECT_EQ(convolved("ConvTranspose", padded(""), target), bad) << target;
    EXPECT_EQ(convolved("ConvTranspose", padded("NOTSET"), target), Rules{}) << target;
  }
  EXPECT_EQ(convolved("ConvTranspose", padded("VALID"), "onnx", 10), Rules{});
  EXPECT_EQ(convolved("ConvTranspose", padded("VALID"), "onnxruntime", 10), bad);
  const auto wanted = [](int size) { return fmt::format(R"({{"name": "output_shape", "ints": [{}]}})", size); };
  EXPECT_EQ(convolved("ConvTranspose", wanted(3), "onnx"), bad) << "inference makes two axes";
  EXPECT_EQ(convolved("ConvTranspose", wanted(3), "onnxruntime"), Rules{}) << "no branch returns it";
  EXPECT_EQ(refusedIn("ConvTranspose", {"float32[1, 2, 4]", "float32[2, 2, 3]"}, wanted(3), "onnxruntime"), bad);
  EXPECT_EQ(convolved("ConvTranspose", wanted(5), "onnx"), Rules{});
}

TEST(TargetLimits, TreesAreWholeForOnnxRuntime) {
  using Lists = std::map<std::string, std::string>;
  const auto trees = [](const Lists &changed, const char *target = "onnxruntime") {
    Lists lists{{"nodes_falsenodeids", R"("ints": [2, 0, 0])"},
                {"nodes_featureids", R"("ints": [0, 0, 0])"},
                {"nodes_modes", R"("strings": ["BRANCH_LEQ", "LEAF", "LEAF"])"},
                {"nodes_nodeids", R"("ints": [0, 1, 2])"},
                {"nodes_treeids", R"("ints": [0, 0, 0])"},
                {"nodes_truenodeids", R"("ints": [1, 0, 0])"},
                {"nodes_values", R"("floats": [0.5, 0, 0])"},
                {"target_ids", R"("ints": [0, 0])"},
                {"target_nodeids", R"("ints": [1, 2])"},
                {"target_treeids", R"("ints": [0, 0])"},
                {"target_weights", R"("floats": [1, 2])"},
                {"n_targets", R"("int": 1)"}};
    for (const auto &[name, list] : changed)
      lists[name] = list;
    std::string attributes;
    for (const auto &[name, list] : lists)
      if (!list.empty())
        attributes += fmt::format("{}{{\"name\": \"{}\", {}}}", attributes.empty() ? "" : ", ", name, list);
    return refusedIn("ai.onnx.ml::TreeEnsembleRegressor", {"float32[2, 3]"}, attributes, target, false);
  };
  EXPECT_EQ(trees({}), Rules{});
  EXPECT_EQ(trees({{"nodes_hitrates", R"("floats": [1, 1])"}}), Rules{}) << "nobody reads them";
  EXPECT_EQ(trees({{"nodes_missing_value_tracks_true", R"("ints": [1])"}}), Rules{});
  const Rules bad{"error operator-type"};
  for (const Lists &changed : {Lists{{"nodes_featureids", R"("ints": [0, 0])"}},
                               {{"nodes_modes", R"("strings": ["BRANCH_LEQ", "LEAF"])"}},
                               {{"nodes_modes", R"("strings": ["BRANCH_LE", "LEAF", "LEAF"])"}},
                               {{"nodes_values", ""}},
                               {{"nodes_truenodeids", R"("ints": [9, 0, 0])"}},
                               {{"nodes_truenodeids", R"("ints": [0, 0, 0])"}},
                               {{"nodes_nodeids", R"("ints": [0, 1, 1])"}},
                               {{"nodes_featureids", R"("ints": [-1, 0, 0])"}},
                               {{"nodes_featureids", R"("ints": [3, 0, 0])"}},
                               {{"target_ids", R"("ints": [0, 1])"}},
                               {{"target_ids", R"("ints": [0])"}},
                               {{"target_treeids", R"("ints": [0, 7])"}},
                               {{"target_weights", ""}},
                               {{"aggregate_function", R"("string": "MEAN")"}},
                               {{"n_targets", ""}}}) {
    EXPECT_EQ(trees(changed), bad) << changed.begin()->first << changed.begin()->second;
    EXPECT_EQ(trees(changed, "onnx"), Rules{}) << changed.begin()->first;
  }
  EXPECT_EQ(trees({{"nodes_featureids", R"("ints": [2, 9, 9])"}}), Rules{}) << "a leaf asks for none";
}

TEST(TargetLimits, TheBodyOfASequenceMapTakesAnyShapeInOnnxRuntime) {
  const auto mapped = [](const char *declared, const char *target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[2, 3]");
    i.constants = R"({"name": "zero", "type": "int64[]", "data": {"ints": [0]}})";
    const Region body = {value("e", declared), onnx("Identity", R"("e")", "o"), R"("o")"};
    i.yes = {"",
             onnx("SequenceConstruct", R"("x")", "q") +
                 fmt::format(R"(, {{"op": "SequenceMap", "operands": ["q"], "attributes": [
                   {{"name": "body", "region": {}}}], "results": [{}]}}, )",
                             body.json("m"), value("r")) +
                 onnx("SequenceAt", R"("r", "zero")", "a"),
             R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    const Rules rules = found(i.json(), target);
    return std::ranges::find(rules, "error operator-type") != rules.end();
  };
  EXPECT_TRUE(mapped("float32[3]", "onnx"));
  EXPECT_FALSE(mapped("float32[3]", "onnxruntime")) << "it is made a loop";
  EXPECT_FALSE(mapped("float32[2, 3]", "onnx"));
  EXPECT_TRUE(mapped("int64[2, 3]", "onnxruntime"));
}

TEST(TargetLimits, ATensorThatEachTripIsGivenIsHeldToItsShape) {
  const auto mapped = [](const char *declared, const char *target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[2, 3]");
    i.constants = R"({"name": "zero", "type": "int64[]", "data": {"ints": [0]}})";
    const Region body = {value("e", "float32[...]") + ", " + value("k", declared),
                         onnx("Identity", R"("e")", "o") + ", " + onnx("Abs", R"("k")", "l"), R"("o", "l")"};
    i.yes = {"",
             onnx("SequenceConstruct", R"("x")", "q") +
                 fmt::format(R"(, {{"op": "SequenceMap", "operands": ["q", "x"], "attributes": [
                   {{"name": "body", "region": {}}}], "results": [{}, {}]}}, )",
                             body.json("m"), value("r"), value("s")) +
                 onnx("SequenceAt", R"("r", "zero")", "a"),
             R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    const Rules rules = found(i.json(), target);
    return std::ranges::find(rules, "error operator-type") != rules.end();
  };
  for (const char *target : {"onnx", "onnxruntime"}) {
    EXPECT_TRUE(mapped("float32[3]", target)) << target;
    EXPECT_TRUE(mapped("float32[2, 7]", target)) << target;
    EXPECT_FALSE(mapped("float32[2, 3]", target)) << target;
    EXPECT_FALSE(mapped("float32[m, n]", target)) << target;
  }
}

TEST(TargetLimits, TheTripsOfALoopAreOneNumber) {
  const auto looped = [](const char *trips, const char *target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[3]") + ", " + value("m", trips);
    const Region body = {value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("v", "float32[3]"),
                         onnx("Neg", R"("v")", "w"), R"("go", "w")"};
    i.yes = {
        "",
        fmt::format(R"({{"op": "Loop", "operands": ["m", "c", "x"], "attributes": [{{"name": "body", "region": {}}}],
               "results": [{}]}})",
                    body.json("body"), value("a")),
        R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    const Rules rules = found(i.json(), target);
    return std::ranges::find(rules, "error operator-type") != rules.end();
  };
  for (const char *trips : {"int64[]", "int64[1]", "int64[1, 1]", "int64[n]"})
    EXPECT_FALSE(looped(trips, "onnxruntime")) << trips;
  for (const char *trips : {"int64[2]", "int64[0]", "int64[2, 1]"}) {
    EXPECT_TRUE(looped(trips, "onnxruntime")) << trips;
    EXPECT_FALSE(looped(trips, "onnx")) << trips;
  }
}

/// Branches that compute x, of the type \p type, by \p op, which has \p attributes.
OnnxIf computing(const std::string &op, const std::string &attributes, const std::string &type = "float32[3, 2]") {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", type);
  i.yes = {"", onnx(op, R"("x")", "a", "", attributes), R"("a")"};
  i.no = {"", onnx(op, R"("x")", "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
  return i;
}

bool isRefused(const OnnxIf &i, const char *target) {
  const Rules rules = found(i.json(), target);
  return std::ranges::find(rules, "error operator-type") != rules.end();
}

TEST(TargetLimits, ClassicalModelsKnowTheirWordsAlone) {
  const auto with = [](const char *op, const char *name, const char *word, const char *target = "onnxruntime") {
    return found(
        computing(fmt::format("ai.onnx.ml::{}", op), fmt::format(R"({{"name": "{}", "string": "{}"}})", name, word))
            .json(),
        target);
  };
  const Rules bad{"error operator-type"};
  for (const char *op : {"LinearRegressor", "SVMRegressor"}) {
    for (const char *word : {"FOO", "", "none"}) {
      EXPECT_EQ(with(op, "post_transform", word), bad) << op << word;
      EXPECT_EQ(with(op, "post_transform", word, "onnx"), Rules{}) << op << word;
    }
    for (const char *word : {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"})
      EXPECT_EQ(with(op, "post_transform", word), Rules{}) << op << word;
  }
  EXPECT_EQ(with("SVMRegressor", "kernel_type", "linear"), bad);
  EXPECT_EQ(with("SVMRegressor", "kernel_type", "SIGMOID"), Rules{});
  EXPECT_EQ(with("Normalizer", "norm", "l1"), bad);
  EXPECT_EQ(with("Normalizer", "norm", "L2"), Rules{});
}

TEST(TargetLimits, EinsumYieldsEachLetterOnce) {
  const auto with = [](const char *equation, const char *target, const char *type = "float32[3, 3]") {
    return isRefused(computing("Einsum", fmt::format(R"({{"name": "equation", "string": "{}"}})", equation), type),
                     target);
  };
  for (const char *equation : {"ii->ii", "ij->ijj", "...j->j", "ij->ji->i"}) {
    EXPECT_TRUE(with(equation, "onnxruntime")) << equation;
    EXPECT_FALSE(with(equation, "onnx")) << equation;
  }
  for (const char *equation : {"ii->i", "ii->", "ij -> j i", "...j->...j", "...j", "ij"})
    EXPECT_FALSE(with(equation, "onnxruntime")) << equation;
  // What stands for no operand onnx's inference refuses itself.
  for (const char *equation : {"i1->i", "i;->i", "ij-i"})
    EXPECT_TRUE(with(equation, "onnx")) << equation;
  // A diagonal is of axes of one length.
  EXPECT_TRUE(with("ii->i", "onnxruntime", "float32[1, 4]"));
  EXPECT_FALSE(with("ii->i", "onnxruntime", "float32[n, 4]"));
}

TEST(TargetLimits, SequencesAreNoLongerThanTheOperand) {
  const auto with = [](const char *op, int gates, const std::string &lengths) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[3, 2, 4]") + ", " +
                   value("w", fmt::format("float32[1, {}, 4]", gates * 5)) + ", " +
                   value("r", fmt::format("float32[1, {}, 5]", gates * 5));
    i.constants = R"({"name": "n", "type": "int32[2]", "data": {"ints": [)" + lengths + "]}}";
    const std::string attributes = R"({"name": "hidden_size", "int": 5})", in = R"("x", "w", "r", null, "n")";
    i.yes = {"", onnx(op, in, "a", "", attributes), R"("a")"};
    i.no = {"", onnx(op, in, "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), "onnxruntime");
  };
  for (const auto &[op, gates] : {std::pair("RNN", 1), {"GRU", 3}, {"LSTM", 4}}) {
    EXPECT_EQ(with(op, gates, "0, 3"), Rules{}) << op;
    EXPECT_EQ(with(op, gates, "1, 4"), Rules{"error operator-type"}) << op;
    EXPECT_EQ(with(op, gates, "-1, 2"), Rules{"error operator-type"}) << op;
  }
}

TEST(TargetLimits, ACastIsRoundedAsOneWishesToOneTypeAlone) {
  const auto with = [](const char *word, const char *target) {
    OnnxIf i = computing("Cast",
                         fmt::format(R"({{"name": "to", "int": 10}}, {{"name": "round_mode", "string": "{}"}})", word));
    i.opset = 25;
    return isRefused(i, target);
  };
  EXPECT_TRUE(with("down", "onnxruntime"));
  EXPECT_FALSE(with("up", "onnxruntime"));
  EXPECT_FALSE(with("down", "onnx"));
  EXPECT_TRUE(with("FOO", "onnx"));
}

TEST(TargetLimits, ThereIsNoLargestOfNoElements) {
  const auto with = [](const std::string &type, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", type);
    i.yes = {"", onnx("ArgMax", R"("x")", "a"), R"("a")"};
    i.no = {"", onnx("ArgMax", R"("x")", "b") + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), target);
  };
  EXPECT_EQ(with("float32[0, 3]", "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("float32[0, 3]", "onnx"), Rules{});
  EXPECT_EQ(with("float32[3, 0]", "onnxruntime"), Rules{}) << "there are no results";
}

TEST(TargetLimits, TheKernelOfRnnTellsUpperCaseFromLower) {
  const auto with = [](const char *op, int gates, const std::string &names) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[3, 2, 4]") + ", " +
                   value("w", fmt::format("float32[1, {}, 4]", gates * 5)) + ", " +
                   value("r", fmt::format("float32[1, {}, 5]", gates * 5));
    const std::string attributes =
        R"({"name": "hidden_size", "int": 5}, {"name": "activations", "strings": [)" + names + "]}";
    i.yes = {"", onnx(op, R"("x", "w", "r")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx(op, R"("x", "w", "r")", "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), "onnxruntime");
  };
  EXPECT_EQ(with("RNN", 1, R"("tanh")"), Rules{"error operator-type"});
  EXPECT_EQ(with("RNN", 1, R"("Tanh")"), Rules{});
  EXPECT_EQ(with("GRU", 3, R"("sigmoid", "tanh")"), Rules{});
}

TEST(TargetLimits, KernelsOfOnnxRuntimeTakeFlagsOfZeroAndOne) {
  const auto with = [](int fmod, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[2]");
    i.yes = {"", onnx("Mod", R"("x", "x")", "a", "", fmt::format(R"({{"name": "fmod", "int": {}}})", fmod)), R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    return found(i.json(), target);
  };
  EXPECT_EQ(with(2, "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with(-1, "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with(2, "onnx"), Rules{});
  EXPECT_EQ(with(1, "onnxruntime"), Rules{});
}

TEST(TargetLimits, OldConstantsAreOfFloats) {
  const auto with = [](int opset, const std::string &type, const std::string &target) {
    OnnxIf i;
    i.opset = opset;
    const std::string data = fmt::format(R"({{"name": "value", "tensor": {{"type": "{}"}}}})", type);
    for (Region *branch : {&i.yes, &i.no})
      *branch = {"",
                 onnx("Constant", "", "k", "", data) + ", " + onnx("Constant", "", "l", "", data) + ", " +
                     onnx(branch == &i.yes ? "Add" : "Mul", R"("k", "l")", "r"),
                 R"("r")"};
    return found(i.json(), target);
  };
  EXPECT_EQ(with(8, "int64[2]", "onnx"), Rules{"error operator-type"});
  EXPECT_EQ(with(8, "int64[2]", "onnxruntime"), Rules{}) << "it makes initializers of them";
  EXPECT_EQ(with(8, "float32[2]", "onnx"), Rules{});
  EXPECT_EQ(with(9, "int64[2]", "onnx"), Rules{});
}

TEST(TargetLimits, RecurrencesOfOnnxRuntimeNeedTheirHiddenSize) {
  const auto with = [](const std::string &attributes, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[5, 2, 3]") + ", " +
                   value("w", "float32[1, 4, 3]") + ", " + value("r", "float32[1, 4, 4]");
    i.yes = {"", onnx("RNN", R"("x", "w", "r")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx("RNN", R"("x", "w", "r")", "b", "", R"({"name": "hidden_size", "int": 4})"), R"("b")"};
    return found(i.json(), target, {"branch-identical", "output-shape", "output-declared"});
  };
  EXPECT_EQ(with("", "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("", "onnx"), Rules{});
  const std::string hidden = R"({"name": "hidden_size", "int": 4}, )";
  EXPECT_EQ(with(hidden + R"({"name": "layout", "int": 1})", "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with(hidden + R"({"name": "layout", "int": 0})", "onnxruntime"), Rules{});
}

} // namespace
} // namespace condlint::test

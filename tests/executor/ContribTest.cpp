//===- ContribTest.cpp - ONNX Runtime's own operators and ai.onnx.ml ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneKernel.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;

namespace {

/// \p operands and \p results are lists of names in JSON.
std::string run(const std::string &domain, const std::string &op, const std::string &operands,
                const std::vector<Array> &inputs, const std::string &attributes = {},
                const std::string &results = R"("r")") {
  return computed(
      fmt::format(R"("dialect": "onnx", "opsets": {{"": 20, "{}": 3}})", domain),
      fmt::format(
          R"({{"op": {{"name": "{}", "domain": "{}"}}, "operands": [{}], "attributes": [{}], "results": [{}]}})", op,
          domain, operands, attributes, results),
      inputs, results);
}
std::string contrib(const std::string &op, const std::string &operands, const std::vector<Array> &inputs,
                    const std::string &attributes = {}, const std::string &results = R"("r")") {
  return run("com.microsoft", op, operands, inputs, attributes, results);
}
std::string ml(const std::string &op, const std::vector<Array> &inputs, const std::string &attributes,
               const std::string &results = R"("r")") {
  return run("ai.onnx.ml", op, R"("x")", inputs, attributes, results);
}
Array reals(const std::string &name, const std::vector<std::int64_t> &shape, const std::vector<double> &values) {
  return array(name, DType::Float32, shape, values);
}
std::string flag(const std::string &name, int value = 1) {
  return fmt::format(R"({{"name": "{}", "int": {}}})", name, value);
}

TEST(ContribKernel, FusedProducts) {
  const Array a = reals("a", {2, 2}, {1, 2, 3, 4}), b = reals("b", {2, 2}, {1, 0, 0, -1});
  EXPECT_EQ(contrib("FusedMatMul", R"("a", "b")", {a, b}, flag("transA") + R"(, {"name": "alpha", "float": 2})"),
            "float32[2, 2]: 2, -6, 4, -8");
  EXPECT_EQ(contrib("FusedGemm", R"("a", "b")", {a, b}, R"({"name": "activation", "string": "Relu"})"),
            "float32[2, 2]: 1, 0, 3, 0");
  EXPECT_TRUE(refused(contrib("FusedGemm", R"("a", "b")", {a, b}, R"({"name": "activation", "string": "Nope"})")));
  // The first axis goes behind the batches.
  const Array batches = reals("a", {2, 3, 1}, {1, 2, 3, 4, 5, 6}), one = reals("b", {3, 1, 1}, {1, 1, 1});
  EXPECT_EQ(contrib("FusedMatMul", R"("a", "b")", {batches, one}, flag("transBatchA")),
            "float32[3, 2, 1]: 1, 4, 2, 5, 3, 6");
}

TEST(ContribKernel, FusedConv) {
  const Array x = reals("x", {1, 1, 1, 3}, {1, -2, 3}), w = reals("w", {1, 1, 1, 1}, {1}), b = floats("b", {1}),
              z = reals("z", {1, 1, 1, 3}, {1, 1, 1});
  EXPECT_EQ(contrib("FusedConv", R"("x", "w", "b", "z")", {x, w, b, z}, R"({"name": "activation", "string": "Relu"})"),
            "float32[1, 1, 1, 3]: 3, 0, 5");
  EXPECT_TRUE(refused(contrib("FusedConv", R"("x", "w", "b", "b")", {x, w, b})));
}

TEST(ContribKernel, NormalizedSums) {
  const Array x = reals("x", {1, 1, 2}, {1, 3}), skip = reals("s", {1, 1, 2}, {1, -1}), gamma = floats("g", {1, 1}),
              beta = floats("b", {5, 6});
  EXPECT_EQ(
      contrib("SkipLayerNormalization", R"("x", "s", "g", "b")", {x, skip, gamma, beta}, "", R"("r", "m", "i", "t")"),
      "float32[1, 1, 2]: 5, 6\nfloat32[1, 1, 1]: 2\nfloat32[1, 1, 1]: 1000000\nfloat32[1, 1, 2]: 2, 2");
  EXPECT_EQ(contrib("SkipSimplifiedLayerNormalization", R"("x", "s", "g")", {x, skip, gamma}),
            "float32[1, 1, 2]: 1, 1");
  EXPECT_TRUE(refused(contrib("SkipLayerNormalization", R"("x", "b", "g")", {x, floats("b", {1, 2, 3}), gamma})));
}

TEST(ContribKernel, Embeddings) {
  const Array ids = array("i", DType::Int32, {1, 2}, {1, 0}), words = reals("w", {2, 2}, {1, 3, 5, 5}),
              places = reals("p", {2, 2}, {0, 2, 2, 0}), gamma = floats("g", {1, 1}), beta = floats("b", {0, 0}),
              mask = array("m", DType::Int32, {1, 2}, {1, 0});
  const std::string all = contrib("EmbedLayerNormalization", R"("i", null, "w", "p", null, "g", "b", "m")",
                                  {ids, words, places, gamma, beta, mask}, "", R"("r", "n", "s")");
  EXPECT_NE(all.find("int32[1]: 1\n"), std::string::npos) << all;
  EXPECT_NE(all.find("float32[1, 2, 2]: 5, 7, 3, 3"), std::string::npos) << all;
}

TEST(ContribKernel, RotaryPairs) {
  const Array x = reals("x", {1, 2, 2}, {1, 2, 3, 4}), cosine = reals("c", {3, 1}, {1, 0, -1}),
              sine = reals("s", {3, 1}, {0, 1, 0});
  // From the first position on, one further for each place.
  EXPECT_EQ(contrib("RotaryEmbedding", R"("x", "p", "c", "s")", {x, indices("p", {0}), cosine, sine}),
            "float32[1, 2, 2]: 1, 2, -4, 3");
  EXPECT_EQ(
      contrib("RotaryEmbedding", R"("x", "p", "c", "s")", {x, array("p", DType::Int64, {1, 2}, {2, 2}), cosine, sine}),
      "float32[1, 2, 2]: -1, -2, -3, -4");
  EXPECT_TRUE(refused(contrib("RotaryEmbedding", R"("x", "p", "c", "s")", {x, indices("p", {2}), cosine, sine})));
}

/// Attention of the newest version.
std::string attention(const std::string &operands, const std::vector<Array> &inputs, const std::string &attributes) {
  return computed(R"("dialect": "onnx", "opsets": {"": 28})",
                  fmt::format(R"({{"op": "Attention", "operands": [{}], "attributes": [{}], "results": ["r"]}})",
                              operands, attributes),
                  inputs, R"("r")");
}

// As onnx's reference and ONNX Runtime 1.32 have it.
TEST(OnnxKernel, WindowsOfAttention) {
  const Array q = reals("q", {1, 1, 3, 1}, {0, 0, 0}), v = reals("v", {1, 1, 3, 1}, {1, 2, 6});
  const auto seen = [&](int left, int right, const std::string &more = {}) {
    return attention(R"("q", "q", "v")", {q, v},
                     flag("left_window_size", left) + ", " + flag("right_window_size", right) + more);
  };
  EXPECT_EQ(seen(-1, -1), "float32[1, 1, 3, 1]: 3, 3, 3");
  EXPECT_EQ(seen(0, 0), "float32[1, 1, 3, 1]: 1, 2, 6");
  EXPECT_EQ(seen(1, 0), "float32[1, 1, 3, 1]: 1, 1.5, 4");
  EXPECT_EQ(seen(0, 1), "float32[1, 1, 3, 1]: 1.5, 4, 6");
  EXPECT_EQ(seen(1, 1, ", " + flag("is_causal")), "float32[1, 1, 3, 1]: 1, 1.5, 4");
  // Where not all keys count the queries are the last of those that do.
  const Array one = reals("q", {2, 1, 1, 1}, {0, 0}), k = reals("k", {2, 1, 3, 1}, {0, 0, 0, 0, 0, 0}),
              w = reals("v", {2, 1, 3, 1}, {1, 3, 8, 1, 3, 8});
  const Array counted = array("n", DType::Int64, {2}, {2, 3});
  EXPECT_EQ(attention(R"("q", "k", "v", null, null, null, "n")", {one, k, w, counted}, flag("is_causal")),
            "float32[2, 1, 1, 1]: 2, 4");
}

TEST(ContribKernel, Attention) {
  const Array q = reals("q", {1, 2, 1}, {1, 1}), k = reals("k", {1, 2, 1}, {0, 0}), v = reals("v", {1, 2, 1}, {2, 4});
  const auto heads = [&](const std::string &operands, std::vector<Array> more, const std::string &attributes) {
    more.insert(more.begin(), {q, k, v});
    return contrib("MultiHeadAttention", operands, more, flag("num_heads") + attributes);
  };
  EXPECT_EQ(heads(R"("q", "k", "v")", {}, ""), "float32[1, 2, 1]: 3, 3");
  EXPECT_EQ(heads(R"("q", "k", "v")", {}, ", " + flag("unidirectional")), "float32[1, 2, 1]: 2, 3");
  const Array other = reals("k", {1, 1, 1}, {0});
  EXPECT_TRUE(refused(
      contrib("MultiHeadAttention", R"("q", "k", "k")", {q, other}, flag("num_heads") + ", " + flag("unidirectional"))))
      << "whose keys are another sequence's";
  const Array length = array("m", DType::Int32, {1}, {1}), mask = array("m", DType::Int32, {1, 2}, {0, 1});
  EXPECT_EQ(heads(R"("q", "k", "v", null, "m")", {length}, ""), "float32[1, 2, 1]: 2, 2");
  EXPECT_EQ(heads(R"("q", "k", "v", null, "m")", {mask}, ""), "float32[1, 2, 1]: 4, 4");
  EXPECT_TRUE(
      refused(heads(R"("q", "k", "v", null, "m")", {array("m", DType::Int32, {3, 3}, std::vector<double>(9))}, "")));
  // One product makes all three of one input.
  const Array x = reals("x", {1, 2, 1}, {2, 4}), w = reals("w", {1, 3}, {1, 0, 1}), b = floats("b", {0, 0, 1});
  EXPECT_EQ(contrib("Attention", R"("x", "w", "b")", {x, w, b}, flag("num_heads")), "float32[1, 2, 1]: 4, 4");
  EXPECT_TRUE(
      refused(contrib("Attention", R"("x", "w", "b")", {x, w, b}, flag("num_heads") + ", " + flag("do_rotary"))));
}

/// The numbers are those of ONNX Runtime 1.32.
TEST(ContribKernel, DynamicQuantizeLSTM) {
  const std::vector<Array> inputs{
      reals("x", {2, 1, 2}, {1, -.5, .25, 2}),
      array("w", DType::Int8, {1, 2, 4}, {100, -50, 20, 7, -30, 60, -90, 45}),
      array("r", DType::Int8, {1, 1, 4}, {25, -75, 110, -5}),
      reals("b", {1, 8}, {.1, -.2, .3, .05, 0, 0, 0, 0}),
      reals("ws", {1}, {.01}),
      array("wz", DType::Int8, {1}, {0}),
      reals("rs", {1}, {.02}),
      array("rz", DType::Int8, {1}, {2}),
  };
  const std::string operands = R"("x", "w", "r", "b", null, null, null, null, "ws", "wz", "rs", "rz")";
  const std::string out = contrib("DynamicQuantizeLSTM", operands, inputs, flag("hidden_size"), R"("y", "h", "m")");
  EXPECT_TRUE(out.starts_with("float32[2, 1, 1, 1]: -0.021821")) << out;
  EXPECT_NE(out.find("float32[1, 1, 1]: 0.215364"), std::string::npos) << out;
  EXPECT_NE(out.find("float32[1, 1, 1]: 0.312145"), std::string::npos) << out;
}

// --- ai.onnx.ml -------------------------------------------------------------------

TEST(ClassicalKernel, LinearClassifier) {
  const Array x = reals("x", {2, 1}, {1, -1});
  const std::string two = R"({"name": "classlabels_ints", "ints": [7, 9]})";
  EXPECT_EQ(ml("LinearClassifier", {x},
               R"({"name": "coefficients", "floats": [0.5]}, {"name": "intercepts", "floats": [0]}, )" + two,
               R"("l", "s")"),
            "int64[2]: 9, 7\nfloat32[2, 2]: 0.5, 0.5, 1.5, -0.5");
  EXPECT_EQ(ml("LinearClassifier", {x},
               R"({"name": "coefficients", "floats": [1, 2]}, {"name": "intercepts", "floats": [0, 0]}, )" + two,
               R"("l", "s")"),
            "int64[2]: 9, 7\nfloat32[2, 2]: 1, 2, -1, -2");
  EXPECT_TRUE(refused(ml("LinearClassifier", {x},
                         R"({"name": "coefficients", "floats": [1]}, {"name": "intercepts", "floats": [0, 0]}, )" + two,
                         R"("l", "s")")));
}

// As ONNX Runtime 1.32 has it: version 1 maps places to the texts of a list, and texts to their places.
TEST(ClassicalKernel, LabelEncoder) {
  const auto there = [](const std::string &otherwise) {
    const auto node = [](const char *from, const char *to, const std::string &more) {
      return fmt::format(R"({{"op": {{"name": "LabelEncoder", "domain": "ai.onnx.ml"}}, "operands": ["{}"],
                              "attributes": [{{"name": "classes_strings", "strings": ["a", "b", "c"]}}{}], "results": ["{}"]}})",
                         from, more, to);
    };
    return computed(R"("dialect": "onnx", "opsets": {"": 17, "ai.onnx.ml": 1})",
                    node("x", "t", otherwise) + ", " + node("t", "r", ""), {indices("x", {2, 0, 3})}, R"("r")");
  };
  EXPECT_EQ(there(""), "int64[3]: 2, 0, -1");
  EXPECT_EQ(there(R"(, {"name": "default_string", "string": "b"})"), "int64[3]: 2, 0, 1");
}

TEST(ClassicalKernel, OneHotEncoder) {
  const std::string categories = R"({"name": "cats_int64s", "ints": [4, 2]})";
  EXPECT_EQ(ml("OneHotEncoder", {indices("x", {2, 3})}, categories), "float32[2, 2]: 0, 1, 0, 0");
  EXPECT_TRUE(refused(ml("OneHotEncoder", {indices("x", {2, 3})}, categories + ", " + flag("zeros", 0))));
}

TEST(ClassicalKernel, SvmRegressor) {
  const Array x = reals("x", {1, 2}, {1, 2});
  const std::string vectors = R"({"name": "n_supports", "int": 1}, {"name": "support_vectors", "floats": [1, 1]}, )";
  const std::string numbers = R"({"name": "coefficients", "floats": [2]}, {"name": "rho", "floats": [0.5]}, )";
  EXPECT_EQ(ml("SVMRegressor", {x}, vectors + numbers + R"({"name": "kernel_type", "string": "LINEAR"})"),
            "float32[1, 1]: 6.5");
  EXPECT_EQ(ml("SVMRegressor", {x},
               vectors + numbers +
                   R"({"name": "kernel_type", "string": "POLY"}, {"name": "kernel_params", "floats": [1, 1, 2]})"),
            "float32[1, 1]: 32.5");
  EXPECT_TRUE(refused(ml("SVMRegressor", {x}, numbers + R"({"name": "kernel_type", "string": "LINEAR"})")));
}

TEST(ClassicalKernel, SvmClassifier) {
  const std::string two =
      R"({"name": "kernel_type", "string": "LINEAR"}, {"name": "classlabels_ints", "ints": [7, 9]},
      {"name": "vectors_per_class", "ints": [1, 1]}, {"name": "support_vectors", "floats": [1, 2]},
      {"name": "coefficients", "floats": [1, 1]}, )";
  const std::string rho = R"({"name": "rho", "floats": [-1.5]})";
  EXPECT_EQ(ml("SVMClassifier", {reals("x", {2, 1}, {1, 0})}, two + rho, R"("l", "s")"),
            "int64[2]: 7, 9\nfloat32[2, 2]: -1.5, 1.5, 1.5, -1.5");
  // A probability of a half each, whatever the score is.
  EXPECT_EQ(ml("SVMClassifier", {reals("x", {2, 1}, {1, 0})},
               two + rho + R"(, {"name": "prob_a", "floats": [0]}, {"name": "prob_b", "floats": [0]})", R"("l", "s")"),
            "int64[2]: 7, 9\nfloat32[2, 2]: 0.5, 0.5, 0.5, 0.5");
  // Three classes: first against second, first against third, second against third.
  const std::string three =
      R"({"name": "kernel_type", "string": "LINEAR"}, {"name": "classlabels_ints", "ints": [4, 5, 6]},
      {"name": "vectors_per_class", "ints": [1, 1, 1]}, {"name": "support_vectors", "floats": [1, 2, 3]},
      {"name": "coefficients", "floats": [1, -2, 1, -1, 1, 2]}, {"name": "rho", "floats": [0, 0, 0.5]})";
  EXPECT_EQ(ml("SVMClassifier", {reals("x", {1, 1}, {1})}, three, R"("l", "s")"),
            "int64[1]: 5\nfloat32[1, 3]: -3, 2, 8.5");
  EXPECT_TRUE(refused(ml("SVMClassifier", {reals("x", {1, 2}, {1, 1})}, two + rho, R"("l", "s")")));
  EXPECT_TRUE(
      refused(ml("SVMClassifier", {reals("x", {1, 1}, {1})}, two + R"({"name": "rho", "floats": []})", R"("l", "s")")));
  EXPECT_TRUE(refused(ml("SVMClassifier", {reals("x", {1, 1}, {1})},
                         R"({"name": "kernel_type", "string": "LINEAR"}, {"name": "classlabels_ints", "ints": [7, 9]},
                         {"name": "coefficients", "floats": [1, 1]}, )" +
                             rho,
                         R"("l", "s")")));
}

/// One tree: below 1 the node 1, else the node 2; \p yes: the number of the node that the root leads to.
std::string tree(const std::string &what, const std::string &ids, const std::string &weights, int yes = 1) {
  return fmt::format(
      R"({{"name": "nodes_treeids", "ints": [0, 0, 0]}}, {{"name": "nodes_nodeids", "ints": [0, 1, 2]}},
      {{"name": "nodes_featureids", "ints": [0, 0, 0]}}, {{"name": "nodes_values", "floats": [1, 0, 0]}},
      {{"name": "nodes_modes", "strings": ["BRANCH_LT", "LEAF", "LEAF"]}},
      {{"name": "nodes_truenodeids", "ints": [{3}, 0, 0]}}, {{"name": "nodes_falsenodeids", "ints": [2, 0, 0]}},
      {{"name": "{0}_treeids", "ints": [0, 0]}}, {{"name": "{0}_nodeids", "ints": [1, 2]}},
      {{"name": "{0}_ids", "ints": [{1}]}}, {{"name": "{0}_weights", "floats": [{2}]}})",
      what, ids, weights, yes);
}

TEST(ClassicalKernel, Trees) {
  const Array x = reals("x", {2, 1}, {0, 3});
  EXPECT_EQ(
      ml("TreeEnsembleRegressor", {x},
         tree("target", "0, 0", "5, 6") + ", " + flag("n_targets") + R"(, {"name": "base_values", "floats": [0.5]})"),
      "float32[2, 1]: 5.5, 6.5");
  EXPECT_EQ(ml("TreeEnsembleRegressor", {reals("x", {1, 1}, {std::nan("")})},
               tree("target", "0, 0", "5, 6") + ", " + flag("n_targets") +
                   R"(, {"name": "nodes_missing_value_tracks_true", "ints": [1]})"),
            "float32[1, 1]: 5")
      << "what is not listed is no";
  const std::string two = R"(, {"name": "classlabels_int64s", "ints": [7, 9]})";
  // One score stands for the second class, all of whose weights are probabilities.
  EXPECT_EQ(ml("TreeEnsembleClassifier", {x}, tree("class", "0, 0", "0.25, 0.75") + two, R"("l", "s")"),
            "int64[2]: 7, 9\nfloat32[2, 2]: 0.75, 0.25, 0.25, 0.75");
  EXPECT_EQ(ml("TreeEnsembleClassifier", {x}, tree("class", "0, 0", "-1, 0.25") + two, R"("l", "s")"),
            "int64[2]: 7, 9\nfloat32[2, 2]: 1, -1, -0.25, 0.25");
  const std::string three = R"(, {"name": "classlabels_int64s", "ints": [7, 9, 8]})";
  EXPECT_EQ(ml("TreeEnsembleClassifier", {x}, tree("class", "2, 1", "1, 2") + three, R"("l", "s")"),
            "int64[2]: 8, 9\nfloat32[2, 3]: 0, 0, 1, 0, 2, 0");
  EXPECT_TRUE(refused(ml("TreeEnsembleRegressor", {x}, tree("target", "0, 0", "5, 6", 4) + ", " + flag("n_targets"))));
  EXPECT_TRUE(refused(ml("TreeEnsembleRegressor", {x}, tree("target", "0, 1", "5, 6") + ", " + flag("n_targets"))));
}

} // namespace

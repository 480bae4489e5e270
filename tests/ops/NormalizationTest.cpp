//===- NormalizationTest.cpp - Types of normalisations ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

TEST(Normalization, OnnxStatistics) {
  OneNode layer = OneNode::onnx("LayerNormalization", 17);
  layer.in(Float16, {"n", 4, 5}).in(Float16, {5}).run(3);
  EXPECT_EQ(layer.type(0) + layer.type(1), "float16[n, 4, 5]float32[n, 4, 1]");
  OneNode batch = OneNode::onnx("BatchNormalization", 15);
  batch.in(Float16, {2, 3, 4}).in(Float16, {3}).in(Float16, {3}).in(Float32, {3}).in(Float32, {3}).run(3);
  EXPECT_EQ(batch.type(0) + batch.type(2), "float16[2, 3, 4]float32[3]");
  EXPECT_EQ(OneNode::onnx("RMSNormalization", 23).in(Float16, {2, 3}).in(Float32, {3}).run().type(), "float32[2, 3]");
  for (const char *name : {"InstanceNormalization", "LpNormalization", "MeanVarianceNormalization", "LRN"})
    EXPECT_EQ(OneNode::onnx(name, 13).in(Float32, {"n", 3, 4}).run().type(), "float32[n, 3, 4]") << name;
}

TEST(Normalization, OnnxChecksItsSizes) {
  const auto batch = [](std::int32_t version, int mean) {
    OneNode n = OneNode::onnx("BatchNormalization", version);
    n.in(Float32, {2, 3, 4}).in(Float32, {3}).in(Float32, {3}).in(Float32, {mean}).in(Float32, {3});
    return n.run().rejected();
  };
  EXPECT_EQ(batch(15, 3) + batch(15, -1), "");
  EXPECT_EQ(batch(15, 5), "BatchNormalization: input 3 has 5 elements for 3 channels");
  for (const char *name : {"RMSNormalization", "LayerNormalization"})
    for (const int axis : {-2, 1, -3, 2}) {
      OneNode n = OneNode::onnx(name, 23);
      n.in(Float32, {2, 3}).in(Float32, {3}).attr("axis", axis).run();
      EXPECT_EQ(n.rejected().empty(), axis == -2 || axis == 1) << name << ' ' << axis;
    }
}

TEST(Normalization, TorchCountsTheElementsForEachChannel) {
  const auto norm = [](std::vector<OneNode::Size> input, std::vector<OneNode::Size> weight) {
    return OneNode::torch("batch_norm")
        .arg("input", Float32, std::move(input))
        .arg("weight", Float32, std::move(weight))
        .run()
        .rejected();
  };
  EXPECT_EQ(norm({2, 8, 4, 4}, {8}), "");
  EXPECT_EQ(norm({2, 8, 4, 4}, {2, 4}), "");
  EXPECT_EQ(norm({0, 8, 4, 4}, {7}), ""); // nothing to normalise
  EXPECT_EQ(norm({2, 8, 4, 4}, {2, 8, 8, 8}), "batch_norm: the elements of weight and the channels differ: 1024 and 8");
}

TEST(Normalization, StatisticsHaveOneAxis) {
  const auto norm = [](std::string_view name, std::initializer_list<OneNode::Size> mean) {
    OneNode n = OneNode::torch(name);
    n.arg("input", DType::Float32, {2, 6, 5}).arg("running_mean", DType::Float32, mean);
    return n.arg("running_var", DType::Float32, {6}).run(3).rejected();
  };
  const std::string_view inference = "_native_batch_norm_legit_no_training";
  EXPECT_EQ(norm(inference, {6}), "");
  EXPECT_EQ(norm(inference, {"c"}), "");
  EXPECT_EQ(norm(inference, {6, 6}), std::string(inference) + ": running_mean has 2 axes, expected 1");
  EXPECT_NE(norm(inference, {6, 1}), "");
  EXPECT_NE(norm("native_batch_norm", {7}), "");
  OneNode one = OneNode::torch("native_batch_norm"); // one channel is stretched to what there is
  one.arg("input", Float32, {2, 1, 5}).arg("running_mean", Float32, {6}).arg("running_var", Float32, {6});
  EXPECT_EQ(one.run(3).rejected(), "");
}

TEST(Normalization, TorchChecksItsSizes) {
  const auto layer = [](std::vector<std::int64_t> shape) {
    OneNode n = OneNode::torch("native_layer_norm");
    n.arg("input", Float32, {"n", 4, 5}).ints("normalized_shape", std::move(shape)).run(3);
    return n.type(1) + (n.rejected().empty() ? "" : " !");
  };
  EXPECT_EQ(layer({5}), "float32[n, 4, 1]");
  EXPECT_EQ(layer({4, 5}), "float32[n, 1, 1]");
  EXPECT_EQ(layer({6}), "float32[n, 4, 1] !");
  const auto weighted = [](std::vector<OneNode::Size> weight) {
    OneNode n = OneNode::torch("native_layer_norm");
    n.arg("input", Float32, {"n", 4, 5}).ints("normalized_shape", {4, 5}).arg("weight", Float32, std::move(weight));
    return n.run(3).rejected();
  };
  EXPECT_EQ(weighted({4, "m"}), "");
  EXPECT_EQ(weighted({4, 1}), "native_layer_norm: weight is [4, 1] and normalized_shape [4, 5]");
  OneNode both = OneNode::torch("native_layer_norm"); // one mistake, however many sizes differ
  both.arg("input", Float32, {2, 4, 5}).ints("normalized_shape", {6, 7}).run(3);
  EXPECT_EQ(both.rejected(), "native_layer_norm: normalized_shape has 6, the operand 4 in axis 1");
  EXPECT_EQ(OneNode::torch("glu").arg("self", Float32, {"n", 6}).run().type(), "float32[n, 3]");
  EXPECT_NE(OneNode::torch("glu").arg("self", Float32, {2, 5}).run().rejected(), "");
}

TEST(Attention, OnnxPacksHeads) {
  OneNode n = OneNode::onnx("Attention", 23);
  n.in(Float32, {"b", "l", 32}).in(Float32, {"b", "s", 16}).in(Float32, {"b", "s", 24});
  n.absent().in(Float32, {"b", 2, "p", 8}).in(Float32, {"b", 2, "p", 12});
  n.attr("q_num_heads", 4).attr("kv_num_heads", 2).run(4);
  EXPECT_EQ(n.type(0), "float32[b, l, 48]");
  EXPECT_EQ(n.type(1), "float32[b, 2, p + s, 8]");
  EXPECT_EQ(n.type(3), "float32[b, 4, l, p + s]");
  OneNode four = OneNode::onnx("Attention", 23);
  four.in(Float32, {2, 4, "l", 8}).in(Float32, {2, 4, "s", 8}).in(Float32, {2, 4, "s", 9}).run();
  EXPECT_EQ(four.type(), "float32[2, 4, l, 9]");
  EXPECT_EQ(OneNode::onnx("RotaryEmbedding", 23).in(Float32, {2, 4, "l", 8}).run().type(), "float32[2, 4, l, 8]");
}

// ONNX Runtime 1.32 loads each of these and fails when it comes to the node.
TEST(Attention, OnnxHeadsPastAndMaskFitTogether) {
  using Sizes = std::vector<OneNode::Size>;
  const auto of = [](Sizes q, Sizes k, Sizes v, Sizes mask = {}, Sizes pastKey = {}, Sizes pastValue = {}) {
    OneNode n = OneNode::onnx("Attention", 23);
    n.in(Float32, std::move(q)).in(Float32, std::move(k)).in(Float32, std::move(v));
    for (Sizes *more : {&mask, &pastKey, &pastValue})
      more->empty() ? n.absent() : n.in(Float32, std::move(*more));
    return n.run().rejected();
  };
  EXPECT_EQ(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}), "");
  EXPECT_NE(of({2, 4, 5, 8}, {2, 3, 6, 8}, {2, 3, 6, 9}), "") << "4 heads over 3";
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 7}, {2, 2, 6, 9}), "") << "heads of 8 and 7";
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 7, 9}), "") << "keys and values";
  EXPECT_NE(of({2, 4, 5, 8}, {3, 2, 6, 8}, {3, 2, 6, 9}), "") << "batches";
  EXPECT_EQ(of({"b", 4, "l", 8}, {"b", "h", "s", 8}, {"b", "h", "s", 9}), "");
  EXPECT_EQ(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {5, 6}), "");
  EXPECT_EQ(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {1, 4, 5, 6}), "");
  EXPECT_EQ(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {1, 6}), "") << "by the specification, not in ONNX Runtime";
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {4, 6}), "");
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {3, 4, 5, 6}), "");
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {5, 7}), "");
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {2, 3, 5, 6}), "");
  EXPECT_EQ(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {5, 9}, {2, 2, 3, 8}, {2, 2, 3, 9}), "") << "3 more before";
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {}, {2, 2, 3, 8}), "") << "no past value";
  EXPECT_NE(of({2, 4, 5, 8}, {2, 2, 6, 8}, {2, 2, 6, 9}, {}, {2, 2, 3, 8}, {2, 2, 4, 9}), "");
  const auto packed = [](Sizes q, Sizes k, Sizes v) {
    OneNode n = OneNode::onnx("Attention", 23);
    n.in(Float32, std::move(q)).in(Float32, std::move(k)).in(Float32, std::move(v));
    return n.attr("q_num_heads", 4).attr("kv_num_heads", 2).run().rejected();
  };
  EXPECT_EQ(packed({2, 5, 32}, {2, 6, 16}, {2, 6, 18}), "");
  EXPECT_EQ(packed({"b", "l", "w"}, {"b", "s", "k"}, {"b", "s", 18}), "");
  EXPECT_NE(packed({2, 5, 32}, {2, 6, 20}, {2, 6, 18}), "") << "heads of 8 and 10";
  EXPECT_NE(packed({2, 5, 32}, {2, 6, 16}, {2, 7, 18}), "") << "keys and values";
  EXPECT_NE(packed({2, 5, 32}, {2, 6, 16}, {2, 6, 17}), "") << "half a number for a head";
}

TEST(Attention, TheStateOfLinearAttentionStaysAsItIs) {
  const auto of = [](std::vector<OneNode::Size> past) {
    OneNode n = OneNode::onnx("LinearAttention", 27);
    n.attr("q_num_heads", 4).attr("kv_num_heads", 2).attr("update_rule", "linear");
    n.in(Float32, {"b", "l", 32}).in(Float32, {"b", "l", 16}).in(Float32, {"b", "l", 6}).in(Float32, std::move(past));
    return n.run(2).rejected();
  };
  EXPECT_EQ(of({"b", 2, 8, 3}), "");
  EXPECT_EQ(of({1, 2, 8, "v"}), "") << "b may be 1";
  EXPECT_NE(of({"b", 4, 8, 3}), "") << "heads of the query";
  EXPECT_NE(of({"b", 2, 3, 8}), "");
  EXPECT_NE(of({"b", 2, 8, 8}), "");
}

TEST(Attention, WindowsAreAllOrANumber) {
  const auto with = [](const char *window, std::int64_t size, std::int32_t version) {
    OneNode n = OneNode::onnx("Attention", version);
    n.in(Float32, {1, 1, 2, 3}).in(Float32, {1, 1, 2, 3}).in(Float32, {1, 1, 2, 3});
    return n.attr(window, size).run().rejected();
  };
  EXPECT_EQ(with("left_window_size", -1, 25), "");
  EXPECT_EQ(with("left_window_size", 0, 28), "");
  EXPECT_NE(with("left_window_size", -2, 25), "");
  EXPECT_NE(with("right_window_size", -2, 25), "");
  EXPECT_NE(with("right_window_size", 1, 24), "") << "it has none before";
}

TEST(Attention, TablesOfRotaryEmbeddingFitWhatIsTurned) {
  using Sizes = std::vector<OneNode::Size>;
  const auto of = [](Sizes x, Sizes table, Sizes positions = {}, std::int64_t heads = 0, std::int64_t part = 0) {
    OneNode n = OneNode::onnx("RotaryEmbedding", 23);
    n.in(Float32, std::move(x)).in(Float32, table).in(Float32, table);
    if (!positions.empty())
      n.in(Int64, std::move(positions));
    return n.attr("num_heads", heads).attr("rotary_embedding_dim", part).run().rejected();
  };
  EXPECT_EQ(of({2, 4, 5, 8}, {2, 5, 4}), "");
  EXPECT_EQ(of({2, 4, 5, 8}, {50, 4}, {2, 5}), "");
  EXPECT_EQ(of({2, 5, 32}, {50, 4}, {2, 5}, 4), "");
  EXPECT_EQ(of({2, 4, 5, 8}, {50, 2}, {2, 5}, 0, 4), "");
  EXPECT_EQ(of({"b", "h", "l", "d"}, {"m", 4}, {"b", "l"}), "");
  EXPECT_NE(of({2, 4, 5, 8}, {50, 4}), "") << "no positions";
  EXPECT_NE(of({2, 4, 5, 8}, {2, 5, 4}, {2, 5}), "") << "positions";
  EXPECT_NE(of({2, 4, 5, 8}, {50, 3}, {2, 5}), "");
  EXPECT_NE(of({2, 4, 5, 8}, {2, 6, 4}), "");
  EXPECT_NE(of({2, 4, 5, 8}, {50, 4}, {2, 6}), "");
  EXPECT_NE(of({2, 5, 32}, {50, 4}, {2, 5}), "") << "heads that nobody counts";
  EXPECT_NE(of({2, 4, 5, 8}, {50, 5}, {2, 5}, 0, 10), "") << "more than a head";
}

TEST(Attention, TorchScaledDotProduct) {
  OneNode n = OneNode::torch("scaled_dot_product_attention");
  n.arg("query", Float32, {"b", 4, "l", 8})
      .arg("key", Float32, {"b", 4, "s", 8})
      .arg("value", Float32, {"b", 4, "s", 16});
  EXPECT_EQ(n.run().type(), "float32[b, 4, l, 16]");
  OneNode bad = OneNode::torch("scaled_dot_product_attention");
  bad.arg("query", Float32, {2, 4, 8}).arg("key", Float32, {2, 4, 9}).arg("value", Float32, {2, 4, 9});
  EXPECT_NE(bad.run().rejected(), "");
}

TEST(Normalization, LpNormalizationHasItsAxis) {
  const auto refused = [](std::int64_t axis) {
    return OneNode::onnx("LpNormalization", 1).in(Float32, {2, 3}).attr("axis", axis).run().rejected();
  };
  for (const std::int64_t axis : {-2, -1, 0, 1})
    EXPECT_EQ(refused(axis), "") << axis;
  EXPECT_NE(refused(2), "");
  EXPECT_NE(refused(-3), "");
}

TEST(Normalization, ChannelsSplitIntoGroupsInEachVersion) {
  for (const std::int32_t version : {18, 21}) {
    const auto refused = [&](std::int64_t groups, int scales) {
      return OneNode::onnx("GroupNormalization", version)
          .in(Float32, {1, 4, 3})
          .in(Float32, {scales})
          .in(Float32, {scales})
          .attr("num_groups", groups)
          .run()
          .rejected();
    };
    EXPECT_EQ(refused(2, version == 18 ? 2 : 4), "") << version;
    EXPECT_EQ(refused(3, version == 18 ? 3 : 4), "GroupNormalization: 4 channels do not split into 3 groups");
    EXPECT_NE(refused(2, version == 18 ? 4 : 2), "") << "a number for each group in 18, and for each channel since";
  }
}

} // namespace

TEST(Normalization, GroupsHaveAsManyChannels) {
  const auto groups = [](OneNode::Size channels, std::int64_t count) {
    OneNode n = OneNode::exported("group_norm");
    return n.arg("input", Float32, {2, channels, 4}).attr("num_groups", count).run().rejected();
  };
  EXPECT_EQ(groups(6, 3), "");
  EXPECT_EQ(groups("c", 3), "");
  EXPECT_EQ(groups(4, 3), "group_norm: 4 channels are not divided evenly into 3 groups");
}

TEST(Normalization, AGroupNormIsToldWhatItsOperandIs) {
  const auto norm = [](std::int64_t n, std::int64_t channels, std::vector<OneNode::Size> weight) {
    OneNode node = OneNode::exported("native_group_norm");
    node.arg("input", Float32, {2, 6, 5}).arg("weight", Float32, std::move(weight)).arg("bias", Float32, {"b"});
    node.attr("N", n).attr("C", channels).attr("HxW", 5).attr("group", 2).real("eps", 0.5);
    return node.run(3).rejected();
  };
  EXPECT_EQ(norm(2, 6, {6}), "");
  EXPECT_EQ(norm(2, 6, {"c"}), "");
  EXPECT_EQ(norm(1, 6, {6}), "native_group_norm: the elements of the operand and N * C * HxW differ: 60 and 30");
  EXPECT_NE(norm(2, 6, {5}), "");
}

//===- LossTest.cpp - Losses ----------------------------------------------===//
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

TEST(Loss, OnnxReduces) {
  OneNode mean = OneNode::onnx("SoftmaxCrossEntropyLoss", 13);
  mean.in(Float32, {3, 5, 2}).in(Int64, {3, 2}).run(2);
  EXPECT_EQ(mean.type(0) + mean.type(1), "float32[]float32[3, 5, 2]");
  EXPECT_EQ(OneNode::onnx("NegativeLogLikelihoodLoss", 13)
                .in(Float32, {3, 5, 2})
                .in(Int64, {3, 2})
                .attr("reduction", "none")
                .run()
                .type(),
            "float32[3, 2]");
}

TEST(Loss, OnnxRejectsWhatDoesNotFit) {
  auto loss = [](std::vector<OneNode::Size> labels, std::string_view reduction) {
    return OneNode::onnx("NegativeLogLikelihoodLoss", 13)
        .in(Float32, {3, 5, 2})
        .in(Int64, std::move(labels))
        .attr("reduction", reduction)
        .run()
        .rejected();
  };
  EXPECT_EQ(loss({3, "d"}, "sum"), "");
  EXPECT_EQ(loss({3, 2}, "median"), "") << "it is a sum to everybody";
  EXPECT_NE(loss({3, 4}, "sum"), "");
  EXPECT_NE(loss({3, 5, 2}, "sum"), "");
  const auto weighted = [](std::vector<OneNode::Size> weights) {
    OneNode n = OneNode::onnx("NegativeLogLikelihoodLoss", 13);
    return n.in(Float32, {3, 5}).in(Int64, {3}).in(Float32, std::move(weights)).run().rejected();
  };
  EXPECT_EQ(weighted({5}), "");
  EXPECT_EQ(weighted({6}), "") << "the last is never read";
  EXPECT_EQ(weighted({4}), "") << "labels may all be smaller";
  EXPECT_NE(weighted({5, 1}), "");
}

std::string torchLoss(std::string_view name, std::int64_t reduction) {
  return OneNode::torch(name)
      .arg("self", Float32, {3, 1})
      .arg("target", Float32, {3, 4})
      .attr("reduction", reduction)
      .run()
      .type();
}

TEST(Loss, TorchReduces) {
  EXPECT_EQ(torchLoss("mse_loss", 1), "float32[]");
  EXPECT_EQ(torchLoss("mse_loss", 0), "float32[3, 4]");
  EXPECT_EQ(torchLoss("huber_loss", 2), "float32[]");
  EXPECT_EQ(OneNode::torch("nll_loss_nd")
                .arg("self", Float32, {3, 5, 2})
                .arg("target", Int64, {3, 2})
                .attr("reduction", 0)
                .run()
                .type(),
            "float32[3, 2]");
  EXPECT_EQ(OneNode::torch("cross_entropy_loss")
                .arg("self", Float32, {3, 5, 2})
                .arg("target", Float32, {3, 5, 2})
                .attr("reduction", 0)
                .run()
                .type(),
            "float32[3, 2]");
  EXPECT_EQ(OneNode::torch("cross_entropy_loss").arg("self", Float32, {3, 5}).arg("target", Int64, {3}).run().type(),
            "float32[]");
  // Measured: an absolute value is real, and a margin or a mean makes integers floating.
  const auto lossOf = [](std::string_view name, std::initializer_list<std::string_view> operands, DType t) {
    OneNode n = OneNode::torch(name);
    for (std::string_view operand : operands)
      n.arg(operand, t, {3, 4});
    return n.run().type();
  };
  EXPECT_EQ(lossOf("l1_loss", {"self", "target"}, Complex64), "float32[]");
  EXPECT_EQ(lossOf("mse_loss", {"self", "target"}, Float64), "float64[]");
  EXPECT_EQ(lossOf("triplet_margin_loss", {"anchor", "positive", "negative"}, Complex64), "float32[]");
  EXPECT_EQ(lossOf("triplet_margin_loss", {"anchor", "positive", "negative"}, UInt8), "float32[]");
  EXPECT_EQ(lossOf("margin_ranking_loss", {"input1", "input2", "target"}, Int64), "float32[]");
  EXPECT_EQ(lossOf("poisson_nll_loss", {"input", "target"}, Int64), "float32[]");
  EXPECT_EQ(lossOf("poisson_nll_loss", {"input", "target"}, Float16), "float16[]");
  EXPECT_EQ(lossOf("cosine_embedding_loss", {"input1", "input2"}, Bool), "float32[]");
  OneNode forward = OneNode::torch("nll_loss_forward");
  forward.arg("self", Float32, {3, 5}).arg("target", Int64, {3}).attr("reduction", 0).run(2);
  EXPECT_EQ(forward.type(0) + forward.type(1), "float32[3]float32[]");
  EXPECT_EQ(
      OneNode::torch("mse_loss_backward").arg("grad_output", Float32, {}).arg("self", Float32, {3, 4}).run().type(),
      "float32[3, 4]");
}

TEST(Loss, ClassesFitTheScores) {
  using Shape = std::vector<OneNode::Size>;
  const auto loss = [](const Shape &scores, const Shape &classes, const Shape &weights = {-1}) {
    return OneNode::exported("cross_entropy_loss")
        .arg("self", Float32, scores)
        .arg("target", Int64, classes)
        .arg("weight", Float32, weights)
        .run()
        .rejected();
  };
  EXPECT_EQ(loss({3, 5}, {3}), "");
  EXPECT_EQ(loss({"n", 5}, {"m"}), "");
  EXPECT_EQ(loss({3, 5, 2}, {3, 2}, {5}), "");
  EXPECT_EQ(loss({5}, {}), "");
  EXPECT_EQ(loss({5}, {1}), "");
  EXPECT_NE(loss({5}, {5}), "");
  EXPECT_NE(loss({3, 5}, {4}), "");
  EXPECT_NE(loss({3, 5, 2}, {3, 4}), "");
  EXPECT_NE(loss({3, 5, 2}, {3}), "");
  EXPECT_NE(loss({3, 5}, {3}, {4}), "");
  // Probabilities have the shape of the scores.
  EXPECT_EQ(OneNode::exported("cross_entropy_loss")
                .arg("self", Float32, {3, 5})
                .arg("target", Float32, {3, 5})
                .run()
                .rejected(),
            "");
}

TEST(Loss, RowsHaveClasses) {
  using Shape = std::vector<OneNode::Size>;
  const auto margin = [](std::string_view name, const Shape &scores, const Shape &classes) {
    return OneNode::exported(name).arg("self", Float32, scores).arg("target", Int64, classes).run().rejected();
  };
  EXPECT_EQ(margin("multi_margin_loss", {3, 5}, {3}), "");
  EXPECT_EQ(margin("multi_margin_loss", {5}, {}), "");
  EXPECT_EQ(margin("multi_margin_loss", {1, 5}, {}), "");
  EXPECT_NE(margin("multi_margin_loss", {3, 5}, {2}), "");
  EXPECT_NE(margin("multi_margin_loss", {5}, {5}), "");
  EXPECT_NE(margin("multi_margin_loss", {2, 3, 5}, {2}), "");
  EXPECT_EQ(margin("multilabel_margin_loss", {3, 5}, {3, 5}), "");
  EXPECT_EQ(margin("multilabel_margin_loss", {}, {1}), "");
  EXPECT_NE(margin("multilabel_margin_loss", {3, 5}, {3, 4}), "");
}

TEST(Loss, SequencesHaveLengths) {
  const auto loss = [](std::string_view name, std::vector<std::int64_t> lengths, std::int64_t blank) {
    OneNode n = OneNode::exported(name, name == "ctc_loss" ? "IntList" : "default");
    return n.arg("log_probs", Float32, {5, 2, 4})
        .arg("targets", Int64, {2, 3})
        .ints("input_lengths", std::move(lengths))
        .ints("target_lengths", {1, 1})
        .attr("blank", blank)
        .run(name == "ctc_loss" ? 1 : 2)
        .rejected();
  };
  for (const std::string_view name : {"ctc_loss", "_ctc_loss"}) {
    EXPECT_EQ(loss(name, {5, 5}, 3), "");
    EXPECT_NE(loss(name, {5, 5, 5}, 0), "");
    EXPECT_NE(loss(name, {5, 5}, 4), "");
    EXPECT_NE(loss(name, {5, 5}, -1), "");
  }
}

/// at::Reduction knows 1 and 2; anything else reduces nothing.
TEST(Loss, UnknownReduction) { EXPECT_EQ(torchLoss("mse_loss", -1), torchLoss("mse_loss", 0)); }

} // namespace

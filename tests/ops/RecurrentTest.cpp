//===- RecurrentTest.cpp - Recurrent layers and cells ---------------------===//
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

OneNode lstm(std::int32_t version) {
  OneNode n = OneNode::onnx("LSTM", version);
  n.in(Float32, {"steps", 2, 6}).in(Float32, {1, 32, 6}).in(Float32, {1, 32, 8});
  return n;
}

TEST(Recurrent, OnnxShapesFollowHiddenSizeAndDirections) {
  OneNode n = lstm(7);
  n.attr("hidden_size", 8).run(3);
  EXPECT_EQ(n.type(0), "float32[steps, 1, 2, 8]");
  EXPECT_EQ(n.type(1), "float32[1, 2, 8]");
  EXPECT_EQ(n.type(2), "float32[1, 2, 8]");
  EXPECT_EQ(n.rejected(), "");
}

TEST(Recurrent, HiddenSizeIsReadFromTheWeights) { EXPECT_EQ(lstm(7).run(3).type(1), "float32[1, 2, 8]"); }

TEST(Recurrent, LayoutExistsSince14) {
  OneNode n = OneNode::onnx("GRU", 14);
  n.in(Float32, {2, "steps", 6}).in(Float32, {2, 24, 6}).in(Float32, {2, 24, 8});
  n.attr("layout", 1).attr("direction", "bidirectional").run(2);
  EXPECT_EQ(n.type(0), "float32[2, steps, 2, 8]");
  EXPECT_EQ(n.type(1), "float32[2, 2, 8]");
  EXPECT_EQ(n.rejected(), "");
}

TEST(Recurrent, ContradictingSizesAreRejected) {
  EXPECT_NE(lstm(7).attr("hidden_size", 9).run(3).rejected(), "");
  EXPECT_NE(lstm(7).attr("direction", "bidirectional").run(3).rejected(), "");
  EXPECT_NE(lstm(7).attr("direction", "sideways").run(3).rejected(), "");
  EXPECT_NE(
      OneNode::onnx("GRU", 14).in(Float32, {5, 2, 3}).in(Float32, {1, 25, 3}).in(Float32, {1, 24, 8}).run().rejected(),
      "");
  EXPECT_NE(OneNode::onnx("RNN", 7).in(Float32, {2, 6}).in(Float32, {1, 8, 6}).in(Float32, {1, 8, 8}).run().rejected(),
            "");
}

// ONNX Runtime 1.32 refuses the names as it loads, and the sizes when it comes to the node.
TEST(Recurrent, ActivationsAreKnownAndAsManyAsTheDirectionsNeed) {
  const auto refused = [](std::vector<std::string> names) {
    return lstm(7).strings("activations", names).run(3).rejected();
  };
  EXPECT_EQ(refused({"Sigmoid", "Tanh", "Tanh"}), "");
  EXPECT_EQ(refused({"hardsigmoid", "ELU", "Softplus"}), "") << "in any case";
  EXPECT_EQ(refused({"Sigmoid", "Tanh", "Gelu"}), "LSTM has no activation 'Gelu'");
  EXPECT_EQ(refused({"Sigmoid", "Tanh"}), "LSTM names 2 activations, and needs 3");
  EXPECT_EQ(refused({"Sigmoid", "Tanh", "Tanh", "Tanh"}), "LSTM names 4 activations, and needs 3");
  const auto plain = [](std::vector<std::string> names) {
    return OneNode::onnx("RNN", 14)
        .in(Float32, {5, 2, 3})
        .in(Float32, {1, 8, 3})
        .in(Float32, {1, 8, 8})
        .strings("activations", names)
        .run()
        .rejected();
  };
  EXPECT_EQ(plain({"Tanh"}), "");
  EXPECT_EQ(plain({"Tanh", "Tanh"}), "") << "one to spare";
  EXPECT_NE(plain({"Tanh", "Tanh", "Tanh"}), "");
  EXPECT_NE(plain({"Gelu"}), "");
}

TEST(Recurrent, StatesAndBiasFitTheLayer) {
  using Sizes = std::vector<OneNode::Size>;
  const auto refused = [](std::size_t at, Sizes sizes, DType element = Float32) {
    OneNode n = lstm(7);
    for (std::size_t i = 3; i < at; ++i)
      n.absent();
    return n.in(element, std::move(sizes)).run(3).rejected();
  };
  EXPECT_EQ(refused(3, {1, 64}), "");
  EXPECT_EQ(refused(3, {1, 32}), "LSTM: B must be of the shape [1, 64], but is of [1, 32]");
  EXPECT_EQ(refused(4, {2}, Int32), "");
  EXPECT_NE(refused(4, {3}, Int32), "");
  EXPECT_EQ(refused(5, {1, "b", 8}), "");
  EXPECT_NE(refused(5, {2, 2, 8}), "");
  EXPECT_NE(refused(6, {1, 2, 9}), "");
  EXPECT_EQ(refused(7, {1, 24}), "");
  EXPECT_NE(refused(7, {1, 32}), "");
}

TEST(Recurrent, UnknownStaysUnknown) {
  EXPECT_EQ(OneNode::onnx("RNN", 7).in(Type()).in(Type()).in(Type()).run().type(), "unknown[?, 1, ?, ?]");
}

TEST(Recurrent, TorchLayers) {
  OneNode n = OneNode::torch("lstm", "input");
  n.arg("input", Float32, {4, "b", 6})
      .args("hx", {n.tensorType(Float32, {2, "b", 8}), n.tensorType(Float32, {2, "b", 8})})
      .attr("bidirectional", 1)
      .run(3);
  EXPECT_EQ(n.type(0) + n.type(1) + n.type(2), "float32[4, b, 16]float32[2, b, 8]float32[2, b, 8]");
  OneNode gru = OneNode::torch("gru", "input");
  gru.arg("input", Float32, {4, 2, 6}).arg("hx", Float32, {1, 2, 8}).attr("bidirectional", 0).run(2);
  EXPECT_EQ(gru.type(0) + gru.type(1), "float32[4, 2, 8]float32[1, 2, 8]");
  OneNode packed = OneNode::torch("rnn_tanh", "data");
  packed.arg("data", Float32, {10, 6}).arg("batch_sizes", Int64, {4}).arg("hx", Float32, {1, 2, 8});
  packed.attr("bidirectional", 0).run(2);
  EXPECT_EQ(packed.type(0), "float32[10, 8]");
}

TEST(Recurrent, TheWeightsOfACellHaveARowForEachGate) {
  const auto cell = [](const char *name, int rows) {
    return OneNode::torch(name)
        .arg("hx", Float32, {3, 6})
        .arg("w_ih", Float32, {rows, 5})
        .arg("w_hh", Float32, {name == std::string("gru_cell") ? 18 : 6, 6})
        .run()
        .rejected();
  };
  EXPECT_EQ(cell("rnn_tanh_cell", 6), "");
  EXPECT_EQ(cell("gru_cell", 18), "");
  EXPECT_NE(cell("rnn_tanh_cell", 2), "");
  EXPECT_NE(cell("gru_cell", 6), "");
}

TEST(Recurrent, TheBiasOfACellFitsItsGates) {
  const auto cell = [](std::vector<OneNode::Size> bias) {
    return OneNode::torch("gru_cell")
        .arg("hx", Float32, {3, 6})
        .arg("w_ih", Float32, {18, 5})
        .arg("w_hh", Float32, {18, 6})
        .arg("b_ih", Float32, std::move(bias))
        .run()
        .rejected();
  };
  EXPECT_EQ(cell({18}), "");
  EXPECT_EQ(cell({1}), "");
  EXPECT_EQ(cell({3, 18}), "");
  EXPECT_EQ(cell({18, 5}), "gru_cell: the b_ih [18, 5] does not broadcast to 18 gates");
}

TEST(Recurrent, TorchCells) {
  OneNode n = OneNode::torch("lstm_cell");
  n.arg("input", Float32, {2, 6}).args("hx", {n.tensorType(Float32, {2, 8}), n.tensorType(Float32, {2, 8})}).run(2);
  EXPECT_EQ(n.type(0) + n.type(1), "float32[2, 8]float32[2, 8]");
}

} // namespace

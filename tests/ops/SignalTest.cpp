//===- SignalTest.cpp - Fourier transforms --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneNode.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

std::string dft(std::int32_t version, int parts, int inverse, int half) {
  OneNode n = OneNode::onnx("DFT", version);
  n.in(Float32, {3, 10, parts}).attr("inverse", inverse).attr("onesided", half).run();
  return n.type() + (n.rejected().empty() ? "" : "!");
}

TEST(Signal, DftSizes) {
  for (std::int32_t version : {17, 20}) {
    EXPECT_EQ(dft(version, 1, 0, 0), "float32[3, 10, 2]");
    EXPECT_EQ(dft(version, 2, 1, 0), "float32[3, 10, 2]");
    EXPECT_EQ(dft(version, 1, 0, 1), "float32[3, 6, 2]");
    EXPECT_EQ(dft(version, 2, 1, 1), "float32[3, 18, 1]");
    EXPECT_EQ(dft(version, 2, 0, 1), "float32[3, 6, 2]!");
    EXPECT_EQ(dft(version, 1, 1, 1), "float32[3, 18, 1]!");
  }
}

TEST(Signal, DftAxisMovedToAnInput) {
  EXPECT_EQ(OneNode::onnx("DFT", 17).in(Float32, {3, 10, 1}).numbers({16}, true).attr("axis", 0).run().type(),
            "float32[16, 10, 2]");
  EXPECT_EQ(
      OneNode::onnx("DFT", 20).in(Float32, {3, 10, 1}).absent().numbers({0}, true).attr("onesided", 1).run().type(),
      "float32[2, 10, 2]");
  EXPECT_NE(OneNode::onnx("DFT", 20).in(Float32, {3, 10, 1}).absent().numbers({-1}, true).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("DFT", 20).in(Float32, {3, 10, 1}).numbers({4}, true).in(Int64, {}).run().type(),
            "float32[?, ?, 2]");
}

TEST(Signal, StftAndMelWeights) {
  EXPECT_EQ(OneNode::onnx("STFT", 17).in(Float32, {1, 128, 1}).numbers({8}, true).in(Float32, {16}).run().type(),
            "float32[1, 15, 9, 2]");
  EXPECT_EQ(OneNode::onnx("STFT", 17)
                .in(Float32, {1, 128, 1})
                .numbers({8}, true)
                .absent()
                .numbers({16}, true)
                .attr("onesided", 0)
                .run()
                .type(),
            "float32[1, 15, 16, 2]");
  // What no run can compute has no size, and is not refused: a branch may be there to avoid it.
  for (const auto &[step, window] : {std::pair(8, 256), {0, 16}, {-1, 16}}) {
    OneNode n = OneNode::onnx("STFT", 17);
    n.in(Float32, {1, 128, 1}).numbers({step}, true).in(Float32, {window}).attr("onesided", 0).run();
    EXPECT_EQ(n.type(), fmt::format("float32[1, ?, {}, 2]", window));
    EXPECT_EQ(n.rejected(), "");
  }
  EXPECT_EQ(OneNode::onnx("MelWeightMatrix", 17)
                .numbers({8}, true)
                .numbers({16}, true)
                .numbers({8192}, true)
                .in(Float32, {})
                .in(Float32, {})
                .run()
                .type(),
            "float32[9, 8]");
}

std::string fft(std::string_view name, DType element = Float32) {
  return OneNode::torch(name).arg("self", element, {2, 5, 6}).run().type();
}

TEST(Signal, TorchTransforms) {
  EXPECT_EQ(fft("fft_fft"), "complex64[2, 5, 6]");
  EXPECT_EQ(fft("fft_rfft"), "complex64[2, 5, 4]");
  EXPECT_EQ(fft("fft_irfft", Complex64), "float32[2, 5, 10]");
  EXPECT_EQ(fft("fft_hfft"), "float32[2, 5, 10]");
  EXPECT_EQ(fft("fft_ihfft"), "complex64[2, 5, 4]");
  EXPECT_EQ(fft("fft_fftn", Int64), "complex64[2, 5, 6]");
  EXPECT_EQ(fft("fft_rfft2", Float64), "complex128[2, 5, 4]");
  EXPECT_EQ(OneNode::torch("fft_fft").arg("self", Float32, {2, 5, 6}).attr("n", 4).attr("dim", 1).run().type(),
            "complex64[2, 4, 6]");
  EXPECT_EQ(OneNode::torch("fft_rfftn").arg("self", Float32, {2, 5, 6}).ints("s", {4, 4}).run().type(),
            "complex64[2, 4, 3]");
  EXPECT_EQ(OneNode::torch("fft_irfftn").arg("self", Complex64, {2, 5, 6}).ints("dim", {0, 1}).run().type(),
            "float32[2, 8, 6]");
  EXPECT_EQ(
      OneNode::torch("_fft_r2c").arg("self", Float32, {2, 5, 6}).ints("dim", {2, 1}).attr("onesided", 1).run().type(),
      "complex64[2, 3, 6]");
  EXPECT_EQ(OneNode::torch("_fft_c2r")
                .arg("self", Complex64, {2, 5, 6})
                .ints("dim", {1, 2})
                .attr("last_dim_size", 8)
                .run()
                .type(),
            "float32[2, 5, 8]");
  EXPECT_EQ(OneNode::torch("fft_rfftfreq").attr("n", 7).run().type(), "float32[4]");
}

TEST(Signal, TorchStft) {
  EXPECT_EQ(OneNode::torch("stft")
                .arg("self", Float32, {2, 400})
                .attr("n_fft", 64)
                .attr("hop_length", 16)
                .attr("return_complex", 1)
                .run()
                .type(),
            "complex64[2, 33, 22]");
  EXPECT_EQ(OneNode::torch("stft")
                .arg("self", Float32, {2, 400})
                .attr("n_fft", 64)
                .attr("hop_length", 16)
                .attr("return_complex", 0)
                .run()
                .type(),
            "float32[2, 33, 22, 2]");
  EXPECT_EQ(OneNode::torch("stft", "center")
                .arg("self", Float32, {400})
                .attr("n_fft", 64)
                .attr("return_complex", 1)
                .run()
                .type(),
            "complex64[33, 26]");
}

TEST(Signal, DftTakesRealOrComplexNumbers) {
  const auto refused = [](int parts) { return OneNode::onnx("DFT", 20).in(Float32, {1, 4, parts}).run().rejected(); };
  EXPECT_EQ(refused(1), "");
  EXPECT_EQ(refused(2), "");
  EXPECT_EQ(refused(3), "the last size of DFT's input is 1 or 2, of real or complex numbers, and not 3");
}

} // namespace

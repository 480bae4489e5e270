//===- QuantizationTest.cpp - Quantised numbers ---------------------------===//
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

OneNode quantize(std::int32_t version, std::vector<OneNode::Size> scale) {
  OneNode n = OneNode::onnx("QuantizeLinear", version);
  n.in(Float32, {2, 6}).in(Float32, std::move(scale));
  return n;
}

TEST(Quantization, ResultIsTheZeroPointsTypeOrTheOneAskedFor) {
  EXPECT_EQ(quantize(13, {}).run().type(), "uint8[2, 6]");
  EXPECT_EQ(quantize(13, {}).in(Int8, {}).run().type(), "int8[2, 6]");
  EXPECT_EQ(quantize(21, {}).attr("output_dtype", 22).run().type(), "int4[2, 6]");
  EXPECT_EQ(quantize(25, {}).in(Type()).attr("output_dtype", 3).run().type(), "int8[2, 6]");
  EXPECT_NE(quantize(21, {}).in(Int8, {}).attr("output_dtype", 2).run().rejected(), "");
}

TEST(Quantization, ScalesFitTheirAxis) {
  EXPECT_EQ(quantize(13, {6}).run().rejected(), "");
  EXPECT_NE(quantize(13, {5}).run().rejected(), "");
  EXPECT_EQ(quantize(13, {2}).attr("axis", 0).run().rejected(), "");
  EXPECT_EQ(quantize(13, {"n"}).run().rejected(), "");
  EXPECT_EQ(quantize(13, {1}).run().rejected(), "");
  EXPECT_NE(quantize(13, {6}).attr("axis", 2).run().rejected(), "");
  EXPECT_EQ(quantize(21, {2, 3}).attr("block_size", 2).run().rejected(), "");
  EXPECT_NE(quantize(21, {3, 3}).attr("block_size", 2).run().rejected(), "");
  EXPECT_NE(quantize(21, {1, 2, 3}).run().rejected(), "");
}

TEST(Quantization, DequantizeTakesTheScalesTypeSince19) {
  EXPECT_EQ(OneNode::onnx("DequantizeLinear", 10).in(Int8, {2}).in(Float32, {}).run().type(), "float32[2]");
  EXPECT_EQ(OneNode::onnx("DequantizeLinear", 19).in(Int8, {2}).in(Float16, {}).run().type(), "float16[2]");
  EXPECT_EQ(OneNode::onnx("DequantizeLinear", 23).in(Int8, {2}).in(Float16, {}).attr("output_dtype", 1).run().type(),
            "float32[2]");
  EXPECT_EQ(OneNode::onnx("DequantizeLinear", 19).in(Int8, {2}).in(Type()).run().type(), "unknown[2]");
}

TEST(Quantization, DynamicQuantizeYieldsScaleAndZeroPoint) {
  OneNode n = OneNode::onnx("DynamicQuantizeLinear", 11);
  n.in(Float32, {"n", 3}).run(3);
  EXPECT_EQ(n.type(0) + n.type(1) + n.type(2), "uint8[n, 3]float32[]uint8[]");
}

TEST(Quantization, TorchMarksWhatIsQuantised) {
  OneNode n = OneNode::torch("quantize_per_tensor");
  n.arg("self", Float32, {2, 3}).run();
  EXPECT_EQ(n.type(), "unknown[2, 3]");
  EXPECT_EQ(n.m.type(n.m.result(n.node, 0)).quantized, Tri::Yes);
  OneNode back = OneNode::torch("dequantize", "self");
  EXPECT_EQ(back.arg("self", Unknown, {2, 3}).run().type(), "float32[2, 3]");
  EXPECT_EQ(back.m.type(back.m.result(back.node, 0)).quantized, Tri::No);
}

TEST(Quantization, DecomposedUsesPlainTypes) {
  EXPECT_EQ(OneNode::torch("quantize_per_tensor", "default", "quantized_decomposed")
                .arg("input", Float32, {2})
                .attr("dtype", Int8)
                .run()
                .type(),
            "int8[2]");
  EXPECT_EQ(OneNode::torch("dequantize_per_tensor", "default", "quantized_decomposed")
                .arg("input", Int8, {2})
                .attr("dtype", Int8)
                .run()
                .type(),
            "float32[2]");
  EXPECT_EQ(OneNode::torch("dequantize_per_channel", "default", "quantized_decomposed")
                .arg("input", Int8, {2})
                .attr("out_dtype", BFloat16)
                .run()
                .type(),
            "bfloat16[2]");
}

TEST(Quantization, FakeQuantizeKeepsTheTypeAndAddsAMask) {
  OneNode n = OneNode::torch("fake_quantize_per_tensor_affine_cachemask");
  n.arg("self", Float32, {2, 3}).run(2);
  EXPECT_EQ(n.type(0) + n.type(1), "float32[2, 3]bool[2, 3]");
}

} // namespace

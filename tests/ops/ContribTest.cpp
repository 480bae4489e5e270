//===- ContribTest.cpp - ONNX Runtime's own operators ---------------------===//
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

OneNode contrib(std::string_view name) { return OneNode::onnx(name, 1, "com.microsoft"); }

TEST(Contrib, WhatIsLikeItsFirstOperand) {
  EXPECT_EQ(contrib("BiasGelu").in(Float16, {"n", 4}).in(Float16, {4}).run().type(), "float16[n, 4]");
  EXPECT_EQ(contrib("Gelu").in(Float32, {"n", 4}).run().type(), "float32[n, 4]");
  OneNode skip = contrib("SkipLayerNormalization");
  skip.in(Float32, {"n", 3, 4}).in(Float32, {"n", 3, 4}).in(Float32, {4}).run(4);
  EXPECT_EQ(skip.type(0) + skip.type(3), "float32[n, 3, 4]float32[n, 3, 4]");
  EXPECT_EQ(skip.type(1), "unknown");
}

TEST(Contrib, ProductsOfMatrices) {
  const auto product = [](int transB) {
    OneNode n = contrib("FusedMatMul");
    n.in(Float32, {"n", 3, 4}).in(Float32, {5, 4}).attr("transB", transB).run();
    return n.rejected().empty() ? n.type() : "rejected";
  };
  EXPECT_EQ(product(1), "float32[n, 3, 5]");
  EXPECT_EQ(product(0), "rejected");
  EXPECT_EQ(contrib("FusedMatMul").in(Float32, {4, 3}).in(Float32, {4, 2}).attr("transA", 1).run().type(),
            "float32[3, 2]");
  EXPECT_EQ(contrib("DynamicQuantizeMatMul").in(Float32, {"n", 4}).in(UInt8, {4, 5}).run().type(), "float32[n, 5]");
}

TEST(Contrib, Quantized) {
  OneNode add = contrib("QLinearAdd");
  add.in(UInt8, {"n", 4}).in(Float32, {}).in(UInt8, {}).in(UInt8, {4}).run();
  EXPECT_EQ(add.type(), "uint8[n, 4]");
}

TEST(Contrib, Attention) {
  EXPECT_EQ(contrib("Attention").in(Float32, {"b", 3, 4}).in(Float32, {4, 12}).run().type(), "float32[b, 3, 4]");
  EXPECT_EQ(contrib("MultiHeadAttention")
                .in(Float16, {"b", 3, 4})
                .in(Float16, {"b", 7, 4})
                .in(Float16, {"b", 7, 6})
                .run()
                .type(),
            "float16[b, 3, 6]");
}

} // namespace

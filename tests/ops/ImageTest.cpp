//===- ImageTest.cpp - Images and the boxes in them -----------------------===//
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

TEST(Image, DecoderKnowsItsChannels) {
  OneNode n = OneNode::onnx("ImageDecoder", 20);
  n.in(UInt8, {"bytes"}).attr("pixel_format", "Grayscale").run();
  const Type &t = n.m.type(n.m.result(n.node, 0));
  ASSERT_EQ(t.dims.size(), 3u);
  EXPECT_TRUE(n.m.dims.isConstant(t.dims[2], 1));
  EXPECT_FALSE(n.m.dims.asConstant(t.dims[0]));
  EXPECT_NE(OneNode::onnx("ImageDecoder", 20).in(UInt8, {"bytes"}).attr("pixel_format", "HSV").run().rejected(), "");
}

TEST(Image, NonMaxSuppressionYieldsTriples) {
  OneNode n = OneNode::onnx("NonMaxSuppression", 11);
  n.in(Float32, {1, 6, 4}).in(Float32, {1, 2, 6}).run();
  EXPECT_EQ(n.rejected(), "");
  EXPECT_TRUE(n.m.dims.isConstant(n.m.type(n.m.result(n.node, 0)).dims[1], 3));
  EXPECT_NE(OneNode::onnx("NonMaxSuppression", 11).in(Float32, {1, 6, 5}).in(Float32, {1, 2, 6}).run().rejected(), "");
  EXPECT_NE(OneNode::onnx("NonMaxSuppression", 11).in(Float32, {1, 6, 4}).in(Float32, {1, 2, 7}).run().rejected(), "");
}

} // namespace

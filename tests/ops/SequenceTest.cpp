//===- SequenceTest.cpp - Sequences of tensors ----------------------------===//
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

TEST(Sequence, EmptyHoldsTensorsOfItsDtype) {
  EXPECT_EQ(OneNode::onnx("SequenceEmpty", 11).run().type(), "sequence<float32[...]>");
  EXPECT_EQ(OneNode::onnx("SequenceEmpty", 11).attr("dtype", 7).run().type(), "sequence<int64[...]>");
}

TEST(Sequence, ConstructKeepsWhatItsInputsAgreeOn) {
  EXPECT_EQ(OneNode::onnx("SequenceConstruct", 11).in(Float32, {2, "n"}).in(Float32, {2, "n"}).run().type(),
            "sequence<float32[2, n]>");
  EXPECT_EQ(OneNode::onnx("SequenceConstruct", 11).in(Float32, {2, "n"}).in(Float32, {3, "n"}).run().type(),
            "sequence<float32[?, n]>");
  EXPECT_EQ(OneNode::onnx("SequenceConstruct", 11).in(Float32, {2}).in(Float32, {3, 4}).run().type(),
            "sequence<float32[...]>");
  EXPECT_EQ(OneNode::onnx("SequenceConstruct", 11).in(Float32, {2}).in(Type()).run().type(), "sequence<?>");
}

TEST(Sequence, InsertRefusesAnotherDtype) {
  OneNode n = OneNode::onnx("SequenceInsert", 11);
  n.in(n.of(ValueKind::Sequence, n.tensorType(Float32, {2}))).in(Int64, {2}).run();
  EXPECT_NE(n.rejected(), "");
  OneNode good = OneNode::onnx("SequenceInsert", 11);
  good.in(good.of(ValueKind::Sequence, good.tensorType(Float32, {2}))).in(Float32, {2}).run();
  EXPECT_EQ(good.rejected(), "");
  EXPECT_EQ(good.type(), "sequence<float32[2]>");
}

TEST(Sequence, AtAndEraseAndLength) {
  OneNode at = OneNode::onnx("SequenceAt", 11);
  EXPECT_EQ(at.in(at.of(ValueKind::Sequence, at.tensorType(Int64, {"n"}))).numbers({0}, true).run().type(), "int64[n]");
  OneNode erase = OneNode::onnx("SequenceErase", 11);
  EXPECT_EQ(erase.in(erase.of(ValueKind::Sequence, erase.tensorType(Int64, {"n"}))).run().type(), "sequence<int64[n]>");
  OneNode length = OneNode::onnx("SequenceLength", 11);
  length.in(length.of(ValueKind::Sequence, length.tensorType(Int64, {"n"}))).run();
  EXPECT_EQ(length.type(), "int64[]");
  EXPECT_TRUE(length.content().empty());
  EXPECT_EQ(OneNode::onnx("SequenceAt", 11).in(Type()).numbers({0}, true).run().type(), "unknown[...]");
}

TEST(Sequence, ConcatJoinsOrStacks) {
  auto concat = [](std::int64_t axis, std::int64_t stack) {
    OneNode n = OneNode::onnx("ConcatFromSequence", 11);
    n.in(n.of(ValueKind::Sequence, n.tensorType(Float32, {2, 3}))).attr("axis", axis).attr("new_axis", stack).run();
    return n.type() + n.rejected();
  };
  EXPECT_EQ(concat(0, 0), "float32[?, 3]");
  EXPECT_EQ(concat(-1, 0), "float32[2, ?]");
  EXPECT_EQ(concat(-1, 1), "float32[2, 3, ?]");
  EXPECT_EQ(concat(0, 1), "float32[?, 2, 3]");
  EXPECT_EQ(concat(2, 0), "float32[?, ?]the axis 2 is out of range for rank 2");
}

TEST(Sequence, SplitTypesItsParts) {
  EXPECT_EQ(OneNode::onnx("SplitToSequence", 11).in(Float32, {6, 4}).run().type(), "sequence<float32[1, 4]>");
  EXPECT_EQ(OneNode::onnx("SplitToSequence", 11).in(Float32, {6, 4}).attr("keepdims", 0).run().type(),
            "sequence<float32[4]>");
  EXPECT_EQ(OneNode::onnx("SplitToSequence", 11).in(Float32, {6, 4}).numbers({2}, true).run().type(),
            "sequence<float32[2, 4]>");
  EXPECT_EQ(OneNode::onnx("SplitToSequence", 11).in(Float32, {6, 4}).numbers({4}, true).run().type(),
            "sequence<float32[?, 4]>");
  EXPECT_EQ(OneNode::onnx("SplitToSequence", 11).in(Float32, {6, 4}).numbers({3, 3}).run().type(),
            "sequence<float32[3, 4]>");
  EXPECT_EQ(OneNode::onnx("SplitToSequence", 11).in(Float32, {6, 4}).numbers({2, 4}).attr("axis", 0).run().type(),
            "sequence<float32[?, 4]>");
}

} // namespace

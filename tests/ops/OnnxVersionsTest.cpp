//===- OnnxVersionsTest.cpp - Which operators ONNX has, and what they admit -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/OnnxVersions.h"
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

std::string check(OneNode &n, std::size_t outputs = 1) {
  n.run(outputs);
  Inference found;
  InferState state(n.m, found);
  InferContext ctx(n.m, n.node, &state);
  const bool sound = checkOnnxSchema(ctx);
  EXPECT_EQ(sound, found.invalid.empty());
  std::string text;
  for (const InvalidOperand &i : found.invalid)
    text += (text.empty() ? "" : "; ") + i.message;
  return text;
}

TEST(OnnxVersions, OperatorsComeAndGo) {
  EXPECT_EQ(onnxOperatorExists("", "Relu", 1), true);
  EXPECT_EQ(onnxOperatorExists("ai.onnx", "Relu", 13), true);
  EXPECT_EQ(onnxOperatorExists("", "Gelu", 19), false);
  EXPECT_EQ(onnxOperatorExists("", "Gelu", 20), true);
  EXPECT_EQ(onnxOperatorExists("", "Upsample", 9), true);
  EXPECT_EQ(onnxOperatorExists("", "Upsample", 10), false);
  EXPECT_EQ(onnxOperatorExists("", "Scatter", 11), false);
  EXPECT_EQ(onnxOperatorExists("ai.onnx.ml", "TreeEnsemble", 5), true);
  EXPECT_EQ(onnxOperatorExists("ai.onnx.ml", "Relu", 1), false);
  EXPECT_EQ(onnxOperatorExists("", "Relu", 0), false);
}

TEST(OnnxVersions, WhatIsNotKnownStaysOpen) {
  EXPECT_EQ(onnxOperatorExists("com.example", "Relu", 1), std::nullopt);
  EXPECT_EQ(onnxOperatorExists("", "Relu", 1000), true);
  EXPECT_EQ(onnxOperatorExists("", "Upsample", 1000), false);
  EXPECT_EQ(onnxOperatorExists("", "Novelty", 1000), std::nullopt);
  EXPECT_EQ(onnxOperatorExists("", "Novelty", 20), false);
  EXPECT_EQ(onnxOperatorExists("", "Relu", -1), std::nullopt);
  // Withdrawn afterwards; it was valid when 18 was new.
  EXPECT_EQ(onnxOperatorExists("", "GroupNormalization", 18), std::nullopt);
  EXPECT_EQ(onnxOperatorExists("", "GroupNormalization", 21), true);
  // An experiment of early versions.
  EXPECT_EQ(onnxOperatorExists("", "ImageScaler", 8), std::nullopt);
}

TEST(OnnxVersions, InputsAreCounted) {
  OneNode two = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(two.in(Float32, {2}).in(Float32, {2})), "Relu takes 1 input, but has 2");
  OneNode none = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(none.attr("axis", 0)), "Concat takes at least 1 inputs, but has 0");
  OneNode many = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(many.attr("axis", 0).in(Float32, {2}).in(Float32, {2}).in(Float32, {2})), "");
  OneNode hole = OneNode::onnx("Add", 14);
  EXPECT_EQ(check(hole.in(Float32, {2}).absent()), "Add needs its input 1");
  OneNode optional = OneNode::onnx("Clip", 13);
  EXPECT_EQ(check(optional.in(Float32, {2}).absent().in(Float32, {})), "");
}

TEST(OnnxVersions, ElementTypesAreAdmittedByVersion) {
  OneNode old = OneNode::onnx("Relu", 13);
  EXPECT_NE(check(old.in(Int32, {2})), "");
  OneNode current = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(current.in(Int32, {2})), "");
  OneNode mixed = OneNode::onnx("Add", 14);
  EXPECT_EQ(check(mixed.in(Float32, {2}).in(Int64, {2})),
            "inputs 0 and 1 of Add must have one element type, but are float32 and int64");
  OneNode open = OneNode::onnx("Add", 14);
  EXPECT_EQ(check(open.in(Float32, {2}).in(Type())), "");
}

TEST(OnnxVersions, KindsAreAdmitted) {
  OneNode n = OneNode::onnx("Relu", 14);
  EXPECT_NE(check(n.in(n.of(ValueKind::Sequence, n.tensorType(Float32, {2})))), "");
  OneNode tensor = OneNode::onnx("SequenceLength", 11);
  EXPECT_NE(check(tensor.in(Float32, {2})), "");
  OneNode sequence = OneNode::onnx("SequenceLength", 11);
  EXPECT_EQ(check(sequence.in(sequence.of(ValueKind::Sequence, sequence.tensorType(Float32, {2})))), "");
  OneNode optional = OneNode::onnx("OptionalHasElement", 15);
  EXPECT_EQ(check(optional.in(optional.of(ValueKind::Optional, optional.tensorType(Float32, {2})))), "");
  OneNode map = OneNode::onnx("DictVectorizer", 1, "ai.onnx.ml");
  Type t;
  t.kind = ValueKind::Map;
  EXPECT_EQ(check(map.in(t).ints("int64_vocabulary", {1})), "");
  OneNode relu = OneNode::onnx("Relu", 14);
  EXPECT_NE(check(relu.in(t)), "");
}

TEST(OnnxVersions, AttributesAreThoseOfTheVersion) {
  OneNode extra = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(extra.in(Float32, {2}).attr("alpha", 1)), "Relu has no attribute 'alpha' at version 14");
  OneNode moved = OneNode::onnx("Squeeze", 13);
  EXPECT_NE(check(moved.in(Float32, {1}).ints("axes", {0})), "");
  OneNode before = OneNode::onnx("Squeeze", 11);
  EXPECT_EQ(check(before.in(Float32, {1}).ints("axes", {0})), "");
  OneNode missing = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(missing.in(Float32, {2})), "Concat needs the attribute 'axis'");
  OneNode wrong = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(wrong.in(Float32, {2}).real("axis", 1)),
            "the attribute 'axis' of Concat must be an int, but is a float");
  OneNode hidden = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(hidden.in(Float32, {2}).attr("__note", 1)), "");
}

TEST(OnnxVersions, NewerVersionsAreNotJudged) {
  OneNode n = OneNode::onnx("Relu", 1000);
  EXPECT_EQ(check(n.in(Float32, {2}).attr("alpha", 1)), "");
  OneNode custom = OneNode::onnx("Relu", 1, "com.example");
  EXPECT_EQ(check(custom.attr("alpha", 1)), "");
}

} // namespace

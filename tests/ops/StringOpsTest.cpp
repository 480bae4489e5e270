//===- StringOpsTest.cpp - Operators on text ------------------------------===//
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

TEST(StringOps, ConcatStretches) {
  EXPECT_EQ(OneNode::onnx("StringConcat", 20).in(String, {2, 1}).in(String, {3}).run().type(), "string[2, 3]");
}

TEST(StringOps, SplitAddsAnAxisThatDataDecides) {
  OneNode n = OneNode::onnx("StringSplit", 20);
  n.in(String, {2}).run(2);
  EXPECT_EQ(n.type(1), "int64[2]");
  EXPECT_EQ(n.m.type(n.m.result(n.node, 0)).dims.size(), 2u);
}

TEST(StringOps, NormalizerLeavesStopWordsOut) {
  EXPECT_EQ(OneNode::onnx("StringNormalizer", 10).in(String, {4}).run().type(), "string[4]");
  OneNode n = OneNode::onnx("StringNormalizer", 10);
  n.in(String, {1, 4}).strings("stopwords", {"a"}).run();
  EXPECT_NE(n.type(), "string[1, 4]");
  EXPECT_EQ(n.rejected(), "");
  EXPECT_NE(OneNode::onnx("StringNormalizer", 10).in(String, {2, 4}).run().rejected(), "");
  EXPECT_NE(OneNode::onnx("StringNormalizer", 10).in(String, {1, 2, 4}).run().rejected(), "");
}

TEST(StringOps, MatchAndVectorizer) {
  EXPECT_EQ(OneNode::onnx("RegexFullMatch", 20).in(String, {"n", 2}).run().type(), "bool[n, 2]");
  EXPECT_EQ(OneNode::onnx("TfIdfVectorizer", 9).in(Int64, {5, 10}).ints("ngram_indexes", {0, 6, 2}).run().type(),
            "float32[5, 7]");
  EXPECT_EQ(OneNode::onnx("TfIdfVectorizer", 9).in(Int64, {10}).ints("ngram_indexes", {0}).run().type(), "float32[1]");
}

} // namespace

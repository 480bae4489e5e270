//===- TrainingTest.cpp - Steps of optimisers, and gradients --------------===//
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

constexpr std::string_view domain = "ai.onnx.preview.training";

TEST(Training, StepsYieldTensorsThenState) {
  OneNode n = OneNode::onnx("Adagrad", 1, domain);
  n.in(Float32, {}).in(Int64, {}).in(Float32, {1}).in(Float32, {2}).in(Float32, {1}).in(Float32, {2});
  n.in(Float32, {1}).in(Float32, {2}).run(4);
  EXPECT_EQ(n.rejected(), "");
  EXPECT_EQ(n.type(0) + n.type(1) + n.type(2) + n.type(3), "float32[1]float32[2]float32[1]float32[2]");
  OneNode adam = OneNode::onnx("Adam", 1, domain);
  adam.in(Float32, {}).in(Int64, {}).in(Float32, {1}).in(Float32, {1}).in(Float64, {3}).in(Float64, {4}).run(3);
  EXPECT_EQ(adam.type(0) + adam.type(1) + adam.type(2), "float32[1]float64[3]float64[4]");
}

TEST(Training, ListsHaveOneLength) {
  EXPECT_NE(OneNode::onnx("Momentum", 1, domain).in(Float32, {}).in(Int64, {}).in(Float32, {1}).run(2).rejected(), "");
  OneNode few = OneNode::onnx("Momentum", 1, domain);
  few.in(Float32, {}).in(Int64, {}).in(Float32, {1}).in(Float32, {1}).in(Float32, {1}).run(1);
  EXPECT_NE(few.rejected(), "");
}

TEST(Training, GradientsAreLikeWhatTheyAreTakenBy) {
  OneNode n = OneNode::onnx("Gradient", 1, domain);
  n.in(Float32, {2}).in(Float64, {3}).strings("xs", {"a", "b"}).strings("zs", {}).attr("y", "y").run(2);
  EXPECT_EQ(n.type(0) + n.type(1), "float32[2]float64[3]");
}

} // namespace

//===- PromotionTest.cpp - Which element type a mix has -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/Promotion.h"
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

TEST(Promotion, TypesAsTorchPromotesThem) {
  EXPECT_EQ(promoteTypes(Float32, Float32), Float32);
  EXPECT_EQ(promoteTypes(Bool, UInt8), UInt8);
  EXPECT_EQ(promoteTypes(UInt8, Int8), Int16);
  EXPECT_EQ(promoteTypes(UInt8, Int32), Int32);
  EXPECT_EQ(promoteTypes(Int64, Float16), Float16);
  EXPECT_EQ(promoteTypes(Float16, BFloat16), Float32);
  EXPECT_EQ(promoteTypes(Float16, Complex32), Complex32);
  EXPECT_EQ(promoteTypes(BFloat16, Complex32), Complex64);
  EXPECT_EQ(promoteTypes(Float64, Complex64), Complex128);
  EXPECT_EQ(promoteTypes(Int64, Complex64), Complex64);
  EXPECT_EQ(promoteTypes(UInt16, Float32), Float32);
}

TEST(Promotion, WhatTorchRefusesIsUnknown) {
  EXPECT_EQ(promoteTypes(UInt16, Int64), Unknown);
  EXPECT_EQ(promoteTypes(UInt32, Bool), Unknown);
  EXPECT_EQ(promoteTypes(Float8E4M3FN, Float32), Unknown);
  EXPECT_EQ(promoteTypes(Float8E4M3FN, Float8E4M3FN), Float8E4M3FN);
  EXPECT_EQ(promoteTypes(Unknown, Float32), Unknown);
  EXPECT_EQ(promoteTypes(String, Int64), Unknown);
}

DType mix(std::initializer_list<std::pair<DType, int>> tensors, DType number = Unknown) {
  TypePromotion p; // rank -1: unknown
  for (auto [type, rank] : tensors)
    p.addTensor(type, rank < 0 ? std::nullopt : std::optional<std::size_t>(rank));
  if (number != Unknown)
    p.addNumber(number);
  return p.result();
}

TEST(Promotion, DimensionsOutrankScalarsWithinACategory) {
  EXPECT_EQ(mix({{Float16, 1}, {Float64, 0}}), Float16);
  EXPECT_EQ(mix({{Float16, 0}, {Float64, 0}}), Float64);
  EXPECT_EQ(mix({{Int32, 1}, {Float64, 0}}), Float64);
  EXPECT_EQ(mix({{UInt8, 1}, {Int64, 0}}), UInt8);
  EXPECT_EQ(mix({{Bool, 2}, {UInt8, 0}}), UInt8);
  EXPECT_EQ(mix({{Float16, 2}, {Complex128, 0}}), Complex32);
}

TEST(Promotion, NumbersBringOnlyTheirCategory) {
  EXPECT_EQ(mix({{Float16, 0}}, Float64), Float16);
  EXPECT_EQ(mix({{Int64, 1}}, Float64), Float32);
  EXPECT_EQ(mix({{Int8, 1}}, Int64), Int8);
  EXPECT_EQ(mix({{Bool, 1}}, Int64), Int64);
  EXPECT_EQ(mix({{Float64, 1}}, Complex128), Complex128);
}

TEST(Promotion, AnUnknownRankCountsOnlyWhereItMatters) {
  EXPECT_EQ(mix({{Float32, -1}, {Float32, 2}}), Float32);
  EXPECT_EQ(mix({{Float32, -1}, {Int64, 2}}), Float32);
  EXPECT_EQ(mix({{Float64, -1}, {Float32, 2}}), Unknown);
  EXPECT_EQ(mix({{Unknown, 1}, {Float32, 2}}), Unknown);
}

TEST(Promotion, OnnxWantsOneType) {
  EXPECT_NE(OneNode::onnx("Add", 14).in(Float32, {2}).in(Int64, {2}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("Add", 14).in(Float32, {2}).in(Float32, {2}).run().rejected(), "");
  OneNode unknown = OneNode::onnx("Add", 14);
  unknown.in(unknown.rankless(Unknown)).in(Float32, {2}).run();
  EXPECT_EQ(unknown.rejected(), "");
  EXPECT_EQ(unknown.type(), "float32[...]");
}

} // namespace

//===----------------------------------------------------------------------===//
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

/// What is said of a call, "" where it fits.
std::string refusal(OneNode &n) { return n.run().rejected(); }

TEST(AtenSchema, WhatHasNoDefaultIsGiven) {
  EXPECT_EQ(refusal(OneNode::exported("zero_").reals("unused", {})),
            "the argument 'self' is not given, and has no default");
  EXPECT_EQ(refusal(OneNode::exported("zero_").arg("self", Float32, {3})), "");
  EXPECT_EQ(refusal(OneNode::exported("add", "Tensor").arg("self", Float32, {3})),
            "the argument 'other' is not given, and has no default");
  // `alpha` has one.
  EXPECT_EQ(refusal(OneNode::exported("add", "Tensor").arg("self", Float32, {3}).arg("other", Float32, {3})), "");
  // Graph JSON may leave out what is not known.
  EXPECT_EQ(refusal(OneNode::torch("add", "Tensor").arg("self", Float32, {3})), "");
  // Nothing is known of an operator of somebody else.
  EXPECT_EQ(refusal(OneNode::exported("no_such_operator").reals("unused", {})), "");
}

TEST(AtenSchema, TextIsNoTensorAndNoNumber) {
  EXPECT_EQ(refusal(OneNode::exported("frexp", "Tensor").attr("self", "abc")),
            "the argument 'self' is the string 'abc', expected a tensor");
  EXPECT_EQ(refusal(OneNode::exported("sum", "dim_IntList").arg("self", Float32, {3}).attr("dim", "abc")),
            "the argument 'dim' is the string 'abc', expected a list of integers");
  // A mode of rounding is text.
  EXPECT_EQ(refusal(OneNode::exported("div", "Tensor_mode")
                        .arg("self", Float32, {3})
                        .arg("other", Float32, {3})
                        .attr("rounding_mode", "floor")),
            "");
}

} // namespace

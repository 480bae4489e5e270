//===- OptionalTest.cpp - Values that may be absent -----------------------===//
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

TEST(Optional, WrapsItsInputOrItsDeclaredType) {
  EXPECT_EQ(OneNode::onnx("Optional", 15).in(Float32, {2}).run().type(), "optional<float32[2]>");
  OneNode empty = OneNode::onnx("Optional", 15);
  EXPECT_EQ(empty.typeAttr("type", empty.tensorType(Int64, {5})).run().type(), "optional<int64[5]>");
  OneNode nothing = OneNode::onnx("Optional", 15);
  EXPECT_EQ(nothing.run().type(), "optional<?>");
  EXPECT_NE(nothing.rejected(), "");
}

TEST(Optional, ElementIsWhatIsInside) {
  OneNode inside = OneNode::onnx("OptionalGetElement", 15);
  EXPECT_EQ(inside.in(inside.of(ValueKind::Optional, inside.tensorType(Float32, {"n"}))).run().type(), "float32[n]");
  EXPECT_EQ(OneNode::onnx("OptionalGetElement", 18).in(Float32, {3}).run().type(), "float32[3]");
}

TEST(Optional, PresenceIsKnownWhereTheKindSaysIt) {
  OneNode tensor = OneNode::onnx("OptionalHasElement", 18);
  EXPECT_EQ(tensor.in(Float32, {3}).run().type(), "bool[]");
  EXPECT_EQ(tensor.content(), std::vector<std::int64_t>{1});
  OneNode none = OneNode::onnx("OptionalHasElement", 18);
  EXPECT_EQ(none.run().content(), std::vector<std::int64_t>{0});
  OneNode open = OneNode::onnx("OptionalHasElement", 18);
  EXPECT_TRUE(open.in(open.of(ValueKind::Optional, open.tensorType(Float32, {3}))).run().content().empty());
}

} // namespace

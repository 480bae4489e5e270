//===- SymbolicScalarTest.cpp - Numbers that depend on sizes or data ------===//
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

TEST(SymbolicScalar, AssertionsOfMetadata) {
  const auto asserting = [] {
    return std::move(OneNode::exported("_assert_tensor_metadata").arg("a", Float32, {3, "n"}));
  };
  EXPECT_EQ(asserting().attr("dtype", Float32).run(0).rejected(), "");
  EXPECT_EQ(asserting().attr("dtype", Float64).run(0).rejected(), "asserts float64, but is given float32");
  EXPECT_EQ(asserting().ints("size", {3, 7}).run(0).rejected(), "");
  EXPECT_EQ(asserting().ints("size", {4, 7}).run(0).rejected(), "asserts the shape [4, 7], but is given [3, n]");
}

Type scalar(ValueKind kind) {
  Type t;
  t.kind = kind;
  return t;
}

/// The result of `_operator.NAME(a, b)` on symbols a and b of sizes 2 to 9.
std::string operate(std::string_view name, std::string_view domain = "_operator") {
  OneNode n = OneNode::torch(name, "", domain);
  n.arg("a", scalar(ValueKind::SymInt)).arg("b", scalar(ValueKind::SymInt)).run();
  for (std::size_t i = 0; i < 2; ++i) {
    const Dim content[] = {
        n.m.dims.symbol(i == 0 ? "a" : "b", SymbolOrigin::Declared, i == 0 ? Interval{2, 9} : Interval{10, 20})};
    n.m[n.m.operands(n.node)[i]].content = n.m.addContent(content);
  }
  inferTypes(n.m);
  const Value &v = n.m[n.m.result(n.node, 0)];
  return n.type() + (v.content ? " " + n.m.dims.str(n.m.content(v.content)[0]) : "");
}

TEST(SymbolicScalar, PythonsOperatorsTakeTwo) {
  const auto rejected = [](std::string_view name, std::initializer_list<std::int64_t> arguments) {
    OneNode n = OneNode::torch(name, "", "_operator");
    n.m.info.format = Format::Pt2;
    for (const std::int64_t a : arguments)
      n.attr("", a);
    return n.run().rejected();
  };
  EXPECT_EQ(rejected("le", {1, 2}), "");
  EXPECT_EQ(rejected("le", {1, 2, 3}), "takes 2 arguments, not 3");
  EXPECT_EQ(rejected("add", {1}), "takes 2 arguments, not 1");
  EXPECT_EQ(rejected("neg", {1}), "");
  OneNode tensor = OneNode::torch("neg", "", "_operator");
  tensor.m.info.format = Format::Pt2;
  EXPECT_EQ(tensor.arg("", Float32, {2}).run().rejected(), "takes numbers, not tensors");
}

TEST(SymbolicScalar, Arithmetic) {
  EXPECT_EQ(operate("add"), "sym_int a + b");
  EXPECT_EQ(operate("floordiv"), "sym_int 0");
  EXPECT_EQ(operate("truediv"), "sym_float");
  EXPECT_EQ(operate("sym_max", "torch"), "sym_int b");
}

TEST(SymbolicScalar, ComparisonsThatBoundsDecide) {
  EXPECT_EQ(operate("lt"), "sym_bool 1");
  EXPECT_EQ(operate("ge"), "sym_bool 0");
  EXPECT_EQ(operate("eq"), "sym_bool 0");
}

TEST(SymbolicScalar, FloatsMakeFloats) {
  OneNode n = OneNode::torch("mul", "", "_operator");
  EXPECT_EQ(n.arg("a", scalar(ValueKind::SymInt)).real("b", 2.5).run().type(), "sym_float");
}

TEST(SymbolicScalar, SizesOfTensors) {
  auto size = [](std::string_view name, std::string_view overload, int dim) {
    OneNode n = OneNode::torch(name, overload);
    n.arg("self", Float32, {2, "s0", 4});
    if (!overload.empty() && overload == "int")
      n.attr("dim", dim);
    n.run();
    const Value &v = n.m[n.m.result(n.node, 0)];
    return v.content ? n.m.dims.str(n.m.content(v.content)[0]) : "?";
  };
  EXPECT_EQ(size("sym_size", "int", -2), "s0");
  EXPECT_EQ(size("sym_size", "int", 5), "?");
  EXPECT_EQ(size("sym_numel", "default", 0), "8*s0");
}

TEST(SymbolicScalar, ItemIsWhatTheElementIs) {
  auto item = [](DType t) { return OneNode::torch("item").arg("self", t, {}).run().type(); };
  EXPECT_EQ(item(Bool), "sym_bool");
  EXPECT_EQ(item(Int32), "sym_int");
  EXPECT_EQ(item(Float16), "sym_float");
  EXPECT_EQ(item(Unknown), "unknown");
}

TEST(SymbolicScalar, ItemOfIntegersIsANewSymbol) {
  OneNode n = OneNode::torch("item");
  n.arg("self", Int64, {}).run();
  const Value &v = n.m[n.m.result(n.node, 0)];
  ASSERT_TRUE(v.content);
  EXPECT_TRUE(n.m.dims.mentions(n.m.content(v.content)[0], SymbolOrigin::Unbacked));
  EXPECT_TRUE(effectsOf(n.m, n.node).hostSync);
}

TEST(SymbolicScalar, AssertionsAreKnownAndMakeNothing) {
  OneNode n = OneNode::torch("_assert_scalar");
  n.arg("self", scalar(ValueKind::SymBool)).attr("assert_msg", "no").run(0);
  EXPECT_TRUE(n.typed());
}

} // namespace

//===- AtenTypesTest.cpp - What torch refuses by types and ranks --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What torch refuses by element types, ranks and sizes alone, each beside what it takes.
//
//===----------------------------------------------------------------------===//
#include "ops/AtenTypes.h"
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

using Sizes = std::vector<OneNode::Size>;

std::string refusal(OneNode &n) { return n.run().rejected(); }
std::string refusal(OneNode &&n) { return n.run().rejected(); }

/// The operator \p name of \p self and a tensor \p other.
OneNode pair(std::string_view name, DType self, DType other, const Sizes &size = {3}, const Sizes &otherSize = {3}) {
  OneNode n = OneNode::exported(name, "Tensor");
  n.arg("self", self, size).arg("other", other, otherSize);
  return n;
}

TEST(AtenTypes, MasksAreBool) {
  const auto fill = [](DType mask) {
    OneNode n = OneNode::exported("masked_fill", "Scalar");
    n.arg("self", Float32, {3}).arg("mask", mask, {3}).real("value", 0);
    return refusal(n);
  };
  EXPECT_EQ(fill(Bool), "");
  EXPECT_EQ(fill(Int64), "'mask' is int64, but must be bool");
  EXPECT_EQ(fill(Unknown), "");
  const auto where = [](DType condition) {
    OneNode n = OneNode::exported("where", "self");
    n.arg("condition", condition, {3}).arg("self", Float32, {3}).arg("other", Float32, {3});
    return refusal(n);
  };
  EXPECT_EQ(where(UInt8), ""); // with a warning
  EXPECT_EQ(where(Float32), "'condition' is float32, but must be bool or uint8");
}

TEST(AtenTypes, PlacesAndWhatIsPutThere) {
  const auto scatter = [](DType index, DType source, const Sizes &size = {3, 4}) {
    OneNode n = OneNode::exported("scatter", "src");
    n.arg("self", Float32, {3, 4}).attr("dim", 1).arg("index", index, size).arg("src", source, {3, 4});
    return refusal(n);
  };
  EXPECT_EQ(scatter(Int64, Float32), "");
  EXPECT_EQ(scatter(Int32, Float32), "");
  EXPECT_EQ(scatter(UInt8, Float32), "'index' is uint8, but must be int32 or int64");
  EXPECT_EQ(scatter(UInt8, Float32, {0, 4}), ""); // nobody looks at it
  EXPECT_EQ(scatter(Int64, Float64), "'self' is float32 and 'src' is float64, but must be of one type");
  // Nothing is asked of the other operators that have such parameters.
  OneNode put = OneNode::exported("index_put");
  EXPECT_EQ(refusal(put.arg("self", Float32, {3}).args("indices", {}).arg("values", Float32, {})), "");
}

TEST(AtenTypes, IndicesFitInside) {
  const auto add = [](Sizes self, Sizes index, Sizes source) {
    OneNode n = OneNode::exported("scatter_add");
    n.arg("self", Float32, std::move(self)).attr("dim", 1).arg("index", Int64, std::move(index));
    return refusal(n.arg("src", Float32, std::move(source)));
  };
  EXPECT_EQ(add({3, 4}, {3, 6}, {3, 6}), ""); // along the axis there may be more
  EXPECT_EQ(add({3, 4}, {2, 2}, {3, 4}), "");
  EXPECT_EQ(add({3, 4}, {"n", 2}, {3, 4}), "");
  EXPECT_EQ(add({3, 4}, {0, 9}, {2, 1}), "");
  EXPECT_EQ(add({3, 4}, {4, 2}, {4, 6}), "scatter_add: the index has 4 in axis 0, the operand 3");
  EXPECT_EQ(add({3, 4}, {3, 4}, {3, 2}), "scatter_add: the index has 4 in axis 1, the source 2");
  const auto copy = [](Sizes index, Sizes source) {
    OneNode n = OneNode::exported("index_copy");
    n.arg("self", Float32, {3, 4}).attr("dim", 0).arg("index", Int64, std::move(index));
    return refusal(n.arg("source", Float32, std::move(source)));
  };
  EXPECT_EQ(copy({2}, {2, 4}), "");
  EXPECT_EQ(copy({}, {1, 4}), "");
  EXPECT_EQ(copy({"n"}, {2, 4}), "");
  EXPECT_EQ(copy({2}, {3, 4}), "index_copy: the numbers of indices and of values differ: 2 and 3");
  EXPECT_EQ(copy({2, 2}, {4, 4}), "index_copy: the index has rank 2, expected 1");
}

TEST(AtenTypes, ResultsAreStoredInPlace) {
  EXPECT_EQ(refusal(pair("add_", Float32, Int64)), "");
  EXPECT_EQ(refusal(pair("add_", Int32, Int64)), "");
  EXPECT_EQ(refusal(pair("add", Int64, Float32)), "");
  EXPECT_EQ(refusal(pair("add_", Int64, Float32)),
            "add_: the result is float32, which is not stored in a tensor of int64");
  EXPECT_EQ(refusal(pair("add_", Int64, Float32, {3}, {})),
            "add_: the result is float32, which is not stored in a tensor of int64");
  EXPECT_NE(refusal(pair("div_", Int64, Int64)), "");
  EXPECT_EQ(refusal(pair("lt_", Float32, Float32)), "");
  OneNode half = OneNode::exported("mul_", "Tensor");
  EXPECT_NE(refusal(half.arg("self", Int64, {3}).real("other", 1.5)), "");
  OneNode twice = OneNode::exported("mul_", "Tensor");
  EXPECT_EQ(refusal(twice.arg("self", Int64, {3}).attr("other", 2)), "");
  EXPECT_EQ(refusal(pair("add_", Float32, Float32, {3, 4}, {4})), "");
  EXPECT_EQ(refusal(pair("add_", Float32, Float32, {4}, {"n"})), "");
  EXPECT_EQ(refusal(pair("add_", Float32, Float32, {4}, {3, 4})),
            "add_: the result has the shape [3, 4], which does not fit into [4]");
  EXPECT_NE(refusal(pair("mul_", Float32, Float32, {1}, {4})), "");
}

TEST(AtenTypes, WhatIsCopiedFits) {
  const auto copy = [](Sizes into, Sizes from) {
    OneNode n = OneNode::exported("copy_"); // of whatever type
    return refusal(n.arg("self", Int64, into).arg("src", Float32, from));
  };
  EXPECT_EQ(copy({3, 4}, {4}), "");
  EXPECT_EQ(copy({3, 4}, {1, 4}), "");
  EXPECT_EQ(copy({3, "n"}, {4}), "");
  EXPECT_EQ(copy({4}, {"n"}), "");
  EXPECT_EQ(copy({4}, {3, 4}), "copy_: what is copied has the shape [3, 4], which does not fit into [4]");
  EXPECT_NE(copy({4}, {1, 4}), "");
  EXPECT_NE(copy({1}, {4}), "");
  EXPECT_NE(copy({4}, {3}), "");
}

TEST(AtenTypes, BoolsHaveNoDifference) {
  EXPECT_NE(refusal(pair("sub", Bool, Bool)), "");
  EXPECT_EQ(refusal(pair("sub", Int64, Int64)), "");
  EXPECT_EQ(refusal(OneNode::exported("neg").arg("self", Bool, {3})), "'self' is bool, but must be any type but bool");
  EXPECT_EQ(refusal(OneNode::exported("neg").arg("self", UInt8, {3})), "");
}

TEST(AtenTypes, ABoolIsNotSubtractedFromANumber) {
  EXPECT_EQ(refusal(pair("sub", Float32, Bool)), "'other' is bool, but must be any type but bool");
  EXPECT_NE(refusal(OneNode::exported("rsub", "Scalar").arg("self", Bool, {3}).attr("other", 1)), "");
  EXPECT_EQ(refusal(pair("add", Float32, Bool)), "");
}

TEST(AtenTypes, BitsAreOfIntegersAndBools) {
  for (const char *name : {"bitwise_and", "bitwise_or", "bitwise_xor"}) {
    EXPECT_EQ(refusal(pair(name, Bool, Bool)), "") << name;
    EXPECT_EQ(refusal(pair(name, Int64, Bool)), "") << name;
    EXPECT_EQ(refusal(pair(name, Float32, Bool)), "'self' is float32, but must be an integer type or bool") << name;
    EXPECT_NE(refusal(pair(name, Bool, Complex64)), "") << name;
  }
  EXPECT_EQ(refusal(OneNode::exported("bitwise_not").arg("self", UInt8, {3})), "");
  EXPECT_NE(refusal(OneNode::exported("bitwise_not").arg("self", Float16, {3})), "");
  EXPECT_NE(refusal(pair("bitwise_left_shift", Int32, Float32)), "");
  const auto number = [](auto set) {
    OneNode n = OneNode::exported("bitwise_and", "Scalar");
    n.arg("self", Int64, {3});
    set(n);
    return refusal(n);
  };
  EXPECT_EQ(number([](OneNode &n) { n.attr("other", 1); }), "");
  EXPECT_EQ(number([](OneNode &n) { n.real("other", 1.5); }),
            "bitwise_and: the operands make float32, which it does not take");
}

TEST(AtenTypes, ComplexNumbersHaveNoOrder) {
  for (const char *name : {"floor", "ceil", "trunc", "sign", "relu", "argmax", "argmin", "signbit"}) {
    EXPECT_EQ(refusal(OneNode::exported(name).arg("self", Float32, {3})), "") << name;
    EXPECT_NE(refusal(OneNode::exported(name).arg("self", Complex64, {3})), "") << name;
  }
  EXPECT_NE(refusal(OneNode::exported("maximum").arg("self", Complex64, {3}).arg("other", Float32, {3})), "");
  EXPECT_NE(refusal(OneNode::exported("clamp").arg("self", Complex64, {3}).attr("min", 0)), "");
  EXPECT_EQ(refusal(OneNode::exported("round").arg("self", Float32, {3})), "");
}

TEST(AtenTypes, SomeTakeNoBoolsAndNoIntegers) {
  for (const char *name : {"relu", "argmax"}) {
    EXPECT_EQ(refusal(OneNode::exported(name).arg("self", Int64, {3})), "") << name;
    EXPECT_NE(refusal(OneNode::exported(name).arg("self", Bool, {3})), "") << name;
  }
  for (const char *name : {"std", "var"}) {
    EXPECT_EQ(refusal(OneNode::exported(name).arg("self", Complex64, {3})), "") << name;
    EXPECT_NE(refusal(OneNode::exported(name).arg("self", Int64, {3})), "") << name;
  }
}

TEST(AtenTypes, WeightsOfOneElementAreOfAnyType) {
  const auto lerp = [](DType end, DType weight, Sizes weights) {
    OneNode n = OneNode::exported("lerp", "Tensor");
    n.arg("self", Float32, {3}).arg("end", end, {3}).arg("weight", weight, std::move(weights));
    return refusal(n);
  };
  EXPECT_EQ(lerp(Float32, Float32, {3}), "");
  EXPECT_EQ(lerp(Float32, Float64, {}), "");
  EXPECT_NE(lerp(Float32, Float64, {3}), "");
  EXPECT_NE(lerp(Float64, Float32, {3}), "");
}

TEST(AtenTypes, ProductsOfANumberPromote) {
  const auto inner = [](DType a, DType b, Sizes size) {
    OneNode n = OneNode::exported("inner");
    n.arg("self", a, {3}).arg("other", b, std::move(size)).run();
    return n;
  };
  EXPECT_NE(inner(Float32, Int64, {3}).rejected(), "");
  EXPECT_EQ(inner(Int64, Float32, {}).rejected(), "");
  EXPECT_EQ(inner(Int64, Float32, {}).type(), "float32[3]");
}

TEST(AtenTypes, ASumMayBeOfAWiderType) {
  const auto product = [](std::string_view overload) {
    OneNode n = OneNode::torch("baddbmm", overload);
    n.arg("self", Float32, {2, 3, 3}).arg("batch1", BFloat16, {2, 3, 4}).arg("batch2", BFloat16, {2, 4, 3});
    return overload == "dtype" ? refusal(n.attr("out_dtype", Float32)) : refusal(n);
  };
  EXPECT_EQ(product("dtype"), "");
  EXPECT_EQ(product("default"), "'self' is float32 and 'batch1' is bfloat16, but must be of one type");
}

TEST(AtenTypes, PaddingsThatFit) {
  const auto pad = [](std::string_view mode, std::vector<std::int64_t> by, Sizes size = {3, 4}) {
    OneNode n = OneNode::exported("pad");
    n.arg("self", Float32, std::move(size)).ints("pad", std::move(by)).attr("mode", mode);
    return refusal(n);
  };
  EXPECT_EQ(pad("reflect", {3, 3}), "");
  EXPECT_EQ(pad("reflect", {4, 0}, {3, "n"}), "");
  EXPECT_EQ(pad("reflect", {4, 0}), "pad: a reflected padding of 4 does not fit a size of 4");
  EXPECT_EQ(pad("circular", {4, 4}), "");
  EXPECT_NE(pad("circular", {5, 0}), "");
  EXPECT_EQ(pad("replicate", {9, 9}), "");
  EXPECT_EQ(pad("constant", {-2, -2}), "");
  EXPECT_EQ(pad("constant", {-3, -3}), "pad: a size of 4 becomes -2, less than none");
  EXPECT_EQ(pad("constant", {-5, 1}), "pad: what is cut off of a size of 4 is more than that");
  EXPECT_EQ(pad("constant", {-4, 1}), "");
  EXPECT_EQ(pad("constant", {-5, 1}, {3, "n"}), "");
}

TEST(AtenTypes, MatricesVectorsAndPieces) {
  EXPECT_EQ(refusal(OneNode::exported("tril").arg("self", Float32, {4, 4})), "");
  EXPECT_NE(refusal(OneNode::exported("tril").arg("self", Float32, {4})), "");
  const auto cross = [](OneNode::Size size) {
    return refusal(OneNode::exported("linalg_cross").arg("self", Float32, {2, size}).arg("other", Float32, {2, size}));
  };
  EXPECT_EQ(cross(3), "");
  EXPECT_EQ(cross("n"), "");
  EXPECT_NE(cross(4), "");
  const auto unfold = [](int size) {
    OneNode n = OneNode::exported("unfold");
    n.arg("self", Float32, {3, 4}).attr("dimension", 1).attr("size", size).attr("step", 1);
    return refusal(n);
  };
  EXPECT_EQ(unfold(4), "");
  EXPECT_EQ(unfold(9), "unfold: pieces of 9 are longer than the axis, which has 4");
  EXPECT_NE(refusal(OneNode::exported("clamp").arg("self", Float32, {4})), "");
  EXPECT_EQ(refusal(OneNode::exported("clamp").arg("self", Float32, {4}).real("max", 1)), "");
}

TEST(AtenTypes, WhatUndoesAPoolHasAPlaceForEachElement) {
  const auto undo = [](DType type, Sizes indices) {
    OneNode n = OneNode::exported("max_unpool2d");
    n.arg("self", Float32, {1, "n", 2, 3}).arg("indices", type, std::move(indices)).ints("output_size", {4, 6});
    return refusal(n);
  };
  EXPECT_EQ(undo(Int64, {1, "n", 2, 3}), "");
  EXPECT_EQ(undo(Int64, {1, "k", 2, 3}), "");
  EXPECT_EQ(undo(Int64, {1, "n", 2, 2}),
            "'self' is [1, n, 2, 3] and 'indices' is [1, n, 2, 2], but must have one shape");
  EXPECT_EQ(undo(Int64, {"n", 2, 3}), "'self' is [1, n, 2, 3] and 'indices' is [n, 2, 3], but must have one shape");
  EXPECT_EQ(undo(Float32, {1, "n", 2, 3}), "'indices' is float32, but must be int64");
}

TEST(AtenTypes, CanCast) {
  EXPECT_TRUE(canCast(Float64, Float16));
  EXPECT_TRUE(canCast(Bool, Int8));
  EXPECT_TRUE(canCast(Float32, Complex64));
  EXPECT_FALSE(canCast(Complex64, Float64));
  EXPECT_FALSE(canCast(Float16, Int64));
  EXPECT_FALSE(canCast(UInt8, Bool));
}

} // namespace

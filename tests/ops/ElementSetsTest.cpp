//===- ElementSetsTest.cpp - Which element types a result may have ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element types an operator may yield of operands of unknown type, as torch
// 2.13 does it.
//
//===----------------------------------------------------------------------===//
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;

namespace {

constexpr DTypeSet floats = DTypeSet::floating();
constexpr DTypeSet complexes = DTypeSet::complex();
constexpr DTypeSet wholes = DTypeSet::integral();
constexpr DTypeSet anything = DTypeSet::all() - DTypeSet{DType::String};

OneNode source(std::string_view name, std::string_view overload = "default") { return OneNode::source(name, overload); }
Type unknown() {
  Type t;
  t.kind = ValueKind::Tensor;
  return t;
}
Type among(DTypeSet elements) {
  Type t = unknown();
  t.restrict(elements);
  return t;
}
DTypeSet yields(OneNode &n) { return n.run().resultType().possible(); }
DTypeSet ofSelf(std::string_view name, const Type &self = unknown()) { return yields(source(name).arg("self", self)); }

TEST(ElementSets, AreSmallSets) {
  static_assert(DTypeSet().empty() && DTypeSet{DType::Bool}.only() == DType::Bool);
  static_assert((floats & wholes).empty() && floats.disjoint(complexes) && !floats.disjoint(anything));
  static_assert(DTypeSet::all().size() == 27 && DTypeSet{DType::Unknown}.empty());
  static_assert((DTypeSet{DType::Bool, DType::Int8} - DTypeSet{DType::Bool}).only() == DType::Int8);
  Type t = among({DType::Int32, DType::Int64});
  EXPECT_EQ(t.element, DType::Unknown);
  EXPECT_FALSE(t.possible().contains(DType::Bool));
  t.restrict(floats); // contradicts: nothing changes
  EXPECT_EQ(t.possible(), (DTypeSet{DType::Int32, DType::Int64}));
  t.restrict({DType::Int64, DType::Float32});
  EXPECT_EQ(t.element, DType::Int64);
  EXPECT_TRUE(t.elements.empty());
}

TEST(ElementSets, WhatComputesOneKindYieldsNoOther) {
  // lcm, as gcd, of whole numbers alone; measured with torch 2.13.
  for (const char *op : {"lcm", "gcd"})
    EXPECT_TRUE(yields(source(op).arg("self", unknown()).arg("other", among({DType::Int64}))).disjoint(floats)) << op;
  for (const char *op : {"matrix_exp", "gelu", "dropout"})
    EXPECT_TRUE(ofSelf(op).disjoint(wholes)) << op;
  EXPECT_FALSE(ofSelf("abs").disjoint(wholes));
}

TEST(ElementSets, ATableKeepsThem) {
  TypeTable types;
  const Type a = among(floats);
  EXPECT_EQ(types.intern(a), types.intern(a));
  EXPECT_NE(types.intern(a), types.intern(unknown()));
  EXPECT_EQ(types[types.intern(a)].possible(), floats);
  Type known = a;
  known.element = DType::Float32; // the set says nothing more
  EXPECT_TRUE(types[types.intern(known)].elements.empty());
  Type all = unknown();
  all.elements = DTypeSet::all();
  EXPECT_EQ(types.intern(all), types.intern(unknown()));
}

TEST(ElementSets, FloatingFunctions) {
  for (const char *op : {"cos", "exp", "sigmoid", "sqrt", "log1p", "tanh", "atan", "rsqrt", "sinc"})
    EXPECT_EQ(ofSelf(op), floats | complexes) << op;
  EXPECT_EQ(ofSelf("angle"), floats);
  EXPECT_EQ(ofSelf("cos", among(wholes)), DTypeSet{DType::Float32});
  EXPECT_EQ(ofSelf("cos", among({DType::Float16, DType::Float64})), (DTypeSet{DType::Float16, DType::Float64}));
  for (const char *op : {"abs", "neg", "clone", "round", "relu", "nan_to_num"})
    EXPECT_EQ(ofSelf(op) & wholes, wholes) << op;
}

TEST(ElementSets, OperatorsThatRefuseIntegers) {
  for (const char *op : {"gelu", "silu", "leaky_relu", "hardswish", "mean", "std", "var", "norm", "linalg_vector_norm"})
    EXPECT_TRUE(ofSelf(op).disjoint(wholes | DTypeSet{DType::Bool})) << op;
  for (const char *op : {"softmax", "log_softmax", "logcumsumexp"})
    EXPECT_TRUE(yields(source(op, "int").arg("self", unknown()).attr("dim", -1)).disjoint(wholes)) << op;
  EXPECT_EQ(yields(source("softmax", "int").arg("self", unknown()).attr("dim", -1).attr("dtype", DType::Float64)),
            DTypeSet{DType::Float64});
}

TEST(ElementSets, OperatorsThatTakeIntegersAlone) {
  EXPECT_EQ(ofSelf("bitwise_not"), wholes | DTypeSet{DType::Bool});
  EXPECT_TRUE(yields(source("bitwise_and", "Scalar").arg("self", unknown()).attr("other", 1)).disjoint(floats));
}

TEST(ElementSets, Reductions) {
  EXPECT_EQ(ofSelf("sum"), (floats | complexes | DTypeSet{DType::Int64}));
  EXPECT_EQ(ofSelf("cumsum"), (floats | complexes | DTypeSet{DType::Int64}));
  EXPECT_EQ(ofSelf("any"), (DTypeSet{DType::Bool, DType::UInt8}));
  EXPECT_EQ(ofSelf("all", among(floats)), DTypeSet{DType::Bool});
  EXPECT_EQ(ofSelf("argmax"), DTypeSet{DType::Int64});
  EXPECT_EQ(ofSelf("isnan"), DTypeSet{DType::Bool});
}

TEST(ElementSets, Promotion) {
  const auto times = [](const Type &self) {
    OneNode n = source("mul", "Tensor");
    n.arg("self", self);
    return n;
  };
  EXPECT_EQ(yields(times(unknown()).real("other", 2.5)), floats | complexes);
  EXPECT_TRUE(yields(times(unknown()).attr("other", 2)).contains(DType::Int8));
  EXPECT_FALSE(yields(times(unknown()).attr("other", 2)).contains(DType::Bool)); // bool * 2 is int64
  EXPECT_EQ(yields(times(among(wholes)).arg("other", among(floats))), floats);
  EXPECT_EQ(yields(times(unknown()).arg("other", unknown())), DTypeSet::all());
  // True division.
  EXPECT_TRUE(yields(source("div", "Tensor").arg("self", unknown()).arg("other", unknown())).disjoint(wholes));
  EXPECT_TRUE(yields(source("div", "Tensor").arg("self", unknown()).attr("other", 2)).disjoint(wholes));
  EXPECT_TRUE(
      yields(source("div", "Tensor_mode").arg("self", unknown()).attr("other", 2).attr("rounding_mode", "floor"))
          .contains(DType::Int64));
  // The rank decides which of two floats wins; one of them does.
  EXPECT_EQ(yields(times(among({DType::Float64})).arg("other", among({DType::Float32}))),
            (DTypeSet{DType::Float32, DType::Float64}));
  EXPECT_EQ(yields(source("where", "self")
                       .arg("condition", unknown())
                       .arg("self", among(floats))
                       .arg("other", among({DType::Float32, DType::Float64})))
                .disjoint(wholes),
            true);
}

TEST(ElementSets, TheSameValueTwiceIsOneType) {
  EXPECT_EQ(yields(source("mul", "Tensor").arg("self", among({DType::Int32, DType::Float32})).again("other")),
            (DTypeSet{DType::Int32, DType::Float32}));
}

TEST(ElementSets, ArgumentsThatAreNotKnown) {
  // The axis: the shape is unknown, the element type is not.
  OneNode sum = source("sum", "dim_IntList");
  sum.arg("self", among(floats)).opaque("dim").run();
  EXPECT_FALSE(sum.resultType().hasRank);
  EXPECT_EQ(sum.resultType().possible(), floats);
  // The type itself.
  EXPECT_EQ(yields(source("to", "dtype").arg("self", unknown()).opaque("dtype")), DTypeSet::all());
  EXPECT_EQ(yields(source("zeros").ints("size", {2}).opaque("dtype")), DTypeSet::all());
  EXPECT_EQ(yields(source("zeros").ints("size", {2})), DTypeSet{DType::Float32});
  // A file's arguments are what they are.
  EXPECT_EQ(OneNode::torch("zeros").ints("size", {2}).opaque("dtype").run().resultType().element, DType::Float32);
}

TEST(ElementSets, FilesAreNotTried) {
  EXPECT_EQ(OneNode::torch("cos").arg("self", unknown()).run().resultType().possible(), DTypeSet::all());
}

TEST(ElementSets, NewTensorsOfUnknownOrder) {
  OneNode n = source("exp");
  Type x = n.tensorType(DType::Float32, {8, 4});
  x.layout = Layout::Strided;
  const Type t = n.arg("self", x).run().resultType();
  ASSERT_TRUE(t.hasStrides);
  EXPECT_EQ(n.m.dims.boundsOf(t.strides[0]).min, 1);
  EXPECT_FALSE(n.m.dims.asConstant(t.strides[1]));
  OneNode vector = source("exp");
  Type v = vector.tensorType(DType::Float32, {8});
  v.layout = Layout::Strided;
  EXPECT_TRUE(vector.m.dims.isConstant(vector.arg("self", v).run().resultType().strides[0], 1));
}

} // namespace

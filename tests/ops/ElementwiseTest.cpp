//===- ElementwiseTest.cpp - Elementwise operators ------------------------===//
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

OneNode binary(std::string_view name, std::int32_t version, std::vector<OneNode::Size> a,
               std::vector<OneNode::Size> b) {
  OneNode n = OneNode::onnx(name, version);
  n.in(Float32, std::move(a)).in(Float32, std::move(b)).run();
  return n;
}

TEST(Elementwise, NumbersAloneMakeATensorWithoutAxes) {
  EXPECT_EQ(OneNode::torch("sub", "Tensor").real("self", 0.5).attr("other", 1).run().type(), "float32[]");
  EXPECT_EQ(OneNode::torch("mul", "Tensor").attr("self", 2).attr("other", 3).run().type(), "int64[]");
  EXPECT_EQ(OneNode::torch("div", "Tensor").attr("self", 2).attr("other", 3).run().type(), "float32[]");
  EXPECT_EQ(OneNode::torch("sub", "Tensor").arg("self", Float32, {3}).attr("other", 1).run().type(), "float32[3]");
  EXPECT_EQ(OneNode::torch("sub", "Tensor").real("self", 0.5).opaque("other").run().resultType().rank(), std::nullopt);
}

TEST(Elementwise, ArgumentsAreFoundByNameWhateverTheirOrder) {
  EXPECT_EQ(OneNode::torch("masked_fill", "Scalar")
                .attr("value", 0)
                .arg("mask", DType::Bool, {4, 1})
                .arg("self", DType::Float32, {3})
                .run()
                .type(),
            "float32[4, 3]");
}

TEST(Elementwise, OperandsAreInTheOrderOfTheSchemaWhateverTheFiles) {
  for (const bool exported : {false, true}) {
    const auto node = [&](std::string_view name, std::string_view overload) {
      return exported ? OneNode::exported(name, overload) : OneNode::torch(name, overload);
    };
    EXPECT_EQ(node("lerp", "Scalar")
                  .real("weight", 0.5)
                  .arg("end", DType::Float32, {3})
                  .arg("self", DType::Float32, {4, 1})
                  .run()
                  .type(),
              "float32[4, 3]");
    EXPECT_EQ(node("where", "self")
                  .arg("other", DType::Float32, {3})
                  .arg("self", DType::Float32, {4, 1})
                  .arg("condition", DType::Bool, {1})
                  .run()
                  .type(),
              "float32[4, 3]");
    EXPECT_EQ(node("addmm", "default")
                  .arg("mat2", DType::Float32, {3, 5})
                  .arg("mat1", DType::Float32, {2, 3})
                  .arg("self", DType::Float32, {5})
                  .run()
                  .type(),
              "float32[2, 5]");
  }
}

TEST(Elementwise, OnnxBroadcasts) {
  EXPECT_EQ(binary("Add", 14, {"N", 1, 4}, {3, 1}).type(), "float32[N, 3, 4]");
  EXPECT_EQ(binary("Add", 14, {"N"}, {"M"}).type(), "float32[?]");
  EXPECT_EQ(binary("Less", 13, {"N", 3}, {}).type(), "bool[N, 3]");
  EXPECT_NE(binary("Mul", 14, {2, 3}, {4}).rejected(), "");
  EXPECT_EQ(binary("Mul", 14, {2, "N"}, {4}).rejected(), "");
}

TEST(Elementwise, OnnxOldOpsetsStretchOnlyTheSecond) {
  OneNode n = OneNode::onnx("Add", 6);
  n.in(Float32, {2, 3, 4}).in(Float32, {3}).attr("broadcast", 1).attr("axis", 1).run();
  EXPECT_EQ(n.type(), "float32[2, 3, 4]");
  EXPECT_EQ(n.rejected(), "");
}

TEST(Elementwise, OnnxTypes) {
  EXPECT_EQ(OneNode::onnx("Pow", 15).in(Float32, {2}).in(Int64, {}).run().type(), "float32[2]");
  EXPECT_EQ(OneNode::onnx("IsNaN", 20).in(Float16, {"N"}).run().type(), "bool[N]");
  EXPECT_EQ(OneNode::onnx("Cast", 19).in(Float32, {"N"}).attr("to", 7).run().type(), "int64[N]");
  EXPECT_EQ(OneNode::onnx("Cast", 1).in(Float32, {"N"}).attr("to", "DOUBLE").run().type(), "float64[N]");
  EXPECT_EQ(OneNode::onnx("CastLike", 19).in(Float32, {2}).in(Bool, {}).run().type(), "bool[2]");
  EXPECT_NE(OneNode::onnx("BitCast", 26).in(Float32, {2}).attr("to", 7).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("BitCast", 26).in(Float32, {2}).attr("to", 6).run().type(), "int32[2]");
  EXPECT_NE(OneNode::onnx("Where", 16).in(Int64, {2}).in(Float32, {2}).in(Float32, {2}).run().rejected(), "");
}

TEST(Elementwise, OnnxIdentityPassesAnything) {
  OneNode n = OneNode::onnx("Identity", 16);
  n.in(n.of(ValueKind::Sequence, n.tensorType(Float32, {2}))).run();
  EXPECT_EQ(n.type(), "sequence<float32[2]>");
}

std::vector<std::int64_t> folded(std::string_view name, std::vector<int> a, std::vector<int> b) {
  return OneNode::onnx(name, 13).numbers(std::move(a)).numbers(std::move(b), false).run().content();
}
using Numbers = std::vector<std::int64_t>;

TEST(Elementwise, OnnxFoldsShapeArithmetic) {
  EXPECT_EQ(folded("Add", {1, 2}, {10}), (Numbers{11, 12}));
  EXPECT_EQ(folded("Div", {7, -7}, {2}), (Numbers{3, -3}));
  EXPECT_EQ(folded("Mod", {7, -7}, {3}), (Numbers{1, 2}));
  EXPECT_EQ(folded("Equal", {1, -1}, {-1}), (Numbers{0, 1}));
  EXPECT_EQ(folded("Max", {1, 5}, {3}), (Numbers{3, 5}));
  EXPECT_EQ(folded("Pow", {2, 3}, {3}), (Numbers{8, 27}));
  EXPECT_EQ(OneNode::onnx("Neg", 13).numbers({4}).run().content(), (Numbers{-4}));
  EXPECT_EQ(OneNode::onnx("Cast", 13).numbers({300, 7}).attr("to", 3).run().content(), (Numbers{-999, 7}));
  EXPECT_EQ(OneNode::onnx("Where", 16).numbers({1, 0}).numbers({5, 6}).numbers({7}).run().content(), (Numbers{5, 7}));
}

TEST(Elementwise, FoldingStopsWhereItIsNotDecided) {
  EXPECT_EQ(folded("Div", {7}, {0}), Numbers());
  EXPECT_EQ(folded("Pow", {2}, {-1}), Numbers());
  EXPECT_EQ(OneNode::onnx("Add", 14).numbers({1}).in(Int64, {1}).run().content(), Numbers());
  EXPECT_EQ(OneNode::onnx("Add", 14).numbers(std::vector<int>(65, 1)).numbers({1}).run().content(), Numbers());
}

TEST(Elementwise, TorchInPlaceKeepsItsType) {
  OneNode n = OneNode::torch("add_", "Tensor");
  n.arg("self", Float32, {2, 3}).arg("other", Float64, {3}).run();
  EXPECT_EQ(n.type(), "float32[2, 3]");
  OneNode iand = OneNode::torch("__iand__", "Tensor");
  iand.arg("self", Bool, {2}).arg("other", Bool, {}).run();
  EXPECT_EQ(iand.type(), "bool[2]");
}

TEST(Elementwise, TorchOutDecidesTheType) {
  OneNode n = OneNode::torch("sin", "out");
  n.arg("self", Float32, {2, "s0"}).arg("out", Float64, {1}).run();
  EXPECT_EQ(n.type(), "float64[2, s0]");
}

TEST(Elementwise, TorchScalarTensorsTravelBetweenDevices) {
  auto device = [](std::vector<OneNode::Size> shape) {
    OneNode n = OneNode::torch("add", "Tensor");
    Type gpu = n.tensorType(Float32, {2}), cpu = n.tensorType(Float32, std::move(shape));
    gpu.device = n.m.strings.intern("cuda");
    gpu.deviceIndex = 0;
    cpu.device = n.m.strings.intern("cpu");
    n.arg("self", cpu).arg("other", gpu).run();
    return std::string(n.m.text(n.m.type(n.m.result(n.node, 0)).device));
  };
  EXPECT_EQ(device({}), "cuda");
  EXPECT_EQ(device({1}), "");
}

TEST(Elementwise, TorchRejectsShapesThatNeverFit) {
  EXPECT_NE(OneNode::torch("mul", "Tensor").arg("self", Float32, {2}).arg("other", Float32, {3}).run().rejected(), "");
  EXPECT_EQ(OneNode::torch("mul", "Tensor").arg("self", Float32, {-1}).arg("other", Float32, {3}).run().type(),
            "float32[3]");
}

TEST(Elementwise, DefaultDtypeOfTheExporterIsBelieved) {
  auto sine = [](DType recorded) {
    OneNode n = OneNode::torch("sin");
    n.arg("self", Int64, {2}).run();
    n.m[n.m.result(n.node, 0)].recorded = n.m.types.intern(n.tensorType(recorded, {2}));
    const Inference again = inferTypes(n.m);
    return again.contradictions.empty();
  };
  EXPECT_TRUE(sine(Float32));
  EXPECT_TRUE(sine(Float64));
  EXPECT_FALSE(sine(Int64));
}

TEST(Elementwise, NumbersOfAMissingOperandAreNotRead) {
  for (std::string_view name : {"Add", "Mod", "Pow", "Less"}) {
    OneNode n = OneNode::onnx(name, 14);
    EXPECT_NE(n.numbers({2}).run().rejected(), "") << name;
    EXPECT_TRUE(n.content().empty()) << name;
  }
}

TEST(Elementwise, ASlopeForEachChannelOrOneForAll) {
  const auto slopes = [](std::vector<OneNode::Size> self, std::vector<OneNode::Size> weight) {
    OneNode n = OneNode::exported("prelu");
    return n.arg("self", Float32, std::move(self)).arg("weight", Float32, std::move(weight)).run().rejected();
  };
  EXPECT_EQ(slopes({2, 3, 4}, {3}), "");
  EXPECT_EQ(slopes({2, 3, 4}, {1}), "");
  EXPECT_EQ(slopes({2, "c", 4}, {3}), "");
  EXPECT_EQ(slopes({}, {1}), "");
  EXPECT_EQ(slopes({2, 3, 4}, {4}), "prelu: 4 slopes for 3 channels");
  EXPECT_NE(slopes({4}, {4}), "");
  EXPECT_NE(slopes({2, 3}, {3, 1}), "");
}

} // namespace

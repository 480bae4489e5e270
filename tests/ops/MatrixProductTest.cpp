//===- MatrixProductTest.cpp - Types of matrix products -----------------===//
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

using Sizes = std::vector<OneNode::Size>;

TEST(MatrixProduct, OnnxMatMul) {
  const auto product = [](Sizes a, Sizes b) {
    OneNode n = OneNode::onnx("MatMul", 13);
    n.in(Float32, std::move(a)).in(Float32, std::move(b)).run();
    return n.type() + (n.rejected().empty() ? "" : " !");
  };
  EXPECT_EQ(product({2, "k"}, {"k", 3}), "float32[2, 3]");
  EXPECT_EQ(product({5, 1, 2, 3}, {4, 3, 6}), "float32[5, 4, 2, 6]");
  EXPECT_EQ(product({3}, {3}), "float32[]");
  EXPECT_EQ(product({3}, {7, 3, 2}), "float32[7, 2]");
  EXPECT_EQ(product({2, 3}, {4, 5}), "float32[2, 5] !");
  EXPECT_EQ(product({2, "k"}, {"m", 3}), "float32[2, 3]"); // may fit
}

TEST(MatrixProduct, ABiasThatDoesNotFit) {
  const auto linear = [](std::vector<OneNode::Size> input, std::vector<OneNode::Size> bias) {
    return OneNode::torch("linear")
        .arg("input", Float32, std::move(input))
        .arg("weight", Float32, {4, 8})
        .arg("bias", Float32, std::move(bias))
        .run()
        .rejected();
  };
  EXPECT_EQ(linear({3, 8}, {4}), "");
  EXPECT_EQ(linear({3, 8}, {1}), "");
  EXPECT_EQ(linear({"n", 8}, {3, 4}), "");
  EXPECT_EQ(linear({8}, {1, 4}), "");
  EXPECT_EQ(linear({3, 8}, {4, 16}), "linear: the bias [4, 16] does not broadcast to [3, 4]");
  EXPECT_EQ(linear({1, 8}, {3, 4}), "linear: the bias [3, 4] does not broadcast to [1, 4]"); // no more rows come
  EXPECT_NE(linear({3, 8}, {1, 1, 4}), "");
}

TEST(MatrixProduct, WhatIsAddedFits) {
  const auto addmm = [](DType element, std::vector<OneNode::Size> self) {
    return OneNode::exported("addmm")
        .arg("self", element, std::move(self))
        .arg("mat1", Float32, {3, 5})
        .arg("mat2", Float32, {5, 1})
        .run()
        .rejected();
  };
  EXPECT_EQ(addmm(Float32, {1}), "");
  EXPECT_EQ(addmm(Float32, {3, 1}), "");
  EXPECT_EQ(addmm(Float32, {"k"}), "");
  EXPECT_EQ(addmm(Float32, {3}), "addmm: [3] does not broadcast to [3, 1]");
  EXPECT_EQ(addmm(Float64, {1}), "'self' is float64 and 'mat1' is float32, but must be of one type");
}

TEST(MatrixProduct, GroupsOfRowsOrColumns) {
  const auto grouped = [](Sizes a, Sizes b, Sizes ends, DType offs = Int32, DType element = BFloat16) {
    OneNode n = OneNode::exported("_grouped_mm");
    n.arg("self", element, std::move(a)).arg("mat2", BFloat16, std::move(b));
    if (!ends.empty())
      n.arg("offs", offs, std::move(ends));
    n.run();
    return n.rejected().empty() ? n.type() : n.rejected();
  };
  EXPECT_EQ(grouped({"n", 8}, {3, 8, 16}, {3}), "bfloat16[n, 16]");
  EXPECT_EQ(grouped({3, 4, 8}, {8, "n"}, {3}), "bfloat16[4, n]");
  EXPECT_EQ(grouped({4, 8}, {8, 16}, {"g"}), "bfloat16[g, 4, 16]");
  EXPECT_EQ(grouped({4, 8}, {16, 16}, {3}), "bfloat16[3, 4, 16]"); // the groups end before
  EXPECT_EQ(grouped({3, 4, 8}, {3, 8, 16}, {}), "bfloat16[3, 4, 16]");
  EXPECT_NE(grouped({"n", 8}, {3, 4, 16}, {3}).find("the inner sizes"), std::string::npos);
  EXPECT_NE(grouped({"n", 8}, {3, 8, 16}, {2}).find("the numbers of groups"), std::string::npos);
  EXPECT_NE(grouped({3, 4, 8}, {2, 8, 16}, {}).find("the numbers of groups"), std::string::npos);
  EXPECT_EQ(grouped({"n", 8}, {3, 8, 16}, {}), "_grouped_mm: a 2-D matrix needs offs");
  EXPECT_EQ(grouped({3, 4, 8}, {3, 8, 16}, {3}), "_grouped_mm: two 3-D matrices take no offs");
  EXPECT_EQ(grouped({"n", 8}, {3, 8, 16}, {3}, Int64), "_grouped_mm: offs is int64, and must be int32");
  EXPECT_NE(grouped({"n", 8}, {3, 8, 16}, {3}, Int32, Float32).find("float32"), std::string::npos);
  EXPECT_NE(grouped({8}, {3, 8, 16}, {3}), "bfloat16[16]");
  OneNode unknown = OneNode::source("_grouped_mm");
  Type matrix;
  matrix.kind = ValueKind::Tensor;
  matrix.element = Float32;
  EXPECT_EQ(unknown.arg("self", matrix).arg("mat2", Float32, {3, 8, 16}).arg("offs", Int32, {3}).run().type(),
            "float32[...]");
  EXPECT_EQ(unknown.rejected(), "");
}

TEST(MatrixProduct, Quantised) {
  EXPECT_EQ(OneNode::onnx("MatMulInteger", 10).in(UInt8, {2, 3}).in(Int8, {3, 4}).run().type(), "int32[2, 4]");
  OneNode q = OneNode::onnx("QLinearMatMul", 10);
  q.in(UInt8, {2, 3}).in(Float32, {}).in(UInt8, {}).in(Int8, {3, 4}).in(Float32, {}).in(Int8, {});
  EXPECT_EQ(q.in(Float32, {}).in(Int8, {}).run().type(), "int8[2, 4]");
}

TEST(MatrixProduct, Gemm) {
  EXPECT_EQ(OneNode::onnx("Gemm", 13)
                .in(Float32, {3, "n"})
                .in(Float32, {4, 3})
                .attr("transA", 1)
                .attr("transB", 1)
                .run()
                .type(),
            "float32[n, 4]");
  EXPECT_NE(OneNode::onnx("Gemm", 13).in(Float32, {2, 3}).in(Float32, {4, 5}).run().rejected(), "");
}

TEST(MatrixProduct, TorchRejectsWhatDoesNotFit) {
  const auto linear = [](Sizes a, DType ta, Sizes w, DType tw) {
    OneNode n = OneNode::torch("linear");
    n.arg("input", ta, std::move(a)).arg("weight", tw, std::move(w)).run();
    return n.type() + (n.rejected().empty() ? "" : " !");
  };
  EXPECT_EQ(linear({"b", 3}, Float32, {5, 3}, Float32), "float32[b, 5]");
  EXPECT_EQ(linear({"b", 3}, Float32, {5, 4}, Float32), "float32[b, 5] !");
  EXPECT_EQ(linear({"b", 3}, Float32, {5, 3}, Float16), "float32[b, 5] !");
  EXPECT_NE(OneNode::torch("mm").arg("self", Float32, {2, 3, 4}).arg("mat2", Float32, {4, 5}).run().rejected(), "");
}

TEST(MatrixProduct, RanksThatTheOperatorFixes) {
  Type any;
  any.kind = ValueKind::Tensor;
  EXPECT_EQ(OneNode::torch("mm").arg("self", Float32, {"n", 3}).arg("mat2", any).run().type(), "float32[n, ?]");
  EXPECT_EQ(OneNode::torch("bmm").arg("self", any).arg("mat2", any).run().type(), "unknown[?, ?, ?]");
  EXPECT_EQ(OneNode::torch("mv").arg("self", any).arg("vec", Float32, {3}).run().type(), "float32[?]");
  EXPECT_EQ(OneNode::torch("addmm").arg("self", any).arg("mat1", any).arg("mat2", Float32, {3, 4}).run().type(),
            "float32[?, ?]");
}

TEST(MatrixProduct, Einsum) {
  const auto einsum = [](const char *equation, Sizes a, Sizes b) {
    OneNode n = OneNode::onnx("Einsum", 12);
    n.attr("equation", equation).in(Float32, std::move(a)).in(Float32, std::move(b)).run();
    return n.type() + (n.rejected().empty() ? "" : " !");
  };
  EXPECT_EQ(einsum("bij, bjk -> bik", {"b", 2, 3}, {"b", 3, 4}), "float32[b, 2, 4]");
  EXPECT_EQ(einsum("...ij,jk->...ik", {5, 6, 2, 3}, {3, 4}), "float32[5, 6, 2, 4]");
  EXPECT_EQ(einsum("ij,jk", {2, 3}, {3, 4}), "float32[2, 4]");
  EXPECT_EQ(einsum("ij,jk->iz", {2, 3}, {3, 4}), "float32[...] !");
  EXPECT_EQ(einsum("ij,jk->ik", {2, 3}, {5, 4}), "float32[2, 4] !");
  EXPECT_EQ(einsum("ij,jk->ik", {2, 3, 4}, {3, 4}), "float32[...] !");
  EXPECT_EQ(einsum("i$,j", {2}, {3}), "float32[...] !");
  // onnx's inference does not end over dots that are no ellipsis.
  for (const char *equation : {"i.,j->ij", "i,j.", "i..,j->i", "i....,j->i", "......i,j->i", ".i,j->i"})
    EXPECT_EQ(einsum(equation, {2}, {3}), "float32[...] !") << equation;
  EXPECT_EQ(einsum(". ..i,j...->...ij", {5, 2}, {3, 5}), "float32[...]");
  EXPECT_EQ(einsum("...i,j...->...ij", {5, 2}, {3, 5}), "float32[5, 2, 3]");
}

TEST(MatrixProduct, AnEinsumOfIntegersSumsWhatOnlyOneOperandSpreadsOver) {
  // As torch 2.13 answers.
  const auto einsum = [](const char *equation, const std::vector<Sizes> &operands) {
    OneNode n = OneNode::torch("einsum");
    std::vector<Type> types;
    for (const Sizes &s : operands)
      types.push_back(n.tensorType(Int32, s));
    n.attr("equation", equation).args("tensors", types).run();
    return n.type();
  };
  EXPECT_EQ(einsum("ij->j", {{2, 3}}), "int64[3]");
  EXPECT_EQ(einsum("ij->j", {{1, 3}}), "int64[3]");
  EXPECT_EQ(einsum("ii", {{3, 3}}), "int64[]");
  EXPECT_EQ(einsum("ij->ji", {{2, 3}}), "int32[3, 2]");
  EXPECT_EQ(einsum("ij,jk->ik", {{2, 3}, {3, 4}}), "int32[2, 4]");
  EXPECT_EQ(einsum("ij,ij->", {{2, 3}, {2, 3}}), "int32[]");
  EXPECT_EQ(einsum("ij,k->ik", {{2, 3}, {5}}), "int64[2, 5]");
  EXPECT_EQ(einsum("ij,j->i", {{2, 3}, {1}}), "int64[2]");
  EXPECT_EQ(einsum("ij,j->i", {{2, 1}, {1}}), "int32[2]");
  EXPECT_EQ(einsum("i,j->i", {{3}, {1}}), "int32[3]");
  EXPECT_EQ(einsum("ij,k->ik", {{2, "n"}, {5}}), "unknown[2, 5]");
}

} // namespace

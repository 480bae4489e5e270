//===- IndexingTest.cpp - Types of what is indexed ----------------------===//
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

std::string rank(const OneNode &n, std::size_t i = 0) {
  const Type &t = n.m.type(n.m.result(n.node, i));
  return std::string(dtypeName(t.element)) + (t.hasRank ? std::to_string(t.dims.size()) : "?");
}

TEST(Indexing, OnnxGathers) {
  EXPECT_EQ(OneNode::onnx("Gather", 13).in(Float32, {"n", 4}).in(Int64, {2, 3}).run().type(), "float32[2, 3, 4]");
  EXPECT_EQ(OneNode::onnx("Gather", 13).in(Float32, {5, 4}).in(Int64, {}).attr("axis", -1).run().type(), "float32[5]");
  EXPECT_NE(OneNode::onnx("Gather", 13).in(Float32, {5, 4}).numbers({5}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("GatherElements", 13).in(Float32, {5, 4}).in(Int64, {2, "k"}).run().type(), "float32[2, k]");
  EXPECT_EQ(OneNode::onnx("GatherND", 13).in(Float32, {5, 4, 6}).in(Int64, {3, 2}).run().type(), "float32[3, 6]");
  EXPECT_EQ(OneNode::onnx("GatherND", 13).in(Float32, {2, 4, 6}).in(Int64, {2, 1}).attr("batch_dims", 1).run().type(),
            "float32[2, 6]");
  EXPECT_NE(OneNode::onnx("GatherND", 13).in(Float32, {5}).in(Int64, {3, 2}).run().rejected(), "");
  const auto batch = [](std::int64_t n) {
    return OneNode::onnx("GatherND", 13)
        .in(Float32, {2, 4, 6})
        .in(Int64, {2, 1})
        .attr("batch_dims", n)
        .run()
        .rejected();
  };
  EXPECT_EQ(batch(-1), "GatherND: batch_dims is -1, but must not be negative");
  EXPECT_EQ(batch(0), "");
}

TEST(Indexing, ScattersAreLikeTheirOperand) {
  for (const char *name : {"Scatter", "ScatterElements", "ScatterND", "TensorScatter"})
    EXPECT_EQ(OneNode::onnx(name, 10).in(Float16, {"n", 4}).in(Int64, {1, 1}).in(Float16, {1, 1}).run().type(),
              "float16[n, 4]")
        << name;
}

TEST(Indexing, DataDecidesHowMany) {
  EXPECT_EQ(rank(OneNode::onnx("NonZero", 13).in(Float32, {2, 3}).run()), "int642");
  EXPECT_EQ(rank(OneNode::onnx("Compress", 11).in(Float32, {2, 3}).in(Bool, {2}).run()), "float321");
  EXPECT_EQ(rank(OneNode::onnx("Compress", 11).in(Float32, {2, 3}).in(Bool, {2}).attr("axis", 1).run()), "float322");
  OneNode unique = OneNode::onnx("Unique", 11);
  unique.in(Float32, {2, 3}).attr("axis", 0).run(4);
  EXPECT_EQ(rank(unique, 0) + rank(unique, 2), "float322int641");
  EXPECT_EQ(rank(OneNode::torch("nonzero").arg("self", Float32, {2, 3}).run()), "int642");
  EXPECT_EQ(rank(OneNode::torch("masked_select").arg("self", Float32, {2, 3}).arg("mask", Bool, {2, 3}).run()),
            "float321");
  // Two of them are two sizes.
  OneNode a = OneNode::torch("nonzero");
  a.arg("self", Float32, {2}).run();
  const Dim count = a.m.type(a.m.result(a.node, 0)).dims[0];
  EXPECT_TRUE(a.m.dims.mentions(count, SymbolOrigin::Unbacked));
}

TEST(Indexing, TorchIndicesBroadcastAndMove) {
  const auto index = [](std::vector<std::vector<OneNode::Size>> sizes) {
    OneNode n = OneNode::torch("index", "Tensor");
    n.arg("self", Float32, {"n", 4, 5});
    std::vector<Type> types;
    for (auto &s : sizes)
      types.push_back(n.tensorType(Int64, s));
    return n.args("indices", types).run().type();
  };
  EXPECT_EQ(index({{2, 1}, {3}}), "float32[2, 3, 5]");
  EXPECT_EQ(index({{7}}), "float32[7, 4, 5]");
  OneNode masked = OneNode::torch("index", "Tensor");
  masked.arg("self", Float32, {4, 5, 6});
  const Type mask = masked.tensorType(Bool, {4, 5});
  EXPECT_EQ(rank(masked.args("indices", {mask}).run()), "float322");
  OneNode wrong = OneNode::torch("index", "Tensor");
  wrong.arg("self", Float32, {4, 5, 6});
  const Type big = wrong.tensorType(Bool, {4, 6});
  EXPECT_NE(wrong.args("indices", {big}).run().rejected(), "");
}

TEST(Indexing, Tables) {
  EXPECT_EQ(OneNode::torch("embedding").arg("weight", Float16, {10, 3}).arg("indices", Int64, {2, "t"}).run().type(),
            "float16[2, t, 3]");
  EXPECT_NE(OneNode::torch("embedding").arg("weight", Float16, {10, 3}).arg("indices", Float32, {2}).run().rejected(),
            "");
  EXPECT_EQ(OneNode::onnx("OneHot", 11).in(Int64, {2, 3}).numbers({5}, true).in(Float32, {2}).run().type(),
            "float32[2, 3, 5]");
  EXPECT_EQ(OneNode::onnx("OneHot", 11).in(Int64, {2, 3}).in(Int64, {}).in(Float32, {2}).attr("axis", 0).run().type(),
            "float32[?, 2, 3]");
}

TEST(Sorting, TopK) {
  OneNode n = OneNode::onnx("TopK", 11);
  n.in(Float32, {"n", 8}).numbers({3}).run(2);
  EXPECT_EQ(n.type(0) + n.type(1), "float32[n, 3]int64[n, 3]");
  OneNode early = OneNode::onnx("TopK", 1);
  early.in(Float32, {4, 8}).attr("k", 2).attr("axis", 0).run(2);
  EXPECT_EQ(early.type(0), "float32[2, 8]");
  OneNode many = OneNode::onnx("TopK", 11);
  EXPECT_NE(many.in(Float32, {4, 8}).numbers({9}).run(2).rejected(), "");
  OneNode two = OneNode::onnx("TopK", 11);
  EXPECT_EQ(two.in(Float32, {4, 8}).numbers({2, 1}).run(2).rejected(),
            "K must be a vector of one element, but has the shape [2]");
  OneNode scalar = OneNode::onnx("TopK", 11);
  EXPECT_NE(scalar.in(Float32, {4, 8}).in(Int64, {}).run(2).rejected(), "");
  OneNode open = OneNode::onnx("TopK", 11);
  EXPECT_EQ(open.in(Float32, {4, 8}).in(Int64, {"k"}).run(2).rejected(), "");
}

/// Torch takes nothing by no indices, whatever their rank.
TEST(Indexing, GatherByNothing) {
  OneNode none = OneNode::torch("gather");
  none.arg("self", Float32, {4}).attr("dim", 0).arg("index", Int64, {0, 3}).run();
  EXPECT_EQ(none.rejected() + none.type(), "float32[0, 3]");
  OneNode some = OneNode::torch("gather");
  EXPECT_NE(some.arg("self", Float32, {4}).attr("dim", 0).arg("index", Int64, {2, 3}).run().rejected(), "");
}

using Shape = std::vector<OneNode::Size>;

TEST(Indexing, IndicesAreNoLongerThanTheOperandBesideTheirAxis) {
  const auto gathered = [](const Shape &index) {
    OneNode n = OneNode::exported("gather");
    return n.arg("self", Float32, {9, 5}).attr("dim", 1).arg("index", Int64, index).run().rejected();
  };
  EXPECT_EQ(gathered({9, 7}), "");
  EXPECT_EQ(gathered({"n", 7}), "");
  EXPECT_EQ(gathered({10, 0}), "") << "nothing is looked up";
  EXPECT_EQ(gathered({10, 2}), "gather: the index has 10 in axis 0, the operand 9");
}

TEST(Indexing, WhatIsPutStretchesToWhatIsSelected) {
  const auto put = [](const Shape &index, const Shape &values, DType element = Int64) {
    OneNode n = OneNode::exported("index_put");
    n.arg("self", Float32, {5, 6});
    n.args("indices", {n.tensorType(element, index)});
    return n.arg("values", Float32, values).run().rejected();
  };
  EXPECT_EQ(put({2}, {2, 6}), "");
  EXPECT_EQ(put({2}, {}), "");
  EXPECT_EQ(put({2}, {2, 1}), "");
  EXPECT_EQ(put({2}, {1, 2, 6}), "") << "Python drops such axes";
  EXPECT_EQ(put({"n"}, {2, 6}), "");
  EXPECT_EQ(put({5}, {3, 6}, Bool), "") << "as many as the mask has";
  EXPECT_NE(put({2}, {3, 6}), "");
  EXPECT_NE(put({2}, {2, 2, 6}), "");
  EXPECT_NE(put({4}, {3, 6}, Bool), "") << "a mask of another size";
}

TEST(Indexing, ValuesHaveTheOperandsSizesBesideTheirAxis) {
  const auto written = [](std::string_view name, const Shape &self, const Shape &index, const Shape &source) {
    return OneNode::exported(name)
        .arg("self", Float32, self)
        .attr("dim", 0)
        .arg("index", Int64, index)
        .arg("source", Float32, source)
        .run()
        .rejected();
  };
  for (const std::string_view name : {"index_add", "index_copy"}) {
    EXPECT_EQ(written(name, {5, 6}, {2}, {2, 6}), "");
    EXPECT_EQ(written(name, {5, "n"}, {2}, {"m", 6}), "");
    EXPECT_EQ(written(name, {}, {1}, {}), "");
    EXPECT_NE(written(name, {5, 6}, {2}, {3, 6}), "");
    EXPECT_NE(written(name, {5, 6}, {2}, {2, 1}), "");
    EXPECT_NE(written(name, {5, 6}, {2}, {2}), "");
  }
  EXPECT_EQ(written("index_copy", {5}, {1}, {}), "");
  EXPECT_NE(written("index_add", {5}, {1}, {}), "");
}

TEST(Indexing, AStridedPartIsReplacedByOneOfItsSize) {
  const auto replaced = [](const Shape &source) {
    return OneNode::exported("as_strided_scatter")
        .arg("self", Float32, {3, 3})
        .arg("src", Float32, source)
        .ints("size", {2, 2})
        .ints("stride", {1, 2})
        .run()
        .rejected();
  };
  EXPECT_EQ(replaced({2, 2}), "");
  EXPECT_NE(replaced({2, 1}), "");
}

} // namespace

TEST(Indexing, BoundariesAreOneListOrOneForEachRow) {
  const auto search = [](std::initializer_list<OneNode::Size> lists, std::initializer_list<OneNode::Size> values) {
    OneNode n = OneNode::exported("searchsorted", "Tensor");
    return n.arg("sorted_sequence", Float32, lists).arg("self", Float32, values).run().rejected();
  };
  EXPECT_EQ(search({4}, {3, 5}), "");
  EXPECT_EQ(search({3, 4}, {3, 5}), "");
  EXPECT_NE(search({3, 4}, {5}), "");
  EXPECT_NE(search({3, 4}, {2, 5}), "");
  const auto bucket = [](std::initializer_list<OneNode::Size> boundaries) {
    OneNode n = OneNode::exported("bucketize", "Tensor");
    return n.arg("self", Float32, {3, 5}).arg("boundaries", Float32, boundaries).run().rejected();
  };
  EXPECT_EQ(bucket({4}), "");
  EXPECT_EQ(bucket({3, 4}), "bucketize: the boundaries have 2 axes, expected 1");
  const auto one = [](std::initializer_list<OneNode::Size> lists) {
    OneNode n = OneNode::exported("searchsorted", "Scalar");
    return n.arg("sorted_sequence", Float32, lists).real("self", 1.5).run().rejected();
  };
  EXPECT_EQ(one({4}), "");
  EXPECT_EQ(one({3, 4}), "searchsorted: the boundaries of one number have 2 axes, expected 1");
}

//===- StatisticsTest.cpp - Types of statistics -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneNode.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

using enum DType;

TEST(Statistics, VectorsAreComparedAlongOneAxis) {
  const auto cosine = [](std::vector<OneNode::Size> a, std::vector<OneNode::Size> b, int dim) {
    return OneNode::torch("cosine_similarity")
        .arg("x1", Float32, std::move(a))
        .arg("x2", Float32, std::move(b))
        .attr("dim", dim)
        .run()
        .type();
  };
  EXPECT_EQ(cosine({2, 5, 3}, {1, 5, 3}, 1), "float32[2, 3]");
  EXPECT_EQ(cosine({2, 5, 3}, {5, 1}, -1), "float32[2, 5]");
  EXPECT_EQ(OneNode::torch("pairwise_distance")
                .arg("x1", Int64, {2, 5})
                .arg("x2", Int64, {2, 5})
                .attr("keepdim", 1)
                .run()
                .type(),
            "float32[2, 1]");
  EXPECT_EQ(OneNode::torch("cross").arg("self", Float32, {2, 3}).arg("other", Float32, {1, 3}).run().type(),
            "float32[2, 3]");
}

TEST(Statistics, ACovarianceOfOneRowIsANumber) {
  EXPECT_EQ(OneNode::torch("cov").arg("self", Float64, {4, 9}).run().type(), "float64[4, 4]");
  EXPECT_EQ(OneNode::torch("cov").arg("self", Int64, {1, 9}).run().type(), "float32[]");
  EXPECT_EQ(OneNode::torch("corrcoef").arg("self", Float32, {9}).run().type(), "float32[]");
  EXPECT_EQ(OneNode::torch("cov").arg("self", Float32, {"n", 9}).run().type(), "float32[...]"); // n may be 1
}

TEST(Statistics, AHistogramHasAnAxisForEachColumn) {
  const auto ofTwoColumns = [](const char *name) {
    return OneNode::torch(name).arg("self", Float32, {"n", 2}).ints("bins", {3, 4}).run().type();
  };
  EXPECT_EQ(ofTwoColumns("histogramdd"), "float32[3, 4]");
  EXPECT_EQ(ofTwoColumns("_histogramdd_bin_edges"), "float32[4]");
  EXPECT_EQ(OneNode::torch("histogramdd", "int_bins").arg("self", Float32, {"n", 2}).attr("bins", 5).run().type(),
            "float32[5, 5]");
  EXPECT_EQ(OneNode::torch("histogramdd").arg("self", Float64, {"n", "m"}).run().type(), "float64[...]");
}

TEST(Statistics, AnIntegralTakesItsAxis) {
  EXPECT_EQ(OneNode::torch("trapezoid", "dx").arg("y", Int64, {4, 9}).run().type(), "float32[4]");
  EXPECT_EQ(OneNode::torch("cumulative_trapezoid", "dx").arg("y", Float32, {4, 9}).attr("dim", 0).run().type(),
            "float32[3, 9]");
  EXPECT_EQ(OneNode::torch("trapezoid", "x").arg("y", Float32, {1, 9}).arg("x", Float32, {4, 9}).run().type(),
            "float32[...]"); // stretched by its points
  EXPECT_EQ(OneNode::torch("bilinear")
                .arg("input1", Float32, {2, 4})
                .arg("input2", Float32, {2, 3})
                .arg("weight", Float32, {5, 4, 3})
                .run()
                .type(),
            "float32[2, 5]");
}

} // namespace
} // namespace condlint::test

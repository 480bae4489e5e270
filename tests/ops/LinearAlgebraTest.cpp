//===- LinearAlgebraTest.cpp - Matrices -----------------------------------===//
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

std::string types(std::string_view name, std::vector<OneNode::Size> sizes, std::size_t outputs,
                  DType element = Float32) {
  OneNode n = OneNode::torch(name);
  n.arg(name.starts_with("linalg_") || name.starts_with("_linalg_") ? "A" : "self", element, std::move(sizes))
      .run(outputs);
  std::string text;
  for (std::size_t i = 0; i < outputs; ++i)
    text += (i ? " " : "") + n.type(i);
  return text + (n.rejected().empty() ? "" : " !");
}

TEST(LinearAlgebra, Det) {
  EXPECT_EQ(OneNode::onnx("Det", 11).in(Float32, {"n", 3, 3}).run().type(), "float32[n]");
  EXPECT_NE(OneNode::onnx("Det", 11).in(Float32, {2, 3}).run().rejected(), "");
  EXPECT_NE(OneNode::onnx("Det", 11).in(Float32, {2}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("Det", 11).in(Type()).run().type(), "unknown[...]");
  EXPECT_EQ(types("_linalg_det", {2, 3, 3}, 3), "float32[2] float32[2, 3, 3] int32[2, 3]");
  EXPECT_EQ(types("linalg_slogdet", {2, 3, 3}, 2, Complex64), "complex64[2] float32[2]");
}

TEST(LinearAlgebra, Decompositions) {
  EXPECT_EQ(types("linalg_qr", {2, 5, 3}, 2), "float32[2, 5, 3] float32[2, 3, 3]");
  EXPECT_EQ(types("linalg_svd", {2, 5, 3}, 3), "float32[2, 5, 5] float32[2, 3] float32[2, 3, 3]");
  EXPECT_EQ(types("_linalg_svd", {2, 5, 3}, 3), "float32[2, 5, 3] float32[2, 3] float32[2, 3, 3]");
  EXPECT_EQ(types("svd", {2, 3, 5}, 3), "float32[2, 3, 3] float32[2, 3] float32[2, 5, 3]");
  EXPECT_EQ(types("linalg_lu", {2, 5, 3}, 3), "float32[2, 5, 5] float32[2, 5, 3] float32[2, 3, 3]");
  EXPECT_EQ(types("linalg_lu_factor_ex", {2, 5, 3}, 3), "float32[2, 5, 3] int32[2, 3] int32[2]");
  EXPECT_EQ(types("linalg_eig", {2, 3, 3}, 2), "complex64[2, 3] complex64[2, 3, 3]");
  EXPECT_EQ(types("linalg_eigh", {2, 3, 3}, 2), "float32[2, 3] float32[2, 3, 3]");
  EXPECT_EQ(types("linalg_inv_ex", {2, 3, 3}, 2), "float32[2, 3, 3] int32[2]");
  EXPECT_EQ(types("linalg_cholesky", {2, 3, 4}, 1), "float32[2, 3, 4] !");
  // The old one looks at nothing that has no elements.
  EXPECT_EQ(types("cholesky", {2, 3, 4}, 1), "float32[2, 3, 4] !");
  EXPECT_EQ(types("cholesky", {0, 3, 4}, 1), "float32[0, 3, 4]");
  EXPECT_EQ(types("cholesky", {0}, 1), "float32[0]");
  EXPECT_EQ(types("linalg_cholesky", {0, 3, 4}, 1), "float32[0, 3, 4] !");
  EXPECT_EQ(types("pinverse", {2, 5, 3}, 1), "float32[2, 3, 5]");
  EXPECT_EQ(types("geqrf", {5, 3}, 2), "float32[5, 3] float32[3]");
}

TEST(LinearAlgebra, Solvers) {
  auto solve = [](std::vector<OneNode::Size> a, std::vector<OneNode::Size> b) {
    return OneNode::torch("linalg_solve").arg("A", Float32, std::move(a)).arg("B", Float32, std::move(b)).run().type();
  };
  EXPECT_EQ(solve({2, 3, 3}, {2, 3, 4}), "float32[2, 3, 4]");
  EXPECT_EQ(solve({2, 3, 3}, {3, 4}), "float32[...]");
  EXPECT_EQ(solve({2, 3, 3}, {2, 3}), "float32[2, 3]");
  EXPECT_EQ(solve({3, 3}, {3}), "float32[3]");
  OneNode tri = OneNode::torch("triangular_solve");
  tri.arg("self", Float32, {2, 3, 4}).arg("A", Float32, {3, 3}).run(2);
  EXPECT_EQ(tri.type(0) + tri.type(1), "float32[2, 3, 4]float32[2, 3, 3]");
  EXPECT_EQ(OneNode::torch("cdist").arg("x1", Float32, {2, 5, 3}).arg("x2", Float32, {1, 4, 3}).run().type(),
            "float32[2, 5, 4]");
}

TEST(LinearAlgebra, Norms) {
  EXPECT_EQ(OneNode::torch("linalg_norm").arg("self", Complex64, {2, 3}).run().type(), "float32[]");
  EXPECT_EQ(
      OneNode::torch("linalg_norm").arg("self", Float32, {2, 3}).ints("dim", {-1}).attr("keepdim", 1).run().type(),
      "float32[2, 1]");
  EXPECT_EQ(OneNode::torch("linalg_norm").arg("self", Float32, {2, 3}).attr("keepdim", 1).run().type(),
            "float32[1, 1]");
  EXPECT_EQ(OneNode::torch("trace").arg("self", Int32, {3, 3}).run().type(), "int64[]");
}

TEST(LinearAlgebra, Products) {
  OneNode dot = OneNode::torch("linalg_multi_dot");
  dot.args("tensors",
           {dot.tensorType(Float32, {2, 5}), dot.tensorType(Float32, {5, 3}), dot.tensorType(Float32, {3, 4})});
  EXPECT_EQ(dot.run().type(), "float32[2, 4]");
  EXPECT_EQ(OneNode::torch("linalg_vecdot").arg("x", Float32, {2, 5, 3}).arg("y", Float32, {1, 5, 3}).run().type(),
            "float32[2, 5]");
  EXPECT_EQ(OneNode::torch("linalg_tensorinv").arg("self", Float32, {4, 6, 8, 3}).run().type(), "float32[8, 3, 4, 6]");
}

TEST(LinearAlgebra, VanderOfANumber) {
  const auto vander = [](std::vector<OneNode::Size> x) {
    return OneNode::torch("linalg_vander").arg("x", Float32, std::move(x)).attr("N", 2).run().type();
  };
  EXPECT_EQ(vander({}), "float32[1, 2]");
  EXPECT_EQ(vander({3}), "float32[3, 2]");
}

} // namespace

TEST(LinearAlgebra, DistancesAreOfMatrices) {
  const auto distances = [](std::initializer_list<OneNode::Size> a, std::initializer_list<OneNode::Size> b) {
    OneNode n = OneNode::exported("cdist");
    return n.arg("x1", Float32, a).arg("x2", Float32, b).run().rejected();
  };
  EXPECT_EQ(distances({5, 4}, {2, 4}), "");
  EXPECT_EQ(distances({"n", 4}, {2, "m"}), "");
  EXPECT_NE(distances({4}, {2, 4}), "");
  EXPECT_NE(distances({5, 3}, {2, 4}), "");
}

TEST(LinearAlgebra, CrossProductsAreOfTensorsWithAsManyAxes) {
  const auto cross = [](std::initializer_list<OneNode::Size> a, std::initializer_list<OneNode::Size> b) {
    OneNode n = OneNode::exported("linalg_cross");
    return n.arg("self", Float32, a).arg("other", Float32, b).run().rejected();
  };
  EXPECT_EQ(cross({4, 3}, {1, 3}), "");
  EXPECT_EQ(cross({"n", 3}, {4, "m"}), "");
  EXPECT_NE(cross({4, 3}, {3}), "");
  EXPECT_NE(cross({4, 1}, {4, 3}), "") << "it stretches along other axes alone";
  EXPECT_NE(cross({4, 3}, {5, 3}), "");
  const auto anywhere = [](std::initializer_list<OneNode::Size> a, std::initializer_list<OneNode::Size> b) {
    OneNode n = OneNode::exported("cross");
    return n.arg("self", Float32, a).arg("other", Float32, b).run().rejected();
  };
  EXPECT_EQ(anywhere({3, 4}, {3, 1}), "") << "no axis is named";
}

TEST(LinearAlgebra, RightSidesAreVectorsOrMatrices) {
  using Shape = std::vector<OneNode::Size>;
  const auto solve = [](const Shape &a, const Shape &b, bool left = true) {
    OneNode n = OneNode::exported("_linalg_solve_ex");
    return n.arg("A", Float32, a).arg("B", Float32, b).attr("left", left).run(4).rejected();
  };
  for (const auto &[a, b] : {std::pair<Shape, Shape>{{3, 3}, {3}},
                             {{3, 3}, {3, 2}},
                             {{2, 3, 3}, {2, 3}},
                             {{2, 3, 3}, {3, 2}},
                             {{2, 3, 3}, {3}},
                             {{2, 3, 3}, {"n", 3}},
                             {{4, 2, 3, 3}, {2, 3, 2}}})
    EXPECT_EQ(solve(a, b), "");
  for (const auto &[a, b] : {std::pair<Shape, Shape>{{3, 3}, {2}},
                             {{3, 3}, {2, 3}},
                             {{2, 3, 3}, {5, 3}},
                             {{2, 3, 3}, {4, 3, 2}},
                             {{4, 2, 3, 3}, {2, 3}}})
    EXPECT_NE(solve(a, b), "");
  EXPECT_EQ(solve({3, 3}, {2, 3}, false), "");
  EXPECT_NE(solve({3, 3}, {3, 2}, false), "");
}

TEST(LinearAlgebra, AHermitianMatrixIsSquare) {
  const auto inverse = [](OneNode::Size batch, std::int64_t hermitian) {
    OneNode n = OneNode::exported("linalg_pinv", "atol_rtol_tensor");
    return n.arg("self", Float32, {batch, 5, 3}).attr("hermitian", hermitian).run().rejected();
  };
  EXPECT_EQ(inverse(2, 0), "");
  EXPECT_NE(inverse(2, 1), "");
  EXPECT_EQ(inverse(0, 1), "") << "there are none";
}

TEST(LinearAlgebra, ReflectorsHaveFactors) {
  using Shape = std::vector<OneNode::Size>;
  const auto product = [](const Shape &input, const Shape &tau) {
    return OneNode::exported("linalg_householder_product")
        .arg("input", Float32, input)
        .arg("tau", Float32, tau)
        .run()
        .rejected();
  };
  EXPECT_EQ(product({5, 4}, {3}), "");
  EXPECT_EQ(product({2, 5, 4}, {2, 4}), "");
  EXPECT_NE(product({5, 4}, {5}), "");
  EXPECT_NE(product({4, 5}, {4}), "") << "wider than high";
  EXPECT_NE(product({2, 5, 4}, {1, 4}), "");
  const auto multiply = [](const Shape &input, const Shape &other, bool left) {
    return OneNode::exported("ormqr")
        .arg("self", Float32, input)
        .arg("input2", Float32, {3})
        .arg("input3", Float32, other)
        .attr("left", left)
        .run()
        .rejected();
  };
  EXPECT_EQ(multiply({5, 3}, {5, 2}, true), "");
  EXPECT_EQ(multiply({5, 3}, {2, 5}, false), "");
  EXPECT_NE(multiply({5, 3}, {3, 2}, true), "");
  EXPECT_NE(multiply({5, 3}, {1, 5, 2}, true), "");
}

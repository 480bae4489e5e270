//===- LinearAlgebraTest.cpp - Decompositions and solvers ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Factorizations of matrices and what is solved with them: the numbers, and what is refused as torch does.
#include "OneKernel.h"
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

namespace condlint::test {
namespace {

Array matrix(const std::string &name, std::vector<double> values, std::int64_t rows = 2) {
  const auto columns = static_cast<std::int64_t>(values.size()) / rows;
  return array(name, DType::Float64, {rows, columns}, values);
}

/// \p outcome with each number to three digits.
std::string rounded(const std::string &outcome) {
  if (refused(outcome))
    return outcome;
  std::istringstream lines(outcome);
  std::string text, line;
  while (std::getline(lines, line)) {
    std::istringstream values(line.substr(line.find(':') + 1));
    double value = 0;
    for (char comma = 0; values >> value; values >> comma)
      text += fmt::format("{:g} ", std::round(value * 1000) / 1000 + 0.0);
    if (!text.empty() && text.back() == ' ')
      text.pop_back();
    text += ';';
  }
  return text;
}

/// All results of one node.
std::string all(const std::string &op, const std::string &attributes, const std::vector<Array> &inputs,
                const std::string &results) {
  return computed(R"("dialect": "torch", "version": "2.13")",
                  fmt::format(R"({{"op": "aten.{}", "attributes": [{}], "results": [{}]}})", op, attributes, results),
                  inputs, results);
}

std::string factored(const std::string &op, const Array &a, const std::string &results, const std::string &more = {}) {
  return rounded(all(op, operand(a.name) + more, {a}, results));
}

TEST(Factorizations, OfRectangularAndSquareMatrices) {
  const Array a = matrix("A", {3, 1, 4, 2});
  EXPECT_EQ(factored("linalg_qr.default", a, R"("q", "r")"), "-0.6 -0.8 -0.8 0.6;-5 -2.2 0 0.4;");
  EXPECT_EQ(factored("linalg_lu.default", a, R"("p", "l", "u")"), "0 1 1 0;1 0 0.75 1;4 2 0 -0.5;");
  EXPECT_EQ(factored("linalg_lu_factor_ex.default", a, R"("lu", "pivots", "info")"), "4 2 0.75 -0.5;2 2;0;");
  EXPECT_EQ(factored("_linalg_det.default", a, R"("det", "lu", "pivots")"), "2;3 4 0.333 0.667;1 2;");
  EXPECT_EQ(factored("linalg_eigh.default", matrix("A", {2, 9, 1, 2}), R"("l", "v")"), "1 3;-0.707 0.707 0.707 0.707;");
  EXPECT_EQ(
      factored("linalg_eigvalsh.default", matrix("A", {2, 9, 1, 2}), R"("l")", R"(, {"name": "UPLO", "string": "U"})"),
      "-7 11;");
  const Array wide = matrix("A", {3, 0, 0, 0, 0, 4});
  EXPECT_EQ(factored("linalg_svdvals.default", wide, R"("s")"), "4 3;");
  EXPECT_EQ(all("_linalg_svd.default", operand("A") + R"(, {"name": "compute_uv", "bool": false})", {wide},
                R"("u", "s", "v")"),
            "float64[0]: \nfloat64[2]: 4, 3\nfloat64[0]: ");
  EXPECT_TRUE(all("linalg_eigvals.default", operand("A"), {a}, R"("l")").starts_with("complex128[2]: "));
}

TEST(Factorizations, Solve) {
  const Array a = matrix("A", {3, 1, 4, 2});
  Array self = a;
  self.name = "self";
  const Array b = matrix("b", {1, 0});
  const auto number = [](const std::string &name, double value) {
    return fmt::format(R"(, {{"name": "{}", "float": {}}})", name, value);
  };
  EXPECT_EQ(factored("linalg_pinv.atol_rtol_float", self, R"("r")"), "1 -0.5 -2 1.5;");
  EXPECT_EQ(factored("linalg_pinv.atol_rtol_float", self, R"("r")", number("atol", 100)), "0 0 0 0;");
  EXPECT_EQ(factored("linalg_matrix_rank.tol", self, R"("r")", number("tol", 1)), "1;");
  EXPECT_EQ(factored("linalg_matrix_norm.str_ord", self, R"("r")", R"(, {"name": "ord", "string": "nuc"})"), "5.831;");
  EXPECT_EQ(factored("linalg_matrix_norm.default", self, R"("r")", number("ord", 1.0)), "7;");
  EXPECT_EQ(factored("linalg_norm.default", self, R"("r")", number("ord", 2.0)), "5.465;");
  EXPECT_EQ(factored("linalg_cond.default", self, R"("r")", number("p", 1.0)), "21;");
  EXPECT_EQ(rounded(all("linalg_lstsq.default", operand("self") + ", " + operand("b"), {self, b},
                        R"("x", "residuals", "rank", "s")")),
            "1 -2;;2;;");
  const Array pivots = array("pivots", DType::Int32, {2}, {2, 2}), lu = matrix("LU", {4, 2, 0.75, -0.5});
  const std::string both = operand("LU") + ", " + operand("pivots") + ", " + R"({"name": "B", "operand": "b"})";
  EXPECT_EQ(rounded(torch("linalg_lu_solve.default", both, {lu, pivots, b})), "1 -2;");
  EXPECT_EQ(rounded(torch("linalg_lu_solve.default", both + R"(, {"name": "adjoint", "bool": true})", {lu, pivots, b})),
            "1 -0.5;");
}

TEST(Factorizations, RefuseWhatTorchRefuses) {
  const Array none = array("A", DType::Int64, {2, 2}, {3, 1, 4, 2});
  EXPECT_TRUE(refused(all("linalg_qr.default", operand("A"), {none}, R"("q", "r")")));
  EXPECT_TRUE(refused(all("linalg_qr.default", operand("A"), {floats("A", {1, 2})}, R"("q", "r")")));
  const Array endless = matrix("A", {HUGE_VAL, 1, 4, 2});
  for (const char *op : {"linalg_svdvals.default", "linalg_eigvals.default", "linalg_eigvalsh.default"})
    EXPECT_TRUE(refused(torch(op, operand("A"), {endless}))) << op;
  const Array singular = matrix("A", {0, 0, 0, 0});
  EXPECT_TRUE(refused(all("linalg_lu_factor.default", operand("A"), {singular}, R"("lu", "pivots")")));
  EXPECT_FALSE(refused(all("linalg_lu_factor_ex.default", operand("A"), {singular}, R"("lu", "pivots", "info")")));
  // A pivot that names no row.
  const Array pivots = array("pivots", DType::Int32, {2}, {2, 7}), lu = matrix("LU", {4, 2, 0.75, -0.5});
  EXPECT_TRUE(refused(torch("linalg_lu_solve.default",
                            operand("LU") + ", " + operand("pivots") + ", " + R"({"name": "B", "operand": "LU"})",
                            {lu, pivots})));
}

} // namespace
} // namespace condlint::test

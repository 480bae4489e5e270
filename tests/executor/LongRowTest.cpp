//===- LongRowTest.cpp - Rows that several workers share ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Rows that a GPU reduces in parts.
#include "OneKernel.h"
#include <gtest/gtest.h>
#include <limits>

namespace condlint::test {
namespace {

/// \p rows rows of \p length numbers: 1, -2, 3, 1, -2, 3, …, and in the last row each one more.
Array rowsOf(DType t, std::int64_t rows, std::int64_t length) {
  std::vector<double> values;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t i = 0; i < length; ++i)
      values.push_back((i % 3 == 0 ? 1 : i % 3 == 1 ? -2 : 3) + (r + 1 == rows ? 1 : 0));
  return array("x", t, {rows, length}, values);
}

std::string along(const std::string &op, const Array &x) {
  const Array axes = array("axes", DType::Int64, {1}, {1});
  return onnxNode(op, R"("x", "axes")", {x, axes}, R"({"name": "keepdims", "int": 0})");
}

TEST(LongRow, OfPartsOfOneLength) {
  const Array x = rowsOf(DType::Float32, 2, 3072);
  EXPECT_EQ(along("ReduceSum", x), "float32[2]: 2048, 5120");
  EXPECT_EQ(along("ReduceSumSquare", x), "float32[2]: 14336, 21504");
  EXPECT_EQ(along("ReduceL1", x), "float32[2]: 6144, 7168");
  EXPECT_EQ(along("ReduceMax", x), "float32[2]: 3, 4");
  EXPECT_EQ(along("ReduceMin", x), "float32[2]: -2, -1");
  EXPECT_EQ(along("ReduceProd", rowsOf(DType::Float64, 1, 6)), "float64[1]: 64");
  EXPECT_EQ(along("ReduceSum", rowsOf(DType::Int64, 2, 3072)), "int64[2]: 2048, 5120");
  // A mean of whole numbers is rounded once.
  EXPECT_EQ(along("ReduceMean", rowsOf(DType::Int32, 1, 3072)), "int32[1]: 1");
  EXPECT_EQ(along("ReduceMean", rowsOf(DType::Float64, 1, 3 * 4096)), "float64[1]: 1.6666666666666667");
}

TEST(LongRow, OfAPrimeLength) {
  const Array x = rowsOf(DType::Float32, 1, 4099);
  EXPECT_EQ(along("ReduceSum", x), "float32[1]: 6832");
  EXPECT_EQ(along("ReduceMax", x), "float32[1]: 4");
}

TEST(LongRow, ANanIsNotLostInItsPart) {
  std::vector<double> values(2048, 1.0);
  values[1500] = std::numeric_limits<double>::quiet_NaN();
  const Array x = array("x", DType::Float32, {1, 2048}, values);
  EXPECT_EQ(along("ReduceMax", x), "float32[1]: nan");
  EXPECT_EQ(along("ReduceSum", x), "float32[1]: nan");
}

TEST(LongRow, OfAllAxes) {
  EXPECT_EQ(onnxNode("ReduceSum", R"("x")", {rowsOf(DType::Float32, 3, 1536)}), "float32[1, 1]: 4608");
  EXPECT_EQ(torch("sum.default", operand("self"), {[] {
                    Array x = rowsOf(DType::Float32, 64, 64);
                    x.name = "self";
                    return x;
                  }()}),
            "float32[]: 2816");
}

} // namespace
} // namespace condlint::test

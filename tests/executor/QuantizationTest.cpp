//===- QuantizationTest.cpp - Quantised numbers -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// `quantized_decomposed` as torch 2.13 computes it.
#include "OneKernel.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

std::string decomposed(const std::string &op, const std::string &attributes, const std::vector<Array> &inputs,
                       const std::string &results = R"("r")") {
  return computed(R"("dialect": "torch", "version": "2.13")",
                  fmt::format(R"({{"op": "quantized_decomposed.{}", "attributes": [{}], "results": [{}]}})", op,
                              attributes, results),
                  inputs, results);
}
Array matrix(const std::string &name, DType t, std::vector<double> values, std::int64_t rows) {
  return array(name, t, {rows, static_cast<std::int64_t>(values.size()) / rows}, values);
}

const std::string range =
    R"(, {"name": "quant_min", "int": -8}, {"name": "quant_max", "int": 7}, {"name": "dtype", "dtype": "int8"})";
const std::string bytes = R"(, {"name": "dtype", "dtype": "int8"})";

TEST(Quantized, AScaleAndAZeroPointAreChosenForATensor) {
  const std::string whole = operand("input") +
                            R"(, {"name": "quant_min", "int": -128}, {"name": "quant_max", "int": 127})" +
                            R"(, {"name": "eps", "float": 0.00001})" + bytes;
  const Array x = matrix("input", DType::Float32, {1, -1, 0.5, 50}, 2);
  EXPECT_EQ(decomposed("choose_qparams.tensor", whole, {x}, R"("s", "z")"),
            "float64[1]: 0.20000000298023224\nint64[1]: -123");
  EXPECT_EQ(decomposed("choose_qparams_symmetric.tensor", whole, {matrix("input", DType::Float32, {1, -51}, 1)},
                       R"("s", "z")"),
            "float64[1]: 0.4000000059604645\nint64[1]: 0");
  EXPECT_TRUE(
      refused(decomposed("choose_qparams.tensor", whole, {matrix("input", DType::Float32, {}, 1)}, R"("s", "z")")));
}

TEST(Quantized, AndForEachToken) {
  const Array x = matrix("input", DType::Float32, {0, -255, 0, 0, 510, -0.25}, 2);
  EXPECT_EQ(decomposed("choose_qparams_per_token_asymmetric.default", operand("input") + bytes, {x}, R"("s", "z")"),
            "float64[2, 1]: 1, 2.0009803771972656\nint64[2, 1]: 127, -128");
  EXPECT_EQ(decomposed("choose_qparams_per_token.default", operand("input") + bytes,
                       {matrix("input", DType::Float32, {-127, 1, 0.5, -254}, 2)}, R"("s", "z")"),
            "float32[2, 1]: 1, 2\nfloat32[2, 1]: 0, 0");
}

TEST(Quantized, TokensAndGroupsAreQuantisedWithTheirOwnScales) {
  const std::string numbers = operand("input") + ", " + operand("scales") + ", " + operand("zero_points");
  const Array x = matrix("input", DType::Float32, {1, -2, 0.5, 3, 4, -0.25}, 2),
              scales = matrix("scales", DType::Float32, {0.5, 0.25}, 2),
              zero = matrix("zero_points", DType::Int64, {1, 0}, 2);
  EXPECT_EQ(decomposed("quantize_per_token.default", numbers + range, {x, scales, zero}),
            "int8[2, 3]: 3, -3, 2, 7, 7, -1");
  EXPECT_EQ(decomposed("dequantize_per_token.default",
                       numbers + range + R"(, {"name": "output_dtype", "dtype": "float32"})",
                       {matrix("input", DType::Int8, {1, 2, 3, 4}, 2), scales, zero}),
            "float32[2, 2]: 0, 0.5, 0.75, 1");
  const std::string grouped = numbers + range + R"(, {"name": "group_size", "int": 2})";
  const Array wide = matrix("scales", DType::Float32, {0.5, 0.25}, 1),
              zeros = matrix("zero_points", DType::Int64, {0, 1}, 1);
  EXPECT_EQ(decomposed("quantize_per_channel_group.default", grouped,
                       {matrix("input", DType::Float32, {1, 2, 3, 4}, 1), wide, zeros}),
            "int8[1, 4]: 2, 4, 7, 7");
  EXPECT_EQ(decomposed("dequantize_per_channel_group.default",
                       grouped + R"(, {"name": "output_dtype", "dtype": "float32"})",
                       {matrix("input", DType::Int8, {1, 2, 3, 4}, 1), wide, zeros}),
            "float32[1, 4]: 0.5, 1, 0.5, 0.75");
  EXPECT_TRUE(refused(decomposed("quantize_per_channel_group.default", grouped,
                                 {matrix("input", DType::Float32, {1, 2, 3}, 1), wide, zeros})));
}

TEST(Quantized, AProductWithAMatrixOfBytes) {
  const Array x = matrix("self", DType::Float32, {1, 2}, 1), w = matrix("mat2", DType::Int8, {1, 2, 3, -4}, 2);
  const std::string operands = operand("self") + ", " + operand("mat2") + ", " + operand("scales");
  EXPECT_EQ(torch("_weight_int8pack_mm.default", operands, {x, w, array("scales", DType::Float32, {2}, {0.5, 2})}),
            "float32[1, 2]: 2.5, -10");
  EXPECT_TRUE(
      refused(torch("_weight_int8pack_mm.default", operands, {x, w, array("scales", DType::Float32, {1}, {0.5})})));
}

} // namespace
} // namespace condlint::test

//===- DifferenceTest.cpp - What differs from what is expected -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Array.h"
#include "condlint/Executor.h"
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace condlint;

namespace {

/// Whether \p got is taken for \p wanted.
template <class T> bool same(DType dtype, T got, T wanted, double rtol = 1e-4, double atol = 1e-5) {
  const auto array = [&](const T &value) {
    Array a;
    a.dtype = dtype;
    a.bytes = std::string_view(reinterpret_cast<const char *>(&value), sizeof value);
    return a;
  };
  return !differenceOf(array(got), array(wanted), rtol, atol);
}

} // namespace

TEST(Difference, IsOfMoreThanTheTolerance) {
  EXPECT_TRUE(same(DType::Float32, 1.0F, 1.00001F));
  EXPECT_FALSE(same(DType::Float32, 1.0F, 1.001F));
}

TEST(Difference, InfinityIsItselfAlone) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(same(DType::Float32, inf, inf));
  EXPECT_FALSE(same(DType::Float32, 1.0F, inf));
  EXPECT_FALSE(same(DType::Float32, -inf, inf));
  EXPECT_FALSE(same(DType::Float32, inf, 1.0F));
  EXPECT_TRUE(same(DType::Float32, nan, nan));
  EXPECT_FALSE(same(DType::Float32, nan, inf));
}

TEST(Difference, SmallFloatsAreComparedByTheirValues) {
  constexpr std::uint16_t one = 0x3F80, next = 0x3F81, infinity = 0x7F80, nan = 0x7FC0, negativeZero = 0x8000;
  EXPECT_TRUE(same(DType::BFloat16, one, next, 1.6e-2, 1e-2)); // 1 and 1.0078125
  EXPECT_FALSE(same(DType::BFloat16, one, next));
  EXPECT_TRUE(same(DType::BFloat16, infinity, infinity, 1.6e-2, 1e-2));
  EXPECT_FALSE(same(DType::BFloat16, one, infinity, 1.6e-2, 1e-2));
  EXPECT_TRUE(same(DType::BFloat16, nan, nan));
  EXPECT_TRUE(same(DType::BFloat16, negativeZero, std::uint16_t{0}, 0, 0));
  constexpr std::uint16_t halfOne = 0x3C00, halfNext = 0x3C01, halfNan = 0x7E00, halfInfinity = 0x7C00;
  EXPECT_TRUE(same(DType::Float16, halfOne, halfNext, 2e-3, 1e-3)); // 1 and 1.0009765625
  EXPECT_FALSE(same(DType::Float16, halfOne, halfNext));
  EXPECT_FALSE(same(DType::Float16, halfNan, halfInfinity, 2e-3, 1e-3));
}

TEST(Difference, BothPartsOfAComplexNumberAreCompared) {
  using C = std::complex<float>;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(same(DType::Complex64, C(1, 2), C(1.00001F, 2.00001F)));
  EXPECT_FALSE(same(DType::Complex64, C(1, 2), C(1, 2.01F)));
  EXPECT_FALSE(same(DType::Complex64, C(1, 2), C(1.01F, 2)));
  EXPECT_TRUE(same(DType::Complex64, C(nan, inf), C(nan, inf)));
  EXPECT_FALSE(same(DType::Complex64, C(nan, inf), C(nan, -inf)));
}

TEST(Difference, SizesAndElementTypesAreTheSame) {
  const float values[] = {1, 1, 1};
  const auto array = [&](DType dtype, std::vector<std::int64_t> shape) {
    Array a;
    a.dtype = dtype;
    a.shape = std::move(shape);
    a.bytes = std::string_view(reinterpret_cast<const char *>(values), sizeof values);
    return a;
  };
  const Array three = array(DType::Float32, {3});
  EXPECT_FALSE(differenceOf(three, array(DType::Float32, {3}), 0, 0));
  EXPECT_TRUE(differenceOf(three, array(DType::Float32, {2}), 1, 1));
  EXPECT_TRUE(differenceOf(three, array(DType::Float32, {1, 3}), 1, 1));
  EXPECT_TRUE(differenceOf(three, array(DType::Int32, {3}), 1, 1));
  EXPECT_FALSE(differenceOf(array(DType::Float32, {0}), array(DType::Float32, {0}), 0, 0));
  EXPECT_TRUE(differenceOf(array(DType::Float32, {0}), array(DType::Float32, {0, 1}), 0, 0));
}

TEST(Difference, LargeNumbersAreToldApart) {
  constexpr std::int64_t large = std::int64_t{1} << 60;
  EXPECT_FALSE(same(DType::Int64, large, large + 1, 0, 0));
  EXPECT_TRUE(same(DType::Int64, large, large, 0, 0));
  EXPECT_FALSE(same(DType::Int64, INT64_MIN, INT64_MAX, 0, 0));
}

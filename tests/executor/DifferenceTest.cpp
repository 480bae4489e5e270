//===- DifferenceTest.cpp - What differs from what is expected -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Array.h"
#include "condlint/Executor.h"
#include <gtest/gtest.h>
#include <limits>

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

TEST(Difference, LargeNumbersAreToldApart) {
  constexpr std::int64_t large = std::int64_t{1} << 60;
  EXPECT_FALSE(same(DType::Int64, large, large + 1, 0, 0));
  EXPECT_TRUE(same(DType::Int64, large, large, 0, 0));
  EXPECT_FALSE(same(DType::Int64, INT64_MIN, INT64_MAX, 0, 0));
}

//===- ProductTest.cpp - Matrix products --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What the library makes of a product is what its definition says, of one row or column too.
#include "executor/cpu/CpuDevice.h"
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace condlint::test {
namespace {

/// The product of small whole numbers by \p multiply; the matrices lie in wider ones.
template <class T, class F> std::vector<T> productOf(MatrixProduct p, F multiply) {
  constexpr std::int64_t wide = 8;
  std::vector<T> a(wide * wide), b(wide * wide), c(wide * wide, p.beta == 0 ? std::numeric_limits<T>::quiet_NaN() : 3);
  std::iota(a.begin(), a.end(), T(-20));
  std::iota(b.begin(), b.end(), T(-5));
  p.lda = p.ldb = p.ldc = wide;
  p.a = a.data();
  p.b = b.data();
  p.c = c.data();
  multiply(p);
  std::vector<T> out;
  for (std::int64_t i = 0; i < p.m; ++i)
    for (std::int64_t j = 0; j < p.n; ++j)
      out.push_back(c[static_cast<std::size_t>(i * wide + j)]);
  return out;
}

template <class T> void byDefinition(const MatrixProduct &p) {
  const auto at = [](const void *matrix, bool transposed, std::int64_t ld, std::int64_t i, std::int64_t j) {
    return static_cast<const T *>(matrix)[transposed ? j * ld + i : i * ld + j];
  };
  for (std::int64_t i = 0; i < p.m; ++i)
    for (std::int64_t j = 0; j < p.n; ++j) {
      T sum = 0, &out = static_cast<T *>(p.c)[i * p.ldc + j];
      for (std::int64_t k = 0; k < p.k; ++k)
        sum += at(p.a, p.transposeA, p.lda, i, k) * at(p.b, p.transposeB, p.ldb, k, j);
      out = static_cast<T>(p.alpha) * sum + (p.beta == 0 ? 0 : static_cast<T>(p.beta) * out);
    }
}

template <class T> void compareAll(DType dtype) {
  CpuDevice device;
  for (std::int64_t m : {1, 2, 3})
    for (std::int64_t n : {1, 2, 5})
      for (std::int64_t k : {0, 1, 4})
        for (unsigned options = 0; options < 8; ++options) {
          MatrixProduct p;
          p.dtype = dtype;
          p.m = m;
          p.n = n;
          p.k = k;
          p.transposeA = (options & 1) != 0;
          p.transposeB = (options & 2) != 0;
          p.alpha = 2;
          p.beta = (options & 4) != 0 ? 1 : 0;
          EXPECT_EQ(productOf<T>(p, [&](const MatrixProduct &q) { device.multiply(q); }),
                    productOf<T>(p, byDefinition<T>))
              << m << 'x' << k << " by " << k << 'x' << n << ", options " << options;
        }
}

TEST(Product, OfFloats) { compareAll<float>(DType::Float32); }
TEST(Product, OfDoubles) { compareAll<double>(DType::Float64); }

} // namespace
} // namespace condlint::test

//===- ComplexTest.cpp - Complex numbers --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Complex numbers agree with the standard library's, those of a GPU within rounding.
#include "ops/Complex.h"
#include <complex>
#include <gtest/gtest.h>
#include <limits>

namespace condlint::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double parts[] = {0.0, -0.0, 1.0, -2.5, 3e-300, 4e300, infinity, std::numeric_limits<double>::quiet_NaN()};

bool same(double a, double b) { return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b)); }

TEST(Complex, ArithmeticIsTheStandardLibrarys) {
  using Std = std::complex<double>;
  for (double a : parts)
    for (double b : parts)
      for (double c : parts)
        for (double d : parts) {
          const ComplexDouble x(a, b), y(c, d);
          const Std p(a, b), q(c, d);
          const auto agree = [&](ComplexDouble got, Std wanted, const char *what) {
            EXPECT_TRUE(same(got.real(), wanted.real()) && same(got.imag(), wanted.imag()))
                << p << what << q << ": " << Std(got) << ", not " << wanted;
          };
          agree(x + y, p + q, " + ");
          agree(x - y, p - q, " - ");
          agree(x * y, p * q, " * ");
          agree(x / y, p / q, " / ");
          agree(x * c, p * c, " * real ");
          agree(x / c, p / c, " / real ");
          agree(x + c, p + c, " + real ");
          EXPECT_EQ(x == y, p == q);
        }
}

TEST(Complex, AGpusDivisionIsRight) {
  for (const auto &[x, y] :
       {std::pair(ComplexDouble(1, 2), ComplexDouble(3, -4)), std::pair(ComplexDouble(-5, 0.5), ComplexDouble(0, 2)),
        std::pair(ComplexDouble(7, 1), ComplexDouble(-2, 0)),
        std::pair(ComplexDouble(1e300, 1e300), ComplexDouble(2e300, 1e300))}) {
    const ComplexDouble got = ComplexDouble::quotient(x, y), wanted = x / y;
    EXPECT_DOUBLE_EQ(got.real(), wanted.real());
    EXPECT_DOUBLE_EQ(got.imag(), wanted.imag());
  }
  const ComplexDouble byZero = ComplexDouble::quotient(ComplexDouble(1, 0), ComplexDouble(0));
  EXPECT_EQ(byZero.real(), infinity);
}

} // namespace
} // namespace condlint::test

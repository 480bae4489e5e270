//===- Complex.h - Complex numbers on host and device -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_COMPLEX_H
#define CONDLINT_LIB_OPS_COMPLEX_H

#include "Device.h"
#include <cmath>
#include <complex>

namespace condlint {

/// A complex number of doubles, laid out as std::complex. That one cannot be used on a
/// GPU: nvcc takes libstdc++'s arithmetic without a word and leaves it out.
class ComplexDouble {
public:
  ComplexDouble() = default;
  CONDLINT_HD constexpr ComplexDouble(double r, double i = 0) : re(r), im(i) {}
  ComplexDouble(std::complex<double> z) : re(z.real()), im(z.imag()) {}
  operator std::complex<double>() const { return {re, im}; }

  CONDLINT_HD constexpr double real() const { return re; }
  CONDLINT_HD constexpr double imag() const { return im; }

  CONDLINT_HD friend ComplexDouble operator-(ComplexDouble a) { return {-a.re, -a.im}; }
  CONDLINT_HD friend ComplexDouble operator+(ComplexDouble a, ComplexDouble b) { return {a.re + b.re, a.im + b.im}; }
  CONDLINT_HD friend ComplexDouble operator-(ComplexDouble a, ComplexDouble b) { return {a.re - b.re, a.im - b.im}; }
  CONDLINT_HD friend ComplexDouble operator*(ComplexDouble a, ComplexDouble b) {
    const ComplexDouble product(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
#ifndef __CUDA_ARCH__
    if (std::isnan(product.re) && std::isnan(product.im)) // infinities, as C99 multiplies them
      return std::complex<double>(a) * std::complex<double>(b);
#endif
    return product;
  }
  CONDLINT_HD friend ComplexDouble operator/(ComplexDouble a, ComplexDouble b) {
#ifdef __CUDA_ARCH__
    return quotient(a, b);
#else
    return std::complex<double>(a) / std::complex<double>(b);
#endif
  }
  // A real number has no imaginary part, not one of zero.
  CONDLINT_HD friend ComplexDouble operator+(ComplexDouble a, double b) { return {a.re + b, a.im}; }
  CONDLINT_HD friend ComplexDouble operator-(ComplexDouble a, double b) { return {a.re - b, a.im}; }
  CONDLINT_HD friend ComplexDouble operator*(ComplexDouble a, double b) { return {a.re * b, a.im * b}; }
  CONDLINT_HD friend ComplexDouble operator/(ComplexDouble a, double b) { return {a.re / b, a.im / b}; }
  CONDLINT_HD friend ComplexDouble operator*(double a, ComplexDouble b) { return b * a; }
  CONDLINT_HD friend bool operator==(ComplexDouble a, ComplexDouble b) { return a.re == b.re && a.im == b.im; }

  CONDLINT_HD ComplexDouble &operator+=(ComplexDouble b) { return *this = *this + b; }
  CONDLINT_HD ComplexDouble &operator-=(ComplexDouble b) { return *this = *this - b; }
  CONDLINT_HD ComplexDouble &operator*=(ComplexDouble b) { return *this = *this * b; }
  CONDLINT_HD ComplexDouble &operator/=(ComplexDouble b) { return *this = *this / b; }

  /// Smith's division, which neither overflows nor vanishes before its result does: a GPU's.
  CONDLINT_HD static ComplexDouble quotient(ComplexDouble a, ComplexDouble b) {
    const auto size = [](double v) { return v < 0 ? -v : v; };
    if (size(b.re) >= size(b.im)) {
      const double ratio = b.re == 0 ? 0 : b.im / b.re, divisor = b.re + b.im * ratio;
      return {(a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor};
    }
    const double ratio = b.re / b.im, divisor = b.im + b.re * ratio;
    return {(a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor};
  }

private:
  double re = 0, im = 0;
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_COMPLEX_H

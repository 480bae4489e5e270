//===- FloatMath.h - Functions of a float, several at once ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What models ask for most: exp, erf and tanh of floats. The C library's are called
// once an element; these have no branch, no table and no call, so that a loop over a
// row becomes vector instructions. Each step is rounded by itself, so an element's
// result does not depend on where it stands. Within 2 units in the last place of the
// true value (tests/ops/FloatMathTest.cpp). On a GPU the library's own are as quick.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_FLOATMATH_H
#define CONDLINT_LIB_OPS_KERNELS_FLOATMATH_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace condlint::math {

/// The polynomial with coefficients from the highest power down, at \p x.
template <class... C> constexpr float polynomial(float x, float highest, C... rest) {
  float sum = highest;
  ((sum = sum * x + rest), ...);
  return sum;
}

/// 2 to the power of \p n, for n from -126 to 127.
inline float powerOfTwo(std::int32_t n) { return std::bit_cast<float>((n + 127) << 23); }

/// e to the power of \p x.
inline float expOf(float x) {
  // Beyond these the result is 0 or infinite; what is no number passes.
  const float low = x < -104.0F ? -104.0F : x, within = low > 89.0F ? 89.0F : low;
  // x = n ln 2 + r: adding 1.5 * 2^23 leaves the nearest whole number in the lowest bits.
  constexpr float toWhole = 12582912.0F;
  const float shifted = within * 1.44269504F + toWhole, n = shifted - toWhole;
  // ln 2 in two parts, the first of which has few digits: n times it is exact.
  const float r = (within - n * 0.693359375F) + n * 2.12194440e-4F;
  const float power = polynomial(r, 0.00139517172F, 0.00836959841F, 0.0416661873F, 0.166665129F, 0.5F, 1.0F) * r + 1.0F;
  const std::int32_t whole = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(toWhole);
  // In two halves, for results beyond the normal numbers on either side.
  const std::int32_t half = whole >> 1;
  return power * powerOfTwo(half) * powerOfTwo(whole - half);
}

inline float erfOf(float x) {
  const float size = std::fabs(x), t = size > 4.0F ? 4.0F : size;
  const float square = t * t;
  const float small = t + t * polynomial(square, 8.40992077e-05F, -0.0008152628F, 0.00520196023F, -0.0268597986F,
                                         0.112837033F, -0.376126343F, 0.128379167F);
  // The logarithm of 1 - erf is nearly a parabola.
  const float large = 1.0F - expOf(polynomial(t, 0.000195050699F, -0.0030347161F, 0.0221938745F, -0.103864912F,
                                              -0.637255982F, -1.12763323F, -0.000205591863F));
  return std::copysign(t < 0.92F ? small : large, x);
}

inline float tanhOf(float x) {
  const float size = std::fabs(x), square = size * size;
  const float small = size * polynomial(square, 0.00208305184F, -0.00810963406F, 0.0216718342F, -0.053941025F,
                                        0.133331528F, -0.333333288F, 1.0F);
  const float large = 1.0F - 2.0F / (expOf(2.0F * size) + 1.0F);
  return std::copysign(size < 0.64F ? small : large, x);
}

} // namespace condlint::math

#endif // CONDLINT_LIB_OPS_KERNELS_FLOATMATH_H

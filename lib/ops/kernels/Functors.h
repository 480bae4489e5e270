//===- Functors.h - Arithmetic, comparison, logic ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_FUNCTORS_H
#define CONDLINT_LIB_OPS_KERNELS_FUNCTORS_H

#include "Element.h"
#include "Math.h"
#include <cmath>

namespace condlint {

template <class T> inline constexpr bool isComplexNumber = std::is_same_v<T, ComplexDouble>;
template <class T> inline constexpr bool isWholeNumber = std::is_integral_v<T>;
template <class T> inline constexpr bool isReal = std::is_floating_point_v<T>;

// Integers wrap around, as they do in torch and ONNX.
template <class T> CONDLINT_HD T wrapAdd(T a, T b) {
  if constexpr (isWholeNumber<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}
template <class T> CONDLINT_HD T wrapSub(T a, T b) {
  if constexpr (isWholeNumber<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  else
    return a - b;
}
template <class T> CONDLINT_HD T wrapMul(T a, T b) {
  if constexpr (isWholeNumber<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}
template <class T> CONDLINT_HD bool isNan(T x) {
  if constexpr (isReal<T>)
    return std::isnan(x);
  else if constexpr (isComplexNumber<T>)
    return std::isnan(x.real()) || std::isnan(x.imag());
  else
    return false;
}
template <class T> CONDLINT_HD bool isInfinite(T x) {
  if constexpr (isReal<T>)
    return std::isinf(x);
  else if constexpr (isComplexNumber<T>)
    return isInfinite(x.real()) || isInfinite(x.imag());
  else
    return false;
}
/// A number of the functor's own as the type it computes in.
template <class T> CONDLINT_HD T number(double v) { return convertNumber<T>(v); }

// --- binary arithmetic ------------------------------------------------------------

struct Same : ElementFunctor<1, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a) const { return a; }
};
struct Add : ElementFunctor<2, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return wrapAdd(a, b); }
};
struct Subtract : ElementFunctor<2, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return wrapSub(a, b); }
};
/// a + alpha * b
struct AddScaled : ElementFunctor<2, Numbers> {
  double real = 1;
  std::int64_t whole = 1;
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if constexpr (isWholeNumber<T>)
      return wrapAdd(a, wrapMul(static_cast<T>(whole), b));
    else
      return a + number<T>(real) * b;
  }
};
struct Multiply : ElementFunctor<2, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return wrapMul(a, b); }
};
/// True division; of integers rounding towards zero, by zero 0 (the kernels refuse that).
struct Divide : ElementFunctor<2, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if constexpr (isWholeNumber<T>) {
      if (b == 0)
        return 0;
      if constexpr (std::is_signed_v<T>)
        return b == -1 ? wrapSub(T(0), a) : a / b;
      else
        return a / b;
    } else {
      return a / b;
    }
  }
};
struct FloorDivide : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if constexpr (isWholeNumber<T>) {
      const T q = Divide()(a, b);
      if constexpr (std::is_signed_v<T>)
        return b != 0 && b != -1 && a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
      else
        return q;
    } else {
      // As Python: from the remainder, so that the quotient is exact.
      if (b == 0)
        return a / b;
      const T mod = std::fmod(a, b);
      T q = (a - mod) / b;
      if (mod != 0 && (b < 0) != (mod < 0))
        q -= 1;
      if (q == 0)
        return std::copysign(T(0), a / b);
      const T floored = std::floor(q);
      return q - floored > T(0.5) ? floored + 1 : floored;
    }
  }
};
struct TruncDivide : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if constexpr (isWholeNumber<T>)
      return Divide()(a, b);
    else
      return std::trunc(a / b);
  }
};
/// With the sign of the divisor (Python's %).
struct Remainder : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if constexpr (isWholeNumber<T>) {
      if (b == 0)
        return 0;
      if constexpr (std::is_signed_v<T>) {
        const T r = b == -1 ? 0 : a % b;
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
      } else {
        return a % b;
      }
    } else {
      const T r = std::fmod(a, b);
      return r != 0 && (b < 0) != (r < 0) ? r + b : r;
    }
  }
};
/// With the sign of the dividend (C's fmod).
struct Fmod : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if constexpr (isWholeNumber<T>) {
      if (b == 0)
        return 0;
      if constexpr (std::is_signed_v<T>)
        return b == -1 ? 0 : a % b;
      else
        return a % b;
    } else {
      return std::fmod(a, b);
    }
  }
};
struct Power : ElementFunctor<2, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if constexpr (isWholeNumber<T>) {
      if constexpr (std::is_signed_v<T>)
        if (b < 0) {
          if (a == 1)
            return 1;
          return a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
        }
      T result = 1;
      for (T base = a; b != 0; b /= 2) {
        if (b % 2 != 0)
          result = wrapMul(result, base);
        base = wrapMul(base, base);
      }
      return result;
    } else if constexpr (isComplexNumber<T>) {
      if (b == T(2))
        return a * a;
      if (a == T(0))
        return b == T(0) ? T(1) : T(0);
      return math::pow(a, b);
    } else {
      return b == T(2) ? a * a : math::pow(a, b);
    }
  }
};
struct Maximum : ElementFunctor<2, Reals> { ///< NaN wins
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return isNan(a) ? a : (isNan(b) || b > a ? b : a); }
};
struct Minimum : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return isNan(a) ? a : (isNan(b) || b < a ? b : a); }
};
struct Fmax : ElementFunctor<2, Reals> { ///< NaN loses
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return isNan(a) ? b : (isNan(b) || a > b ? a : b); }
};
struct Fmin : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return isNan(a) ? b : (isNan(b) || a < b ? a : b); }
};

// --- comparison and logic -----------------------------------------------------------

struct Equal : ElementFunctor<2, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a == b; }
};
struct NotEqual : ElementFunctor<2, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a != b; }
};
struct Less : ElementFunctor<2, Reals, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a < b; }
};
struct LessEqual : ElementFunctor<2, Reals, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a <= b; }
};
struct Greater : ElementFunctor<2, Reals, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a > b; }
};
struct GreaterEqual : ElementFunctor<2, Reals, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a >= b; }
};
struct LogicalAnd : ElementFunctor<2, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a != T(0) && b != T(0); }
};
struct LogicalOr : ElementFunctor<2, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return a != T(0) || b != T(0); }
};
struct LogicalXor : ElementFunctor<2, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a, T b) const { return (a != T(0)) != (b != T(0)); }
};
struct LogicalNot : ElementFunctor<1, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a) const { return a == T(0); }
};
struct IsClose : ElementFunctor<2, Numbers, true> {
  double rtol = 1e-5, atol = 1e-8;
  bool equalNan = false;
  template <class T> CONDLINT_HD bool operator()(T a, T b) const {
    if (a == b)
      return true;
    if (isNan(a) || isNan(b))
      return equalNan && isNan(a) && isNan(b);
    if (isInfinite(a) || isInfinite(b))
      return false;
    if constexpr (isComplexNumber<T>)
      return math::abs(a - b) <= atol + rtol * math::abs(b);
    else
      return std::fabs(static_cast<double>(a) - static_cast<double>(b)) <=
             atol + rtol * std::fabs(static_cast<double>(b));
  }
};
struct IsNan : ElementFunctor<1, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a) const { return isNan(a); }
};
struct IsInfinite : ElementFunctor<1, Numbers, true> {
  bool positive = true, negative = true;
  template <class T> CONDLINT_HD bool operator()(T a) const {
    if constexpr (isReal<T>)
      return isInfinite(a) && (a > 0 ? positive : negative);
    else
      return isInfinite(a);
  }
};
struct IsFinite : ElementFunctor<1, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a) const { return !isNan(a) && !isInfinite(a); }
};
struct SignBit : ElementFunctor<1, Reals, true> {
  template <class T> CONDLINT_HD bool operator()(T a) const {
    if constexpr (isReal<T>)
      return std::signbit(a);
    else
      return a < T(0) || false;
  }
};
struct IsReal : ElementFunctor<1, Numbers, true> {
  template <class T> CONDLINT_HD bool operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return a.imag() == 0;
    static_cast<void>(a); // a real number
    return true;
  }
};
struct BitAnd : ElementFunctor<2, Integers> {
  CONDLINT_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a & b; }
};
struct BitOr : ElementFunctor<2, Integers> {
  CONDLINT_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a | b; }
};
struct BitXor : ElementFunctor<2, Integers> {
  CONDLINT_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a ^ b; }
};
struct BitNot : ElementFunctor<1, Integers> {
  CONDLINT_HD std::int64_t operator()(std::int64_t a) const { return ~a; }
};
struct ShiftLeft : ElementFunctor<2, Integers> {
  int bits = 64; ///< of the element type; beyond them all is shifted out
  CONDLINT_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return b < 0 || b >= bits ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
  }
};
struct ShiftRight : ElementFunctor<2, Integers | Unsigned> {
  int bits = 64;
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if (static_cast<std::uint64_t>(b) >= static_cast<std::uint64_t>(bits))
      return a < T(0) ? static_cast<T>(-1) : T(0);
    return a >> b;
  }
};
template <class T> CONDLINT_HD T greatestDivisor(T a, T b) {
  while (b != 0) {
    const T r = a % b;
    a = b;
    b = r;
  }
  return a;
}
struct Gcd : ElementFunctor<2, Integers> {
  CONDLINT_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    const auto magnitude = [](std::int64_t v) { return v < 0 ? wrapSub(std::int64_t{0}, v) : v; };
    return greatestDivisor(magnitude(a), magnitude(b));
  }
};
struct Lcm : ElementFunctor<2, Integers> {
  CONDLINT_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    const std::int64_t g = Gcd()(a, b);
    const std::int64_t v = g == 0 ? 0 : wrapMul(a / g, b);
    return v < 0 ? wrapSub(std::int64_t{0}, v) : v;
  }
};

// --- selection ----------------------------------------------------------------------

struct Select : ElementFunctor<3, Numbers> {
  template <class T> CONDLINT_HD T operator()(T condition, T a, T b) const { return condition != T(0) ? a : b; }
};
/// max(min(x, high), low) with bounds as operands; NaN stays.
struct Clamp : ElementFunctor<3, Reals> {
  template <class T> CONDLINT_HD T operator()(T x, T low, T high) const {
    return isNan(x) ? x : Minimum()(Maximum()(x, low), high);
  }
};

// --- unary arithmetic ---------------------------------------------------------------

struct Negate : ElementFunctor<1, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isWholeNumber<T>)
      return wrapSub(T(0), a);
    else
      return -a;
  }
};
/// Of a complex number its magnitude.
struct Absolute : ElementFunctor<1, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return math::abs(a);
    else if constexpr (isReal<T>)
      return std::fabs(a);
    else
      return a < T(0) ? wrapSub(T(0), a) : a;
  }
};
/// Rounding leaves integers alone.
template <class Float> struct Rounding : ElementFunctor<1, Reals> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isReal<T>)
      return Float::of(a);
    else
      return a;
  }
};
struct CeilOf {
  template <class T> CONDLINT_HD static T of(T a) { return std::ceil(a); }
};
struct FloorOf {
  template <class T> CONDLINT_HD static T of(T a) { return std::floor(a); }
};
struct TruncOf {
  template <class T> CONDLINT_HD static T of(T a) { return std::trunc(a); }
};
struct RoundOf { ///< ties to even
  template <class T> CONDLINT_HD static T of(T a) { return std::nearbyint(a); }
};
using Ceil = Rounding<CeilOf>;
using Floor = Rounding<FloorOf>;
using Trunc = Rounding<TruncOf>;
using Round = Rounding<RoundOf>;
/// To a number of decimals.
struct RoundDecimals : ElementFunctor<1, Reals> {
  double scale = 1;
  bool down = false; ///< tens instead of decimals
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isReal<T>)
      return down ? std::nearbyint(a / T(scale)) * T(scale) : std::nearbyint(a * T(scale)) / T(scale);
    else
      return a;
  }
};
struct Fraction : ElementFunctor<1, Floats> {
  template <class T> CONDLINT_HD T operator()(T a) const { return a - std::trunc(a); }
};
struct Sign : ElementFunctor<1, Numbers> {
  bool ofNan = false; ///< NaN has the sign 0 in torch; in ONNX it is its own
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return a == T(0) ? T(0) : a / math::abs(a);
    else if constexpr (isReal<T>)
      return isNan(a) && ofNan ? a : T(a > T(0)) - T(a < T(0));
    else
      return static_cast<T>(T(a > T(0)) - T(a < T(0)));
  }
};
struct Relu : ElementFunctor<1, Reals> {
  template <class T> CONDLINT_HD T operator()(T a) const { return isNan(a) || a > T(0) ? a : T(0); }
};
struct Conjugate : ElementFunctor<1, Numbers> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return math::conj(a);
    else
      return a;
  }
};
struct NanToNum : ElementFunctor<1, Reals> {
  double nan = 0, positive = 0, negative = 0;
  template <class T> CONDLINT_HD T operator()(T a) const {
    if (isNan(a))
      return number<T>(nan);
    if (isInfinite(a))
      return number<T>(a > T(0) ? positive : negative);
    return a;
  }
};

// --- ternary ------------------------------------------------------------------------

/// a + value * b * c
struct AddProduct : ElementFunctor<3, Numbers> {
  double real = 1;
  std::int64_t whole = 1;
  template <class T> CONDLINT_HD T operator()(T a, T b, T c) const {
    if constexpr (isWholeNumber<T>)
      return wrapAdd(a, wrapMul(wrapMul(static_cast<T>(whole), b), c));
    else
      return a + number<T>(real) * b * c;
  }
};
/// a + value * (b / c)
struct AddQuotient : ElementFunctor<3, Floats | Complexes> {
  double value = 1;
  template <class T> CONDLINT_HD T operator()(T a, T b, T c) const { return a + number<T>(value) * (b / c); }
};
/// a + w * (b - a), exact at both ends
struct Lerp : ElementFunctor<3, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a, T b, T w) const {
    bool low = false;
    if constexpr (isComplexNumber<T>)
      low = math::abs(w) < 0.5;
    else
      low = std::fabs(w) < T(0.5);
    return low ? a + w * (b - a) : b - (b - a) * (T(1) - w);
  }
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_FUNCTORS_H

//===- FunctorsMath.h - Functions of real and complex numbers ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_FUNCTORSMATH_H
#define CONDLINT_LIB_OPS_KERNELS_FUNCTORSMATH_H

#include "Functors.h"
#include <limits>

namespace condlint {

/// A function of <cmath> that <complex> has too.
#define CONDLINT_MATH(Name, function)                                                                                  \
  struct Name : ElementFunctor<1, Floats | Complexes> {                                                                \
    template <class T> CONDLINT_HD T operator()(T a) const { return math::function(a); }                               \
  };
CONDLINT_MATH(Acos, acos)
CONDLINT_MATH(Acosh, acosh)
CONDLINT_MATH(Asin, asin)
CONDLINT_MATH(Asinh, asinh)
CONDLINT_MATH(Atan, atan)
CONDLINT_MATH(Atanh, atanh)
CONDLINT_MATH(Cos, cos)
CONDLINT_MATH(Cosh, cosh)
CONDLINT_MATH(Sin, sin)
CONDLINT_MATH(Sinh, sinh)
CONDLINT_MATH(Tan, tan)
CONDLINT_MATH(Log, log)
CONDLINT_MATH(Log10, log10)
CONDLINT_MATH(Sqrt, sqrt)
#undef CONDLINT_MATH

struct Exp : ElementFunctor<1, Floats | Complexes> {
  static constexpr bool wide = true;
  template <class T> CONDLINT_HD T operator()(T a) const { return math::exp(a); }
};
struct Tanh : ElementFunctor<1, Floats | Complexes> {
  static constexpr bool wide = true;
  template <class T> CONDLINT_HD T operator()(T a) const { return math::tanh(a); }
};
struct Erf : ElementFunctor<1, Floats> {
  static constexpr bool wide = true;
  template <class T> CONDLINT_HD T operator()(T a) const { return math::erf(a); }
};

/// One that is for real numbers only.
#define CONDLINT_MATH(Name, expression)                                                                                \
  struct Name : ElementFunctor<1, Floats> {                                                                            \
    template <class T> CONDLINT_HD T operator()(T a) const { return expression; }                                      \
  };
CONDLINT_MATH(Erfc, std::erfc(a))
CONDLINT_MATH(Lgamma, std::lgamma(a))
CONDLINT_MATH(Softsign, a / (T(1) + std::fabs(a)))
CONDLINT_MATH(LogSigmoid, (a < T(0) ? a : T(0)) - std::log1p(math::exp(-std::fabs(a))))
CONDLINT_MATH(DegreesToRadians, a *T(0.017453292519943295))
CONDLINT_MATH(RadiansToDegrees, a *T(57.29577951308232))
#undef CONDLINT_MATH

struct Exp2 : ElementFunctor<1, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return math::exp(a * 0.6931471805599453);
    else
      return std::exp2(a);
  }
};
struct Expm1 : ElementFunctor<1, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return math::exp(a) - 1.0;
    else
      return std::expm1(a);
  }
};
struct Log2 : ElementFunctor<1, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return math::log(a) / 0.6931471805599453;
    else
      return std::log2(a);
  }
};
struct Log1p : ElementFunctor<1, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return math::log(a + 1.0);
    else
      return std::log1p(a);
  }
};
struct Rsqrt : ElementFunctor<1, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const { return T(1) / math::sqrt(a); }
};
struct Reciprocal : ElementFunctor<1, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const { return T(1) / a; }
};
struct Sigmoid : ElementFunctor<1, Floats | Complexes> {
  static constexpr bool wide = true;
  template <class T> CONDLINT_HD T operator()(T a) const { return T(1) / (T(1) + math::exp(-a)); }
};
/// sin(pi x) / (pi x)
struct Sinc : ElementFunctor<1, Floats | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    const T x = a * number<T>(3.141592653589793);
    return a == T(0) ? T(1) : math::sin(x) / x;
  }
};
struct Angle : ElementFunctor<1, Reals | Complexes> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if constexpr (isComplexNumber<T>)
      return math::arg(a);
    else
      return isNan(a) ? a : number<T>(a < T(0) ? 3.141592653589793 : 0);
  }
};
struct Logit : ElementFunctor<1, Floats> {
  double eps = -1; ///< below 0: no clamp
  template <class T> CONDLINT_HD T operator()(T a) const {
    T x = a;
    if (eps >= 0)
      x = x < T(eps) ? T(eps) : (x > T(1 - eps) ? T(1 - eps) : x);
    return math::log(x / (T(1) - x));
  }
};
struct Entropy : ElementFunctor<1, Floats> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    if (isNan(a))
      return a;
    return a > T(0) ? -a * math::log(a) : (a == T(0) ? T(0) : -std::numeric_limits<T>::infinity());
  }
};

// --- binary -------------------------------------------------------------------------

struct Atan2 : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return std::atan2(a, b); }
};
struct Hypot : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return std::hypot(a, b); }
};
/// With mantissa bits: of a type that is narrower than the one it is computed in.
struct NextAfter : ElementFunctor<2, Floats> {
  int mantissa = 0, leastExponent = 0, largestExponent = 0;
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if (mantissa == 0 || isNan(a) || isNan(b) || a == b)
      return isNan(a) || isNan(b) ? a + b : std::nextafter(a, b);
    const T least = std::ldexp(T(1), leastExponent - mantissa);
    const T largest = std::ldexp(T(2) - std::ldexp(T(1), -mantissa), largestExponent);
    if (a == T(0))
      return std::copysign(least, b);
    const T size = std::fabs(a);
    if (isInfinite(a))
      return std::copysign(largest, a);
    const int own = std::ilogb(size), exponent = own > leastExponent ? own : leastExponent;
    const T step = std::ldexp(T(1), exponent - mantissa);
    if ((b > a) == (a > T(0)))
      return std::copysign(size == largest ? std::numeric_limits<T>::infinity() : size + step, a);
    const bool isPower = exponent > leastExponent && size == std::ldexp(T(1), exponent);
    return std::copysign(size - (isPower ? step / T(2) : step), a);
  }
};
struct CopySign : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return std::copysign(a, b); }
};
struct Heaviside : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return a == T(0) ? b : T(a > T(0)); }
};
/// log(exp(a) + exp(b)), in base 2 too.
struct LogAddExp : ElementFunctor<2, Floats> {
  bool base2 = false;
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if (isInfinite(a) && a == b)
      return a;
    const T m = a > b ? a : b, d = -std::fabs(a - b);
    if (isNan(a) || isNan(b))
      return a + b;
    return base2 ? m + std::log1p(std::exp2(d)) / T(0.6931471805599453) : m + std::log1p(math::exp(d));
  }
};
struct XLogY : ElementFunctor<2, Floats> {
  bool plusOne = false;
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    if (isNan(b))
      return b;
    if (a == T(0))
      return T(0);
    return a * (plusOne ? std::log1p(b) : math::log(b));
  }
};
struct Ldexp : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return a * math::pow(T(2), b); }
};
struct Polar : ElementFunctor<2, Complexes> { ///< magnitude, angle
  CONDLINT_HD ComplexDouble operator()(ComplexDouble a, ComplexDouble b) const {
    return {a.real() * math::cos(b.real()), a.real() * math::sin(b.real())};
  }
};
struct MakeComplex : ElementFunctor<2, Complexes> {
  CONDLINT_HD ComplexDouble operator()(ComplexDouble a, ComplexDouble b) const { return {a.real(), b.real()}; }
};

// --- activations --------------------------------------------------------------------

/// x > 0 ? scale * x : negative * (exp(x * input) - 1): elu, celu, selu.
struct Elu : ElementFunctor<1, Floats> {
  double negative = 1, scale = 1, input = 1;
  template <class T> CONDLINT_HD T operator()(T a) const {
    return a > T(0) ? T(scale) * a : T(negative) * std::expm1(a * T(input));
  }
};
// Two functors, for a loop that chooses becomes no vector instructions.
struct Gelu : ElementFunctor<1, Floats> {
  static constexpr bool wide = true;
  template <class T> CONDLINT_HD T operator()(T a) const {
    return T(0.5) * a * (T(1) + math::erf(a * T(0.7071067811865476)));
  }
};
struct TanhGelu : ElementFunctor<1, Floats> {
  static constexpr bool wide = true;
  template <class T> CONDLINT_HD T operator()(T a) const {
    return T(0.5) * a * (T(1) + math::tanh(T(0.7978845608028654) * (a + T(0.044715) * a * a * a)));
  }
};
struct LeakyRelu : ElementFunctor<1, Floats> {
  double slope = 0.01;
  template <class T> CONDLINT_HD T operator()(T a) const { return a > T(0) ? a : a * T(slope); }
};
struct PRelu : ElementFunctor<2, Reals> {
  template <class T> CONDLINT_HD T operator()(T a, T slope) const { return a > T(0) ? a : wrapMul(a, slope); }
};
struct HardSigmoid : ElementFunctor<1, Floats> {
  double alpha = 1.0 / 6, beta = 0.5;
  template <class T> CONDLINT_HD T operator()(T a) const {
    const T v = T(alpha) * a + T(beta);
    return v < T(0) ? T(0) : (v > T(1) ? T(1) : v);
  }
};
/// Torch multiplies first, and leaves the range for large numbers; ONNX does not.
struct HardSwish : ElementFunctor<1, Floats> {
  bool multipliesFirst = true;
  template <class T> CONDLINT_HD T operator()(T a) const {
    const T v = a + T(3), clipped = v < T(0) ? T(0) : (v > T(6) ? T(6) : v);
    return multipliesFirst ? a * clipped / T(6) : a * (clipped / T(6));
  }
};
/// Elements within [-lambda, lambda] vanish; others move towards zero by bias. NaN is no
/// element outside for ONNX.
struct Shrink : ElementFunctor<1, Reals> {
  double lambda = 0.5, bias = 0;
  bool keepsNan = true;
  template <class T> CONDLINT_HD T operator()(T a) const {
    const auto x = static_cast<double>(a);
    return x < -lambda ? convertNumber<T>(x + bias)
                       : (x > lambda ? convertNumber<T>(x - bias) : (keepsNan && isNan(a) ? a : T(0)));
  }
};
/// The same of ATen's hardshrink, which keeps what is outside as it is.
struct HardShrink : ElementFunctor<1, Floats> {
  double lambda = 0.5;
  template <class T> CONDLINT_HD T operator()(T a) const { return a >= T(-lambda) && a <= T(lambda) ? T(0) : a; }
};
struct Mish : ElementFunctor<1, Floats> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    return a * math::tanh(a > T(20) ? a : std::log1p(math::exp(a)));
  }
};
struct Silu : ElementFunctor<1, Floats | Complexes> {
  static constexpr bool wide = true;
  double alpha = 1;
  template <class T> CONDLINT_HD T operator()(T a) const { return a / (T(1) + math::exp(number<T>(-alpha) * a)); }
};
struct Softplus : ElementFunctor<1, Floats> {
  double beta = 1, threshold = 20;
  template <class T> CONDLINT_HD T operator()(T a) const {
    const T x = a * T(beta);
    if (x > T(threshold))
      return a;
    return (x > T(0) ? x + std::log1p(math::exp(-x)) : std::log1p(math::exp(x))) / T(beta);
  }
};
struct Threshold : ElementFunctor<1, Reals> {
  double threshold = 0, value = 0;
  bool keepsNan = true; ///< as torch does; ONNX has the value for what is not larger
  template <class T> CONDLINT_HD T operator()(T a) const {
    return (keepsNan && isNan(a)) || convertNumber<double>(a) > threshold ? a : convertNumber<T>(value);
  }
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_FUNCTORSMATH_H

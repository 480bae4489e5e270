//===- FunctorsSpecial.h - Special functions --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_FUNCTORSSPECIAL_H
#define CONDLINT_LIB_OPS_KERNELS_FUNCTORSSPECIAL_H

#include "Functors.h"
#include <cmath>

namespace condlint {

namespace special {

constexpr double pi = 3.141592653589793;

/// Giles' approximation, then two steps of Newton's method.
CONDLINT_HD inline double erfinv(double x) {
  if (std::isnan(x) || x < -1 || x > 1)
    return std::numeric_limits<double>::quiet_NaN();
  if (x == 1 || x == -1)
    return x * std::numeric_limits<double>::infinity();
  const double w = -std::log((1 - x) * (1 + x));
  double y = 0;
  if (w < 5) {
    const double v = w - 2.5;
    y = 2.81022636e-08;
    for (double k : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
                     0.246640727, 1.50140941})
      y = k + y * v;
  } else {
    const double v = std::sqrt(w) - 3;
    y = -0.000200214257;
    for (double k : {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
                     1.00167406, 2.83297682})
      y = k + y * v;
  }
  y *= x;
  for (int step = 0; step < 2; ++step)
    y -= (std::erf(y) - x) / (1.1283791670955126 * std::exp(-y * y));
  return y;
}

CONDLINT_HD inline double digamma(double x) {
  if (x == 0)
    return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x < 0) {
    if (x == std::floor(x))
      return std::numeric_limits<double>::quiet_NaN();
    return digamma(1 - x) - pi / std::tan(pi * x);
  }
  double result = 0;
  while (x < 10) {
    result -= 1 / x;
    x += 1;
  }
  if (x == 10)
    return result + 2.25175258906672110764;
  const double z = 1 / (x * x);
  double tail = 0;
  for (double k :
       {8.33333333333333333333e-2, -2.10927960927960927961e-2, 7.57575757575757575758e-3, -4.16666666666666666667e-3,
        3.96825396825396825397e-3, -8.33333333333333333333e-3, 8.33333333333333333333e-2})
    tail = tail * z + k;
  return result + std::log(x) - 0.5 / x - tail * z;
}

/// Hurwitz' zeta(x, q) by Euler and Maclaurin.
CONDLINT_HD inline double zeta(double x, double q) {
  if (x == 1)
    return std::numeric_limits<double>::infinity();
  if (x < 1)
    return std::numeric_limits<double>::quiet_NaN();
  if (q <= 0) {
    if (q == std::floor(q))
      return std::numeric_limits<double>::infinity();
    if (x != std::floor(x))
      return std::numeric_limits<double>::quiet_NaN();
  }
  double s = std::pow(q, -x), a = q, b = 0;
  for (int i = 0; i < 9 || a <= 9; ++i) {
    a += 1;
    b = std::pow(a, -x);
    s += b;
    if (std::fabs(b) < 1.1e-16 * std::fabs(s))
      return s;
  }
  const double w = a;
  s += b * w / (x - 1) - 0.5 * b;
  double factor = 1, k = 0;
  for (double c : {12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10,
                   -2.950130727918164224e12, 1.1646782814350067249e14, -4.5979787224074726105e15,
                   1.8152105401943546773e17, -7.1661652561756670113e18}) {
    factor *= x + k;
    b /= w;
    const double t = factor * b / c;
    s += t;
    if (std::fabs(t) < 1.1e-16 * std::fabs(s))
      return s;
    k += 1;
    factor *= x + k;
    b /= w;
    k += 1;
  }
  return s;
}

CONDLINT_HD inline double polygamma(int n, double x) {
  if (n == 0)
    return digamma(x);
  return (n % 2 == 0 ? -1 : 1) * std::exp(std::lgamma(n + 1.0)) * zeta(n + 1.0, x);
}

/// Modified Bessel functions of the first kind, by their series or, far out, their
/// asymptotic expansion; \p scaled by exp(-|x|).
CONDLINT_HD inline double besselI(int order, double x, bool scaled) {
  const double a = std::fabs(x);
  double value = 0;
  if (a < 20) {
    const double q = a * a / 4;
    double term = order == 0 ? 1 : a / 2;
    for (int k = 1; k < 200; ++k) {
      value += term;
      term *= q / (k * (k + order * 1.0));
      if (term < value * 1e-17)
        break;
    }
    value *= scaled ? std::exp(-a) : 1;
  } else {
    const double mu = 4.0 * order * order;
    double term = 1;
    for (int k = 1; k < 60; ++k) {
      value += term;
      const double next = -term * (mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8.0 * a);
      if (std::fabs(next) > std::fabs(term))
        break;
      term = next;
    }
    value *= (scaled ? 1 : std::exp(a)) / std::sqrt(2 * pi * a);
  }
  return order % 2 != 0 && x < 0 ? -value : value;
}

/// Regularised lower incomplete gamma function, or the upper one.
CONDLINT_HD inline double incompleteGamma(double a, double x, bool upper) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0)
    return std::numeric_limits<double>::quiet_NaN();
  if (a == 0)
    return x > 0 ? (upper ? 0 : 1) : std::numeric_limits<double>::quiet_NaN();
  if (x == 0)
    return upper ? 1 : 0;
  if (isInfinite(x))
    return upper ? 0 : 1;
  const double scale = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < 10000 && std::fabs(term) > std::fabs(sum) * 1e-17; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    return upper ? 1 - sum * scale : sum * scale;
  }
  // Lentz's continued fraction.
  const double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (int i = 1; i < 10000; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = an * d + b;
    d = std::fabs(d) < tiny ? tiny : d;
    c = b + an / c;
    c = std::fabs(c) < tiny ? tiny : c;
    d = 1 / d;
    const double delta = d * c;
    h *= delta;
    if (std::fabs(delta - 1) < 1e-16)
      break;
  }
  return upper ? scale * h : 1 - scale * h;
}

CONDLINT_HD inline double erfcx(double x) {
  if (x < 25)
    return std::exp(x * x) * std::erfc(x);
  const double r = 1 / (x * x);
  return 0.5641895835477563 / x * (1 - 0.5 * r * (1 - 1.5 * r * (1 - 2.5 * r)));
}

/// log of the normal distribution function.
CONDLINT_HD inline double logNdtr(double x) {
  if (x < -1)
    return std::log(erfcx(-x * 0.7071067811865476) / 2) - x * x / 2;
  return std::log1p(-std::erfc(x * 0.7071067811865476) / 2);
}

} // namespace special

/// A function of double as a functor; computed in double for float too.
#define CONDLINT_SPECIAL(Name, expression)                                                                             \
  struct Name : ElementFunctor<1, Floats> {                                                                            \
    template <class T> CONDLINT_HD T operator()(T a) const {                                                           \
      const double x = static_cast<double>(a);                                                                         \
      return static_cast<T>(expression);                                                                               \
    }                                                                                                                  \
  };
CONDLINT_SPECIAL(Erfinv, special::erfinv(x))
CONDLINT_SPECIAL(Erfcx, special::erfcx(x))
CONDLINT_SPECIAL(Digamma, special::digamma(x))
CONDLINT_SPECIAL(Ndtr, 0.5 * std::erfc(-x * 0.7071067811865476))
CONDLINT_SPECIAL(Ndtri, 1.4142135623730951 * special::erfinv(2 * x - 1))
CONDLINT_SPECIAL(LogNdtr, special::logNdtr(x))
CONDLINT_SPECIAL(BesselJ0, ::j0(x))
CONDLINT_SPECIAL(BesselJ1, ::j1(x))
CONDLINT_SPECIAL(BesselY0, ::y0(x))
CONDLINT_SPECIAL(BesselY1, ::y1(x))
CONDLINT_SPECIAL(SphericalBesselJ0, x == 0 ? 1.0 : std::sin(x) / x)
#undef CONDLINT_SPECIAL

struct BesselI : ElementFunctor<1, Floats> {
  int order = 0;
  bool scaled = false;
  template <class T> CONDLINT_HD T operator()(T a) const {
    return static_cast<T>(special::besselI(order, static_cast<double>(a), scaled));
  }
};
struct Polygamma : ElementFunctor<1, Floats> {
  int n = 0;
  template <class T> CONDLINT_HD T operator()(T a) const {
    return static_cast<T>(special::polygamma(n, static_cast<double>(a)));
  }
};
struct MultivariateLgamma : ElementFunctor<1, Floats> {
  int p = 1;
  template <class T> CONDLINT_HD T operator()(T a) const {
    double sum = p * (p - 1) / 4.0 * 1.1447298858494002;
    for (int i = 0; i < p; ++i)
      sum += std::lgamma(static_cast<double>(a) - i / 2.0);
    return static_cast<T>(sum);
  }
};
struct IncompleteGamma : ElementFunctor<2, Floats> {
  bool upper = false;
  template <class T> CONDLINT_HD T operator()(T a, T x) const {
    return static_cast<T>(special::incompleteGamma(static_cast<double>(a), static_cast<double>(x), upper));
  }
};
struct Zeta : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T x, T q) const {
    return static_cast<T>(special::zeta(static_cast<double>(x), static_cast<double>(q)));
  }
};
/// Orthogonal polynomials by their recurrences.
struct Polynomial : ElementFunctor<2, Floats> {
  enum Kind : int { ChebyshevT, ChebyshevU, ChebyshevV, ChebyshevW, HermiteH, HermiteHe, LaguerreL, LegendreP };
  int kind = ChebyshevT;
  bool shifted = false;
  template <class T> CONDLINT_HD T operator()(T at, T degree) const {
    const double x = shifted ? 2 * static_cast<double>(at) - 1 : static_cast<double>(at);
    const int n = std::isnan(degree) ? -1 : static_cast<int>(degree);
    if (n < 0 || n > 10000)
      return n < 0 ? T(0) : std::numeric_limits<T>::quiet_NaN();
    double before = 1, now = x;
    switch (kind) {
    case ChebyshevU:
    case HermiteH:
      now = 2 * x;
      break;
    case ChebyshevV:
      now = 2 * x - 1;
      break;
    case ChebyshevW:
      now = 2 * x + 1;
      break;
    case LaguerreL:
      now = 1 - x;
      break;
    default:
      break;
    }
    if (n == 0)
      return T(1);
    for (int k = 1; k < n; ++k) {
      double next = 2 * x * now - before;
      if (kind == HermiteH)
        next = 2 * x * now - 2 * k * before;
      else if (kind == HermiteHe)
        next = x * now - k * before;
      else if (kind == LaguerreL)
        next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
      else if (kind == LegendreP)
        next = ((2 * k + 1) * x * now - k * before) / (k + 1);
      before = now;
      now = next;
    }
    return static_cast<T>(now);
  }
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_FUNCTORSSPECIAL_H

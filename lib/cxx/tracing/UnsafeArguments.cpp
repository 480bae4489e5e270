//===- UnsafeArguments.cpp - Where operators have no finite gradient --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnsafeArguments.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace condlint::cxx {

namespace {

struct Row {
  std::string_view name;
  bool (*isUnsafe)(double);
};

// Beyond these float32 has no numbers left.
constexpr double largestOfExp = 88.7, largestOfExp2 = 128, largestOfSinh = 89.4, largest = 3.4e38;

bool isZero(double x) { return x == 0; }
bool isNotPositive(double x) { return x <= 0; }
bool isOutsideOne(double x) { return std::abs(x) >= 1; }
bool isNoProbability(double x) { return x <= 0 || x >= 1; }
bool isPole(double x) { return x <= 0 && x == std::floor(x); }

constexpr std::array operands{
    Row{"log", isNotPositive},
    Row{"log2", isNotPositive},
    Row{"log10", isNotPositive},
    Row{"log1p", [](double x) { return x <= -1; }},
    Row{"sqrt", isNotPositive},
    Row{"rsqrt", isNotPositive},
    Row{"reciprocal", isZero},
    Row{"exp", [](double x) { return x > largestOfExp; }},
    Row{"expm1", [](double x) { return x > largestOfExp; }},
    Row{"exp2", [](double x) { return x >= largestOfExp2; }},
    Row{"sinh", [](double x) { return std::abs(x) > largestOfSinh; }},
    Row{"cosh", [](double x) { return std::abs(x) > largestOfSinh; }},
    Row{"i0", [](double x) { return std::abs(x) > largestOfExp; }},
    Row{"i1", [](double x) { return std::abs(x) > largestOfExp; }},
    Row{"erfcx", [](double x) { return x < -9.4; }},
    Row{"acos", isOutsideOne},
    Row{"arccos", isOutsideOne},
    Row{"asin", isOutsideOne},
    Row{"arcsin", isOutsideOne},
    Row{"atanh", isOutsideOne},
    Row{"arctanh", isOutsideOne},
    Row{"erfinv", isOutsideOne},
    Row{"acosh", [](double x) { return x <= 1; }},
    Row{"arccosh", [](double x) { return x <= 1; }},
    Row{"logit", isNoProbability},
    Row{"ndtri", isNoProbability},
    Row{"entr", isNotPositive},
    Row{"lgamma", isPole},
    Row{"gammaln", isPole},
    Row{"digamma", isPole},
    Row{"psi", isPole},
    Row{"hypot", isZero}, // of two zeros
};

constexpr std::array secondOperands{
    Row{"hypot", isZero},
    Row{"div", isZero},
    Row{"true_divide", isZero},
    Row{"divide", isZero},
    Row{"floor_divide", isZero},
    Row{"fmod", isZero},
    Row{"remainder", isZero},
    Row{"xlogy", isNotPositive},
    Row{"xlog1py", [](double x) { return x <= -1; }},
    Row{"igamma", isNotPositive},
    Row{"igammac", isNotPositive},
    Row{"polygamma", isPole},
    Row{"zeta", isPole},
    Row{"ldexp", [](double x) { return x >= largestOfExp2; }},
};

/// `special_expm1` is `expm1`.
std::string_view plainName(std::string_view name) {
  constexpr std::string_view prefix = "special_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

template <class Rows> Region regionOf(const Rows &rows, std::string_view name) {
  const auto *row = std::ranges::find(rows, plainName(name), &Row::name);
  return row == std::ranges::end(rows) ? Region() : Region(row->isUnsafe);
}

} // namespace

Region unsafeOperand(std::string_view name) { return regionOf(operands, name); }

Region unsafeSecondOperand(std::string_view name) { return regionOf(secondOperands, name); }

Region unsafeBase(std::optional<double> exponent) {
  if (!exponent)
    return isNotPositive;
  const double e = *exponent;
  const bool isWhole = e == std::floor(e);
  if (e < 1)
    return !isWhole ? Region(isNotPositive) : e < 0 ? Region(isZero) : Region();
  return [=](double x) { return (!isWhole && x < 0) || e * std::pow(std::abs(x), e - 1) > largest; };
}

Region unsafeMultigamma(std::optional<double> order) {
  return [most = (order.value_or(1) - 1) / 2](double x) { return x <= most; };
}

Region unsafeDivisor() { return isZero; }

Region unsafeExponent(std::optional<double> base) {
  if (!base || *base <= 0 || *base == 1)
    return nullptr;
  return [digits = std::log2(*base)](double x) { return x * digits >= largestOfExp2; };
}

std::function<double(double)> functionOf(std::string_view name) {
  struct Function {
    std::string_view name;
    double (*of)(double);
  };
  static constexpr std::array functions{
      Function{"abs", [](double x) { return std::abs(x); }},
      Function{"absolute", [](double x) { return std::abs(x); }},
      Function{"neg", [](double x) { return -x; }},
      Function{"negative", [](double x) { return -x; }},
      Function{"square", [](double x) { return x * x; }},
      Function{"exp", [](double x) { return std::exp(x); }},
      Function{"expm1", [](double x) { return std::expm1(x); }},
      Function{"reciprocal", [](double x) { return 1 / x; }},
      Function{"log", [](double x) { return std::log(x); }},
      Function{"log1p", [](double x) { return std::log1p(x); }},
      Function{"sqrt", [](double x) { return std::sqrt(x); }},
  };
  const auto *found = std::ranges::find(functions, plainName(name), &Function::name);
  return found == functions.end() ? nullptr : std::function<double(double)>(found->of);
}

} // namespace condlint::cxx

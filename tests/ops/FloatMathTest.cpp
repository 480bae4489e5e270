//===- FloatMathTest.cpp - Functions of floating numbers ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/kernels/FloatMath.h"
#include "ops/kernels/WideVectors.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace condlint;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Floats of every exponent and of either sign, zeros and infinities.
std::vector<float> samples() {
  std::vector<float> all;
  for (std::uint64_t bits = 0; bits <= UINT32_MAX; bits += 40961)
    if (const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits)); !std::isnan(x))
      all.push_back(x);
  all.insert(all.end(),
             {0.0F, -0.0F, infinity, -infinity, 88.72283F, 88.72284F, -87.4F, -103.9F, -104.1F, 0.92F, 0.64F});
  return all;
}

/// The distance of \p got from \p exact, in units of the last place of the float that is nearest to it.
double unitsApart(float got, double exact) {
  const auto nearest = static_cast<float>(exact);
  if (std::isinf(nearest) || std::isinf(got))
    return got == nearest || std::fabs(exact) > 3.4028234e38 ? 0 : static_cast<double>(infinity);
  const float size = std::max(std::fabs(nearest), std::numeric_limits<float>::min());
  return std::fabs(static_cast<double>(got) - exact) / static_cast<double>(std::nextafter(size, infinity) - size);
}

struct Function {
  const char *name;
  float (*ours)(float);
  double (*exact)(double);
};
const Function functions[] = {
    {"exp", math::expOf, [](double x) { return std::exp(x); }},
    {"erf", math::erfOf, [](double x) { return std::erf(x); }},
    {"tanh", math::tanhOf, [](double x) { return std::tanh(x); }},
};

TEST(FloatMath, isWithinTwoUnitsOfTheLastPlace) {
  const std::vector<float> all = samples();
  for (const Function &f : functions) {
    double worst = 0;
    float where = 0;
    for (float x : all)
      if (const double apart = unitsApart(f.ours(x), f.exact(static_cast<double>(x))); !(apart <= worst)) {
        worst = apart;
        where = x;
      }
    EXPECT_LE(worst, 2) << f.name << " of " << where;
  }
}

TEST(FloatMath, keepsSignsAndWhatIsNoNumber) {
  for (const Function &f : functions)
    EXPECT_TRUE(std::isnan(f.ours(std::numeric_limits<float>::quiet_NaN()))) << f.name;
  EXPECT_EQ(math::expOf(-infinity), 0);
  EXPECT_EQ(math::expOf(0), 1);
  for (float (*odd)(float) : {math::erfOf, math::tanhOf}) {
    EXPECT_TRUE(std::signbit(odd(-0.0F)));
    EXPECT_FALSE(std::signbit(odd(0.0F)));
    EXPECT_EQ(odd(infinity), 1);
    EXPECT_EQ(odd(-infinity), -1);
  }
}

TEST(FloatMath, isTheSameInVectorsOfEveryWidth) {
  const std::vector<float> all = samples();
  for (const Function &f : functions) {
    std::vector<float> wide(all.size());
    withWideVectors([&] {
      for (std::size_t i = 0; i < all.size(); ++i)
        wide[i] = f.ours(all[i]);
    });
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]), std::bit_cast<std::uint32_t>(f.ours(all[i])))
          << f.name << " of " << all[i];
  }
}

} // namespace

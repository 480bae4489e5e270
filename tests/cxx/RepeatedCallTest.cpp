//===- RepeatedCallTest.cpp - Helpers that call helpers twice --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

/// Functions `twice<N>`, each of which calls the one before on what that returns, and `sum<N>`, which adds what it
/// returns twice: run anew at each call, \p what is run 2^N times.
std::string doubling(const std::string &what) {
  return "torch::Tensor base(const torch::Tensor &x) {\n" + what + R"(
}
template <int N> torch::Tensor twice(const torch::Tensor &x) {
  if constexpr (N == 0)
    return base(x);
  else
    return twice<N - 1>(twice<N - 1>(x));
}
template <int N> torch::Tensor sum(const torch::Tensor &x) {
  if constexpr (N == 0)
    return base(x);
  else
    return sum<N - 1>(x) + sum<N - 1>(x);
}
)";
}

TEST(RepeatedCall, TypesAreKnown) {
  const std::string source = doubling("  return x.cos() * 2;") + R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), // expect: error output-dtype
      [](const torch::Tensor &x) { return twice<12>(x); }, [](const torch::Tensor &x) { return x.to(torch::kLong); }, {x});
}
torch::Tensor g(const torch::Tensor &x) {
  return condlint::cond(x.any(), // expect: error output-dtype
      [](const torch::Tensor &x) { return sum<12>(x); }, [](const torch::Tensor &x) { return x.to(torch::kLong); }, {x});
}
torch::Tensor h(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  return condlint::cond(x.any(), // expect: error output-rank
      [](const torch::Tensor &x) { return twice<12>(x); }, [](const torch::Tensor &x) { return sum<12>(x).sum(0); }, {x});
}
)";
  EXPECT_AS_SAID(source);
}

TEST(RepeatedCall, WhatFitsIsProved) {
  const Checked c = checkSource(doubling("  return x.cos() * 2;") + R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) { return twice<12>(x); }, [](const torch::Tensor &x) { return sum<12>(x) * 3; }, {x});
}
)");
  EXPECT_TRUE(c.findings.empty());
  for (const char *rule : {"output-dtype", "output-rank", "output-shape", "output-device", "output-alias",
                           "input-mutation", "side-effect", "host-sync", "random-in-branch", "global-mutation"})
    EXPECT_EQ(c.verdict(rule, 18), "proved") << rule;
}

TEST(RepeatedCall, EffectsStandWhereTheyAreWritten) {
  EXPECT_AS_SAID("#include <iostream>\n" + doubling(R"(  std::cout << "x"; // expect: warning side-effect
  const double s = x.sum().item<double>(); // expect: error host-sync
  return x.cos() * s;)") +
                 R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) { return twice<12>(x); }, [](const torch::Tensor &x) { return sum<12>(x) * 3; }, {x});
}
)");
}

TEST(RepeatedCall, ViewsAreTheirArguments) {
  const std::string source = doubling("  return x.t();") + R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) { return twice<12>(x); }, // expect: error output-alias
      [](const torch::Tensor &x) { return twice<12>(x).clone(); }, {x});
}
torch::Tensor g(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) { auto y = twice<12>(x); y.add_(1); return y.clone(); }, // expect: error input-mutation
      [](const torch::Tensor &x) { auto y = twice<12>(x.clone()); y.add_(1); return y; }, {x});
}
)";
  EXPECT_AS_SAID(source);
}

// What is written and is not the call's own is told by running it.
TEST(RepeatedCall, WritesAreFollowed) {
  const std::string source = "static int calls = 0;\n" +
                             doubling("  x.add_(1); // expect: error input-mutation\n"
                                      "  ++calls; // expect: error global-mutation\n"
                                      "  return x.cos();") +
                             R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), // expect-unknown: output-dtype
      [](const torch::Tensor &x) { return sum<12>(x); }, [](const torch::Tensor &x) { return x.cos(); }, {x});
}
)";
  EXPECT_AS_SAID(source);
}

// A size that data decide is another one in each call.
TEST(RepeatedCall, WhatIsMadeIsItsOwn) {
  const std::string source = doubling("  return x.cos();") + R"(
torch::Tensor pick(const torch::Tensor &x) { return x.nonzero(); }
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) { return torch::cat({pick(twice<12>(x)), pick(twice<12>(x))}); },
      [](const torch::Tensor &x) { auto y = pick(twice<12>(x)); return torch::cat({y, y}); }, {x});
}
)";
  const Checked c = checkSource(source);
  EXPECT_NE(c.verdict("output-shape", 21), "proved");
}

} // namespace
} // namespace condlint::test

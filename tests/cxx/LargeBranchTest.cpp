//===- LargeBranchTest.cpp - A branch that is too large to be read ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

// What follows it is read all the same, and what it may have changed is not known.
TEST(LargeBranch, TheOthersAreReadAllTheSame) {
  EXPECT_AS_SAID(R"(
template <int N> torch::Tensor both(const torch::Tensor &x) {
  if constexpr (N == 0)
    return x.cos();
  else
    return both<N - 1>(x) + both<N - 1>(x);
}
torch::Tensor f(const torch::Tensor &x) {
  int n = 1;
  auto y = condlint::cond(x.any(), // expect-unknown: output-dtype, global-mutation
      [&](const torch::Tensor &x) { x.add_(1); auto z = both<17>(x); n = 2; return z; }, // expect: error input-mutation
      [](const torch::Tensor &x) { return x * 1; }, {x});
  return condlint::cond(x.any(), // expect: error output-dtype
      [&](const torch::Tensor &x) { return x.cos(); }, [&](const torch::Tensor &x) { return x.to(torch::kLong); }, {y});
}
torch::Tensor g(const torch::Tensor &x) {
  int n = 1;
  auto y = condlint::cond(x.any(),
      [&](const torch::Tensor &x) { auto z = both<17>(x); n = 2; return z; },
      [](const torch::Tensor &x) { return x * 1; }, {x});
  if (n == 2)
    return y;
  return condlint::cond(x.any(), // expect: error output-dtype
      [](const torch::Tensor &x) { return x.cos(); }, [](const torch::Tensor &x) { return x.to(torch::kLong); }, {y});
}
)");
}

} // namespace
} // namespace condlint::test

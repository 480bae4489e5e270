//===- DeterminedTest.cpp - Conditions that the code itself decides -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions that the code itself decides, by functions whose results are not worked
// out here, are no choice of anybody; and what such functions are given is changed.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Determined, WhatOnlyConstantsDecideIsNoBreak) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>
using torch::Tensor;
Tensor decided(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    if (std::stoi("42") != 42)
      x.add_(1);
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    const std::string shape = "1x3x224";
    std::vector<int> sizes;
    std::istringstream in(shape);
    for (std::string part; std::getline(in, part, 'x');)
      sizes.push_back(std::stoi(part));
    const bool small = sizes.size() != 3 || sizes < std::vector<int>{1, 2};
    if (small)
      x.add_(1);
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<int> v{3, 1, 2};
    std::sort(v.begin(), v.end());
    if (v.front() != 1)
      x.add_(1);
    std::vector<int> sums(3);
    std::partial_sum(v.begin(), v.end(), sums.begin());
    if (sums[2] != 6)
      x.add_(1);
    if (std::strstr("encoder.fc", "fc") == nullptr)
      x.add_(1);
    return x * 3;
  }, other, {x});
  return y;
}
)");
}

TEST(Determined, WhatSomebodyChoosesIsABreak) {
  EXPECT_AS_SAID(R"(
#include <cstdlib>
#include <string>
#include <vector>
using torch::Tensor;
bool elsewhere(int n);
Tensor chosen(const Tensor &x, const std::string &mode) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    if (std::getenv("DEBUG") != nullptr)
      x.add_(1); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [&mode](const Tensor &x) {
    if (std::stoi(mode) != 42)
      x.add_(1); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    if (elsewhere(3))
      x.add_(1); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  return y;
}
)");
}

TEST(Determined, WhatIteratorsLeadToIsNotKnownAfterwards) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <numeric>
#include <vector>
using torch::Tensor;
Tensor moved(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> own{x * 1, x * 2};
    std::vector<Tensor> out{x, x};
    std::copy_backward(own.begin(), own.end(), out.end());
    out[0].add_(1);
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> own{x * 1, x * 2};
    std::vector<Tensor> out{x, x};
    out[0].add_(1); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  return y;
}
Tensor reduced(const Tensor &x, const Tensor &z) {
  return condlint::cond(x.any(), [](const std::vector<Tensor> &v) { return std::reduce(v.begin(), v.end(), v[0] * 0); },
                        [](const std::vector<Tensor> &v) { return v[0] + v[1]; }, std::vector<Tensor>{x, z});
}
)");
}

// A condition that asks again what decided before meets one of the values alone.
TEST(Determined, ConditionsThatAskAgain) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor again(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensor y = x;
    const bool batched = x.dim() == 4;
    if (!batched)
      y = y.unsqueeze(0).clone();
    if (!batched)
      y.mul_(2);
    return y * 1;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensor y = x;
    bool owned = false;
    if (x.dim() > 2) {
      y = y.clone();
      owned = true;
    }
    if (owned)
      y.add_(1);
    return y * 1;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensor y = x;
    if (x.dim() == 3)
      y = y * 2;
    if (x.dim() != 3)
      return y * 3;
    return y;
  }, other, {x});
  return y;
}
Tensor once(const Tensor &x, const Tensor &z) {
  auto other = [](const Tensor &x, const Tensor &) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x, const Tensor &) {
    Tensor y = x;
    if (x.dim() == 3)
      y = y.clone();
    y.add_(1); // expect: error input-mutation
    return y * 1;
  }, other, {x, z});
  y = condlint::cond(x.any(), [](const Tensor &x, const Tensor &z) {
    Tensor y = x;
    if (x.dim() == 3)
      y = y.clone();
    if (z.dim() == 3)
      y.add_(1); // expect: error input-mutation
    return y * z.sum();
  }, other, {x, z});
  y = condlint::cond(x.any(), [](const Tensor &x, const Tensor &) {
    Tensor y = x;
    if (x.dim() == 3)
      y = y * 2;
    return y; // expect: error output-alias
  }, other, {x, z});
  return y;
}
)");
}

} // namespace
} // namespace condlint::test

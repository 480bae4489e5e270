//===- Bodies.h - What small functions of the host come to ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch is right or wrong by what a function of the host returns: so its verdict says what
// the interpreter holds of that.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_CXX_BODIES_H
#define CONDLINT_TESTS_CXX_BODIES_H

#include "Annotated.h"
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::test {

/// The verdict on the types of what a branch returns, which is of another type where \p body returns true.
inline std::string verdictOf(const std::string &body, const std::string &before = "") {
  const std::string source = R"(#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
)" + before + "static bool holds(bool c, int n) { " +
                             body + R"( }
torch::Tensor f(torch::Tensor x, torch::Tensor p, bool c, int n) {
  CONDLINT_DTYPE(x, Float);
  return condlint::cond(p, [=](torch::Tensor y) -> torch::Tensor { if (holds(c, n)) return y.to(torch::kLong); return y + 1; }, [](torch::Tensor y) { return y + 1; }, {x});
}
)";
  const auto line = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
  const std::string verdict = checkSource(source).verdict("output-dtype", line);
  return verdict.substr(0, verdict.find(':')); // without the reason
}

inline void expectOpen(const std::vector<std::string> &bodies, const std::string &before = "") {
  for (const std::string &body : bodies)
    EXPECT_EQ(verdictOf(body, before), "unknown") << body;
}

} // namespace condlint::test

#endif // CONDLINT_TESTS_CXX_BODIES_H

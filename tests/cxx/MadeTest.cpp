//===- MadeTest.cpp - What is asked of what the code makes -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody chooses freely what the code makes of what is given from outside: a write behind
// a question about that is none that happens, where nobody has worked out that it may.
//
//===----------------------------------------------------------------------===//
#include "Questions.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::test {
namespace {

void expectOfMade(const std::vector<Questions> &all) {
  expectTogether(R"(#include <algorithm>
#include <bitset>
#include <cmath>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <vector>
)",
                 "const std::string &name, const std::vector<int> &v, int n, bool b, double d", all);
}

TEST(Made, ATextThatIsMadeOfOthersIsNoChoice) {
  expectOfMade({
      {R"(w.empty())", R"(n > 2)", "unknown", R"(std::string w = name; w += "x";)"},
      {R"(w == "a")", R"(n > 2)", "unknown", R"(std::string w = name + "x";)"},
      {R"(w.empty())", R"(n > 2)", "unknown", R"(std::string w = std::to_string(n);)"},
      {R"(w.size() != name.size())", R"(n > 2)", "unknown",
       R"(std::string w = name; std::reverse(w.begin(), w.end());)"},
      {R"(w.find("abc") == std::string::npos)", R"(n > 2)", "unknown", R"(std::string w = name; w.append("abc");)"},
      {R"(w.empty())", R"(n > 2)", "may", R"(std::string w = name;)"},
      {R"(w == "a")", R"(n > 2)", "may", R"(std::string w = name.substr(0, 1);)"},
  });
}

TEST(Made, ANumberIsOneThatItsOperatorsComeTo) {
  expectOfMade({
      {R"((n | 1) == 0)", R"(b)", "unknown"},
      {R"((n ^ n) != 0)", R"(b)", "unknown"},
      {R"(n << 1 == 1)", R"(b)", "unknown"},
      {R"(n << 1 == 2)", R"(b)", "may"},
      {R"(n >> 3 == 5)", R"(b)", "may"},
      {R"((n * 2) % 2 == 1)", R"(b)", "unknown"},
      {R"(n % 4 == 3)", R"(b)", "may"},
      {R"(n % 1000 == 999)", R"(b)", "may"},
      {R"(n / 4 == 30)", R"(n == 121)", "may"},
      {R"(n / 4 == 30)", R"(n == 125)", "unknown"},
      {R"((n & 7) == 4)", R"(b)", "may"},
      {R"(std::size_t(n) < v.size())", R"(b)", "may"},
      {R"(int(v.size()) == 1000)", R"(b)", "may"},
  });
}

TEST(Made, AFloatIsOneThatItIsMadeOf) {
  expectOfMade({
      {R"(r < 0)", R"(b)", "unknown", R"(double r = std::sqrt(d);)"},
      {R"(r > 2)", R"(b)", "unknown", R"(double r = std::sin(d);)"},
      {R"(r > 1.5)", R"(n < 0)", "unknown", R"(double r = n;)"},
      {R"(r > 1.5)", R"(n < 0)", "unknown", R"(double r = n * 0.5;)"},
      {R"(r > 1.5)", R"(r < 1)", "never", R"(double r = n * 0.5;)"},
      {R"(r > 1.5)", R"(b)", "may", R"(double r = n * 0.5;)"},
      {R"(d > 1.5)", R"(d > 2.5)", "may"},
      {R"(std::isnan(d))", R"(b)", "may"},
  });
}

TEST(Made, WhatTheLibraryPicksHangsOnTheRest) {
  const std::string two = "std::vector<int> w{n, 2};", queue = "std::priority_queue<int> w; w.push(n); w.push(2);";
  expectOfMade({
      {R"(low > high)", R"(b)", "unknown", R"(const auto [low, high] = std::minmax({n, 3});)"},
      {R"(*std::max_element(w.begin(), w.end()) < 2)", R"(b)", "unknown", two},
      {R"(w[0] > 2)", R"(b)", "unknown", two + "std::sort(w.begin(), w.end());"},
      {R"(w.top() < 2)", R"(b)", "unknown", queue},
      {R"(w.count() > 4)", R"(b)", "unknown", R"(std::bitset<4> w(n);)"},
      {R"(w.count(3) == 0)", R"(b)", "unknown",
       R"(std::map<int, int> w{{3, 1}}; auto node = w.extract(3); w.insert(std::move(node));)"},
  });
}

TEST(Made, WhatAnOptionalHoldsHangsOnWhetherItHoldsAny) {
  const std::string chosen = "std::optional<int> o = n > 3 ? std::optional<int>(n) : std::nullopt;";
  expectOfMade({
      {R"(o && *o < 2)", R"(b)", "unknown", chosen},
      {R"(o.value_or(5) < 4)", R"(b)", "unknown", chosen},
      {R"(o && *o > 4)", R"(b)", "unknown", chosen},
      {R"(o.has_value())", R"(b)", "may", chosen},
      {R"(w[std::size_t(n)] == 9)", R"(b)", "unknown", R"(std::vector<int> w{n, 2};)"},
      {R"(w[0] == 9)", R"(b)", "may", R"(std::vector<int> w{n, 2};)"},
  });
}

} // namespace
} // namespace condlint::test

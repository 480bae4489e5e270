//===- LoopNumberTest.cpp - What is asked of what loops leave --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody chooses freely what a loop leaves in a number: a write behind a question about
// that happens where some way through the loop leaves what is asked for.
//
//===----------------------------------------------------------------------===//
#include "Questions.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::test {
namespace {

/// What a loop leaves, a question about it, and its answer.
struct Left {
  std::string before, question, answer;
  std::string then = "b";
};

void expectLeft(const std::vector<Left> &all) {
  std::vector<Questions> questions;
  for (const Left &one : all)
    questions.push_back({one.question, one.then, one.answer, one.before});
  expectTogether(R"(#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>
)",
                 "const std::string &name, const std::vector<int> &v, const std::vector<std::string> &names, const "
                 "std::map<std::string, int> &m, const std::set<int> &s, int n, bool b",
                 questions);
}

TEST(LoopNumber, ACountIsOneThatSoManyTripsLeave) {
  const std::string left0 = R"(int k = 0; for (int i = 0; i < n; ++i) k += 2;)",
                    left1 = R"(int k = 0; for (int i : v) ++k;)", left2 = R"(int k = 0; while (k < n) ++k;)",
                    left3 = R"(int k = 0; do ++k; while (k < n);)",
                    left4 = R"(std::vector<int> w{1, 2, 3}; int k = 0; for (int i : w) if (i > n) ++k;)";
  expectLeft({
      {left0, R"(k % 2 == 1)", "unknown"},
      {left0, R"(k > 0)", "may"},
      {left0, R"(k == 6)", "may"},
      {left0, R"(k == 5)", "unknown"},
      {left0, R"(k < 0)", "unknown"},
      {left0, R"(k > 0)", "unknown", "n < 1"},
      {left0, R"(k == 6)", "unknown", "n == 2"},
      {left1, R"(k > 2)", "may"},
      {left1, R"(k == 0)", "may"},
      {left1, R"(k == 10)", "may"},
      {left1, R"(k < 0)", "never"},
      {left1, R"(k != int(v.size()))", "unknown"},
      {left1, R"(k == int(v.size()))", "may"},
      {left2, R"(k == 5)", "may"},
      {left2, R"(k > n)", "may"},
      {left2, R"(k > n)", "unknown", "n > 0"},
      {left3, R"(k == 0)", "never"},
      {left3, R"(k == 4)", "may"},
      {R"(int k = n; while (k > 10) k -= 3;)", R"(k == 9)", "may"},
      {R"(int k = n; while (k > 0) k /= 2;)", R"(k == 0)", "may"},
      {R"(int k = 10; for (int i = 0; i < n; ++i) --k;)", R"(k < 8)", "may"},
      {R"(int k = 0; for (int i : s) ++k;)", R"(k > 2)", "may"},
      {left4, R"(k > 3)", "unknown"},
      {left4, R"(k == 2)", "may"},
  });
}

TEST(LoopNumber, ASumOrWhatWasSeenLastIsOfWhatTheLoopGoesThrough) {
  const std::string left0 = R"(int k = 0; for (int i : v) k += i;)",
                    left1 = R"(int k = 0; for (int i : v) k += i * i;)",
                    left2 = R"(int k = 0; for (int i : v) if (i > 3) k = i;)",
                    left3 = R"(int k = 0; for (int i : v) if (i > k) k = i;)",
                    left4 = R"(int k = -1; for (int j = 0; j < int(names.size()); ++j) if (names[j] == name) k = j;)",
                    left5 = R"(int k = 0; for (int i : v) k = i > 3 ? 1 : 2;)",
                    left6 = R"(int k = 0; for (int i : v) switch (i) { case 1: k = 1; break; case 2: k = 2; break; })";
  expectLeft({
      {left0, R"(k > 10)", "may"},
      {left0, R"(k < 0)", "may"},
      {left0, R"(k > 10)", "unknown", "v.empty()"},
      {left1, R"(k < 0)", "unknown"},
      {left1, R"(k == 9)", "may"},
      {left2, R"(k == 2)", "unknown"},
      {left2, R"(k == 7)", "may"},
      {left2, R"(k == 0)", "may"},
      {left3, R"(k > 3)", "may"},
      {left3, R"(k < 0)", "unknown"},
      {R"(int k = 0; for (const auto &[key, value] : m) k += value;)", R"(k > 3)", "may"},
      {left4, R"(k >= 0)", "may"},
      {left4, R"(k == -1)", "may"},
      {left4, R"(k < -1)", "unknown"},
      {left5, R"(k == 3)", "unknown"},
      {left5, R"(k == 2)", "may"},
      {left6, R"(k == 3)", "unknown"},
      {left6, R"(k == 2)", "may"},
  });
}

TEST(LoopNumber, AFlagIsSetWhereSomeTripSetsIt) {
  const std::string left0 = R"(bool f = false; for (int i : v) if (i == 3) f = true;)",
                    left1 = R"(bool f = true; for (int i : v) f = f && i > 3;)",
                    left2 = R"(bool f = false; for (int i : v) if (i == 3) { f = true; break; })",
                    left3 = R"(bool f = false; for (int i = 0; i < 4; ++i) if (i == n) f = true;)";
  expectLeft({
      {left0, R"(f)", "may"},
      {left0, R"(!f)", "may"},
      {left0, R"(f)", "unknown", "v.empty()"},
      {left1, R"(!f)", "may"},
      {left1, R"(!f)", "unknown", "v.empty()"},
      {left2, R"(f)", "may"},
      {left2, R"(!f)", "may"},
      {left3, R"(f)", "may"},
      {left3, R"(f)", "unknown", "n > 5"},
  });
}

TEST(LoopNumber, TwoNumbersOfOneLoopGoTogether) {
  const std::string left0 = R"(int k = 0, j = 0; for (int i : v) { ++k; if (i > 0) ++j; })",
                    left1 = R"(int k = 0, j = 0; for (int i : v) { j += i; ++k; })",
                    left2 =
                        R"(auto count = [&](int most) { int k = 0; for (int i : v) if (i > most) ++k; return k; };)";
  expectLeft({
      {left0, R"(j > k)", "unknown"},
      {left0, R"(k > j)", "may"},
      {left0, R"(k == 0 && j > 0)", "unknown"},
      {left1, R"(k > 0 && j / k > 2)", "unknown"},
      {left1, R"(k == 0 && j > 0)", "unknown"},
      {R"(int k = 0; for (int i : v) ++k; int j = 0; for (int i : v) ++j;)", R"(k != j)", "unknown"},
      {left2, R"(count(3) > 2)", "may"},
      {left2, R"(count(3) > count(2))", "unknown"},
  });
}

TEST(LoopNumber, WhatIsKeptNowhereHangsOnTheRest) {
  expectLeft({
      {R"(int k = 0; for (int i : v) { const double q = i * 0.5; if (q > 1 && i < 0) k = 1; })", R"(k == 1)",
       "unknown"},
      {R"(int k = 0; for (int i : v) { const double q = i * 0.5; if (q > 1) k = 1; })", R"(k == 1)", "may"},
      {R"(int k = 0; for (int i : v) { if (double(n) * 0.5 > 1) ++k; })", R"(k == 1)", "unknown", "v.size() == 2"},
  });
}

TEST(LoopNumber, LoopsThatAreLeftOrLieInOthers) {
  const std::string left0 = R"(int k = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) ++k;)",
                    left1 = R"(int k = 0; for (int i = 0; i < 3; ++i) for (int j = 0; j < n; ++j) ++k;)",
                    left2 = R"(int k = 0; for (int i : v) { if (i < 0) continue; k += i; })",
                    left3 = R"(int k = 0; while (true) { if (k >= n) break; k += 2; })",
                    left4 = R"(int j = 0; while (j < int(v.size()) && v[j] != 3) ++j;)";
  expectLeft({
      {left0, R"(k == 2)", "unknown"},
      {left0, R"(k == 3)", "may"},
      {left1, R"(k == 4)", "unknown"},
      {left1, R"(k > 0)", "may"},
      {left2, R"(k < 0)", "unknown"},
      {left2, R"(k > 4)", "may"},
      {R"(int k = 0; for (int i : v) { if (i < 0) break; ++k; })", R"(k == 2)", "may"},
      {left3, R"(k == 3)", "unknown"},
      {left3, R"(k == 4)", "may"},
      {left4, R"(j < int(v.size()))", "may"},
      {left4, R"(j > int(v.size()))", "unknown"},
  });
}

TEST(LoopNumber, PartsOfObjectsAndOtherKindsOfNumbers) {
  const std::string
      left0 = R"(struct Stat { int count = 0; bool any = false; } t; for (int i : v) { t.count += 2; t.any = true; })",
      left1 = R"(double d = 1; for (int i : v) d *= 0.5;)", left2 = R"(unsigned k = 0; for (int i : v) k += 4;)",
      left3 = R"(char k = 'a'; for (char c : name) if (c == 'b') k = c;)",
      left4 = R"(std::optional<int> o; for (int i : v) if (i > 3) o = i;)";
  expectLeft({
      {left0, R"(t.count == 3)", "unknown"},
      {left0, R"(t.count == 4)", "may"},
      {left0, R"(t.any)", "may"},
      {left0, R"(t.any && t.count == 0)", "unknown"},
      {R"(std::pair<int, int> t{0, 0}; for (int i : v) { t.first += 2; ++t.second; })", R"(t.first < t.second)",
       "unknown"},
      {R"(std::array<int, 2> t{0, 0}; for (int i : v) t[0] += 2;)", R"(t[0] == 1)", "unknown"},
      {left1, R"(d > 1)", "unknown"},
      {left1, R"(d < 0.3)", "may"},
      {left2, R"(k == 6)", "unknown"},
      {left2, R"(k == 8)", "may"},
      {left3, R"(k == 'c')", "unknown"},
      {left3, R"(k == 'b')", "may"},
      {R"(int k = 0; for (char c : name) if (c == ',') ++k;)", R"(k > 1)", "may"},
      {R"(int k = 0; for (char c : name) ++k;)", R"(k != int(name.size()))", "unknown"},
      {left4, R"(o)", "may"},
      {left4, R"(o && *o < 2)", "unknown"},
  });
}

TEST(LoopNumber, TextsThatTripsMakeAreNoChoice) {
  const std::string left0 = R"(std::string w; for (char c : name) w += c;)";
  expectLeft({
      {left0, R"(w != name)", "unknown"},
      {left0, R"(w == "abc")", "unknown"},
      {left0, R"(w.empty())", "unknown"},
      {left0, R"(w.size() > name.size())", "unknown"},
      {R"(std::string w = name; for (int i = 0; i < n; ++i) w += "ab";)", R"(w.empty())", "unknown"},
      {R"(std::string w = name; for (int i = 0; i < n; ++i) b;)", R"(w.empty())", "may"},
  });
}

TEST(LoopNumber, FunctionsOfTheLibraryThatGoThroughRanges) {
  const std::string left0 = R"(int k = 0; std::for_each(v.begin(), v.end(), [&](int i) { k += i * i; });)",
                    left1 = R"(auto k = std::count_if(v.begin(), v.end(), [](int i) { return i > 3; });)";
  expectLeft({
      {left0, R"(k < 0)", "unknown"},
      {left0, R"(k == 4)", "may"},
      {R"(int k = std::accumulate(v.begin(), v.end(), 0, [](int a, int i) { return a + i * i; });)", R"(k < 0)",
       "unknown"},
      {R"(int k = std::accumulate(v.begin(), v.end(), 0);)", R"(k > 4)", "may"},
      {left1, R"(k < 0)", "never"},
      {left1, R"(k > 2)", "may"},
  });
}

TEST(LoopNumber, WhatIsMadeOfWhatIsMadeInTurnTakesNoMoreMemory) {
  expectLeft({{R"(int k = n; for (int i = 0; i < 40; ++i) k /= 2;)", R"(k > 3)", "unknown"}});
}

} // namespace
} // namespace condlint::test

//===- BoundTest.cpp - What lies behind the bounds of values --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each bound on values of docs/interpreter.md, with code that breaks behind it: what is
// within is known, and nothing is proved of what lies behind.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <algorithm>

namespace condlint::test {
namespace {

/// The verdict on the types of what a branch returns that does \p body with a float tensor `y`, beside one that returns
/// a float tensor.
std::string verdictOf(const std::string &body) {
  const std::string source = R"(#include <ranges>
#include <span>
#include <vector>
struct F1 { torch::Tensor t; };
struct F2 { F1 a; };
struct F3 { F2 a; };
struct F4 { F3 a; };
struct F5 { F4 a; };
struct F6 { F5 a; };
torch::Tensor f(torch::Tensor x, torch::Tensor p, int n) {
  CONDLINT_DTYPE(x, Float);
  return condlint::cond(p, [=](torch::Tensor x) -> torch::Tensor { torch::Tensor y = x.sin(); )" +
                             body + " }, [](torch::Tensor x) { return x.cos(); }, {x});\n}\n";
  const auto line = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
  const std::string verdict = checkSource(source).verdict("output-dtype", line);
  return verdict.substr(0, verdict.find(':')); // without the reason
}

std::string number(int n) { return std::to_string(n); }

TEST(Bound, TripsOfALoop) {
  const auto with = [](int trips, int at) {
    return "for (int i = 0; i < " + number(trips) + "; ++i) if (i == " + number(at) +
           ") y = y.to(torch::kInt); return y;";
  };
  EXPECT_EQ(verdictOf(with(60, 50)), "violated");
  EXPECT_EQ(verdictOf(with(60, 70)), "proved");
  EXPECT_EQ(verdictOf(with(100, 90)), "unknown");
}

TEST(Bound, TripsOfLoopsWithinOneAnother) {
  const auto with = [](int trips, int at) {
    const std::string n = number(trips);
    return "for (int i = 0; i < " + n + "; ++i) for (int j = 0; j < " + n + "; ++j) for (int k = 0; k < " + n +
           "; ++k) if (i + j + k == " + number(at) + ") y = x.to(torch::kInt); return y;";
  };
  EXPECT_EQ(verdictOf(with(4, 10)), "proved"); // there is none, and it is seen
  EXPECT_EQ(verdictOf(with(50, 140)), "unknown");
}

TEST(Bound, ElementsOfAContainer) {
  const auto with = [](int size) {
    return "std::vector<torch::Tensor> v(" + number(size) + ", y); v[3500] = y.to(torch::kInt); return v[3500];";
  };
  EXPECT_EQ(verdictOf(with(4000)), "violated");
  EXPECT_EQ(verdictOf(with(4600)), "unknown");
  EXPECT_EQ(verdictOf(with(200000)), "unknown");
}

TEST(Bound, ElementsOfAPartOfASpan) {
  const auto with = [](int size) {
    return "std::vector<torch::Tensor> v(" + number(size) +
           ", y); v[10] = y.to(torch::kInt); auto s = std::span<torch::Tensor>(v).subspan(5, " + number(size - 100) +
           "); return s[5];";
  };
  EXPECT_EQ(verdictOf(with(4000)), "violated");
  EXPECT_EQ(verdictOf(with(4600)), "unknown");
}

TEST(Bound, ElementsOfAView) {
  const auto with = [](int size) {
    return "std::vector<torch::Tensor> v(" + number(size) +
           ", y); v[0] = y.to(torch::kInt); for (auto &t : v | std::views::take(1)) y = t; return y;";
  };
  EXPECT_EQ(verdictOf(with(4000)), "violated");
  EXPECT_EQ(verdictOf(with(4600)), "unknown");
}

TEST(Bound, PlacesOfAPointer) {
  const auto with = [](int places) {
    std::string body = "torch::Tensor t[12] = {y, y, y, y, y, y, y, y, y, y, y, y}; torch::Tensor *p = &t[0]; ";
    for (int i = 1; i < places; ++i)
      body += "if (x.size(" + number(i) + ") > 3) p = &t[" + number(i) + "]; ";
    return body;
  };
  EXPECT_EQ(verdictOf(with(4) + "*p = x.cos(); return t[11];"), "proved");
  EXPECT_EQ(verdictOf(with(10) + "*p = x.to(torch::kInt); return t[9];"), "unknown");
}

TEST(Bound, DepthOfWhatALoopKeeps) {
  EXPECT_EQ(verdictOf("F1 h; h.t = y; for (int i = 0; i < n; ++i) h.t = h.t.sin(); return h.t;"), "proved");
  EXPECT_EQ(
      verdictOf("F6 h; h.a.a.a.a.a.t = y; for (int i = 0; i < n; ++i) h.a.a.a.a.a.t = h.a.a.a.a.a.t.to(torch::kInt); "
                "return h.a.a.a.a.a.t;"),
      "unknown");
}

} // namespace
} // namespace condlint::test

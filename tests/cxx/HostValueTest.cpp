//===- HostValueTest.cpp - What code of the host comes to -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a condition of the host holds for certain, for none of its inputs, or for
// some: a branch returns another type where it holds.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <algorithm>
#include <string>
#include <vector>

namespace condlint::test {
namespace {

/// Code that returns a truth value of `bool c` and `int n`, which are not known.
struct Host {
  std::string body;
  std::string expected; ///< "true", "false" or "unknown"
};

void expectHost(const std::vector<Host> &all, const std::string &before = "") {
  std::string source = R"(#include <algorithm>
#include <any>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
using namespace std::string_literals;
)" + before + "\n";
  std::vector<std::uint32_t> lines;
  for (const Host &h : all) {
    const std::string number = std::to_string(lines.size());
    source += "static bool holds" + number + "(bool c, int n) { " + h.body + " }\n";
    lines.push_back(static_cast<std::uint32_t>(std::ranges::count(source, '\n')) + 1);
    source += "torch::Tensor f" + number +
              "(torch::Tensor x, torch::Tensor p, bool c, int n) { CONDLINT_DTYPE(x, Float); return condlint::cond(p, "
              "[=](torch::Tensor y) -> torch::Tensor { if (holds" +
              number +
              "(c, n)) return y.to(torch::kInt); return y.sin(); }, [](torch::Tensor y) { return y.cos(); }, {x}); }\n";
  }
  const Checked checked = checkSource(source);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string verdict = checked.verdict("output-dtype", lines[i]);
    const std::string word = verdict.substr(0, verdict.find(':'));
    const std::string holds = word == "violated" ? "true" : word == "proved" ? "false" : word;
    EXPECT_EQ(holds, all[i].expected) << all[i].body;
  }
}

TEST(HostValue, AlternativesOfAVariant) {
  expectHost({
      {"std::variant<int, bool> g = 1; return g.index() == 0;", "true"},
      {"std::variant<int, bool> g = 1; if (c) g = true; return g.index() == 0;", "unknown"},
      {"std::variant<int, bool> g = 1; if (c) g = true; return std::get_if<bool>(&g) != nullptr;", "unknown"},
      {"std::variant<int, bool> g = 1; g.emplace<bool>(c); return g.index() == 1;", "true"},
      {"std::variant<int, bool> g = 1, h = true; std::swap(g, h); return g.index() == 1;", "true"},
      {"std::variant<int, bool> g = 1, h = true; if (c) g.swap(h); return g.index() == 1;", "unknown"},
      {"std::variant<int, long> g = 1L; return g.index() == 1;", "true"},
      {"std::variant<float, double> g = 1.0F; if (c) g = 1.0; return g.index() == 0;", "unknown"},
      {"std::variant<const char *, std::string> g = \"a\"; return g.index() == 0;", "true"},
      {"std::variant<int, std::string> g = \"a\"; return g.index() == 1;", "true"},
      {"std::vector<std::variant<int, bool>> l{1, true}; return l[n % 2].index() == 0;", "unknown"},
      {"std::map<std::string, std::variant<int, bool>> m{{\"a\", 1}}; if (c) m[\"a\"] = true; return "
       "m[\"a\"].index() == 0;",
       "unknown"},
      {"std::variant<std::pair<int, int>, std::pair<bool, int>> g = std::pair<int, int>{1, 1}; if (c) g = "
       "std::pair<bool, int>{true, 1}; return g.index() == 0;",
       "unknown"},
  });
}

TEST(HostValue, WhatHoldsAnythingHolds) {
  expectHost({
      {"std::any a = 1; return std::any_cast<int>(&a) != nullptr;", "true"},
      {"std::any a = 1; return std::any_cast<long>(&a) != nullptr;", "false"},
      {"std::any a = 1; if (c) a = true; return std::any_cast<int>(&a) != nullptr;", "unknown"},
      {"std::any a = \"a\"; return std::any_cast<std::string>(&a) != nullptr;", "false"},
      {"std::any a = std::string(\"a\"); return std::any_cast<std::string>(&a) != nullptr;", "true"},
      {"std::any a; if (c) a = 1; return a.has_value();", "unknown"},
      {"std::any a = 1; std::any b = std::move(a); return a.has_value();", "unknown"},
      {"struct A {}; struct B {}; std::any a = A{}; return std::any_cast<B>(&a) != nullptr;", "false"},
  });
}

TEST(HostValue, MembersOfAUnionShareTheirBytes) {
  expectHost({
      {"union U { int i; float f; } u; u.i = 1; return u.i == 1;", "true"},
      {"union U { int i; unsigned u; } u; u.i = 1; if (c) u.u = 2; return u.i == 1;", "unknown"},
      {"union U { int i; unsigned char b[4]; } u; u.i = 1; u.b[0] = 2; return u.i == 1;", "unknown"},
      {"struct S { union { int i; unsigned u; }; int t; } s; s.t = 3; s.i = 1; s.u = 7; return s.t == 3;", "true"},
      {"struct S { union { int i; unsigned u; }; int t; } s; s.t = 3; s.i = 1; s.u = 7; return s.i == 1;", "unknown"},
  });
}

TEST(HostValue, ClassesThatCodeThatIsNotSeenChanges) {
  const std::string unseen = R"(
struct Holder { std::function<bool()> f; int k = 0; };
void changes(Holder &);
void changesAny(std::any &);
void poke();
extern std::variant<int, bool> shared;
extern std::function<bool()> called;
)";
  expectHost(
      {
          {"Holder h; h.f = [] { return false; }; return h.f();", "false"},
          {"Holder h; h.f = [] { return false; }; changes(h); return h.f();", "unknown"},
          {"std::array<Holder, 2> h; h[1].f = [] { return false; }; changes(h[1]); return h[1].f();", "unknown"},
          {"std::any a = 1; changesAny(a); return std::any_cast<int>(&a) != nullptr;", "unknown"},
          {"std::tuple<std::any, int> t{1, 2}; changesAny(std::get<0>(t)); return std::any_cast<int>(&std::get<0>(t)) "
           "!= nullptr;",
           "unknown"},
          {"shared = 1; return shared.index() == 0;", "true"},
          {"shared = 1; poke(); return shared.index() == 0;", "unknown"},
          {"called = [] { return false; }; poke(); return called();", "unknown"},
      },
      unseen);
}

} // namespace
} // namespace condlint::test

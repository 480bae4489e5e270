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
#include <set>
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

// What is written through a position of which nobody knows where it is, may be written at any.
TEST(HostValue, PositionsThatAreNotKnown) {
  expectHost({
      {"int a[3] = {1, 2, 3}; int *it = std::find(a, a + 3, n); if (it != a + 3) *it = 9; return a[0] == 9;",
       "unknown"},
      {"int a[3] = {1, 2, 3}; int *it = std::find(a, a + 3, 2); if (it != a + 3) *it = 9; return a[1] == 9;", "true"},
      {"std::vector<int> a{1, 2, 3}; auto it = std::find(a.begin(), a.end(), n); *it = 9; return a[0] == 1;",
       "unknown"},
      {"std::vector<int> a{1, 2, 3}, b{1}; auto it = std::find(a.begin(), a.end(), n); *it = 9; return b[0] == 1;",
       "true"},
      {"std::vector<int> a{1, 2, 3}; auto it = a.begin(); for (int i = 0; i < n; ++i) ++it; *it = 9; return a[0] == 1;",
       "unknown"},
      {"std::map<int, int> a{{1, 2}}; auto it = a.find(n); if (it != a.end()) it->second = 9; return a[1] == 2;",
       "unknown"},
      {"struct P { int v; }; std::vector<P> a{{1}}; auto it = std::find_if(a.begin(), a.end(), [&](const P &p) { "
       "return "
       "p.v == n; }); if (it != a.end()) it->v = 9; return a[0].v == 1;",
       "unknown"},
      {"std::set<int> a{5, 6, 7}; a.erase(6); return a.size() == 2 && a.count(6) == 0;", "true"},
      {"std::set<int> a{1, 2, 3}; a.erase(n); return a.size() == 3;", "unknown"},
      {"std::map<int, int> a{{1, 1}}, b{{1, 2}, {2, 2}}; a.merge(b); return b.size() == 2;", "false"},
      {"std::map<int, int> a{{1, 1}}, b{{1, 2}, {2, 2}}; a.merge(b); return b.size() == 1 && a.size() == 2;", "true"},
      {"std::map<int, int> a{{1, 1}}, b{{n, 2}}; a.merge(b); return b.size() == 1;", "unknown"},
      {"std::set<int> a{1}, b{1, 2}; a.merge(b); return b.size() == 1;", "true"},
      {"int x = 1; auto t = std::make_pair(std::ref(x), 2); t.first = 5; return x == 5;", "true"},
  });
}

TEST(HostValue, BitsOfNumbers) {
  expectHost({
      {"return 2147483647u + 1u == 2147483648u;", "true"},
      {"unsigned a = 3; return a - 4 > a;", "true"},
      {"return (1 << 31) < 0;", "true"},
      {"struct F { unsigned a : 2; int b : 2; } f{}; f.a = 5; f.b = 3; return f.a == 1 && f.b == -1;", "true"},
      {"std::uint64_t a = ~0ull; double d = a; return d > 0;", "unknown"},
      {"int i = 1; float f = *reinterpret_cast<float *>(&i); return f == 1;", "unknown"},
      {"int i = 5; unsigned char *p = reinterpret_cast<unsigned char *>(&i); *p = 7; return i == 5;", "unknown"},
      {"float x = 1; int i; std::memcpy(&i, &x, 4); return i == 1;", "unknown"},
      {"int x = 1, y = 2; std::memcpy(&x, &y, sizeof x); return x == 2;", "true"},
      {"void *p = &n; *static_cast<int *>(p) = 3; return n == 3;", "true"},
      {"std::string s = \"abc\"; char *p = s.data(); p[1] = 'x'; return s == \"abc\";", "unknown"},
  });
}

// A copy of one of libtorch's lists or dictionaries is another name for it: none is followed.
TEST(HostValue, WhatOperatorsMakeOfNumbersThatWereCompared) {
  expectHost({
      {"if (n == 3) { if (n % 2 == 0) return true; } return false;", "false"},
      {"if (n == 3) { if ((n & 2) == 0) return true; } return false;", "false"},
      {"if (n == 3) { if (n % 2 == 1) return true; } return false;", "unknown"},
      {"switch (n & 3) { case 5: return true; } return false;", "false"},
      {"switch (n & 3) { case 3: return true; } return false;", "unknown"},
      {"switch (n & 3) { case 4 ... 9: return true; } return false;", "false"},
      {"int m = 4; return std::max(n, m) < n;", "false"},
      {"return std::min(n, 4) > n;", "false"},
      {"return std::max(n, 4) < 5;", "unknown"},
  });
}

TEST(HostValue, ListsThatGoByTwoNames) {
  const std::string classes = R"(
namespace c10 {
template <class T> class List {
public:
  List();
  void push_back(T);
  std::size_t size() const;
};
template <class K, class V> class Dict {
public:
  Dict();
  bool empty() const;
  bool contains(const K &) const;
  void clear();
};
})";
  expectHost(
      {
          {"c10::List<int> a, b = a; a.push_back(1); return b.size() == 1;", "unknown"},
          {"c10::List<int> a, b = a; b.push_back(1); return a.size() == 0;", "unknown"},
          {"c10::List<int> a, b; b = a; a.push_back(1); return b.size() == 1;", "unknown"},
          {"c10::List<int> a; auto add = [](c10::List<int> to) { to.push_back(1); }; add(a); return a.size() == 0;",
           "unknown"},
          {"c10::Dict<int, int> a, b = a; return b.contains(1);", "unknown"},
      },
      classes);
}

TEST(HostValue, TheLargestNumberWithoutASign) {
  const std::string given = "const std::string &given(); std::uint64_t many();";
  expectHost(
      {
          {"return given().find(99) == std::string::npos;", "unknown"},
          {"return given().find_first_of(\"ab\") < std::string::npos;", "unknown"},
          {"return given().rfind(\"a\") != given().npos;", "unknown"},
          {"return std::string_view(given()).find(99) == std::string_view::npos;", "unknown"},
          {"return static_cast<int>(given().find(99)) == -1;", "unknown"},
          {"return many() == std::numeric_limits<std::uint64_t>::max();", "unknown"},
          {"return many() == ~std::uint64_t(0);", "unknown"},
          {"const std::string s = \"abc\"; return s.find(99) == s.npos;", "false"},
          {"const std::string s = \"abc\"; return s.find(100) >= s.npos;", "true"},
      },
      given);
}

} // namespace
} // namespace condlint::test

//===- MovedTest.cpp - What leads to what moves ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers, references and iterators into what a function returns, what is moved, extracted
// or exchanged, and into objects that are built where they go to. Beside each what stays known.
//
//===----------------------------------------------------------------------===//
#include "Bodies.h"

namespace condlint::test {
namespace {

void expectViolated(const std::vector<std::string> &bodies, const std::string &before = "") {
  for (const std::string &body : bodies)
    EXPECT_EQ(verdictOf(body, before), "violated") << body;
}

/// The verdict is `violated` at best: an execution breaks it.
void expectNotProved(const std::vector<std::string> &bodies, const std::string &before = "") {
  for (const std::string &body : bodies)
    EXPECT_NE(verdictOf(body, before), "proved") << body;
}

TEST(Moved, IntoWhatAFunctionReturns) {
  const std::string before = R"(struct Made { std::vector<int> v{1, 2}; int *p = nullptr; };
static Made made() { Made m; m.p = &m.v[1]; return m; }
static Made moved() { Made m; m.p = &m.v[1]; Made k = std::move(m); return k; }
static std::pair<std::vector<int>, int *> both() { std::vector<int> v{1, 2}; int *p = &v[1]; return {std::move(v), p}; }
struct Tree { struct Node { int v; Node *up; }; std::list<Node> all; };
static Tree tree() { Tree t; t.all.push_back({1, nullptr}); t.all.push_back({2, &t.all.front()}); return t; }
static Tree one(bool c) { if (c) return tree(); Tree t = tree(); t.all.front().v = 5; return t; }
static int *kept;
static std::vector<int> keeps() { std::vector<int> v{1, 2}; kept = &v[1]; return v; }
)";
  expectViolated({"Made m = made(); *m.p = 9; return m.v[1] == 9;", "Made m = moved(); *m.p = 9; return m.v[1] == 9;",
                  "Made a = made(), b = made(); *a.p = 9; return b.v[1] == 2 && a.v[1] == 9;",
                  "auto v = keeps(); v[1] = 9; return *kept == 9;",
                  "Tree t = tree(); t.all.front().v = 9; return t.all.back().up->v == 9;",
                  "std::map<int, Tree> m; m[1] = tree(); m[1].all.front().v = 9; return m[1].all.back().up->v == 9;",
                  "Tree a = tree(), b; std::swap(a, b); b.all.front().v = 9; return b.all.back().up->v == 9;"},
                 before);
  expectNotProved({"auto r = both(); *r.second = 9; return r.first[1] == 9;",
                   "Tree t = one(c); t.all.front().v = 9; return t.all.back().up->v == 9;"},
                  before);
  EXPECT_EQ(verdictOf("Made m = made(); *m.p = 9; return m.v[0] == 9;", before), "proved");
}

TEST(Moved, IntoContainersThatArePutElsewhere) {
  const std::string of = "std::vector<int> k{1, 2}; int &r = k[0]; ";
  const std::string owner =
      "#include <memory>\nstruct Own { std::vector<int> v; explicit Own(std::vector<int> x) : v(std::move(x)) {} "
      "std::vector<int> take() { return std::move(v); } };\n";
  expectViolated(
      {of + "auto w = std::exchange(k, {}); w[0] = 9; return r == 9;",
       of + "std::vector<int> w; w = std::exchange(k, {}); k.push_back(5); r = 9; return w[0] == 9 && k[0] == 5;",
       of + "std::pair<std::vector<int>, int> p{std::move(k), 1}; p.first[0] = 9; return r == 9;",
       of + "std::optional<std::vector<int>> o = std::move(k); (*o)[0] = 9; return r == 9;",
       of + "Own o(std::move(k)); o.v[0] = 9; return r == 9;",
       of + "Own o(std::move(k)); auto w = o.take(); w[0] = 9; return r == 9 && o.v.empty();",
       of + "auto f = [k = std::move(k)]() mutable { k[0] = 9; }; f(); return r == 9;",
       of + "std::map<int, std::vector<int>> m; m[1] = std::move(k); m[1][0] = 9; return r == 9;"},
      owner);
  expectNotProved({of + "auto u = std::make_unique<std::vector<int>>(std::move(k)); (*u)[0] = 9; return r == 9;",
                   of + "std::vector<int> w; if (c) w = std::move(k); else w = {5}; w[0] = 9; return (r == 9) == c;",
                   "std::string s = \"abc\", t; char &r = s[0]; t = std::move(s); r = 'x'; return t[0] == 'x';"},
                  owner);
  EXPECT_EQ(verdictOf(of + "auto w = k; w[0] = 9; return r == 9;", owner), "proved") << "a copy of its own";
}

TEST(Moved, NodesOfMapsAndSets) {
  const std::string of = "std::map<int, int> m{{1, 2}}, k; int &r = m[1]; ";
  expectNotProved({of + "auto node = m.extract(1); k.insert(std::move(node)); r = 9; return k[1] == 9;",
                   of + "auto node = m.extract(1); node.key() = 5; m.insert(std::move(node)); r = 9; return m[5] == 9;",
                   of + "k.merge(m); r = 9; return k[1] == 9;", "std::set<int> s{1}; s.extract(1); return s.empty();",
                   "std::set<int> s{1, 2}, k; const int *p = &*s.begin(); k.insert(s.extract(s.begin())); return p == "
                   "&*k.begin();"});
  EXPECT_EQ(verdictOf(of + "k.insert({1, r}); r = 9; return k[1] == 9;"), "proved") << "a copy of its own";
}

TEST(Moved, WhatElementsHoldGoesWithThem) {
  const std::string of = "std::vector<std::vector<int>> v{{3}, {2}, {1}}; int &r = v[2][0]; ";
  expectViolated({of + "v.erase(v.begin()); r = 9; return v[1][0] == 9;",
                  of + "std::reverse(v.begin(), v.end()); r = 9; return v[0][0] == 9;",
                  of + "v.insert(v.begin(), std::vector<int>{5}); r = 9; return v[3][0] == 9;",
                  of + "std::rotate(v.begin(), v.begin() + 2, v.end()); r = 9; return v[0][0] == 9;"});
  expectNotProved({of + "std::sort(v.begin(), v.end()); r = 9; return v[0][0] == 9;",
                   "std::vector<std::string> v{\"b\", \"a\"}; char &r = v[0][0]; std::swap(v[0], v[1]); r = 'z'; "
                   "return v[0] == \"z\";"});
  EXPECT_EQ(verdictOf(of + "v.pop_back(); v.push_back({7}); return v[1][0] == 9;"), "proved");
}

TEST(Moved, ReferencesThatAreBoundInABlock) {
  const std::string of = "std::vector<std::vector<int>> v; ";
  expectViolated(
      {of + "{ std::vector<int> k{1}; int &r = k[0]; v.push_back(std::move(k)); r = 9; } return v[0][0] == 9;",
       of + "std::vector<int> k{1}; int &r = k[0]; { int &q = k[0]; q = 5; } v.push_back(std::move(k)); r = 9; return "
            "v[0][0] == 9;",
       of + "for (int i = 0; i < 3; ++i) { std::vector<int> k{i}; int &r = k[0]; v.push_back(std::move(k)); r += 5; } "
            "return v[2][0] == 7 && v[0][0] == 5;",
       of + "std::vector<int> k{1}; int &r = k[0]; auto put = [&](int &q) { v.push_back(std::move(k)); q = 9; }; "
            "put(r); "
            "r += 1; return v[0][0] == 10;",
       of + "std::vector<int> k{1}; v.push_back(k); int &r = k[0]; v.push_back(std::move(k)); r = 9; return v[1][0] == "
            "9 && v[0][0] == 1;",
       "std::list<int> l{1}; auto end = l.end(); int &r = l.front(); l.push_back(2); r = 9; return end == l.end() && "
       "l.front() == 9;",
       "std::set<int> s{3}; auto it = s.begin(); for (int i : {5, 1, 4, 2}) s.insert(i); return *it == 3 && "
       "*s.begin() == 1 && s.size() == 5;",
       "std::unordered_set<int> s; for (int i : {5, 1, 5}) s.insert(i); s.erase(1); return s.size() == 1 && "
       "s.count(5) == 1;"},
      "#include <unordered_set>\n");
  EXPECT_EQ(verdictOf("std::multiset<int> s{1, 2, 2, 3}; return s.erase(2) == 1;"), "proved");
}

TEST(Moved, WhatAWrapperRefersTo) {
  const std::string of = "int a = 1, b = 2; std::vector<std::reference_wrapper<int>> refs{a, b}; ";
  expectViolated(
      {of + "for (int &r : refs) r += 8; return a == 9 && b == 10;",
       of + "std::for_each(refs.begin(), refs.end(), [](int &r) { r = 9; }); return a == 9;",
       of + "std::invoke([](int &r) { r = 9; }, refs[1]); return b == 9;",
       of + "int sum = 0; for (int one : refs) sum += one; return sum == 3;",
       of + "for (auto r : refs) r.get() = 9; return b == 9;",
       of + "for (auto &r : refs) r = std::ref(b); refs[0].get() = 9; return a == 1 && b == 9;",
       "std::string s = \"x\"; std::vector<std::reference_wrapper<std::string>> refs{s}; for (std::string &r : "
       "refs) r = \"y\"; return s == \"y\";"},
      "#include <functional>\n");
}

TEST(Moved, ViewsThatShowSomethingElse) {
  const std::string of = "std::string_view s = \"abc\"; ";
  expectViolated({of + "auto it = s.begin(); s = \"xyz\"; return *it == 'a';",
                  of + "for (char one : s) { s = \"xyz\"; if (one == 'x') return false; } return true;"});
  EXPECT_EQ(verdictOf(of + "const char &r = s[0]; s = \"xyz\"; return r == 'x';"), "proved");
  expectOpen({of + "std::string_view t = s; return s.begin() == t.begin();",
              "std::initializer_list<int> l = {1, 2}; auto k = l; return k.begin() == l.begin();"});
}

TEST(Moved, ObjectsAreBuiltWhereTheyGoTo) {
  const std::string before =
      R"(struct Self { int v = 1; int *self; Self() : self(&v) {} Self(const Self &o) : v(o.v), self(&v) {} Self(Self &&o) : v(o.v), self(&v) {} };
static Self self() { Self s; s.v = 3; return s; }
struct Last { static inline Last *last = nullptr; int v = 1; Last() { last = this; } Last(const Last &o) : v(o.v) { last = this; } };
static Last last() { Last l; l.v = 2; return l; }
static Last direct() { return Last(); }
struct Moves { int n = 0; Moves() = default; Moves(const Moves &o) : n(o.n) {} Moves(Moves &&o) : n(o.n + 1) {} };
static Moves none() { Moves m; return m; }
static Moves once(Moves m) { return m; }
)";
  expectViolated({"Last l = last(); Last::last->v = 9; return l.v == 9;",
                  "Last l = direct(); l.v = 5; return Last::last == &l && Last::last->v == 5;",
                  "Moves m = none(); return m.n == 0;", "Moves m = once(Moves()); return m.n == 1;",
                  "Self s = self(); *s.self = 9; return s.v == 9;",
                  "Self s[2]; *s[1].self = 9; return s[1].v == 9 && s[0].v == 1;",
                  "std::vector<Self> s(2); *s[1].self = 9; return s[1].v == 9;",
                  "std::optional<Self> s = self(); *s->self = 9; return s->v == 9;"},
                 before);
  expectNotProved({"struct Inner : Self { int k = 1; } s; *s.self = 9; return s.v == 9;",
                   "Self s = c ? Self() : self(); *s.self = 9; return s.v == 9;",
                   "std::pair<int, Self> s(std::piecewise_construct, std::forward_as_tuple(1), "
                   "std::forward_as_tuple()); *s.second.self = 9; return s.second.v == 9;"},
                  before);
  EXPECT_EQ(verdictOf("Last l = last(), k = l; Last::last->v = 9; return l.v == 9;", before), "proved");
}

TEST(Moved, ObjectsThatEndAndAreCounted) {
  const std::string before =
      R"(struct Count { static inline int alive = 0; Count() { ++alive; } Count(const Count &) { ++alive; } ~Count() { --alive; } };
struct Put { int &to; int v; ~Put() { to = v; } };
)";
  expectViolated({"Count::alive = 0; std::vector<Count> v(3); v.pop_back(); return Count::alive == 2;",
                  "int x = 0; { std::optional<Put> o; o.emplace(x, 6); } return x == 6;"},
                 before);
  expectNotProved({"int x = 0; try { Put p{x, 4}; throw 1; } catch (...) { x += 1; } return x == 5;"}, before);
  EXPECT_EQ(verdictOf("int x = 0; { std::optional<Put> o; } return x != 0;", before), "proved");
}

TEST(Moved, OwnersThatMayBeGone) {
  const std::string before = "#include <memory>\n";
  expectNotProved({"auto a = std::make_shared<int>(1); std::weak_ptr<int> w = a; a.reset(); return !w.lock();"},
                  before);
  EXPECT_EQ(verdictOf("auto a = std::make_shared<int>(1); std::weak_ptr<int> w = a; return *w.lock() == 2;", before),
            "proved");
}

TEST(Wrapped, NumbersThatAreNotKnown) {
  const std::string before = "#include <cstdint>\n";
  expectNotProved({"unsigned long long m = n; return m - 6 > m;", "unsigned a = n, b = n + 1; return a - b > 100;",
                   "unsigned char k = n + 255; return k < n + 255 || n == 0;",
                   "int k = static_cast<int>(static_cast<long long>(n) + 4294967296LL); return k == n;",
                   "unsigned m = n; --m; return n != 0 || m > 1000;", "std::uint8_t k = n; k -= 6; return k > n;",
                   "struct F { unsigned a : 2; } f; f.a = n + 4; return f.a < n + 4;"},
                  before);
  EXPECT_EQ(verdictOf("long m = n; return m - 6 > m;", before), "proved");
  EXPECT_EQ(verdictOf("long m = n; return m + 6 > n;", before), "violated");
}

} // namespace
} // namespace condlint::test

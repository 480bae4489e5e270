//===- ViewTest.cpp - What looks at something that changes ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views of texts, pointers that walk through arrays of arrays, references to bits, equal
// bases: what is written by one name is seen by the other. Beside each what stays known.
//
//===----------------------------------------------------------------------===//
#include "Bodies.h"

namespace condlint::test {
namespace {

TEST(View, OfATextThatIsWrittenLater) {
  const std::string of = "std::string s = \"abc\"; std::string_view v = s; ";
  EXPECT_EQ(verdictOf(of + "return v == \"abd\";"), "proved");
  EXPECT_EQ(verdictOf(of + "return v == \"abc\";"), "violated");
  EXPECT_EQ(verdictOf(of + "std::string t(v); s[0] = 'x'; return t == \"xbc\";"), "proved") << "a copy of its own";
  EXPECT_EQ(verdictOf(of + "s[0] = 'x'; s = \"abc\"; return v == \"abd\";"), "proved") << "it is again what it was";
  expectOpen({
      of + "s[0] = 'x'; return v == \"xbc\";",
      of + "if (c) s[0] = 'x'; return v[0] == 'x';",
      of + "s = \"xyz\"; return v == \"abc\";",
      of + "for (int i = 0; i < n && i < 3; ++i) s[i] = 'z'; return v == \"abc\";",
      of + "auto w = v.substr(1); s[1] = 'x'; return w == \"bc\";",
      of + "std::optional<std::string_view> w = v; s[0] = 'x'; return *w == \"abc\";",
      of + "std::pair<int, std::string_view> w{1, s}; s[0] = 'x'; return w.second == \"abc\";",
      of + "std::vector<std::string_view> w; w.push_back(s); w.emplace_back(s); s[0] = 'x'; return w[1] == \"abc\";",
      of + "std::tuple<std::string_view, int> w{s, 1}; s[1] = 'x'; return std::get<0>(w) == \"abc\";",
      of + "std::map<std::string_view, int> m; m[s] = 1; s[0] = 'x'; return m.begin()->first == \"abc\";",
      of + "auto f = [v] { return v[0]; }; s[0] = 'x'; return f() == 'a';",
      "std::string s = \"abc\"; const char *v = s.c_str(); s[0] = 'x'; return v[0] == 'a';",
      "std::string s = \"abc\"; const char *v = s.c_str() + 1; s[1] = 'x'; return *v == 'b';",
  });
  EXPECT_EQ(verdictOf("std::map<std::string_view, int> m{{\"a\", 1}}; std::string s = \"a\"; std::string_view v = s; "
                      "return m.find(v) == m.end();"),
            "proved");
}

TEST(View, CharactersAreToldApartByWhereTheyLie) {
  expectOpen({"std::string s = \"a\"; const char *p = s.c_str(), *q = \"a\"; return p == q;",
              "std::map<const char *, int> m; std::string s = \"a\"; m[\"a\"] = 1; return m.count(s.c_str()) == 1;",
              "std::set<const char *> m; std::string s = \"a\"; m.insert(\"a\"); return m.count(s.c_str()) == 1;"});
  EXPECT_EQ(verdictOf("const char *p = \"a\"; return p == nullptr;"), "proved");
}

TEST(View, PointersWalkThroughArraysOfArrays) {
  const std::string of = "int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; ";
  EXPECT_EQ(verdictOf(of + "int *p = a[0]; return p[4] == 5;"), "violated");
  EXPECT_EQ(verdictOf(of + "int *p = &a[0][0]; p[3] = 9; return a[1][0] == 4;"), "proved");
  EXPECT_EQ(verdictOf(of + "int *p = &a[0][2]; ++p; *p = 7; return a[1][0] == 4;"), "proved");
  EXPECT_EQ(verdictOf("int a[2][2][2] = {}; int *p = &a[0][0][0]; p[7] = 1; return a[1][1][1] == 0;"), "proved");
  EXPECT_EQ(verdictOf(of + "std::sort(a[1], a[1] + 3); return a[1][0] != 4;"), "proved");
  expectOpen({of + "int *p = a[1]; return p[-1] == 3;", of + "int *p = a[1]; p[-1] = 9; return a[0][2] == 3;",
              of + "int *e = &a[1][0], *p = &a[0][0]; return e - p == 3;",
              of + "int *p = &a[0][0] + 3; return p == &a[1][0];",
              "struct { int x, y; } a{1, 2}; int *p = &a.x; p[1] = 5; return a.y == 2;"});
}

TEST(View, ReferencesToBits) {
  const std::string of = "std::vector<bool> v{true, false}; ";
  EXPECT_EQ(verdictOf(of + "for (auto b : v) b = true; return v[1];"), "violated");
  EXPECT_EQ(verdictOf(of + "for (auto &&b : v) b = true; return v[1];"), "violated");
  EXPECT_EQ(verdictOf(of + "for (bool b : v) b = true; return v[1];"), "proved");
  EXPECT_EQ(verdictOf(of + "std::for_each(v.begin(), v.end(), [](auto b) { b = true; }); return v[1];"), "violated");
  EXPECT_EQ(verdictOf(of + "std::vector<bool>::swap(v[0], v[1]); return v[1];"), "violated");
  expectOpen({of + "for (auto b : v) if (c) b = !b; return v[1];"});
}

TEST(View, ElementsKeepWhatLeadsToThemWhereOthersComeAndGo) {
  const auto with = [](const std::string &kind, const std::string &body) {
    return "std::" + kind + "<int> l{1, 2, 3}; " + body;
  };
  for (const std::string &body :
       {with("list", "auto it = l.begin(); l.push_front(0); return *it == 1;"),
        with("list", "int &r = l.front(); l.push_front(0); r = 9; return l.front() == 0;"),
        with("list", "auto it = std::next(l.begin()); l.pop_front(); return *it == 2;"),
        with("list", "auto it = --l.end(); l.erase(l.begin()); *it = 7; return l.back() == 7;"),
        with("list", "auto it = l.begin(); l.insert(it, 5); return *it == 1;"),
        with("list", "auto it = l.end(); l.push_back(4); --it; return *it == 4;"),
        with("deque", "int &r = l[0]; l.push_front(0); return r == 1;"),
        with("deque", "int &r = l[1]; l.pop_front(); r = 9; return l[0] == 9;"),
        with("set", "auto it = l.begin(); l.insert(0); return *it == 1;"),
        with("set", "auto it = l.find(3); l.erase(1); return *it == 3;"),
        with("vector", "int *p = &l[0]; l.erase(l.begin() + 2); return *p == 1;")})
    EXPECT_EQ(verdictOf(body), "violated") << body;
  expectOpen({with("list", "int &r = l.front(); if (c) l.push_front(0); r = 9; return l.front() == 9;"),
              with("list", "int &r = l.front(); for (int i = 0; i < n; ++i) l.push_front(0); return r == 1;"),
              with("list", "auto it = l.begin(); l.sort(); return *it == 1;")});
}

TEST(View, ElementsKeepWhatLeadsToThemWhereContainersChangeHands) {
  const std::string of = "std::vector<int> s{1, 2}, t{3, 4}; ";
  const std::string owner = "struct Owner { std::vector<int> v{1}; };\n";
  for (const std::string &body :
       {of + "auto it = s.begin(); std::swap(s, t); return *it == 1;",
        of + "int *p = &s[0]; s.swap(t); *p = 9; return t[0] == 9;",
        of + "int &r = s[0]; std::swap(s, t); r = 9; return t[0] == 9;",
        of + "int *p = &s[0]; auto u = std::move(s); *p = 9; return u[0] == 9;",
        of + "int *p = &s[0]; t = std::move(s); *p = 9; return t[0] == 9;",
        of + "int *p = &s[0]; std::vector<std::vector<int>> u; u.push_back(std::move(s)); *p = 9; return u[0][0] == 9;",
        std::string("Owner o; int *p = &o.v[0]; Owner q = std::move(o); *p = 9; return q.v[0] == 9;"),
        std::string("std::map<int, int> s{{1, 1}}, t; int &r = s[1]; t.swap(s); r = 9; return t[1] == 9;"),
        std::string("std::array<int, 2> s{1, 2}, t{3, 4}; int *p = &s[0]; std::swap(s, t); return *p == 3;"),
        of + "std::vector<int> *p = &s; std::swap(s, t); return (*p)[0] == 3;"})
    EXPECT_EQ(verdictOf(body, owner), "violated") << body;
  EXPECT_EQ(verdictOf(of + "int *p = &s[0]; auto u = std::move(s); *p = 9; return u[1] == 9;"), "proved");
}

TEST(View, EqualBasesAreSeveralParts) {
  const std::string before = R"(struct Base { int v = 0; };
struct Left : Base { Left() { v = 8; } };
struct Right : Base {};
struct Both : Left, Right {};
struct OneLeft : virtual Base {};
struct OneRight : virtual Base {};
struct One : OneLeft, OneRight {};
)";
  expectOpen({"Both d; d.Left::v = 1; return d.Right::v == 1;",
              "Both d; Left *l = &d; Right *r = &d; l->v = 1; r->v = 0; return l->v == 0;",
              "Both d; return d.Left::v == 8;"},
             before);
  EXPECT_EQ(verdictOf("One d; d.OneLeft::v = 1; return d.OneRight::v == 1;", before), "violated");
  EXPECT_EQ(verdictOf("Left l; Right r; r.v = 1; return l.v == 1;", before), "proved");
}

} // namespace
} // namespace condlint::test

//===- OwnOperatorTest.cpp - Operators of the user's own that the library runs --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators, copies and ends of the user's own classes that the standard library runs.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// A class of the user's whose \p member writes, and a branch that does \p body with it.
std::string branch(const std::string &members, const std::string &body) {
  return R"(
#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>
using torch::Tensor;
struct K {
  Tensor t;
  int n;
)" + members +
         R"(
};
Tensor f(const Tensor &p) {
  return condlint::cond(p.any(), [](Tensor x) {
)" + body +
         R"(
    return x * 2;
  }, [](Tensor x) { return x * 3; }, {p});
}
)";
}

const std::string writingLess =
    "bool operator<(const K &o) const { t.add_(1); return n < o.n; } // expect: error input-mutation";
const std::string plainLess = "bool operator<(const K &o) const { return n < o.n; }";
const std::string writingEquality =
    "bool operator==(const K &o) const { t.add_(1); return n == o.n; } // expect: error input-mutation";

TEST(OwnOperator, WhatOrdersIsCalled_M1) {
  for (const char *body :
       {"std::map<K, int> m; m.emplace(K{x, 1}, 1); m.emplace(K{x, 2}, 2);", "std::set<K> s{K{x, 1}, K{x, 2}};",
        "std::multiset<K> s; s.insert(K{x, 1}); s.insert(K{x, 2});",
        "std::priority_queue<K> q; q.push({x, 1}); q.push({x, 2});",
        "std::vector<K> v{{x, 1}, {x, 2}}; std::sort(v.begin(), v.end());", "std::list<K> v{{x, 1}, {x, 2}}; v.sort();",
        "std::pair<K, int> a{{x, 1}, 1}, b{{x, 2}, 1}; (void)(a < b);",
        "std::vector<K> v{{x, 1}, {x, 2}}; (void)*std::max_element(v.begin(), v.end());",
        "std::vector<K> v{{x, 1}, {x, 2}}; std::make_heap(v.begin(), v.end());",
        "std::vector<K> v{{x, 1}, {x, 2}}; (void)std::is_sorted(v.begin(), v.end());",
        "std::vector<std::pair<int, K>> v{{1, {x, 1}}, {1, {x, 2}}}; (void)std::is_sorted(v.begin(), v.end());",
        "std::less<K> less; (void)less(K{x, 1}, K{x, 2});"}) {
    EXPECT_AS_SAID(branch(writingLess, body)) << body;
    EXPECT_AS_SAID(branch(plainLess, body)) << body;
  }
}

TEST(OwnOperator, NothingIsComparedWhereThereIsOne_M1) {
  const std::string unheard = "bool operator<(const K &o) const { t.add_(1); return n < o.n; }";
  for (const char *body : {"std::map<K, int> m; m.emplace(K{x, 1}, 1);", "std::set<K> s; s.insert(K{x, 1});",
                           "std::vector<K> v{{x, 1}}; v.push_back(K{x, 2}); (void)v.size();"})
    EXPECT_AS_SAID(branch(unheard, body)) << body;
}

TEST(OwnOperator, WhatIsComparedIsAsked_M1) {
  for (const char *body :
       {"std::vector<K> v{{x, 1}, {x, 2}}; (void)std::find(v.begin(), v.end(), K{x, 1});",
        "std::vector<K> v{{x, 1}, {x, 2}}; (void)std::count(v.begin(), v.end(), K{x, 1});",
        "std::vector<K> v{{x, 1}}, w{{x, 2}}; (void)(v == w);",
        "std::optional<K> a{K{x, 1}}, b{K{x, 2}}; (void)(a == b);", "std::list<K> v{{x, 1}, {x, 2}}; v.unique();"})
    EXPECT_AS_SAID(branch(writingEquality, body)) << body;
}

TEST(OwnOperator, AHashIsCalled_M1) {
  EXPECT_AS_SAID(branch("bool operator==(const K &o) const { return n == o.n; }\n"
                        "struct Hash { std::size_t operator()(const K &k) const {\n"
                        "  k.t.add_(1); // expect: error input-mutation\n"
                        "  return 1; } };",
                        "std::unordered_map<K, int, K::Hash> m; m[K{x, 1}] = 1;"));
}

TEST(OwnOperator, WhatIsNotFollowedIsNotKnown_M1) {
  // Which of the operators the library calls, and how often, nobody follows.
  const std::string body = "std::vector<K> v{{x, 1}, {x, 2}}, w = v; std::partial_sum(v.begin(), v.end(), w.begin());";
  const Checked c = checkSource(branch("K operator+(const K &o) const { t.add_(1); return {t, n + o.n}; }", body));
  ASSERT_EQ(c.summaries.size(), 1U);
  EXPECT_TRUE(c.verdict("input-mutation", c.summaries[0].location.line).starts_with("unknown"));
}

TEST(OwnOperator, CopiesMovesAndAssignmentsRun_M1) {
  const std::string copies = "K(Tensor a, int b) : t(a), n(b) {}\n"
                             "K(const K &o) : t(o.t), n(o.n) { t.add_(1); } // expect: error input-mutation";
  for (const char *body :
       {"std::vector<K> v; K k(x, 1); v.push_back(k);", "K k(x, 1); std::pair<K, int> p(k, 1);",
        "K k(x, 1); std::optional<K> o = k;", "struct Outer { K k; }; K k(x, 1); Outer a{K(x, 1)}; Outer b = a;",
        "K k(x, 1); auto m = std::make_shared<K>(k);"})
    EXPECT_AS_SAID(branch(copies, body)) << body;
  // What a copy holds is what its constructor says.
  EXPECT_AS_SAID(branch("K(Tensor a, int b) : t(a), n(b) {}\nK(const K &o) : t(o.t.clone()), n(o.n) {}",
                        "std::vector<K> v; K k(x, 1); v.push_back(k); v[0].t.add_(1);"));
  EXPECT_AS_SAID(branch("K(Tensor a, int b) : t(a), n(b) {}\nK(const K &) = default;\n"
                        "K &operator=(const K &o) {\n"
                        "  t = o.t;\n"
                        "  t.add_(1); // expect: error input-mutation\n"
                        "  return *this; }",
                        "std::vector<K> v; v.emplace_back(x, 1); K k(x, 2); std::fill(v.begin(), v.end(), k);"));
}

TEST(OwnOperator, WhatIsErasedComesToItsEnd_M1) {
  const std::string ends = "~K() { t.add_(1); } // expect: error input-mutation";
  EXPECT_AS_SAID(branch(ends, "auto *v = new std::vector<K>; v->push_back(K{x, 1}); v->erase(v->begin());"));
}

} // namespace
} // namespace condlint::test

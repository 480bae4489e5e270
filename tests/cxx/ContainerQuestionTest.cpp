//===- ContainerQuestionTest.cpp - What is asked of one container ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two questions about one container from outside: where the first one holds, whether the
// second one may.
//
//===----------------------------------------------------------------------===//
#include "Questions.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::test {
namespace {

void expectOfContainers(const std::vector<Questions> &all) {
  expectTogether(R"(#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
struct Config { std::map<std::string, int> m; std::vector<int> v; };
)",
                 "const std::map<std::string, int> &m, const std::map<std::string, int> &m2, "
                 "const std::unordered_map<std::string, torch::Tensor> &um, const std::multimap<int, int> &mm, "
                 "const std::set<int> &s, const std::unordered_set<std::string> &us, const std::multiset<int> &ms, "
                 "const std::unordered_multiset<int> &ums, const std::vector<int> &v, const std::list<int> &l, "
                 "const std::deque<int> &dq, const std::vector<std::string> &names, Config config, "
                 "const std::string &name, int n",
                 all);
}

TEST(ContainerQuestion, WhatIsInAMapIsCountedInItsSize) {
  expectOfContainers({
      {R"(m.empty())", R"(m.count("a"))", "never"},
      {R"(m.empty())", R"(!m.count("a"))", "may"},
      {R"(m.count("a"))", R"(m.empty())", "never"},
      {R"(m.count("a"))", R"(m.count("a") == 0)", "never"},
      {R"(m.count("a"))", R"(m.count("a") == 1)", "may"},
      {R"(m.count("a") == 2)", R"(n > 2)", "never"},
      {R"(m.count("a"))", R"(m.contains("a"))", "may"},
      {R"(m.count("a"))", R"(!m.contains("a"))", "never"},
      {R"(m.count("a"))", R"(m.find("a") == m.end())", "never"},
      {R"(m.find("a") == m.end())", R"(m.count("a"))", "never"},
      {R"(m.find("a") != m.end())", R"(m.count("a"))", "may"},
      {R"(m.end() == m.find("a"))", R"(m.contains("a"))", "never"},
      {R"(m.count("a"))", R"(m.count("b"))", "may"},
      {R"(m.count("a") && m.count("b"))", R"(m.size() < 2)", "never"},
      {R"(m.count("a") && m.count("b"))", R"(m.size() == 2)", "may"},
      {R"(m.size() == 1)", R"(m.count("a"))", "may"},
      {R"(m.at("a") > 3)", R"(m.count("a") == 0)", "never"},
      {R"(m.at("a") > 3)", R"(m.empty())", "never"},
      {R"(m.at("a") > 3)", R"(m.at("b") < 2)", "may"},
      {R"(um.contains("a"))", R"(!um.count("a"))", "never"},
      {R"(um.find("a") == um.end())", R"(um.count("a"))", "never"},
      {R"(config.m.empty())", R"(config.m.count("a"))", "never"},
      {R"(m.count("a"))", R"(m2.count("a") == 0)", "may"},
      {R"(m.count("a"))", R"(n > 2)", "may"},
      {R"(m.count(name))", R"(m.empty())", "never"},
      {R"(m.count(name))", R"(m.count(name) == 0)", "never"},
      {R"(m.count(name))", R"(name == "a")", "may"},
      {R"(mm.count(3) == 2)", R"(mm.size() == 1)", "never"},
      {R"(mm.count(3) == 2)", R"(mm.size() == 2)", "may"},
  });
}

TEST(ContainerQuestion, AnElementThatIsAskedForIsThere) {
  expectOfContainers({
      {R"(v.size() == 2)", R"(v.empty())", "never"},
      {R"(v.empty())", R"(v.size() == 0)", "may"},
      {R"(v.front() == 2)", R"(v.empty())", "never"},
      {R"(v.front() == 2)", R"(v.size() == 1)", "may"},
      {R"(v[0] == 2)", R"(v.empty())", "never"},
      {R"(v.at(2) == 2)", R"(v.size() < 3)", "never"},
      {R"(v.at(2) == 2)", R"(v.size() == 3)", "may"},
      {R"(v.back() == 2)", R"(v.empty())", "never"},
      {R"(v.front() == 2)", R"(v[0] == 3)", "never"},
      {R"(v.front() == 2)", R"(v[0] == 2)", "may"},
      {R"(v[0] == 2)", R"(v[1] == 3)", "may"},
      {R"(l.front() == 2)", R"(l.empty())", "never"},
      {R"(dq.front() == 2)", R"(dq.empty())", "never"},
      {R"(names[0] == "a")", R"(names[1] == "b")", "may"},
      {R"(names.size() == 1)", R"(names[0] == "b")", "may"},
      {R"(config.v.empty())", R"(config.v.size() == 2)", "never"},
      {R"(s.count(3))", R"(s.empty())", "never"},
      {R"(s.count(3))", R"(s.count(3) == 0)", "never"},
      {R"(s.count(3))", R"(s.count(4))", "may"},
      {R"(s.count(n))", R"(!s.count(n))", "never"},
      {R"(s.count(n))", R"(s.empty())", "never"},
  });
}

TEST(ContainerQuestion, APositionSaysWhatIsThere) {
  expectOfContainers({
      {R"(v.begin() == v.end())", R"(v.empty())", "may"},
      {R"(v.begin() == v.end())", R"(v.size() == 2)", "never"},
      {R"(v.begin() != v.end())", R"(v.empty())", "never"},
      {R"(v.rbegin() == v.rend())", R"(!v.empty())", "never"},
      {R"(l.begin() == l.end())", R"(!l.empty())", "never"},
      {R"(m.begin() == m.end())", R"(m.count("a"))", "never"},
      {R"(m.begin() != m.end())", R"(m.count("a"))", "may"},
      {R"(um.begin() == um.end())", R"(!um.empty())", "never"},
      {R"(s.find(3) == s.end())", R"(s.count(3))", "never"},
      {R"(s.find(3) == s.end())", R"(s.count(4))", "may"},
      {R"(s.end() != s.find(3))", R"(s.count(3))", "may"},
      {R"(s.contains(3))", R"(s.find(3) == s.end())", "never"},
      {R"(s.find(n) != s.end())", R"(s.empty())", "never"},
      {R"(us.find("a") == us.end())", R"(us.count("a"))", "never"},
      {R"(ms.find(3) == ms.end())", R"(ms.count(3) == 2)", "never"},
      {R"(ums.find(3) == ums.end())", R"(ums.count(3) == 2)", "never"},
      {R"(v.end() - v.begin() > 2)", R"(v.empty())", "never"},
      {R"(v.end() - v.begin() > 2)", R"(v.size() == 3)", "may"},
      {R"(std::find(v.begin(), v.end(), 3) - v.begin() < 0)", R"(n > 2)", "never"},
      {R"(std::find(v.begin(), v.end(), 3) - v.begin() > 0)", R"(n > 2)", "may"},
      {R"(it == s.end())", R"(s.count(3))", "never", R"(auto it = s.find(3);)"},
      {R"(it != s.end())", R"(s.count(3))", "may", R"(auto it = s.find(3);)"},
  });
}

TEST(ContainerQuestion, APositionThatALoopMovesIsAnotherOne) {
  expectOfContainers({
      {R"(!v.empty())", R"(n > 2)", "may", R"(auto it = v.begin(); while (it != v.end()) ++it;)"},
      {R"(!m.empty())", R"(n > 2)", "may", R"(auto it = m.begin(); while (it != m.end()) ++it;)"},
      {R"(it == v.end())", R"(!v.empty())", "unknown",
       R"(auto it = v.begin(); while (it != v.end() && *it != 3) ++it;)"},
      {R"(it == v.begin())", R"(v.size() == 2)", "unknown", R"(auto it = v.end(); if (it != v.begin()) --it;)"},
      {R"(it == w.begin())", R"(n > 2)", "unknown", R"(std::list<int> w = l; auto it = w.begin(); w.push_front(2);)"},
  });
}

TEST(ContainerQuestion, ALoopOverItHasATripWhereSomethingIsThere) {
  expectOfContainers({
      {R"(asked)", R"(n > 2)", "never", R"(bool asked = false; for (int i : v) if (v.empty()) asked = true;)"},
      {R"(asked)", R"(n > 2)", "never", R"(bool asked = false; for (int i : s) if (s.size() == 0) asked = true;)"},
      {R"(asked)", R"(n > 2)", "never", R"(bool asked = false; for (auto &[k, w] : m) if (m.empty()) asked = true;)"},
  });
}

TEST(ContainerQuestion, NobodyChoosesWhatTheCodeHasMade) {
  const std::string grown = "std::vector<int> w = v; w.push_back(3);";
  const std::string sorted = "std::vector<int> w = v; std::sort(w.begin(), w.end());";
  const std::string set = "std::set<int> w = s; w.insert(3);", map = "std::map<std::string, int> w = m; w[\"a\"] = 3;";
  expectOfContainers({
      {R"(w.empty())", R"(n > 2)", "unknown", grown},
      {R"(w.back() == 4)", R"(n > 2)", "unknown", grown},
      {R"(w.size() < v.size())", R"(n > 2)", "unknown", grown},
      {R"(std::find(w.begin(), w.end(), 3) == w.end())", R"(n > 2)", "unknown", grown},
      {R"(w.begin() == w.end())", R"(n > 2)", "unknown", grown},
      {R"(w[0] > w[1])", R"(n > 2)", "unknown", sorted},
      {R"(w.size() != v.size())", R"(n > 2)", "unknown", sorted},
      {R"(w.empty())", R"(n > 2)", "unknown", set},
      {R"(w.find(3) == w.end())", R"(n > 2)", "unknown", set},
      {R"(w.size() == 0)", R"(n > 2)", "unknown", map},
      {R"(w.begin() == w.end())", R"(n > 2)", "unknown", map},
      {R"(w["a"] == 4)", R"(n > 2)", "never", map},
      {R"(w.count("b"))", R"(n > 2)", "may", map},
      {R"(w.count("a"))", R"(n > 2)", "unknown", R"(std::map<std::string, int> w = m; w.erase("a");)"},
      {R"(w.size() != v.size())", R"(n > 2)", "unknown", R"(std::vector<int> w(v.begin(), v.end());)"},
      {R"(w.empty())", R"(n > 2)", "may", R"(std::vector<int> w = v;)"},
      {R"(w.size() == 2)", R"(n > 2)", "may", R"(std::vector<int> w = v; w[0] = 3;)"},
      {R"(first == 3)", R"(v.front() == 4)", "unknown", R"(const int first = *v.begin();)"},
      {R"(first == 3)", R"(v.size() == 2)", "unknown", R"(const int first = *v.begin();)"},
  });
}

TEST(ContainerQuestion, WhatIsNotWorkedOutIsNoVerdict) {
  expectOfContainers({
      {R"(v.front() == 2)", R"(v.back() == 3)", "unknown"},
      {R"(std::count(v.begin(), v.end(), 3) > 0)", R"(v.empty())", "unknown"},
      {R"(m.count(name))", R"(m.count("a"))", "unknown"},
      {R"(m.begin()->first == "a")", R"(m.empty())", "unknown"},
      {R"(*s.begin() == 3)", R"(s.empty())", "unknown"},
      {R"(std::count(v.begin(), v.end(), 3) > 0)", R"(n > 2)", "may"},
      {R"(std::find(v.begin(), v.end(), 3) != v.end())", R"(v.empty())", "unknown"},
      {R"(v.empty())", R"(std::find(v.begin(), v.end(), 3) != v.end())", "unknown"},
      {R"(std::find(v.begin(), v.end(), 3) != v.end())", R"(std::find(v.begin(), v.end(), 3) == v.end())", "unknown"},
      {R"(std::find_if(v.begin(), v.end(), [](int i) { return i > 3; }) != v.end())", R"(v.empty())", "unknown"},
      {R"(std::ranges::find(v, 3) != v.end())", R"(v.empty())", "unknown"},
      {R"(std::binary_search(v.begin(), v.end(), 3))", R"(v.empty())", "unknown"},
      {R"(m.lower_bound("a") != m.end())", R"(m.empty())", "unknown"},
      {R"(m.upper_bound("a") == m.begin())", R"(m.count("a"))", "unknown"},
      {R"(mm.equal_range(3).first == mm.equal_range(3).second)", R"(mm.count(3))", "unknown"},
      {R"(std::find(v.begin(), v.end(), 3) != v.end())", R"(n > 2)", "may"},
      {R"(std::find(v.begin(), v.end(), 3) != v.end())", R"(m.empty())", "may"},
      {R"(m.lower_bound("a") == m.end())", R"(v.empty())", "may"},
  });
}

} // namespace
} // namespace condlint::test

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
#include <vector>
struct Config { std::map<std::string, int> m; std::vector<int> v; };
)",
                 "const std::map<std::string, int> &m, const std::map<std::string, int> &m2, "
                 "const std::unordered_map<std::string, torch::Tensor> &um, const std::multimap<int, int> &mm, "
                 "const std::set<int> &s, const std::vector<int> &v, const std::list<int> &l, "
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
      {R"(mm.find(3) == mm.end())", R"(mm.count(3))", "unknown"},
      {R"(mm.equal_range(3).first == mm.equal_range(3).second)", R"(mm.count(3))", "unknown"},
      {R"(m.begin() != m.end())", R"(m.empty())", "unknown"},
      {R"(std::find(v.begin(), v.end(), 3) != v.end())", R"(n > 2)", "may"},
      {R"(std::find(v.begin(), v.end(), 3) != v.end())", R"(m.empty())", "may"},
      {R"(m.lower_bound("a") == m.end())", R"(v.empty())", "may"},
  });
}

} // namespace
} // namespace condlint::test

//===- TracingContainerTest.cpp - Traced conditions on containers -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions of traced code on containers: which keys they have, how many elements,
// and what those are, are three things. Label: NS11.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// A module with \p body as its forward.
std::string forward(const std::string &body) {
  return "#include <algorithm>\n#include <array>\n#include <map>\n#include <set>\n#include <string>\n#include "
         "<unordered_map>\n"
         "#include <vector>\n"
         "static const std::map<int64_t, double> rates{{0, 0.1}, {1, 0.2}};\n"
         "struct M : torch::nn::Module { torch::Tensor forward(torch::Tensor x) {\n"
         "const auto m = x.argmax().item<int64_t>();" +
         body + "\nreturn x; } };\n";
}

TEST(TracingContainer, WhetherAKeyIsThereHangsOnTheKeyAndTheKeys_NS11) {
  EXPECT_AS_SAID(forward(R"(
    if (rates.count(m)) // expect: warning control-flow-frozen
      x = x + 1;
    if (rates.count(1))
      x = x + 1;
    auto it = rates.find(m);
    if (it != rates.end()) // expect: warning control-flow-frozen
      x = x + 1;
    auto one = rates.find(1);
    if (one != rates.end() && one->second > 0)
      x = x + 1;
    std::set<int64_t> seen;
    seen.insert(3);
    if (seen.count(3))
      x = x + 1;
    std::set<int64_t> classes;
    classes.insert(m);
    if (classes.count(3)) // expect: warning control-flow-frozen
      x = x + 1;
    std::map<int64_t, int64_t> counts;
    counts[m] = 1;
    if (counts.count(3)) // expect: warning control-flow-frozen
      x = x + 1;
    std::unordered_map<int64_t, int64_t> tops;
    tops[0] = m;
    tops.emplace(1, m);
    tops.insert({2, m});
    if (tops.count(0) && tops.find(1) != tops.end())
      x = x + 1;
    if (tops[0] > 2) // expect: warning control-flow-frozen
      x = x + 1;
    std::map<int64_t, int64_t> later;
    later.emplace(1, 2);
    auto first = later.find(1);
    if (first != later.end())
      later.emplace(m, 3);
    const std::map<int64_t, double> table{{0, 0.1}, {m, 0.2}};
    if (table.count(1)) // expect: warning control-flow-frozen
      x = x + 1;)"),
                 "nnscaler");
}

TEST(TracingContainer, HowManyThereAreIsNotWhatTheyAre_NS11) {
  EXPECT_AS_SAID(forward(R"(
    std::string name(m, 'x');
    if (name.size() > 2) // expect: warning control-flow-frozen
      x = x + 1;
    std::vector<double> many(m);
    for (auto each : many) // expect: warning control-flow-frozen
      x = x + each;
    std::vector<double> few(3, m);
    for (auto each : few)
      x = x + each;
    if (few.size() > 2)
      x = x + 1;
    if (few[0] > 2) // expect: warning control-flow-frozen
      x = x + 1;
    std::vector<int64_t> grown;
    grown.resize(m);
    if (grown.empty()) // expect: warning control-flow-frozen
      x = x + 1;
    std::vector<int64_t> values{m, 3};
    values.push_back(m);
    values.insert(values.begin(), m);
    for (auto at = values.begin(); at != values.end(); ++at)
      x = x + *at;
    if (values.size() > 3 && values.end() - values.begin() > 3)
      x = x + 1;
    auto found = std::find(values.begin(), values.end(), 3);
    if (found != values.end()) // expect: warning control-flow-frozen
      x = x + 1;
    std::set<int64_t> classes;
    for (int64_t i = 0; i < 4; ++i)
      classes.insert(x[i].argmax().item<int64_t>());
    if (classes.empty())
      x = x + 1;
    if (classes.size() > 1) // expect: warning control-flow-frozen
      x = x + 1;
    std::array<int64_t, 2> shape{x.size(0), m};
    if (shape.front() > 2 || shape.size() > 2)
      x = x + 1;
    if (shape.back() > 2) // expect: warning control-flow-frozen
      x = x + 1;
    struct Beam {
      double score = 0;
      int64_t length = 0;
    };
    std::vector<Beam> beams(4);
    for (auto &beam : beams)
      beam.score = m;
    if (beams[0].length > 3)
      x = x + 1;
    if (beams[0].score > 3) // expect: warning control-flow-frozen
      x = x + 1;
    std::vector<int64_t> marks{0, 0, 0};
    marks[m] = 1;
    if (marks[1] > 0) // expect: warning control-flow-frozen
      x = x + 1;
    if (marks.size() > 3)
      x = x + 1;)"),
                 "nnscaler");
}

// Of what kind a number is says nothing of what it is.
TEST(TracingContainer, TheKindOfAScalarIsNoValue_NS11) {
  EXPECT_AS_SAID(forward(R"(
    if (x.sum().item().isFloatingPoint())
      x = x + 1;
    if (x.sum().item().toDouble() > 1) // expect: warning control-flow-frozen
      x = x + 1;)"),
                 "nnscaler");
}

TEST(TracingContainer, TheLastElementIsOne_NS11) {
  EXPECT_AS_SAID(forward(R"(
    std::vector<int64_t> sizes{1, 2};
    sizes.back() = m;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      x = x + 1;
    if (sizes.back() > 2) // expect: warning control-flow-frozen
      x = x * 2;
)"),
                 "nnscaler");
}

} // namespace
} // namespace condlint::test

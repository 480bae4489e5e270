//===- Questions.cpp - Two questions, one after the other ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Questions.h"
#include "Annotated.h"
#include <algorithm>
#include <cstdint>

namespace condlint::test {

void expectTogether(const std::string &prelude, const std::string &parameters, const std::vector<Questions> &all) {
  std::string source = prelude;
  std::vector<std::uint32_t> lines;
  for (const Questions &q : all) {
    lines.push_back(static_cast<std::uint32_t>(std::ranges::count(source, '\n')) + 1);
    source += "torch::Tensor f" + std::to_string(lines.size()) + "(torch::Tensor x, torch::Tensor p, " + parameters +
              ") { CONDLINT_DTYPE(x, Float); return condlint::cond(p, [=](torch::Tensor y) -> torch::Tensor { " +
              q.before + " if (" + q.first + ") { if (" + q.second +
              ") y.add_(1); } return y.sin(); }, [](torch::Tensor y) { return y.cos(); }, {x}); }\n";
  }
  const Checked checked = checkSource(source);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string verdict = checked.verdict("input-mutation", lines[i]);
    const std::string word = verdict.substr(0, verdict.find(':'));
    const std::string together = word == "violated" ? "may" : word == "proved" ? "never" : word;
    EXPECT_EQ(together, all[i].together) << all[i].first << ", then " << all[i].second;
  }
}

} // namespace condlint::test

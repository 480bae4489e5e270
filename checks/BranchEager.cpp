//===- BranchEager.cpp - Work that one branch needs is inside it (F5) -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkBranchEager(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const EagerWork &w : ctx.facts.eagerWork()) {
    Draft d;
    d.conditional = w.conditional;
    std::string names;
    constexpr std::size_t shown = 5;
    for (std::size_t i = 0; i < w.nodes.size() && i < shown; ++i) {
      names += fmt::format("{}{}", i == 0 ? "" : ", ", m.text(m[w.nodes[i]].name));
      d.related.push_back(relatedTo(
          m, w.nodes[i], fmt::format("{} runs whatever the predicate says", m.operatorName(m[w.nodes[i]].op))));
    }
    if (w.nodes.size() > shown)
      names += fmt::format(" and {} more", w.nodes.size() - shown);
    d.message = fmt::format("only '{}' needs {}, which {} outside of the conditional and so always runs",
                            m.text(m[w.branch].role), names, w.nodes.size() == 1 ? "stands" : "stand");
    d.help = "move the work into the branch, where it runs only when it is needed";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

//===- BranchMissing.cpp - Both branches are there (B1, C9) ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkBranchMissing(RuleContext &ctx) {
  std::string names;
  std::string whys;
  std::size_t count = 0;
  for (const Branch &b : ctx.conditional().branches) {
    if (b.graph)
      continue;
    if (b.problem == "unreadable" || b.problem == "reference") {
      ctx.unknown(
          fmt::format("'{}' {}", b.name,
                      b.problem == "reference" ? "is an attribute of the function around it" : "could not be read"));
      continue;
    }
    names += fmt::format("{}'{}'", count++ == 0 ? "" : " and ", b.name);
    whys += fmt::format("{}{}", whys.empty() ? "" : ", ",
                        b.problem == "absent" ? "nothing stands there" : b.problem + " stands there");
  }
  if (count == 0)
    return;
  Draft d;
  d.message = fmt::format("the conditional lacks the branch {}: {}", names, whys);
  d.help = ctx.isTorch()
               ? "both branches must be graphs (as_graph)"
               : "then_branch and else_branch are required, each one graph; an empty branch still returns values";
  ctx.report(std::move(d));
}

} // namespace condlint

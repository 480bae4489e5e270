//===- BranchMissing.cpp - Both branches are there (B1, C9) ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkRules.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// C9: both sides of each output are tensors.
void checkNetwork(RuleContext &ctx) {
  for (const Output &o : ctx.outputs()) {
    const bool lacks[] = {!o.values[0], !o.values[1]};
    if (!lacks[0] && !lacks[1])
      continue;
    Draft d;
    d.node = o.node;
    d.message = fmt::format("a null pointer stands for the output of {}", lacks[0] && lacks[1] ? "both branches"
                                                                          : lacks[0]           ? "'true'"
                                                                                               : "'false'");
    d.help = "addOutput takes a reference: give both branches a tensor, the outer one where a branch does nothing";
    ctx.report(std::move(d));
  }
}

} // namespace

void checkBranchMissing(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
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

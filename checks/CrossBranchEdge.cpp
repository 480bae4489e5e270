//===- CrossBranchEdge.cpp - No use of the other branch's values (F2) -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>
#include <set>

namespace condlint {

void checkCrossBranchEdge(RuleContext &ctx) {
  const Model &m = ctx.m;
  std::set<std::pair<ValueId, GraphId>> seen;
  for (const ScopeProblem &p : ctx.facts.scope) {
    if (p.fault != ScopeFault::CrossBranch || !seen.insert({p.value, p.graph}).second)
      continue;
    const GraphId scope = m[p.conditional].graph;
    Draft d;
    d.conditional = p.conditional;
    d.node = p.node;
    d.graph = p.node ? GraphId() : p.graph;
    d.message = fmt::format("'{}' uses {} of '{}' ({}): only one of the two branches runs",
                            m.text(m[regionUnder(m, scope, p.graph)].role), spellValue(m, p.value),
                            m.text(m[regionUnder(m, scope, m[p.value].graph)].role), spellPlace(m, p.value));
    d.help = "compute it in both branches, or before the conditional";
    d.related.push_back(relatedTo(m, p.value, "the value is made in the other branch"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint

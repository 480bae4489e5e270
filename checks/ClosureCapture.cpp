//===- ClosureCapture.cpp - A branch of a closed graph reads only its parameters ===//
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

void checkClosureCapture(RuleContext &ctx) {
  const Model &m = ctx.m;
  std::set<std::pair<NodeId, ValueId>> seen;
  for (const ScopeProblem &p : ctx.facts.scope) {
    if (p.fault != ScopeFault::Capture || !seen.insert({p.conditional, p.value}).second)
      continue;
    Draft d;
    d.conditional = p.conditional;
    d.node = p.node;
    d.graph = p.node ? GraphId() : p.graph;
    d.message = fmt::format("'{}' reads {} of the graph around it ({}): a branch reads only its parameters",
                            m.text(m[regionUnder(m, m[p.conditional].graph, p.graph)].role), spellValue(m, p.value),
                            spellPlace(m, p.value));
    d.help = fmt::format("pass {} as an operand and give both branches a parameter for it", spellValue(m, p.value));
    d.related.push_back(relatedTo(m, p.value, "the captured value is made here"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint

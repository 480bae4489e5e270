//===- CrossBranchEdge.cpp - No use of the other branch's values (F2) -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkCrossBranchEdge(RuleContext &ctx) {
  const Model &m = ctx.m;
  ctx.forEachProblem(ScopeFault::CrossBranch, [&](const ScopeProblem &p, Draft d) {
    const GraphId scope = m[p.conditional].graph;
    d.message = fmt::format("'{}' uses {} of '{}' ({}): only one of the two branches runs",
                            m.text(m[regionUnder(m, scope, p.graph)].role), spellValue(m, p.value),
                            m.text(m[regionUnder(m, scope, m[p.value].graph)].role), spellPlace(m, p.value));
    d.help = "compute it in both branches, or before the conditional";
    d.related.push_back(relatedTo(m, p.value, "the value is made in the other branch"));
    ctx.report(std::move(d));
  });
  // Source: through a variable that both branches see.
  for (const VariableFlow &f : ctx.facts.source->crossing()) {
    Draft d;
    d.conditional = f.conditional;
    d.node = f.read;
    d.message = fmt::format("'{}' reads {}, which '{}' writes: only one of the two branches runs",
                            m.text(m[f.reader].role), spellVariable(m, f.read), m.text(m[f.writer].role));
    d.help = "compute it in both branches, or before the conditional";
    d.related.push_back(relatedTo(m, f.write, "it is written in the other branch"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint

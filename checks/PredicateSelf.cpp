//===- PredicateSelf.cpp - A predicate depends on its own conditional (F7) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>
#include <set>

namespace condlint {

namespace {

void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Construct &c : ctx.facts.network->constructs()) {
    if (!c.selfDependent || c.isLoop || c.conditions.empty())
      continue;
    Draft d;
    d.conditional = c.node;
    d.node = c.conditions.front();
    const NodeId maker = makerOf(m, d.node, 1);
    d.message = fmt::format("the condition depends on {} itself{}", spellConstruct(m, c),
                            maker ? fmt::format(": it comes from {}", spellLayer(m, maker)) : "");
    d.help = "compute the condition from tensors outside of the conditional, not from what its addInput or addOutput "
             "yields";
    if (maker)
      d.related.push_back(relatedTo(m, maker, "the condition is made here"));
    ctx.report(std::move(d));
  }
}

} // namespace

void checkPredicateSelf(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  std::set<NodeId> said;
  for (const ScopeProblem &p : ctx.facts.scope) {
    if (p.fault != ScopeFault::PredicateSelf || !said.insert(p.conditional).second)
      continue;
    const bool direct = ctx.m[p.value].def == p.conditional;
    Draft d;
    d.conditional = p.conditional;
    d.message = fmt::format("{} {} its own conditional", spellPredicate(ctx.m, p.value),
                            direct ? "is an output of" : "depends on");
    d.help = "decide before the conditional: compute the predicate from values that come earlier";
    if (!direct)
      d.related.push_back(relatedTo(ctx.m, p.value, "the predicate is made here"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint

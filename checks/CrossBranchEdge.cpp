//===- CrossBranchEdge.cpp - No use of the other branch's values (F2) -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The last layer that is in both branches of \p c; one inside an inner conditional is that one's.
NodeId lastShared(const RuleContext &ctx, const Construct &c) {
  const NetworkFacts &network = *ctx.facts.network;
  NodeId shared;
  for (NodeId n : c.certain[0])
    if (std::ranges::binary_search(c.certain[1], n) && !layerName(ctx.m, n).empty() && !network.isTainted(n) &&
        network.lazyIn(n) == &c)
      shared = n;
  return shared;
}

/// F2: what one branch computes is not there for the other.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  const NetworkFacts &network = *ctx.facts.network;
  for (const Construct &c : network.constructs()) {
    if (c.isLoop)
      continue;
    const NodeId shared = lastShared(ctx, c);
    if (!shared)
      continue;
    Draft d;
    d.conditional = c.node;
    d.node = shared;
    d.message = fmt::format("both branches of {} use the result of {}, which is inside of it: only one of the two runs",
                            spellConstruct(m, c), spellLayer(m, shared));
    d.help = "compute it before addInput, so that both branches read it through an input layer, or once in each branch";
    for (NodeId out : c.outputs)
      d.related.push_back(relatedTo(m, out, "the branches meet here"));
    ctx.report(std::move(d));
  }
}

} // namespace

void checkCrossBranchEdge(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
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
  if (!ctx.facts.source->knowsAllFlows())
    ctx.unknown("a variable is used so often that not all of its reads were followed");
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

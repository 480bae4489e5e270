//===- OutputUnused.cpp - Each output is used (F9) ------------------------===//
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

/// F9
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (NodeId n : ctx.conditional().outputLayers) {
    if (ctx.facts.network->isUsed(m.result(n, 0))) {
      if (ctx.standsForSeveral(m[n].graph) && !ctx.facts.network->isReadInEach(n))
        ctx.unknown("not every execution need come to what uses the output");
      if (ctx.facts.network->isReadPerhaps(n))
        ctx.unknown("what uses the output uses one of several tensors, and may mean another one");
      continue;
    }
    if (ctx.facts.network->isOpen(n) || ctx.facts.network->readsUnknown(m[n].graph)) {
      ctx.unknown("what is not seen or not known may use the output");
      continue;
    }
    Draft d;
    d.node = n;
    d.absence = true;
    d.idle = true;
    d.message = fmt::format("nothing uses the output that {} adds: the conditional need not have it", spellLayer(m, n));
    d.help = "use or mark its tensor, or leave the output out of both branches";
    ctx.report(std::move(d));
  }
}

} // namespace

void checkOutputUnused(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  const NodeId n = ctx.conditional().node;
  for (std::size_t i = 0; i < m.resultCount(n); ++i) {
    const ValueId v = m.result(n, i);
    // An empty name says that nobody wants it.
    if (ctx.facts.used[v.index()] || (!ctx.isTorch() && m.name(v).empty()))
      continue;
    if (std::ranges::any_of(m.regions(n), [&](GraphId g) { return !g || ctx.facts.readsLostOutside(g); })) {
      ctx.unknown("who uses it is not known: something is not defined where it is read");
      continue;
    }
    Draft d;
    d.message = fmt::format("output {} of the conditional ({}) is not used", i, spellValue(m, v));
    d.help = "leave it out of both branches' outputs";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

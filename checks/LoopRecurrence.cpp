//===- LoopRecurrence.cpp - Both inputs of a recurrence, alike (L3) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include "engine/SizeJudgement.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// What is the first difference of the two for certain; empty: none is known.
std::string difference(const RuleContext &ctx, NodeId n, const Type &a, const Type &b) {
  if (!a.isTensor() || !b.isTensor())
    return {};
  if (a.possible().disjoint(b.possible()))
    return "types";
  if (!a.hasRank || !b.hasRank)
    return {};
  if (a.dims.size() != b.dims.size())
    return "ranks";
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (judgeEqual(ctx, n, a.dims[i], b.dims[i]).verdict == Verdict::Violated)
      return "shapes";
  return {};
}

/// The two lie on a cycle, which is loop-cycle's.
/// In what the two may differ, as far as that is not known; empty: in nothing.
std::string openDifference(const RuleContext &ctx, NodeId n, const Type &a, const Type &b) {
  if (!a.isTensor() || !b.isTensor() || a.element == DType::Unknown || b.element == DType::Unknown)
    return "types";
  if (!a.hasRank || !b.hasRank)
    return "ranks";
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (judgeEqual(ctx, n, a.dims[i], b.dims[i]).verdict != Verdict::Proved)
      return "shapes";
  return {};
}

bool lieOnCycle(const NetworkFacts &network, NodeId a, NodeId b) {
  return std::ranges::any_of(network.cycles(), [&](const std::vector<NodeId> &cycle) {
    return std::ranges::find(cycle, a) != cycle.end() && std::ranges::find(cycle, b) != cycle.end();
  });
}

void checkRecurrence(RuleContext &ctx, const Construct &c, NodeId n) {
  const Model &m = ctx.m;
  const NetworkFacts &network = *ctx.facts.network;
  const ValueId first = operandOf(m, n, 1);
  const ValueId second = operandOf(m, n, 2);
  Draft d;
  d.node = n;
  d.loop = c.node;
  if (!second) {
    // Whoever has its tensor or layer can still close it.
    if (c.open || c.uncertain || network.isOpen(n) || network.isHandedOut(n))
      return ctx.unknownOf(c.node, "code that is not seen may close a recurrence");
    d.absence = true;
    d.message = fmt::format("the recurrence of {} is never closed: it has no second input", spellConstruct(m, c));
    d.help = "call setInput(1, ...) with the value for the next trip";
    return ctx.report(std::move(d));
  }
  const NodeId firstMaker = first ? m[first].def : NodeId();
  const Tri inside = firstMaker ? network.inside(firstMaker, c) : Tri::No;
  if (inside == Tri::Unknown)
    ctx.unknownOf(c.node, "whether the loop computes what a recurrence begins with is not known");
  if (inside == Tri::Yes && !network.isTainted(firstMaker)) {
    if (lieOnCycle(network, n, firstMaker))
      return;
    d.message = fmt::format("the recurrence begins with the result of {}, which is inside of {} itself",
                            spellLayer(m, firstMaker), spellConstruct(m, c));
    d.help = "the first value comes from outside of the loop";
    return ctx.report(std::move(d));
  }
  if (!first)
    return ctx.unknownOf(c.node, "what a recurrence begins with is not known");
  if (firstMaker && network.isTainted(firstMaker))
    ctx.unknownOf(c.node, "what computes the first value of a recurrence is not known");
  const Type &a = m.type(first);
  const Type &b = m.type(second);
  const std::string what = difference(ctx, n, a, b);
  if (what.empty()) {
    if (const std::string open = openDifference(ctx, n, a, b); !open.empty())
      ctx.unknownOf(c.node, fmt::format("whether the {} of a recurrence's two values agree is not known", open));
    return;
  }
  d.at = placeOfInput(m, n, 2);
  d.message = fmt::format("the recurrence begins with {} and goes on with {}: the {} differ", spellType(m, a),
                          spellType(m, b), what);
  d.help = "what a trip passes on has the type and the shape of what the first one gets";
  d.related.push_back(relatedTo(m, n, "the recurrence is added here"));
  d.related.push_back(relatedTo(m, second, "the value for the next trip is made here"));
  ctx.report(std::move(d));
}

} // namespace

void checkLoopRecurrence(RuleContext &ctx) {
  for (const Construct &c : ctx.facts.network->constructs())
    if (c.isLoop)
      for (NodeId n : c.inputs)
        if (layerName(ctx.m, n) == "Loop.addRecurrence")
          checkRecurrence(ctx, c, n);
}

} // namespace condlint

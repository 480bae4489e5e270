//===- LoopTripType.cpp - A count from before the loop, a condition from inside (L2) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace condlint {

namespace {

/// \p surely: whichever of several tensors the code means; else for some of them.
bool liesIn(const NetworkFacts &network, NodeId n, const Construct &outer, bool surely) {
  const Tri inside = network.inside(n, outer);
  return inside == Tri::Yes || (!surely && inside == Tri::Unknown);
}

/// Is \p n, which the condition of \p c is computed from, a layer that it must not come from (L2)?
bool isBarred(const RuleContext &ctx, const Construct &c, NodeId n, bool surely) {
  const NetworkFacts &network = *ctx.facts.network;
  const std::string_view name = layerName(ctx.m, n);
  if (name == "Loop.addLoopOutput")
    return liesIn(network, n, c, surely);
  if (name != "Loop.addIterator" && name != "Loop.addRecurrence")
    return false;
  const Construct *loop = network.at(makerOf(ctx.m, n, 0));
  if (loop == &c)
    return name == "Loop.addIterator";
  return loop && std::ranges::any_of(c.outputs, [&](NodeId out) {
           return liesIn(network, out, *loop, surely);
         }); // else it is used where it does not exist: loop-leak
}

/// The layer that the condition made by \p maker must not be computed from; none. What a
/// recurrence gets in its loop is not part of the condition. \p surely: whichever of several tensors the code means.
NodeId barredBehind(const RuleContext &ctx, const Construct &c, NodeId maker, bool surely) {
  const Model &m = ctx.m;
  std::vector<NodeId> open{maker};
  std::unordered_set<NodeId> seen{maker};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    if (isBarred(ctx, c, n, surely))
      return n;
    const std::string_view name = layerName(m, n);
    if (name == "Loop.addLoopOutput" || name == "Loop.addRecurrence" ||
        (name.empty() && (surely || !isCxx(m, n, CxxOp::Join))))
      continue;
    for (std::size_t i = firstInput(m, n); i < m.operands(n).size(); ++i)
      if (const NodeId before = makerOf(m, n, i); before && seen.insert(before).second)
        open.push_back(before);
  }
  return {};
}

void checkLimit(RuleContext &ctx, const Construct &c, NodeId n) {
  const Model &m = ctx.m;
  const ValueId v = operandOf(m, n, 1);
  const Attribute *kind = m.attribute(n, "limit");
  if (!v || !kind || kind->kind != AttributeKind::String)
    return ctx.unknownOf(c.node, "what limits the loop is not known");
  const bool count = m.text(kind->text) == "kCOUNT";
  const Type &t = m.type(v);
  Draft d;
  d.node = n;
  d.loop = c.node;
  const auto report = [&](std::string message, std::string help) {
    d.message = std::move(message);
    d.help = std::move(help);
    if (m[v].def)
      d.related.push_back(relatedTo(m, v, "the limit's tensor is made here"));
    ctx.report(std::move(d));
  };
  const DTypeSet admitted = count ? DTypeSet{DType::Int32, DType::Int64} : DTypeSet{DType::Bool};
  if (t.isTensor() && t.possible().disjoint(admitted))
    return report(fmt::format("the trip limit {} is {}, not {}", m.text(kind->text), spellElement(t),
                              count ? "int32 or int64" : "bool"),
                  count ? "cast the count to int32 or int64" : "compare: a condition is a bool");
  if (t.hasRank && !t.dims.empty())
    return report(fmt::format("the trip limit {} has the shape {}; it is a scalar of rank 0", m.text(kind->text),
                              spellDims(m.dims, t.dims)),
                  "reshape or reduce it to rank 0");
  const auto leaveOpen = [&](std::string_view what) {
    ctx.unknownOf(c.node, fmt::format("{} the limit {} is not known", what, m.text(kind->text)));
  };
  if (!t.isTensor() || t.element == DType::Unknown)
    leaveOpen("the element type of");
  if (!t.hasRank)
    leaveOpen("the rank of");
  const NodeId maker = m[v].def;
  if (!maker || ctx.facts.network->isTainted(maker))
    return leaveOpen("what computes");
  const Tri inside = ctx.facts.network->inside(maker, c);
  if (inside == Tri::Unknown)
    return leaveOpen("whether the loop computes");
  if (count && inside == Tri::Yes)
    return report(fmt::format("the count of {} is computed inside of it, by {}: it must be known before",
                              spellConstruct(m, c), spellLayer(m, maker)),
                  "count with a tensor from outside, or end the loop by a condition (kWHILE)");
  if (count)
    return;
  if (inside == Tri::No && c.open)
    return leaveOpen("whether the loop computes");
  if (inside == Tri::No)
    return report(fmt::format("the condition of {} is not computed in it: it never changes, so the loop never ends or "
                              "never begins",
                              spellConstruct(m, c)),
                  "compute the condition from the loop's recurrences");
  const NodeId barred = barredBehind(ctx, c, maker, true);
  if (!barred && barredBehind(ctx, c, maker, false))
    return leaveOpen("which of several tensors computes");
  if (barred) {
    d.related.push_back(relatedTo(m, barred, "the condition depends on it"));
    const std::string_view name = layerName(m, barred);
    report(fmt::format("the condition of {} depends on {}: {}", spellConstruct(m, c), spellLayer(m, barred),
                       name == "Loop.addIterator"     ? "an iterator is no part of a condition"
                       : name == "Loop.addLoopOutput" ? "the output of a loop is no part of a condition"
                                                      : "the recurrence belongs to another loop"),
           "compute the condition from recurrences of the same loop: what else it needs is passed on by one");
  }
}

} // namespace

void checkLoopTripType(RuleContext &ctx) {
  for (const Construct &c : ctx.facts.network->constructs())
    if (c.isLoop)
      for (NodeId n : c.conditions)
        checkLimit(ctx, c, n);
}

} // namespace condlint

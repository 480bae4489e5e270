//===- LoopCycle.cpp - The only back edge is a recurrence's second input (L5) -===//
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

namespace condlint {

namespace {

/// The input of \p n that was rewired last, by a layer of \p cycle: its place; null: none was. The second input
/// of a recurrence closes no cycle.
const Attribute *rewired(const Model &m, NodeId n, std::span<const NodeId> cycle) {
  const std::size_t first = firstInput(m, n);
  const std::size_t inputs = layerName(m, n) == "Loop.addRecurrence" ? first + 1 : m.operands(n).size();
  const Attribute *last = nullptr;
  for (std::size_t i = 0; first + i < inputs; ++i) {
    const Attribute *a = m.attribute(n, attr::inputAt(i));
    if (a && a->kind == AttributeKind::Location && (!last || a->number >= last->number) &&
        std::ranges::find(cycle, makerOf(m, n, first + i)) != cycle.end())
      last = a;
  }
  return last;
}

} // namespace

void checkLoopCycle(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const std::vector<NodeId> &cycle : ctx.facts.network->cycles()) {
    // The layer that was rewired last closes it: code that only adds makes no cycle.
    const Attribute *closing = nullptr;
    NodeId node = cycle.back();
    for (NodeId n : cycle)
      if (const Attribute *a = rewired(m, n, cycle); a && (!closing || a->number >= closing->number)) {
        closing = a;
        node = n;
      }
    Draft d;
    d.node = node;
    for (const Construct &c : ctx.facts.network->constructs())
      if (c.isLoop && std::ranges::any_of(cycle, [&](NodeId n) { return ctx.facts.network->isInside(n, c); }))
        d.loop = c.node;
    if (closing)
      d.at = m.location(*closing);
    d.message =
        fmt::format("{} reads what depends on it: the network has a cycle of {} layers, and no recurrence closes it",
                    spellLayer(m, node), cycle.size());
    d.help = "lead the value around a loop with addRecurrence and its setInput(1, ...), or read an earlier tensor";
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < cycle.size() && i < shown; ++i)
      if (!layerName(m, cycle[i]).empty())
        d.related.push_back(relatedTo(m, cycle[i], "in the cycle"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint

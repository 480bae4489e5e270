//===- LoopCycle.cpp - The only back edge is a recurrence's second input (L5) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkRules.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkLoopCycle(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const std::vector<NodeId> &cycle : ctx.facts.network->cycles()) {
    // The layer that was rewired last closes it: code that only adds makes no cycle.
    const Attribute *closing = nullptr;
    NodeId node = cycle.back();
    for (NodeId n : cycle)
      for (const Attribute &a : m.attributes(n))
        if (a.kind == AttributeKind::Location && m.text(a.name).starts_with("input") &&
            (!closing || a.number >= closing->number)) {
          closing = &a;
          node = n;
        }
    Draft d;
    d.node = node;
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

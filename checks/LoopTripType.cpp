//===- LoopTripType.cpp - A count from before the loop, a condition from inside (L2) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkRules.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

void checkLimit(RuleContext &ctx, const Construct &c, NodeId n) {
  const Model &m = ctx.m;
  const ValueId v = operandOf(m, n, 1);
  const Attribute *kind = m.attribute(n, "limit");
  if (!v || !kind || kind->kind != AttributeKind::String)
    return;
  const bool count = m.text(kind->text) == "kCOUNT";
  const Type &t = m.type(v);
  Draft d;
  d.node = n;
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
  const NodeId maker = m[v].def;
  if (!maker || ctx.facts.network->isMurky(maker))
    return;
  const bool inside = ctx.facts.network->isInside(maker, c);
  if (count && inside)
    return report(fmt::format("the count of {} is computed inside of it, by {}: it must be known before",
                              spellConstruct(m, c), spellLayer(m, maker)),
                  "count with a tensor from outside, or end the loop by a condition (kWHILE)");
  if (!count && !inside && !c.open)
    report(fmt::format("the condition of {} is not computed in it: it never changes, so the loop never ends or "
                       "never begins",
                       spellConstruct(m, c)),
           "compute the condition from the loop's recurrences or iterators");
}

} // namespace

void checkLoopTripType(RuleContext &ctx) {
  for (const Construct &c : ctx.facts.network->constructs())
    if (c.isLoop)
      for (NodeId n : c.conditions)
        checkLimit(ctx, c, n);
}

} // namespace condlint

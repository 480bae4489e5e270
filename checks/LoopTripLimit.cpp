//===- LoopTripLimit.cpp - A loop has a trip limit, one of each kind at most (L1) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>
#include <map>

namespace condlint {

void checkLoopTripLimit(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Construct &c : ctx.facts.network->constructs()) {
    if (!c.isLoop || c.uncertain)
      continue;
    if (c.conditions.empty() && c.open)
      ctx.unknownOf(c.node, "code that is not seen may limit the loop");
    if (c.conditions.empty() && !c.open) {
      Draft d;
      d.node = c.node;
      d.loop = c.node;
      d.absence = true;
      d.message = "the loop has no trip limit: nothing ends it";
      d.help = "call addTripLimit with a count (kCOUNT), a condition (kWHILE), or one of each";
      ctx.report(std::move(d));
    }
    std::map<std::string_view, NodeId> first;
    for (NodeId n : c.conditions) {
      const Attribute *kind = m.attribute(n, "limit");
      if (!kind || kind->kind != AttributeKind::String) {
        if (c.conditions.size() > 1)
          ctx.unknownOf(c.node, "the kind of a limit is not known");
        continue;
      }
      const auto [known, isNew] = first.try_emplace(m.text(kind->text), n);
      if (isNew)
        continue;
      Draft d;
      d.node = n;
      d.loop = c.node;
      d.message = fmt::format("{} gets a second limit of the kind {}; the first is added at {}", spellConstruct(m, c),
                              m.text(kind->text), m.location(known->second).str());
      d.help = "a loop takes at most one count and one condition: combine the two";
      d.related.push_back(relatedTo(m, known->second, "the first limit of this kind"));
      ctx.report(std::move(d));
    }
  }
}

} // namespace condlint

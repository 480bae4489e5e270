//===- LoopReverse.cpp - A reverse iterator needs a count (L6) -===//
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

void checkLoopReverse(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Construct &c : ctx.facts.network->constructs()) {
    if (!c.isLoop || c.uncertain)
      continue;
    // A limit of an unknown kind may be a count.
    if (std::ranges::any_of(c.conditions, [&](NodeId n) {
          const Attribute *kind = m.attribute(n, "limit");
          return !kind || kind->kind != AttributeKind::String || m.text(kind->text) == "kCOUNT";
        }))
      continue;
    for (NodeId n : c.inputs) {
      const Attribute *reverse = m.attribute(n, "reverse");
      if (reverse && reverse->kind != AttributeKind::Bool)
        ctx.unknownOf(c.node, "which way an iterator runs is not known");
      if (!reverse || reverse->kind != AttributeKind::Bool || reverse->number == 0)
        continue;
      if (c.open || has(m, n, attr::unseen)) {
        ctx.unknownOf(c.node, has(m, n, attr::unseen) ? "code that is not seen may have set the iterator"
                                                      : "code that is not seen may limit the loop");
        continue;
      }
      Draft d;
      d.node = n;
      d.loop = c.node;
      d.absence = true;
      d.message = fmt::format("the iterator runs backwards, and {} has no count: where it begins is not known",
                              spellConstruct(m, c));
      d.help = "add a trip limit kCOUNT, or iterate forwards";
      d.related.push_back(relatedTo(m, c.node, "the loop"));
      ctx.report(std::move(d));
    }
  }
}

} // namespace condlint

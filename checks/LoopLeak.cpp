//===- LoopLeak.cpp - What is inside a loop stays there (L7) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkLoopLeak(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Escape &e : ctx.facts.network->escapes()) {
    const Construct &c = ctx.facts.network->constructs()[e.construct];
    if (e.crossing || !c.isLoop)
      continue;
    // An output of another loop that collects it is wrong for that.
    const Construct *collector = layerName(m, e.user) == "Loop.addLoopOutput" && e.operand == 1
                                     ? ctx.facts.network->at(makerOf(m, e.user, 0))
                                     : nullptr;
    if (collector && collectsOther(m, *ctx.facts.network, *collector, e.user))
      continue;
    Draft d;
    d.node = e.user;
    d.verdict = verdictOn(ctx, e);
    d.loop = c.node;
    d.at = placeOfInput(m, e.user, e.operand);
    d.message = fmt::format("the tensor of {} lies {} and is {}: there is one for each trip", spellLayer(m, e.maker),
                            spellInside(m, c, e.maker),
                            layerName(m, e.user) == "markOutput" ? std::string("marked as an output of the network")
                                                                 : "used outside by " + spellLayer(m, e.user));
    d.help = "lead it out with addLoopOutput";
    d.related.push_back(relatedTo(m, e.maker, "the tensor is made here"));
    d.related.push_back(relatedTo(m, c.node, "the loop"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint

//===- BranchLeak.cpp - No use of a branch's interior outside (F1, F3, F4) ===//
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

/// F3: what comes in is no output of the network either.
void checkMarkedInputs(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const NodeId maker = layerName(m, n) == "markOutput" ? makerOf(m, n, 0) : NodeId();
    if (!maker || layerName(m, maker) != "addInput")
      continue;
    Draft d;
    d.node = n;
    d.message =
        fmt::format("{} is an input of the network and is marked as its output", spellTensor(m, operandOf(m, n, 0)));
    d.help = "mark what addIdentity yields of it";
    d.related.push_back(relatedTo(m, maker, "the input is added here"));
    ctx.report(std::move(d));
  }
}

/// F1, F3, F4: what is inside leaves through an output layer alone.
void checkNetwork(RuleContext &ctx) {
  checkMarkedInputs(ctx);
  const Model &m = ctx.m;
  const NetworkFacts &network = *ctx.facts.network;
  for (const Escape &e : network.escapes()) {
    const Construct &c = network.constructs()[e.construct];
    if (e.crossing || c.isLoop || (c.selfDependent && network.isBeforeOwnCondition(e.user)))
      continue;
    Draft d;
    d.conditional = c.node;
    d.node = e.user;
    d.verdict = verdictOn(ctx, e);
    d.at = placeOfInput(m, e.user, e.operand);
    const bool marks = layerName(m, e.user) == "markOutput";
    const bool again = std::ranges::binary_search(c.leadsAgain, e.user);
    d.message = fmt::format("the tensor of {} lies {} and is {}: it exists only when that branch runs",
                            spellLayer(m, e.maker), spellInside(m, c, e.maker),
                            marks   ? std::string("marked as an output of the network")
                            : again ? fmt::format("led in once more by {}", spellLayer(m, e.user))
                                    : fmt::format("used outside by {}", spellLayer(m, e.user)));
    d.help = again ? "build the branch on it: addInput takes tensors from outside"
             : layerName(m, e.maker) == "IfConditional.addInput"
                 ? "use the outer tensor outside: what addInput yields belongs to the branches"
                 : "lead it out with addOutput and use the output layer's tensor";
    d.related.push_back(relatedTo(m, e.maker, "the tensor is made here"));
    ctx.report(std::move(d));
  }
}

} // namespace

void checkBranchLeak(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  ctx.forEachProblem(ScopeFault::Leak, [&](const ScopeProblem &p, Draft d) {
    const GraphId scope = m[p.conditional].graph;
    d.message =
        fmt::format("{} is made inside '{}' ({}) and {}: it exists only when that branch runs", spellValue(m, p.value),
                    m.text(m[regionUnder(m, scope, m[p.value].graph)].role), spellPlace(m, p.value),
                    p.node ? fmt::format("used outside of the conditional by {}", m.path(p.node))
                           : fmt::format("returned by {}", m.path(p.graph)));
    d.help = "return it from both branches and use the conditional's output";
    d.related.push_back(relatedTo(m, p.value, "the value is made inside the branch"));
    ctx.report(std::move(d));
  });
  // Source: through a variable that the branch and what follows see.
  if (!ctx.facts.source->knowsAllFlows())
    ctx.unknown("a variable is used so often that not all of its reads were followed");
  for (const VariableFlow &f : ctx.facts.source->leaking()) {
    Draft d;
    d.conditional = f.conditional;
    d.node = f.read;
    d.message = fmt::format("{} is read after the conditional: what '{}' stores in it is there only when that branch "
                            "runs",
                            spellVariable(m, f.read), m.text(m[f.writer].role));
    d.help = "return it from both branches and use the conditional's output";
    d.related.push_back(relatedTo(m, f.write, "it is written inside the branch"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint

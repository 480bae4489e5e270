//===- OperandUnused.cpp - Each operand is read by some branch ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchNodes.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// F5: an input layer matters only if a branch reads its tensor.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Construct &c = constructOf(ctx);
  // Without an output nothing of it has an effect: that is output-none.
  if (c.outputs.empty() && !c.open)
    return;
  for (NodeId in : ctx.conditional().inputLayers) {
    if (ctx.facts.network->isRead(in, c)) {
      if (!ctx.facts.network->isSurelyRead(in, c))
        ctx.unknown("what reads the input layer reads one of several tensors, and may mean another one");
      continue;
    }
    if (c.open || c.uncertain || ctx.facts.network->isOpen(in) || ctx.facts.network->readsUnknown(m[in].graph)) {
      ctx.unknown("what is not seen or not known may use the input layer");
      continue;
    }
    // A branch that reads the raw tensor instead is branch-eager's.
    bool raw = false;
    for (const EagerLayers &e : ctx.facts.network->eager())
      if (&ctx.facts.network->constructs()[e.construct] == &c)
        raw = raw || std::ranges::find(e.reads, operandOf(m, in, 1)) != e.reads.end();
    if (raw)
      continue;
    Draft d;
    d.node = in;
    d.absence = true;
    d.idle = true;
    d.message = fmt::format("no branch reads what {} yields: the input layer has no effect", spellLayer(m, in));
    d.help = "build the branch on addInput(...)->getOutput(0), or leave the input layer out";
    ctx.report(std::move(d));
  }
}

} // namespace

void checkOperandUnused(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect != Dialect::Torch || !c.hasBothBranches())
    return ctx.absent();
  const bool isCut = std::ranges::any_of(c.branches, [&](const Branch &b) { return endsEarly(m, b.graph); });
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    bool read = false;
    bool taken = false;
    for (const Branch &b : c.branches) {
      const Range parameters = m[b.graph].parameters;
      if (i >= parameters.count)
        continue;
      taken = true;
      read = read || ctx.facts.used[parameters.first + i];
    }
    if (read || !taken)
      continue;
    if (isCut) {
      ctx.unknown("what a branch reads behind the place where it raises was not recorded");
      continue;
    }
    Draft d;
    d.message = fmt::format("operand {} ({}) is read by neither branch", i,
                            c.operands[i].value ? spellValue(m, c.operands[i].value)
                                                : spellMisplaced(m, c.operands[i].instead));
    d.help = "leave it out of the operands";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

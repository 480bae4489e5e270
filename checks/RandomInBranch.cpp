//===- RandomInBranch.cpp - No random operator in a branch (E4) -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BranchNodes.h"
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

bool isRandom(const Model &m, NodeId n) {
  return m[m[n].op].dialect == Dialect::Torch ? effectsOf(m, n).random : nodeHas(m, n, OpTrait::Random);
}

} // namespace

void checkRandomInBranch(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.dialect == Dialect::Onnx && !ctx.facts.anyNotable)
    return;
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    const auto found = [&](NodeId n, NodeId call) {
      if (!isRandom(m, n))
        return;
      Draft d;
      d.node = call ? call : n;
      d.message = fmt::format("'{}' draws random numbers: {} ({})", b.name, m.operatorName(m[n].op), m.path(n));
      d.help = ctx.isTorch() ? "allowed by torch.cond and export; CUDA graphs refuse it inside a conditional"
                             : "draw the numbers outside if both branches are to see the same ones";
      ctx.report(std::move(d));
    };
    forEachNode(ctx.facts, m, b.graph, [&](NodeId n) {
      if (m[m[n].op].dialect == Dialect::Torch && effectsOf(m, n).opaque)
        ctx.unknown(fmt::format("{} may do anything", spellOperation(m, n)));
      found(n, NodeId());
      if (m[n].callee)
        for (NodeId inner : ctx.facts.notableNodes(m[n].callee))
          found(inner, n);
    });
  }
}

} // namespace condlint

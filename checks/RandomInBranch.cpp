//===- RandomInBranch.cpp - No random operator in a branch (E4) -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchNodes.h"
#include "ops/DeclaredOperators.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// Dropout is in training alone, which an operand or an attribute says.
Tri isRandom(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  const auto sure = [](bool random) { return random ? Tri::Yes : Tri::No; };
  if (op.dialect == Dialect::Torch)
    return sure(effectsOf(m, n).random);
  if (!op.definition || !op.definition->refineEffects || nodeHas(m, n, OpTrait::Random))
    return sure(nodeHas(m, n, OpTrait::Random));
  if (!effectsOf(m, n).random)
    return Tri::No;
  const auto operands = m.operands(n);
  return operands.size() > 2 && operands[2] && !m[operands[2]].content ? Tri::Unknown : Tri::Yes;
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
      const Tri random = isRandom(m, n);
      if (random == Tri::Unknown)
        ctx.unknown(fmt::format("whether {} draws random numbers is decided when it runs", spellOperation(m, n)));
      if (random != Tri::Yes)
        return;
      Draft d;
      d.node = call ? call : n;
      d.message = fmt::format("'{}' draws random numbers: {} ({})", b.name, m.operatorName(m[n].op), m.path(n));
      d.help = ctx.isTorch() ? "allowed by torch.cond and export; CUDA graphs refuse it inside a conditional"
                             : "draw the numbers outside if both branches are to see the same ones";
      ctx.report(std::move(d));
    };
    forEachNode(ctx.facts, m, b.graph, [&](NodeId n) {
      if (m[m[n].op].dialect == Dialect::Torch && mayDoAnything(m, n, effectsOf(m, n)))
        ctx.unknownBy(n, "do anything");
      found(n, NodeId());
      if (m[n].callee)
        for (NodeId inner : ctx.facts.notableNodes(m[n].callee))
          found(inner, n);
    });
  }
}

} // namespace condlint

//===- HostSync.cpp - No copy of a tensor's value to the host (B4, R17) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchNodes.h"
#include "ops/DeclaredOperators.h"
#include <fmt/format.h>
#include <optional>

namespace condlint {

namespace {

/// What is read is the branch's own operand: AOTInductor 2.13 has no symbol for the number then, which it has for what
/// the branch computes.
bool readsOperand(const Model &m, NodeId n, GraphId branch) {
  const OpDef *definition = m[m[n].op].definition;
  const auto operands = m.operands(n);
  return definition && definition->name == "item" && !operands.empty() && operands[0] &&
         m[operands[0]].origin == ValueOrigin::Parameter && m[operands[0]].graph == branch;
}

} // namespace

void checkHostSync(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.conditional().dialect != Dialect::Torch)
    return ctx.absent();
  // AOTInductor refuses the conditional for the first number that it has no symbol for.
  std::optional<Draft> refused;
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    forEachNode(ctx.facts, m, b.graph, [&](NodeId n) {
      const NodeEffects effects = effectsOf(m, n);
      if (mayDoAnything(m, n, effects))
        ctx.unknownBy(n, "do anything");
      if (!effects.hostSync)
        return;
      const bool operand = readsOperand(m, n, m[n].graph);
      Draft d;
      d.node = n;
      // Recorded: a number that stays a symbol is followed, a decision is not.
      const bool decides = ctx.isRecorded() && isCxx(m, n, CxxOp::HostRead);
      d.variant = ctx.isSource() || decides ? "source" : operand ? "operand" : "";
      d.message =
          decides ? fmt::format("'{}' decides on a tensor's value while it is traced: only one way would be recorded",
                                b.name)
                  : fmt::format("'{}' copies a tensor's value to the host: {}", b.name, spellOperation(m, n));
      d.help = decides ? "select with torch.where, or nest a torch.cond"
               : operand && ctx.target.system == System::Aoti
                   ? "AOTInductor compiles no item() of an operand inside a branch: read the number in front of the "
                     "conditional, or compute with the tensor instead"
                   : "the device waits for the host here; compute with the tensor instead";
      if (!operand || ctx.isSource() || ctx.target.system != System::Aoti)
        ctx.report(std::move(d));
      else if (refused)
        refused->related.push_back(relatedTo(m, n, fmt::format("so does '{}'", b.name)));
      else
        refused = std::move(d);
    });
  }
  if (refused)
    ctx.report(std::move(*refused));
}

} // namespace condlint

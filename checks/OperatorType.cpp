//===- OperatorType.cpp - Every operator is given what it admits ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkOperatorType(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const InvalidOperand &i : ctx.analysis.inference.invalid) {
    // A conditional's operands have rules of their own.
    if (ctx.facts.conditional[i.node.index()] || ctx.facts.replaced[m[i.node].graph.index()])
      continue;
    Draft d;
    d.node = i.node;
    d.conditional = ctx.facts.nearestConditional(m[i.node].graph);
    d.message = fmt::format("{} ({})", textOf(m, i), m.path(i.node));
    const auto operands = m.operands(i.node);
    if (i.operand && *i.operand < operands.size() && operands[*i.operand]) {
      const ValueId v = operands[*i.operand];
      d.related.push_back(relatedTo(m, v, fmt::format("{} is {}", spellValue(m, v), spellType(m, m.type(v)))));
    }
    ctx.report(std::move(d));
  }
}

} // namespace condlint

//===- OperandUnused.cpp - Each operand is read by some branch ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkOperandUnused(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect != Dialect::Torch || !c.hasBothBranches())
    return ctx.absent();
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
    Draft d;
    d.message = fmt::format("operand {} ({}) is read by neither branch", i,
                            c.operands[i].value ? spellValue(m, c.operands[i].value) : c.operands[i].tag);
    d.help = "leave it out of the operands";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

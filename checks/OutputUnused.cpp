//===- OutputUnused.cpp - Each output is used (F9) ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkOutputUnused(RuleContext &ctx) {
  const Model &m = ctx.m;
  const NodeId n = ctx.conditional().node;
  for (std::size_t i = 0; i < m.resultCount(n); ++i) {
    const ValueId v = m.result(n, i);
    // An empty name says that nobody wants it.
    if (ctx.facts.used[v.index()] || (!ctx.isTorch() && m.name(v).empty()))
      continue;
    Draft d;
    d.message = fmt::format("output {} of the conditional ({}) is not used", i, spellValue(m, v));
    d.help = "leave it out of both branches' outputs";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

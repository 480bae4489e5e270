//===- GlobalMutation.cpp - No write to what outlives the branch (E1, E2) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BranchNodes.h"
#include "Describe.h"
#include "Mutation.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

std::string_view spellWhat(std::string_view what) {
  if (what == "global")
    return "the global ";
  if (what == "static")
    return "the static ";
  if (what == "member")
    return "the member ";
  if (what == "reference")
    return "the captured variable ";
  if (what == "pointer")
    return "what is outside, through the pointer ";
  return "";
}

} // namespace

void checkGlobalMutation(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    forEachNode(ctx.facts, m, b.graph, [&](NodeId n) {
      if (effectsOf(m, n).opaque)
        ctx.unknown(fmt::format("{} may write anything", spellOperation(m, n)));
      if (!isCxx(m, n, "write"))
        return;
      const auto text = [&](std::string_view name) {
        const Attribute *a = m.attribute(n, name);
        return a ? m.text(a->text) : std::string_view();
      };
      Draft d;
      d.node = n;
      d.message =
          fmt::format("'{}' writes {}'{}', which outlives the branch", b.name, spellWhat(text("what")), text("name"));
      d.help = "return the value from both branches and store it outside of the conditional";
      ctx.report(std::move(d));
    });
  }
  checkMutation(ctx, Mutated::Global);
}

} // namespace condlint

//===- GlobalMutation.cpp - No write to what outlives the branch (E1, E2) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/BranchEffects.h"
#include "engine/Describe.h"
#include "engine/InPlaceWrites.h"
#include "engine/RuleFunctions.h"
#include "ops/CxxNodes.h"
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
  forEachEffect(ctx, "write anything", [&](const Branch &b, NodeId n) {
    if (!isCxx(m, n, "write"))
      return;
    Draft d;
    d.node = n;
    d.message = fmt::format("'{}' writes {}'{}', which outlives the branch", b.name,
                            spellWhat(attributeText(m, n, "what")), attributeText(m, n, "name"));
    d.help = "return the value from both branches and store it outside of the conditional";
    ctx.report(std::move(d));
  });
  checkMutation(ctx, Mutated::Global);
}

} // namespace condlint

//===- GlobalMutation.cpp - No write to what outlives the branch (E1, E2) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/BranchEffects.h"
#include "engine/Describe.h"
#include "engine/InPlaceWrites.h"
#include "engine/RuleFunctions.h"
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
    if (!isCxx(m, n, CxxOp::Write))
      return;
    Draft d;
    d.node = n;
    d.message = fmt::format("'{}' writes {}'{}', which outlives the branch", b.name, spellWhat(read(m, n, attr::what)),
                            read(m, n, attr::name));
    d.help = "return the value from both branches and store it outside of the conditional";
    ctx.report(std::move(d));
  });
  checkMutation(ctx, Mutated::Global);
}

} // namespace condlint

//===- SideEffect.cpp - No I/O, lock, allocation or throw (B4, E3) ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/BranchEffects.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// What an effect is, in words; the front end's own word where it is a rarer one.
std::string spellEffect(std::string_view what) {
  if (what == "output")
    return "writes output";
  if (what == "input")
    return "reads input";
  if (what == "lock")
    return "takes a lock";
  if (what == "allocation")
    return "allocates what outlives the branch";
  if (what == "throw")
    return "throws";
  return what.empty() || what == "other" ? "has a side effect" : fmt::format("has a side effect ({})", what);
}

} // namespace

void checkSideEffect(RuleContext &ctx) {
  const Model &m = ctx.m;
  forEachEffect(ctx, "do anything", [&](const Branch &b, NodeId n) {
    if (!isCxx(m, n, CxxOp::Effect))
      return;
    const std::string_view what = read(m, n, attr::what), name = read(m, n, attr::name);
    Draft d;
    d.node = n;
    d.variant = what == "throw" ? "throw" : "";
    d.message = fmt::format("'{}' {}{}{}", b.name, spellEffect(what), name.empty() ? "" : ": ", name);
    d.help = what == "throw" && ctx.isRecorded()
                 ? "export traces both branches and stops here: check outside of the conditional, or return a value "
                   "that says what went wrong"
             : what == "throw" ? "check host values with TORCH_CHECK, or return a value that says what went wrong"
                               : "export drops it, or does it once while tracing: do it outside of the conditional";
    ctx.report(std::move(d));
  });
}

} // namespace condlint

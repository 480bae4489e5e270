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
#include <algorithm>
#include <array>
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
  if (what == "call")
    return "calls what export does not trace";
  if (what == "caught")
    return "catches an error of an operator";
  if (what == "size")
    return "goes by sizes that dynamic_shapes leaves open";
  if (what == "constant")
    return "holds a tensor as its constant";
  if (what == "symbol")
    return "makes of a symbolic number what export does not take";
  if (what == "number")
    return "reads a number that export does not hand to a branch";
  return what.empty() || what == "other" ? "has a side effect" : fmt::format("has a side effect ({})", what);
}

/// Export ends at an exception, also at one that the branch catches, at a call that it does not know, and at a decision
/// on a size; a branch with a constant of its own it writes to no file, and does not decompose, and of what is made of
/// symbols it refuses some, writes some to no file, and has another number for `max`.
bool stopsExport(std::string_view what) {
  constexpr std::array<std::string_view, 7> stopping{"throw", "call", "caught", "size", "constant", "symbol", "number"};
  return std::ranges::find(stopping, what) != stopping.end();
}

/// What to do about an effect.
std::string_view helpFor(std::string_view what, bool recorded) {
  if (what == "call")
    return "call it outside of the conditional, and give the branch what it returned";
  if (what == "caught")
    return "export stops at the operator whatever the branch does then: ask for sizes and dtypes before it";
  if (what == "size")
    return "leave the size out of dynamic_shapes, give its torch.export.Dim the bound, or nest a torch.cond that asks";
  if (what == "constant")
    return "torch.export.save and run_decompositions fail on it: make it outside of the conditional, or by torch.full "
           "(fill_ and masked_fill for an assignment of a number, detach for data)";
  if (what == "symbol")
    return "compute it by + - * // % **, float(), int(), math.sqrt, torch.sym_max and torch.sym_min, which export "
           "follows, or leave the size out of dynamic_shapes";
  if (what == "number")
    return "pass the tensor as an operand and read it in the branch, or export with strict=True";
  if (what != "throw")
    return "export drops it, or does it once while tracing: do it outside of the conditional";
  return recorded ? "export traces both branches and stops here: check outside of the conditional, or return a value "
                    "that says what went wrong"
                  : "check host values with TORCH_CHECK, or return a value that says what went wrong";
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
    d.variant = stopsExport(what) ? "throw" : "";
    d.message = fmt::format("'{}' {}{}{}", b.name, spellEffect(what), name.empty() ? "" : ": ", name);
    d.help = helpFor(what, ctx.isRecorded());
    ctx.report(std::move(d));
  });
}

} // namespace condlint

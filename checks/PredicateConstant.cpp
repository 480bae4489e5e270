//===- PredicateConstant.cpp - A predicate that cannot change (P5, C12) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkPredicateConstant(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (c.predicateKind != PredicateKind::Value && c.predicateKind != PredicateKind::Literal)
    return ctx.absent();
  if (!ctx.predicateConstant()) {
    // torch keeps both branches of what was lifted or made here, and what is written to it on the way is not looked at.
    if (ctx.isTorch() && !ctx.isSource() && c.predicate && ctx.facts.constants.holds(c.predicate, false))
      ctx.unknown(fmt::format("{} follows from constants alone", spellPredicate(ctx.m, c.predicate)));
    return;
  }
  const auto value = ctx.predicateValue();
  const std::size_t never = value.value_or(true) ? 1 : 0;
  const bool named = value && never < c.branches.size();
  Draft d;
  d.message = fmt::format(
      "{} {}{}{}", c.predicateKind == PredicateKind::Value ? spellPredicate(ctx.m, c.predicate) : "the predicate",
      ctx.predicateFolded() ? "follows from constants and sizes that never change" : "is a constant",
      value ? (*value ? ", true" : ", false") : "",
      named ? fmt::format(": '{}' is never taken", c.branches[never].name) : std::string());
  if (ctx.isTorch()) // P5
    d.help = "torch.cond warns and specialises to one branch; pass a bool tensor or a symbolic bool to keep both";
  else if (ctx.isNetwork()) // C12
    d.help = "a choice that is made while the network is built needs no conditional; the branches may have different "
             "shapes then, but not different types";
  else if (ctx.isTensorRT() && ctx.predicateFolded()) // C12
    d.help = "TensorRT's builder knows which branch runs: their shapes may differ, but not their types";
  else if (ctx.isTensorRT()) // TP2
    d.help = "TensorRT's parser never looks at the other branch, and the rules that compare the two are waived";
  else
    d.help =
        "replace the If by the branch that is taken; the other one is still typed by the checker and by ONNX Runtime";
  if (c.predicateKind == PredicateKind::Value)
    d.related.push_back(
        relatedTo(ctx.m, c.predicate, ctx.predicateFolded() ? "it is computed here" : "the constant is made here"));
  ctx.report(std::move(d));
}

} // namespace condlint

//===- PredicateMissing.cpp - Exactly one predicate (P1, C1) --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleFunctions.h"

namespace condlint {

void checkPredicateMissing(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  const bool undefined =
      ctx.isSource() && c.predicateKind == PredicateKind::Value && ctx.typeOf(c.predicate).kind == ValueKind::None;
  if (c.predicateKind != PredicateKind::Missing && !undefined)
    return;
  Draft d;
  d.message = ctx.isSource() ? "the predicate is an undefined tensor" : "the conditional has no predicate";
  d.help = ctx.isSource()  ? "give it a value before the call: a default-constructed tensor is none"
           : ctx.isTorch() ? "torch.cond takes (pred, true_fn, false_fn, operands)"
                           : "give the If its one input, a bool";
  ctx.report(std::move(d));
}

} // namespace condlint

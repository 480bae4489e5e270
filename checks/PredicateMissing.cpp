//===- PredicateMissing.cpp - Exactly one predicate (P1, C1) --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleFunctions.h"

namespace condlint {

void checkPredicateMissing(RuleContext &ctx) {
  if (ctx.conditional().predicateKind != PredicateKind::Missing)
    return;
  Draft d;
  d.message = "the conditional has no predicate";
  d.help = ctx.isTorch() ? "torch.cond takes (pred, true_fn, false_fn, operands)" : "give the If its one input, a bool";
  ctx.report(std::move(d));
}

} // namespace condlint

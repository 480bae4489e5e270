//===- OutputNone.cpp - At least one output (C6) --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleFunctions.h"

namespace condlint {

void checkOutputNone(RuleContext &ctx) {
  if (ctx.m.resultCount(ctx.conditional().node) != 0)
    return;
  Draft d;
  d.message = "the conditional has no outputs: nothing can depend on which branch runs";
  d.help = "return what the branches compute, or remove the conditional";
  ctx.report(std::move(d));
}

} // namespace condlint

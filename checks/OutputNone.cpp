//===- OutputNone.cpp - At least one output (C6) --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"

namespace condlint {

namespace {

/// C6
void checkNetwork(RuleContext &ctx) {
  if (!ctx.conditional().outputLayers.empty())
    return;
  const Construct &c = constructOf(ctx);
  if (c.open || c.uncertain)
    return ctx.unknown("the conditional is given to code that is not seen, which may add outputs");
  Draft d;
  d.absence = true;
  d.message = "the conditional has no output layer: TensorRT calls it ill-formed";
  d.help = "call addOutput with the result of both branches, and use what it yields instead of theirs";
  ctx.report(std::move(d));
}

} // namespace

void checkOutputNone(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  if (ctx.m.resultCount(ctx.conditional().node) != 0)
    return;
  Draft d;
  d.message = "the conditional has no outputs: nothing can depend on which branch runs";
  d.help = "return what the branches compute, or remove the conditional";
  ctx.report(std::move(d));
}

} // namespace condlint

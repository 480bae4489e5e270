//===- OutputRequiresGrad.cpp - The same requires_grad in each position (R16) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkOutputRequiresGrad(RuleContext &ctx) {
  for (const Output &o : ctx.outputs()) {
    if (!o.compared || !o.sameTensors)
      continue;
    const Tri a = ctx.typeOf(o.values[0]).requiresGrad;
    const Tri b = ctx.typeOf(o.values[1]).requiresGrad;
    if (a == b || a == Tri::Unknown || b == Tri::Unknown)
      continue;
    Draft d;
    d.message =
        fmt::format("the branches return tensors of different requires_grad{}: {}", spellPosition(ctx, o.position),
                    spellSides(ctx, o, a == Tri::Yes ? "True" : "False", b == Tri::Yes ? "True" : "False"));
    d.help = "up to torch 2.5 the flags must agree: detach one side, or run both under the same grad mode";
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  }
}

} // namespace condlint

//===- OutputRequiresGrad.cpp - The same requires_grad in each position (R16) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkOutputRequiresGrad(RuleContext &ctx) {
  ctx.forEachComparedTensor([&](const Output &o, const Type &x, const Type &y) {
    const Tri a = x.requiresGrad;
    const Tri b = y.requiresGrad;
    if (a == Tri::Unknown || b == Tri::Unknown) {
      if (ctx.isSource())
        ctx.unknown("whether an output requires a gradient is not known");
      return;
    }
    if (a == b)
      return;
    Draft d;
    d.output = o.position;
    d.message =
        fmt::format("the branches return tensors of different requires_grad{}: {}", spellPosition(ctx, o.position),
                    spellSides(ctx, o, a == Tri::Yes ? "True" : "False", b == Tri::Yes ? "True" : "False"));
    d.help = "up to torch 2.5 the flags must agree: detach one side, or run both under the same grad mode";
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  });
}

} // namespace condlint

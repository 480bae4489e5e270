//===- OutputDevice.cpp - The same device in each position (R7) -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkOutputDevice(RuleContext &ctx) {
  const Model &m = ctx.m;
  ctx.forEachComparedTensor([&](const Output &o, const Type &a, const Type &b) {
    if (a.names.device && a.names.device == b.names.device)
      return;
    if (!a.device || !b.device) {
      ctx.unknown("the device of an output is not known");
      return;
    }
    if (!onOtherDevices(a, b))
      return;
    Draft d;
    d.output = o.position;
    d.message = fmt::format("the branches return tensors on different devices{}: {}", spellPosition(ctx, o.position),
                            spellSides(ctx, o, spellDevice(m, a), spellDevice(m, b)));
    d.help = fmt::format("move one side, for instance `.to('{}')`", spellDevice(m, a));
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  });
}

} // namespace condlint

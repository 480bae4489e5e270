//===- OutputRank.cpp - The same rank in each position (R9, C12) ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include "SqueezePattern.h"
#include <fmt/format.h>

namespace condlint {

void checkOutputRank(RuleContext &ctx) {
  if (ctx.waivesShapes())
    return; // C12
  const Model &m = ctx.m;
  ctx.forEachComparedTensor([&](const Output &o, const Type &a, const Type &b) {
    if (a.names.shape && a.names.shape == b.names.shape)
      return;
    if (!a.hasRank || !b.hasRank) {
      const std::size_t side = a.hasRank ? 1 : 0;
      ctx.unknown(fmt::format("the rank of {} is not known", spellSide(ctx, side, o.values[side], "the output")));
      return;
    }
    if (a.dims.size() == b.dims.size())
      return;
    Draft d;
    d.node = o.node;
    d.output = o.position;
    d.message = fmt::format("the branches return different ranks{}: {}", spellPosition(ctx, o.position),
                            spellSides(ctx, o, spellType(m, a), spellType(m, b)));
    if (isSqueezeOrIdentity(m, o)) {
      d.message += "; this is If(Squeeze / Identity), what exporters make of squeeze(dim)";
      d.help =
          "squeeze only an axis whose size is known to be 1 when exporting, or reshape instead (`x[:, 0]`, `flatten`)";
    } else {
      d.help = ctx.isTorch() ? "add or remove a dimension in one branch (`unsqueeze`, `squeeze`, `reshape`)"
                             : "add an Unsqueeze, Squeeze or Reshape inside the branch; behind the If it is too late";
    }
    d.variant = ctx.conditional().sinceVersion == 1 ? "if-1" : "";
    if (d.variant.empty() && !ctx.isTorch() && !ctx.isTensorRT())
      d.help += "; ONNX allows it, and the rank of the result depends on the data";
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  });
}

} // namespace condlint

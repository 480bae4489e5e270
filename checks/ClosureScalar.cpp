//===- ClosureScalar.cpp - No captured host scalar that varies (section 1.6) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkClosureScalar(RuleContext &ctx) {
  const Model &m = ctx.m;
  // A graph that is closed has no captures, and one of tensors no scalars.
  if (!ctx.isSource() && !ctx.isRecorded())
    return ctx.absent();
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    for (const Capture *capture : ctx.facts.source->reportedCaptures(ctx.analysis.aliases, b.graph)) {
      if (capture->content == CaptureContent::Tensor)
        continue;
      const bool item = capture->content == CaptureContent::FloatItem;
      Draft d;
      d.graph = b.graph;
      if (ctx.isSource())
        d.at = m.location(capture->firstUse);
      else
        d.related.push_back({"it is read here", m.location(capture->firstUse), m.path(b.graph)});
      d.calls = capture->calls;
      d.variant = item ? "float" : "";
      d.message =
          fmt::format("'{}' reads the {} '{}' ({}): its value is frozen into the graph", b.name,
                      item ? "floating number" : "host scalar", m.text(capture->name), spellCapture(capture->kind));
      d.help = item ? "keep the tensor that it was read from and pass that as an operand"
                    : "pass it as a tensor operand, or make it a constant";
      if (capture->value)
        d.related.push_back(relatedTo(m, capture->value, "the scalar is made here"));
      ctx.report(std::move(d));
    }
  }
}

} // namespace condlint

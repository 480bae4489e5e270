//===- OutputShape.cpp - The same shape in each position (R12, C12) -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/BelievedShape.h"
#include "engine/Describe.h"
#include "engine/FirstIf.h"
#include "engine/RuleFunctions.h"
#include "engine/SizeJudgement.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// What makes \p v is given what it does not admit, which is reported there: its shape is as the file declares it.
bool isOfMisfit(const RuleContext &ctx, ValueId v) {
  const NodeId maker = ctx.m[v].def;
  return maker && std::ranges::find(ctx.analysis.inference.invalid, maker, &InvalidOperand::node) !=
                      ctx.analysis.inference.invalid.end();
}

/// Some axis but the first differs, so that strides hang on it.
bool innerDiffers(RuleContext &ctx, const Type &a, const Type &b) {
  for (std::size_t i = 1; i < a.dims.size(); ++i)
    if (judgeEqual(ctx, ctx.conditional().node, a.dims[i], b.dims[i]).verdict >= Verdict::Possible)
      return true;
  return false;
}

} // namespace

void checkOutputShape(RuleContext &ctx) {
  if (ctx.waivesShapes())
    return; // C12
  const Model &m = ctx.m;
  ctx.forEachComparedTensor([&](const Output &o, const Type &a, const Type &b) {
    if (a.names.shape && a.names.shape == b.names.shape)
      return;
    if (!a.hasRank || !b.hasRank) {
      ctx.unknown("the rank of an output is not known");
      return;
    }
    if (a.dims.size() != b.dims.size())
      return; // output-rank
    Judgement worst;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < a.dims.size(); ++i) {
      Judgement j = judgeEqual(ctx, ctx.conditional().node, a.dims[i], b.dims[i]);
      if (j.verdict > worst.verdict) {
        worst = std::move(j);
        axis = i;
      }
    }
    if (worst.verdict == Verdict::Proved) {
      if (std::string why = whyOnlyDeclaredAlike(ctx, o, true); !why.empty())
        ctx.unknown(std::move(why));
      return;
    }
    if (worst.verdict == Verdict::Unknown) {
      ctx.unknown(fmt::format("axis {} of the shapes {} and {}: {}", axis, spellDims(m.dims, a.dims),
                              spellDims(m.dims, b.dims), worst.reason));
      return;
    }
    if (worst.assumed && std::ranges::any_of(o.values, [&](ValueId v) { return isOfMisfit(ctx, v); })) {
      ctx.unknown("what makes an output is not given what it admits");
      return;
    }
    // Names that are declared say only that the sizes may differ, whatever they stand for.
    if (std::string why = worst.verdict == Verdict::Violated ? whyOnlyDeclaredApart(ctx, o, axis) : std::string();
        !why.empty()) {
      ctx.unknown(std::move(why));
      return;
    }
    Draft d;
    d.node = o.node;
    d.verdict = worst.verdict;
    d.assumed = worst.assumed;
    d.output = o.position;
    d.message = fmt::format(
        "the branches {} different shapes{}: {}{}", worst.verdict == Verdict::Violated ? "return" : "may return",
        spellPosition(ctx, o.position), spellSides(ctx, o, spellType(m, a), spellType(m, b)),
        worst.verdict == Verdict::Possible ? "; axis " + std::to_string(axis) + ':' + witnessText(worst)
                                           : std::string());
    if (worst.verdict == Verdict::Possible)
      d.witness = worst.witness;
    d.variant = variantOfIf(ctx, o);
    const bool isInner = ctx.isTorch() && !ctx.isSource() && innerDiffers(ctx, a, b);
    if (isInner)
      d.variant = "inner";
    if (isInner && ctx.target.system == System::Aoti)
      d.help = "AOTInductor writes the strides of such a result with a size that its code does not have, and does not "
               "compile: pad to one size, or let the first axis alone differ";
    else if (ctx.isTensorRT())
      d.help = "before TensorRT 10.11 both branches need the same shape: build them so, or use a newer version";
    else if (ctx.isTorch())
      d.help = "up to torch 2.6 the shapes must agree; from 2.7 the size becomes a symbol that ranges over both";
    else
      d.help = ctx.conditional().sinceVersion == 1 ? "If-1 (opset 1 to 10) demands equal shapes; If-11 does not"
                                                   : "legal since opset 11; the size of the result depends on the data";
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  });
}

} // namespace condlint

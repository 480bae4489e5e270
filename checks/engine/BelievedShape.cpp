//===- BelievedShape.cpp - Shapes that only a declaration says ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BelievedShape.h"
#include "Describe.h"
#include "FirstIf.h"
#include "SizeJudgement.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

const Type &undeclaredTypeOf(const RuleContext &ctx, ValueId v) {
  const TypeId undeclared = ctx.facts.undeclared.type(v);
  const Value &x = ctx.m[v];
  // What is recorded falsely `typeOf` may take as it is recorded, which is a declaration.
  const bool isAsRecorded = ctx.m.info.dialect == Dialect::Onnx && x.contradicted && x.recorded;
  return undeclared == x.type && !isAsRecorded ? ctx.typeOf(v) : ctx.m.types[undeclared];
}

std::string nothingElseSaysRank(const RuleContext &ctx, ValueId v) {
  return fmt::format("nothing but a declaration says that {} is of rank {}", spellValue(ctx.m, v),
                     ctx.typeOf(v).dims.size());
}

std::string nothingElseSaysSize(const RuleContext &ctx, ValueId v, std::size_t axis) {
  return fmt::format("nothing but a declaration says that axis {} of {} is of size {}", axis, spellValue(ctx.m, v),
                     ctx.m.dims.str(ctx.typeOf(v).dims[axis]));
}

std::string whyOnlyDeclaredAlike(const RuleContext &ctx, const Output &o, bool sizes) {
  const std::array<const Type *, 2> types{&undeclaredTypeOf(ctx, o.values[0]), &undeclaredTypeOf(ctx, o.values[1])};
  for (std::size_t side = 0; side < 2; ++side)
    if (!types[side]->hasRank)
      return nothingElseSaysRank(ctx, o.values[side]);
  const auto a = types[0]->dims, b = types[1]->dims;
  for (std::size_t i = 0; sizes && i < std::min(a.size(), b.size()); ++i)
    if (judgeEqual(ctx, ctx.conditional().node, a[i], b[i]).verdict != Verdict::Proved) {
      const bool isFirst = a[i] != ctx.typeOf(o.values[0]).dims[i];
      return nothingElseSaysSize(ctx, o.values[isFirst ? 0 : 1], i);
    }
  return {};
}

/// ONNX Runtime makes room for what a branch returns before it runs where all its sizes are numbers, declared ones as
/// well, and fails in the run that yields another shape: what comes is as it is declared.
static bool isRoom(const RuleContext &ctx, ValueId v) {
  const Type &t = ctx.typeOf(v);
  return ctx.target.system == System::OnnxRuntime && t.hasRank &&
         std::ranges::all_of(t.dims, [&](Dim d) { return d.known() && ctx.m.dims.asConstant(d).has_value(); });
}

std::string whyOnlyDeclaredApart(RuleContext &ctx, const Output &o, std::optional<std::size_t> axis) {
  if (!ctx.isTensorRT() && !variantOfIf(ctx, o).empty())
    return {};
  std::array<const Type *, 2> types{&undeclaredTypeOf(ctx, o.values[0]), &undeclaredTypeOf(ctx, o.values[1])};
  for (std::size_t side = 0; side < 2; ++side) {
    if (isRoom(ctx, o.values[side]))
      types[side] = &ctx.typeOf(o.values[side]);
    if (!types[side]->hasRank)
      return nothingElseSaysRank(ctx, o.values[side]);
  }
  const auto a = types[0]->dims, b = types[1]->dims;
  if (!axis || a.size() != b.size() || *axis >= a.size() ||
      judgeEqual(ctx, ctx.conditional().node, a[*axis], b[*axis]).verdict >= Verdict::Possible)
    return {};
  const auto declared = ctx.typeOf(o.values[0]).dims;
  const bool isFirst = *axis < declared.size() && a[*axis] != declared[*axis];
  return nothingElseSaysSize(ctx, o.values[isFirst ? 0 : 1], *axis);
}

} // namespace condlint

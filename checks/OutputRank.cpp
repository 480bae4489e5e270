//===- OutputRank.cpp - The same rank in each position (R9, C12) ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/AdmittedSizes.h"
#include "engine/BelievedShape.h"
#include "engine/Describe.h"
#include "engine/FirstIf.h"
#include "engine/RuleFunctions.h"
#include "engine/SqueezePattern.h"
#include "graph/DimRelation.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// A rank that hangs on a size: one less where that is 1.
struct SqueezedRank {
  std::size_t rank = 0;
  Symbol size;
};

/// The rank of \p v, which is not known since a declared size of what it was squeezed from may be 1.
std::optional<SqueezedRank> squeezedRank(const Model &m, ValueId v) {
  constexpr unsigned farthest = 64;
  const StringId shape = m.type(v).names.shape; // what keeps the shape keeps its name
  for (unsigned step = 0; v && shape && step < farthest; ++step) {
    const NodeId def = m[v].origin == ValueOrigin::Result ? m[v].def : NodeId();
    if (!def)
      return std::nullopt;
    const auto given = m.operands(def);
    if (operatorOf(m, v) == "squeeze" && given.size() == 1) {
      const Type &t = m.type(given[0]);
      const Attribute *axis = m.attribute(def, "dim");
      const auto rank = static_cast<std::int64_t>(t.dims.size());
      const std::int64_t at = axis && axis->kind == AttributeKind::Int ? axis->number : rank;
      const std::int64_t i = at < 0 ? at + rank : at;
      const auto size =
          t.hasRank && i >= 0 && i < rank ? m.dims.asSymbol(t.dims[static_cast<std::size_t>(i)]) : std::nullopt;
      return size && size->origin == SymbolOrigin::Declared && size->bounds.contains(1) && size->bounds.contains(2)
                 ? std::optional(SqueezedRank{t.dims.size(), *size})
                 : std::nullopt;
    }
    const auto same = std::ranges::find_if(given, [&](ValueId w) { return w && m.type(w).names.shape == shape; });
    v = same == given.end() ? ValueId() : *same;
  }
  return std::nullopt;
}

/// Reports ranks that differ for a size that the model admits; false where none is found.
bool reportSqueezed(RuleContext &ctx, const Output &o, const Type &a, const Type &b) {
  Model &m = ctx.m;
  const std::size_t side = a.hasRank ? 1 : 0;
  if (a.hasRank == b.hasRank)
    return false;
  const auto squeezed = squeezedRank(m, o.values[side]);
  const std::size_t other = (side == 1 ? a : b).dims.size();
  if (!squeezed || other + 1 < squeezed->rank || other > squeezed->rank)
    return false;
  const std::int64_t size = other == squeezed->rank ? 1 : 2;
  Draft d;
  d.witness = {{squeezed->size.name, size}};
  std::vector<Dim> asked = admittedSizes(ctx, ctx.conditional().node);
  const Dim squeezes = m.dims.symbol(squeezed->size.name, squeezed->size.origin);
  for (const Dim e : {m.dims.sub(squeezes, m.dims.constant(size)), m.dims.sub(m.dims.constant(size), squeezes)})
    asked.push_back(e);
  if (!valuesFor(m.dims, asked))
    return false;
  d.node = o.node;
  d.output = o.position;
  d.verdict = Verdict::Possible;
  d.message = fmt::format("the branches may return different ranks{}: {}; with {} = {} {} squeezes {} axis",
                          spellPosition(ctx, o.position), spellSides(ctx, o, spellType(m, a), spellType(m, b)),
                          squeezed->size.name, size, side == 0 ? "the first" : "the second", size == 1 ? "an" : "no");
  d.help = "squeeze only an axis whose size is known to be 1, or reshape instead (`x[0]`, `flatten`)";
  d.related = relatedSides(ctx, o);
  ctx.report(std::move(d));
  return true;
}

} // namespace

void checkOutputRank(RuleContext &ctx) {
  if (ctx.waivesShapes())
    return; // C12
  const Model &m = ctx.m;
  ctx.forEachComparedTensor([&](const Output &o, const Type &a, const Type &b) {
    if (a.names.shape && a.names.shape == b.names.shape)
      return;
    if (ctx.isSource() && reportSqueezed(ctx, o, a, b))
      return;
    if (!a.hasRank || !b.hasRank) {
      const std::size_t side = a.hasRank ? 1 : 0;
      ctx.unknown(fmt::format("the rank of {} is not known", spellSide(ctx, side, o.values[side], "the output")));
      return;
    }
    if (a.dims.size() == b.dims.size()) {
      if (std::string why = whyOnlyDeclaredAlike(ctx, o, false); !why.empty())
        ctx.unknown(std::move(why));
      return;
    }
    // What is declared of a conditional inside is what comes of one of its branches.
    const bool isOneOfSeveral =
        std::ranges::any_of(o.values, [&](ValueId v) { return m[v].contradicted && !m.type(v).hasRank; });
    if (std::string why = isOneOfSeveral ? std::string() : whyOnlyDeclaredApart(ctx, o, std::nullopt); !why.empty()) {
      ctx.unknown(std::move(why));
      return;
    }
    if (ctx.isOpenVino() && !ctx.facts.needed.holds(ctx.conditional().node, o.position)) {
      ctx.unknown(whyDropped(ctx, "the output" + spellPosition(ctx, o.position)));
      return;
    }
    Draft d;
    d.node = o.node;
    d.output = o.position;
    if (isOneOfSeveral)
      d.verdict = Verdict::Possible;
    d.message = fmt::format("the branches return different ranks{}: {}", spellPosition(ctx, o.position),
                            spellSides(ctx, o, spellType(m, a), spellType(m, b)));
    if (isSqueezeOrIdentity(m, o)) {
      d.message += "; this is If(Squeeze / Identity), what exporters make of squeeze(dim)";
      d.help =
          "squeeze only an axis whose size is known to be 1 when exporting, or reshape instead (`x[:, 0]`, `flatten`)";
    } else {
      d.help = ctx.isTorch() ? "add or remove a dimension in one branch (`unsqueeze`, `squeeze`, `reshape`)"
               : ctx.isNetwork()
                   ? "add or remove a dimension in one branch (addShuffle with setReshapeDimensions)"
                   : "add an Unsqueeze, Squeeze or Reshape inside the branch; behind the If it is too late";
    }
    d.variant = variantOfIf(ctx, o);
    if (ctx.isOpenVino()) {
      // OV3: of 0 and 1 it makes 1, and its CPU plug-in compiles no other If whose rank is open.
      const bool isScalar = std::max(a.dims.size(), b.dims.size()) == 1;
      d.variant = isScalar ? "scalar" : "";
      d.help += isScalar ? "; OpenVINO makes the scalar one of shape [1]"
                         : "; OpenVINO's CPU plug-in compiles no If of an open rank";
    } else if (d.variant.empty() && !ctx.isTorch() && !ctx.isTensorRT())
      d.help += "; ONNX allows it, and the rank of the result depends on the data";
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  });
}

} // namespace condlint

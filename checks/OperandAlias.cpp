//===- OperandAlias.cpp - No two operands share storage (A3) --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/RegionArguments.h"
#include "ops/TensorItself.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace condlint {

namespace {

using Source = AliasAnalysis::Source;

/// What is passed for \p v by a region that is no conditional's: one around answers for its own operands.
RegionArgument passedInto(const Model &m, ValueId v) {
  const NodeId holder = m[v].graph ? m[m[v].graph].owner : NodeId();
  return holder && !isConditional(m, holder) ? regionArgument(m, v) : RegionArgument();
}

constexpr int maxHops = 1000;

/// The tensor that \p v is where the regions begin that run as they stand, and loops for the first time.
ValueId outsideOf(const Model &m, ValueId v) {
  v = tensorItself(m, v);
  for (int hops = 0; hops < maxHops && m.hasClosedGraphs(); ++hops) {
    const RegionArgument outer = passedInto(m, v);
    if (!outer.value || outer.isSlice)
      return v;
    v = tensorItself(m, outer.value);
  }
  return v;
}

/// What the storage of \p v comes from, there.
std::vector<Source> rootsOf(RuleContext &ctx, ValueId v) {
  std::vector<Source> roots;
  std::vector<Source> open = ctx.tracedSourcesOf(v);
  for (int hops = 0; hops < maxHops && !open.empty(); ++hops) {
    const Source s = open.back();
    open.pop_back();
    const ValueId outer = ctx.m.hasClosedGraphs() ? passedInto(ctx.m, s.value).value : ValueId();
    if (!outer) {
      roots.push_back(s);
      continue;
    }
    for (Source t : ctx.tracedSourcesOf(outer)) {
      t.certain = t.certain && s.certain;
      open.push_back(t);
    }
  }
  return roots;
}

/// An operand whose storage comes from some root.
struct Share {
  std::size_t position;
  ValueId value;
  Source source;
  ValueId outside; ///< what it is where regions that run as they stand begin
};

/// The record of the archive that \p v, a weight, lies in: what lies in one record shares a storage
/// when torch has loaded it. None for what has no bytes there.
StringId recordOf(const Model &m, ValueId v) {
  if (!m[v].constant)
    return {};
  const Constant &data = m[m[v].constant];
  const auto sizes = m.types[data.type].dims;
  const bool isEmpty = std::ranges::any_of(sizes, [&](Dim d) { return m.dims.isConstant(d, 0); });
  return data.pickled || isEmpty ? StringId() : data.file;
}

/// One of the operands of \p n itself, or what shares storage with none of them.
bool isChoice(const Model &m, NodeId n) {
  return isCxx(m, n, CxxOp::Join) || isCxx(m, n, CxxOp::Perhaps) || isItselfOrCopy(m, n);
}

/// On each way on which \p v shares storage with \p other it is \p other itself: the same tensor twice.
bool isOtherOrApart(RuleContext &ctx, ValueId v, ValueId other, ValueId root) {
  constexpr std::size_t most = 64;
  std::vector<ValueId> open{v};
  bool met = false;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const ValueId one = tensorItself(ctx.m, open[i]);
    const NodeId def = ctx.m[one].def;
    met = met || one == other;
    const std::vector<Source> sources = ctx.tracedSourcesOf(one);
    if (one == other || std::ranges::find(sources, root, &Source::value) == sources.end())
      continue;
    if (!def || !isChoice(ctx.m, def) || open.size() > most)
      return false;
    for (ValueId operand : ctx.m.operands(def))
      if (operand && std::ranges::find(open, operand) == open.end())
        open.push_back(operand);
  }
  return met;
}

/// The operands by the root of their storage, one for all weights of a record. The same tensor twice is
/// one operand to torch.
std::map<ValueId, std::vector<Share>> sharesByRoot(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  std::map<ValueId, std::vector<Share>> byRoot;
  std::map<StringId, ValueId> firstOf;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const ValueId v = c.operands[i].value;
    if (!v || !ctx.typeOf(v).isTensor())
      continue;
    const ValueId outside = outsideOf(m, v);
    for (const Source &s : rootsOf(ctx, outside)) {
      const StringId record = recordOf(m, s.value);
      auto &list = byRoot[record ? firstOf.try_emplace(record, s.value).first->second : s.value];
      const auto isSame = [&](const Share &t) {
        return t.outside == outside || (ctx.isSource() && (isOtherOrApart(ctx, outside, t.outside, s.value) ||
                                                           isOtherOrApart(ctx, t.outside, outside, s.value)));
      };
      if (std::ranges::none_of(list, isSame))
        list.push_back({i, v, s, outside});
    }
  }
  return byRoot;
}

/// Why the operands of \p sure share storage, behind what names them; empty where it is plain.
std::string whyShared(const Model &m, ValueId root, const std::vector<Share> &sure) {
  const auto isOther = [&](const Share &s) { return s.source.value != root; };
  if (std::ranges::any_of(sure, isOther))
    return fmt::format(": they lie in the record '{}' of the archive", m.text(recordOf(m, root)));
  if (std::ranges::find(sure, root, &Share::value) == sure.end())
    return fmt::format(": they are views of {}", spellValue(m, root));
  return {};
}

} // namespace

void checkOperandAlias(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.conditional().dialect != Dialect::Torch)
    return ctx.absent();
  for (const auto &[root, list] : sharesByRoot(ctx)) {
    if (list.size() < 2)
      continue;
    std::vector<Share> sure;
    for (const Share &s : list)
      if (std::ranges::any_of(
              list, [&](const Share &t) { return &t != &s && AliasAnalysis::certainTogether(s.source, t.source); }))
        sure.push_back(s);
    if (sure.size() < 2) {
      ctx.unknown(fmt::format("operands {} and {} may share storage", list[0].position, list[1].position));
      continue;
    }
    std::string which;
    Draft d;
    for (const Share &s : sure) {
      which += fmt::format("{}{} ({} at {})",
                           which.empty()        ? ""
                           : &s == &sure.back() ? " and "
                                                : ", ",
                           s.position, spellValue(m, s.value), spellPlace(m, s.value));
      d.related.push_back(relatedTo(m, s.value, fmt::format("operand {}", s.position)));
    }
    d.message = fmt::format("operands {} share storage{}", which, whyShared(m, root, sure));
    d.help = "pass the base alone and take the view inside the branches, or pass a clone";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

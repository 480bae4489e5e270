//===- OperandAlias.cpp - No two operands share storage (A3) --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "Passed.h"
#include "RuleFunctions.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace condlint {

namespace {

using Source = AliasAnalysis::Source;

/// What is passed for \p v by a region that is no conditional's: one around answers for its own operands.
Passed passedInto(const Model &m, ValueId v) {
  const NodeId holder = m[v].graph ? m[m[v].graph].owner : NodeId();
  return holder && !isConditional(m, holder) ? passedFor(m, v) : Passed();
}

constexpr int maxHops = 1000;

/// What \p v is where the regions begin that run as they stand, and loops for the first time.
ValueId outsideOf(const Model &m, ValueId v) {
  for (int hops = 0; hops < maxHops && m.hasClosedGraphs(); ++hops) {
    const Passed outer = passedInto(m, v);
    if (!outer.value || outer.isSlice)
      return v;
    v = outer.value;
  }
  return v;
}

/// What the storage of \p v comes from, there.
std::vector<Source> rootsOf(RuleContext &ctx, ValueId v) {
  std::vector<Source> roots;
  std::vector<Source> open = ctx.sourcesOf(v);
  for (int hops = 0; hops < maxHops && !open.empty(); ++hops) {
    const Source s = open.back();
    open.pop_back();
    const ValueId outer = ctx.m.hasClosedGraphs() ? passedInto(ctx.m, s.value).value : ValueId();
    if (!outer) {
      roots.push_back(s);
      continue;
    }
    for (Source t : ctx.sourcesOf(outer)) {
      t.certain = t.certain && s.certain;
      open.push_back(t);
    }
  }
  return roots;
}

} // namespace

void checkOperandAlias(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect != Dialect::Torch)
    return ctx.absent();
  // By root: the operands whose storage comes from it. The same tensor twice is
  // one operand to torch.
  struct Share {
    std::size_t position;
    ValueId value;
    Source source;
    ValueId outside; ///< what it is where regions that run as they stand begin
  };
  std::map<ValueId, std::vector<Share>> byRoot;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const ValueId v = c.operands[i].value;
    if (!v || !ctx.typeOf(v).isTensor())
      continue;
    const ValueId outside = outsideOf(m, v);
    for (const Source &s : rootsOf(ctx, outside)) {
      auto &list = byRoot[s.value];
      if (std::ranges::find(list, outside, &Share::outside) == list.end())
        list.push_back({i, v, s, outside});
    }
  }
  for (const auto &[root, list] : byRoot) {
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
    d.message = fmt::format("operands {} share storage{}", which,
                            std::ranges::find(sure, root, &Share::value) == sure.end()
                                ? fmt::format(": they are views of {}", spellValue(m, root))
                                : std::string());
    d.help = "pass the base alone and take the view inside the branches, or pass a clone";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

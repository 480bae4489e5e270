//===- HostSync.cpp - No copy of a tensor's value to the host (B4, R17) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchNodes.h"
#include <fmt/format.h>
#include <set>

namespace condlint {

namespace {

void addSymbols(const Model &m, ValueId v, std::set<std::string> &out) {
  const auto add = [&](Dim d) {
    if (d.known() && m.dims.mentions(d, SymbolOrigin::Unbacked))
      for (const Symbol &s : m.dims.symbolsOf(d))
        if (s.origin == SymbolOrigin::Unbacked)
          out.insert(s.name);
  };
  const Type &t = m.type(v);
  if (t.hasRank)
    for (Dim d : t.dims)
      add(d);
  if (m[v].content)
    for (Dim d : m.content(m[v].content))
      add(d);
}

} // namespace

void checkHostSync(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.conditional().dialect != Dialect::Torch)
    return ctx.absent();
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    std::optional<std::set<std::string>> leaving;
    forEachNode(ctx.facts, m, b.graph, [&](NodeId n) {
      const NodeEffects effects = effectsOf(m, n);
      if (effects.opaque)
        ctx.unknown(fmt::format("{} may do anything", spellOperation(m, n)));
      if (!effects.hostSync)
        return;
      if (!leaving) {
        leaving.emplace();
        for (ValueId v : m.results(b.graph))
          if (v)
            addSymbols(m, v, *leaving);
      }
      std::set<std::string> made;
      for (std::size_t i = 0; i < m.resultCount(n); ++i)
        addSymbols(m, m.result(n, i), made);
      std::string escaped;
      for (const std::string &s : made)
        if (leaving->contains(s))
          escaped = s;
      Draft d;
      d.node = n;
      // Recorded: a number that stays a symbol is followed, a decision is not.
      const bool decides = ctx.isRecorded() && isCxx(m, n, CxxOp::HostRead);
      d.variant = ctx.isSource() || decides ? "source" : escaped.empty() ? "" : "escapes";
      d.message = fmt::format("'{}' copies a tensor's value to the host: {}{}", b.name, spellOperation(m, n),
                              escaped.empty() ? "" : fmt::format("; its symbol {} leaves the branch", escaped));
      if (decides)
        d.message =
            fmt::format("'{}' decides on a tensor's value while it is traced: only one way would be recorded", b.name);
      d.help = decides ? "select with torch.where, or nest a torch.cond"
               : escaped.empty()
                   ? "the device waits for the host here; compute with the tensor instead"
                   : "sizes that the data of one branch decides cannot be known outside: compute with the tensor "
                     "instead, or read the value before the conditional";
      ctx.report(std::move(d));
    });
  }
}

} // namespace condlint

//===- OutputDuplicate.cpp - No two outputs of a branch are one (A2, A5) --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>
#include <unordered_map>

namespace condlint {

namespace {

/// True for a value whose storage comes from outside the branch: returning it is
/// output-alias, and returning it twice no news.
bool isOuter(const RuleContext &ctx, GraphId branch, ValueId root) {
  const Value &x = ctx.m[root];
  return x.graph != branch || x.origin == ValueOrigin::Parameter;
}

} // namespace

void checkOutputDuplicate(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const bool storage = c.dialect == Dialect::Torch;
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    const GraphId g = c.branches[b].graph;
    if (!g || !ctx.isTaken(b))
      continue;
    const auto results = ctx.results(b);
    // The first output with each root; a later one with the same root repeats it.
    struct Seen {
      std::size_t position;
      bool certain;
    };
    std::unordered_map<ValueId, Seen> first;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ValueId v = results[i];
      if (!v || m[v].origin == ValueOrigin::Undefined)
        continue;
      const ValueKind kind = ctx.typeOf(v).kind;
      if (storage && kind != ValueKind::Tensor)
        continue; // a number has no storage
      std::vector<AliasAnalysis::Source> roots;
      if (storage)
        roots = ctx.analysis.aliases.sources(v);
      else
        roots.push_back({v, true, NodeId()});
      std::optional<std::size_t> repeats;
      bool may = false;
      for (const AliasAnalysis::Source &s : roots) {
        if (isOuter(ctx, g, s.value))
          continue;
        const auto [known, isNew] = first.try_emplace(s.value, Seen{i, s.certain});
        if (isNew || known->second.position == i)
          continue;
        if (s.certain && known->second.certain)
          repeats = known->second.position;
        else
          may = true;
      }
      if (!repeats) {
        if (may)
          ctx.unknown(fmt::format("output {} of '{}' may share storage with another", i, c.branches[b].name));
        continue;
      }
      const ValueId other = results[*repeats];
      Draft d;
      d.message = other == v ? fmt::format("'{}' returns {} twice, as outputs {} and {} ({})", c.branches[b].name,
                                           spellValue(m, v), *repeats, i, spellPlace(m, v))
                             : fmt::format("outputs {} and {} of '{}' share storage: {} ({}) and {} ({})", *repeats, i,
                                           c.branches[b].name, spellValue(m, other), spellPlace(m, other),
                                           spellValue(m, v), spellPlace(m, v));
      if (storage) {
        d.help = fmt::format("return {}.clone() as one of the two", m.name(v));
        d.fixes.push_back({fmt::format("return {}.clone() as output {}", m.name(v), i)});
      } else {
        d.help = ctx.isTensorRT()
                     ? "TensorRT's parser asks for different names; insert an Identity for the second output"
                     : "insert an Identity for the second output: ONNX Runtime returns stale memory for one of them";
        d.fixes.push_back({fmt::format("insert Identity before output {} of '{}'", i, c.branches[b].name)});
      }
      d.related.push_back(relatedTo(m, v, fmt::format("output {} is made here", i)));
      ctx.report(std::move(d));
    }
  }
}

} // namespace condlint

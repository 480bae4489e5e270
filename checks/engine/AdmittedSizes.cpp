//===- AdmittedSizes.cpp - Sizes that checks leave ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AdmittedSizes.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>

namespace condlint {

namespace {

/// Sizes at which differences show, and those beside them.
constexpr std::array<std::int64_t, 30> tried{1,  2,  3,  0,  4,  5,  6,  7,  8,   9,   10,  11,  12,   13,   15,
                                             16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 256, 1000, 1024, 4096};

} // namespace

std::vector<Dim> admittedSizes(const RuleContext &ctx, NodeId n) {
  const Model &m = ctx.m;
  std::vector<Dim> all;
  if (!n)
    return all;
  if (const Attribute *a = m.attribute(n, attr::admitted.name); a && a->kind == AttributeKind::Dims)
    std::ranges::copy(m.dimsIn(a->list), std::back_inserter(all));
  const auto add = [&](GraphId g) {
    if (const auto found = ctx.facts.conditionsIn.find(g); found != ctx.facts.conditionsIn.end())
      std::ranges::copy(found->second, std::back_inserter(all));
  };
  for (const GraphId branch : m.regions(n))
    if (branch)
      add(branch);
  for (GraphId g = m[n].graph; g; g = m[g].parent)
    add(g);
  return all;
}

bool admits(const Model &m, std::span<const Dim> conditions, const Assignment &witness) {
  return std::ranges::all_of(conditions, [&](Dim d) { return m.dims.evaluate(d, witness).value_or(-1) >= 0; });
}

bool findAdmitted(const Model &m, std::span<const Dim> conditions, Dim a, Dim b, Judgement &j) {
  if (conditions.empty() || admits(m, conditions, j.witness))
    return true;
  std::vector<Symbol> symbols = m.dims.symbolsOf(a);
  for (const Dim d : conditions)
    std::ranges::copy(m.dims.symbolsOf(d), std::back_inserter(symbols));
  std::ranges::copy(m.dims.symbolsOf(b), std::back_inserter(symbols));
  std::ranges::sort(symbols, {}, &Symbol::name);
  const auto rest = std::ranges::unique(symbols, {}, &Symbol::name);
  symbols.erase(rest.begin(), rest.end());
  if (symbols.empty() || symbols.size() > 2)
    return false;
  const Symbol &first = symbols.front(), &last = symbols.back();
  for (const std::int64_t x : tried)
    for (const std::int64_t y : tried) {
      const std::int64_t second = symbols.size() == 1 ? x : y;
      const Assignment sizes =
          symbols.size() == 1 ? Assignment{{first.name, x}} : Assignment{{first.name, x}, {last.name, y}};
      const auto atA = m.dims.evaluate(a, sizes), atB = m.dims.evaluate(b, sizes);
      if (first.bounds.contains(x) && last.bounds.contains(second) && atA && atB && *atA != *atB && *atA >= 0 &&
          *atB >= 0 && admits(m, conditions, sizes)) {
        j.witness = sizes;
        j.a = *atA;
        j.b = *atB;
        return true;
      }
      if (symbols.size() == 1)
        break;
    }
  return false;
}

} // namespace condlint

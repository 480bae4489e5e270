//===- AdmittedSizes.cpp - Sizes that checks leave ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AdmittedSizes.h"
#include "condlint/SourceGraph.h"
#include <algorithm>

namespace condlint {

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

} // namespace condlint

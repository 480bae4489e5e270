//===- FindingsByLine.cpp - One finding for each line of source -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FindingsByLine.h"
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace condlint {

namespace {

/// The finding \p f joins \p first: the repair is what cures both.
void addRepair(Finding &first, const Finding &f) {
  if (first.fixes.size() != 1 || f.fixes.size() != 1 || first.fixes[0].edits == f.fixes[0].edits)
    return;
  Fix &all = first.fixes[0];
  if (all.edits.empty() || f.fixes[0].edits.empty()) {
    all.edits.clear(); // half a repair leaves the finding
    return;
  }
  for (const Edit &e : f.fixes[0].edits)
    if (std::ranges::find(all.edits, e) == all.edits.end())
      all.edits.push_back(e);
  all.description += ", " + f.fixes[0].description;
}

} // namespace

void FindingsByLine::add(Finding f) {
  const auto [place, isNew] = lines.try_emplace(
      {f.rule, f.conditional, f.location.path + ':' + std::to_string(f.location.line)}, Joined{all.size()});
  if (isNew) {
    all.push_back(std::move(f));
    return;
  }
  Joined &joined = place->second;
  Finding &other = all[joined.finding];
  if (std::tie(f.severity, f.verdict) > std::tie(other.severity, other.verdict)) {
    std::swap(f, other);
    const auto first = f.related.end() - static_cast<std::ptrdiff_t>(joined.notes);
    std::move(first, f.related.end(), std::back_inserter(other.related));
  }
  if (f.message != other.message) {
    other.related.push_back({f.message, f.location, f.graphPath});
    ++joined.notes;
  }
  addRepair(other, f);
}

} // namespace condlint

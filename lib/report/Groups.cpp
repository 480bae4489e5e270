//===- Groups.cpp - Findings that several targets share -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace condlint {

std::string FindingGroup::targets() const {
  std::string list;
  for (const Finding *f : members) {
    list += list.empty() ? "" : ", ";
    list += f->target;
    if (severitiesDiffer)
      list += fmt::format(" ({})", severityName(f->severity));
  }
  return list;
}

std::vector<FindingGroup> groupByTarget(const std::vector<Finding> &findings) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, std::string_view,
                         std::string, Verdict>;
  std::map<Key, std::size_t> places;
  std::vector<FindingGroup> groups;
  for (const Finding &f : findings) {
    Key key{f.rule, f.graphPath, f.conditional, f.message, f.help, f.location.str(), f.verdict};
    auto [at, isNew] = places.try_emplace(std::move(key), groups.size());
    if (isNew)
      groups.push_back({&f, f.severity, false, {}});
    FindingGroup &g = groups[at->second];
    g.severitiesDiffer |= f.severity != g.severity;
    g.severity = std::max(g.severity, f.severity);
    g.members.push_back(&f);
  }
  return groups;
}

} // namespace condlint

//===- NetworkRuns.cpp - What holds on some runs of a builder only --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkRuns.h"
#include "SourceFacts.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <optional>
#include <set>

namespace condlint {

namespace {

constexpr std::size_t most = 64; ///< runs of a function: a bit each

/// What the node \p n, a `cxx.choice`, says: its place, and what is asked there.
std::optional<std::pair<std::uint64_t, ChoiceSite>> choiceAt(const Model &m, NodeId n) {
  if (!isCxx(m, n, CxxOp::Choice))
    return std::nullopt;
  const std::optional<std::int64_t> place = read(m, n, attr::place);
  if (!place || !has(m, n, attr::condition))
    return std::nullopt;
  return std::pair(static_cast<std::uint64_t>(*place),
                   ChoiceSite{std::string(read(m, n, attr::condition)), m.location(n)});
}

/// The place of the node \p n, a `cxx.choice`, where what was asked before may leave one way only.
std::optional<std::uint64_t> doubtAt(const Model &m, NodeId n) {
  const auto place = isCxx(m, n, CxxOp::Choice) && has(m, n, attr::doubtful) ? read(m, n, attr::place) : std::nullopt;
  return place ? std::optional(static_cast<std::uint64_t>(*place)) : std::nullopt;
}

} // namespace

NetworkRuns::NetworkRuns(const Model &m, const AllExecutions &executions) {
  if (m.info.dialect != Dialect::TensorRT)
    return;
  std::map<std::uint32_t, std::vector<FunctionId>> byName;
  for (std::uint32_t f = 0; f < m.functionCount(); ++f)
    if (m[FunctionId(f)].body && !executions.isCommon(m[FunctionId(f)].body))
      byName[m[FunctionId(f)].name.index()].push_back(FunctionId(f));
  for (const auto &[name, functions] : byName) {
    // Instances of a template have one name too; they make no choices.
    Group group;
    group.incomplete = std::ranges::any_of(functions, [&](FunctionId f) { return m[f].otherWays; });
    if (!group.incomplete && std::ranges::all_of(functions, [&](FunctionId f) { return m[f].choices.empty(); }))
      continue;
    if (functions.size() < 2 && !group.incomplete)
      continue;
    for (FunctionId f : functions) {
      if (group.runs.size() == most) { // no bit is left: what it shows is shown by no run that counts
        places[m[f].body.index()] = {static_cast<int>(groups.size()), 0};
        group.incomplete = true;
        continue;
      }
      const RunSet bit = RunSet{1} << group.runs.size();
      const GraphId body = m[f].body;
      places[body.index()] = {static_cast<int>(groups.size()), bit};
      Run run;
      run.body = body;
      for (const Choice &choice : m[f].choices) {
        run.ways.emplace(choice.place, choice.way);
        if (choice.fromOutside)
          group.fromOutside.insert(choice.place);
      }
      group.valid |= m[f].failed ? 0 : bit;
      group.runs.push_back(std::move(run));
      for (NodeId n : m.nodes(body)) {
        if (m[n].location)
          group.reached[m[n].location.index()] |= bit;
        if (const auto choiceSite = choiceAt(m, n))
          group.choiceSites.insert(*choiceSite);
        if (const auto place = doubtAt(m, n))
          group.runs.back().doubts.insert(*place);
      }
    }
    if (group.valid == 0)
      group.valid = ~RunSet{0};
    groups.push_back(std::move(group));
  }
}

int NetworkRuns::groupOf(GraphId g) const {
  const auto at = places.find(g.index());
  return at == places.end() ? -1 : at->second.first;
}

RunSet NetworkRuns::bitOf(GraphId g) const {
  const auto at = places.find(g.index());
  return at == places.end() ? 0 : at->second.second;
}

/// Some run of \p found can be made for certain: where it is not known whether a way is open, the other one is
/// in \p found as well.
bool NetworkRuns::isSure(const Group &group, RunSet found) {
  const auto in = [&](std::size_t i) { return (found & (RunSet{1} << i)) != 0; };
  const auto goes = [&](std::size_t i, std::uint64_t place, std::uint32_t way) {
    const auto at = group.runs[i].ways.find(place);
    return in(i) && at != group.runs[i].ways.end() && at->second != way;
  };
  for (std::size_t i = 0; i < group.runs.size(); ++i) {
    const auto isCovered = [&](std::uint64_t place) {
      const auto way = group.runs[i].ways.find(place);
      for (std::size_t k = 0; way != group.runs[i].ways.end() && k < group.runs.size(); ++k)
        if (goes(k, place, way->second))
          return true;
      return false;
    };
    if (in(i) && std::ranges::all_of(group.runs[i].doubts, isCovered))
      return true;
  }
  return false;
}

Sighting NetworkRuns::judge(int number, RunSet found, LocationId at) const {
  const Group &group = groups[static_cast<std::size_t>(number)];
  RunSet all = found;
  if (const auto known = at ? group.reached.find(at.index()) : group.reached.end(); known != group.reached.end())
    all |= known->second;
  const RunSet every = group.runs.size() >= most ? ~RunSet{0} : (RunSet{1} << group.runs.size()) - 1;
  found &= group.valid;
  all &= group.valid;
  if (found == 0)
    return {Occurrence::Unclear};
  if (group.incomplete)
    return {all == found ? Occurrence::OneWay : Occurrence::Unclear};
  if (found == (every & group.valid))
    return {Occurrence::Always};
  const bool whereReached = all == found;
  if (whereReached)
    all = every & group.valid;
  else if (!isSure(group, found))
    return {Occurrence::Unclear};
  Sighting sighting;
  std::set<std::uint64_t> decisions;
  for (const Run &r : group.runs)
    for (const auto &[place, way] : r.ways)
      decisions.insert(place);
  for (std::uint64_t place : decisions) {
    // One way of this decision, and no other, shows it.
    std::set<std::uint32_t> with, without;
    bool elsewhere = false;
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
      const RunSet bit = RunSet{1} << i;
      if ((all & bit) == 0)
        continue; // it does not come there, or fails
      const auto way = group.runs[i].ways.find(place);
      if (way == group.runs[i].ways.end())
        elsewhere = elsewhere || (found & bit) != 0;
      else
        ((found & bit) != 0 ? with : without).insert(way->second);
    }
    const bool disjoint = std::ranges::none_of(with, [&](std::uint32_t w) { return without.contains(w); });
    if (elsewhere || with.empty() || !disjoint)
      continue;
    const auto choiceSite = group.choiceSites.find(place);
    sighting.occurrence = group.fromOutside.contains(place) ? Occurrence::Configured : Occurrence::OneWay;
    sighting.choiceSite = choiceSite == group.choiceSites.end() || with.size() != 1 ? nullptr : &choiceSite->second;
    sighting.truth = *with.begin() == 0;
    sighting.everyRunDecides = std::ranges::all_of(group.runs, [&](const Run &r) { return r.ways.contains(place); });
    if (sighting.occurrence == Occurrence::Configured)
      break;
  }
  if (whereReached)
    sighting.occurrence = Occurrence::WhereReached;
  return sighting;
}

} // namespace condlint

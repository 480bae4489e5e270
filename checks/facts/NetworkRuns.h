//===- NetworkRuns.h - What holds on some runs of a builder only -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that builds is run once for each way it can go, or where those are too many,
// so that each of its decisions goes each way at least once (`Function::choices`). A
// break that every run shows is certain. One that hangs on a single decision is
// possible: the code goes that way. What hangs on several may belong to runs that
// never happen, since their conditions may exclude each other.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NETWORKRUNS_H
#define CONDLINT_CHECKS_FACTS_NETWORKRUNS_H

#include "AllExecutions.h"
#include "condlint/Graph.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace condlint {

/// Some of the runs of one function: a bit each.
using RunSet = std::uint64_t;

/// Of what was found in some runs: in all; in all that come to its place, and not all do;
/// where the code goes one way at some other place, because a value from outside says so
/// (Configured: the place is an odd number) or for another reason (which may be that
/// something failed); in some, and why is not clear.
enum class Occurrence : std::uint8_t { Always, WhereReached, Configured, OneWay, Unclear };

/// A condition of the host where the code that builds goes apart.
struct ChoiceSite {
  std::string condition; ///< as it is written
  SourceLocation location;
};

/// How what was found holds, and where one decision shows it: which, and how it turns out there.
struct Sighting {
  Occurrence occurrence = Occurrence::Unclear;
  const ChoiceSite *choiceSite = nullptr;
  bool truth = false;
  bool everyRunDecides = false; ///< no run of the function does without that decision
};

class NetworkRuns {
public:
  NetworkRuns(const Model &model, const AllExecutions &executions);
  /// Some function was run more than once.
  bool several() const { return !groups.empty(); }
  /// The function that \p g is a run of, if there are several runs of it: a number; none: -1.
  int groupOf(GraphId g) const;
  /// The runs of the group that \p g belongs to, as a bit each.
  RunSet bitOf(GraphId g) const;
  /// How what was found at \p at in the runs \p found of \p group holds.
  Sighting judge(int group, RunSet found, LocationId at) const;

private:
  struct Run {
    GraphId body;
    std::map<std::uint64_t, std::uint32_t> ways; ///< by place
    std::set<std::uint64_t> doubts;              ///< places where the other way may be the only one that is open
  };
  struct Group {
    std::vector<Run> runs;
    bool incomplete = false; ///< not every way of each decision was followed
    RunSet valid = 0;        ///< the runs that did not fail (what others leave is nobody's network); all, if all did
    std::map<std::uint32_t, RunSet> reached;         ///< by location: the runs that come there
    std::set<std::uint64_t> fromOutside;             ///< the places where a value from outside decides
    std::map<std::uint64_t, ChoiceSite> choiceSites; ///< by place, as far as they are conditions
  };
  static bool isSure(const Group &group, RunSet found);

  std::vector<Group> groups;
  std::map<std::uint32_t, std::pair<int, RunSet>> places; ///< by graph: group and bit
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NETWORKRUNS_H

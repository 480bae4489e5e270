//===- RunVerdicts.h - From runs to all executions --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_RUNVERDICTS_H
#define CONDLINT_CHECKS_ENGINE_RUNVERDICTS_H

#include "ReportedFinding.h"
#include "condlint/Rule.h"
#include "facts/AllExecutions.h"
#include "facts/NetworkRuns.h"
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace condlint {

/// Makes of what the runs of code that builds a network show what holds of all its executions: what some runs alone
/// show is possible, or nothing, and what all show is proved or violated only as far as nothing bounds the runs.
class RunVerdicts {
public:
  /// \p findings: what the rules reported of \p model. They and the verdicts in \p outcome are changed; all must
  /// outlive this.
  RunVerdicts(const Model &model, const AllExecutions &all, std::vector<ReportedFinding> &findings,
              CheckResult &outcome)
      : m(model), executions(all), reported(findings), result(outcome), runs(model, all) {}

  /// What only some of the runs show.
  void judgeRuns();
  /// What the runs show, where an execution may do what no run does.
  void judgeBounds();

private:
  /// One break, in whichever runs it shows: group, rule, conditional or loop, line.
  using Break = std::tuple<int, std::string, std::string, std::string>;
  struct Shown {
    RunSet runs = 0;                             ///< that show it
    RunSet certain = 0;                          ///< that show it and leave nothing open
    std::map<RunSet, std::vector<Edit>> repairs; ///< of each run
    bool isCuredIn(Occurrence o) const;
  };
  using Verdicts = std::set<std::pair<std::string, std::string>>; ///< by path and rule

  const Model &m;
  const AllExecutions &executions;
  std::vector<ReportedFinding> &reported;
  CheckResult &result;
  NetworkRuns runs;

  Break breakOf(const ReportedFinding &f) const;
  std::string pathOf(const ReportedFinding &f) const;
  bool judge(ReportedFinding &f, const Shown &shown, Verdicts &changed) const;
  void judgeAgain(ConditionalSummary &s, const Verdicts &changed) const;
};

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_RUNVERDICTS_H

//===- RunVerdicts.cpp - From runs to all executions ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunVerdicts.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// Nothing of it is left: too few runs show it to say that an execution of somebody's code does.
bool isDropped(const ReportedFinding &f, const Sighting &seen) {
  switch (seen.occurrence) {
  case Occurrence::Always:
  case Occurrence::WhereReached:
    return false;
  case Occurrence::Unclear:
    return true;
  case Occurrence::OneWay:
    return f.absence || f.followsNull;
  case Occurrence::Configured: // what one configuration has no use for another one may
    return f.idle || (f.followsNull && !seen.everyRunDecides);
  }
  return true;
}

} // namespace

/// An edit changes what all runs do that come to its place: it is one of them all, or none.
bool RunVerdicts::Shown::isCuredIn(Occurrence o) const {
  return (o == Occurrence::Always || o == Occurrence::WhereReached) &&
         std::ranges::all_of(repairs, [&](const auto &r) { return r.second == repairs.begin()->second; });
}

/// The path of the conditional or loop that \p f is about.
std::string RunVerdicts::pathOf(const ReportedFinding &f) const {
  return f.finding.conditional.empty() && f.loop ? m.path(f.loop) : f.finding.conditional;
}

RunVerdicts::Break RunVerdicts::breakOf(const ReportedFinding &f) const {
  const SourceLocation &at = f.finding.location;
  return {runs.groupOf(f.graph), f.finding.rule, pathOf(f), at.path + ':' + std::to_string(at.line)};
}

void RunVerdicts::judgeRuns() {
  if (!runs.several())
    return;
  std::map<Break, Shown> breaks;
  for (const ReportedFinding &f : reported) {
    if (runs.groupOf(f.graph) < 0)
      continue;
    Shown &shown = breaks[breakOf(f)];
    const RunSet run = runs.bitOf(f.graph);
    shown.runs |= run;
    if (f.finding.verdict == Verdict::Violated)
      shown.certain |= run;
    std::vector<Edit> &edits = shown.repairs[run];
    for (const Fix &fix : f.finding.fixes)
      edits.insert(edits.end(), fix.edits.begin(), fix.edits.end());
  }
  Verdicts changed;
  std::vector<ReportedFinding> kept;
  for (ReportedFinding &f : reported)
    if (runs.groupOf(f.graph) < 0 || judge(f, breaks[breakOf(f)], changed))
      kept.push_back(std::move(f));
  reported = std::move(kept);
  for (auto *all : {&result.conditionals, &result.loops})
    for (ConditionalSummary &s : *all)
      judgeAgain(s, changed);
}

/// Makes of \p f, a finding of some of several runs, what it says of all; false where nothing is left of it.
bool RunVerdicts::judge(ReportedFinding &f, const Shown &shown, Verdicts &changed) const {
  const int group = runs.groupOf(f.graph);
  const Sighting seen = runs.judge(group, shown.runs, f.place);
  const Occurrence o = seen.occurrence;
  // Which of the runs show it that leave it open, nobody knows.
  const bool isOpen = o == Occurrence::Always && f.finding.verdict == Verdict::Violated &&
                      runs.judge(group, shown.certain, f.place).occurrence != Occurrence::Always;
  const bool isPossible = o != Occurrence::Always || isOpen;
  if (isPossible)
    changed.emplace(pathOf(f), f.finding.rule);
  if (isDropped(f, seen))
    return false;
  if (isPossible)
    f.finding.verdict = Verdict::Possible;
  if (!shown.isCuredIn(o))
    for (Fix &fix : f.finding.fixes)
      fix.edits.clear();
  if (seen.choiceSite)
    f.finding.related.push_back({fmt::format("it is so where '{}' is {}", seen.choiceSite->condition, seen.truth),
                                 seen.choiceSite->location,
                                 {}});
  return true;
}

/// Some findings of rules on \p s are gone, or no longer certain: \p changed.
void RunVerdicts::judgeAgain(ConditionalSummary &s, const Verdicts &changed) const {
  const FlatMap<std::string_view, Verdict> before = s.verdicts;
  for (const auto &[rule, old] : before) {
    if (!changed.contains({s.path, std::string(rule)}))
      continue;
    Verdict verdict = Verdict::Unknown;
    for (const ReportedFinding &f : reported)
      if (f.finding.rule == rule && pathOf(f) == s.path)
        verdict = std::max(verdict, f.finding.verdict);
    s.verdicts[rule] = verdict;
    if (verdict == Verdict::Unknown)
      s.reasons[std::string(rule)] = "it depends on which way the code goes";
  }
}

void RunVerdicts::judgeBounds() {
  for (auto *all : {&result.conditionals, &result.loops})
    for (ConditionalSummary &s : *all) {
      if (!executions.limits(s.path))
        continue;
      const FlatMap<std::string_view, Verdict> before = s.verdicts;
      for (const auto &[rule, shown] : before) {
        std::string why;
        s.verdicts[rule] = executions.verdict(s.path, rule, shown, why);
        if (s.verdicts[rule] == Verdict::Unknown && !why.empty())
          s.reasons[std::string(rule)] = why;
      }
    }
  for (ReportedFinding &f : reported) {
    std::string why;
    if (const std::string path = pathOf(f); !path.empty())
      f.finding.verdict = executions.verdict(path, f.finding.rule, f.finding.verdict, why);
    if (!why.empty())
      f.finding.related.push_back({"another execution may do without: " + why, f.finding.location, {}});
  }
}

} // namespace condlint

//===- Tally.cpp - The sums of a report -----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tally.h"
#include <algorithm>
#include <unordered_map>

namespace condlint {

namespace {

void tallyInput(const InputReport &input, ConditionalTally &tally) {
  std::unordered_map<std::string_view, Verdict> worstByPath;
  auto raise = [&](std::string_view path, Verdict v) {
    Verdict &worst = worstByPath.try_emplace(path, Verdict::Proved).first->second;
    worst = std::max(worst, v);
  };
  for (const ConditionalSummary &s : input.summaries) {
    raise(s.path, s.judged);
    for (const auto &[rule, verdict] : s.verdicts)
      if (verdict == Verdict::Unknown)
        raise(s.path, Verdict::Unknown);
  }
  for (const std::vector<Finding> *all : {&input.findings, &input.suppressed})
    for (const Finding &f : *all)
      if (f.severity >= Severity::Warning && worstByPath.count(f.conditional) != 0)
        raise(f.conditional, f.verdict);

  std::size_t total = std::max(input.conditionals, worstByPath.size() + input.leftOut);
  tally.total += total;
  tally.proved += input.leftOut;
  for (const auto &[path, worst] : worstByPath)
    switch (worst) {
    case Verdict::Proved:
      ++tally.proved;
      break;
    case Verdict::Unknown:
      ++tally.unknown;
      break;
    case Verdict::Possible:
      ++tally.possible;
      break;
    case Verdict::Violated:
      ++tally.violated;
      break;
    }
  if (input.isJudged)
    tally.unknown += total - std::min(total, worstByPath.size() + input.leftOut);
}

} // namespace

void ReportTotals::add(const InputReport &input) {
  ++inputs.total;
  switch (input.status) {
  case InputStatus::Ok:
    ++inputs.analyzed;
    break;
  case InputStatus::Partial:
    ++inputs.partial;
    break;
  case InputStatus::Failed:
    ++inputs.failed;
    break;
  case InputStatus::Skipped:
    ++inputs.skipped;
    break;
  }
  tallyInput(input, conditionals);
  for (const Finding &f : input.findings) {
    errors += f.severity == Severity::Error ? 1 : 0;
    warnings += f.severity == Severity::Warning ? 1 : 0;
    notes += f.severity == Severity::Note ? 1 : 0;
  }
  for (const auto &[name, count] : input.untypedOperators)
    untypedOperators[name] += count;
}

ReportTotals totalsOf(const Report &r) {
  ReportTotals totals;
  for (const InputReport &input : r.inputs)
    totals.add(input);
  return totals;
}

} // namespace condlint

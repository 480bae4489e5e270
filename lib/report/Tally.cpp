//===- Tally.cpp - How many conditionals hold, break or are open ----------===//
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

ConditionalTally tallyConditionals(const Report &r) {
  ConditionalTally tally;
  for (const InputReport &input : r.inputs)
    tallyInput(input, tally);
  return tally;
}

InputTally tallyInputs(const Report &r) {
  InputTally tally;
  for (const InputReport &input : r.inputs)
    switch (input.status) {
    case InputStatus::Ok:
      ++tally.analyzed;
      break;
    case InputStatus::Partial:
      ++tally.partial;
      break;
    case InputStatus::Failed:
      ++tally.failed;
      break;
    case InputStatus::Skipped:
      ++tally.skipped;
      break;
    }
  return tally;
}

} // namespace condlint

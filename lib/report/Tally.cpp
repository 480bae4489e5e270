//===- Tally.cpp - The sums of a report -----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tally.h"
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace condlint {

namespace {

/// Gives each conditional that some summary is of a place in a list.
class Places {
public:
  explicit Places(const InputReport &input) {
    for (const ConditionalSummary &s : input.summaries)
      bySummary.push_back(placeOf(s));
    // What a template or a helper of C++ makes several times is one conditional.
    if (count + input.leftOut > input.conditionals)
      joinByPath(input);
  }

  std::vector<std::size_t> take() && { return std::move(bySummary); }

private:
  struct Path {
    std::vector<std::size_t> places;                              ///< of the conditionals that have it
    std::vector<std::pair<std::string_view, std::size_t>> seenOf; ///< how many of them, by target
  };

  std::size_t placeOf(const ConditionalSummary &s) {
    Path &path = byPath[s.path];
    auto seen = std::ranges::find(path.seenOf, s.target, [](const auto &each) { return each.first; });
    if (seen == path.seenOf.end())
      seen = path.seenOf.insert(seen, {s.target, 0});
    if (seen->second == path.places.size())
      path.places.push_back(count++);
    return path.places[seen->second++];
  }

  void joinByPath(const InputReport &input) {
    count = 0;
    for (auto &[name, path] : byPath)
      path.places = {count++};
    for (std::size_t i = 0; i < bySummary.size(); ++i)
      bySummary[i] = byPath[input.summaries[i].path].places.front();
  }

  std::unordered_map<std::string_view, Path> byPath;
  std::vector<std::size_t> bySummary;
  std::size_t count = 0;
};

/// The worst that is said of each conditional.
std::vector<Verdict> worstOf(const InputReport &input) {
  const std::vector<std::size_t> places = conditionalsOf(input);
  std::vector<Verdict> worst(places.empty() ? 0 : std::ranges::max(places) + 1, Verdict::Proved);
  const auto raise = [&](std::size_t i, Verdict v) { worst[places[i]] = std::max(worst[places[i]], v); };
  std::unordered_map<std::string_view, std::vector<std::size_t>> byPath; // the summaries
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ConditionalSummary &s = input.summaries[i];
    byPath[s.path].push_back(i);
    raise(i, s.judged);
    for (const auto &[rule, verdict] : s.verdicts)
      if (verdict == Verdict::Unknown)
        raise(i, Verdict::Unknown);
  }
  // A finding names the path: of those that have it, it is of those whose rule says so, or of the first.
  for (const std::vector<Finding> *all : {&input.findings, &input.suppressed})
    for (const Finding &f : *all) {
      const auto named = byPath.find(f.conditional);
      if (f.severity < Severity::Warning || named == byPath.end())
        continue;
      const auto says = [&](std::size_t i) {
        const auto verdict = input.summaries[i].verdicts.find(f.rule);
        return verdict != input.summaries[i].verdicts.end() && verdict->second >= f.verdict;
      };
      if (std::ranges::none_of(named->second, says))
        raise(named->second.front(), f.verdict);
      for (const std::size_t i : named->second)
        if (says(i))
          raise(i, f.verdict);
    }
  return worst;
}

void tallyInput(const InputReport &input, ConditionalTally &tally) {
  const std::vector<Verdict> worst = worstOf(input);
  const std::size_t total = std::max(input.conditionals, worst.size() + input.leftOut);
  tally.total += total;
  tally.proved += input.leftOut;
  for (const Verdict v : worst)
    switch (v) {
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
    tally.unknown += total - std::min(total, worst.size() + input.leftOut);
}

} // namespace

std::vector<std::size_t> conditionalsOf(const InputReport &input) { return Places(input).take(); }

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

//===- Report.cpp - Orders what was found and names each finding ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Report.h"
#include "Fingerprint.h"
#include "Tally.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

namespace condlint {

std::string_view statusName(InputStatus s) {
  switch (s) {
  case InputStatus::Ok:
    return "ok";
  case InputStatus::Partial:
    return "partial";
  case InputStatus::Failed:
    return "failed";
  case InputStatus::Skipped:
    return "skipped";
  }
  return "failed";
}

std::size_t Report::count(Severity s) const {
  std::size_t n = 0;
  for (const InputReport &input : inputs)
    n += static_cast<std::size_t>(
        std::count_if(input.findings.begin(), input.findings.end(), [s](const Finding &f) { return f.severity == s; }));
  return n;
}

namespace {

auto placeOf(const SourceLocation &l) { return std::tie(l.path, l.line, l.column, l.endLine, l.endColumn); }

/// Where \p target stands among the targets of the input: the order in which
/// the user asked.
std::size_t targetRank(const InputReport &input, const std::string &target) {
  return static_cast<std::size_t>(std::find(input.targets.begin(), input.targets.end(), target) -
                                  input.targets.begin());
}

/// Sorts \p all by \p key. What is sorted is large, and moved once its order is known.
template <class T, class Key> void sortBy(std::vector<T> &all, Key key) {
  if (std::ranges::is_sorted(all, {}, key))
    return;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return key(all[i]); });
  std::vector<T> sorted;
  sorted.reserve(all.size());
  for (const std::size_t i : order)
    sorted.push_back(std::move(all[i]));
  all = std::move(sorted);
}

} // namespace

void append(InputReport &input, std::vector<ConditionalSummary> conditionals, std::vector<ConditionalSummary> loops,
            std::vector<Finding> findings, const std::string &prefix) {
  for (auto *all : {&conditionals, &loops})
    for (ConditionalSummary &s : *all) {
      s.input = input.path;
      s.path = prefix + s.path;
      if (!s.inside.empty())
        s.inside = prefix + s.inside;
      (all == &loops ? input.loops : input.summaries).push_back(std::move(s));
    }
  for (Finding &f : findings) {
    f.input = input.path;
    for (std::string *path : {&f.conditional, &f.graphPath})
      if (!path->empty())
        *path = prefix + *path;
    for (Related &r : f.related)
      if (!r.graphPath.empty())
        r.graphPath = prefix + r.graphPath;
    input.findings.push_back(std::move(f));
  }
}

void leaveOutProved(InputReport &input) {
  std::set<std::string, std::less<>> spokenOf;
  for (const std::vector<Finding> *all : {&input.findings, &input.suppressed})
    for (const Finding &f : *all)
      spokenOf.insert(f.conditional);
  for (const ConditionalSummary &s : input.summaries)
    if (std::ranges::any_of(s.verdicts, [](const auto &entry) { return entry.second != Verdict::Proved; }))
      spokenOf.insert(s.path);
  const std::vector<std::size_t> places = conditionalsOf(input);
  std::vector<bool> proved(places.empty() ? 0 : std::ranges::max(places) + 1, false);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!spokenOf.contains(input.summaries[i].path))
      proved[places[i]] = true;
  input.leftOut += static_cast<std::size_t>(std::ranges::count(proved, true));
  std::vector<ConditionalSummary> left; // a vector of its own: the old one's memory is needed for the next input
  for (ConditionalSummary &s : input.summaries)
    if (spokenOf.contains(s.path))
      left.push_back(std::move(s));
  input.summaries = std::move(left);
}

void orderInput(InputReport &input) {
  auto key = [&](const Finding &f) {
    return std::make_tuple(placeOf(f.location), std::string_view(f.graphPath), std::string_view(f.rule),
                           targetRank(input, f.target), std::string_view(f.target), std::string_view(f.conditional),
                           std::string_view(f.message), f.severity, f.verdict, f.places);
  };
  for (std::vector<Finding> *all : {&input.findings, &input.suppressed}) {
    sortBy(*all, key);
    const auto same = std::ranges::unique(*all, [&](const Finding &a, const Finding &b) { return key(a) == key(b); });
    all->erase(same.begin(), same.end());
  }

  for (auto *all : {&input.summaries, &input.loops})
    sortBy(*all, [&](const ConditionalSummary &s) {
      return std::make_tuple(placeOf(s.location), std::string_view(s.path), targetRank(input, s.target),
                             std::string_view(s.target));
    });
}

namespace {

/// What the findings of \p input say of its conditionals, for other sources may hold the same ones and drop theirs.
void judgeConditionals(InputReport &input) {
  std::unordered_map<std::string_view, Verdict> worst;
  for (const std::vector<Finding> *all : {&input.findings, &input.suppressed})
    for (const Finding &f : *all)
      if (f.severity >= Severity::Warning) {
        Verdict &known = worst.try_emplace(f.conditional, Verdict::Proved).first->second;
        known = std::max(known, f.verdict);
      }
  for (ConditionalSummary &s : input.summaries)
    if (const auto found = worst.find(s.path); found != worst.end())
      s.judged = std::max(s.judged, found->second);
}

} // namespace

void mergeUnits(std::vector<InputReport> &inputs) {
  using Place = std::tuple<std::string, std::string, std::uint32_t, std::uint32_t, std::string>;
  std::map<Place, ConditionalSummary *> conditionals, loops;
  std::set<std::pair<std::string, Place>> findings;
  const auto placeOf = [](const std::string &what, const SourceLocation &at, const std::string &target) {
    return Place(what, at.path, at.line, at.column, target);
  };
  // A header that is an input itself says it.
  for (InputReport &input : inputs) {
    if (input.kind != "cxx")
      continue;
    judgeConditionals(input);
    for (ConditionalSummary &s : input.summaries)
      if (s.location.path == input.path)
        conditionals.try_emplace(placeOf(s.path, s.location, s.target), &s);
    for (ConditionalSummary &s : input.loops)
      if (s.location.path == input.path)
        loops.try_emplace(placeOf(s.path, s.location, s.target), &s);
    for (const std::vector<Finding> *all : {&input.findings, &input.suppressed})
      for (const Finding &f : *all)
        if (f.location.path == input.path)
          findings.emplace(f.rule, placeOf(f.conditional, f.location, f.target));
  }
  for (InputReport &input : inputs) {
    if (input.kind != "cxx")
      continue;
    const auto merge = [&](std::vector<ConditionalSummary> &all, std::map<Place, ConditionalSummary *> &first) {
      std::set<std::string> dropped;
      std::erase_if(all, [&](ConditionalSummary &s) {
        if (!s.location.valid() || s.location.path == input.path)
          return false;
        const auto [known, isNew] = first.try_emplace(placeOf(s.path, s.location, s.target), &s);
        if (!isNew) {
          known->second->absorb(s);
          dropped.insert(s.path);
        }
        return !isNew;
      });
      for (ConditionalSummary &s : all)
        if (const auto known = first.find(placeOf(s.path, s.location, s.target)); known != first.end())
          known->second = &s; // erasing has moved it
      return dropped.size();
    };
    input.conditionals -= std::min(input.conditionals, merge(input.summaries, conditionals));
    merge(input.loops, loops);
    for (std::vector<Finding> *all : {&input.findings, &input.suppressed})
      std::erase_if(*all, [&](const Finding &f) {
        return f.location.valid() && f.location.path != input.path &&
               !findings.emplace(f.rule, placeOf(f.conditional, f.location, f.target)).second;
      });
  }
}

void finishInput(InputReport &input) {
  orderInput(input);
  if (input.findings.empty() && input.suppressed.empty())
    return;
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  std::unordered_map<std::string_view, std::string> outputs;
  for (const ConditionalSummary &c : input.summaries)
    outputs.try_emplace(c.path, outputsOf(c));
  std::set<std::string> taken;
  std::unordered_map<std::string, std::size_t> occurrences;
  for (std::vector<Finding> *all : {&input.findings, &input.suppressed})
    for (Finding &f : *all) {
      const std::string path = pathOf(f, input, here);
      // Findings that are alike but for numbers are told apart by their order.
      std::string plain = fingerprintOf(f, path, 0);
      std::size_t &n = occurrences[plain];
      do
        f.fingerprint = n == 0 ? plain : fingerprintOf(f, path, n);
      while (++n, !taken.insert(f.fingerprint).second);
      f.likeness = likenessOf(f, path, outputs[f.conditional]);
    }
}

void finishReport(Report &r) {
  mergeUnits(r.inputs);
  for (InputReport &input : r.inputs)
    finishInput(input);
}

} // namespace condlint

//===- Conditionals.cpp - Conditionals of a report, each once -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Conditionals.h"
#include "Signatures.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>

namespace condlint::lsp {

namespace {

/// The worst that is said of \p c: by findings of warnings and errors, also by those that the user asked not to see,
/// and by rules that are not decided.
void judge(const InputReport &report, Contract &c) {
  const auto say = [&](std::string_view rule, Verdict v) {
    if (v < c.verdict || v == Verdict::Proved)
      return;
    if (v > c.verdict)
      c.rules.clear();
    c.verdict = v;
    if (std::ranges::find(c.rules, rule) == c.rules.end())
      c.rules.push_back(rule);
  };
  for (const ConditionalSummary *s : c.targets)
    for (const auto &[rule, verdict] : s->verdicts)
      if (verdict == Verdict::Unknown)
        say(rule, verdict);
  for (const std::vector<Finding> *all : {&report.findings, &report.suppressed})
    for (const Finding &f : *all)
      if (f.severity >= Severity::Warning && f.conditional == c.first().path)
        say(f.rule, f.verdict);
}

} // namespace

std::vector<Contract> contractsOf(const InputReport &report) {
  std::vector<Contract> out;
  std::map<std::string_view, std::size_t> places;
  for (const ConditionalSummary &s : report.summaries) {
    const auto [at, isNew] = places.try_emplace(s.path, out.size());
    if (isNew)
      out.emplace_back();
    out[at->second].targets.push_back(&s);
  }
  for (Contract &c : out)
    judge(report, c);
  return out;
}

std::string spellVerdict(const Contract &c) {
  constexpr std::size_t most = 3;
  if (c.rules.empty())
    return std::string(verdictName(c.verdict));
  std::vector<std::string_view> told(c.rules.begin(),
                                     c.rules.begin() + static_cast<std::ptrdiff_t>(std::min(most, c.rules.size())));
  return fmt::format("{}: {}{}", verdictName(c.verdict), fmt::join(told, ", "),
                     c.rules.size() > most ? fmt::format(" and {} more", c.rules.size() - most) : "");
}

std::string spellBranch(const ConditionalSummary &c, std::size_t branch) {
  return branch < c.branches.size() ? spell(c, c.branches[branch]) : "?";
}

namespace {

void addPlace(const SourceLocation &place, std::vector<SourceLocation> &out) {
  if (place.valid() && std::ranges::find(out, place) == out.end())
    out.push_back(place);
}

/// The code that \p branch was written as; invalid for one of a network.
SourceLocation codeOf(const ConditionalSummary &c, std::size_t branch) {
  return c.details && branch < c.details->branches.size() ? c.details->branches[branch].location : SourceLocation();
}

std::pair<std::uint32_t, std::uint32_t> endOf(const SourceLocation &l) {
  return l.endLine != 0 ? std::pair(l.endLine, l.endColumn) : std::pair(l.line, l.column);
}

/// Those of \p places that are in the function that adds \p c, where that is known: layers are often added by another
/// one, for several conditionals.
std::vector<SourceLocation> inItsFunction(const ConditionalSummary &c, std::vector<SourceLocation> places) {
  if (c.function.valid())
    std::erase_if(places, [&](const SourceLocation &l) { return !holds(c.function, l); });
  return places;
}

/// All of \p places that are in the file of the first.
SourceLocation spanOf(const std::vector<SourceLocation> &places) {
  SourceLocation out;
  for (const SourceLocation &l : places) {
    if (!out.valid()) {
      out = l;
      std::tie(out.endLine, out.endColumn) = endOf(l);
    }
    if (l.path != out.path)
      continue;
    if (std::tie(l.line, l.column) < std::tie(out.line, out.column))
      std::tie(out.line, out.column) = std::tie(l.line, l.column);
    std::tie(out.endLine, out.endColumn) = std::max(std::pair(out.endLine, out.endColumn), endOf(l));
  }
  return out;
}

} // namespace

std::vector<SourceLocation> placesOf(const ConditionalSummary &c, std::size_t branch) {
  std::vector<SourceLocation> out;
  addPlace(codeOf(c, branch), out);
  if (!out.empty() || branch >= c.branches.size())
    return out;
  for (const ConditionalSummary::Layer &l : c.layers)
    if (l.branch == c.branches[branch].name)
      addPlace(l.location, out);
  return out;
}

std::vector<SourceLocation> targetsOf(const ConditionalSummary &c, std::size_t branch) {
  std::vector<SourceLocation> out;
  addPlace(codeOf(c, branch), out);
  if (!out.empty())
    return out;
  if (c.details && branch < c.details->branches.size())
    for (const ConditionalDetails::Output &o : c.details->branches[branch].outputs)
      addPlace(o.made, out);
  return out.empty() ? placesOf(c, branch) : out;
}

SourceLocation extentOf(const ConditionalSummary &c) {
  if (c.boundary.empty() || !c.location.valid())
    return c.location;
  std::vector<SourceLocation> all{c.location};
  all.insert(all.end(), c.boundary.begin(), c.boundary.end());
  for (const std::size_t branch : {std::size_t{0}, std::size_t{1}})
    for (const SourceLocation &l : placesOf(c, branch))
      all.push_back(l);
  return spanOf(inItsFunction(c, std::move(all)));
}

SourceLocation extentOf(const ConditionalSummary &c, std::size_t branch) {
  if (const SourceLocation code = codeOf(c, branch); code.valid())
    return code;
  const SourceLocation out = spanOf(inItsFunction(c, placesOf(c, branch)));
  const bool isMixed = std::ranges::any_of(placesOf(c, 1 - std::min<std::size_t>(branch, 1)),
                                           [&](const SourceLocation &l) { return holds(out, l); });
  return isMixed ? SourceLocation() : out;
}

bool holds(const SourceLocation &place, const SourceLocation &cursor) {
  if (!place.valid() || place.path != cursor.path)
    return false;
  const std::uint32_t endLine = place.endLine != 0 ? place.endLine : place.line;
  const std::uint32_t endColumn = place.endColumn != 0 ? place.endColumn : UINT32_MAX;
  return std::tie(place.line, place.column) <= std::tie(cursor.line, cursor.column) &&
         std::tie(cursor.line, cursor.column) <= std::tie(endLine, endColumn);
}

bool holdsOnFirstLine(const SourceLocation &place, const SourceLocation &cursor) {
  return cursor.line == place.line && holds(place, cursor);
}

} // namespace condlint::lsp

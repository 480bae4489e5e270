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

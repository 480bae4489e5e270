//===- Features.cpp - What the editor is told of an analysis --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Features.h"
#include "Conditionals.h"
#include "Signatures.h"
#include "condlint/Rule.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace condlint::lsp {

namespace {

Diagnostic::Level levelOf(Severity s) {
  return s == Severity::Error     ? Diagnostic::Level::Error
         : s == Severity::Warning ? Diagnostic::Level::Warning
                                  : Diagnostic::Level::Information;
}

SourceLocation placeIn(const InputReport &report, const SourceLocation &at, const IsOfUser &user = {}) {
  if (at.valid() && (report.kind == "cxx" || !user || user(at.path)))
    return at;
  SourceLocation whole;
  whole.path = report.path;
  return whole;
}

SourceLocation firstLineOf(SourceLocation at) {
  if (at.endLine > at.line) {
    at.endLine = 0;
    at.endColumn = 0;
  }
  return at;
}

/// A model's findings that have no line say where they are in the graph.
std::string messageOf(const Finding &f, const SourceLocation &at) {
  std::string out = f.message;
  if (f.location.valid() && !at.valid())
    out += fmt::format(" (at {}, {})", f.location.str(), f.graphPath);
  else if (!at.valid() && !f.graphPath.empty())
    out += fmt::format(" (at {})", f.graphPath);
  if (!f.help.empty())
    out += "\n" + f.help;
  return out;
}

bool isOfUse(std::string_view rule) { return rule.ends_with("-unused"); }

Diagnostic diagnosticOf(const InputReport &report, const Finding &f, const IsOfUser &user = {}) {
  Diagnostic d;
  // A whole conditional underlined would be more than its line.
  d.at = firstLineOf(placeIn(report, f.location, user));
  d.level = levelOf(f.severity);
  d.rule = f.rule;
  d.message = messageOf(f, d.at);
  d.fingerprint = f.fingerprint;
  d.isUnnecessary = isOfUse(f.rule);
  for (const Related &r : f.related)
    if (r.location.valid() && placeIn(report, r.location, user) == r.location)
      d.related.push_back({r.location, r.message});
  return d;
}

/// What one compiler error, or a missing file, keeps from being found.
std::optional<Diagnostic> ofTheWhole(const InputReport &report) {
  if (report.status == InputStatus::Ok || report.status == InputStatus::Skipped)
    return std::nullopt;
  Diagnostic d;
  d.at = placeIn(report, {});
  d.level = report.status == InputStatus::Failed ? Diagnostic::Level::Warning : Diagnostic::Level::Information;
  d.message =
      (report.status == InputStatus::Failed ? "condlint could not analyse it: " : "condlint analysed a part of it: ") +
      report.reason;
  return d;
}

void addUnknown(const InputReport &report, const IsOfUser &user, std::vector<Diagnostic> &out) {
  for (const Contract &c : contractsOf(report))
    for (const ConditionalSummary *s : c.targets)
      for (const auto &[rule, reason] : s->reasons) {
        Diagnostic d;
        d.at = placeIn(report, s->location, user);
        d.level = Diagnostic::Level::Hint;
        d.rule = rule;
        d.message = fmt::format("not decided: {}", reason);
        out.push_back(std::move(d));
      }
}

bool touches(const SourceLocation &place, const SourceLocation &range) {
  return place.path == range.path && place.line <= range.endLine && std::max(place.line, place.endLine) >= range.line;
}

/// All of it is in the project, and the source compiles: what `--fix` would make as well.
bool isSafe(const InputReport &report, const Fix &fix) {
  if (fix.edits.empty() || report.status != InputStatus::Ok || report.root.empty())
    return false;
  return std::ranges::all_of(fix.edits, [&](const Edit &e) {
    const auto below = std::filesystem::path(e.at.path).lexically_relative(report.root);
    return !below.empty() && *below.begin() != "..";
  });
}

} // namespace

std::string pageOf(std::string_view rule) {
  return fmt::format("{}/blob/v{}/checks/{}.md", CONDLINT_HOMEPAGE, CONDLINT_VERSION, rule);
}

std::vector<Diagnostic> diagnostics(const InputReport &report, bool withUnknown, const IsOfUser &user) {
  std::vector<Diagnostic> out;
  if (std::optional<Diagnostic> whole = ofTheWhole(report))
    out.push_back(std::move(*whole));
  // For several targets the same is said once.
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string, std::string>, std::size_t> said;
  for (const Finding &f : report.findings) {
    Diagnostic d = diagnosticOf(report, f, user);
    const auto [at, isNew] = said.try_emplace({d.at.path, d.at.line, d.at.column, d.rule, d.message}, out.size());
    if (isNew)
      out.push_back(std::move(d));
    else
      out[at->second].level = std::min(out[at->second].level, d.level);
  }
  if (withUnknown)
    addUnknown(report, user, out);
  return out;
}

std::vector<Lens> lenses(const InputReport &report, const std::string &path) {
  std::vector<Lens> out;
  for (const Contract &c : contractsOf(report)) {
    const ConditionalSummary &s = c.first();
    if (!s.location.valid() || s.location.path != path)
      continue;
    out.push_back({firstLineOf(s.location),
                   fmt::format("then {} · else {} · {}", spellBranch(s, 0), spellBranch(s, 1), spellVerdict(c)),
                   s.path});
  }
  return out;
}

std::vector<Hint> hints(const InputReport &report, const std::string &path) {
  std::vector<Hint> out;
  for (const Contract &c : contractsOf(report)) {
    const ConditionalSummary &s = c.first();
    if (!s.location.valid() || s.location.path != path || s.location.endLine == 0 || s.location.endColumn == 0)
      continue;
    const std::string a = spellBranch(s, 0), b = spellBranch(s, 1);
    SourceLocation behind = s.location;
    behind.line = s.location.endLine;
    behind.column = s.location.endColumn;
    out.push_back({behind, a == b ? ": " + a : fmt::format(": {} or {}", a, b),
                   fmt::format("what the branches of {} yield, {}", s.path, s.target)});
  }
  return out;
}

std::vector<Symbol> symbols(const InputReport &report, const std::string &path) {
  std::vector<Symbol> out;
  for (const Contract &c : contractsOf(report)) {
    const ConditionalSummary &s = c.first();
    if (!s.location.valid() || (!path.empty() && s.location.path != path))
      continue;
    Symbol symbol{s.path,
                  fmt::format("then {} · else {} · {}", spellBranch(s, 0), spellBranch(s, 1), spellVerdict(c)),
                  s.location,
                  {}};
    if (s.details)
      for (std::size_t b = 0; b < s.details->branches.size(); ++b) {
        const ConditionalDetails::Branch &branch = s.details->branches[b];
        if (holds(s.location, branch.location))
          symbol.below.push_back({branch.name, spellBranch(s, b), branch.location, {}});
      }
    out.push_back(std::move(symbol));
  }
  return out;
}

std::vector<SourceLocation> folds(const InputReport &report, const std::string &path) {
  std::vector<SourceLocation> out;
  const auto add = [&](const SourceLocation &l) {
    if (l.valid() && l.path == path && l.endLine > l.line && std::ranges::find(out, l) == out.end())
      out.push_back(l);
  };
  for (const ConditionalSummary &s : report.summaries) {
    add(s.location);
    if (s.details)
      for (const ConditionalDetails::Branch &b : s.details->branches)
        add(b.location);
  }
  return out;
}

std::vector<SourceLocation> otherBranch(const InputReport &report, const SourceLocation &cursor) {
  std::vector<SourceLocation> out;
  std::uint32_t innermost = 0;
  for (const ConditionalSummary &s : report.summaries) {
    if (!s.details || s.details->branches.size() != 2)
      continue;
    for (std::size_t b = 0; b < 2; ++b) {
      const SourceLocation &own = s.details->branches[b].location, &other = s.details->branches[1 - b].location;
      if (holds(own, cursor) && other.valid() && own.line >= innermost && !(own == other)) {
        innermost = own.line;
        out = {other};
      }
    }
  }
  if (!out.empty())
    return out;
  for (const ConditionalSummary &s : report.summaries)
    if (s.details && holdsOnFirstLine(s.location, cursor)) {
      for (const ConditionalDetails::Branch &b : s.details->branches)
        if (b.location.valid())
          out.push_back(b.location);
      return out;
    }
  return out;
}

std::vector<Action> actions(const InputReport &report, const SourceLocation &range,
                            const std::function<std::string_view(std::size_t)> &lineOf) {
  std::vector<Action> out;
  std::vector<std::pair<std::uint32_t, std::string>> offered; ///< line and rule
  for (const Finding &f : report.findings) {
    Diagnostic about = diagnosticOf(report, f);
    if (!touches(about.at, range))
      continue;
    if (std::ranges::find(offered, std::pair(about.at.line, f.rule)) != offered.end())
      continue;
    offered.emplace_back(about.at.line, f.rule);
    bool preferred = true;
    for (const Fix &fix : f.fixes)
      if (isSafe(report, fix)) {
        out.push_back({Action::Kind::Fix, fix.description, preferred, fix.edits, about, {}});
        preferred = false;
      }
    if (report.kind == "cxx" && f.location.valid()) {
      const std::string_view line = lineOf(f.location.line);
      const std::string indent(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
      SourceLocation at = f.location;
      at.column = 1;
      out.push_back(
          {Action::Kind::Suppress,
           fmt::format("Suppress {} here, with a reason", f.rule),
           false,
           {Edit::before(at, fmt::format("{}// NOLINTNEXTLINE(condlint-{}): {}\n", indent, f.rule, reasonToWrite))},
           about,
           {}});
    }
    out.push_back({Action::Kind::Explain, fmt::format("Explain {}", f.rule), false, {}, about, {}});
  }
  for (const Contract &c : contractsOf(report))
    if (const ConditionalSummary &s = c.first(); s.location.valid() && touches(firstLineOf(s.location), range))
      out.push_back({Action::Kind::ShowBoth, fmt::format("Show both branches of {}", s.path), false, {}, {}, s.path});
  return out;
}

} // namespace condlint::lsp

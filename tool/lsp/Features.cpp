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
#include <set>
#include <tuple>

namespace condlint::lsp {

namespace {

Diagnostic::Level levelOf(Severity s) {
  return s == Severity::Error     ? Diagnostic::Level::Error
         : s == Severity::Warning ? Diagnostic::Level::Warning
                                  : Diagnostic::Level::Information;
}

SourceLocation placeIn(const InputReport &report, const SourceLocation &at, const IsOfUser &user = {}) {
  if (at.valid() && (report.kind == "cxx" || !user || user(at)))
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

std::vector<Lens> lenses(const InputReport &report, const std::string &path, const IsOfUser &user) {
  std::vector<Lens> out;
  for (const Contract &c : contractsOf(report)) {
    const ConditionalSummary &s = c.first();
    if (!s.location.valid() || s.location.path != path || placeIn(report, s.location, user) != s.location)
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

std::vector<Symbol> symbols(const InputReport &report, const std::string &path, const IsOfUser &user) {
  std::vector<Symbol> out;
  for (const Contract &c : contractsOf(report)) {
    const ConditionalSummary &s = c.first();
    // In a model itself all stands at its beginning.
    const bool isInModel = path == report.path && report.kind != "cxx";
    const SourceLocation at = placeIn(report, isInModel ? SourceLocation() : extentOf(s), user);
    if (!path.empty() && at.path != path)
      continue;
    Symbol symbol{
        s.path, fmt::format("then {} · else {} · {}", spellBranch(s, 0), spellBranch(s, 1), spellVerdict(c)), at, {}};
    for (std::size_t b = 0; b < s.branches.size(); ++b) {
      SourceLocation place = extentOf(s, b);
      if (const std::vector<SourceLocation> all = targetsOf(s, b); !place.valid() && !all.empty())
        place = all.front();
      if (holds(at, place))
        symbol.below.push_back({s.branches[b].name, spellBranch(s, b), place, {}});
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
    add(extentOf(s));
    for (std::size_t b = 0; b < s.branches.size(); ++b)
      add(extentOf(s, b));
  }
  return out;
}

std::vector<SourceLocation> otherBranch(const InputReport &report, const SourceLocation &cursor) {
  std::vector<SourceLocation> out;
  std::uint32_t innermost = 0;
  for (const ConditionalSummary &s : report.summaries) {
    if (s.branches.size() != 2)
      continue;
    for (std::size_t b = 0; b < 2; ++b) {
      const std::vector<SourceLocation> others = targetsOf(s, 1 - b);
      for (const SourceLocation &own : placesOf(s, b))
        if (holds(own, cursor) && !others.empty() && own.line >= innermost &&
            std::ranges::find(others, own) == others.end()) {
          innermost = own.line;
          out = others;
        }
    }
  }
  if (!out.empty())
    return out;
  for (const ConditionalSummary &s : report.summaries) {
    const auto isHere = [&](const SourceLocation &l) { return holdsOnFirstLine(l, cursor); };
    if (!isHere(s.location) && std::ranges::none_of(s.boundary, isHere))
      continue;
    for (std::size_t b = 0; b < s.branches.size(); ++b)
      for (const SourceLocation &l : targetsOf(s, b))
        if (std::ranges::find(out, l) == out.end())
          out.push_back(l);
    return out;
  }
  return out;
}

std::vector<Action> actions(const InputReport &report, const SourceLocation &range, const LineOf &lineOf,
                            const IsOfUser &user) {
  std::vector<Action> out;
  const bool isModel = report.kind != "cxx", isInModel = isModel && range.path == report.path;
  std::vector<std::pair<std::uint32_t, std::string>> offered; ///< line and rule
  std::set<std::string_view> concerned;                       ///< conditionals that are at the lines
  for (const Finding &f : report.findings) {
    Diagnostic about = diagnosticOf(report, f, user);
    // What the editor shows of a model has no lines: all of it is at each of them.
    if (!isInModel && !touches(about.at, range))
      continue;
    concerned.insert(f.conditional);
    const std::uint32_t line = isInModel ? 0 : about.at.line;
    if (std::ranges::find(offered, std::pair(line, f.rule)) != offered.end())
      continue;
    offered.emplace_back(line, f.rule);
    const std::size_t before = out.size();
    bool preferred = true;
    for (const Fix &fix : f.fixes)
      if (isSafe(report, fix)) {
        out.push_back({Action::Kind::Fix, fix.description, preferred, fix.edits, about, {}});
        preferred = false;
      }
    if (!isModel && f.location.valid()) {
      const std::string_view text = lineOf(f.location.line);
      const std::string indent(text.substr(0, std::min(text.find_first_not_of(" \t"), text.size())));
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
    for (std::size_t i = before; i < out.size(); ++i)
      out[i].isElsewhere = about.at.path != range.path;
  }
  // Of many conditionals of a model those come first of which something was found.
  constexpr std::size_t mostShown = 10;
  std::vector<std::string> shown;
  const std::vector<Contract> all = contractsOf(report);
  for (const bool isConcerned : {true, false})
    for (const Contract &c : all) {
      const ConditionalSummary &s = c.first();
      const bool isHere =
          isInModel || (placeIn(report, s.location, user) == s.location && touches(firstLineOf(s.location), range));
      if (concerned.contains(s.path) == isConcerned && (isConcerned || isHere) && shown.size() < mostShown)
        shown.push_back(s.path);
    }
  if (isModel && !shown.empty())
    out.push_back({Action::Kind::RunBoth,
                   fmt::format("Run both branches of the conditionals of {}",
                               std::filesystem::path(report.path).filename().string()),
                   false,
                   {},
                   {},
                   {}});
  for (std::string &path : shown)
    out.push_back({Action::Kind::ShowBoth, fmt::format("Show both branches of {}", path), false, {}, {}, path});
  return out;
}

} // namespace condlint::lsp

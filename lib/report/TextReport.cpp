//===- TextReport.cpp - The report for people -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first line of a finding has the form of a compiler's, so that editors and
// problem matchers find the place; what belongs to it is indented below.
//
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include "RepeatedNotes.h"
#include "SafeText.h"
#include "Tally.h"
#include "condlint/Report.h"
#include "formats/Formats.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

namespace condlint {

namespace {

enum class Style : std::uint8_t { Place, Error, Warning, Note, Help, Faint };

/// Longest list of open questions and of operators that the summary prints.
constexpr std::size_t longestList = 10;

std::string_view escapeOf(Style s) {
  switch (s) {
  case Style::Place:
    return "\x1b[1m";
  case Style::Error:
    return "\x1b[1;31m";
  case Style::Warning:
    return "\x1b[1;35m";
  case Style::Note:
    return "\x1b[1;36m";
  case Style::Help:
    return "\x1b[1;32m";
  case Style::Faint:
    return "\x1b[2m";
  }
  return "";
}

Style styleOf(Severity s) {
  return s == Severity::Error ? Style::Error : s == Severity::Warning ? Style::Warning : Style::Note;
}

std::string counted(std::size_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

/// The conditionals and loops of \p input.
std::vector<std::reference_wrapper<const ConditionalSummary>> constructsOf(const InputReport &input) {
  std::vector<std::reference_wrapper<const ConditionalSummary>> all(input.summaries.begin(), input.summaries.end());
  all.insert(all.end(), input.loops.begin(), input.loops.end());
  return all;
}

/// Adds to \p lines one for each conditional, or loop, of \p input and reason for which rules are open; stops when
/// there is one more than the summary prints.
void addOpenQuestions(const InputReport &input, std::vector<std::string> &lines) {
  for (const ConditionalSummary &c : constructsOf(input)) {
    if (lines.size() > longestList)
      return;
    std::map<std::string_view, std::string> rulesByReason;
    for (const auto &[rule, verdict] : c.verdicts) {
      if (verdict != Verdict::Unknown)
        continue;
      auto reason = c.reasons.find(rule);
      std::string &rules = rulesByReason[reason == c.reasons.end() ? std::string_view() : reason->second];
      rules += (rules.empty() ? "" : ", ") + std::string(rule);
    }
    for (const auto &[reason, rules] : rulesByReason) {
      std::string line = fmt::format("{}: {}: not decided: {}{}{}", safeText(input.path), safeText(c.path), rules,
                                     reason.empty() ? "" : ": ", safeText(reason));
      // Several targets leave the same open.
      if (lines.size() <= longestList && std::find(lines.begin(), lines.end(), line) == lines.end())
        lines.push_back(std::move(line));
    }
  }
}

class TextWriter {
public:
  TextWriter(ColorMode color, bool onlyLines) : colored(color == ColorMode::Always), quiet(onlyLines) {}

  std::string text() { return std::move(out); }

  void writeFindings(const InputReport &input) {
    for (const FindingGroup &g : groupByTarget(input.findings))
      if (!quiet || g.severity >= leastShown(input.failOn))
        writeFinding(input, g);
  }

  void writeNote(const RepeatedNotes::Line &note) {
    write("{}: {}: {}{}\n", styled(Style::Place, safeText(note.path)), styled(Style::Note, "note"), safeText(note.text),
          note.repeated());
  }

  void writeFailure(const InputReport &input) {
    if (input.status != InputStatus::Ok)
      write("{}: {}: {}\n", styled(Style::Place, safeText(input.path)),
            styled(input.status == InputStatus::Failed ? Style::Error : Style::Warning, statusName(input.status)),
            safeText(input.reason));
  }

private:
  /// When it is quiet, what fails the run is shown.
  static Severity leastShown(Severity failOn) {
    return failOn == Severity::Off ? Severity::Warning : std::min(failOn, Severity::Warning);
  }

  template <class... Args> void write(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  }

  std::string styled(Style s, std::string_view text) const {
    return colored ? fmt::format("{}{}\x1b[0m", escapeOf(s), text) : std::string(text);
  }

  /// "model.py:12:3" where the user's line is recorded, else the input with the
  /// place in its graph.
  std::string placeOf(const InputReport &input, const Finding &f) const {
    if (f.location.valid())
      return safeText(f.location.str());
    std::string place = safeText(input.path);
    if (!f.graphPath.empty())
      place += ": " + safeText(f.graphPath);
    return place;
  }

  void writeFinding(const InputReport &input, const FindingGroup &g) {
    const Finding &f = *g.finding;
    // Of a line of Python one must know which model was made there.
    const bool namesInput = quiet && f.location.valid() && f.location.path != input.path;
    write("{}: {}: {}{} [{}]\n", styled(Style::Place, placeOf(input, f)),
          styled(styleOf(g.severity), severityName(g.severity)), safeText(f.message),
          namesInput ? ", in " + safeText(input.path) : "", f.rule);
    if (quiet)
      return;
    if (f.location.valid())
      write("    in {}{}{}\n", safeText(input.path), f.graphPath.empty() ? "" : ": ", safeText(f.graphPath));
    for (const Related &r : f.related)
      writeRelated(r);
    if (!f.witness.empty())
      writeWitness(f.witness);
    if (!f.help.empty())
      write("    {}: {}\n", styled(Style::Help, "help"), safeText(f.help));
    for (const Fix &fix : f.fixes)
      if (fix.description != f.help)
        write("    {}: {}\n", styled(Style::Help, fix.edits.empty() ? "help" : "fix"), safeText(fix.description));
    writeTargets(g);
  }

  void writeRelated(const Related &r) {
    std::string place;
    if (r.location.valid())
      place = safeText(r.location.str());
    else
      place = safeText(r.graphPath);
    write("    {}{}{}: {}", place, place.empty() ? "" : ": ", styled(Style::Note, "note"), safeText(r.message));
    if (r.location.valid() && !r.graphPath.empty())
      write(" ({})", safeText(r.graphPath));
    out += '\n';
  }

  void writeWitness(const Assignment &witness) {
    write("    {}: ", styled(Style::Note, "for example"));
    for (std::size_t i = 0; i < witness.size(); ++i)
      write("{}{} = {}", i == 0 ? "" : ", ", safeText(witness[i].first), witness[i].second);
    out += '\n';
  }

  void writeTargets(const FindingGroup &g) {
    const std::string list = safeText(g.targets());
    if (!list.empty())
      write("    {}\n",
            styled(Style::Faint, fmt::format("{}: {}", g.members.size() == 1 ? "target" : "targets", list)));
  }

  std::string out;
  bool colored;
  bool quiet;
};

/// The report for people: findings at once; what is known of all inputs, and what is not for each, at the end.
class TextStream : public ReportStream {
public:
  TextStream(ColorMode c, bool onlyLines) : color(c), quiet(onlyLines) {}

  std::string partOf(const InputReport &input) const override {
    if (input.findings.empty())
      return {};
    TextWriter writer(color, quiet);
    writer.writeFindings(input);
    return writer.text();
  }

  void remember(const InputReport &input) override {
    TextWriter failure(color, quiet);
    failure.writeFailure(input);
    failures += failure.text();
    if (quiet)
      return;
    notes.add(input);
    addOpenQuestions(input, questions);
    totals.add(input);
    for (const std::string &t : input.targets)
      if (std::find(targets.begin(), targets.end(), t) == targets.end())
        targets.push_back(t);
    for (const Finding &f : input.suppressed)
      ++(f.suppressedBy == "baseline" ? baselined : f.suppressedBy == "diff" ? unchanged : suppressed);
    // Of graphs a fix is a sentence, without edits that could be made.
    if (!input.findings.empty())
      for (const FindingGroup &g : groupByTarget(input.findings))
        fixable += std::ranges::any_of(g.finding->fixes, [](const Fix &f) { return !f.edits.empty(); }) ? 1U : 0U;
  }

  std::string end(const RunEnd & /*run*/) const override {
    if (quiet)
      return failures;
    std::string out = totals.errors + totals.warnings + totals.notes != 0 ? "\n" : "";
    TextWriter writer(color, quiet);
    for (const RepeatedNotes::Line &note : notes.lines())
      writer.writeNote(note);
    return out + writer.text() + openQuestions() + untypedOperators() + failures + counts();
  }

private:
  /// What no rule could decide, with the reasons: silence would look like proof.
  std::string openQuestions() const {
    std::string out;
    for (std::size_t i = 0; i < std::min(questions.size(), longestList); ++i)
      out += questions[i] + '\n';
    return out + (questions.size() > longestList ? "(further open rules are in the JSON report: --output json)\n" : "");
  }

  std::string untypedOperators() const {
    if (totals.untypedOperators.empty())
      return {};
    // The most frequent first: those are worth a definition.
    std::vector<std::pair<std::string, std::size_t>> order(totals.untypedOperators.begin(),
                                                           totals.untypedOperators.end());
    std::sort(order.begin(), order.end(),
              [](const auto &a, const auto &b) { return std::tie(b.second, a.first) < std::tie(a.second, b.first); });
    std::string out = "operators without type inference: ";
    for (std::size_t i = 0; i < std::min(order.size(), longestList); ++i)
      out += fmt::format("{}{} ({})", i == 0 ? "" : ", ", safeText(order[i].first), order[i].second);
    if (order.size() > longestList)
      out += fmt::format(" and {} more", order.size() - longestList);
    return out + '\n';
  }

  std::string counts() const {
    const ConditionalTally &c = totals.conditionals;
    std::string out = fmt::format("{} in {}", counted(c.total, "conditional"), counted(totals.inputs.total, "input"));
    if (!targets.empty())
      out += fmt::format(" ({})", fmt::join(targets, ", "));
    if (c.total != 0)
      out +=
          fmt::format(": {} proved, {} violated, {} possible, {} unknown", c.proved, c.violated, c.possible, c.unknown);
    out += fmt::format("; {}, {}, {}", counted(totals.errors, "error"), counted(totals.warnings, "warning"),
                       counted(totals.notes, "note"));
    if (suppressed != 0)
      out += fmt::format("; {} suppressed", suppressed);
    if (baselined != 0)
      out += fmt::format("; {} in the baseline", baselined);
    if (unchanged != 0)
      out += fmt::format("; {} not on changed lines", unchanged);
    if (fixable != 0)
      out += fmt::format("; {} can be fixed with --fix", fixable);
    for (auto [count, status] :
         {std::pair(totals.inputs.partial, InputStatus::Partial), std::pair(totals.inputs.failed, InputStatus::Failed),
          std::pair(totals.inputs.skipped, InputStatus::Skipped)})
      if (count != 0)
        out += fmt::format("; {} {}", counted(count, "input"), statusName(status));
    return out + '\n';
  }

  ColorMode color;
  bool quiet;
  ReportTotals totals;
  std::size_t suppressed = 0, baselined = 0, unchanged = 0, fixable = 0;
  std::vector<std::string> targets; ///< in the order in which they were met
  std::vector<std::string> questions;
  RepeatedNotes notes;
  std::string failures;
};

} // namespace

std::unique_ptr<ReportStream> formats::openText(const RenderOptions &options) {
  return std::make_unique<TextStream>(options.color, options.quiet);
}

std::string renderText(const Report &r, ColorMode color, bool quiet) {
  return formats::streamed(std::make_unique<TextStream>(color, quiet), r);
}

} // namespace condlint

//===- ShowCommand.cpp - condlint show ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShowCommand.h"
#include "ExitCode.h"
#include "SourcePlace.h"
#include "config/UnknownWord.h"
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace condlint {

namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string &path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : whole.string();
}

/// Those that "FILE:LINE" or "FILE:LINE:COLUMN" names.
std::set<std::string> conditionalsOnLine(const InputReport &input, const std::string &at) {
  const std::optional<SourcePlace> place = sourcePlaceOf(at);
  if (!place)
    return {};
  const std::uint32_t line = place->line;
  const std::string file = absolute(place->path);
  std::set<std::string> begun, around;
  std::uint32_t nearest = 0;
  for (const ConditionalSummary &s : input.summaries) {
    const SourceLocation &l = s.location;
    if (!l.valid() || l.line > line || std::max(l.line, l.endLine) < line || absolute(l.path) != file)
      continue;
    if (l.line == line && (place->column == 0 || l.column == place->column))
      begun.insert(s.path);
    if (l.line < nearest)
      continue;
    if (l.line > nearest)
      around.clear();
    nearest = l.line;
    around.insert(s.path);
  }
  return begun.empty() ? around : begun;
}

/// The paths of the conditionals that \p at means: the one of this path, else the innermost one around what has this
/// path, else those on this line of a file, however it is spelled, or the innermost one around the line.
std::set<std::string> conditionalsAt(const InputReport &input, const std::string &at) {
  std::string innermost;
  for (const Drawing &d : input.drawings) {
    if (d.path == at)
      return {at};
    if (d.path.size() > innermost.size() && at.starts_with(d.path + '/'))
      innermost = d.path;
  }
  if (!innermost.empty())
    return {innermost};
  return conditionalsOnLine(input, at);
}

/// Leaves in \p input what belongs to the conditionals \p wanted.
void keepOnly(InputReport &input, const std::set<std::string> &wanted) {
  std::erase_if(input.drawings, [&](const Drawing &d) { return !wanted.contains(d.path); });
  std::erase_if(input.summaries, [&](const ConditionalSummary &s) { return !wanted.contains(s.path); });
  std::erase_if(input.findings, [&](const Finding &f) { return !wanted.contains(f.conditional); });
  input.conditionals = wanted.size();
}

std::string nothingAt(const Report &report, const std::string &model, const std::string &at) {
  std::vector<std::string_view> known;
  constexpr std::size_t most = 12;
  for (const InputReport &input : report.inputs)
    for (const Drawing &d : input.drawings)
      if (known.size() < most)
        known.push_back(d.path);
  return fmt::format("{}: {}", model, unknownWord("conditional", at, known));
}

bool isUnread(const InputReport &input) {
  return input.status == InputStatus::Failed || input.status == InputStatus::Skipped;
}

std::size_t drawingsOf(const Report &report) {
  std::size_t n = 0;
  for (const InputReport &input : report.inputs)
    n += input.drawings.size();
  return n;
}

/// Leaves in \p report what belongs to the conditionals that \p at means. False where there is none.
bool keepAt(Report &report, const std::string &at) {
  bool any = false;
  std::vector<std::set<std::string>> wanted;
  for (const InputReport &input : report.inputs)
    any |= !wanted.emplace_back(conditionalsAt(input, at)).empty();
  if (!any)
    return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    keepOnly(report.inputs[i], wanted[i]);
  std::erase_if(report.inputs, [](const InputReport &input) { return input.drawings.empty(); });
  return true;
}

} // namespace

int runShow(ShowArguments arguments) {
  std::error_code error;
  if (fs::is_directory(arguments.model, error)) {
    complain(
        fmt::format("{}: is a folder; 'show' draws one model ('check --output html=FILE' draws what is wrong in many)",
                    arguments.model));
    return Usage;
  }
  arguments.check.inputs = {arguments.model};
  arguments.check.quiet = true;
  arguments.check.drawing.which = DrawingLimits::Which::All;
  OutputRequest page{findReportFormat("html"), arguments.save};
  if (page.file.empty())
    page.file = (arguments.model == "-" ? "condlint" : fs::path(arguments.model).filename().string()) + ".html";
  if (page.file == "-")
    page.file.clear();
  if (const auto lost = overwritten(filesOf({page}), {arguments.model})) {
    complain(lost->str());
    return Usage;
  }
  Report report;
  if (const std::optional<int> end = analyseInputs(arguments.check, report))
    return *end;
  for (const InputReport &input : report.inputs) // an archive holds several
    if (isUnread(input))
      complainAbout(input);
  if (std::ranges::all_of(report.inputs, isUnread))
    return Unanalysed;
  const int code = std::ranges::any_of(report.inputs, isUnread) ? Unanalysed : Clean;
  if (drawingsOf(report) == 0) {
    complain(fmt::format("{}: holds no conditional: there is nothing to draw", arguments.model));
    return Usage;
  }
  if (!arguments.at.empty() && !keepAt(report, arguments.at)) {
    complain(nothingAt(report, arguments.model, arguments.at));
    return Usage;
  }
  if (!writeOutput(page, page.format->render(report, renderOptions(page, ColorChoice::Never, false))))
    return Usage;
  const std::size_t n = drawingsOf(report);
  if (!page.toStandardOutput() &&
      !writeStandardOutput(fmt::format("{}: {} conditional{}\n", page.file, n, n == 1 ? "" : "s")))
    return Usage;
  return code;
}

} // namespace condlint

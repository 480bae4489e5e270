//===- ShowCommand.cpp - condlint show ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShowCommand.h"
#include "ExitCode.h"
#include "config/UnknownWord.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace condlint {

namespace {

namespace fs = std::filesystem;

/// The paths of the conditionals that \p at means: the one of this path, else the innermost one around what has this
/// path, else those on this line.
std::set<std::string> conditionalsAt(const InputReport &input, const std::string &at) {
  std::set<std::string> onLine;
  std::string innermost;
  for (const Drawing &d : input.drawings) {
    if (d.path == at)
      return {at};
    if (d.path.size() > innermost.size() && at.starts_with(d.path + '/'))
      innermost = d.path;
  }
  if (!innermost.empty())
    return {innermost};
  for (const ConditionalSummary &s : input.summaries)
    if (s.location.valid() && (s.location.str() == at || fmt::format("{}:{}", s.location.path, s.location.line) == at))
      onLine.insert(s.path);
  return onLine;
}

/// Leaves in \p input what belongs to the conditionals \p wanted.
void keepOnly(InputReport &input, const std::set<std::string> &wanted) {
  std::erase_if(input.drawings, [&](const Drawing &d) { return !wanted.contains(d.path); });
  std::erase_if(input.summaries, [&](const ConditionalSummary &s) { return !wanted.contains(s.path); });
  std::erase_if(input.findings, [&](const Finding &f) { return !wanted.contains(f.conditional); });
  input.conditionals = wanted.size();
}

std::string nothingAt(const InputReport &input, const std::string &at) {
  std::vector<std::string_view> known;
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < std::min(most, input.drawings.size()); ++i)
    known.push_back(input.drawings[i].path);
  return fmt::format("{}: {}", input.path, unknownWord("conditional", at, known));
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
  InputReport &input = report.inputs.front();
  if (input.status == InputStatus::Failed || input.status == InputStatus::Skipped) {
    complainAbout(input);
    return Unanalysed;
  }
  if (input.drawings.empty()) {
    complain(fmt::format("{}: holds no conditional: there is nothing to draw", input.path));
    return Usage;
  }
  if (!arguments.at.empty()) {
    const std::set<std::string> wanted = conditionalsAt(input, arguments.at);
    if (wanted.empty()) {
      complain(nothingAt(input, arguments.at));
      return Usage;
    }
    keepOnly(input, wanted);
  }
  if (!writeOutput(page, page.format->render(report, renderOptions(page, ColorChoice::Never, false))))
    return Usage;
  const std::size_t n = input.drawings.size();
  if (!page.toStandardOutput() &&
      !writeStandardOutput(fmt::format("{}: {} conditional{}\n", page.file, n, n == 1 ? "" : "s")))
    return Usage;
  return Clean;
}

} // namespace condlint

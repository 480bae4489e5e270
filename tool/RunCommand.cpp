//===- RunCommand.cpp - condlint run --------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunCommand.h"
#include "ExitCode.h"
#include "Inputs.h"
#include "RunModel.h"
#include <charconv>
#include <fmt/format.h>
#include <new>

namespace condlint {

namespace {

int complainAbout(const Error &e, int code) {
  complain(e.str());
  return code;
}

/// Writes every report asked for and returns the exit code.
int writeReports(const RunOutcome &outcome, const RunArguments &a) {
  int code = outcome.report.exitCode;
  if (outcome.error && code == Usage)
    return complainAbout(*outcome.error, Usage);
  bool isSaid = false;
  for (const OutputRequest &request : a.outputs) {
    if (outcome.error && request.isText())
      continue;
    if (!writeOutput(request, rendered(outcome, *request.format, renderOptions(request, a.color, a.quiet), a)))
      code = Usage;
    isSaid = isSaid || ((outcome.error || request.format->forPeople) && request.toStandardOutput());
  }
  // A failure is told to the person at the terminal even when the report goes to a program.
  if (outcome.error && !isSaid)
    complain(outcome.error->str());
  else if (const InputReport &input = outcome.report.inputs.front(); !isSaid && input.status != InputStatus::Ok)
    complainAbout(input);
  return code;
}

} // namespace

void printTrace(const TraceEntry &e) {
  std::string results;
  for (const std::string &r : e.results)
    results += (results.empty() ? "" : ", ") + r;
  const std::string time = e.inGraph ? "in the graph" : fmt::format("{:10.1f} us", e.microseconds);
  fmt::print(stderr, "{}  {}{}  {}\n", time, e.path, e.onHost ? " (on the host)" : "", results);
}

std::optional<std::uint64_t> parseBytes(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || n == 0)
    return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.ends_with("iB"))
    unit.remove_suffix(2);
  else if (unit.ends_with("B"))
    unit.remove_suffix(1);
  unsigned shift = 0;
  if (unit == "K" || unit == "k")
    shift = 10;
  else if (unit == "M")
    shift = 20;
  else if (unit == "G")
    shift = 30;
  else if (unit == "T")
    shift = 40;
  else if (!unit.empty())
    return std::nullopt;
  if (n > (UINT64_MAX >> shift))
    return std::nullopt;
  return n << shift;
}

int runModel(const RunArguments &arguments) {
  try {
    if (auto problem = deviceProblem(arguments.device)) {
      complain(*problem);
      return Usage;
    }
    std::vector<std::string> written = filesOf(arguments.outputs);
    written.push_back(arguments.save);
    if (const auto error = overwritten(written, {arguments.model, arguments.inputs, arguments.expect}))
      return complainAbout(*error, Usage);
    Expected<std::vector<Model>> models = readInput(arguments.model);
    return writeReports(runOne(models, arguments), arguments);
  } catch (const std::bad_alloc &) {
    complain(arguments.model + ": there is not enough memory to run it");
    return Unanalysed;
  }
}

} // namespace condlint

//===- ReportOutputs.cpp - A report on its way to its files ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportOutputs.h"
#include <fmt/format.h>
#include <utility>

namespace condlint {

namespace {

/// \p input without what formats that pass over clean inputs do not tell.
InputReport withoutSummaries(const InputReport &input) {
  InputReport out;
  out.path = input.path;
  out.kind = input.kind;
  out.status = input.status;
  out.reason = input.reason;
  out.notes = input.notes;
  out.targets = input.targets;
  out.failOn = input.failOn;
  out.findings = input.findings;
  out.suppressed = input.suppressed;
  return out;
}

bool isClean(const InputReport &input) {
  return input.status == InputStatus::Ok && input.notes.empty() && input.findings.empty() && input.suppressed.empty();
}

} // namespace

ReportOutputs::ReportOutputs(const std::vector<OutputRequest> &requests, ColorChoice color, bool onlyWhatIsWrong)
    : quiet(onlyWhatIsWrong) {
  for (const OutputRequest &request : requests) {
    const ReportFormat &format = *request.format;
    Output output{&request, renderOptions(request, color, quiet), nullptr, nullptr};
    if (format.open != nullptr) {
      output.stream = format.open(output.options);
      output.making = std::make_unique<OutputInMaking>(request);
      output.works = output.making->write(output.stream->begin());
    }
    needsWhole |= format.open == nullptr && !format.passesOverClean;
    needsSpokenOf |= format.open == nullptr && format.passesOverClean;
    shownToPeople |= format.forPeople && request.toStandardOutput();
    outputs.push_back(std::move(output));
  }
}

std::vector<std::string> ReportOutputs::prepare(const InputReport &input) const {
  std::vector<std::string> parts;
  for (const Output &output : outputs)
    parts.push_back(output.stream ? output.stream->partOf(input) : std::string());
  return parts;
}

/// What the person at the terminal is told whatever becomes of the report: a failure even when it goes to a program.
void ReportOutputs::tell(const InputReport &input) {
  if (shownToPeople)
    return;
  if (!quiet)
    untold += notes.add(input);
  if (input.status == InputStatus::Ok)
    return;
  if (failures.size() < mostTold)
    failures.push_back(fmt::format("{}: {}: {}", input.path, statusName(input.status), input.reason));
  else
    ++untold;
}

void ReportOutputs::take(InputReport &&input, const std::vector<std::string> &parts) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (Output &output = outputs[i]; output.stream) {
      output.works = output.making->write(parts[i]);
      output.stream->remember(input);
    }
  tell(input);
  if (needsSpokenOf && !isClean(input))
    spokenOf.inputs.push_back(withoutSummaries(input));
  if (needsWhole)
    whole.inputs.push_back(std::move(input));
}

std::optional<int> ReportOutputs::failed() const {
  for (const Output &output : outputs)
    if (!output.works)
      return Usage;
  return std::nullopt;
}

void ReportOutputs::abandon() { outputs.clear(); }

int ReportOutputs::finish(const RunEnd &run) {
  whole.exitCode = spokenOf.exitCode = run.exitCode;
  whole.shard = run.shard;
  int code = run.exitCode;
  for (Output &output : outputs) {
    const ReportFormat &format = *output.request->format;
    if (output.stream)
      output.works = output.making->write(output.stream->end(run)) && output.making->keep();
    else
      output.works =
          writeOutput(*output.request, format.render(format.passesOverClean ? spokenOf : whole, output.options));
    if (!output.works)
      code = Usage;
  }
  for (const RepeatedNotes::Line &note : notes.lines())
    complain(fmt::format("{}: note: {}{}", note.path, note.text, note.repeated()));
  for (const std::string &line : failures)
    complain(line);
  if (untold != 0)
    complain(fmt::format("{} more of such lines are in the report alone", untold));
  return code;
}

} // namespace condlint

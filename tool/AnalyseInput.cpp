//===- AnalyseInput.cpp - From one file to its part of the report ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyseInput.h"
#include "ExitCode.h"
#include "condlint/Reader.h"
#include "config/CheckModels.h"
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <set>

namespace condlint {

namespace {

/// Why \p e happened, without the name of the file, which the report shows.
std::string reasonOf(const Error &e, const std::string &path) {
  Error reason = e;
  if (reason.file == path)
    reason.file.clear();
  return reason.str();
}

/// No rule of \p target is decided on graphs.
bool isOfSourceAlone(const Target &target) { return target.system == System::NnScaler; }

/// What somebody should know who asks about a model of a kind that \p target does not run; empty where it does, by
/// whatever way.
std::string kindCaution(const Model &m, const Target &target) {
  const System s = target.system;
  const bool runsPrograms = s == System::Torch || s == System::Aoti || s == System::ExecuTorch;
  const bool runsOnnx = s == System::Onnx || s == System::OnnxRuntime || s == System::OpenVino;
  if (m.info.dialect == Dialect::Torch && runsOnnx)
    return target.str() +
           " is asked about an exported program: what is said holds for an ONNX model with the same conditionals";
  if (m.info.dialect == Dialect::Onnx && runsPrograms)
    return target.str() +
           " is asked about an ONNX model: what is said holds for an exported program with the same conditionals";
  return {};
}

void addNote(std::string note, InputReport &report) {
  if (!note.empty() && std::ranges::find(report.notes, note) == report.notes.end())
    report.notes.push_back(std::move(note));
}

/// The files beside an ONNX model whose sizes were looked at.
void addExternalFiles(const std::vector<Model> &models, InputReport &report) {
  std::set<std::string> paths;
  for (const Model &m : models)
    for (std::size_t i = 0; m.info.format == Format::Onnx && i < m.constantCount(); ++i)
      if (const StringId file = m[ConstantId(static_cast<std::uint32_t>(i))].file)
        paths.insert((std::filesystem::path(report.path).parent_path() / m.strings.view(file)).string());
  for (const std::string &path : paths)
    report.dependencies.push_back({path, InputDependency::State::Size});
}

void analyseGraphs(const ReadModels &read, const CheckSettings &settings, InputReport &report) {
  if (!settings.targets.empty() && std::ranges::all_of(settings.targets, isOfSourceAlone)) {
    report.status = InputStatus::Skipped;
    report.reason = "a serialized graph, but nnscaler's rules are decided on the C++ source of a module that is traced";
    return;
  }
  Expected<std::vector<Model>> models = read();
  if (!models) {
    report.status = InputStatus::Failed;
    report.reason = reasonOf(models.error(), report.path);
    return;
  }
  if (report.kind.empty() && !models->empty())
    report.kind = formatName(models->front().info.format);
  if (settings.cxx.recordsFiles)
    addExternalFiles(*models, report);
  for (Model &model : *models) {
    declareOperators(model, settings.operators);
    const std::vector<Target> own{defaultTarget(model)};
    if (settings.targets.empty())
      addNote(versionCaution(own.front()), report);
    for (const Target &target : settings.targets)
      addNote(kindCaution(model, target), report);
    checkModel(model, settings.targets.empty() ? own : settings.targets, settings.rules,
               models->size() > 1 ? model.info.name + '/' : std::string(), report);
    model = Model(); // its memory is needed for the next
  }
}

/// What \p analyse makes of the input \p path, whatever happens.
template <class Analyse>
InputOutcome outcomeOf(const std::string &path, const std::string &kind, const CheckSettings &settings,
                       const Analyse &analyse) {
  InputOutcome outcome;
  InputReport &report = outcome.report;
  report.path = path;
  report.kind = kind;
  report.failOn = settings.failOn;
  report.drawing = settings.drawing;
  try {
    analyse(report);
    if (report.status == InputStatus::Ok || report.status == InputStatus::Partial)
      for (const Target &target : settings.targets)
        addNote(versionCaution(target), report);
    if (settings.leavesOutProved && report.kind != "cxx")
      leaveOutProved(report);
    orderInput(report);
    return outcome;
  } catch (const std::bad_alloc &) {
    report.reason = "there is not enough memory to analyse it";
  } catch (const std::exception &e) {
    report.reason = std::string("internal error: ") + e.what();
    outcome.internalError = true;
  }
  report.status = InputStatus::Failed;
  report.findings.clear();
  report.suppressed.clear();
  report.summaries.clear();
  report.loops.clear();
  report.drawings.clear();
  report.leftOut = 0;
  report.conditionals = 0;
  return outcome;
}

} // namespace

CheckSettings settingsOf(const Config &config) {
  CheckSettings settings;
  settings.targets = config.targets.value_or(std::vector<Target>());
  settings.failOn = config.failOn.value_or(Severity::Error);
  settings.rules = config.rules();
  settings.cxx.condFunctions = config.condFunctions;
  settings.operators = std::make_shared<const OperatorDeclarations>(config.operators);
  settings.configFile = config.path;
  settings.suppress = config.suppress;
  return settings;
}

bool choosesNothing(const RuleOptions &rules) {
  return !rules.select.empty() &&
         std::ranges::all_of(rules.select, [&](const std::string &id) { return rules.ignore.contains(id); });
}

InputOutcome analyseInput(const std::string &path, const CheckSettings &settings) {
  return outcomeOf(path, kindOfPath(path), settings, [&](InputReport &report) {
    if (isCxxSource(path))
      analyseCxx(settings, report);
    else
      analyseGraphs([&] { return readInput(path); }, settings, report);
  });
}

InputOutcome analyseInput(const InputFile &file, const CheckSettings &settings) {
  if (file.problem.empty() && !file.bytes)
    return analyseInput(file.path, settings);
  if (file.problem.empty()) {
    const std::string kind = kindOfPath(file.path);
    return outcomeOf(file.path, kind, settings, [&](InputReport &report) {
      analyseGraphs([&] { return readBytes(file.bytes, kind, file.path); }, settings, report);
    });
  }
  InputOutcome outcome;
  outcome.report.path = file.path;
  outcome.report.status = InputStatus::Failed;
  outcome.report.reason = file.problem;
  return outcome;
}

InputOutcome analyseInput(const std::string &path, const ReadModels &read, const CheckSettings &settings) {
  return outcomeOf(path, {}, settings, [&](InputReport &report) { analyseGraphs(read, settings, report); });
}

void RunVerdict::add(const InputReport &input, bool allowPartial) {
  const bool isPartial = input.status == InputStatus::Partial;
  unanalysed |= isPartial ? !allowPartial : input.status != InputStatus::Ok;
  found |= input.failOn != Severity::Off &&
           std::ranges::any_of(input.findings, [&](const Finding &f) { return f.severity >= input.failOn; });
}

int RunVerdict::exitCode() const {
  return internalError ? Internal : unanalysed ? Unanalysed : found ? Findings : Clean;
}

int exitCodeOf(const Report &report, bool internalError, bool allowPartial) {
  RunVerdict verdict{internalError, false, false};
  for (const InputReport &input : report.inputs)
    verdict.add(input, allowPartial);
  return verdict.exitCode();
}

} // namespace condlint

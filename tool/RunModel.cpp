//===- RunModel.cpp - From a model to what running it came to -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
#include "RunModel.h"
#include "ExitCode.h"
#include "Inputs.h"
#include "condlint/Conditional.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include "report/drawing/DrawConditional.h"
#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

namespace fs = std::filesystem;

/// The arrays of an .npz, or of a folder of KIND_0.pb, KIND_1.pb, …, whose values have
/// the types of \p ports.
Expected<std::vector<Array>> readArrays(const std::string &path, std::string_view kind, std::string_view shortName,
                                        std::span<const Executor::Port> ports, const Model &m) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return readNpz(path);
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::string file = (fs::path(path) / fmt::format("{}_{}.pb", kind, i)).string();
    if (!fs::exists(file, error))
      continue;
    auto value = readOnnxValue(file, &m.types[ports[i].type], m.types);
    if (!value)
      return value.error();
    value->name = fmt::format("{}{}", shortName, i);
    arrays.push_back(std::move(*value));
  }
  if (arrays.empty() && !ports.empty())
    return Error{path, {}, fmt::format("holds no {}_0.pb", kind), {}};
  return arrays;
}

std::string preview(const Array &a) {
  std::string text(a.kind == ValueKind::Tensor ? dtypeName(a.dtype) : kindName(a.kind));
  if (a.kind == ValueKind::None)
    return text;
  if (a.kind != ValueKind::Tensor)
    return fmt::format("{} of {}", text, a.items.size());
  text += '[';
  for (std::size_t i = 0; i < a.shape.size(); ++i)
    text += (i != 0 ? ", " : "") + std::to_string(a.shape[i]);
  return text + ']';
}

/// How far what differs may differ.
struct Tolerance {
  double relative, absolute;
};

/// What results of one computation may differ by that two programs round in other places: some units in the last place
/// of elements of the type \p t, and of sums of a few of them.
Tolerance toleranceOf(DType t) {
  switch (t) {
  case DType::Float16:
    return {2e-3, 1e-3};
  case DType::BFloat16:
    return {1.6e-2, 1e-2};
  case DType::Float8E4M3FN:
  case DType::Float8E4M3FNUZ:
    return {0.125, 0.02};
  case DType::Float8E5M2:
  case DType::Float8E5M2FNUZ:
    return {0.25, 0.02};
  default: // what is no fraction is computed exactly
    return isFloating(t) || isComplex(t) ? Tolerance{1e-4, 1e-5} : Tolerance{0, 0};
  }
}

/// How the outputs differ from what is expected; one line each.
std::vector<std::string> differences(const std::vector<Array> &got, const std::vector<Array> &wanted,
                                     std::span<const Executor::Port> ports, const RunArguments &a) {
  std::vector<std::string> lines;
  std::vector<bool> compared(got.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const std::string &name = wanted[k].name;
    std::size_t i = got.size();
    for (std::size_t p = 0; p < ports.size(); ++p)
      if (ports[p].name == name && !name.empty())
        i = p;
    if (i == got.size() && name.starts_with("out"))
      std::from_chars(name.data() + 3, name.data() + name.size(), i);
    if (i == got.size() && name.empty())
      i = k;
    if (i >= got.size()) {
      lines.push_back(fmt::format("'{}' is expected, but the model has {} output(s)", name, got.size()));
      continue;
    }
    compared[i] = true;
    const Tolerance usual = toleranceOf(wanted[k].dtype);
    if (auto d = differenceOf(got[i], wanted[k], a.rtol.value_or(usual.relative), a.atol.value_or(usual.absolute)))
      lines.push_back(fmt::format("output {} ('{}') {}", i, ports[i].name, *d));
  }
  // None has no array that could stand among what is expected.
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!compared[i] && got[i].kind != ValueKind::None)
      lines.push_back(fmt::format("output {} ('{}') is not among what is expected", i, ports[i].name));
  return lines;
}

std::string toleranceText(const TakenRun &run, const RunArguments &a) {
  std::vector<std::string> all;
  for (const Array &o : run.outputs) {
    const Tolerance usual = toleranceOf(o.dtype);
    std::string text =
        fmt::format("rtol {}, atol {}", a.rtol.value_or(usual.relative), a.atol.value_or(usual.absolute));
    if (std::ranges::find(all, text) == all.end())
      all.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

/// Chooses the model to run, or says why none.
Expected<Model *> chosenModel(std::vector<Model> &models, const RunArguments &a) {
  Model *found = nullptr;
  for (Model &m : models) {
    if (!a.name.empty() && m.info.name != a.name)
      continue;
    if (found)
      return Error{a.model, {}, "holds several models: " + namesOf(models), "choose one with --model"};
    found = &m;
  }
  if (!found)
    return Error{a.model, {}, fmt::format("holds no model '{}' (it holds: {})", a.name, namesOf(models)), {}};
  return found;
}

TakenRun stopped(const Error &e, int code) {
  TakenRun run;
  run.code = code;
  run.error = e;
  return run;
}

TakenRun executeTaken(Model &model, const RunArguments &a) {
  ExecutorOptions options;
  options.refused = inferTypes(model).invalid;
  options.device = a.device;
  options.seed = a.seed;
  options.memoryLimit = a.memoryLimit;
  options.timeLimit = a.timeLimit;
  options.asGraph = a.device != "cpu";
  if (a.trace)
    options.trace = printTrace;
  auto executor = Executor::create(model, options, openConstants);
  if (!executor)
    return stopped(executor.error(), Unanalysed);
  Executor &e = **executor;
  auto inputs = [&]() -> Expected<std::vector<RuntimeValue>> {
    if (a.inputs.empty())
      return e.draw(a.seed, 0, {});
    auto arrays = readArrays(a.inputs, "input", "in", e.inputs(), model);
    if (!arrays)
      return arrays.error();
    return e.bind(*arrays);
  }();
  if (!inputs)
    return stopped(inputs.error(), Usage);
  std::vector<Array> wanted;
  if (!a.expect.empty()) {
    auto arrays = readArrays(a.expect, "output", "out", e.outputs(), model);
    if (!arrays)
      return stopped(arrays.error(), Usage);
    wanted = std::move(*arrays);
  }
  const auto begin = std::chrono::steady_clock::now();
  auto results = e.run(*inputs);
  if (const std::string why = e.statistics().notOneGraph; a.trace && !why.empty())
    fmt::print(stderr, "the run is not one graph: {}\n", why);
  if (!results)
    return stopped(results.error(), Unanalysed);
  TakenRun run;
  run.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  run.statistics = e.statistics();
  for (std::size_t i = 0; i < results->size(); ++i) {
    auto array = e.toArray((*results)[i]);
    if (!array)
      return stopped(array.error(), Unanalysed);
    array->name = fmt::format("out{}", i);
    run.outputs.push_back(std::move(*array));
    run.values.push_back(e.outputs()[i].name);
  }
  if (!a.save.empty()) {
    std::vector<Array> saved = run.outputs;
    std::erase_if(saved, [](const Array &o) { return o.kind == ValueKind::None; }); // as --expect wants it
    if (auto problem = writeNpz(a.save, saved))
      return stopped(*problem, Usage);
  }
  if (!a.expect.empty())
    run.differences = differences(run.outputs, wanted, e.outputs(), a);
  run.code = run.differences.empty() ? Clean : Findings;
  return run;
}

std::string textOf(const TakenRun &run, const RunArguments &a) {
  std::string text;
  if (!a.quiet) {
    text += fmt::format("{}: ran in {:.3f} ms on the {}\n", a.model, run.milliseconds, a.device);
    if (const ExecutionStatistics &s = run.statistics; s.hostNodes != 0)
      text += fmt::format("  the host took part in {} of {} nodes; {} bytes went there, {} back\n", s.hostNodes,
                          s.nodes, s.bytesToHost, s.bytesToDevice);
    if (const ExecutionStatistics &s = run.statistics; s.graphLaunches != 0)
      text += fmt::format("  it was one graph; the device decided {} conditional(s) of it\n", s.deviceConditionals);
    for (std::size_t i = 0; i < run.outputs.size(); ++i)
      text += fmt::format("  out{} ({}): {}\n", i, run.values[i], preview(run.outputs[i]));
  }
  for (const std::string &l : run.differences)
    text += fmt::format("{}: error: {}\n", a.model, l);
  if (!a.expect.empty() && run.differences.empty() && !a.quiet)
    text += fmt::format("{}: the outputs are those of {} ({})\n", a.model, a.expect, toleranceText(run, a));
  return text;
}

/// What a run on the taken branches alone has to report.
Report reportOf(const TakenRun &run, const Model &model, const RunArguments &a) {
  Report report;
  InputReport &input = report.inputs.emplace_back();
  input.path = a.model;
  input.kind = formatName(model.info.format);
  input.conditionals = conditionals(model).size();
  input.isJudged = false;
  report.exitCode = run.code;
  if (run.error) {
    input.status = InputStatus::Failed;
    input.reason = run.error->str();
  }
  return report;
}

/// What was computed, as the JSON report tells it.
std::string computedJson(const TakenRun &run, const RunArguments &a) {
  using Json = nlohmann::ordered_json;
  Json outputs = Json::array();
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    const Array &o = run.outputs[i];
    const bool isTensor = o.kind == ValueKind::Tensor;
    outputs.push_back({{"name", o.name},
                       {"value", run.values[i]},
                       {"kind", kindName(o.kind)},
                       {"dtype", isTensor ? Json(dtypeName(o.dtype)) : Json(nullptr)},
                       {"shape", isTensor ? Json(o.shape) : Json(nullptr)}});
  }
  const Json computed = {{"device", a.device},
                         {"seed", a.seed},
                         {"milliseconds", run.error ? Json(nullptr) : Json(run.milliseconds)},
                         {"nodes", run.statistics.nodes},
                         {"hostNodes", run.statistics.hostNodes},
                         {"outputs", std::move(outputs)},
                         {"differences", run.differences}};
  return computed.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A run on the taken branches alone.
RunOutcome runTaken(Model &model, const RunArguments &a) {
  RunOutcome outcome;
  outcome.taken = executeTaken(model, a);
  outcome.error = outcome.taken->error;
  outcome.report = reportOf(*outcome.taken, model, a);
  return outcome;
}

/// --branch both. What --expect and --save ask for is of the taken branches.
RunOutcome runBoth(Model &model, const RunArguments &a) {
  RunOutcome outcome;
  outcome.bothBranches = true;
  if (!a.expect.empty() || !a.save.empty()) {
    outcome.taken = executeTaken(model, a);
    if (outcome.taken->error)
      return refused(*outcome.taken->error, outcome.taken->code, a);
  }
  std::vector<Array> arrays;
  if (!a.inputs.empty()) {
    auto read = readArrays(a.inputs, "input", "in", inputPortsOf(model), model);
    if (!read)
      return refused(read.error(), Usage, a);
    arrays = std::move(*read);
  }
  Report &report = outcome.report;
  InputReport &input = report.inputs.emplace_back();
  input.path = a.model;
  input.drawing.which = a.draw || draws(a.outputs) ? DrawingLimits::Which::WithFindings : DrawingLimits::Which::None;
  if (const auto error = validateModel(model, a, a.inputs.empty() ? nullptr : &arrays, input))
    return refused(*error, Usage, a);
  drawInto(input, model, "");
  finishReport(report);
  const bool isWhole = input.status == InputStatus::Ok || (a.allowPartial && input.status == InputStatus::Partial);
  report.exitCode = !isWhole                             ? Unanalysed
                    : report.count(Severity::Error) != 0 ? Findings
                    : outcome.taken                      ? outcome.taken->code
                                                         : Clean;
  return outcome;
}

} // namespace

RunOutcome refused(const Error &e, int code, const RunArguments &a) {
  RunOutcome outcome;
  outcome.error = e;
  InputReport &input = outcome.report.inputs.emplace_back();
  input.path = a.model;
  input.status = InputStatus::Failed;
  input.reason = e.str();
  outcome.report.exitCode = code;
  return outcome;
}

RunOutcome runOne(Expected<std::vector<Model>> &models, const RunArguments &a) {
  if (!models)
    return refused(models.error(), Unanalysed, a);
  const Expected<Model *> model = chosenModel(*models, a);
  if (!model)
    return refused(model.error(), Usage, a);
  return a.bothBranches ? runBoth(**model, a) : runTaken(**model, a);
}

std::string rendered(const RunOutcome &outcome, const ReportFormat &format, RenderOptions options,
                     const RunArguments &a) {
  if (format.name == "text") {
    const std::string taken = outcome.taken && !outcome.taken->error ? textOf(*outcome.taken, a) : std::string();
    return outcome.bothBranches ? taken + format.render(outcome.report, options) : taken;
  }
  if (outcome.taken && format.name == "json")
    options.run = computedJson(*outcome.taken, a);
  return format.render(outcome.report, options);
}

} // namespace condlint

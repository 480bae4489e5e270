//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunCommand.h"
#include "ExitCode.h"
#include "Inputs.h"
#include "condlint/Conditional.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <new>
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
    if (auto d = differenceOf(got[i], wanted[k], a.rtol, a.atol))
      lines.push_back(fmt::format("output {} ('{}') {}", i, ports[i].name, *d));
  }
  // None has no array that could stand among what is expected.
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!compared[i] && got[i].kind != ValueKind::None)
      lines.push_back(fmt::format("output {} ('{}') is not among what is expected", i, ports[i].name));
  return lines;
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

int complainAbout(const Error &e, int code) {
  complain(e.str());
  return code;
}

/// Says why the model cannot be run at all, in the formats that are asked for.
int refuse(const Error &e, const RunArguments &a) {
  Report report;
  InputReport &input = report.inputs.emplace_back();
  input.path = a.model;
  input.status = InputStatus::Failed;
  input.reason = e.str();
  report.exitCode = Unanalysed;
  bool isSaid = false;
  for (const OutputRequest &request : a.outputs) {
    if (request.isText())
      continue;
    isSaid = isSaid || request.toStandardOutput();
    if (!writeOutput(request, request.format->render(report, renderOptions(request, a.color, a.quiet))))
      return codeOfUnwritten(request);
  }
  if (!isSaid)
    complain(e.str());
  return Unanalysed;
}

/// What one run on the taken branches came to.
struct TakenRun {
  int code = Clean;
  std::optional<Error> error; ///< why it did not come to its end
  double milliseconds = 0;
  ExecutionStatistics statistics;
  std::vector<Array> outputs;
  std::vector<std::string> values; ///< by output: the value in the model
  std::vector<std::string> differences;
};

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
    text += fmt::format("{}: the outputs are those of {} (rtol {}, atol {})\n", a.model, a.expect, a.rtol, a.atol);
  return text;
}

/// What a run on the taken branches alone has to report.
Report reportOf(const TakenRun &run, const Model &model, const RunArguments &a) {
  Report report;
  InputReport &input = report.inputs.emplace_back();
  input.path = a.model;
  input.kind = formatName(model.info.format);
  input.conditionals = conditionals(model).size();
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

/// \p report in the format that \p request asks for, and what \p run computed where that format tells it.
std::string rendered(const OutputRequest &request, const Report &report, const TakenRun *run, const RunArguments &a) {
  RenderOptions options = renderOptions(request, a.color, a.quiet);
  if (run != nullptr && request.isJson())
    options.run = computedJson(*run, a);
  return request.format->render(report, options);
}

/// One run on the taken branches.
int runTaken(Model &model, const RunArguments &a) {
  const TakenRun run = executeTaken(model, a);
  bool isSaid = false;
  int code = run.code;
  for (const OutputRequest &request : a.outputs) {
    const bool isText = request.isText();
    if (run.error && (isText || run.code == Usage))
      continue;
    isSaid = isSaid || (!isText && request.toStandardOutput());
    if (!writeOutput(request, isText ? textOf(run, a) : rendered(request, reportOf(run, model, a), &run, a)))
      code = codeOfUnwritten(request);
  }
  if (run.error && !isSaid)
    complain(run.error->str());
  return code;
}

/// --branch both: the report, and its exit code. What --expect and --save ask for is of the taken branches.
int runBoth(Model &model, const RunArguments &a) {
  std::optional<TakenRun> taken;
  if (!a.expect.empty() || !a.save.empty()) {
    taken = executeTaken(model, a);
    if (taken->error)
      return taken->code == Usage ? complainAbout(*taken->error, Usage) : refuse(*taken->error, a);
  }
  std::vector<Array> arrays;
  if (!a.inputs.empty()) {
    auto read = readArrays(a.inputs, "input", "in", inputPortsOf(model), model);
    if (!read)
      return complainAbout(read.error(), Usage);
    arrays = std::move(*read);
  }
  Report report;
  InputReport &input = report.inputs.emplace_back();
  input.path = a.model;
  if (const auto error = validateModel(model, a, a.inputs.empty() ? nullptr : &arrays, input))
    return complainAbout(*error, Usage);
  finishReport(report);
  const bool isWhole = input.status == InputStatus::Ok || (a.allowPartial && input.status == InputStatus::Partial);
  report.exitCode = !isWhole ? Unanalysed : report.count(Severity::Error) != 0 ? Findings : taken ? taken->code : Clean;
  int code = report.exitCode;
  bool isSaid = false;
  for (const OutputRequest &request : a.outputs) {
    const std::string before = request.isText() && taken ? textOf(*taken, a) : "";
    if (!writeOutput(request, before + rendered(request, report, taken ? &*taken : nullptr, a)))
      code = codeOfUnwritten(request);
    isSaid = isSaid || (request.format->forPeople && request.toStandardOutput());
  }
  if (!isSaid && input.status != InputStatus::Ok)
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
    if (!models)
      return refuse(models.error(), arguments);
    auto model = chosenModel(*models, arguments);
    if (!model)
      return complainAbout(model.error(), Usage);
    return arguments.bothBranches ? runBoth(**model, arguments) : runTaken(**model, arguments);
  } catch (const std::bad_alloc &) {
    complain(arguments.model + ": there is not enough memory to run it");
    return Unanalysed;
  }
}

} // namespace condlint

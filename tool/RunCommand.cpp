//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunCommand.h"
#include "ExitCode.h"
#include "Inputs.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <new>

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
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!compared[i])
      lines.push_back(fmt::format("output {} ('{}') is not among what is expected", i, ports[i].name));
  return lines;
}

/// Chooses the model to run, or says why none.
Expected<Model *> chosenModel(std::vector<Model> &models, const RunArguments &a) {
  std::string names;
  Model *found = nullptr;
  for (Model &m : models) {
    names += (names.empty() ? "" : ", ") + m.info.name;
    if (!a.name.empty() && m.info.name != a.name)
      continue;
    if (found)
      return Error{a.model, {}, "holds several models: " + names, "choose one with --model"};
    found = &m;
  }
  if (!found)
    return Error{a.model, {}, fmt::format("holds no model '{}' (it holds: {})", a.name, names), {}};
  return found;
}

int complainAbout(const Error &e, int code) {
  complain(e.str());
  return code;
}

/// One run on the taken branches.
int runTaken(Model &model, const RunArguments &a) {
  inferTypes(model);
  ExecutorOptions options;
  options.device = a.device;
  options.seed = a.seed;
  options.memoryLimit = a.memoryLimit;
  if (a.trace)
    options.trace = [](const TraceEntry &e) {
      std::string results;
      for (const std::string &r : e.results)
        results += (results.empty() ? "" : ", ") + r;
      fmt::print(stderr, "{:10.1f} us  {}  {}\n", e.microseconds, e.path, results);
    };
  auto executor = Executor::create(model, options);
  if (!executor)
    return complainAbout(executor.error(), Unanalysed);
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
    return complainAbout(inputs.error(), Usage);
  std::vector<Array> wanted;
  if (!a.expect.empty()) {
    auto arrays = readArrays(a.expect, "output", "out", e.outputs(), model);
    if (!arrays)
      return complainAbout(arrays.error(), Usage);
    wanted = std::move(*arrays);
  }
  const auto begin = std::chrono::steady_clock::now();
  auto results = e.run(*inputs);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!results)
    return complainAbout(results.error(), Unanalysed);
  std::vector<Array> got;
  for (std::size_t i = 0; i < results->size(); ++i) {
    got.push_back(e.toArray((*results)[i]));
    got.back().name = fmt::format("out{}", i);
  }
  std::string text;
  if (!a.quiet) {
    text += fmt::format("{}: ran in {:.3f} ms on the {}\n", a.model, seconds * 1e3, a.device);
    for (std::size_t i = 0; i < got.size(); ++i)
      text += fmt::format("  out{} ({}): {}\n", i, e.outputs()[i].name, preview(got[i]));
  }
  if (!a.save.empty())
    if (auto problem = writeNpz(a.save, got))
      return complainAbout(*problem, Usage);
  int code = Clean;
  if (!a.expect.empty()) {
    const std::vector<std::string> lines = differences(got, wanted, e.outputs(), a);
    for (const std::string &l : lines)
      text += fmt::format("{}: error: {}\n", a.model, l);
    code = lines.empty() ? Clean : Findings;
    if (lines.empty() && !a.quiet)
      text += fmt::format("{}: the outputs are those of {} (rtol {}, atol {})\n", a.model, a.expect, a.rtol, a.atol);
  }
  return writeStandardOutput(text) ? code : Internal;
}

/// --branch both: the report, and its exit code.
int runBoth(Model &model, const RunArguments &a) {
  std::vector<Array> arrays;
  if (!a.inputs.empty()) {
    inferTypes(model);
    auto executor = Executor::create(model, ExecutorOptions{a.device, a.seed, a.memoryLimit, false, {}});
    if (!executor)
      return complainAbout(executor.error(), Unanalysed);
    auto read = readArrays(a.inputs, "input", "in", (*executor)->inputs(), model);
    if (!read)
      return complainAbout(read.error(), Usage);
    arrays = std::move(*read);
  }
  Report report;
  InputReport &input = report.inputs.emplace_back();
  input.path = a.model;
  validateModel(model, a, a.inputs.empty() ? nullptr : &arrays, input);
  finishReport(report);
  report.exitCode = input.status != InputStatus::Ok      ? Unanalysed
                    : report.count(Severity::Error) != 0 ? Findings
                                                         : Clean;
  int code = report.exitCode;
  for (const OutputRequest &request : a.outputs) {
    const bool isText = request.format == OutputFormat::Text;
    const bool colored = isText && request.toStandardOutput() && useColor(a.color);
    const std::string text =
        isText ? renderText(report, colored ? ColorMode::Always : ColorMode::Never, a.quiet) : renderJson(report);
    if (request.toStandardOutput() ? !writeStandardOutput(text) : !writeFile(request.file, text))
      code = Internal;
  }
  return code;
}

} // namespace

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
    Expected<std::vector<Model>> models = readInput(arguments.model);
    if (!models)
      return complainAbout(models.error(), Unanalysed);
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

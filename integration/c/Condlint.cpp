//===- Condlint.cpp - The interface for other languages -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/condlint.h"
#include "AnalyseInput.h"
#include "Commands.h"
#include "CxxSlots.h"
#include "Inputs.h"
#include "Options.h"
#include "Program.h"
#include "RunModel.h"
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

using namespace condlint;
using c::Call;
using c::Options;

namespace {

/// How a result is asked for: a format of the table, and what is meant of it.
struct Rendering {
  const ReportFormat *format = nullptr;
  ColorMode color = ColorMode::Never;
  bool quiet = false;

  bool isJson() const { return format->name == "json"; }

  RenderOptions options() const {
    RenderOptions options;
    if (format->name != "text" && !isJson()) // these ask for more, which takes longer
      options = renderOptions({format, "-"}, ColorChoice::Never, false);
    options.color = color;
    options.quiet = quiet;
    return options;
  }
};

std::optional<Rendering> renderingByName(std::string_view name) {
  Rendering r;
  r.quiet = name == "quiet";
  r.color = name == "color" ? ColorMode::Always : ColorMode::Never;
  r.format = findReportFormat(r.quiet || name == "color" ? "text" : name);
  return r.format != nullptr ? std::optional(r) : std::nullopt;
}

/// The tables and pages have two forms.
OutputFormat formatOf(const Rendering &r) { return r.isJson() ? OutputFormat::Json : OutputFormat::Text; }

} // namespace

struct condlint_result {
  int status = CONDLINT_CLEAN;
  std::string error;
  std::function<std::string(const Rendering &)> render = {}; ///< none: there is no report
};

namespace {

condlint_result failure(int status, std::string why) { return {status, std::move(why), {}}; }
condlint_result misused(const Error &e) { return failure(CONDLINT_USAGE, e.str()); }

/// What \p call returns, on the heap. Whatever it throws ends here.
template <class F> condlint_result *guarded(const F &call) noexcept {
  const auto kept = [](condlint_result &&result) noexcept {
    return new (std::nothrow) condlint_result(std::move(result));
  };
  try {
    try {
      return kept(call());
    } catch (const std::bad_alloc &) {
      return kept(failure(CONDLINT_INTERNAL, "there is not enough memory"));
    } catch (const std::exception &e) {
      return kept(failure(CONDLINT_INTERNAL, std::string("internal error: ") + e.what()));
    }
  } catch (...) {
    return nullptr;
  }
}

std::string textOf(const char *given) { return given != nullptr ? given : ""; }

/// The bytes of a model that is no file, with the name that it has here.
struct Bytes {
  std::shared_ptr<const FileBytes> bytes;
  std::string format, name;

  Expected<std::vector<Model>> read() const { return readBytes(bytes, format, name); }
};

Expected<Bytes> bytesOf(const void *data, std::size_t size, const char *format, const char *name) {
  Bytes out{nullptr, textOf(format), textOf(name)};
  if (out.name.empty())
    out.name = "<memory>";
  if (data == nullptr || size == 0)
    return Error{out.name, "", "holds nothing, expected the bytes of a .pt2, an .onnx or a graph .json", ""};
  if (out.format == "cxx")
    return Error{"format", "", "C++ sources are checked by their path, which says what they include", ""};
  if (!out.format.empty() && out.format != "pt2" && out.format != "onnx" && out.format != "json")
    return Error{"format", "", "must be \"pt2\", \"onnx\" or \"json\", or empty where the bytes tell", ""};
  out.bytes = FileBytes::copy({static_cast<const char *>(data), size});
  return out;
}

/// The path of a file. What the program takes for standard input is a file like others.
Expected<std::string> pathOf(const char *path) {
  const std::string text = textOf(path);
  if (text.empty())
    return Error{"", "", "a path is missing", ""};
  return text == "-" ? std::string("./-") : text;
}

// --- check ------------------------------------------------------------------

Expected<CheckSettings> settingsFor(const Options &options, const InputFile &file, bool isFile) {
  Expected<Config> config = options.configOf(file.path, isFile);
  if (!config)
    return config.error();
  CheckSettings settings = settingsOf(*config);
  if (choosesNothing(settings.rules))
    return Error{"", "select", "every rule that is selected is ignored as well: nothing would be checked", ""};
  settings.cxx.buildFolder = !options.compileCommands.empty() ? options.compileCommands : file.buildFolder;
  settings.cxx.flags = options.flags;
  settings.cxx.cacheFolder = options.cache;
  settings.drawing.which = options.run.draw ? DrawingLimits::Which::WithFindings : DrawingLimits::Which::None;
  return settings;
}

condlint_result resultOf(std::vector<InputOutcome> outcomes) {
  auto report = std::make_shared<Report>();
  bool internalError = false;
  for (InputOutcome &outcome : outcomes) {
    internalError |= outcome.internalError;
    report->inputs.push_back(std::move(outcome.report));
  }
  finishReport(*report);
  report->exitCode = exitCodeOf(*report, internalError, false);
  return {report->exitCode, {}, [report](const Rendering &r) { return r.format->render(*report, r.options()); }};
}

condlint_result checkBytes(const Expected<Bytes> &bytes, const char *json) {
  if (!bytes)
    return misused(bytes.error());
  const Expected<Options> options = c::parseOptions(textOf(json), Call::Check);
  if (!options)
    return misused(options.error());
  const Expected<CheckSettings> settings = settingsFor(*options, {bytes->name, {}}, false);
  if (!settings)
    return misused(settings.error());
  std::vector<InputOutcome> outcomes;
  outcomes.push_back(analyseInput(bytes->name, [&] { return bytes->read(); }, *settings));
  return resultOf(std::move(outcomes));
}

InputOutcome checkFile(const InputFile &file, const CheckSettings &settings) {
  static CxxSlots slots; // for all threads of the process
  const bool isSource = file.problem.empty() && isCxxSource(file.path);
  const CxxSlots::Place place = isSource ? slots.wait() : CxxSlots::Place();
  return analyseInput(file, settings);
}

condlint_result checkPath(const Expected<std::string> &path, const char *json) {
  if (!path)
    return misused(path.error());
  const Expected<Options> options = c::parseOptions(textOf(json), Call::Check);
  if (!options)
    return misused(options.error());
  const std::vector<InputFile> files = expandInputs({*path}, options->compileCommands);
  std::vector<InputOutcome> outcomes;
  for (const InputFile &file : files) {
    Expected<CheckSettings> settings = settingsFor(*options, file, true);
    if (!settings)
      return misused(settings.error());
    settings->cxx.units = files.size();
    outcomes.push_back(checkFile(file, *settings));
  }
  return resultOf(std::move(outcomes));
}

// --- run --------------------------------------------------------------------

Expected<RunArguments> argumentsFor(const std::string &name, bool isFile, const char *json) {
  const Expected<Options> options = c::parseOptions(textOf(json), Call::Run);
  if (!options)
    return options.error();
  Expected<Config> config = options->configOf(name, isFile);
  if (!config)
    return config.error();
  RunArguments arguments = options->run;
  arguments.model = name;
  arguments.config = std::move(*config);
  if (auto problem = deviceProblem(arguments.device))
    return Error{"options", "device", std::move(*problem), ""};
  if (auto lost = overwritten({arguments.save}, {arguments.model, arguments.inputs, arguments.expect}))
    return std::move(*lost);
  return arguments;
}

void forgetData(std::vector<Array> &arrays) {
  for (Array &array : arrays) {
    array.bytes = {};
    array.strings = {};
    array.keepAlive = nullptr;
    forgetData(array.items);
  }
}

condlint_result run(Expected<std::vector<Model>> models, const RunArguments &arguments) {
  auto outcome = std::make_shared<RunOutcome>(runOne(models, arguments));
  if (outcome->error && outcome->report.exitCode == CONDLINT_USAGE)
    return misused(*outcome->error);
  // The tensors have gone to where they were to be saved; of them the report tells names and types.
  if (outcome->taken)
    forgetData(outcome->taken->outputs);
  return {outcome->report.exitCode, {}, [outcome, arguments](const Rendering &r) {
            if (outcome->error && r.format->name == "text")
              return outcome->error->str() + '\n';
            RunArguments how = arguments;
            how.quiet = r.quiet;
            return rendered(*outcome, *r.format, r.options(), how);
          }};
}

// --- dump and the tables ----------------------------------------------------

condlint_result dump(const std::string &name, const std::function<Expected<std::vector<Model>>()> &read,
                     const char *given) {
  const Expected<Options> options = c::parseOptions(textOf(given), Call::Dump);
  if (!options)
    return misused(options.error());
  Expected<std::vector<Model>> models = read();
  if (!models)
    return failure(CONDLINT_UNANALYSED, models.error().str());
  DumpArguments arguments{name, options->run.name, options->infer, OutputFormat::Json};
  auto graphs = std::make_shared<std::vector<Model>>(std::move(*models));
  const Expected<std::string> text = dumpModels(*graphs, arguments);
  if (!text)
    return misused(text.error());
  arguments.inferred = false; // they are typed by now
  arguments.format = OutputFormat::Text;
  return {CONDLINT_CLEAN, {}, [graphs, arguments, json = *text](const Rendering &r) {
            return r.isJson() ? json : *dumpModels(*graphs, arguments);
          }};
}

} // namespace

// --- The door ---------------------------------------------------------------

extern "C" {

int condlint_abi_version(void) { return CONDLINT_ABI_VERSION; }

const char *condlint_version(void) { return CONDLINT_VERSION; }

condlint_result *condlint_check_bytes(const void *data, size_t size, const char *format, const char *name,
                                      const char *options) {
  return guarded([&] { return checkBytes(bytesOf(data, size, format, name), options); });
}

condlint_result *condlint_check_path(const char *path, const char *options) {
  return guarded([&] { return checkPath(pathOf(path), options); });
}

condlint_result *condlint_run_bytes(const void *data, size_t size, const char *format, const char *name,
                                    const char *options) {
  return guarded([&] {
    const Expected<Bytes> bytes = bytesOf(data, size, format, name);
    if (!bytes)
      return misused(bytes.error());
    const Expected<RunArguments> arguments = argumentsFor(bytes->name, false, options);
    return arguments ? run(bytes->read(), *arguments) : misused(arguments.error());
  });
}

condlint_result *condlint_run_path(const char *path, const char *options) {
  return guarded([&] {
    const Expected<std::string> file = pathOf(path);
    if (!file)
      return misused(file.error());
    const Expected<RunArguments> arguments = argumentsFor(*file, true, options);
    return arguments ? run(readInput(*file), *arguments) : misused(arguments.error());
  });
}

condlint_result *condlint_dump_bytes(const void *data, size_t size, const char *format, const char *name,
                                     const char *options) {
  return guarded([&] {
    const Expected<Bytes> bytes = bytesOf(data, size, format, name);
    return bytes ? dump(bytes->name, [&] { return bytes->read(); }, options) : misused(bytes.error());
  });
}

condlint_result *condlint_dump_path(const char *path, const char *options) {
  return guarded([&] {
    const Expected<std::string> file = pathOf(path);
    return file ? dump(*file, [&] { return readInput(*file); }, options) : misused(file.error());
  });
}

condlint_result *condlint_explain(const char *rule) {
  return guarded([&]() -> condlint_result {
    const std::string id = textOf(rule);
    if (const Expected<std::string> page = explainRule(id, OutputFormat::Text); !page)
      return misused(page.error());
    return {CONDLINT_CLEAN, {}, [id](const Rendering &r) { return *explainRule(id, formatOf(r)); }};
  });
}

condlint_result *condlint_rules(void) {
  return guarded([]() -> condlint_result {
    return {CONDLINT_CLEAN, {}, [](const Rendering &r) { return listRules(formatOf(r)); }};
  });
}

condlint_result *condlint_targets(void) {
  return guarded([]() -> condlint_result {
    return {CONDLINT_CLEAN, {}, [](const Rendering &r) { return listTargets(formatOf(r)); }};
  });
}

int condlint_result_status(const condlint_result *result) {
  return result != nullptr ? result->status : CONDLINT_INTERNAL;
}

const char *condlint_result_error(const condlint_result *result) {
  return result != nullptr && !result->render ? result->error.c_str() : nullptr;
}

char *condlint_result_render(const condlint_result *result, const char *format, size_t *length) {
  if (length != nullptr)
    *length = 0;
  if (result == nullptr || !result->render || format == nullptr)
    return nullptr;
  try {
    const std::optional<Rendering> rendering = renderingByName(format);
    if (!rendering)
      return nullptr;
    const std::string text = result->render(*rendering);
    auto *out = static_cast<char *>(std::malloc(text.size() + 1));
    if (out == nullptr)
      return nullptr;
    std::memcpy(out, text.c_str(), text.size() + 1);
    if (length != nullptr)
      *length = text.size();
    return out;
  } catch (...) {
    return nullptr;
  }
}

int condlint_main(int argc, char **argv) { return runProgram(argc, argv); }

void condlint_result_free(condlint_result *result) { delete result; }

void condlint_free(char *text) { std::free(text); }

} // extern "C"

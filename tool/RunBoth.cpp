//===- RunBoth.cpp - Both branches of every conditional, executed ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunCommand.h"
#include "condlint/Validation.h"
#include "config/Config.h"
#include <filesystem>
#include <fmt/format.h>

namespace condlint {

namespace {

/// \p word as a shell takes it for one.
std::string quotedForShell(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
    return std::string(word);
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Writes the inputs of a run that showed a break to a file beside the user.
void keep(const BreakingDraw &draw, const RunArguments &a, InputReport &report) {
  const std::string stem = report.path == "-" ? "stdin" : std::filesystem::path(report.path).stem().string();
  const std::string first = (std::filesystem::path(a.keepIn == "." ? "" : a.keepIn) /
                             fmt::format("{}-seed{}-draw{}", stem, a.seed, draw.number))
                                .string();
  std::string file = first + ".npz";
  std::error_code error;
  for (unsigned again = 2; std::filesystem::exists(file, error); ++again) // another model's, or the user's
    file = fmt::format("{}-{}.npz", first, again);
  if (auto failed = writeNpz(file, draw.inputs)) {
    report.notes.push_back("the inputs that show it could not be kept: " + failed->str());
    return;
  }
  std::string command =
      fmt::format("condlint run {} --branch both --inputs {}", quotedForShell(report.path), quotedForShell(file));
  for (const Target &t : a.targets)
    command += " --target " + t.str();
  if (a.seed != 0)
    command += fmt::format(" --seed {}", a.seed);
  report.notes.push_back(fmt::format("the inputs of draw {}{} are kept; to repeat it: {}", draw.number,
                                     draw.sizes.empty() ? "" : " (" + draw.sizes + ")", command));
}

} // namespace

std::optional<Error> validateModel(Model &model, const RunArguments &a, const std::vector<Array> *given,
                                   InputReport &report) {
  Config config;
  if (a.config) {
    config = *a.config;
  } else {
    Expected<std::shared_ptr<const Config>> found = ConfigFinder().forInput(a.model);
    if (!found)
      return found.error();
    config = *found ? **found : Config();
  }
  declareOperators(model, std::make_shared<const OperatorDeclarations>(config.operators));
  Analysis analysis(model);
  ValidationOptions options;
  options.targets = !a.targets.empty() ? a.targets : config.targets.value_or(std::vector<Target>());
  if (options.targets.empty())
    options.targets.push_back(defaultTarget(model));
  options.rules = config.rules();
  options.seed = a.seed;
  options.draws = a.draws;
  if (!a.keepIn.empty())
    options.keep = [&](const BreakingDraw &draw) { keep(draw, a, report); };
  report.kind = formatName(model.info.format);
  report.conditionals = analysis.conditionalCount;
  for (const Target &t : options.targets) {
    report.targets.push_back(t.str());
    if (std::string caution = versionCaution(t); !caution.empty())
      report.notes.push_back(std::move(caution));
    CheckResult found = check(analysis, t, options.rules);
    append(report, std::move(found.conditionals), {}, std::move(found.findings));
  }
  ExecutorOptions execution;
  execution.device = a.device;
  execution.seed = a.seed;
  execution.memoryLimit = a.memoryLimit;
  execution.timeLimit = a.timeLimit;
  execution.bothBranches = true;
  if (a.trace)
    execution.trace = printTrace;
  execution.refused = analysis.inference.invalid;
  auto executor = Executor::create(model, execution, openConstants);
  if (!executor) {
    const Error &e = executor.error();
    leaveUnvalidated(analysis, e.place.empty() ? e.message : e.place + ": " + e.message, report);
    return std::nullopt;
  }
  if (given != nullptr)
    if (const auto bound = (*executor)->bind(*given); !bound)
      return bound.error();
  validate(analysis, **executor, options, given, report);
  return std::nullopt;
}

} // namespace condlint

//===- CheckRun.cpp - From the arguments to finished inputs ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckRun.h"
#include "CxxSources.h"
#include "ExitCode.h"
#include "FixSources.h"
#include "InOrder.h"
#include "Memory.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <thread>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace condlint {

namespace {

/// How much memory the model in \p file takes, in bytes, beside the file: small nodes of ONNX about seven times what
/// the file has, JSON, which says all in words, about half, and weights nothing, so that of a large file no more is
/// thought than what others need.
std::size_t memoryOf(const InputFile &file) {
  if (!file.problem.empty() || isCxxSource(file.path))
    return 0;
  std::error_code error;
  const std::uintmax_t size = file.bytes ? file.bytes->view().size() : std::filesystem::file_size(file.path, error);
  if (error)
    return 0;
  constexpr std::uintmax_t most = std::uintmax_t{48} << 20;
  const bool isJson = formatOfPath(file.path).value_or(Format::Onnx) != Format::Onnx;
  return static_cast<std::size_t>(std::min(most, isJson ? size / 2 : std::min(size, most) * 7));
}

bool holdsCompileCommands(const std::string &folder) {
  std::error_code error;
  return !compileCommandsIn(folder).empty() ||
         std::filesystem::is_regular_file(std::filesystem::path(folder) / "compile_flags.txt", error);
}

/// Why \p folder cannot take what was found; empty where it can.
std::string whyNothingIsKept(const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error))
    return "is no folder";
  if (error)
    return error.message();
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::string() : std::strerror(errno);
}

/// What tells shards apart that were asked different things.
std::string digestOfOptions(const CheckArguments &arguments) {
  std::string options;
  for (const Target &target : arguments.targets)
    options += target.str() + ',';
  for (const std::optional<RuleSet> &rules : {arguments.select, arguments.ignore}) {
    options += ';';
    if (rules)
      options += fmt::format("{}", fmt::join(*rules, ","));
  }
  options += fmt::format(";{};{};{}", arguments.failOn ? severityName(*arguments.failOn) : std::string_view(),
                         arguments.noConfig, arguments.allowPartial);
  return fmt::format("{:016x}", XXH3_64bits(options.data(), options.size()));
}

int refuse(const Error &error) {
  complain(error.str());
  return Usage;
}

} // namespace

CheckRun::CheckRun(const CheckArguments &a, InputSink &s)
    : arguments(a), sink(s), threads(a.jobs != 0 ? a.jobs : std::max(1u, std::thread::hardware_concurrency())),
      written(a), progress(std::in_place, !a.quiet) {}

std::optional<int> CheckRun::run() {
  if (!arguments.compileCommands.empty() && !holdsCompileCommands(arguments.compileCommands)) {
    complain(fmt::format("-p: there is no compile_commands.json in {}", arguments.compileCommands));
    return Usage;
  }
  if (const std::optional<Error> error = written.overArguments())
    return refuse(*error);
  Expected<std::unique_ptr<KnownFindings>> opened = KnownFindings::open(arguments.baseline);
  if (!opened)
    return refuse(opened.error());
  known = std::move(*opened);
  if (arguments.shard)
    shards.emplace(*arguments.shard);
  if (arguments.diff.asked()) {
    Expected<std::unique_ptr<ChangedLines>> lines = ChangedLines::of(arguments.diff);
    if (!lines)
      return refuse(lines.error());
    changed = std::move(*lines);
  }
  if (!arguments.findingsFolder.empty() && arguments.fix == FixMode::None) {
    if (const std::string problem = whyNothingIsKept(arguments.findingsFolder); !problem.empty())
      complain(fmt::format("--cache: {}: {}: nothing is kept there", arguments.findingsFolder, problem));
    cache.emplace(arguments.findingsFolder);
  }
  JobSource jobs(arguments, written, shards ? &*shards : nullptr);
  const std::optional<int> wrong = arguments.fix == FixMode::None ? runAll(jobs) : fixAndRun(jobs);
  if (wrong)
    return wrong;
  if (!jobs.foundAny()) {
    for (const InputFile &file : jobs.emptyFolders())
      complain(fmt::format("{}: {}", file.path, file.problem));
    return Usage;
  }
  return finish();
}

/// What was found out before where it still holds.
InputOutcome CheckRun::lookUpOrAnalyse(const CheckJob &job) {
  const InputFile &file = job.file;
  InputFile read = file;
  const std::string key = cache ? cache->keyOf(file, *job.settings, read.bytes) : std::string();
  if (!key.empty())
    if (std::optional<InputReport> report = cache->find(key))
      return {std::move(*report), false};
  const bool isSource = file.problem.empty() && isCxxSource(file.path);
  const CxxSlots::Place place = isSource ? slots.wait() : CxxSlots::Place();
  InputOutcome outcome = analyseInput(read, *job.settings);
  if (!key.empty())
    cache->keep(key, file, outcome.report);
  return outcome;
}

InputOutcome CheckRun::analyse(const CheckJob &job) {
  const InputFile &file = job.file;
  progress->start(file.path);
  InputOutcome outcome = lookUpOrAnalyse(job);
  outcome.report.position = file.position;
  std::ranges::copy(file.notes, std::back_inserter(outcome.report.notes));
  known->suppressConfigured(outcome.report, *job.settings);
  written.lookFor(outcome.report);
  if (!changed && !arguments.baseline.asked())
    outcome.report.dependencies = {}; // those of many sources would take much memory
  progress->finish();
  return outcome;
}

void CheckRun::finishOne(InputReport &input, const CheckSettings &settings) {
  finishInput(input);
  known->useBaseline(input, settings);
  if (changed)
    changed->apply(input);
  input.dependencies = {};
}

/// Silence would look as if all that changed had been looked at, or as if nothing else had been reported.
void CheckRun::tellNotReached() const {
  constexpr std::size_t named = 10;
  if (const std::string unknown = changed ? changed->unknownFiles() : std::string(); !unknown.empty())
    complain(unknown);
  const std::vector<std::string> files = changed ? changed->notReached() : std::vector<std::string>();
  if (files.empty())
    return;
  std::string names;
  for (std::size_t i = 0; i < std::min(named, files.size()); ++i)
    names += (i == 0 ? "" : ", ") + files[i];
  complain(fmt::format("{} changed file{} no input and included by none: {}{}", files.size(),
                       files.size() == 1 ? " is" : "s are", names, files.size() > named ? ", …" : ""));
}

std::optional<int> CheckRun::runAll(JobSource &jobs) {
  std::optional<int> wrong;
  do {
    std::optional<PagesAhead> pages;
    const std::optional<Error> error = inOrder(
        {threads, jobs.mayBeMany()},
        [&] {
          Expected<std::vector<CheckJob>> some = jobs.next();
          if (!some || some->empty())
            return some;
          progress->expect(some->size());
          // Several inputs keep all processors busy.
          if (threads > 1 && some->size() == 1 && jobs.isOver())
            pages.emplace(memoryOf(some->front().file));
          return some;
        },
        [&](CheckJob &job) {
          Done done{analyse(job), {}};
          job.file.bytes.reset();
          if (!job.followsSource) {
            finishOne(done.outcome.report, *job.settings);
            done.parts = sink.prepare(done.outcome.report);
          }
          return done;
        },
        [&](const CheckJob &job, Done &&done) {
          if (job.followsSource) {
            hold(std::move(done.outcome), job.settings);
            return;
          }
          verdict.internalError |= done.outcome.internalError;
          give(std::move(done.outcome.report), done.parts);
        });
    wrong = error ? refuse(*error) : failed();
  } while (!wrong && jobs.nextPart());
  return wrong;
}

void CheckRun::hold(InputOutcome outcome, std::shared_ptr<const CheckSettings> settings) {
  verdict.internalError |= outcome.internalError;
  held.push_back(std::move(outcome.report));
  heldSettings.push_back(std::move(settings));
}

void CheckRun::give(InputReport &&input, const std::vector<std::string> &parts) {
  verdict.add(input, arguments.allowPartial);
  if (arguments.timing && input.kind == "cxx")
    complain(fmt::format("{}: parsed in {:.1f} ms, read in {:.1f} ms, checked in {:.1f} ms", input.path,
                         input.times.parse * 1e3, input.times.read * 1e3, input.times.rules * 1e3));
  sink.take(std::move(input), parts);
}

/// What says that the reports cannot be, or must not.
std::optional<int> CheckRun::failed() const {
  const std::optional<Error> error = written.overDependencies();
  return error ? refuse(*error) : sink.failed();
}

std::optional<int> CheckRun::finish() {
  progress.reset(); // what is written from here on stands alone
  mergeUnits(held);
  for (std::size_t i = 0; i < held.size(); ++i) {
    InputReport &input = held[i];
    finishOne(input, *heldSettings[i]);
    const std::vector<std::string> parts = sink.prepare(input);
    give(std::move(input), parts);
  }
  held.clear();
  heldSettings.clear();
  if (const std::optional<int> code = failed())
    return code; // a baseline is no more written than a report
  Expected<std::vector<std::string>> said = known->finish();
  if (!said)
    return refuse(said.error());
  if (!arguments.quiet) {
    for (const std::string &sentence : *said)
      complain(sentence);
    tellNotReached();
  }
  return sink.failed();
}

RunEnd CheckRun::end() const {
  RunEnd end{fixFailed.value_or(verdict.exitCode()), std::nullopt};
  if (shards) {
    end.shard = shards->shard();
    end.shard->digest += '-' + digestOfOptions(arguments);
  }
  return end;
}

std::vector<InputOutcome> CheckRun::analyseAll(const std::vector<CheckJob> &jobs) {
  std::vector<const CheckJob *> all;
  for (const CheckJob &job : jobs)
    all.push_back(&job);
  std::vector<InputOutcome> outcomes;
  progress->expect(jobs.size());
  inOrder(
      {threads}, [&] { return Expected(std::exchange(all, {})); }, [&](const CheckJob *job) { return analyse(*job); },
      [&](const CheckJob *, InputOutcome &&outcome) { outcomes.push_back(std::move(outcome)); });
  return outcomes;
}

std::optional<int> CheckRun::fixAndRun(JobSource &source) {
  const auto started = std::filesystem::file_time_type::clock::now();
  std::vector<CheckJob> jobs;
  for (;;) {
    Expected<std::vector<CheckJob>> some = source.next();
    if (!some)
      return refuse(some.error());
    if (some->empty())
      break;
    std::ranges::move(*some, std::back_inserter(jobs));
  }
  if (!source.foundAny())
    return std::nullopt;
  std::vector<InputOutcome> outcomes = analyseAll(jobs);
  fixFailed = fixSources(jobs, started, outcomes);
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    hold(std::move(outcomes[i]), jobs[i].settings);
  return std::nullopt;
}

/// Shows or makes the fixes of the findings in \p outcomes. After changes all
/// sources are read again, so that the report is on what is there. An exit code
/// when something went wrong.
std::optional<int> CheckRun::fixSources(const std::vector<CheckJob> &jobs, std::filesystem::file_time_type started,
                                        std::vector<InputOutcome> &outcomes) {
  std::vector<InputReport> reports;
  for (const InputOutcome &outcome : outcomes)
    reports.push_back(outcome.report);
  if (!arguments.quiet && std::ranges::none_of(jobs, [](const CheckJob &job) { return isCxxSource(job.file.path); }))
    complain("there is nothing to fix: fixes are made in C++ sources, and none is among the inputs");
  const FixPlan plan = planFixes(reports, started);
  if (!arguments.quiet)
    for (const std::string &reason : plan.refused)
      complain(reason);
  if (arguments.fix == FixMode::Show) {
    const Expected<std::string> diff = diffOf(plan);
    if (!diff)
      complain(diff.error().str());
    return diff && writeStandardOutput(*diff) ? std::optional<int>() : Usage;
  }
  if (plan.files.empty())
    return std::nullopt;
  if (const std::optional<Error> error = applyFixes(plan)) {
    complain(error->str());
    return Usage;
  }
  if (!arguments.quiet)
    complain(fmt::format("fixed {} finding{} in {} file{}", plan.findings, plan.findings == 1 ? "" : "s",
                         plan.files.size(), plan.files.size() == 1 ? "" : "s"));
  outcomes = analyseAll(jobs);
  return std::nullopt;
}

} // namespace condlint

//===- CheckCommand.cpp - condlint check ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckCommand.h"
#include "AnalyseInput.h"
#include "CxxSlots.h"
#include "CxxSources.h"
#include "ExitCode.h"
#include "FixSources.h"
#include "Inputs.h"
#include "Memory.h"
#include "Progress.h"
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <utility>

namespace condlint {

namespace {

/// An input with the settings that hold for it.
struct Job {
  const InputFile *file = nullptr;
  std::shared_ptr<const CheckSettings> settings;
};

/// The command line wins, then the configuration \p c (which may be null).
CheckSettings settingsOf(const CheckArguments &arguments, const Config *c, const std::string &buildFolder) {
  Config given;
  if (!arguments.targets.empty())
    given.targets = arguments.targets;
  given.failOn = arguments.failOn;
  given.select = arguments.select;
  given.ignore = arguments.ignore;
  CheckSettings settings = settingsOf(c != nullptr ? c->with(given) : given);
  settings.leavesOutProved = arguments.leavesOutProved;
  settings.cxx.buildFolder = buildFolder;
  if (arguments.hasCompilerFlags)
    settings.cxx.flags = arguments.compilerFlags;
  settings.cxx.cacheFolder = arguments.cacheFolder;
  return settings;
}

Expected<std::vector<Job>> planJobs(const CheckArguments &arguments, const std::vector<InputFile> &files) {
  std::shared_ptr<const Config> given;
  if (!arguments.configFile.empty()) {
    Expected<std::shared_ptr<const Config>> loaded = ConfigFinder::load(arguments.configFile);
    if (!loaded)
      return loaded.error();
    given = *loaded;
  }
  ConfigFinder finder;
  std::map<std::pair<const Config *, std::string>, std::shared_ptr<const CheckSettings>> known;
  std::vector<Job> jobs;
  const auto units = static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [](const InputFile &f) { return isCxxSource(f.path); }));
  for (const InputFile &file : files) {
    std::shared_ptr<const Config> config = given;
    if (!config && !arguments.noConfig) {
      Expected<std::shared_ptr<const Config>> found = finder.forInput(file.path);
      if (!found)
        return found.error();
      config = *found;
    }
    const std::string &build = arguments.compileCommands.empty() ? file.buildFolder : arguments.compileCommands;
    std::shared_ptr<const CheckSettings> &settings = known[{config.get(), build}];
    if (!settings) {
      CheckSettings own = settingsOf(arguments, config.get(), build);
      own.cxx.units = units;
      if (choosesNothing(own.rules))
        return Error{"", "--select", "every rule that is selected is ignored as well: nothing would be checked", ""};
      settings = std::make_shared<const CheckSettings>(std::move(own));
    }
    jobs.push_back({&file, settings});
  }
  return jobs;
}

/// Tells once of each version that was asked for and whose rules are not known.
void cautionOfVersions(const std::vector<Job> &jobs) {
  std::vector<std::string> told;
  const CheckSettings *last = nullptr; // most inputs share theirs with the one before
  for (const Job &job : jobs) {
    if (std::exchange(last, job.settings.get()) == job.settings.get())
      continue;
    for (const Target &target : job.settings->targets) {
      std::string caution = versionCaution(target);
      if (caution.empty() || std::ranges::find(told, caution) != told.end())
        continue;
      complain("note: " + caution);
      told.push_back(std::move(caution));
    }
  }
}

InputOutcome runJob(const Job &job, CxxSlots &slots) {
  if (job.file->problem.empty()) {
    const CxxSlots::Place place = isCxxSource(job.file->path) ? slots.wait() : CxxSlots::Place();
    return analyseInput(job.file->path, *job.settings);
  }
  InputOutcome outcome;
  outcome.report.path = job.file->path;
  outcome.report.status = InputStatus::Failed;
  outcome.report.reason = job.file->problem;
  return outcome;
}

/// Runs \p jobs on up to \p threads threads; the outcomes keep their order.
std::vector<InputOutcome> runJobs(const std::vector<Job> &jobs, unsigned threads, bool quiet) {
  std::vector<InputOutcome> outcomes(jobs.size());
  std::atomic<std::size_t> next{0};
  CxxSlots slots;
  Progress progress(jobs.size(), !quiet);
  auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      progress.start(jobs[i].file->path);
      outcomes[i] = runJob(jobs[i], slots);
      progress.finish();
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, jobs.size()); ++i)
    others.emplace_back([&work] {
      const ThreadMemory memory;
      work();
    });
  work();
  return outcomes;
}

/// Writes every report asked for and returns the exit code.
int writeReports(const Report &report, const CheckArguments &arguments) {
  int exitCode = report.exitCode;
  bool shownToPeople = false;
  for (const OutputRequest &request : arguments.outputs) {
    const RenderOptions options = renderOptions(request, arguments.color, arguments.quiet);
    if (!writeOutput(request, request.format->render(report, options)))
      exitCode = codeOfUnwritten(request);
    shownToPeople |= request.format->forPeople && request.toStandardOutput();
  }
  for (const InputReport &input : report.inputs)
    for (const std::string &note : input.notes)
      if (!shownToPeople && !arguments.quiet)
        complain(fmt::format("{}: note: {}", input.path, note));
  // A failure is told to the person at the terminal even when the report goes to
  // a program.
  for (const InputReport &input : report.inputs)
    if (!shownToPeople && input.status != InputStatus::Ok)
      complainAbout(input);
  return exitCode;
}

/// Takes what the reports say out of the outcomes.
std::vector<InputReport> reportsOf(std::vector<InputOutcome> &outcomes) {
  std::vector<InputReport> reports;
  for (InputOutcome &outcome : outcomes)
    reports.push_back(std::move(outcome.report));
  return reports;
}

/// Shows or makes the fixes of the findings in \p outcomes. After changes all
/// sources are read again, so that the report is on what is there. An exit code
/// when something went wrong.
std::optional<int> fixSources(const CheckArguments &arguments, const std::vector<Job> &jobs, unsigned threads,
                              std::filesystem::file_time_type started, std::vector<InputOutcome> &outcomes) {
  std::vector<InputReport> reports;
  for (const InputOutcome &outcome : outcomes)
    reports.push_back(outcome.report);
  if (!arguments.quiet && std::ranges::none_of(jobs, [](const Job &job) { return isCxxSource(job.file->path); }))
    complain("there is nothing to fix: fixes are made in C++ sources, and none is among the inputs");
  const FixPlan plan = planFixes(reports, started);
  if (!arguments.quiet)
    for (const std::string &reason : plan.refused)
      complain(reason);
  if (arguments.fix == FixMode::Show) {
    const Expected<std::string> diff = diffOf(plan);
    if (!diff)
      complain(diff.error().str());
    return diff && writeStandardOutput(*diff) ? std::optional<int>() : Internal;
  }
  if (plan.files.empty())
    return std::nullopt;
  if (const std::optional<Error> error = applyFixes(plan)) {
    complain(error->str());
    return Internal;
  }
  if (!arguments.quiet)
    complain(fmt::format("fixed {} finding{} in {} file{}", plan.findings, plan.findings == 1 ? "" : "s",
                         plan.files.size(), plan.files.size() == 1 ? "" : "s"));
  outcomes = runJobs(jobs, threads, arguments.quiet);
  return std::nullopt;
}

/// A report that would take the place of an input. Of what folders hold those are asked that are called as it is.
std::optional<Error> inputsOverwritten(const CheckArguments &arguments, const std::vector<InputFile> &files) {
  const std::vector<std::string> written = filesOf(arguments.outputs);
  if (written.empty())
    return std::nullopt;
  std::vector<std::string> read;
  for (const InputFile &file : files)
    read.push_back(file.path);
  return overwritten(written, read);
}

/// Finishes \p report and takes out of it what configuration and baseline know. An exit code when the baseline is no
/// good.
std::optional<int> leaveOutKnown(const CheckArguments &arguments, const std::vector<Job> &jobs, Report &report) {
  std::vector<const CheckSettings *> settings;
  for (const Job &job : jobs)
    settings.push_back(job.settings.get());
  std::vector<std::string> said = suppressConfigured(report, settings);
  finishReport(report);
  if (arguments.baseline.asked()) {
    Expected<std::vector<std::string>> more = useBaseline(report, arguments.baseline);
    if (!more) {
      complain(more.error().str());
      return Usage;
    }
    said.insert(said.end(), more->begin(), more->end());
  }
  if (!arguments.quiet)
    for (const std::string &sentence : said)
      complain(sentence);
  return std::nullopt;
}

bool holdsCompileCommands(const std::string &folder) {
  std::error_code error;
  return !compileCommandsIn(folder).empty() ||
         std::filesystem::is_regular_file(std::filesystem::path(folder) / "compile_flags.txt", error);
}

} // namespace

std::optional<int> analyseInputs(const CheckArguments &arguments, Report &report) {
  if (!arguments.compileCommands.empty() && !holdsCompileCommands(arguments.compileCommands)) {
    complain(fmt::format("-p: there is no compile_commands.json in {}", arguments.compileCommands));
    return Usage;
  }
  std::vector<InputFile> files = expandInputs(arguments.inputs, arguments.compileCommands);
  if (std::all_of(files.begin(), files.end(), [](const InputFile &f) { return f.emptyFolder; })) {
    for (const InputFile &file : files)
      complain(fmt::format("{}: {}", file.path, file.problem));
    return Usage;
  }
  Expected<std::vector<Job>> jobs = planJobs(arguments, files);
  if (!jobs) {
    complain(jobs.error().str());
    return Usage;
  }
  if (const std::optional<Error> error = inputsOverwritten(arguments, files)) {
    complain(error->str());
    return Usage;
  }
  if (!arguments.quiet)
    cautionOfVersions(*jobs);
  unsigned threads = arguments.jobs != 0 ? arguments.jobs : std::max(1u, std::thread::hardware_concurrency());
  const auto started = std::filesystem::file_time_type::clock::now();
  std::vector<InputOutcome> outcomes = runJobs(*jobs, threads, arguments.quiet);
  std::optional<int> failed;
  if (arguments.fix != FixMode::None)
    failed = fixSources(arguments, *jobs, threads, started, outcomes);
  const bool internalError = std::ranges::any_of(outcomes, &InputOutcome::internalError);
  report.inputs = reportsOf(outcomes);
  if (const std::optional<int> wrong = leaveOutKnown(arguments, *jobs, report))
    return wrong;
  report.exitCode = failed.value_or(exitCodeOf(report, internalError, arguments.allowPartial));
  if (arguments.timing)
    for (const InputReport &input : report.inputs)
      if (input.kind == "cxx")
        complain(fmt::format("{}: parsed in {:.1f} ms, read in {:.1f} ms, checked in {:.1f} ms", input.path,
                             input.times.parse * 1e3, input.times.read * 1e3, input.times.rules * 1e3));
  return std::nullopt;
}

int runCheck(const CheckArguments &arguments) {
  // The process ends with this report: to give its memory back piece by piece would only take time.
  static Report &report = *new Report;
  if (const std::optional<int> end = analyseInputs(arguments, report))
    return *end;
  return writeReports(report, arguments);
}

} // namespace condlint

//===- CheckJobs.cpp - Inputs with the settings that hold for each --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckJobs.h"
#include "Output.h"
#include "WrittenFiles.h"
#include <algorithm>
#include <cstdint>
#include <utility>

namespace condlint {

namespace {

constexpr std::size_t filesOfPart = 8192;
/// Members of archives are in memory until they are analysed.
constexpr std::size_t bytesOfPart = 64 << 20;
/// Few enough that other threads can begin at once.
constexpr std::size_t filesAtATime = 32;

} // namespace

/// The command line wins, then the configuration \p c (which may be null).
CheckSettings JobPlanner::settingsWith(const Config *c, const std::string &buildFolder) const {
  Config own;
  if (!arguments.targets.empty())
    own.targets = arguments.targets;
  own.failOn = arguments.failOn;
  own.select = arguments.select;
  own.ignore = arguments.ignore;
  CheckSettings settings = settingsOf(c != nullptr ? c->with(own) : own);
  settings.leavesOutProved = arguments.leavesOutProved;
  settings.drawing = arguments.drawing;
  settings.cxx.buildFolder = buildFolder;
  if (arguments.hasCompilerFlags)
    settings.cxx.flags = arguments.compilerFlags;
  settings.cxx.cacheFolder = arguments.cacheFolder;
  settings.cxx.unsaved = arguments.unsaved;
  settings.cxx.rereading = arguments.rereading;
  settings.cxx.units = arguments.keepsHeaders ? 2 : 1;
  settings.rules.details = arguments.details;
  settings.cxx.recordsFiles =
      arguments.diff.asked() || !arguments.findingsFolder.empty() || WrittenFiles::areThere(arguments);
  return settings;
}

Expected<std::vector<CheckJob>> JobPlanner::plan(std::vector<InputFile> files) {
  if (!arguments.configFile.empty() && !given) {
    Expected<std::shared_ptr<const Config>> loaded = ConfigFinder::load(arguments.configFile);
    if (!loaded)
      return loaded.error();
    given = *loaded;
  }
  const auto units = static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [](const InputFile &f) { return isCxxSource(f.path); }));
  std::vector<CheckJob> jobs;
  jobs.reserve(files.size());
  for (InputFile &file : files) {
    std::shared_ptr<const Config> config = given;
    if (!config && !arguments.noConfig) {
      Expected<std::shared_ptr<const Config>> found = finder.forInput(file.path);
      if (!found)
        return found.error();
      config = *found;
    }
    const std::string &build = arguments.compileCommands.empty() ? file.buildFolder : arguments.compileCommands;
    std::shared_ptr<const CheckSettings> &settings = known[{config.get(), build}];
    if (!settings || settings->cxx.units < units) {
      CheckSettings own = settingsWith(config.get(), build);
      if (choosesNothing(own.rules))
        return Error{"", "--select", "every rule that is selected is ignored as well: nothing would be checked", ""};
      own.cxx.units = std::max(own.cxx.units, units);
      settings = std::make_shared<CheckSettings>(std::move(own));
    }
    jobs.push_back({std::move(file), settings});
  }
  return jobs;
}

JobSource::JobSource(const CheckArguments &arguments, const WrittenFiles &w, ShardFilter *s)
    : written(w), shards(s), walk(arguments.inputs, arguments.compileCommands), planner(arguments),
      isOnePart(arguments.fix != FixMode::None) {
  nextPart();
}

bool JobSource::nextPart() {
  filesLeft = isOnePart ? SIZE_MAX : filesOfPart;
  bytesLeft = isOnePart ? SIZE_MAX : bytesOfPart;
  return !walk.isOver();
}

/// Some files of this part. Folders in which there is nothing are held back as long as there is nothing elsewhere.
Expected<std::vector<InputFile>> JobSource::nextFiles() {
  std::vector<InputFile> files;
  // What sources share with one another depends on how many there are: they come together.
  while (partGoesOn() && (files.size() < filesAtATime || anySource)) {
    Expected<std::vector<InputFile>> some = walk.next(std::min(filesAtATime, filesLeft), bytesLeft);
    if (!some)
      return some;
    for (InputFile &file : *some) {
      --filesLeft;
      bytesLeft -= std::min(bytesLeft, file.bytes ? file.bytes->view().size() : 0);
      anySource |= isCxxSource(file.path);
      if (!any && file.emptyFolder) {
        emptyOnes.push_back(std::move(file));
        continue;
      }
      if (!std::exchange(any, true))
        files = std::exchange(emptyOnes, {});
      files.push_back(std::move(file));
    }
  }
  return files;
}

Expected<std::vector<CheckJob>> JobSource::next() {
  while (partGoesOn()) {
    Expected<std::vector<InputFile>> files = nextFiles();
    if (!files)
      return files.error();
    if (std::optional<Error> error = written.over(*files, &InputFile::path))
      return std::move(*error);
    if (shards != nullptr)
      shards->keepOwn(*files);
    Expected<std::vector<CheckJob>> jobs = planner.plan(std::move(*files));
    if (!jobs)
      return jobs;
    if (std::optional<Error> error = written.over(*jobs, [](const CheckJob &job) { return job.settings->configFile; }))
      return std::move(*error);
    for (CheckJob &job : *jobs)
      job.followsSource = behindSource = behindSource || isCxxSource(job.file.path);
    if (!jobs->empty())
      return jobs;
  }
  return std::vector<CheckJob>();
}

} // namespace condlint

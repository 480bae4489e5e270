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
#include <utility>

namespace condlint {

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
    std::shared_ptr<CheckSettings> &settings = known[{config.get(), build}];
    if (!settings) {
      CheckSettings own = settingsWith(config.get(), build);
      if (choosesNothing(own.rules))
        return Error{"", "--select", "every rule that is selected is ignored as well: nothing would be checked", ""};
      settings = std::make_shared<CheckSettings>(std::move(own));
    }
    settings->cxx.units = std::max(settings->cxx.units, units);
    jobs.push_back({std::move(file), settings});
  }
  return jobs;
}

} // namespace condlint

//===- CheckJobs.h - Inputs with the settings that hold for each *- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_CHECKJOBS_H
#define CONDLINT_TOOL_CHECKJOBS_H

#include "AnalyseInput.h"
#include "CheckCommand.h"
#include "Inputs.h"
#include "Shards.h"
#include "WrittenFiles.h"
#include "condlint/Expected.h"
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace condlint {

/// An input with the settings that hold for it.
struct CheckJob {
  InputFile file;
  std::shared_ptr<const CheckSettings> settings;
  bool followsSource = false; ///< it is a C++ source, or stands behind one
};

/// Finds what holds for each input: what the command line says wins, then the nearest configuration.
class JobPlanner {
public:
  explicit JobPlanner(const CheckArguments &a) : arguments(a) {}

  /// The error is a mistake in a configuration, or of the command line with it.
  Expected<std::vector<CheckJob>> plan(std::vector<InputFile> files);

private:
  CheckSettings settingsWith(const Config *c, const std::string &buildFolder) const;

  const CheckArguments &arguments;
  std::shared_ptr<const Config> given;
  ConfigFinder finder;
  std::map<std::pair<const Config *, std::string>, std::shared_ptr<const CheckSettings>> known;
};

/// The inputs of one `condlint check` with the settings that hold for each, in their order, as they are found. They
/// come in parts: all of one are known before anything is reported of it, so that what is wrong with the configuration
/// of a usual run is found before its first line is written, and a part fits any memory. Who makes fixes changes
/// inputs: all are one part then.
class JobSource {
public:
  /// \param written is asked about what is read; \param shards, which may be null, chooses. Both outlive this.
  JobSource(const CheckArguments &arguments, const WrittenFiles &written, ShardFilter *shards);

  /// The next jobs of this part; none at its end. The error is a mistake in the command line, a list or a
  /// configuration.
  Expected<std::vector<CheckJob>> next();
  /// Goes on to the next part. False: there is none.
  bool nextPart();
  /// Whether the command line is such that several jobs are likely.
  bool mayBeMany() const { return walk.mayBeMany(); }
  /// Whether no other job comes after those that came.
  bool isOver() const { return walk.isOver(); }
  /// Whether there was anything to check, in this shard or another.
  bool foundAny() const { return any; }
  /// The folders in which there was nothing, where nothing was found elsewhere either.
  const std::vector<InputFile> &emptyFolders() const { return emptyOnes; }

private:
  bool partGoesOn() const { return filesLeft != 0 && bytesLeft != 0 && !walk.isOver(); }
  Expected<std::vector<InputFile>> nextFiles();

  const WrittenFiles &written;
  ShardFilter *shards;
  InputWalk walk;
  JobPlanner planner;
  bool isOnePart;
  std::size_t filesLeft = 0, bytesLeft = 0; ///< of this part; the bytes of what is no file of its own
  std::vector<InputFile> emptyOnes;
  bool any = false, anySource = false, behindSource = false;
};

} // namespace condlint

#endif // CONDLINT_TOOL_CHECKJOBS_H

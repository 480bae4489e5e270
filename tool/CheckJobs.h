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
#include "condlint/Expected.h"
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
  std::map<std::pair<const Config *, std::string>, std::shared_ptr<CheckSettings>> known;
};

} // namespace condlint

#endif // CONDLINT_TOOL_CHECKJOBS_H

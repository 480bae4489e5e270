//===- WrittenFiles.cpp - What a check must not write over ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WrittenFiles.h"
#include "CxxSources.h"
#include <algorithm>
#include <filesystem>

namespace condlint {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> allWritten(const CheckArguments &arguments) {
  std::vector<std::string> files = filesOf(arguments.outputs);
  if (const BaselineArguments &baseline = arguments.baseline; baseline.write || baseline.prune)
    files.push_back(baseline.path());
  return files;
}

} // namespace

WrittenFiles::WrittenFiles(const CheckArguments &a) : arguments(a), reports(filesOf(a.outputs)), files(allWritten(a)) {}

bool WrittenFiles::areThere(const CheckArguments &arguments) {
  std::error_code error;
  return std::ranges::any_of(allWritten(arguments),
                             [&](const std::string &file) { return fs::is_regular_file(file, error); });
}

std::optional<Error> WrittenFiles::overArguments() const {
  if (arguments.baseline.asked())
    if (std::optional<Error> error = overwritten(reports, {arguments.baseline.path()}))
      return error;
  std::vector<std::string> read{arguments.configFile, arguments.diff.file};
  if (!arguments.compileCommands.empty())
    read.push_back(compileCommandsIn(arguments.compileCommands));
  for (const std::string &input : arguments.inputs) // an archive is one, though its models are called after it
    read.push_back(input.size() > 1 && input.starts_with('@') ? input.substr(1) : input);
  return overwritten(files, read);
}

void WrittenFiles::lookFor(const InputReport &input) {
  for (const InputDependency &d : input.dependencies)
    for (const std::string &file : files) {
      // The system is asked of few: headers are many.
      if (fs::path(file).filename() != fs::path(d.path).filename())
        continue;
      if (std::optional<Error> error = overwritten({file}, {d.path})) {
        const std::scoped_lock lock(mutex);
        found = std::move(error);
      }
    }
}

std::optional<Error> WrittenFiles::overDependencies() const {
  const std::scoped_lock lock(mutex);
  return found;
}

} // namespace condlint

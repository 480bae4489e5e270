//===- WrittenFiles.h - What a check must not write over --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_WRITTENFILES_H
#define CONDLINT_TOOL_WRITTENFILES_H

#include "CheckCommand.h"
#include "Output.h"
#include "condlint/Expected.h"
#include "condlint/Report.h"
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace condlint {

/// The files that one `condlint check` writes, its reports and its baseline, held against all that it reads: whoever
/// names the wrong file does not lose a model. Each error names the file that would be lost.
class WrittenFiles {
public:
  explicit WrittenFiles(const CheckArguments &a);

  /// Whether one of the files is there already, so that something could be lost.
  static bool areThere(const CheckArguments &arguments);
  /// What the command line names to be read, whatever the inputs are.
  std::optional<Error> overArguments() const;
  /// What \p pathOf says of each of \p read, of which many may be the same; an empty path is none.
  template <class T, class Path> std::optional<Error> over(const std::vector<T> &read, Path pathOf) const {
    if (files.empty())
      return std::nullopt;
    std::set<std::string> paths;
    for (const T &each : read)
      paths.insert(std::invoke(pathOf, each));
    return overwritten(files, {paths.begin(), paths.end()});
  }
  /// Looks for the files among those that the finished \p input was read from besides its own: data beside a model,
  /// headers of a source. Safe to call from many threads.
  void lookFor(const InputReport &input);
  /// What `lookFor` found.
  std::optional<Error> overDependencies() const;

private:
  const CheckArguments &arguments;
  std::vector<std::string> reports;
  std::vector<std::string> files; ///< them, and the baseline
  mutable std::mutex mutex;
  std::optional<Error> found;
};

} // namespace condlint

#endif // CONDLINT_TOOL_WRITTENFILES_H

//===- KnownFindings.h - Findings that a run keeps quiet about --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_KNOWNFINDINGS_H
#define CONDLINT_TOOL_KNOWNFINDINGS_H

#include "AnalyseInput.h"
#include "condlint/Expected.h"
#include "report/Baseline.h"
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace condlint {

/// What the command line says of a baseline.
struct BaselineArguments {
  std::string file;   ///< empty: the usual one, where it is written
  bool write = false; ///< all that is found now is known from now on
  bool prune = false; ///< what is not found any more is known no longer
  bool asked() const { return write || prune || !file.empty(); }
  /// The file that is read or written, where one is asked for.
  std::string path() const { return file.empty() ? std::string(Baseline::usualFile) : file; }
};

/// Takes out of inputs what configurations and a baseline know, as they come. Safe to use from many threads.
class KnownFindings {
public:
  /// Reads the baseline that \p arguments name; the error says why it is no good.
  static Expected<std::unique_ptr<KnownFindings>> open(const BaselineArguments &arguments);

  /// Moves what the configuration of \p settings suppresses in \p input to `suppressed`.
  void suppressConfigured(InputReport &input, const CheckSettings &settings);
  /// Moves what the baseline knows of the finished \p input, which was analysed with \p settings, to `suppressed`, or
  /// takes it down.
  void useBaseline(InputReport &input, const CheckSettings &settings);
  /// Writes the baseline where that was asked for. \returns what the person at the terminal should know: what
  /// suppresses nothing, how many findings are new in the file, or not found any more.
  Expected<std::vector<std::string>> finish();

private:
  explicit KnownFindings(BaselineArguments a) : arguments(std::move(a)) {}
  Expected<std::vector<std::string>> finishBaseline();

  struct Use {
    std::size_t inputs = 0, findings = 0;
  };
  BaselineArguments arguments;
  std::mutex mutex;
  std::map<std::pair<std::string, std::size_t>, Use> uses; ///< by configuration and entry
  Baseline before, now;
  BaselineUse usage{before};
};

} // namespace condlint

#endif // CONDLINT_TOOL_KNOWNFINDINGS_H

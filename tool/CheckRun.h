//===- CheckRun.h - From the arguments to finished inputs -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_CHECKRUN_H
#define CONDLINT_TOOL_CHECKRUN_H

#include "CheckCommand.h"
#include "CheckJobs.h"
#include "CxxSlots.h"
#include "FindingsCache.h"
#include "KnownFindings.h"
#include "Progress.h"
#include "ReportOutputs.h"
#include "Shards.h"
#include "WrittenFiles.h"
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// One `condlint check`: finds the inputs some thousands at a time, analyses them on several threads meanwhile, and
/// gives them on in their order. C++ sources may share headers, so that they are kept, and what stands behind the first
/// of them, until all are there.
class CheckRun {
public:
  CheckRun(const CheckArguments &arguments, InputSink &sink);

  /// Analyses all inputs. An exit code when the command line, a configuration or an output is no good; the person at
  /// the terminal was told.
  std::optional<int> run();
  /// What the run comes to, after it.
  RunEnd end() const;

private:
  struct Done {
    InputOutcome outcome;
    std::vector<std::string> parts;
  };
  std::optional<int> runAll(JobSource &jobs);
  std::optional<int> fixAndRun(JobSource &source);
  std::optional<int> fixSources(const std::vector<CheckJob> &jobs, std::filesystem::file_time_type started,
                                std::vector<InputOutcome> &outcomes);
  std::optional<int> finish();
  std::vector<InputOutcome> analyseAll(const std::vector<CheckJob> &jobs);
  InputOutcome analyse(const CheckJob &job);
  InputOutcome lookUpOrAnalyse(const CheckJob &job);
  void finishOne(InputReport &input, const CheckSettings &settings);
  void tellNotReached() const;
  std::optional<int> failed() const;
  void hold(InputOutcome outcome, std::shared_ptr<const CheckSettings> settings);
  void give(InputReport &&input, const std::vector<std::string> &parts);

  const CheckArguments &arguments;
  InputSink &sink;
  unsigned threads;
  std::unique_ptr<KnownFindings> known;
  std::unique_ptr<ChangedLines> changed; ///< null: all is looked at
  std::optional<FindingsCache> cache;
  std::optional<ShardFilter> shards;
  CxxSlots slots;
  WrittenFiles written;
  std::optional<Progress> progress;                               ///< while inputs are analysed
  std::vector<InputReport> held;                                  ///< the first C++ source, and all behind it
  std::vector<std::shared_ptr<const CheckSettings>> heldSettings; ///< what each was analysed with
  RunVerdict verdict;
  std::optional<int> fixFailed;
};

} // namespace condlint

#endif // CONDLINT_TOOL_CHECKRUN_H

//===- RunModel.h - From a model to what running it came to -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_RUNMODEL_H
#define CONDLINT_TOOL_RUNMODEL_H

#include "ExitCode.h"
#include "RunCommand.h"
#include "condlint/Array.h"
#include "condlint/Executor.h"
#include "condlint/Report.h"
#include "condlint/ReportFormat.h"
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// What one run on the taken branches came to.
struct TakenRun {
  int code = Clean;
  std::optional<Error> error; ///< why it did not come to its end
  double milliseconds = 0;
  ExecutionStatistics statistics;
  std::vector<Array> outputs;
  std::vector<std::string> values; ///< by output: the value in the model
  std::vector<std::string> differences;
};

/// What `condlint run` has to say of a model.
struct RunOutcome {
  Report report; ///< with the exit code
  std::optional<TakenRun> taken;
  bool bothBranches = false;  ///< the report is on both branches of every conditional
  std::optional<Error> error; ///< why nothing ran to its end; where the code is Usage, what was asked for is wrong
};

/// Runs the one of \p models that \p arguments choose, or says why it cannot; may throw where memory ends.
RunOutcome runOne(Expected<std::vector<Model>> &models, const RunArguments &arguments);
/// The outcome of what cannot run.
RunOutcome refused(const Error &e, int code, const RunArguments &arguments);

/// \p outcome in \p format. For people there is nothing of what did not run to its end: the error says it.
std::string rendered(const RunOutcome &outcome, const ReportFormat &format, RenderOptions options,
                     const RunArguments &arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_RUNMODEL_H

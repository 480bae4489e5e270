//===- AnalyseInput.h - From one file to its part of the report -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_ANALYSEINPUT_H
#define CONDLINT_TOOL_ANALYSEINPUT_H

#include "Inputs.h"
#include "condlint/Report.h"
#include "condlint/Rule.h"
#include "condlint/Target.h"
#include "config/Config.h"
#include "cxx/CxxReader.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace condlint {

/// What holds for one input, after command line and configuration.
struct CheckSettings {
  std::vector<Target> targets; ///< empty: the target of the model itself
  RuleOptions rules;
  Severity failOn = Severity::Error; ///< Off: never
  CxxSettings cxx;
  std::shared_ptr<const OperatorDeclarations> operators; ///< that the configuration describes
  std::string configFile;                                ///< of the configuration, for what it suppresses
  std::vector<SuppressionRule> suppress;                 ///< in its order
  DrawingLimits drawing;                                 ///< which conditionals the report draws
  bool leavesOutProved = false; ///< conditionals without a finding and without an open question are counted alone
};

/// What \p config asks for, and the defaults.
CheckSettings settingsOf(const Config &config);
/// Whether every rule that is selected is ignored as well, so that nothing would be checked.
bool choosesNothing(const RuleOptions &rules);

/// One input's part of the report.
struct InputOutcome {
  InputReport report;
  bool internalError = false;
};

/// Reads \p path and checks its models. Never throws; what goes wrong is in the
/// report.
InputOutcome analyseInput(const std::string &path, const CheckSettings &settings);

/// The same for what an argument led to, which may be no file of its own, or have a problem.
InputOutcome analyseInput(const InputFile &file, const CheckSettings &settings);

/// The same for what is no file: \p read reads the models, and \p path is what the report calls it.
using ReadModels = std::function<Expected<std::vector<Model>>()>;
InputOutcome analyseInput(const std::string &path, const ReadModels &read, const CheckSettings &settings);

/// What the exit code of a run comes from, input by input.
struct RunVerdict {
  bool internalError = false; ///< some input met a defect of condlint
  bool unanalysed = false, found = false;

  void add(const InputReport &input, bool allowPartial);
  int exitCode() const;
};

/// The exit code of a run; \p internalError: some input met a defect of condlint.
int exitCodeOf(const Report &report, bool internalError, bool allowPartial);

/// The same for a C++ source, into \p report; may throw.
void analyseCxx(const CheckSettings &settings, InputReport &report);

} // namespace condlint

#endif // CONDLINT_TOOL_ANALYSEINPUT_H

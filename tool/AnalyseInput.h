//===- AnalyseInput.h - From one file to its part of the report -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_ANALYSEINPUT_H
#define CONDLINT_TOOL_ANALYSEINPUT_H

#include "condlint/Report.h"
#include "condlint/Rule.h"
#include "condlint/Target.h"
#include "cxx/CxxReader.h"
#include <string>
#include <vector>

namespace condlint {

/// What holds for one input, after command line and configuration.
struct CheckSettings {
  std::vector<Target> targets; ///< empty: the target of the model itself
  RuleOptions rules;
  Severity failOn = Severity::Error; ///< Off: never
  CxxSettings cxx;
  bool leavesOutProved = false; ///< conditionals without a finding and without an open question are counted alone
};

/// One input's part of the report.
struct InputOutcome {
  InputReport report;
  bool internalError = false;
};

/// Reads \p path and checks its models. Never throws; what goes wrong is in the
/// report.
InputOutcome analyseInput(const std::string &path, const CheckSettings &settings);

/// The same for a C++ source, into \p report; may throw.
void analyseCxx(const CheckSettings &settings, InputReport &report);

} // namespace condlint

#endif // CONDLINT_TOOL_ANALYSEINPUT_H

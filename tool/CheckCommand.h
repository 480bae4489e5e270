//===- CheckCommand.h - condlint check --------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_CHECKCOMMAND_H
#define CONDLINT_TOOL_CHECKCOMMAND_H

#include "ChangedLines.h"
#include "KnownFindings.h"
#include "Output.h"
#include "condlint/Report.h"
#include "config/Config.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// What becomes of the fixes of findings in sources.
enum class FixMode : std::uint8_t {
  None,
  Show,  ///< a unified diff on standard output
  Apply, ///< they are made, and the report is on what is left
};

/// What the command line of `condlint check` says; what it does not say is empty
/// and comes from the configuration or the defaults.
struct CheckArguments {
  std::vector<std::string> inputs;
  std::vector<Target> targets;
  std::vector<OutputRequest> outputs;
  std::optional<Severity> failOn;
  std::optional<RuleSet> select;
  std::optional<RuleSet> ignore;
  unsigned jobs = 0; ///< 0: as many as the machine has
  bool quiet = false;
  ColorChoice color = ColorChoice::Auto;
  std::string configFile;
  bool noConfig = false;
  bool allowPartial = false;
  DrawingLimits drawing;        ///< which conditionals the report draws
  bool leavesOutProved = false; ///< every report is for people, who read of what is wrong or open alone
  bool timing = false;          ///< C++
  FixMode fix = FixMode::None;  ///< C++
  BaselineArguments baseline;
  DiffArguments diff;
  std::optional<Shard> shard;             ///< the part of the inputs that this run is on
  std::string compileCommands;            ///< C++: the folder of compile_commands.json
  bool hasCompilerFlags = false;          ///< C++: `--` was given
  std::vector<std::string> compilerFlags; ///< C++: what stands behind it
  std::string cacheFolder;                ///< C++: where parsed library headers are kept; empty: nowhere
  std::string findingsFolder;             ///< where what was found is kept; empty: nowhere
  std::shared_ptr<const std::vector<UnsavedFile>> unsaved; ///< C++: what is open in an editor
  bool details = false;                                    ///< conditionals are described for who looks at them
  std::shared_ptr<const CxxRereading> rereading;           ///< C++: the one source is read several times
  bool keepsHeaders = false;                               ///< C++: parsed library headers are kept for one source too
};

/// Analyses the inputs into \p report. Nothing, or the exit code when it could not begin;
/// the person at the terminal was told why.
std::optional<int> analyseInputs(const CheckArguments &arguments, Report &report);

/// Analyses the inputs, writes the reports and returns the exit code.
int runCheck(const CheckArguments &arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_CHECKCOMMAND_H

//===- RunCommand.h - condlint run ------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_RUNCOMMAND_H
#define CONDLINT_TOOL_RUNCOMMAND_H

#include "Output.h"
#include "condlint/Executor.h"
#include "condlint/Report.h"
#include "condlint/Target.h"
#include "config/Config.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// What the command line of `condlint run` says.
struct RunArguments {
  std::string model;
  std::string name;   ///< which model of an archive that holds several
  std::string inputs; ///< an .npz or a folder of input_K.pb; empty: drawn
  std::string expect;
  std::string save;
  std::vector<Target> targets;
  std::optional<Config> config; ///< instead of the nearest one
  std::vector<OutputRequest> outputs;
  bool bothBranches = false;
  bool draw = false; ///< the report holds drawings, whatever the outputs
  bool trace = false;
  bool quiet = false;
  bool allowPartial = false; ///< a branch that could not run is no failure
  std::string keepIn = ".";  ///< the folder for inputs that show a break; empty: they are not kept
  std::string device = "cpu";
  std::optional<double> rtol, atol; ///< left out: what suits the element type
  std::uint64_t seed = 0;
  std::uint32_t draws = 3;
  std::uint64_t memoryLimit = 0;
  double timeLimit = 0;
  ColorChoice color = ColorChoice::Auto;
};

/// Runs the model and returns the exit code.
int runModel(const RunArguments &arguments);

/// Prints a node that was executed to standard error, with its results and its time: `--trace`.
void printTrace(const TraceEntry &entry);

/// "512M" as bytes; nothing for what is no size.
std::optional<std::uint64_t> parseBytes(std::string_view text);

// --- RunBoth.cpp ------------------------------------------------------------------

/// Runs both branches of every conditional, on given inputs or on drawn ones, and
/// fills the report: what breaks a rule is a finding, what could not run makes it partial.
/// The nearest configuration holds as for `check`; an error is one in it, or says that the model cannot take the
/// given inputs: then nothing has run.
std::optional<Error> validateModel(Model &model, const RunArguments &arguments, const std::vector<Array> *given,
                                   InputReport &report);

} // namespace condlint

#endif // CONDLINT_TOOL_RUNCOMMAND_H

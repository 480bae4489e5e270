//===- CommandOptions.h - Which options each command has --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each command with its arguments, its options and what --help says of them. What the words
// of an option mean is CommandLine's part.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_COMMANDOPTIONS_H
#define CONDLINT_TOOL_COMMANDOPTIONS_H

#include "CheckCommand.h"
#include "CompareCommand.h"
#include "ExplainCommand.h"
#include "MergeCommand.h"
#include "RunCommand.h"
#include "ShowCommand.h"
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// The words of the options of `check`, before they are understood.
struct CheckWords {
  std::vector<std::string> targets, outputs, select, ignore;
  std::string failOn, color = "auto", shard;
  bool noCache = false, fix = false, showFixes = false;
};
/// The words of the options of `run`, before they are understood.
struct RunWords {
  std::vector<std::string> targets, outputs;
  std::string branch = "taken", memory, color = "auto";
  std::optional<std::uint32_t> draws;
};
/// The words of the options of `compare`, before they are understood.
struct CompareWords {
  std::vector<std::string> targets;
  std::string failOn;
};

CLI::App *addCheck(CLI::App &app, CheckArguments &a, CheckWords &w);
CLI::App *addMerge(CLI::App &app, MergeArguments &a, std::vector<std::string> &outputs, std::string &color);
/// An option that names a file or a folder names one: a variable of a script that is not set is a mistake.
void refuseEmptyNames(CLI::App &command);
CLI::App *addRun(CLI::App &app, RunArguments &a, RunWords &w);
/// `--output` of what is no report.
CLI::Option *addFormat(CLI::App &app, std::string &format);
CLI::App *addExplain(CLI::App &app, ExplainArguments &a, CheckWords &w, std::string &rule);
CLI::App *addShow(CLI::App &app, ShowArguments &a, CheckWords &w);
CLI::App *addCompare(CLI::App &app, CompareArguments &a, CompareWords &w);
CLI::App *addLsp(CLI::App &app, CheckArguments &a, CheckWords &w, bool &stdio);

} // namespace condlint

#endif // CONDLINT_TOOL_COMMANDOPTIONS_H

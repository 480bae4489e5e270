//===- Commands.h - The commands beside check -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_COMMANDS_H
#define CONDLINT_TOOL_COMMANDS_H

#include "Output.h"
#include "condlint/Graph.h"
#include <string>
#include <vector>

namespace condlint {

/// `condlint dump MODEL`: the graphs of a model, as text or as condlint's own
/// JSON, which `condlint check` reads back.
struct DumpArguments {
  std::string input;
  std::string model;     ///< which model of an archive; empty: all
  bool inferred = false; ///< with the types that the operators yield
  OutputFormat format = OutputFormat::Text;
};
int runDump(const DumpArguments &arguments);
/// What it prints of \p models, which it types where that is asked for.
Expected<std::string> dumpModels(std::vector<Model> &models, const DumpArguments &arguments);

/// `condlint explain RULE`: the page of a rule.
int runExplain(const std::string &rule, OutputFormat format);
Expected<std::string> explainRule(const std::string &rule, OutputFormat format);
/// `condlint rules`: the table of rules with their severities.
int runRules(OutputFormat format);
std::string listRules(OutputFormat format);
/// `condlint targets`: the systems whose rules condlint knows.
int runTargets(OutputFormat format);
std::string listTargets(OutputFormat format);
/// `condlint tidy-plugin`: the path of the checks of clang-tidy.
int runTidyPlugin();
/// What `condlint --version` prints.
std::string versionText();

} // namespace condlint

#endif // CONDLINT_TOOL_COMMANDS_H

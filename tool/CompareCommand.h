//===- CompareCommand.h - condlint compare ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_COMPARECOMMAND_H
#define CONDLINT_TOOL_COMPARECOMMAND_H

#include "Output.h"
#include "compare/Compare.h"
#include <string>

namespace condlint {

/// `condlint compare BEFORE AFTER`: what became of a model's conditionals.
struct CompareArguments {
  std::string before, after;
  ComparisonOptions comparison;
  Severity failOn = Severity::Error; ///< Off: never
  OutputFormat format = OutputFormat::Text;
  bool quiet = false;
};

/// Prints what changed. Clean, or Findings where a change is as severe as `failOn`; Unanalysed where one of the files
/// cannot be read, or what was asked to run could not.
int runCompare(const CompareArguments &arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_COMPARECOMMAND_H

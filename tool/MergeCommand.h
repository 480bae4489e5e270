//===- MergeCommand.h - condlint merge --------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_MERGECOMMAND_H
#define CONDLINT_TOOL_MERGECOMMAND_H

#include "Output.h"
#include <string>
#include <vector>

namespace condlint {

/// What the command line of `condlint merge` says.
struct MergeArguments {
  std::vector<std::string> reports;
  std::vector<OutputRequest> outputs;
  bool quiet = false;
  ColorChoice color = ColorChoice::Auto;
};

/// Makes one report of several, as one run over all inputs would have written it, and returns the exit code that it
/// would have had. Of shards all must be there, each once.
int runMerge(const MergeArguments &arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_MERGECOMMAND_H

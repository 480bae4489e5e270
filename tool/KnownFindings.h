//===- KnownFindings.h - Findings that a run keeps quiet about --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_KNOWNFINDINGS_H
#define CONDLINT_TOOL_KNOWNFINDINGS_H

#include "AnalyseInput.h"
#include "condlint/Expected.h"
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// What the command line says of a baseline.
struct BaselineArguments {
  std::string file;   ///< empty: the usual one, where it is written
  bool write = false; ///< all that is found now is known from now on
  bool prune = false; ///< what is not found any more is known no longer
  bool asked() const { return write || prune || !file.empty(); }
};

/// Moves what the configurations suppress to `suppressed`. \p settings are those of the inputs, in their order.
/// \returns a sentence for each entry that suppresses nothing in inputs that it speaks of.
std::vector<std::string> suppressConfigured(Report &report, const std::vector<const CheckSettings *> &settings);

/// Writes, applies or prunes the baseline of a finished \p report. \returns what the person at the terminal should
/// know: how many findings are new in the file, or not found any more.
Expected<std::vector<std::string>> useBaseline(Report &report, const BaselineArguments &arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_KNOWNFINDINGS_H

//===- ExitCode.h - What the program says at its end ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_EXITCODE_H
#define CONDLINT_TOOL_EXITCODE_H

namespace condlint {

/// The exit codes; `Unanalysed` wins over `Findings`.
enum ExitCode : int {
  Clean = 0,      ///< nothing at or above --fail-on
  Findings = 1,   ///< something at or above --fail-on
  Usage = 2,      ///< the command line is wrong, nothing matched, or the report cannot be written
  Unanalysed = 3, ///< some input could not be analysed, whatever else was found
  Internal = 4,   ///< a fault of condlint or of the machine
};

} // namespace condlint

#endif // CONDLINT_TOOL_EXITCODE_H

//===- CommandLine.h - From the arguments to a command ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_COMMANDLINE_H
#define CONDLINT_TOOL_COMMANDLINE_H

namespace condlint {

/// Reads the command line, runs the command and returns the exit code.
int runCommandLine(int argc, const char *const *argv);

} // namespace condlint

#endif // CONDLINT_TOOL_COMMANDLINE_H

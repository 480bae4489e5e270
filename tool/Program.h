//===- Program.h - What the program does ------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_PROGRAM_H
#define CONDLINT_TOOL_PROGRAM_H

namespace condlint {

/// What main() does, whether the program holds all of condlint or finds it in the shared library. Returns the
/// exit code.
int runProgram(int argc, char **argv);

} // namespace condlint

#endif // CONDLINT_TOOL_PROGRAM_H

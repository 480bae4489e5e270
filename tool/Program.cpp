//===- Program.cpp - What the program does ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "CommandLine.h"
#include "ExitCode.h"
#include "Memory.h"
#include "Output.h"
#include <cstdlib>
#include <exception>

namespace condlint {

int runProgram(int argc, char **argv) {
  takeMemoryInLargePieces();
  // libzip turns the time of every entry of an archive into local time; where TZ is not
  // set, glibc asks the file system each time, under one lock for all threads.
  ::setenv("TZ", "UTC0", 0);
  try {
    return runCommandLine(argc, argv);
  } catch (const std::exception &e) {
    complain(std::string("internal error: ") + e.what());
  } catch (...) {
    complain("internal error");
  }
  return Internal;
}

} // namespace condlint

//===- Main.cpp - The condlint program ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "ExitCode.h"
#include "Memory.h"
#include "Output.h"
#include <cstdlib>
#include <exception>

int main(int argc, char **argv) {
  condlint::takeMemoryInLargePieces();
  // libzip turns the time of every entry of an archive into local time; where TZ is not
  // set, glibc asks the file system each time, under one lock for all threads.
  ::setenv("TZ", "UTC0", 0);
  try {
    return condlint::runCommandLine(argc, argv);
  } catch (const std::exception &e) {
    condlint::complain(std::string("internal error: ") + e.what());
  } catch (...) {
    condlint::complain("internal error");
  }
  return condlint::Internal;
}

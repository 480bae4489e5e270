//===- Main.cpp - The condlint program ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"

int main(int argc, char **argv) { return condlint::runProgram(argc, argv); }

//===- ExecuTorchProgram.cpp - A program that is no model any more --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecuTorchProgram.h"

namespace condlint {

bool isExecuTorchProgram(std::string_view bytes) {
  // The offset of the root table, and the identifier: schema/program.fbs.
  constexpr std::size_t at = 4, size = 4;
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return bytes.size() >= at + size && bytes.substr(at, 2) == "ET" && isDigit(bytes[at + 2]) && isDigit(bytes[at + 3]);
}

Error executorchProgramError(const std::string &path) {
  return Error{path,
               {},
               "is a program of ExecuTorch, which holds its memory plan and kernels and no longer the model",
               "check the .pt2 it is made from, with `--target executorch`"};
}

} // namespace condlint

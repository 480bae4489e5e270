//===- NoLsp.cpp - condlint lsp where LLVM was not installed ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExitCode.h"
#include "lsp/LspCommand.h"

namespace condlint {

int runLsp(const CheckArguments & /*arguments*/) {
  complain("this condlint was built without the language server, which needs the package llvm-22-dev to build");
  return Usage;
}

} // namespace condlint

//===- LspCommand.h - condlint lsp ------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_LSPCOMMAND_H
#define CONDLINT_TOOL_LSP_LSPCOMMAND_H

#include "CheckCommand.h"

namespace condlint {

/// Serves an editor on standard input and output, and analyses as \p arguments say. \returns the exit code.
int runLsp(const CheckArguments &arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_LSP_LSPCOMMAND_H

//===- PlainText.h - Markdown, for clients that show none -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_PLAINTEXT_H
#define CONDLINT_TOOL_LSP_PLAINTEXT_H

#include <string>
#include <string_view>

namespace condlint::lsp {

/// The words of \p markdown, of the kind that the server writes: bold, code, links to the web, tables.
std::string plainText(std::string_view markdown);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_PLAINTEXT_H

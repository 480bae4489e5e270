//===- PrintText.h - Foreign text made safe to show -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_PRINTTEXT_H
#define CONDLINT_LIB_GRAPH_PRINTTEXT_H

#include <string>
#include <string_view>

namespace condlint::detail {

/// \p text with everything that could disturb a terminal or a reader written as
/// `\xNN`: control characters, bytes that are no UTF-8, marks that turn the
/// direction of writing. Backslashes and \p quote are escaped too; 0: no quote.
std::string escaped(std::string_view text, char quote = 0);

/// True for what may stand unquoted as a name: letters, digits, `_` and `.`,
/// not beginning with a digit or a point.
bool isPlainName(std::string_view text);

} // namespace condlint::detail

#endif // CONDLINT_LIB_GRAPH_PRINTTEXT_H

//===- HtmlText.h - Foreign text inside of HTML -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_HTMLTEXT_H
#define CONDLINT_LIB_REPORT_HTMLTEXT_H

#include <cstddef>
#include <string>
#include <string_view>

namespace condlint {

/// What HTML and XML alike write for \p c, where it would be read as their own; else empty.
std::string_view entityOf(char c);

/// \p text as text of an element or of a quoted attribute: what HTML reads as its own is escaped, bytes that are no
/// UTF-8 are replaced, control characters and marks that turn the direction of writing are spelt. Ends of lines and
/// tabs stay.
std::string htmlText(std::string_view text);

/// The first \p most columns of \p text and, where there is more, "…": for a place of that width. What is wide on a
/// screen takes two. Not escaped.
std::string cutToColumns(std::string_view text, std::size_t most);
/// How many columns \p text takes.
std::size_t columnsOf(std::string_view text);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_HTMLTEXT_H

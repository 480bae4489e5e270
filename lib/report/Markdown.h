//===- Markdown.h - The pages of the rules as HTML --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_MARKDOWN_H
#define CONDLINT_LIB_REPORT_MARKDOWN_H

#include <string>
#include <string_view>

namespace condlint {

/// \p page as HTML, its headings \p below levels lower. Understands what the pages of the rules are written in:
/// headings, paragraphs, lists with `-`, tables, code in fences and in a line, `**`. The target of a link is left out.
/// All else is text.
std::string markdownToHtml(std::string_view page, unsigned below);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_MARKDOWN_H

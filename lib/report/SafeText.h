//===- SafeText.h - Names of a hostile file, made printable -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_SAFETEXT_H
#define CONDLINT_REPORT_SAFETEXT_H

#include <string>
#include <string_view>

namespace condlint {

/// \p text for a terminal and for one line: control characters become `\x1b`
/// escapes, and bytes that are not UTF-8 become U+FFFD.
std::string safeText(std::string_view text);

/// \p text with bytes that are not UTF-8 replaced by U+FFFD, nothing else.
std::string soundUtf8(std::string_view text);

} // namespace condlint

#endif // CONDLINT_REPORT_SAFETEXT_H

//===- Words.h - The words of a table's cell --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_WORDS_H
#define CONDLINT_OPS_WORDS_H

#include <algorithm>
#include <string_view>

namespace condlint {

/// Takes the first of the words in \p text, which single blanks part, and leaves the others.
inline std::string_view nextWord(std::string_view &text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

} // namespace condlint

#endif // CONDLINT_OPS_WORDS_H

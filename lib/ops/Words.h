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

/// \p word is among the \p words.
inline bool hasWord(std::string_view words, std::string_view word) {
  while (!words.empty())
    if (nextWord(words) == word)
      return true;
  return false;
}

/// Overloads by their operator's name without the marks of a variant: `narrow_copy_`
/// is `narrow`; `index_copy` copies to places of an index.
inline std::string_view baseName(std::string_view name) {
  if (name.ends_with('_') && !name.starts_with("__"))
    name.remove_suffix(1);
  constexpr std::string_view copy = "_copy";
  if (name.size() > copy.size() && name.ends_with(copy) && name != "index_copy")
    name.remove_suffix(copy.size());
  return name;
}

} // namespace condlint

#endif // CONDLINT_OPS_WORDS_H

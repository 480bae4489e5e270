//===- Utf8.h - The characters of a text ------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_UTF8_H
#define CONDLINT_LIB_GRAPH_UTF8_H

#include <cstddef>
#include <string>
#include <string_view>

namespace condlint {

/// A character of UTF-8, or bytes that are none: as many as could have begun one stand for one character, as where
/// browsers, Python and editors put U+FFFD in their place.
struct Utf8Character {
  char32_t point = 0xFFFD;
  std::size_t bytes = 1; ///< at least 1
  bool isText = false;   ///< false: it is bytes that are no text, and the point is U+FFFD

  /// In how many code units of UTF-16 it is written.
  std::size_t utf16Units() const { return point >= 0x10000 ? 2 : 1; }
};

/// What \p text, which is not empty, begins with.
Utf8Character firstCharacter(std::string_view text);

/// Calls \p use with each character of \p text and its bytes, until it says false.
template <class Use> void eachCharacter(std::string_view text, const Use &use) {
  while (!text.empty()) {
    const Utf8Character c = firstCharacter(text);
    if (!use(c, text.substr(0, c.bytes)))
      return;
    text.remove_prefix(c.bytes);
  }
}

/// Appends \p text to \p out, with U+FFFD for bytes that are no text.
void appendSound(std::string &out, std::string_view text);

} // namespace condlint

#endif // CONDLINT_LIB_GRAPH_UTF8_H

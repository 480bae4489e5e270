//===- Utf8.cpp - The characters of a text --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Utf8.h"

namespace condlint {

Utf8Character firstCharacter(std::string_view text) {
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byteAt(0);
  if (lead < 0x80)
    return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4)
    return {};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  // The second byte leaves out what is too long for its value, surrogates, and what lies beyond Unicode.
  const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t point = lead & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    const bool isPart =
        k < text.size() && (k == 1 ? byteAt(k) >= least && byteAt(k) <= most : (byteAt(k) & 0xC0U) == 0x80);
    if (!isPart)
      return {0xFFFD, k, false};
    point = (point << 6U) | (byteAt(k) & 0x3FU);
  }
  return {point, length, true};
}

void appendSound(std::string &out, std::string_view text) {
  eachCharacter(text, [&](const Utf8Character &c, std::string_view bytes) {
    out += c.isText ? bytes : "\xEF\xBF\xBD";
    return true;
  });
}

} // namespace condlint

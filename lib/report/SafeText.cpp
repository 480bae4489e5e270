//===- SafeText.cpp - Names of a hostile file, made printable -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SafeText.h"
#include <fmt/format.h>

namespace condlint {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

unsigned char byteAt(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// The length of the UTF-8 sequence that begins at \p i; 0 when there is none.
/// Overlong forms, surrogates and what lies above U+10FFFF are none.
std::size_t sequenceLength(std::string_view text, std::size_t i) {
  unsigned char lead = byteAt(text, i);
  if (lead < 0x80)
    return 1;
  std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size())
    return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byteAt(text, i + k) & 0xC0) != 0x80)
      return 0;
  unsigned char second = byteAt(text, i + 1);
  bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

/// C0, DEL, C1 and the marks that turn the direction of text around: what a
/// terminal obeys instead of showing.
bool isControl(std::string_view sequence) {
  unsigned char lead = byteAt(sequence, 0);
  if (sequence.size() == 1)
    return lead < 0x20 || lead == 0x7F;
  if (sequence.size() == 2)
    return lead == 0xC2 && byteAt(sequence, 1) < 0xA0;
  return (sequence >= "\xE2\x80\xA8" && sequence <= "\xE2\x80\xAE") ||
         (sequence >= "\xE2\x81\xA6" && sequence <= "\xE2\x81\xA9");
}

std::string clean(std::string_view text, bool escapeControls) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = sequenceLength(text, i);
    if (length == 0) {
      out += replacement;
      ++i;
      continue;
    }
    std::string_view sequence = text.substr(i, length);
    if (escapeControls && isControl(sequence))
      for (char c : sequence)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += sequence;
    i += length;
  }
  return out;
}

} // namespace

std::string safeText(std::string_view text) { return clean(text, true); }

std::string soundUtf8(std::string_view text) { return clean(text, false); }

} // namespace condlint

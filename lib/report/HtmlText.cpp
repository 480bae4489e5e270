//===- HtmlText.cpp - Foreign text inside of HTML -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HtmlText.h"
#include "graph/Utf8.h"
#include <cstdint>
#include <fmt/format.h>

namespace condlint {

namespace {

/// Marks that turn the direction of writing, or that nobody sees.
bool isInvisible(char32_t c) {
  return c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

/// What no document may hold, or nobody would see.
bool isControlPoint(char32_t c) { return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0); }

std::size_t columnsOf(char32_t c) {
  const bool isMark = (c >= 0x0300 && c < 0x0370) || (c >= 0xFE00 && c < 0xFE10);
  const bool isWide = (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xAC00 && c < 0xD7B0) ||
                      (c >= 0xF900 && c < 0xFB00) || (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFF00 && c < 0xFF61) ||
                      (c >= 0x1F000 && c < 0x20000) || c >= 0x20000;
  return isMark ? 0 : isWide ? 2 : 1;
}

/// \p c spelt where it cannot stand.
std::string spelt(char32_t c) { return fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c)); }

/// \p text without what cannot be shown.
std::string visible(std::string_view text) {
  std::string out;
  eachCharacter(text, [&](const Utf8Character &c, std::string_view bytes) {
    if (isInvisible(c.point) || isControlPoint(c.point))
      out += spelt(c.point);
    else
      appendSound(out, bytes);
    return true;
  });
  return out;
}

} // namespace

std::string_view entityOf(char c) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  default:
    return {};
  }
}

std::string htmlText(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (const std::string_view entity = entityOf(c); !entity.empty())
      out += entity;
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::size_t columnsOf(std::string_view text) {
  std::size_t n = 0;
  eachCharacter(visible(text), [&](const Utf8Character &c, std::string_view) {
    n += columnsOf(c.point);
    return true;
  });
  return n;
}

std::string cutToColumns(std::string_view text, std::size_t most) {
  if (text.size() <= most && columnsOf(text) <= most)
    return std::string(text);
  const std::string whole = visible(text);
  if (columnsOf(whole) <= most)
    return whole;
  std::string out;
  std::size_t n = 1; // the ellipsis
  eachCharacter(whole, [&](const Utf8Character &c, std::string_view bytes) {
    n += columnsOf(c.point);
    if (n <= most)
      out += bytes;
    return n <= most;
  });
  return out + "…";
}

} // namespace condlint

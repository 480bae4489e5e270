//===- Document.cpp - A text that is open in the editor -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Document.h"
#include "graph/Utf8.h"
#include <algorithm>

namespace condlint::lsp {

namespace {

std::vector<std::size_t> beginsOf(std::string_view text) {
  std::vector<std::size_t> out{0};
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n')))
      out.push_back(at + 1);
  return out;
}

std::size_t unitsOf(const Utf8Character &c, Encoding encoding) {
  return encoding == Encoding::Utf16 ? c.utf16Units() : 1;
}

/// The byte of \p line at which \p units have passed.
std::size_t byteAt(std::string_view line, std::size_t units, Encoding encoding) {
  if (encoding == Encoding::Utf8)
    return std::min(units, line.size());
  std::size_t at = 0, passed = 0;
  eachCharacter(line, [&](const Utf8Character &c, std::string_view bytes) {
    if (passed >= units)
      return false;
    passed += unitsOf(c, encoding);
    at += bytes.size();
    return true;
  });
  return at;
}

std::size_t unitsUpTo(std::string_view line, std::size_t byte, Encoding encoding) {
  byte = std::min(byte, line.size());
  if (encoding == Encoding::Utf8)
    return byte;
  std::size_t passed = 0, at = 0;
  eachCharacter(line, [&](const Utf8Character &c, std::string_view bytes) {
    if (at >= byte)
      return false;
    passed += unitsOf(c, encoding);
    at += bytes.size();
    return true;
  });
  return passed;
}

bool isOfWord(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

} // namespace

Text::Text(std::string t) : text(std::move(t)), begins(beginsOf(text)) {}

std::string_view Text::line(std::size_t number) const {
  if (number >= begins.size())
    return {};
  const std::size_t end = number + 1 < begins.size() ? begins[number + 1] : text.size();
  std::string_view out = std::string_view(text).substr(begins[number], end - begins[number]);
  while (out.ends_with('\n') || out.ends_with('\r'))
    out.remove_suffix(1);
  return out;
}

std::size_t Text::offsetOf(Position position, Encoding encoding) const {
  if (position.line >= begins.size())
    return text.size();
  return begins[position.line] + byteAt(line(position.line), position.character, encoding);
}

void Text::replace(const Range &range, std::string_view instead, Encoding encoding) {
  const std::size_t from = offsetOf(range.start, encoding), to = offsetOf(range.end, encoding);
  text.replace(std::min(from, to), std::max(from, to) - std::min(from, to), instead);
  begins = beginsOf(text);
}

Position Text::positionOf(std::size_t number, std::size_t column, Encoding encoding) const {
  const std::size_t at = number == 0 ? 0 : std::min(number - 1, begins.size() - 1);
  return {at, unitsUpTo(line(at), column == 0 ? 0 : column - 1, encoding)};
}

Range Text::rangeOf(const SourceLocation &place, Encoding encoding) const {
  const std::size_t number = place.line == 0 ? 0 : place.line - 1;
  const std::string_view all = line(number);
  std::size_t column = place.column;
  if (column == 0)
    column = std::min(all.find_first_not_of(" \t"), all.size()) + 1;
  const Position start = positionOf(number + 1, column, encoding);
  if (place.endLine != 0 && place.endColumn != 0) {
    const Position end = positionOf(place.endLine, place.endColumn, encoding);
    return {start, std::max(start, end)};
  }
  std::size_t end = place.column == 0 ? all.size() : std::min<std::size_t>(column - 1, all.size());
  while (place.column != 0 && end < all.size() && isOfWord(all[end]))
    ++end;
  return {start, positionOf(number + 1, end + 1, encoding)};
}

SourceLocation Text::placeOf(Position position, Encoding encoding) const {
  SourceLocation out;
  const std::size_t at = std::min(position.line, begins.size() - 1);
  out.line = static_cast<std::uint32_t>(at + 1);
  out.column = static_cast<std::uint32_t>(byteAt(line(at), position.character, encoding) + 1);
  return out;
}

} // namespace condlint::lsp

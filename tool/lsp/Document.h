//===- Document.h - A text that is open in the editor -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_DOCUMENT_H
#define CONDLINT_TOOL_LSP_DOCUMENT_H

#include "condlint/Source.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::lsp {

/// In which units a client counts columns.
enum class Encoding : std::uint8_t { Utf8, Utf16, Utf32 };

/// A place as the protocol says it: both count from 0, the character in units of the encoding.
struct Position {
  std::size_t line = 0;
  std::size_t character = 0;
  friend auto operator<=>(const Position &, const Position &) = default;
};
struct Range {
  Position start, end;
  friend bool operator==(const Range &, const Range &) = default;
};

/// A text by lines. Places are found in it however far beyond its end they claim to be.
class Text {
public:
  explicit Text(std::string text = {});

  const std::string &str() const { return text; }
  /// Line \p number, counted from 0, without its end; empty beyond the last.
  std::string_view line(std::size_t number) const;
  std::size_t lineCount() const { return begins.size(); }

  std::size_t offsetOf(Position position, Encoding encoding) const;
  /// Puts \p instead in place of what \p range holds.
  void replace(const Range &range, std::string_view instead, Encoding encoding);

  /// \p column in bytes, from 1, of line \p line, from 1, as a position.
  Position positionOf(std::size_t line, std::size_t column, Encoding encoding) const;
  /// The range of \p place: without columns the line's text, without an end what stands there up to the end of a word.
  Range rangeOf(const SourceLocation &place, Encoding encoding) const;
  /// The place's line and column of \p position, both from 1, the column in bytes.
  SourceLocation placeOf(Position position, Encoding encoding) const;

private:
  std::string text;
  std::vector<std::size_t> begins; ///< of its lines
};

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_DOCUMENT_H

//===- SourceText.h - Lines of the sources that findings stand in *- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports quote sources and name their lines by what stands there. A model says itself
// in which file its lines stand, and comes from strangers: nothing is read but regular
// files of moderate size below one folder.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_SOURCETEXT_H
#define CONDLINT_LIB_REPORT_SOURCETEXT_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// The sources below a folder, read when they are asked for and kept.
class SourceText {
public:
  /// \p folder is absolute; empty: nothing is read.
  explicit SourceText(std::string folder) : root(std::move(folder)) {}

  /// Line \p number (from 1) of \p path without its end, or nothing where the file cannot be read, lies
  /// elsewhere or is shorter. Valid as long as this.
  std::optional<std::string_view> line(const std::string &path, std::uint32_t number);

  /// All of \p path, or nothing where \c line has none.
  std::optional<std::string_view> text(const std::string &path);

  /// What GitHub calls `primaryLocationLineHash`: names a line by its text and what follows it, and tells
  /// equal ones apart by their order. Empty where \c line yields nothing.
  std::string lineHash(const std::string &path, std::uint32_t number);

private:
  struct File {
    std::string text;
    std::vector<std::size_t> begins; ///< of its lines
    std::vector<std::string> hashes; ///< by line, once they are asked for
  };
  File *fileOf(const std::string &path);

  std::string root;
  std::map<std::string, std::optional<File>, std::less<>> files;
};

/// The hashes of all lines of \p text, as GitHub's code scanning computes them.
std::vector<std::string> lineHashes(std::string_view text);

/// How many UTF-16 code units the first \p bytes of \p line are; bytes that are no text count as one where they could
/// begin a character (graph/Utf8.h).
std::uint32_t utf16Length(std::string_view line, std::size_t bytes);

/// \p path relative to \p folder where it lies below it, in generic form without `./`; else as it is.
std::string relativePath(const std::string &path, const std::string &folder);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_SOURCETEXT_H

//===- Source.h - Where something stands in the user's source ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_SOURCE_H
#define CONDLINT_SOURCE_H

#include <cstdint>
#include <string>

namespace condlint {

/// A place in a source file of the user: C++ that was parsed, or the Python
/// line that an exporter recorded. Lines and columns count from 1, columns in
/// bytes of the file as it is stored, not in characters; 0 means not known. The
/// end is exclusive in columns (one past the last byte).
struct SourceLocation {
  std::string path;
  std::string function;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t endLine = 0;
  std::uint32_t endColumn = 0;

  bool valid() const { return !path.empty() && line != 0; }
  /// "path:12:3", leaving out what is not known.
  std::string str() const;
  friend bool operator==(const SourceLocation &, const SourceLocation &) = default;
};

} // namespace condlint

#endif // CONDLINT_SOURCE_H

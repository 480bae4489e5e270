//===- SourcePlace.h - A line of a file on the command line -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_SOURCEPLACE_H
#define CONDLINT_TOOL_SOURCEPLACE_H

#include <cstdint>
#include <optional>
#include <string>

namespace condlint {

/// A place as compilers and reports spell it. Lines and columns count from 1.
struct SourcePlace {
  std::string path;
  std::uint32_t line = 0;
  std::uint32_t column = 0; ///< 0: any
};

/// What "FILE:LINE" or "FILE:LINE:COLUMN" names; nothing where \p text is neither.
std::optional<SourcePlace> sourcePlaceOf(std::string text);

} // namespace condlint

#endif // CONDLINT_TOOL_SOURCEPLACE_H

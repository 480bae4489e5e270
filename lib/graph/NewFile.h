//===- NewFile.h - Files that appear whole or not at all --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_NEWFILE_H
#define CONDLINT_GRAPH_NEWFILE_H

#include "condlint/Expected.h"
#include <optional>
#include <string>

namespace condlint {

/// A file in the making: it is written beside its place, under a name that no other file has, and
/// takes its place when all of it is there. What was not kept is removed.
class NewFile {
public:
  /// An empty file beside \p given, or beside what it links to, with the permissions of what is there
  /// already. The error names the file and says why nothing can be written there.
  static Expected<NewFile> beside(const std::string &given);
  NewFile(NewFile &&other) noexcept;
  NewFile &operator=(NewFile &&other) = delete;
  ~NewFile();

  /// Where to write.
  const std::string &path() const { return aside; }
  /// Puts what is written in its place, instead of what was there.
  std::optional<Error> keep();

private:
  NewFile(std::string to, std::string name) : place(std::move(to)), aside(std::move(name)) {}
  std::string place;
  std::string aside; ///< empty: kept, or moved from
};

} // namespace condlint

#endif // CONDLINT_GRAPH_NEWFILE_H

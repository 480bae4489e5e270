//===- ProjectFiles.h - Which files are the user's --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_PROJECTFILES_H
#define CONDLINT_CXX_DRIVER_PROJECTFILES_H

#include <filesystem>
#include <string>
#include <string_view>

namespace condlint::cxx {

/// Tells a project's own headers from libraries', by where they lie. Library
/// code is parsed without its bodies, so being wrong costs time or an `unknown`,
/// never a false finding.
class ProjectFiles {
public:
  /// \p mainFile is absolute; \p folder is where the compiler runs, and
  /// \p databaseFolder where the compile command was found (may be empty).
  ProjectFiles(const std::string &mainFile, const std::string &folder, const std::string &databaseFolder);
  /// \p path as the compiler spells it.
  bool contains(std::string_view path) const;
  const std::filesystem::path &root() const { return top; }

private:
  std::filesystem::path workingFolder;
  std::filesystem::path top;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_PROJECTFILES_H

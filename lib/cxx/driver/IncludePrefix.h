//===- IncludePrefix.h - The headers a source begins with -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_INCLUDEPREFIX_H
#define CONDLINT_CXX_DRIVER_INCLUDEPREFIX_H

#include "ProjectFiles.h"
#include <cstddef>
#include <string>
#include <vector>

namespace clang {
class HeaderSearchOptions;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace condlint::cxx {

/// What the parser meets before anything else that could change its meaning.
struct IncludePrefix {
  /// How many of the headers that the flags include before the source hold directives alone (a config.h). They
  /// come before \c lines; those after them, which may hold functions of the project, are looked into.
  std::size_t forced = 0;
  /// The `#include` lines of library headers, in this order. The project's own headers on the way are looked
  /// into; the first macro, condition or declaration ends it.
  std::vector<std::string> lines;
};

/// Parsing the first \c forced of \p forcedHeaders and \c lines, and then all of \p forcedHeaders and the
/// source, is parsing the source. Relative paths are below \p workingFolder.
IncludePrefix includePrefix(const std::string &mainFile, const std::vector<std::string> &forcedHeaders,
                            const std::string &workingFolder, const ProjectFiles &project,
                            const clang::HeaderSearchOptions &search, llvm::vfs::FileSystem &files);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_INCLUDEPREFIX_H

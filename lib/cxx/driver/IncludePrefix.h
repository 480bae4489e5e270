//===- IncludePrefix.h - The headers a source begins with -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_INCLUDEPREFIX_H
#define CONDLINT_CXX_DRIVER_INCLUDEPREFIX_H

#include "ProjectFiles.h"
#include <string>
#include <vector>

namespace clang {
class HeaderSearchOptions;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace condlint::cxx {

/// The `#include` lines of library headers that the parser meets before anything
/// else that could change their meaning, in this order. The project's own headers
/// on the way are looked into; the first macro, condition or declaration ends it.
/// Parsing these lines first, and the source after them, is parsing the source.
std::vector<std::string> includePrefix(const std::string &mainFile, const ProjectFiles &project,
                                       const clang::HeaderSearchOptions &search, llvm::vfs::FileSystem &files);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_INCLUDEPREFIX_H

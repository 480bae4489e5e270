//===- FolderLimit.h - Folders that do not grow for ever --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_FOLDERLIMIT_H
#define CONDLINT_GRAPH_FOLDERLIMIT_H

#include <cstdint>
#include <filesystem>
#include <vector>

namespace condlint {

/// A file of a cache.
struct CachedFile {
  std::filesystem::file_time_type time; ///< when it was used last
  std::filesystem::path path;
  std::uintmax_t size = 0; ///< in bytes
};

/// Appends \p entry to \p files unless it cannot be looked at, as when another run has just removed it.
void addCachedFile(const std::filesystem::directory_entry &entry, std::vector<CachedFile> &files);

/// Where \p files have more than \p most bytes together, those go that were not used for longest, until \p left remain.
/// What cannot be removed stays.
void removeOldest(std::vector<CachedFile> files, std::uintmax_t most, std::uintmax_t left);

} // namespace condlint

#endif // CONDLINT_GRAPH_FOLDERLIMIT_H

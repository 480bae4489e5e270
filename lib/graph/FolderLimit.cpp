//===- FolderLimit.cpp - Folders that do not grow for ever ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FolderLimit.h"
#include <algorithm>
#include <system_error>

namespace condlint {

void addCachedFile(const std::filesystem::directory_entry &entry, std::vector<CachedFile> &files) {
  std::error_code error;
  CachedFile file{entry.last_write_time(error), entry.path(), entry.file_size(error)};
  if (!error)
    files.push_back(std::move(file));
}

void removeOldest(std::vector<CachedFile> files, std::uintmax_t most, std::uintmax_t left) {
  std::uintmax_t total = 0;
  for (const CachedFile &file : files)
    total += file.size;
  if (total <= most)
    return;
  std::ranges::sort(files, {}, &CachedFile::time);
  for (const CachedFile &file : files) {
    if (total <= left)
      break;
    std::error_code error;
    std::filesystem::remove(file.path, error);
    total -= file.size;
  }
}

} // namespace condlint

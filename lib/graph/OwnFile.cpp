//===- OwnFile.cpp - Where condlint's own files lie -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnFile.h"
#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <string_view>

namespace condlint {

namespace fs = std::filesystem;

namespace {

/// The folders in \p folder whose names begin with \p begin, sorted; for what cannot be listed there are none.
std::vector<fs::path> foldersIn(const fs::path &folder, std::string_view begin) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::directory_iterator at(folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->path().filename().string().starts_with(begin) && at->is_directory(ignored))
      found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace

std::string ownFile() {
  Dl_info info;
  void *map = nullptr;
  std::error_code error;
  if (dladdr1(reinterpret_cast<void *>(&ownFile), &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr)
    return {};
  // The program itself has no name there.
  const char *name = static_cast<const link_map *>(map)->l_name;
  const fs::path path = fs::canonical(name == nullptr || *name == '\0' ? "/proc/self/exe" : name, error);
  return error ? std::string() : path.string();
}

std::vector<std::string> pythonPackages() {
  std::vector<std::string> found;
  const fs::path folder = fs::path(ownFile()).parent_path();
  // The library lies in condlint/_lib.
  if (folder.filename() == "_lib" && folder.parent_path().filename() == "condlint")
    return {folder.parent_path().parent_path().string()};
  const fs::path prefix = folder.parent_path();
  if (folder.filename() != "bin")
    return found;
  std::error_code error;
  if (fs::is_directory(prefix / "condlint" / "_lib", error)) // pip install --target
    found.push_back(prefix.string());
  for (const fs::path &lib : foldersIn(prefix, "lib"))
    for (const fs::path &python : foldersIn(lib, "python3"))
      for (const char *packages : {"site-packages", "dist-packages"})
        if (fs::is_directory(python / packages, error))
          found.push_back((python / packages).string());
  return found;
}

} // namespace condlint

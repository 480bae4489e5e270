//===- ProjectFiles.cpp - Which files are the user's ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProjectFiles.h"
#include <algorithm>
#include <array>

namespace condlint::cxx {

namespace {

namespace fs = std::filesystem;

template <std::size_t N> bool isOneOf(const std::array<std::string_view, N> &names, const fs::path &name) {
  return std::find(names.begin(), names.end(), std::string_view(name.native())) != names.end();
}

/// Folders in which a project keeps what others wrote.
constexpr std::array<std::string_view, 16> foreignFolders{
    "third_party",   "third-party",   "thirdparty",   "3rdparty", "3rd_party", "external", "extern", "externals",
    "site-packages", "dist-packages", "node_modules", "vendor",   "_deps",     "libtorch", "venv",   ".venv"};
/// Folders below an include folder that say whose it is.
constexpr std::array<std::string_view, 6> libraryFolders{"ATen",           "c10",     "caffe2", "torch",
                                                         "torch_tensorrt", "tensorrt"};
constexpr std::array<std::string_view, 7> projectMarks{".git",      ".hg",          ".svn",          ".jj",
                                                       "WORKSPACE", "MODULE.bazel", ".condlint-root"};
/// Folders beside which a project's headers lie.
constexpr std::array<std::string_view, 10> sourceFolders{"src",   "source", "sources",  "lib", "test",
                                                         "tests", "csrc",   "examples", "app", "tools"};

fs::path resolvedPath(const fs::path &path) {
  std::error_code error;
  fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : resolved;
}

bool isBelow(const fs::path &path, const fs::path &folder) {
  auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end() && rest != path.end();
}

bool crossesForeignFolder(const fs::path &relative) {
  fs::path previous;
  for (const fs::path &part : relative.parent_path()) {
    if (isOneOf(foreignFolders, part) || (previous == "include" && isOneOf(libraryFolders, part)))
      return true;
    previous = part;
  }
  return false;
}

/// \p home has the project's headers beside it, or a name by which they lie there. The system's own folders
/// have an `include` too.
bool liesBesideHeaders(const fs::path &home) {
  std::error_code error;
  const fs::path above = home.parent_path();
  constexpr std::array<std::string_view, 3> system{"/usr", "/usr/local", "/opt"};
  return above.has_relative_path() && !isOneOf(system, above) &&
         (isOneOf(sourceFolders, home.filename()) || fs::is_directory(above / "include", error));
}

fs::path rootOf(const fs::path &mainFile, const fs::path &databaseFolder) {
  std::error_code error;
  const fs::path home = mainFile.parent_path();
  for (fs::path at = home; at.has_relative_path(); at = at.parent_path())
    if (std::any_of(projectMarks.begin(), projectMarks.end(),
                    [&](std::string_view mark) { return fs::exists(at / mark, error); }))
      return at;
  if (!databaseFolder.empty()) {
    const fs::path at = resolvedPath(databaseFolder);
    const bool isBuildFolder = !isBelow(mainFile, at);
    if (!isBuildFolder || isBelow(mainFile, at.parent_path()))
      return isBuildFolder ? at.parent_path() : at;
  }
  return liesBesideHeaders(home) ? home.parent_path() : home;
}

} // namespace

ProjectFiles::ProjectFiles(const std::string &mainFile, const std::string &folder, const std::string &databaseFolder)
    : workingFolder(folder) {
  const fs::path main = resolvedPath(mainFile);
  top = rootOf(main, databaseFolder);
  // Who analyses a library's source means that library.
  if (crossesForeignFolder(main.lexically_relative(top)))
    top = main.parent_path();
}

bool ProjectFiles::contains(std::string_view path) const {
  const fs::path absolute = resolvedPath(workingFolder / fs::path(path));
  return isBelow(absolute, top) && !crossesForeignFolder(absolute.lexically_relative(top));
}

} // namespace condlint::cxx

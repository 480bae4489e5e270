//===- CxxSources.cpp - The C++ sources of a folder -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CxxSources.h"
#include "condlint/Reader.h"
#include "cxx/CompilationDatabase.h"
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace condlint {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

fs::path resolved(const fs::path &path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : out;
}

/// \p path as seen from \p folder; empty when it does not lie below it.
fs::path below(const fs::path &path, const fs::path &folder) {
  fs::path relative = path.lexically_relative(folder);
  return relative.empty() || *relative.begin() == ".." || relative == "." ? fs::path() : relative;
}

bool isHidden(const fs::path &relative) {
  return std::any_of(relative.begin(), relative.end(),
                     [](const fs::path &part) { return part.native().starts_with('.'); });
}

class Collector {
public:
  explicit Collector(const std::string &folder) : given(folder), root(resolved(folder)) {}

  void add(const std::string &database) {
    const fs::path home = resolved(database).parent_path();
    Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(database);
    const Json entries = bytes ? Json::parse((*bytes)->view(), nullptr, false) : Json();
    if (!entries.is_array()) {
      found.push_back({database, bytes ? "is no database of compile commands: no JSON array" : bytes.error().message});
      return;
    }
    // What lies in a build folder inside the project was made or fetched by the build.
    const bool hasBuildFolder = !below(home, root).empty();
    for (const Json &entry : entries) {
      const auto file = entry.is_object() ? entry.find("file") : entry.end();
      if (!entry.is_object() || file == entry.end() || !file->is_string())
        continue;
      const auto directory = entry.find("directory");
      const bool named = directory != entry.end() && directory->is_string();
      const fs::path folder = home / (named ? directory->get<std::string>() : std::string());
      const fs::path path = resolved(folder / file->get<std::string>());
      if (hasBuildFolder && !below(path, home).empty() && holdsNoSource(home))
        continue;
      take(path, home);
    }
  }

  std::vector<InputFile> finish() {
    std::sort(found.begin(), found.end(), [](const InputFile &a, const InputFile &b) { return a.path < b.path; });
    return std::move(found);
  }

private:
  /// A database beside the sources themselves has no build folder.
  bool holdsNoSource(const fs::path &home) {
    std::error_code error;
    return fs::exists(home / "CMakeCache.txt", error) || fs::exists(home / "build.ninja", error) ||
           fs::exists(home / "Makefile", error) || fs::exists(home / "meson-info", error);
  }

  void take(const fs::path &path, const fs::path &home) {
    const fs::path relative = below(path, root);
    // C holds no tensors.
    if (relative.empty() || isHidden(relative) || !isCxxSource(path.native()) || path.extension() == ".c" ||
        !taken.insert(path).second)
      return;
    InputFile file;
    file.path = (fs::path(given) / relative).string();
    file.buildFolder = home.string();
    found.push_back(std::move(file));
  }

  std::string given;
  fs::path root;
  std::set<fs::path> taken;
  std::vector<InputFile> found;
};

} // namespace

std::string compileCommandsIn(const std::string &folder) {
  std::error_code error;
  for (const std::string_view name : compilationDatabases)
    if (fs::path path = fs::path(folder) / name;
        path.filename() == compileCommandsName && fs::is_regular_file(path, error))
      return path.string();
  return {};
}

std::string compileCommandsAbove(const std::string &folder) {
  std::error_code error;
  for (fs::path at = fs::absolute(folder, error).lexically_normal(); !error && !at.empty(); at = at.parent_path()) {
    if (std::string found = compileCommandsIn(at.string()); !found.empty())
      return found;
    if (at == at.root_path())
      break;
  }
  return {};
}

std::vector<InputFile> cxxSourcesBelow(const std::string &folder, const std::vector<std::string> &databases) {
  Collector collector(folder);
  for (const std::string &database : databases)
    collector.add(database);
  return collector.finish();
}

} // namespace condlint

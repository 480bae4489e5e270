//===- Inputs.cpp - The files behind the arguments ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "CxxSources.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <new>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>
#include <utility>

namespace condlint {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view standardInput = "-";

/// A graph in condlint's own JSON says so by its key "condlint", near its start.
bool holdsGraphJson(const std::string &path) {
  constexpr std::size_t window = 4096;
  constexpr std::string_view key = "\"condlint\"";
  Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(path);
  if (!bytes)
    return false;
  std::string_view head = (*bytes)->view().substr(0, window);
  for (std::size_t at = head.find(key); at != std::string_view::npos; at = head.find(key, at + 1)) {
    std::size_t next = head.find_first_not_of(" \t\r\n", at + key.size());
    if (next != std::string_view::npos && head[next] == ':')
      return true;
  }
  return false;
}

bool isModelInFolder(const std::string &path) {
  std::optional<Format> format = formatOfPath(path);
  return format == Format::Pt2 || format == Format::Onnx || (format == Format::Json && holdsGraphJson(path));
}

/// Collects the models below a folder.
class FolderSearch {
public:
  std::vector<std::string> compileCommands; ///< the databases that were met

  std::vector<InputFile> search(const std::string &root) {
    std::vector<fs::path> pending{root};
    while (!pending.empty()) {
      fs::path folder = std::move(pending.back());
      pending.pop_back();
      if (enter(folder))
        list(folder, pending);
    }
    std::sort(compileCommands.begin(), compileCommands.end());
    std::sort(found.begin(), found.end(), [](const InputFile &a, const InputFile &b) { return a.path < b.path; });
    return std::move(found);
  }

private:
  /// False for a folder that was searched already: links can lead in circles.
  bool enter(const fs::path &folder) {
    struct stat info{};
    return ::stat(folder.c_str(), &info) == 0 && visited.emplace(info.st_dev, info.st_ino).second;
  }

  void list(const fs::path &folder, std::vector<fs::path> &pending) {
    std::error_code error;
    fs::directory_iterator at(folder, error), end;
    for (; !error && at != end; at.increment(error)) {
      const std::string &path = at->path().native();
      const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
      if (name.starts_with('.'))
        continue;
      std::error_code ignored;
      if (at->is_directory(ignored))
        pending.push_back(at->path());
      else if (name == "compile_commands.json")
        compileCommands.push_back(path);
      else if (isModelInFolder(path))
        found.push_back({path, {}});
    }
    if (error)
      found.push_back({folder.string(), "the folder cannot be searched: " + error.message()});
  }

  std::set<std::pair<dev_t, ino_t>> visited;
  std::vector<InputFile> found;
};

/// Why Python has to read \p argument: it is a source of its, or names what makes a module
/// ("package.module:factory"); empty for what it is not needed for.
std::string whyPythonReads(const std::string &argument) {
  constexpr std::string_view suffix = ".py";
  const std::size_t colon = argument.find(':');
  const auto isDotted = [](std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
      return c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
  };
  std::error_code none;
  const bool isFactory = colon != std::string::npos && isDotted(std::string_view(argument).substr(0, colon)) &&
                         isDotted(std::string_view(argument).substr(colon + 1)) && !fs::exists(argument, none);
  if (!isFactory && !argument.ends_with(suffix))
    return {};
  return "is for the Python package: `python -m condlint check " + argument +
         (isFactory ? "` imports and runs it" : " --target nnscaler` reads Python source");
}

/// The most of standard input that is kept: half of the machine's memory. It may have no end.
std::size_t mostOfStandardInput() {
  const long pages = sysconf(_SC_PHYS_PAGES), each = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && each > 0 ? static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(each) : SIZE_MAX;
}

Expected<std::string> readStandardInput() try {
  std::string text;
  std::array<char, 1 << 16> buffer;
  const std::size_t most = mostOfStandardInput();
  for (;;) {
    ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return Error{"-", "", std::string("standard input cannot be read: ") + std::strerror(errno), ""};
    if (n == 0)
      return text;
    if (text.size() > most)
      return Error{"-", "", "standard input is more than half of the memory", "give the model as a file"};
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
} catch (const std::bad_alloc &) {
  return Error{"-", "", "there is not enough memory for standard input", "give the model as a file"};
}

} // namespace

std::vector<InputFile> expandInputs(const std::vector<std::string> &arguments, const std::string &buildFolder) {
  std::vector<InputFile> files;
  std::unordered_set<std::string> taken;
  auto take = [&](InputFile file, const std::string &path) {
    if (taken.insert(path).second)
      files.push_back(std::move(file));
  };
  std::error_code none;
  const fs::path here = fs::current_path(none);
  const auto normal = [&](const std::string &path) { return (here / path).lexically_normal().string(); };
  for (const std::string &argument : arguments) {
    std::error_code error;
    if (argument == standardInput || !fs::is_directory(argument, error)) {
      take({argument, argument == standardInput ? std::string() : whyPythonReads(argument)}, normal(argument));
      continue;
    }
    FolderSearch search;
    std::vector<InputFile> inside = search.search(argument);
    std::vector<std::string> databases = std::move(search.compileCommands);
    if (!buildFolder.empty())
      databases = {compileCommandsIn(buildFolder)};
    else if (std::string above = compileCommandsAbove(argument); !above.empty())
      databases.push_back(std::move(above)); // when it is one of those, its sources are taken once
    std::vector<InputFile> sources = cxxSourcesBelow(argument, databases);
    if (inside.empty() && sources.empty())
      take({argument,
            "the folder holds no .pt2 and no .onnx file, and no C++ source that a compile_commands.json knows", true},
           normal(argument));
    // What the search appended to the argument is normal as it stands.
    std::string folder = normal(argument + "/x");
    folder.pop_back();
    for (InputFile &file : inside) {
      std::string_view below = std::string_view(file.path).substr(argument.size());
      below.remove_prefix(std::min(below.find_first_not_of('/'), below.size()));
      const std::string path = folder + std::string(below);
      take(std::move(file), path);
    }
    for (InputFile &file : sources) {
      const std::string path = normal(file.path);
      take(std::move(file), path);
    }
  }
  return files;
}

Expected<std::vector<Model>> readInput(const std::string &path) {
  if (isCxxSource(path))
    return Error{path,
                 {},
                 "is C++ source, expected a .pt2, an .onnx or a graph .json",
                 "`condlint check` and `condlint explain --at` read sources"};
  if (path != standardInput)
    return readModel(path);
  Expected<std::string> text = readStandardInput();
  if (!text)
    return text.error();
  if (text->empty())
    return Error{path, {}, "standard input is empty, expected a .pt2, an .onnx or a graph .json", {}};
  return readBytes(FileBytes::copy(*text), {}, path);
}

Expected<std::vector<Model>> readBytes(std::shared_ptr<const FileBytes> bytes, std::string_view format,
                                       const std::string &path) {
  const std::string_view text = bytes->view();
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF"; // some editors put it before JSON
  const std::size_t start = text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
  const std::size_t first = text.find_first_not_of(" \t\r\n", start);
  const bool isArchive = text.starts_with("PK");
  const bool isJson = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  if (format == "pt2" || (format.empty() && isArchive))
    return readPt2(std::move(bytes), path);
  if (format == "json" || (format.empty() && isJson))
    return readJson(std::move(bytes), path);
  return readOnnx(std::move(bytes), path);
}

std::string namesOf(const std::vector<Model> &models) {
  std::string names;
  for (const Model &m : models)
    names += (names.empty() ? "" : ", ") + (m.info.name.empty() ? std::string("one without a name") : m.info.name);
  return names;
}

bool isCxxSource(std::string_view path) {
  static constexpr std::array<std::string_view, 12> suffixes{".c",  ".C",   ".cc", ".cpp", ".c++", ".cxx",
                                                             ".cu", ".cuh", ".h",  ".hh",  ".hpp", ".hxx"};
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view s) { return path.ends_with(s); });
}

std::string kindOfPath(std::string_view path) {
  if (isCxxSource(path))
    return "cxx";
  std::optional<Format> format = formatOfPath(path);
  return format ? std::string(formatName(*format)) : std::string();
}

} // namespace condlint

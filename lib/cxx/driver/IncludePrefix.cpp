//===- IncludePrefix.cpp - The library headers a source begins with -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IncludePrefix.h"
#include <clang/Lex/HeaderSearchOptions.h>
#include <filesystem>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <optional>
#include <set>

namespace condlint::cxx {

namespace {

namespace fs = std::filesystem;
using llvm::StringRef;

constexpr unsigned deepest = 32; ///< of headers that include one another

/// Walks over a file's text by directives.
class Text {
public:
  explicit Text(StringRef t) : rest(t) {}

  /// The next directive without its `#`; nothing at the end of the file, or where
  /// something else stands (\c stopped tells them apart).
  std::optional<StringRef> directive() {
    if (!skipBlank() || rest.empty())
      return std::nullopt;
    if (!rest.consume_front("#")) {
      stopped = true;
      return std::nullopt;
    }
    StringRef line = rest.take_until([](char c) { return c == '\n'; });
    rest = rest.drop_front(line.size());
    line = line.trim();
    stopped = line.ends_with("\\");
    return stopped ? std::nullopt : std::optional(line);
  }

  bool stopped = false;

private:
  /// False where a comment does not end.
  bool skipBlank() {
    for (;;) {
      rest = rest.ltrim();
      if (rest.starts_with("//")) {
        rest = rest.drop_until([](char c) { return c == '\n'; });
      } else if (rest.starts_with("/*")) {
        const std::size_t end = rest.find("*/", 2);
        if (end == StringRef::npos) {
          stopped = true;
          return false;
        }
        rest = rest.drop_front(end + 2);
      } else {
        return true;
      }
    }
  }

  StringRef rest;
};

/// The first word of \p line, which is cut off.
StringRef takeWord(StringRef &line) {
  line = line.ltrim();
  const StringRef word = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  line = line.drop_front(word.size()).ltrim();
  return word;
}

class Scanner {
public:
  Scanner(const ProjectFiles &p, const clang::HeaderSearchOptions &s, llvm::vfs::FileSystem &f)
      : project(p), search(s), files(f) {}

  std::vector<std::string> lines;

  /// False when the prefix ends in \p file.
  bool scan(const std::string &file, unsigned depth) {
    auto buffer = files.getBufferForFile(file);
    if (!buffer || depth > deepest)
      return false;
    Text text((*buffer)->getBuffer());
    StringRef guard; // the header's own, between its #ifndef and #define
    bool guarded = false;
    for (bool first = true;; first = false) {
      std::optional<StringRef> line = text.directive();
      if (!line)
        return !text.stopped && !guarded;
      const StringRef word = takeWord(*line);
      if (word == "include" && guard.empty()) {
        if (!include(*line, file, depth))
          return false;
      } else if (word == "pragma" && line->starts_with("once")) {
        continue;
      } else if (word == "ifndef" && first && depth != 0) {
        guard = takeWord(*line);
      } else if (word == "define" && !guard.empty() && takeWord(*line) == guard && line->empty()) {
        guard = StringRef();
        guarded = true;
      } else if (word == "endif" && guarded) {
        guarded = false;
      } else {
        return false;
      }
    }
  }

  /// The same for a header that the flags name.
  bool scanForced(const std::string &name, const std::string &workingFolder) {
    return include('"' + name + '"', asIncluded(workingFolder), 0);
  }

  /// No declaration stands in the header \p name, nor in one of the project's that it includes.
  bool holdsDirectivesAlone(const std::string &name, const std::string &workingFolder) {
    const std::string path = resolve(name, /*angled=*/false, asIncluded(workingFolder));
    return !path.empty() && hasDirectivesAlone(path, 0);
  }

private:
  /// The compiler looks for such a header as if the working folder's files included it.
  static std::string asIncluded(const std::string &workingFolder) {
    return (fs::path(workingFolder) / "flags").string();
  }

  struct Included {
    StringRef name; ///< empty: by a macro
    bool angled = false;
  };

  static Included included(StringRef what) {
    const bool angled = what.starts_with("<");
    const std::size_t end = what.find(angled ? '>' : '"', 1);
    if ((!angled && !what.starts_with("\"")) || end == StringRef::npos)
      return {};
    return {what.slice(1, end), angled};
  }

  bool hasDirectivesAlone(const std::string &file, unsigned depth) {
    auto buffer = files.getBufferForFile(file);
    if (!buffer || depth > deepest)
      return false;
    Text text((*buffer)->getBuffer());
    while (std::optional<StringRef> line = text.directive()) {
      if (!takeWord(*line).starts_with("include"))
        continue;
      const Included header = included(*line);
      const std::string path = header.name.empty() ? std::string() : resolve(header.name, header.angled, file);
      if (header.name.empty() || (project.contains(path) && !hasDirectivesAlone(path, depth + 1)))
        return false;
    }
    return !text.stopped;
  }

  /// The header guards itself, or holds nothing to guard: before its guard may stand headers that do, macros, and
  /// what is said of a system header (libstdc++'s <cmath> has all of these).
  bool isRepeatable(const std::string &file, unsigned depth = 0) {
    if (fs::path(file).filename() == "assert.h") // it is made to be included again
      return true;
    auto buffer = files.getBufferForFile(file);
    if (!buffer || depth > deepest)
      return !buffer;
    Text text((*buffer)->getBuffer());
    while (std::optional<StringRef> line = text.directive()) {
      const StringRef word = takeWord(*line);
      if (word == "ifndef" || (word == "if" && line->contains("defined")) ||
          (word == "pragma" && line->starts_with("once")))
        return true;
      if (word == "pragma" || word == "define" || word == "undef" || word == "include_next")
        continue;
      const Included header = word == "include" ? included(*line) : Included();
      const std::string path = header.name.empty() ? std::string() : resolve(header.name, header.angled, file);
      if (header.name.empty() || (!path.empty() && !isRepeatable(path, depth + 1)))
        return hasDirectivesAlone(file, 0);
    }
    return !text.stopped;
  }

  bool include(StringRef what, const std::string &includer, unsigned depth) {
    const auto [name, angled] = included(what);
    if (name.empty())
      return false;
    const std::string path = resolve(name, angled, includer);
    if (!path.empty() && project.contains(path))
      return !seen.insert(path).second || scan(path, depth + 1);
    if (path.empty() && (!angled || name.contains('/') || name.contains('.')))
      return false; // the compiler says what is missing; what stands before it is there all the same
    if (!path.empty() && !isRepeatable(path))
      return false; // what comes of it is declared again where the source includes it
    // By its full name where who includes it decides what is meant.
    lines.push_back(angled ? ("#include <" + name + ">").str() : "#include \"" + path + "\"");
    return true;
  }

  /// Empty for a header of the compiler's own folders, and for one that is missing.
  std::string resolve(StringRef name, bool angled, const std::string &includer) {
    if (fs::path(name.str()).is_absolute())
      return name.str();
    if (!angled)
      if (std::string path = (fs::path(includer).parent_path() / name.str()).string(); files.exists(path))
        return path;
    for (const clang::HeaderSearchOptions::Entry &entry : search.UserEntries) {
      if (entry.IsFramework || (angled && entry.Group == clang::frontend::Quoted))
        continue;
      if (std::string path = (fs::path(entry.Path) / name.str()).string(); files.exists(path))
        return path;
    }
    return {};
  }

  const ProjectFiles &project;
  const clang::HeaderSearchOptions &search;
  llvm::vfs::FileSystem &files;
  std::set<std::string> seen;
};

} // namespace

IncludePrefix includePrefix(const std::string &mainFile, const std::vector<std::string> &forcedHeaders,
                            const std::string &workingFolder, const ProjectFiles &project,
                            const clang::HeaderSearchOptions &search, llvm::vfs::FileSystem &files) {
  Scanner scanner(project, search, files);
  IncludePrefix prefix;
  while (prefix.forced < forcedHeaders.size() &&
         scanner.holdsDirectivesAlone(forcedHeaders[prefix.forced], workingFolder))
    ++prefix.forced;
  bool goesOn = true;
  for (std::size_t i = prefix.forced; i < forcedHeaders.size() && goesOn; ++i)
    goesOn = scanner.scanForced(forcedHeaders[i], workingFolder);
  if (goesOn)
    scanner.scan(mainFile, 0);
  prefix.lines = std::move(scanner.lines);
  return prefix;
}

} // namespace condlint::cxx

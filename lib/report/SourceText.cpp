//===- SourceText.cpp - Lines of the sources that findings stand in -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceText.h"
#include "graph/Utf8.h"
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unordered_map>

namespace condlint {

namespace {

namespace fs = std::filesystem;

/// What people write by hand is smaller; beyond it a source is not quoted.
constexpr std::uintmax_t largestSource = std::uintmax_t{16} << 20;
/// A report on very many models must not keep all of their sources.
constexpr std::size_t mostSources = 256;

bool isBelow(const fs::path &path, const fs::path &folder) {
  const auto [rest, end] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

/// The code units of UTF-16 of \p text: GitHub counts characters as JavaScript does.
std::vector<std::uint16_t> utf16Of(std::string_view text) {
  std::vector<std::uint16_t> units;
  units.reserve(text.size());
  eachCharacter(text, [&](const Utf8Character &c, std::string_view) {
    if (c.utf16Units() == 2) {
      units.push_back(static_cast<std::uint16_t>(0xD800 + ((c.point - 0x10000) >> 10U)));
      units.push_back(static_cast<std::uint16_t>(0xDC00 + ((c.point - 0x10000) & 0x3FFU)));
    } else {
      units.push_back(static_cast<std::uint16_t>(c.point));
    }
    return true;
  });
  return units;
}

/// A polynomial hash over the hundred characters that follow each line's begin, modulo 2^64.
class LineHasher {
public:
  std::vector<std::string> run(std::string_view text) {
    // An end of a line is one character, however it is written; blanks do not count.
    char16_t before = 0;
    for (const std::uint16_t unit : utf16Of(text)) {
      const bool isSecondOfTwo = before == u'\r' && unit == u'\n';
      const bool isBlank = unit == u' ' || unit == u'\t';
      before = isBlank || isSecondOfTwo ? u'\0' : static_cast<char16_t>(unit);
      if (!isBlank && !isSecondOfTwo)
        take(unit == u'\r' ? std::uint16_t{u'\n'} : unit);
    }
    take(endOfText);
    for (std::size_t i = 0; i < window; ++i) {
      giveOut();
      shift(0);
    }
    return std::move(hashes);
  }

private:
  static constexpr std::size_t window = 100;
  static constexpr std::uint64_t base = 37;
  static constexpr std::uint16_t endOfText = 0xFFFF;

  void take(std::uint16_t unit) {
    giveOut();
    if (beginsLine)
      lines[at] = ++line;
    beginsLine = unit == u'\n';
    shift(unit);
  }

  /// The line that begins where the window ends is complete.
  void giveOut() {
    if (lines[at] == 0)
      return;
    const std::string hash = fmt::format("{:x}", sum);
    hashes.push_back(fmt::format("{}:{}", hash, ++seen[hash]));
    lines[at] = 0;
  }

  void shift(std::uint16_t unit) {
    sum = base * sum + unit - leaving() * units[at];
    units[at] = unit;
    at = (at + 1) % window;
  }

  static constexpr std::uint64_t leaving() {
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < window; ++i)
      power *= base;
    return power;
  }

  std::array<std::uint16_t, window> units{};
  std::array<std::uint32_t, window> lines{}; ///< the line that begins there; 0: none
  std::uint64_t sum = 0;
  std::size_t at = 0;
  std::uint32_t line = 0;
  bool beginsLine = true;
  std::unordered_map<std::string, std::uint32_t> seen;
  std::vector<std::string> hashes; // lines come in order
};

} // namespace

std::vector<std::string> lineHashes(std::string_view text) { return LineHasher().run(text); }

std::uint32_t utf16Length(std::string_view line, std::size_t bytes) {
  std::size_t units = 0;
  eachCharacter(line.substr(0, bytes), [&](const Utf8Character &c, std::string_view) {
    units += c.utf16Units();
    return true;
  });
  return static_cast<std::uint32_t>(units);
}

std::string relativePath(const std::string &path, const std::string &folder) {
  const fs::path normal = fs::path(path).lexically_normal();
  if (normal.is_absolute() && !folder.empty() && isBelow(normal, folder)) {
    const fs::path relative = normal.lexically_relative(folder);
    if (!relative.empty() && relative != ".")
      return relative.generic_string();
  }
  return normal.generic_string();
}

SourceText::File *SourceText::fileOf(const std::string &path) {
  if (root.empty() || path.empty())
    return nullptr;
  if (const auto known = files.find(path); known != files.end())
    return known->second ? &*known->second : nullptr;
  if (files.size() >= mostSources)
    files.clear();
  std::optional<File> &entry = files[path];
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::path(root) / path, error);
  const fs::path folder = error ? fs::path() : fs::weakly_canonical(root, error);
  if (error || folder.empty() || !isBelow(whole, folder) || !fs::is_regular_file(whole, error) ||
      fs::file_size(whole, error) > largestSource || error)
    return nullptr;
  std::ifstream in(whole, std::ios::binary);
  File file;
  file.text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in.good() && !in.eof())
    return nullptr;
  file.begins.push_back(0);
  for (std::size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n' || (file.text[i] == '\r' && (i + 1 == file.text.size() || file.text[i + 1] != '\n')))
      file.begins.push_back(i + 1);
  entry = std::move(file);
  return &*entry;
}

std::optional<std::string_view> SourceText::line(const std::string &path, std::uint32_t number) {
  File *file = fileOf(path);
  if (file == nullptr || number == 0 || number > file->begins.size())
    return std::nullopt;
  const std::size_t begin = file->begins[number - 1];
  std::string_view text = std::string_view(file->text).substr(begin);
  text = text.substr(0, text.find_first_of("\r\n"));
  return text;
}

std::optional<std::string_view> SourceText::text(const std::string &path) {
  const File *file = fileOf(path);
  return file == nullptr ? std::nullopt : std::optional<std::string_view>(file->text);
}

std::string SourceText::lineHash(const std::string &path, std::uint32_t number) {
  File *file = fileOf(path);
  if (file == nullptr || number == 0)
    return {};
  if (file->hashes.empty())
    file->hashes = lineHashes(file->text);
  return number <= file->hashes.size() ? file->hashes[number - 1] : std::string();
}

} // namespace condlint

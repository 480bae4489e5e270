//===- Records.cpp - The records that a .pt2 must hold --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Records.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <string>

namespace condlint::pt2 {

namespace {

/// Longer than any of the records that are one word.
constexpr std::uint64_t longestWord = 64;

void malformed(Model &m, std::string_view place, std::string message) {
  FormatIssue i;
  i.place = place;
  i.message = std::move(message);
  m.issues.push_back(std::move(i));
}

/// The first of \p names that is in the archive; none is an issue of the model.
const ArchiveEntry *demanded(Model &m, const Archive &archive, std::string_view root,
                             std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (const ArchiveEntry *e = archive.find(fmt::format("{}{}", root, name)))
      return e;
  malformed(m, {},
            fmt::format("the record '{}{}' is not in the archive: torch.export.load refuses a file without it", root,
                        *names.begin()));
  return nullptr;
}

/// What stands in a record of one word; nothing, with an issue, where it cannot be read or is longer.
std::optional<std::string> wordIn(Model &m, Archive &archive, const ArchiveEntry &e) {
  if (e.size > longestWord) {
    malformed(m, e.name, fmt::format("holds {} bytes, expected one word", e.size));
    return std::nullopt;
  }
  const auto record = archive.read(e);
  if (record)
    return std::string(record->text);
  malformed(m, e.name, record.error().message);
  return std::nullopt;
}

/// Line ends and blanks are part of the word: torch compares it with theirs.
std::string shown(std::string_view word) {
  std::string out;
  for (const char c : word)
    out += c == '\n' ? std::string("\\n") : c == '\r' ? std::string("\\r") : std::string(1, c);
  return out;
}

void checkWord(Model &m, Archive &archive, std::string_view root, std::string_view name, std::string_view what,
               std::string_view wanted) {
  const ArchiveEntry *e = demanded(m, archive, root, {name});
  const auto word = e != nullptr ? wordIn(m, archive, *e) : std::nullopt;
  if (word && *word != wanted)
    malformed(m, e->name, fmt::format("expected {} '{}', found '{}'", what, wanted, shown(*word)));
}

/// The container has a version of its own, which torch's reader of zip archives takes from the first digits.
void checkContainerVersion(Model &m, Archive &archive, std::string_view root) {
  constexpr int oldest = 1, newest = 10;
  const ArchiveEntry *e = demanded(m, archive, root, {".data/version", "version"});
  const auto word = e != nullptr ? wordIn(m, archive, *e) : std::nullopt;
  if (!word)
    return;
  std::string_view digits = *word;
  digits.remove_prefix(std::min(digits.find_first_not_of(" \t\n\r"), digits.size()));
  if (digits.starts_with('+'))
    digits.remove_prefix(1);
  int version = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  if (read.ec != std::errc() || version < oldest || version > newest)
    malformed(
        m, e->name,
        fmt::format("expected a version of the container from {} to {}, found '{}'", oldest, newest, shown(*word)));
}

/// What torch.save wrote: a zip archive, or the pickles of torch before 1.6. It is not read, for it may
/// hold anything; that it is one is seen at both ends.
void checkSaved(Model &m, Archive &archive, const ArchiveEntry &e, std::string_view what) {
  // An empty record stands for nothing.
  if (e.size == 0)
    return;
  const auto record = archive.read(e);
  if (!record)
    return malformed(m, e.name, record.error().message);
  constexpr std::string_view zipBegin = "PK\x03\x04", zipEnd = "PK\x05\x06";
  // The end of a zip archive may be followed by a comment of 64 KiB.
  constexpr std::size_t longestEnd = 22 + 65535;
  const std::string_view text = record->text;
  const std::string_view end = text.substr(text.size() - std::min(text.size(), longestEnd));
  // A pickle of any protocol: torch's magic number, a long of ten bytes, comes first.
  constexpr std::string_view magicNumber = "\x8a\x0a";
  const bool isPickle = text.starts_with('\x80') && text.size() > 4 && text.substr(2, 2) == magicNumber;
  const bool isZip = text.starts_with(zipBegin) && end.find(zipEnd) != std::string_view::npos;
  if (!isZip && !isPickle)
    malformed(m, e.name, fmt::format("expected {} as torch.save writes them, found something else", what));
}

} // namespace

void checkRecords(Model &m, Archive &archive, std::string_view root, std::string_view key) {
  checkWord(m, archive, root, "archive_format", "the archive format", "pt2");
  checkWord(m, archive, root, "archive_version", "the archive version", "0");
  checkContainerVersion(m, archive, root);
  const std::string samples = fmt::format("data/sample_inputs/{}.pt", key);
  if (const ArchiveEntry *e = demanded(m, archive, root, {samples}))
    checkSaved(m, archive, *e, "the inputs that the model was exported with,");
}

void checkOldRecords(Model &m, Archive &archive) {
  if (const ArchiveEntry *e = demanded(m, archive, {}, {"version"}))
    if (const auto word = wordIn(m, archive, *e); word && std::ranges::count(*word, '.') != 1)
      malformed(m, e->name, fmt::format("expected the version of the schema, such as 8.2, found '{}'", shown(*word)));
  if (const ArchiveEntry *e = demanded(m, archive, {}, {"serialized_state_dict.pt", "serialized_state_dict.json"}))
    checkSaved(m, archive, *e, "the weights");
  if (const ArchiveEntry *e = demanded(m, archive, {}, {"serialized_constants.pt", "serialized_constants.json"}))
    checkSaved(m, archive, *e, "the constants");
  // Before 2.6 nobody is known to have asked for them.
  if (m.info.version.starts_with("2.6"))
    if (const ArchiveEntry *e = demanded(m, archive, {}, {"serialized_example_inputs.pt"}))
      checkSaved(m, archive, *e, "the inputs that the model was exported with,");
}

} // namespace condlint::pt2

//===- Archive.h - The zip archive around a .pt2 ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_ARCHIVE_H
#define CONDLINT_LIB_READERS_PT2_ARCHIVE_H

#include "condlint/Reader.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct zip_file; // libzip's

namespace condlint::pt2 {

/// One record of an archive, as its central directory declares it: nothing
/// here is true before the record is read.
struct ArchiveEntry {
  std::string name;
  std::uint64_t index = 0;
  std::uint64_t size = 0;       ///< declared, in bytes
  std::uint64_t compressed = 0; ///< declared, in bytes
  std::uint32_t crc = 0;        ///< declared, CRC-32 of the bytes as they are not compressed
  bool stored = false;          ///< not compressed: the bytes lie in the file as they are
};

/// The bytes of a record, with 64 readable bytes after them.
struct Record {
  std::string_view text;
  std::shared_ptr<const void> keepAlive; ///< what \c text points into
};

/// A zip archive over bytes in memory. Its directory is read at once, its
/// records when they are asked for; a record that is not asked for costs nothing.
class Archive {
public:
  /// The error says what the bytes are instead: empty, cut off, no archive.
  static Expected<std::unique_ptr<Archive>> open(std::shared_ptr<const FileBytes> bytes, const std::string &path);
  ~Archive();
  Archive(const Archive &) = delete;
  Archive &operator=(const Archive &) = delete;

  /// In the order of the directory. Names that lead out of the archive are left out.
  const std::vector<ArchiveEntry> &entries() const { return list; }
  const ArchiveEntry *find(std::string_view name) const;
  /// True when several records have the name \p name.
  bool isAmbiguous(std::string_view name) const;

  /// The record, checked against its CRC and its declared size. A stored
  /// record is not copied.
  Expected<Record> read(const ArchiveEntry &e);
  /// Where a stored record's bytes begin in the file. Reads one byte of it.
  std::optional<std::uint64_t> offsetOf(const ArchiveEntry &e);

private:
  struct Handle;
  Archive(std::shared_ptr<const FileBytes> bytes, std::string path, std::unique_ptr<Handle> handle);
  Expected<Record> readStored(const ArchiveEntry &e);
  Expected<Record> inflate(const ArchiveEntry &e, zip_file *file);
  Error failure(const ArchiveEntry &e, std::string message) const;

  std::shared_ptr<const FileBytes> bytes;
  std::string path;
  std::unique_ptr<Handle> handle;
  std::vector<ArchiveEntry> list;
  std::unordered_map<std::string_view, std::size_t> byName;
  std::vector<std::string_view> ambiguous;
};

/// The archive that \c readPt2 made \p m from, which the model keeps alive before all else.
std::shared_ptr<const FileBytes> archiveBytes(const Model &m);

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_ARCHIVE_H

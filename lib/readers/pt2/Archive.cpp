//===- Archive.cpp - The zip archive around a .pt2 --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Archive.h"
#include "../archive/MemberName.h"
#include "../zip/Libzip.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <libdeflate.h>

namespace condlint::pt2 {

namespace {

/// What libzip is given to inflate at a time.
constexpr std::size_t chunkSize = 128 * 1024;
constexpr std::size_t padding = 64;
/// simdjson's own limit; a graph is far below.
constexpr std::uint64_t maxSize = 0xffffffffu - 64;
/// A record that grows beyond `bombSize` must at no time have grown to more than
/// `bombRatio` times what was read of it: the JSON of large models shrinks to a
/// sixtieth at most, what deflate can shrink to a thousandth.
constexpr std::uint64_t bombSize = 64u << 20;
constexpr std::uint64_t bombRatio = 128;
constexpr const char *wrongChecksum = "is damaged: its bytes do not have the checksum that the zip archive records";

/// Gives libzip the bytes, and remembers where it last read: the only way to
/// learn where a record's data begin without reading the directory twice.
struct ByteSource {
  const Libzip &zip;
  std::string_view bytes;
  std::uint64_t position = 0;
  std::uint64_t lastRead = 0;
  zip_error_t error{};

  static zip_int64_t callback(void *state, void *data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<ByteSource *>(state)->run(data, length, command);
  }

  zip_int64_t run(void *data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
    case ZIP_SOURCE_OPEN:
      position = 0;
      return 0;
    case ZIP_SOURCE_READ: {
      const std::uint64_t left = bytes.size() - position;
      const std::uint64_t n = std::min<std::uint64_t>(left, length);
      lastRead = position;
      std::memcpy(data, bytes.data() + position, static_cast<std::size_t>(n));
      position += n;
      return static_cast<zip_int64_t>(n);
    }
    case ZIP_SOURCE_SEEK: {
      const zip_int64_t to = zip.sourceSeekComputeOffset(position, bytes.size(), data, length, &error);
      if (to < 0)
        return -1;
      position = static_cast<std::uint64_t>(to);
      return 0;
    }
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(position);
    case ZIP_SOURCE_STAT: {
      auto *stat = static_cast<zip_stat_t *>(data);
      zip.statInit(stat);
      stat->valid = ZIP_STAT_SIZE;
      stat->size = bytes.size();
      return sizeof *stat;
    }
    case ZIP_SOURCE_ERROR:
      return zip.errorToData(&error, data, length);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    case ZIP_SOURCE_SUPPORTS:
      return zip.sourceMakeCommandBitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                         ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                         ZIP_SOURCE_SUPPORTS, -1);
    default:
      zip.errorSet(&error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
    }
  }
};

/// A record that is open for reading.
class OpenRecord {
public:
  OpenRecord(const Libzip &z, zip_t *archive, std::uint64_t index) : zip(z), file(zip.fopenIndex(archive, index, 0)) {}
  ~OpenRecord() {
    if (file != nullptr)
      zip.fclose(file);
  }
  OpenRecord(const OpenRecord &) = delete;
  OpenRecord &operator=(const OpenRecord &) = delete;
  explicit operator bool() const { return file != nullptr; }
  zip_file_t *get() const { return file; }

private:
  const Libzip &zip;
  zip_file_t *file;
};

/// Heap memory of a record that had to be inflated; grows by what really comes.
class Buffer {
public:
  char *grow(std::size_t wanted) {
    if (used + wanted + padding > data.size())
      data.resize(std::max(used + wanted + padding, data.size() * 2));
    return data.data() + used;
  }
  void advance(std::size_t n) { used += n; }
  std::string_view text() {
    data.resize(used + padding);
    std::memset(data.data() + used, 0, padding);
    return {data.data(), used};
  }

private:
  std::vector<char> data;
  std::size_t used = 0;
};

} // namespace

struct Archive::Handle {
  const Libzip &zip;
  ByteSource source{zip, {}};
  zip_t *archive = nullptr;
  explicit Handle(const Libzip &z) : zip(z) {}
  ~Handle() {
    if (archive != nullptr)
      zip.discard(archive);
  }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
};

Archive::Archive(std::shared_ptr<const FileBytes> b, std::string p, std::unique_ptr<Handle> h)
    : bytes(std::move(b)), path(std::move(p)), handle(std::move(h)) {}
Archive::~Archive() = default;

Error Archive::failure(const ArchiveEntry &e, std::string message) const {
  return {path, e.name, std::move(message), {}};
}

Expected<std::unique_ptr<Archive>> Archive::open(std::shared_ptr<const FileBytes> bytes, const std::string &path) {
  const std::string_view all = bytes->view();
  if (all.empty())
    return Error{path, {}, "is empty, expected a zip archive written by torch.export.save", {}};
  const Expected<const Libzip *> loaded = Libzip::load(path);
  if (!loaded)
    return loaded.error();
  const Libzip &zip = **loaded;
  std::unique_ptr<Archive> archive(new Archive(std::move(bytes), path, std::make_unique<Handle>(zip)));
  Handle &h = *archive->handle;
  h.source.bytes = all;
  zip.errorInit(&h.source.error);
  zip_error_t error;
  zip.errorInit(&error);
  zip_source_t *source = zip.sourceFunctionCreate(&ByteSource::callback, &h.source, &error);
  if (source != nullptr) {
    h.archive = zip.openFromSource(source, ZIP_RDONLY, &error);
    if (h.archive == nullptr)
      zip.sourceFree(source);
  }
  if (h.archive == nullptr) {
    const int code = zip.errorCodeZip(&error);
    const std::string reason = zip.errorStrerror(&error);
    zip.errorFini(&error);
    if (!all.starts_with("PK"))
      return Error{path, {}, "is no zip archive, expected one written by torch.export.save", {}};
    if (code == ZIP_ER_NOZIP)
      return Error{path, {}, "the zip archive is cut off: its directory, which stands at the end, is not there", {}};
    return Error{path, {}, "the zip archive is damaged: " + reason, {}};
  }
  zip.errorFini(&error);

  const zip_int64_t count = zip.getNumEntries(h.archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    zip.statInit(&stat);
    if (zip.statIndex(h.archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS, &stat) != 0 ||
        (stat.valid & ZIP_STAT_NAME) == 0)
      continue;
    if (leadsOut(stat.name))
      continue;
    ArchiveEntry e;
    e.name = stat.name;
    e.index = static_cast<std::uint64_t>(i);
    e.size = (stat.valid & ZIP_STAT_SIZE) != 0 ? stat.size : 0;
    e.compressed = (stat.valid & ZIP_STAT_COMP_SIZE) != 0 ? stat.comp_size : 0;
    e.crc = (stat.valid & ZIP_STAT_CRC) != 0 ? stat.crc : 0;
    e.stored = (stat.valid & ZIP_STAT_COMP_METHOD) != 0 && stat.comp_method == ZIP_CM_STORE;
    archive->list.push_back(std::move(e));
  }
  archive->byName.reserve(archive->list.size());
  for (std::size_t i = 0; i < archive->list.size(); ++i)
    if (!archive->byName.try_emplace(archive->list[i].name, i).second)
      archive->ambiguous.push_back(archive->list[i].name);
  return archive;
}

const ArchiveEntry *Archive::find(std::string_view name) const {
  const auto it = byName.find(name);
  return it == byName.end() ? nullptr : &list[it->second];
}

bool Archive::isAmbiguous(std::string_view name) const {
  return std::find(ambiguous.begin(), ambiguous.end(), name) != ambiguous.end();
}

Expected<Record> Archive::read(const ArchiveEntry &e) {
  if (e.size > maxSize)
    return failure(e, fmt::format("declares {} bytes, more than a model's JSON can have", e.size));
  const Libzip &zip = handle->zip;
  const OpenRecord open(zip, handle->archive, e.index);
  if (!open) {
    zip_error_t *error = zip.getError(handle->archive);
    const int code = zip.errorCodeZip(error);
    if (code == ZIP_ER_SEEK || code == ZIP_ER_INVAL || code == ZIP_ER_EOF)
      return failure(e, "lies outside of the file, by what the zip archive's directory says");
    return failure(e, fmt::format("cannot be read from the zip archive: {}", zip.errorStrerror(error)));
  }
  return e.stored ? readStored(e) : inflate(e, open.get());
}

Expected<Record> Archive::readStored(const ArchiveEntry &e) {
  if (e.compressed != e.size)
    return failure(e, fmt::format("declares {} bytes and holds {}", e.size, e.compressed));
  std::string_view text(bytes->view().data(), 0);
  if (e.size != 0) {
    const auto begin = offsetOf(e);
    if (!begin)
      return failure(e, "lies outside of the file");
    text = bytes->view().substr(static_cast<std::size_t>(*begin), static_cast<std::size_t>(e.size));
  }
  if (libdeflate_crc32(0, text.data(), text.size()) != e.crc)
    return failure(e, wrongChecksum);
  // The file has 64 readable bytes after its end, so any part of it has.
  return Record{text, bytes};
}

Expected<Record> Archive::inflate(const ArchiveEntry &e, zip_file_t *file) {
  const Libzip &zip = handle->zip;
  const std::uint64_t opened = handle->source.position;
  auto buffer = std::make_shared<Buffer>();
  std::uint64_t total = 0;
  for (;;) {
    const zip_int64_t n = zip.fread(file, buffer->grow(chunkSize), chunkSize);
    if (n < 0) {
      zip_error_t *error = zip.fileGetError(file);
      if (zip.errorCodeZip(error) == ZIP_ER_CRC)
        return failure(e, wrongChecksum);
      // libzip tells a size that is not true as an inconsistency, without saying which.
      if (total != e.size)
        return failure(e, fmt::format("declares {} bytes and holds {}: {}", e.size, total, zip.errorStrerror(error)));
      return failure(e, fmt::format("is damaged: {}", zip.errorStrerror(error)));
    }
    if (n == 0)
      break;
    total += static_cast<std::uint64_t>(n);
    if (total > e.size)
      break;
    buffer->advance(static_cast<std::size_t>(n));
    const std::uint64_t position = handle->source.position;
    const std::uint64_t consumed = position > opened ? position - opened : e.compressed;
    if (total > bombSize && total / bombRatio > consumed)
      return failure(e, fmt::format("grows to more than {} times its size when it is inflated: {} bytes so far, and "
                                    "{} are declared",
                                    bombRatio, total, e.size));
  }
  if (total != e.size)
    return failure(e, fmt::format("declares {} bytes and holds {}", e.size, total));
  return Record{buffer->text(), buffer};
}

std::optional<std::uint64_t> Archive::offsetOf(const ArchiveEntry &e) {
  if (!e.stored || e.size == 0)
    return std::nullopt;
  const Libzip &zip = handle->zip;
  const OpenRecord open(zip, handle->archive, e.index);
  char byte = 0;
  if (!open || zip.fread(open.get(), &byte, 1) != 1)
    return std::nullopt;
  const std::uint64_t begin = handle->source.lastRead;
  if (begin > bytes->view().size() || bytes->view().size() - begin < e.size)
    return std::nullopt;
  return begin;
}

} // namespace condlint::pt2

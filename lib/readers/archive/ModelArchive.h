//===- ModelArchive.h - The models in a zip or a tar ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_ARCHIVE_MODELARCHIVE_H
#define CONDLINT_LIB_READERS_ARCHIVE_MODELARCHIVE_H

#include "condlint/Expected.h"
#include "condlint/Reader.h"
#include "readers/ExecuTorchProgram.h"
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace condlint {

/// Reads models out of a zip, or a tar that may be compressed (gzip, bzip2, xz, zstd), one after the other and from
/// front to end: no more than one is in memory. Nothing is unpacked to files.
class ModelArchive {
public:
  /// A `.pt2`, `.onnx` or graph `.json` in the archive; hidden files, links and all others are passed over.
  struct Member {
    std::string name; ///< in the archive: "dir/m.onnx"
    std::shared_ptr<const FileBytes> bytes;
    std::string problem; ///< not empty: it cannot be analysed, and why
  };

  /// The archive \p path, of which a member takes \p most bytes at most.
  static Expected<std::unique_ptr<ModelArchive>> open(const std::string &path, std::size_t most);
  /// What comes from \p descriptor, of which \p begun was read already. \p path is for messages.
  static Expected<std::unique_ptr<ModelArchive>> openStream(int descriptor, std::string begun, const std::string &path,
                                                            std::size_t most);
  ~ModelArchive();
  ModelArchive(const ModelArchive &) = delete;
  ModelArchive &operator=(const ModelArchive &) = delete;

  /// The next member; nothing at the end. Behind an error comes nothing more.
  Expected<std::optional<Member>> next();
  /// The programs of ExecuTorch (`.pte`) that were passed over since this was last asked, by their names.
  ProgramsLeftOut takePrograms();

  /// Whether a file of this name is taken for an archive of models.
  static bool isNamedSo(std::string_view path);
  /// Whether bytes that begin so are an archive of models, or a zip that may be a `.pt2` as well.
  static bool beginsLikeOne(std::string_view bytes);
  static constexpr std::size_t bytesToTell = 512;

private:
  struct Handle;
  explicit ModelArchive(std::unique_ptr<Handle> h);
  std::unique_ptr<Handle> handle;
};

/// Whether \p text begins like a graph in condlint's own JSON, which says so by its key "condlint" near its start.
bool beginsLikeGraphJson(std::string_view text);

} // namespace condlint

#endif // CONDLINT_LIB_READERS_ARCHIVE_MODELARCHIVE_H

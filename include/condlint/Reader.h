//===- Reader.h - Files to models -------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READER_H
#define CONDLINT_READER_H

#include "condlint/Expected.h"
#include "condlint/Graph.h"
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// A file's bytes, mapped or in memory, with at least 64 readable bytes after
/// them (zeros). Immutable while it lives.
class FileBytes {
public:
  /// Maps \p path. The error names the file and what is wrong: absent, a
  /// folder, not readable.
  static Expected<std::shared_ptr<const FileBytes>> open(const std::string &path);
  /// Copies \p bytes.
  static std::shared_ptr<const FileBytes> copy(std::string_view bytes);
  ~FileBytes();
  FileBytes(const FileBytes &) = delete;
  FileBytes &operator=(const FileBytes &) = delete;
  std::string_view view() const { return {data, size}; }

private:
  FileBytes() = default;
  const char *data = nullptr;
  std::size_t size = 0;
  std::size_t mapped = 0;
  std::unique_ptr<char[]> owned;
};

/// Which reader a path belongs to, by its name; nothing for other files.
std::optional<Format> formatOfPath(std::string_view path);

/// Reads a `.pt2`: one model for each `models/*.json` in it; or such a JSON alone, of which nothing
/// says where its weights are. \p path is for messages and locations only.
Expected<std::vector<Model>> readPt2(std::shared_ptr<const FileBytes> bytes, const std::string &path);
/// Reads an `.onnx`. External data is never opened, except that the size of a
/// file beside the model is looked at; \p path gives the model's folder.
Expected<std::vector<Model>> readOnnx(std::shared_ptr<const FileBytes> bytes, const std::string &path);
/// Reads a graph in condlint's own JSON (docs/graph.schema.json).
Expected<std::vector<Model>> readJson(std::shared_ptr<const FileBytes> bytes, const std::string &path);

/// Reads \p path with the reader of its format, or says why it cannot be read.
Expected<std::vector<Model>> readModel(const std::string &path);

/// \p m in condlint's own JSON; `readJson` reads it back.
std::string writeJson(const Model &m);

} // namespace condlint

#endif // CONDLINT_READER_H

//===- ExternalData.h - Weights beside the model --------------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_EXTERNALDATA_H
#define CONDLINT_READERS_ONNX_EXTERNALDATA_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace condlint::onnx {

/// What is known of a file of external data without opening it.
struct ExternalFile {
  std::string problem;               ///< why the location is not admitted, or empty
  std::string path;                  ///< where it is, links resolved; empty when it cannot be
  std::optional<std::uint64_t> size; ///< when the file is there
};

/// Judges the locations that a model's tensors name. ONNX demands a relative
/// path that stays inside the model's folder; a file that is not there is no
/// fault of the graph. Looks at the file system, once a location.
class ExternalFolder {
public:
  explicit ExternalFolder(std::string modelFolder) : folder(std::move(modelFolder)) {}
  const ExternalFile &look(std::string_view location);

private:
  std::string folder;
  std::unordered_map<std::string, ExternalFile> seen;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_EXTERNALDATA_H

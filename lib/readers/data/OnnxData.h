//===- OnnxData.h - The numbers in a TensorProto ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_DATA_ONNXDATA_H
#define CONDLINT_LIB_READERS_DATA_ONNXDATA_H

#include "condlint/Array.h"
#include "condlint/Reader.h"
#include <map>
#include <string>

namespace condlint::onnx {

/// Files of external data beside a model, each mapped once.
class ExternalBytes {
public:
  explicit ExternalBytes(std::string modelFolder) : folder(std::move(modelFolder)) {}
  /// The error says why the location is not admitted or cannot be read.
  Expected<std::shared_ptr<const FileBytes>> open(std::string_view location);

private:
  std::string folder;
  std::map<std::string, std::shared_ptr<const FileBytes>, std::less<>> files;
};

/// Decodes the TensorProto in \p message; \p external is where its data may lie,
/// null where they must be inside. \p keepAlive holds the bytes of \p message.
Expected<Array> decodeTensor(std::string_view message, const std::shared_ptr<const void> &keepAlive,
                             ExternalBytes *external);
/// The same for a SparseTensorProto, made dense where that takes \p mostDense bytes at most.
Expected<Array> decodeSparse(std::string_view message, const std::shared_ptr<const void> &keepAlive,
                             ExternalBytes *external, std::uint64_t mostDense);

} // namespace condlint::onnx

#endif // CONDLINT_LIB_READERS_DATA_ONNXDATA_H

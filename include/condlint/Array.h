//===- Array.h - Data of tensors outside of a run ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What files hold of tensors: weights, inputs, outputs. The executor makes
// tensors of arrays and arrays of tensors.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_ARRAY_H
#define CONDLINT_ARRAY_H

#include "condlint/Expected.h"
#include "condlint/Graph.h"
#include "condlint/TensorType.h"
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// A tensor's data, or (kind Sequence, Optional) several.
struct Array {
  std::string name;
  ValueKind kind = ValueKind::Tensor;
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> shape;
  /// In elements; empty: row-major from the first byte.
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0; ///< in elements, like strides
  /// Little endian; elements below a byte take one each. Empty for strings.
  std::string_view bytes;
  std::vector<std::string> strings;
  std::shared_ptr<const void> keepAlive; ///< what `bytes` point into
  /// Arrays of one such name are views of the same bytes; empty: of their own.
  std::string storage;
  std::vector<Array> items; ///< Sequence, Optional
};

/// The data of a model's constants, read when they are asked for. Nothing in a
/// file is executed, and no file outside of the model's folder is opened.
class ConstantData {
public:
  virtual ~ConstantData() = default;
  /// The error says which constant, and what of it is absent, too short or of an
  /// unknown kind.
  virtual Expected<Array> read(ConstantId c) = 0;
};

/// Opens what the constants of \p m refer to; \p m must outlive the result. The
/// bytes stay mapped as long as some array refers to them. A sparse constant of more
/// than \p mostDense bytes when it is made dense is an error.
using OpenConstants = Expected<std::unique_ptr<ConstantData>>(const Model &m, std::uint64_t mostDense);
/// The one that reads the model's own file and what lies in its folder.
OpenConstants openConstants;

/// Reads an `.npz` (arrays of numpy, in the order of the file). bfloat16 arrays are uint16 under a
/// name that ends in `__bf16`; the name is given without it.
Expected<std::vector<Array>> readNpz(const std::string &path);
/// Writes \p arrays, which must be row-major (no strides), as an `.npz`; what is at \p path is
/// replaced when all is written. Nothing is left behind when that fails.
std::optional<Error> writeNpz(const std::string &path, std::span<const Array> arrays);
/// Reads a file that holds one ONNX TensorProto, SequenceProto or OptionalProto.
Expected<Array> readOnnxValue(const std::string &path, const Type *expected, const TypeTable &types);

} // namespace condlint

#endif // CONDLINT_ARRAY_H

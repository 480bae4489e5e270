//===- TensorType.h - What is known of a value ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TENSORTYPE_H
#define CONDLINT_TENSORTYPE_H

#include "condlint/Dim.h"
#include "condlint/Id.h"
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace condlint {

/// The element types of torch and of ONNX.
enum class DType : std::uint8_t {
  Unknown,
  Bool,
  UInt2,
  Int2,
  UInt4,
  Int4,
  UInt8,
  Int8,
  UInt16,
  Int16,
  UInt32,
  Int32,
  UInt64,
  Int64,
  Float4E2M1,
  Float8E4M3FN,
  Float8E4M3FNUZ,
  Float8E5M2,
  Float8E5M2FNUZ,
  Float8E8M0FNU,
  Float16,
  BFloat16,
  Float32,
  Float64,
  Complex32,
  Complex64,
  Complex128,
  String,
};

/// "float32", "int64", "bool"; "unknown" for \c DType::Unknown.
std::string_view dtypeName(DType t);
std::optional<DType> dtypeByName(std::string_view name);
bool isFloating(DType t);
bool isComplex(DType t);
bool isSigned(DType t);
/// Integers of any width, without bool.
bool isIntegral(DType t);
/// Bits of one element; 0 for unknown and string.
unsigned dtypeBits(DType t);

enum class ValueKind : std::uint8_t {
  Unknown, ///< Nothing is known.
  Tensor,
  Sequence, ///< ONNX sequence, a list of tensors.
  Optional, ///< ONNX optional.
  Map,      ///< ONNX-ML map.
  SymInt,   ///< An integer that may depend on sizes or data.
  SymBool,
  SymFloat,
  String,
  None,   ///< No value at all (`as_none`).
  Object, ///< Opaque: a custom object, a token.
};
std::string_view kindName(ValueKind k);
std::optional<ValueKind> kindByName(std::string_view name);

enum class Layout : std::uint8_t {
  Unknown,
  Strided,
  SparseCoo,
  SparseCsr,
  SparseCsc,
  SparseBsr,
  SparseBsc,
  Mkldnn,
  Jagged,
};
std::string_view layoutName(Layout l);
std::optional<Layout> layoutByName(std::string_view name);

/// Yes, no, or not known.
enum class Tri : std::uint8_t { Unknown, No, Yes };
inline Tri toTri(bool b) { return b ? Tri::Yes : Tri::No; }

/// What is known of a value. Every facet can be unknown, and unknown is never
/// a guess. Equal types of one table have equal ids.
struct Type {
  ValueKind kind = ValueKind::Unknown;
  DType element = DType::Unknown;
  Layout layout = Layout::Unknown;
  Tri requiresGrad = Tri::Unknown;
  Tri conjugate = Tri::Unknown;
  Tri quantized = Tri::Unknown;
  bool hasRank = false;          ///< \c dims has one entry a dimension.
  bool hasStrides = false;       ///< \c strides has one entry a dimension, in elements.
  std::int16_t deviceIndex = -1; ///< -1: none given.
  StringId device;               ///< "cpu", "cuda"; none when unknown.
  std::span<const Dim> dims;
  std::span<const Dim> strides;
  Dim storageOffset; ///< In elements.
  TypeId item;       ///< What a sequence or an optional holds.

  bool isTensor() const { return kind == ValueKind::Tensor; }
  std::optional<std::size_t> rank() const { return hasRank ? std::optional<std::size_t>(dims.size()) : std::nullopt; }
};

/// Owns the types of one model, each once. The spans of a type taken from the
/// table point into the table and stay valid while it lives; the spans of a
/// type given to \c intern are copied. Not thread-safe.
class TypeTable {
public:
  TypeTable();
  ~TypeTable();
  TypeTable(TypeTable &&) noexcept;
  TypeTable &operator=(TypeTable &&) noexcept;

  TypeId intern(const Type &type);
  /// The type of \p id; the all-unknown type for none.
  const Type &operator[](TypeId id) const;
  std::size_t size() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace condlint

#endif // CONDLINT_TENSORTYPE_H

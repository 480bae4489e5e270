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
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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
/// The element type that ONNX numbers so (onnx.proto, enum TensorProto.DataType), \c DType::Unknown for its UNDEFINED;
/// none when ONNX has no such number.
std::optional<DType> dtypeOfOnnx(std::int64_t number);
bool isFloating(DType t);
bool isComplex(DType t);
bool isSigned(DType t);
/// Integers of any width, without bool.
bool isIntegral(DType t);
/// Bits of one element; 0 for unknown and string.
unsigned dtypeBits(DType t);

/// A set of element types: those that are possible where the one is not known.
class DTypeSet {
public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> types) {
    for (DType t : types)
      add(t);
  }
  /// Every element type but `Unknown`.
  static constexpr DTypeSet all() { return between(DType::Bool, DType::String); }
  static constexpr DTypeSet integral() { return between(DType::UInt2, DType::Int64); }
  static constexpr DTypeSet floating() { return between(DType::Float4E2M1, DType::Float64); }
  static constexpr DTypeSet complex() { return between(DType::Complex32, DType::Complex128); }
  static constexpr DTypeSet fromBits(std::uint32_t bits) {
    DTypeSet s;
    s.word = bits & all().word;
    return s;
  }

  constexpr void add(DType t) {
    if (t != DType::Unknown)
      word |= 1u << static_cast<unsigned>(t);
  }
  constexpr bool contains(DType t) const { return (word >> static_cast<unsigned>(t) & 1u) != 0; }
  constexpr bool empty() const { return word == 0; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(word)); }
  /// The one element type of a set of one, else `Unknown`.
  constexpr DType only() const { return size() == 1 ? static_cast<DType>(std::countr_zero(word)) : DType::Unknown; }
  constexpr bool disjoint(DTypeSet other) const { return (word & other.word) == 0; }
  constexpr std::uint32_t bits() const { return word; }
  friend constexpr DTypeSet operator|(DTypeSet a, DTypeSet b) { return fromBits(a.word | b.word); }
  friend constexpr DTypeSet operator&(DTypeSet a, DTypeSet b) { return fromBits(a.word & b.word); }
  /// What is in \p a and not in \p b.
  friend constexpr DTypeSet operator-(DTypeSet a, DTypeSet b) { return fromBits(a.word & ~b.word); }
  friend constexpr bool operator==(DTypeSet, DTypeSet) = default;

private:
  static constexpr DTypeSet between(DType first, DType last) {
    DTypeSet s;
    for (auto t = static_cast<unsigned>(first); t <= static_cast<unsigned>(last); ++t)
      s.word |= 1u << t;
    return s;
  }
  std::uint32_t word = 0;
};

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

/// Names for what is not known of a tensor, in C++ source: two tensors with one name
/// for a facet agree in it, whatever it is. An element type is named by the value
/// that decides it and by what each of its types makes of it. None: nothing is said.
struct TypeNames {
  StringId element;
  StringId shape; ///< rank and sizes
  StringId device;
  StringId memory; ///< layout, strides and storage offset
  friend bool operator==(const TypeNames &, const TypeNames &) = default;
};

/// What is known of a value. Every facet can be unknown, and unknown is never
/// a guess. Equal types of one table have equal ids.
struct Type {
  ValueKind kind = ValueKind::Unknown;
  DType element = DType::Unknown;
  /// Where \c element is unknown: the element types that are possible. Empty when
  /// it is known, and when any is possible. Read it through \c possible().
  DTypeSet elements;
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
  TypeNames names;   ///< Of the facets that are unknown.

  bool isTensor() const { return kind == ValueKind::Tensor; }
  /// The element types that the value may have: never empty.
  DTypeSet possible() const {
    return element != DType::Unknown ? DTypeSet{element} : elements.empty() ? DTypeSet::all() : elements;
  }
  /// Restricts the element type to \p types; a set of one is that type. A set that
  /// contradicts what is known changes nothing.
  void restrict(DTypeSet types) {
    const DTypeSet left = possible() & types;
    if (left.empty())
      return;
    element = left.only();
    elements = element != DType::Unknown || left == DTypeSet::all() ? DTypeSet() : left;
  }
  std::optional<std::size_t> rank() const { return hasRank ? std::optional<std::size_t>(dims.size()) : std::nullopt; }
};

/// Both lie on known devices, and those differ. "cuda" alone is the current device: it is not known
/// to differ from "cuda:1".
bool onOtherDevices(const Type &a, const Type &b);

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

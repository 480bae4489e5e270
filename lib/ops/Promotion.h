//===- Promotion.h - Which element type a mix of operands has ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_PROMOTION_H
#define CONDLINT_LIB_OPS_PROMOTION_H

#include "condlint/Op.h"
#include <span>
#include <string_view>
#include <vector>

namespace condlint {

/// `c10::promoteTypes`: the element type that holds both. Unknown when either
/// is unknown or torch refuses the pair (fp8, or uint16..64 with integers).
DType promoteTypes(DType a, DType b);
/// The real type of a complex one ("complex64" -> "float32"), else \p t.
DType realType(DType t);
/// The complex type of a floating one ("float32" -> "complex64"), else \p t.
DType complexType(DType t);
/// Integers and bool become float32 (torch's default dtype), others stay.
DType floatOrDefault(DType t);
/// The integer type that sums of \p t have: bool and integers become int64.
DType accumulateType(DType t);

/// `at::result_type` over the operands of one operator. An operand with
/// dimensions outranks a 0-dim tensor, which outranks a number, as long as the
/// category (bool, integer, floating, complex) is not higher further down.
class TypePromotion {
public:
  TypePromotion() = default;
  /// \p c says what to assume of operands of unknown rank while types are tried out.
  explicit TypePromotion(const InferContext &c) : assumed(c.assumedScalars()) {}
  void addTensor(const Type &t);
  void addTensor(DType t, std::optional<std::size_t> rank);
  /// A number; Bool, Int64, Float64 or Complex128 by its category.
  void addNumber(DType category);
  void addUnknown() { unknown = true; }
  /// The promoted type; unknown when it depends on something unknown.
  DType result() const;

private:
  enum class Level : std::uint8_t { Dimensioned, ZeroDim, Number, Either };
  struct Entry {
    DType type;
    Level level;
  };
  DType resultWith(unsigned eitherAreZeroDim) const;
  std::vector<Entry> entries;
  bool unknown = false;
  std::optional<unsigned> assumed;
};

/// Adds the torch argument \p name of the node of \p c: a tensor, a symbolic
/// scalar or a literal. Returns false when it is absent or None.
bool addArgument(TypePromotion &p, InferContext &c, std::string_view name);
/// The category of a symbolic or host scalar: Int64, Float64, Bool; unknown otherwise.
DType scalarCategory(const Type &t);
/// `result_type` of the named arguments, leaving out absent ones.
DType resultType(InferContext &c, std::initializer_list<std::string_view> names);

/// ONNX: the one element type that the operands at \p positions share. The first
/// known one; two that differ are rejected.
DType sameType(InferContext &c, std::span<const std::size_t> positions);
DType sameType(InferContext &c, std::initializer_list<std::size_t> positions);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_PROMOTION_H

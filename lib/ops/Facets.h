//===- Facets.h - Reading and checking single facets of types ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_FACETS_H
#define CONDLINT_LIB_OPS_FACETS_H

#include "Elementwise.h"
#include <string_view>

namespace condlint {

/// The size of axis \p axis of \p t, counted from the end when negative;
/// unknown when there is none or it is not known.
Dim dimAt(const Type &t, std::int64_t axis);
/// Rejects operand \p i when its rank is known and not in [\p least, \p most].
bool admitRank(InferContext &c, std::size_t i, std::size_t least, std::size_t most, std::string_view what);
/// The better known of two sizes that must be equal; rejects when they never are.
Dim mustEqual(InferContext &c, Dim a, Dim b, std::string_view what, std::optional<std::size_t> operand = std::nullopt);
/// \p t may have no elements, as far as its sizes are known.
bool mayBeEmpty(const DimTable &dims, const Type &t);
/// The one number in operand \p i; unknown when it is not known.
Dim numberIn(const InferContext &c, std::size_t i);
/// \p t as a plain ONNX value with another element type: kind tensor and the same sizes.
Type reshapedLike(const InferContext &c, DType dtype, const Type &t);

/// A fresh torch tensor whose order of axes in memory its kernel decides: like
/// `freshTensor`, without strides unless it has at most one axis.
OwnedType looseTensor(InferContext &c, DType dtype, std::vector<Dim> shape, const Type &like);
/// The same with the shape of \p like, which may be unknown.
OwnedType looseLike(InferContext &c, DType dtype, const Type &like);
/// All but the last \p count axes of \p t, then \p tail; nothing when the rank
/// is unknown or too small.
std::optional<std::vector<Dim>> batchShape(const Type &t, std::size_t count, std::initializer_list<Dim> tail);
/// A symbolic number as a result of a torch operator.
Type symbolic(ValueKind kind);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_FACETS_H

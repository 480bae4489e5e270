//===- Broadcast.h - Shapes that stretch, axes, sizes -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_BROADCAST_H
#define CONDLINT_LIB_OPS_BROADCAST_H

#include "condlint/Op.h"
#include <optional>
#include <span>
#include <vector>

namespace condlint {

/// A shape of which the rank, and each size, may be unknown.
struct Shape {
  bool hasRank = false;
  std::vector<Dim> dims;
  /// Definitely incompatible operands; `axis` counts from the end, from 0.
  bool mismatch = false;
  std::size_t axis = 0;
  Dim left, right; ///< the two sizes that do not fit
};

/// The size that \p a and \p b stretch to; \p mismatch is set when they never
/// fit. Unknown when it may be either.
Dim broadcastDim(DimTable &dims, Dim a, Dim b, bool &mismatch);
/// Multidirectional (numpy) broadcasting of \p operands; the rank is unknown
/// when one's is.
Shape broadcast(DimTable &dims, std::span<const Type> operands);
Shape broadcast(DimTable &dims, std::span<const Dim> a, std::span<const Dim> b);
/// Two sizes of which one must equal the other: the better known one;
/// \p mismatch is set when they never are equal.
Dim unifyDim(DimTable &dims, Dim a, Dim b, bool &mismatch);

/// \p axis in 0..rank-1; nothing when it is out of range. Torch lets a 0-dim
/// tensor have the axes 0 and -1: pass \p wrapScalar, and 0 comes back.
std::optional<std::size_t> normalizeAxis(std::int64_t axis, std::size_t rank, bool wrapScalar = false);
/// Which of \p rank axes \p axes names; nothing when one is out of range.
std::optional<std::vector<bool>> axisMask(std::span<const std::int64_t> axes, std::size_t rank,
                                          bool wrapScalar = false);
/// \p shape with the axes of \p mask made 1 (\p keep) or dropped.
std::vector<Dim> reducedShape(DimTable &dims, std::span<const Dim> shape, const std::vector<bool> &mask, bool keep);
/// The product of the sizes; unknown when one is, except that a 0 wins.
Dim elementCount(DimTable &dims, std::span<const Dim> shape);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_BROADCAST_H

//===- IndexPlaces.h - Where indices point ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_INDEXPLACES_H
#define CONDLINT_LIB_OPS_KERNELS_INDEXPLACES_H

#include "TensorOps.h"
#include <optional>
#include <vector>

namespace condlint {

/// Elements of a tensor from the axis \p axis on.
std::int64_t innerCount(const Tensor &t, std::size_t axis);
/// \p index counted from the front of an axis of \p size elements; fails outside of it.
std::int64_t wrapped(const ExecContext &c, std::int64_t index, std::int64_t size, bool negative = true);
/// A dense int64 copy of \p t with each index checked against \p size and made positive.
Tensor checkedIndices(const ExecContext &c, const Tensor &t, std::int64_t size, bool negative = true);
/// Whole slices of \p t along \p axis at \p indices, whose shape takes the axis' place.
Tensor takeSlices(const ExecContext &c, const Tensor &given, std::size_t axis, const Tensor &indices,
                  bool negative = true);

/// What `x[indices]` reads or writes: the axes that are indexed, the indices stretched
/// to one shape, and where their shape stands in the result's.
struct AdvancedIndex {
  std::vector<std::size_t> axes;
  std::vector<Tensor> indices; ///< dense int64 of one shape, checked
  Sizes shape;                 ///< of the indices
  std::size_t position = 0;    ///< of their axes in the result
  Tensor x;                    ///< the operand, whose axes masks may have merged
};

AdvancedIndex advancedIndex(const ExecContext &c, const Tensor &self, const std::vector<std::optional<Tensor>> &given);

/// The operand with the indexed axes merged in front: [places, rest], as a view where
/// that is possible, and the flat place of each index.
struct FlatIndex {
  Tensor x; ///< [places, inner], dense
  Tensor places;
  Sizes rest;
};
FlatIndex flatten(const ExecContext &c, const AdvancedIndex &a);
/// Moves the axes of the indices from the front to their place.
Tensor placeAxes(const Tensor &t, const AdvancedIndex &a);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_INDEXPLACES_H

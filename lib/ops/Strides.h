//===- Strides.h - How torch lays results out in memory ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_STRIDES_H
#define CONDLINT_LIB_OPS_STRIDES_H

#include "condlint/Op.h"
#include <optional>
#include <span>
#include <vector>

namespace condlint {

/// Torch's numbers of memory formats, as `AttributeKind::MemoryFormat` holds them.
enum class MemoryFormat : std::int64_t { Contiguous = 1, ChannelsLast = 2, ChannelsLast3d = 3, Preserve = 4 };

/// Row-major strides, in elements. Unknown sizes give unknown strides outside of them.
std::vector<Dim> contiguousStrides(DimTable &dims, std::span<const Dim> shape);
/// Strides of a dense tensor whose axis `order.front()` is the innermost.
std::vector<Dim> denseStrides(DimTable &dims, std::span<const Dim> shape, std::span<const std::size_t> order);
/// Strides in \p format; nothing when the rank does not admit it (or Preserve).
std::optional<std::vector<Dim>> stridesInFormat(DimTable &dims, std::span<const Dim> shape, MemoryFormat format);

/// Whether \p t is laid out row-major (`is_contiguous`), channels last, or
/// dense without overlap in some order.
Tri isContiguous(DimTable &dims, const Type &t);
Tri isChannelsLast(DimTable &dims, const Type &t);
Tri isDense(DimTable &dims, const Type &t);
/// `suggest_memory_format`: channels last where the axes of \p t lie in that order, with gaps or without, else
/// row-major. Nothing when that is not known.
std::optional<MemoryFormat> suggestedFormat(DimTable &dims, const Type &t);

/// TensorIterator: the strides of an elementwise result of \p shape. The result
/// keeps the order of the operands' axes. Nothing when that is not known.
std::optional<std::vector<Dim>> elementwiseStrides(DimTable &dims, std::span<const Dim> shape,
                                                   std::span<const Type> operands);
/// `empty_like` with Preserve: the strides of \p t when it is dense, else dense
/// ones in the order of its strides. Nothing when that is not known.
std::optional<std::vector<Dim>> preservedStrides(DimTable &dims, const Type &t);

/// `at::detail::computeStride`: \p shape as a view of a tensor with \p oldShape
/// and \p oldStrides. `fits` is No when only a copy has that shape.
struct ViewStrides {
  Tri fits = Tri::Unknown;
  std::vector<Dim> strides; ///< when `fits` is Yes
};
ViewStrides viewStrides(DimTable &dims, std::span<const Dim> oldShape, std::span<const Dim> oldStrides,
                        std::span<const Dim> shape);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_STRIDES_H

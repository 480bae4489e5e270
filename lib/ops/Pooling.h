//===- Pooling.h - Sizes of sliding windows ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_POOLING_H
#define CONDLINT_LIB_OPS_POOLING_H

#include "condlint/Op.h"
#include <optional>
#include <vector>

namespace condlint {

/// A window that slides along one axis.
struct Window {
  Dim kernel, stride, dilation, padBegin, padEnd;
};

/// How many places a window has on \p size elements. With \p ceil a last, partial
/// window counts too, unless it would start in the padding at the end. Unknown
/// when it is not known; rejects what never fits.
Dim windowCount(InferContext &c, Dim size, const Window &w, bool ceil);
/// The reverse: the size of which \p count windows were taken.
Dim unwindowedSize(DimTable &dims, Dim count, const Window &w, Dim outputPadding);

/// The ints of an attribute, one for each of \p count; nothing when there are none. Rejects another
/// number of them, and one below \p least.
std::optional<std::vector<std::int64_t>> expectInts(InferContext &c, std::string_view name, std::size_t count,
                                                    std::int64_t least);
/// The windows of an ONNX operator over \p rank axes: strides, dilations, pads and
/// auto_pad; \p kernel from `kernel_shape` or the weight. \p sizes is what they slide
/// on, for auto_pad, which makes `count` known.
struct OnnxWindows {
  std::vector<Window> windows;
  /// auto_pad SAME_UPPER or SAME_LOWER: the counts follow from sizes and strides.
  bool same = false;
};
std::optional<OnnxWindows> onnxWindows(InferContext &c, std::size_t rank, const std::vector<Dim> &kernel);
/// The sizes that ONNX convolutions and pools give \p sizes.
std::vector<Dim> onnxWindowCounts(InferContext &c, const std::vector<Dim> &sizes, const OnnxWindows &w, bool ceil);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_POOLING_H

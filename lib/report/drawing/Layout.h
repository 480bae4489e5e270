//===- Layout.h - Places for boxes, and lines between them ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layered layout: each box below what it reads, lines that cross little and bend little. Two thousand boxes take
// some ten milliseconds. Knows nothing of what the boxes are.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_DRAWING_LAYOUT_H
#define CONDLINT_LIB_REPORT_DRAWING_LAYOUT_H

#include "condlint/Drawing.h"
#include <cstdint>
#include <span>
#include <vector>

namespace condlint::drawing {

/// What is to be placed; lengths are pixels.
struct LayoutBox {
  enum class Where : std::uint8_t { Free, Top, Bottom };
  double width = 0, height = 0;
  Where where = Where::Free;
};

struct Point {
  double x = 0, y = 0;
};

struct Placement {
  std::vector<Point> corners; ///< by box: its upper left corner
  /// By edge: where its line passes, from the lower edge of a box to the upper edge of the other. Empty for one that
  /// would be too long: it is told in words.
  std::vector<std::vector<Point>> lines;
  double width = 0, height = 0;
};

/// Places \p boxes so that none overlaps another, and lines for \p edges, which may form circles. Deterministic.
Placement layOut(std::span<const LayoutBox> boxes, std::span<const Drawing::Edge> edges);

} // namespace condlint::drawing

#endif // CONDLINT_LIB_REPORT_DRAWING_LAYOUT_H

//===- Svg.h - A branch as a static picture ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_DRAWING_SVG_H
#define CONDLINT_LIB_REPORT_DRAWING_SVG_H

#include "condlint/Drawing.h"
#include <cstdint>
#include <string>

namespace condlint::drawing {

enum class Extent : std::uint8_t {
  Slice, ///< what matters
  Whole,
};

/// \p side as an SVG element that stands in HTML and needs neither script nor style sheet; \p label names it for who
/// does not see it. Colours come from the classes of its shapes where a style sheet knows them.
std::string svgOf(const Drawing::Side &side, Extent extent, const std::string &label);

/// The same as items of a list in HTML, a box each: for who does not see the picture.
std::string listOf(const Drawing::Side &side, Extent extent);

/// Whether \c Extent::Slice shows fewer operators than \c Extent::Whole.
bool isPartial(const Drawing::Side &side);

} // namespace condlint::drawing

#endif // CONDLINT_LIB_REPORT_DRAWING_SVG_H

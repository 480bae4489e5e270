//===- AtenShapes.h - How many axes and entries ATen admits -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENSHAPES_H
#define CONDLINT_OPS_ATENSHAPES_H

#include "condlint/Op.h"
#include <cstdint>
#include <vector>

namespace condlint {

/// What torch demands of the shape of an argument before it computes anything, where no inference of ours asks for it.
struct AtenShapeDemand {
  enum class Of : std::uint8_t {
    Axes,     ///< so many axes of a tensor
    Entries,  ///< so many entries of a list of numbers
    SameAxes, ///< as many axes as \c like has, where a tensor without any counts as one with a single axis
    SameSizes ///< the sizes of \c like
  };
  std::string_view operators;  ///< base names, separated by blanks
  std::string_view parameters; ///< separated by blanks
  Of of = Of::Axes;
  std::size_t least = 0, most = 0;
  std::string_view like = {}; ///< another parameter

  /// Why an argument of the node is not admitted; empty where all are, or are not known.
  std::string refusal(InferContext &ctx) const;
};

/// The demands of the operator called \p name (`multinomial`).
std::vector<const AtenShapeDemand *> findAtenShapeDemands(std::string_view name);

} // namespace condlint

#endif // CONDLINT_OPS_ATENSHAPES_H

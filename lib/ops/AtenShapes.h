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
    Axes,         ///< so many axes of a tensor
    Entries,      ///< so many entries of a list of numbers
    Square,       ///< as many rows as columns
    SameAxes,     ///< as many axes as \c like has, where a tensor without any counts as one with a single axis
    SameSizes,    ///< the sizes of \c like
    SameElements, ///< as many elements as \c like has
    AllButLast,   ///< the sizes of \c like but its last
    Broadcast,    ///< sizes that stretch to those of \c like, or the other way around
    Batch,        ///< the same of the sizes before rows and columns
    RightSide,    ///< as many rows as the square \c like; as many columns where `left` is false
    InFormat      ///< as many axes as the argument `memory_format` is for
  };
  std::string_view operators;  ///< base names, separated by blanks
  std::string_view parameters; ///< separated by blanks
  Of of = Of::Axes;
  std::size_t least = 0, most = 0;
  std::string_view like = {}; ///< another parameter

  /// Why an argument of the node is not admitted; empty where all are, or are not known.
  std::string refusal(InferContext &ctx) const;

private:
  /// \p t is not what it has to be beside \p other.
  bool misfits(InferContext &ctx, const Type &t, const Type &other) const;
};

/// The demands of the operator called \p name (`multinomial`).
std::vector<const AtenShapeDemand *> findAtenShapeDemands(std::string_view name);

} // namespace condlint

#endif // CONDLINT_OPS_ATENSHAPES_H

//===- SqueezePattern.h - If(Squeeze / Identity) ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_SQUEEZEPATTERN_H
#define CONDLINT_CHECKS_ENGINE_SQUEEZEPATTERN_H

#include "Describe.h"

namespace condlint {

/// Exporters that do not know a size write `squeeze(dim)` as an If that squeezes
/// in one branch and passes the tensor on in the other: the branches' ranks differ
/// by construction. True when \p o is that pattern.
inline bool isSqueezeOrIdentity(const Model &m, const Output &o) {
  for (std::size_t side = 0; side < 2; ++side)
    if (operatorOf(m, o.values[side]) == "Squeeze" && operatorOf(m, o.values[1 - side]) == "Identity")
      return true;
  return false;
}

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_SQUEEZEPATTERN_H

//===- InPlaceWrites.h - Writes of a branch to what is not its own -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_INPLACEWRITES_H
#define CONDLINT_CHECKS_ENGINE_INPLACEWRITES_H

#include "RuleContext.h"

namespace condlint {

/// Whose storage a branch writes.
enum class Mutated : std::uint8_t {
  Input,   ///< an operand's
  Capture, ///< a captured value's; in a `.pt2` also a parameter's, buffer's or constant's that is passed on
  Global,  ///< source: a global tensor's
};

/// Reports the in-place writes of the branches of the current conditional that are
/// of this kind (M1, M6).
void checkMutation(RuleContext &ctx, Mutated which);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_INPLACEWRITES_H

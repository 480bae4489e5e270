//===- Mutation.h - Writes of a branch to what is not its own ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_MUTATION_H
#define CONDLINT_CHECKS_MUTATION_H

#include "RuleContext.h"

namespace condlint {

/// Reports the writes of the branches of the conditional in hand: those that
/// lead to a parameter, a buffer, a constant or a captured value when \p captures
/// is set, else those to any other operand (M1, M6).
void checkMutation(RuleContext &ctx, bool captures);

} // namespace condlint

#endif // CONDLINT_CHECKS_MUTATION_H

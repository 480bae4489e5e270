//===- AskedSizes.h - Sizes that predicates ask for -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_VALIDATION_ASKEDSIZES_H
#define CONDLINT_LIB_VALIDATION_ASKEDSIZES_H

#include "condlint/Conditional.h"
#include "condlint/Dim.h"
#include "condlint/Graph.h"
#include <span>
#include <vector>

namespace condlint {

/// Sizes of inputs for which a predicate that compares a size goes one way or the other: the size 1 of If(Squeeze /
/// Identity), which what is drawn would seldom be. Few for each conditional, and not many for a model.
std::vector<Assignment> askedSizes(Model &m, std::span<const Conditional> conditionals);

} // namespace condlint

#endif // CONDLINT_LIB_VALIDATION_ASKEDSIZES_H

//===- DimRelation.h - Comparisons of sizes as sizes ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_DIMRELATION_H
#define CONDLINT_GRAPH_DIMRELATION_H

#include "condlint/Dim.h"
#include <optional>
#include <span>

namespace condlint {

/// 1 where \p a < \p b, else 0: an expression like any other, which the proofs about sizes
/// decide and find witnesses against. Unknown where a side is.
Dim isLess(DimTable &dims, Dim a, Dim b);
/// 1 where \p a <= \p b, else 0.
Dim isLessOrEqual(DimTable &dims, Dim a, Dim b);
Dim isGreater(DimTable &dims, Dim a, Dim b);
Dim isGreaterOrEqual(DimTable &dims, Dim a, Dim b);
/// 1 where \p a == \p b, else 0.
Dim isEqual(DimTable &dims, Dim a, Dim b);
Dim isUnequal(DimTable &dims, Dim a, Dim b);
/// 1 where \p truth is 0, and 0 where it is 1; unknown for what may be another number.
Dim isNot(DimTable &dims, Dim truth);
/// True when \p d is 0 or 1 whatever its symbols stand for.
bool isTruth(const DimTable &dims, Dim d);
/// Values of their symbols at which no expression of \p notNegative is below zero, small sizes first; nothing where
/// there are none, or none were found in bounded time.
std::optional<Assignment> valuesFor(DimTable &dims, std::span<const Dim> notNegative);

} // namespace condlint

#endif // CONDLINT_GRAPH_DIMRELATION_H

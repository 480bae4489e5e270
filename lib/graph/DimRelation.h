//===- DimRelation.h - Comparisons of sizes as sizes ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_DIMRELATION_H
#define CONDLINT_GRAPH_DIMRELATION_H

#include "condlint/Dim.h"

namespace condlint {

/// 1 where \p a < \p b, else 0: an expression like any other, which the proofs about sizes
/// decide and find witnesses against. Unknown where a side is.
Dim isLess(DimTable &dims, Dim a, Dim b);
/// 1 where \p a <= \p b, else 0.
Dim isLessOrEqual(DimTable &dims, Dim a, Dim b);
/// 1 where \p a == \p b, else 0.
Dim isEqual(DimTable &dims, Dim a, Dim b);
/// 1 where \p truth is 0, and 0 where it is 1; unknown for what may be another number.
Dim isNot(DimTable &dims, Dim truth);
/// True when \p d is 0 or 1 whatever its symbols stand for.
bool isTruth(const DimTable &dims, Dim d);

} // namespace condlint

#endif // CONDLINT_GRAPH_DIMRELATION_H

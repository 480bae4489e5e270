//===- DimRelation.cpp - Comparisons of sizes as sizes --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DimRelation.h"

namespace condlint {

namespace {

/// 1 where \p d, which is whole, is above 0, else 0.
Dim isPositive(DimTable &dims, Dim d) { return dims.min(dims.max(d, dims.constant(0)), dims.constant(1)); }

} // namespace

Dim isLess(DimTable &dims, Dim a, Dim b) { return isPositive(dims, dims.sub(b, a)); }

Dim isLessOrEqual(DimTable &dims, Dim a, Dim b) { return isPositive(dims, dims.add(dims.sub(b, a), dims.constant(1))); }

Dim isGreater(DimTable &dims, Dim a, Dim b) { return isLess(dims, b, a); }

Dim isGreaterOrEqual(DimTable &dims, Dim a, Dim b) { return isLessOrEqual(dims, b, a); }

Dim isEqual(DimTable &dims, Dim a, Dim b) {
  const Dim difference = dims.sub(a, b);
  return isNot(dims, isPositive(dims, dims.max(difference, dims.negate(difference))));
}

Dim isUnequal(DimTable &dims, Dim a, Dim b) { return isNot(dims, isEqual(dims, a, b)); }

Dim isNot(DimTable &dims, Dim truth) { return isTruth(dims, truth) ? dims.sub(dims.constant(1), truth) : Dim(); }

bool isTruth(const DimTable &dims, Dim d) {
  if (!d.known())
    return false;
  const Interval bounds = dims.boundsOf(d);
  return bounds.min >= 0 && bounds.max <= 1;
}

std::optional<Assignment> valuesFor(DimTable &dims, std::span<const Dim> notNegative) {
  // Two sizes that always differ, made of every symbol: a witness of it is what is looked for.
  Dim all = dims.constant(0);
  for (const Dim d : notNegative)
    for (const Symbol &s : dims.symbolsOf(d))
      all = dims.add(all, dims.symbol(s.name, s.origin));
  if (dims.asConstant(all))
    return std::nullopt;
  const DimComparison c = dims.compare(all, dims.add(all, dims.constant(1)), notNegative);
  return c.witness.empty() ? std::nullopt : std::optional(c.witness);
}

} // namespace condlint

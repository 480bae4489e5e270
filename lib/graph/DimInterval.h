//===- DimInterval.h - Arithmetic on bounds ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_DIMINTERVAL_H
#define CONDLINT_LIB_GRAPH_DIMINTERVAL_H

#include "DimStore.h"
#include <algorithm>

// Sums, products and quotients of intervals whose ends may be the extremes of the type, which stand for no bound.
namespace condlint::detail {

inline bool isInfinite(std::int64_t v) { return v == lowest || v == highest; }

inline std::int64_t addEnds(std::int64_t a, std::int64_t b) {
  if (isInfinite(a))
    return a;
  if (isInfinite(b))
    return b;
  return checkedAdd(a, b).value_or(a < 0 ? lowest : highest);
}

inline std::int64_t negateEnd(std::int64_t a) { return a == lowest ? highest : a == highest ? lowest : -a; }

inline std::int64_t mulEnds(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  const std::int64_t infinity = (a < 0) == (b < 0) ? highest : lowest;
  if (isInfinite(a) || isInfinite(b))
    return infinity;
  return checkedMul(a, b).value_or(infinity);
}

/// a // b for b != 0; an infinite divisor leaves 0 or -1.
inline std::int64_t divEnds(std::int64_t a, std::int64_t b) {
  if (isInfinite(b))
    return a == 0 || (a < 0) == (b < 0) ? 0 : -1;
  if (isInfinite(a))
    return (a < 0) == (b < 0) ? highest : lowest;
  return floorQuotient(a, b); // a is not lowest here
}

inline Interval addIntervals(Interval a, Interval b) { return {addEnds(a.min, b.min), addEnds(a.max, b.max)}; }

inline Interval mulIntervals(Interval a, Interval b) {
  const auto [low, high] =
      std::minmax({mulEnds(a.min, b.min), mulEnds(a.min, b.max), mulEnds(a.max, b.min), mulEnds(a.max, b.max)});
  return {low, high};
}

} // namespace condlint::detail

#endif // CONDLINT_LIB_GRAPH_DIMINTERVAL_H

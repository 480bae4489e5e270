//===- DimSearch.h - Values that conditions admit ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_DIMSEARCH_H
#define CONDLINT_LIB_GRAPH_DIMSEARCH_H

#include "DimStore.h"
#include <set>

namespace condlint::detail {

/// What a search for values of symbols says: found, there are none, or not decided within its bounds.
struct FoundValues {
  enum class Outcome : std::uint8_t { Found, None, GivenUp };
  Outcome outcome = Outcome::GivenUp;
  SymbolValues values; ///< of every symbol of the conditions, where found
};

/// Values inside the symbols' bounds at which no expression of \p notNegative is below zero, the most telling first:
/// what a condition leaves of a symbol's bounds when others are chosen is worked out before values are tried.
/// \p numbers are values worth trying; \p work bounds the terms that are looked at, and less what was used.
/// The bounds of the symbols of \p store change meanwhile and are as before in the end.
FoundValues findValues(DimStore &store, std::span<const ExprId> notNegative, const std::set<std::int64_t> &numbers,
                       std::size_t &work);

/// Values of \p range that show differences, the most telling first: small sizes, what stands in the expressions
/// (\p numbers), what is beside, the ends.
std::vector<std::int64_t> tellingValues(Interval range, const std::set<std::int64_t> &numbers);

/// Small sizes upwards from one, then zero, then what is negative.
inline bool tellsMore(std::int64_t x, std::int64_t y) { return (x > 0) != (y > 0) ? x > 0 : x > 0 ? x < y : x > y; }

} // namespace condlint::detail

#endif // CONDLINT_LIB_GRAPH_DIMSEARCH_H

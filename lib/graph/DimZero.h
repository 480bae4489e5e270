//===- DimZero.h - Whether an expression is zero ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_DIMZERO_H
#define CONDLINT_LIB_GRAPH_DIMZERO_H

#include "DimStore.h"
#include <cstdint>

namespace condlint::detail {

/// Whether an expression is zero for all values of its symbols.
enum class ZeroTest : std::uint8_t { Always, Never, Open };

/// What the form of \p d says, without a look at values. A \p d of 0, which is not known, is open.
ZeroTest isZero(DimStore &store, ExprId d);

/// The difference of \p a and \p b by cases: each symbol under a division by numbers is written as L*y + i, L a common
/// multiple of the divisors, and asked for each i. Open where that are too many.
ZeroTest isZeroByResidues(const DimStore &store, ExprId a, ExprId b);

/// The largest y with period*y + i <= bound.
std::int64_t flooring(std::int64_t bound, std::int64_t i, std::int64_t period);
/// The least y with period*y + i >= bound.
std::int64_t ceiling(std::int64_t bound, std::int64_t i, std::int64_t period);

} // namespace condlint::detail

#endif // CONDLINT_LIB_GRAPH_DIMZERO_H

//===- RunTwice.h - Both versions executed on the same inputs ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_COMPARE_RUNTWICE_H
#define CONDLINT_LIB_COMPARE_RUNTWICE_H

#include "Compare.h"
#include "Expressions.h"
#include <span>

namespace condlint::compare {

/// A conditional of the old version and the one that it is in the new, decided by the same.
struct Counterparts {
  NodeId before, after;
  bool isCrossed = false; ///< the predicate is negated, and each branch stands in the other's place
};

/// Executes both versions on the same drawn inputs, those that are a single bool once so and once so, and says in \p
/// result which outputs differ, which branches no draw came to, and why it could not be done. Of \p pairs, branches
/// that no draw came to are taken whatever the predicate says, in both versions.
void runTwice(Model &before, Model &after, const Expressions &names, std::span<const Counterparts> pairs,
              const ComparisonOptions &options, Comparison &result);

} // namespace condlint::compare

#endif // CONDLINT_LIB_COMPARE_RUNTWICE_H

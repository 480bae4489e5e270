//===- ConditionalsAround.h - In which branches a graph stands --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_CONDITIONALSAROUND_H
#define CONDLINT_CHECKS_FACTS_CONDITIONALSAROUND_H

#include "condlint/Conditional.h"
#include "condlint/Graph.h"
#include <cstddef>

namespace condlint {

/// Calls \p visit for each conditional with a predicate and two branches around \p g, the innermost first, with the
/// branch (0, 1) in which \p g stands, until it returns true.
/// \returns whether it did.
template <class Visit> bool anyConditionalAround(const Model &m, GraphId g, Visit visit) {
  for (GraphId in = g; in && m[in].owner; in = m[m[in].owner].graph) {
    if (!isConditional(m, m[in].owner))
      continue;
    const Conditional around = conditionalAt(m, m[in].owner);
    if (around.predicate && around.hasBothBranches() &&
        visit(around, around.branches[0].graph == in ? std::size_t{0} : std::size_t{1}))
      return true;
  }
  return false;
}

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_CONDITIONALSAROUND_H

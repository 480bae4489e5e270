//===- Passed.h - What a region is passed -----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_PASSED_H
#define CONDLINT_CHECKS_PASSED_H

#include "condlint/Op.h"

namespace condlint {

/// What is passed for the parameter \p v: by a conditional, or by what runs its region as it
/// stands (`wrap_with_set_grad_enabled`). None for what a loop carries, and for no parameter.
inline ValueId passedFor(const Model &m, ValueId v) {
  const NodeId holder = v && m[v].graph ? m[m[v].graph].owner : NodeId();
  if (!holder || m[v].origin != ValueOrigin::Parameter || nodeHas(m, holder, OpTrait::Loop))
    return {};
  const std::vector<ValueId> given = regionOperands(m, holder);
  return m[v].index < given.size() ? given[m[v].index] : ValueId();
}

} // namespace condlint

#endif // CONDLINT_CHECKS_PASSED_H

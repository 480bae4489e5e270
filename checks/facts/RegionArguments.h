//===- RegionArguments.h - What region parameters stand for -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_REGIONARGUMENTS_H
#define CONDLINT_CHECKS_FACTS_REGIONARGUMENTS_H

#include "condlint/Op.h"

namespace condlint {

/// What a region is passed for a parameter.
struct RegionArgument {
  ValueId value;        ///< none: nothing is known of it, or the value asked for is no parameter
  bool isSlice = false; ///< a view of it, for each trip of a loop another (`scan`, `map`)
};

/// What is passed for the parameter \p v: by a conditional, by what runs its region as it stands
/// (`wrap_with_set_grad_enabled`), and by a loop for its first trip.
RegionArgument regionArgument(const Model &m, ValueId v);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_REGIONARGUMENTS_H

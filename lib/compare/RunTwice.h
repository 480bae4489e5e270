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

namespace condlint::compare {

/// Executes both versions on the same drawn inputs, those that are a single bool once so and once so, and says in \p
/// result which outputs differ, which branches no draw came to, and why it could not be done.
void runTwice(Model &before, Model &after, const Expressions &names, const ComparisonOptions &options,
              Comparison &result);

} // namespace condlint::compare

#endif // CONDLINT_LIB_COMPARE_RUNTWICE_H

//===- Wishes.h - What inputs make a predicate go one way -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_VALIDATION_WISHES_H
#define CONDLINT_LIB_VALIDATION_WISHES_H

#include "condlint/Dim.h"
#include "condlint/Graph.h"
#include <vector>

namespace condlint {

/// What stands in an input of the model.
struct WishedValue {
  ValueId input;
  double number = 0;
  bool everywhere = true; ///< in each element; else in the first, and 0 in all others
};

/// What is asked of the inputs of one run.
struct Wishes {
  std::vector<Dim> notNegative; ///< over the sizes of the model's inputs, and over numbers that it reads from tensors
  std::vector<WishedValue> values;
};

/// Adds to \p wishes what makes the predicate \p v true, or false: comparisons of sizes, and of what simple arithmetic
/// and reductions make of an input, with numbers. False where that was not understood.
bool wishFor(Model &m, ValueId v, bool truth, Wishes &wishes);
/// Adds to \p wishes what makes \p v, one number or a tensor of such, the number \p target.
bool wishForNumber(Model &m, ValueId v, double target, Wishes &wishes);

} // namespace condlint

#endif // CONDLINT_LIB_VALIDATION_WISHES_H

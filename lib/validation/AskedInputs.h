//===- AskedInputs.h - Inputs that predicates ask for -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_VALIDATION_ASKEDINPUTS_H
#define CONDLINT_LIB_VALIDATION_ASKEDINPUTS_H

#include "Wishes.h"
#include "condlint/Conditional.h"
#include "condlint/Dim.h"
#include "condlint/Executor.h"
#include "condlint/Graph.h"
#include <span>
#include <vector>

namespace condlint {

/// What is asked of the inputs of one run: sizes by name, and what stands in some inputs.
struct AskedInputs {
  Assignment sizes;
  std::vector<WishedValue> values;
  friend bool operator==(const AskedInputs &, const AskedInputs &);
};

/// Inputs for which a predicate goes one way, and for which it goes the other: the size 1 of If(Squeeze / Identity), a
/// sum that is positive, a number that is read from a tensor, which what is drawn would seldom be; those that the
/// model's own assertions ask for. Few for each conditional, and not many for a model.
std::vector<AskedInputs> askedInputs(Model &m, std::span<const Conditional> conditionals);

/// Writes what is asked of the input \p port into \p array, which was drawn for it.
void putAsked(const AskedInputs &asked, const Executor::Port &port, Array &array);

} // namespace condlint

#endif // CONDLINT_LIB_VALIDATION_ASKEDINPUTS_H

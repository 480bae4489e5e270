//===- DoubtfulSize.h - Sizes that a record may have wrong ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_DOUBTFULSIZE_H
#define CONDLINT_OPS_DOUBTFULSIZE_H

#include "condlint/Graph.h"

namespace condlint {

/// The file records a size of \p v that inference takes for unknown: for some of the model's declared sizes what makes
/// \p v, or what that was made of, yields another, and only a guard that the file does not tell can exclude those.
bool hasDoubtfulSize(const Model &m, ValueId v);

} // namespace condlint

#endif // CONDLINT_OPS_DOUBTFULSIZE_H

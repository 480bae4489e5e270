//===- Equality.h - Whether two parts of a model say the same ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_EQUALITY_H
#define CONDLINT_CHECKS_FACTS_EQUALITY_H

#include "condlint/Graph.h"

namespace condlint {

/// Two constants are known to hold the same numbers.
bool isSameConstant(const Model &m, ConstantId a, ConstantId b);

/// Two attributes are known to say the same. Of those that name operands only how many they name is compared.
bool isSameAttribute(const Model &m, const Attribute &a, const Attribute &b);

/// What \p v is outside of the branches that it is passed to.
ValueId outsideOf(const Model &m, ValueId v);

/// A node whose results are the same wherever its operands are.
bool isRepeatable(const Model &m, NodeId n);

/// Two values of a torch model are computed alike from the same values, of which nobody looks whether they are
/// written to in between.
bool isSameComputation(const Model &m, ValueId a, ValueId b);
/// The same; Unknown where they are made of more than is looked at.
Tri sameComputation(const Model &m, ValueId a, ValueId b);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_EQUALITY_H

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

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_EQUALITY_H

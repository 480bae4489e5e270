//===- DeclaredNumbers.h - Sizes that only a declaration says ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_DECLAREDNUMBERS_H
#define CONDLINT_CHECKS_FACTS_DECLAREDNUMBERS_H

#include "condlint/Graph.h"
#include <cstddef>

namespace condlint {

/// ONNX: nothing but the declaration of \p v, a node's result, says the number that inference took for the size of its
/// axis \p axis: what decides it is known in no run before that. What arithmetic on shapes knows of the numbers that
/// the node reads (`Expand` by the shape of another value) counts as said, and so does an axis that keeps its size.
bool isOnlyDeclared(const Model &m, ValueId v, std::size_t axis);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_DECLAREDNUMBERS_H

//===- ExternalNumbers.h - Numbers that inference cannot read ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_EXTERNALNUMBERS_H
#define CONDLINT_CHECKS_FACTS_EXTERNALNUMBERS_H

#include "condlint/Graph.h"
#include <cstddef>
#include <string_view>
#include <vector>

namespace condlint {

/// A shape, axes or such that a node of ONNX is given from a file of their own, which type inference, of onnx's full
/// check and of ONNX Runtime as it loads, would have to read, and refuses to.
struct ExternalNumbers {
  NodeId node;
  ValueId value;
  bool isOutside = false; ///< of a graph around: onnx's inference does not see it
};

std::vector<ExternalNumbers> externalNumbers(const Model &m);
/// Type inference reads the numbers that a node of the operator \p op of ONNX is given as its input \p input.
bool readsNumbers(std::string_view op, std::size_t input);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_EXTERNALNUMBERS_H

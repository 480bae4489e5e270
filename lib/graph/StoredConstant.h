//===- StoredConstant.h - The data that a value of ONNX is ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_STOREDCONSTANT_H
#define CONDLINT_GRAPH_STOREDCONSTANT_H

#include "condlint/Graph.h"

namespace condlint {

/// The data that \p v is, a value of an ONNX graph: an initializer that no caller can replace, or the tensor of what a
/// `Constant` makes; none where it is another value.
ConstantId storedConstant(const Model &m, ValueId v);

} // namespace condlint

#endif // CONDLINT_GRAPH_STOREDCONSTANT_H

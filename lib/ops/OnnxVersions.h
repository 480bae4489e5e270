//===- OnnxVersions.h - What ONNX says of its operators ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ONNXVERSIONS_H
#define CONDLINT_OPS_ONNXVERSIONS_H

#include "condlint/Op.h"

namespace condlint {

/// Holds the ONNX node of \p ctx against the schema of its operator and
/// version: how many inputs and outputs, the kind and the element type of each
/// input, one element type for inputs that share a type variable, and the
/// attributes' names and kinds. Rejects definite breaks only; does nothing for
/// an operator or a version that the table does not hold. `If` is left to the
/// rules about conditionals.
/// \returns true when nothing was rejected.
bool checkOnnxSchema(InferContext &ctx);
/// The same for what the schemas have no words for: ranks of inputs, ranges of
/// attributes, how a constant or a new size is given (onnx's own inference).
bool checkOnnxLimits(InferContext &ctx);

} // namespace condlint

#endif // CONDLINT_OPS_ONNXVERSIONS_H

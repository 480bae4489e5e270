//===- OnnxVersions.h - What ONNX says of its operators ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ONNXVERSIONS_H
#define CONDLINT_OPS_ONNXVERSIONS_H

#include "condlint/Op.h"
#include <string_view>
#include <vector>

namespace condlint {

/// Holds ONNX nodes against the schemas of their operators and versions, which it looks up once for each operator of a
/// model.
class OnnxSchemas {
public:
  /// Rejects what is definitely broken about the node of \p ctx: how many inputs and outputs, the kind and the element
  /// type of each input, one element type for inputs that share a type variable, the attributes' names and kinds, and
  /// what `checkOnnxLimits` finds. Does nothing for an operator or a version that the table does not hold. `If` is left
  /// to the rules about conditionals.
  /// \returns true when nothing was rejected.
  bool fits(InferContext &ctx);

private:
  struct Schema {
    bool known = false;                  ///< it was looked for
    const struct OnnxRow *row = nullptr; ///< none: nothing is held against it
    bool limited = false;
  };
  std::vector<Schema> schemas; ///< by operator

  const Schema &of(const Model &m, OperatorId id);
};

/// The same for what the schemas have no words for: ranks of inputs, ranges of
/// attributes, how a constant or a new size is given (onnx's own inference).
bool checkOnnxLimits(InferContext &ctx);
/// False for an operator that `checkOnnxLimits` says nothing of. \p attributes: as its schema lists them.
bool hasOnnxLimits(std::string_view op, std::string_view attributes);

} // namespace condlint

#endif // CONDLINT_OPS_ONNXVERSIONS_H

//===- AtenSchema.h - What ATen overloads must be given ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENSCHEMA_H
#define CONDLINT_OPS_ATENSCHEMA_H

#include "AtenParameter.h"
#include "condlint/Op.h"
#include <vector>

namespace condlint {

/// Holds the calls of a .pt2, which has all arguments, against the schemas of their
/// overloads.
class AtenSchemas {
public:
  /// Rejects the node of \p ctx where torch would: an argument that has no default is not
  /// given, one is of another kind than its parameter or
  /// outside its limits, an axis is out of range or named twice, an element type is not
  /// admitted. False then: its types mean nothing.
  bool fits(InferContext &ctx);
  /// The same of element types alone, for graphs that leave out what they do not know. Their arguments too are put in
  /// the overload's order.
  bool admitsTypes(InferContext &ctx);

private:
  struct Parameter {
    StringId name;
    AtenType type = AtenType::Other;
    bool required = false;
    AtenIntegers integers = AtenIntegers::Plain;
    const struct AtenLimit *limit = nullptr;
    bool isAxis = false; ///< names axes of the tensor \c Schema::whose
  };
  struct Schema {
    bool known = false; ///< it was looked for
    std::vector<Parameter> parameters;
    StringId whose;            ///< the parameter whose axes others name; none: no parameter does
    bool byPosition = false;   ///< torch passes on all arguments, as of Python's operators
    bool takesNumbers = false; ///< where a tensor is expected
    bool addsAxis = false;     ///< axes are those of the result, which has one more
    bool takesScalars = true;  ///< a tensor without axes counts as one with a single axis
    bool repeatsAxes = false;  ///< an axis may be named twice
    const struct AtenPair *pair = nullptr;
    const struct AtenOrder *order = nullptr;
    std::vector<const struct AtenTypeDemand *> types;
    std::vector<const struct AtenShapeDemand *> shapes;
  };
  std::vector<Schema> schemas; ///< by operator

  const Schema &of(Model &m, OperatorId op);
  /// The node keeps the arguments that its overload names, of two of one name the last, in the overload's order and
  /// its operands with them: torch finds them by name when it loads a file, and passes on no others. False where it
  /// would refuse them.
  static bool takesArguments(InferContext &ctx, const Schema &schema);
  /// The arguments of the node are in the order of its overload, each once and no others.
  static bool isInOrder(InferContext &ctx, const Schema &schema);
  /// Rejects a node that declares more values than its overload returns.
  static bool yields(InferContext &ctx);
  static bool admitsLiterals(InferContext &ctx, const Schema &schema);
  static bool admitsAxes(InferContext &ctx, const Schema &schema);
  static bool admitsTypes(InferContext &ctx, const Schema &schema);
  static bool admitsShapes(InferContext &ctx, const Schema &schema);
};

} // namespace condlint

#endif // CONDLINT_OPS_ATENSCHEMA_H

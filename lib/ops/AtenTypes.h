//===- AtenTypes.h - Which element types ATen's operators admit -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENTYPES_H
#define CONDLINT_OPS_ATENTYPES_H

#include "condlint/Op.h"
#include <functional>
#include <vector>

namespace condlint {

/// What is known of the tensor that is given for a parameter.
struct GivenTensor {
  DType element = DType::Unknown; ///< unknown, too, where no tensor is given
  bool mayBeEmpty = true, mayBeScalar = true;
};

/// What torch demands of the element type of a tensor on every device, whatever its values
/// are. What only the kernels of some device do not implement is not here.
struct AtenTypeDemand {
  std::string_view operators;  ///< base names, separated by blanks; `linalg_*` stands for all that begin so
  std::string_view parameters; ///< separated by blanks
  DTypeSet admitted = {};      ///< none: it is as \c like is
  std::string_view like = {};  ///< the parameter whose element type it must have
  /// A tensor without axes may be of another element type than \c like.
  bool sparesScalars = false;

  /// Why what is \p given is not admitted; empty where it is, or is not known. \p choosesType: the
  /// node names the type that it computes in.
  std::string refusal(const std::function<GivenTensor(std::string_view)> &given, bool choosesType) const;
  std::string refusal(InferContext &ctx) const;
};

/// The demands of the operator called \p name (`masked_fill`).
std::vector<const AtenTypeDemand *> findAtenTypeDemands(std::string_view name);

/// The same, and what only the kernels demand: torch follows types through such a
/// call, exports and loads it, and fails when it comes to it.
std::vector<const AtenTypeDemand *> findAtenKernelDemands(std::string_view name);

/// Of which kinds the first operand of an operator may be where it is computed.
struct ElementKinds {
  bool whole = true;      ///< bools and integers
  bool continuous = true; ///< floating and complex
};
ElementKinds kindsOfFirstOperand(std::string_view name);

/// `c10::canCast`: torch stores results of type \p from in a tensor of type \p to.
bool canCast(DType from, DType to);

} // namespace condlint

#endif // CONDLINT_OPS_ATENTYPES_H

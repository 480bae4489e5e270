//===- AtenLimits.h - Which literals ATen's operators admit -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENLIMITS_H
#define CONDLINT_OPS_ATENLIMITS_H

#include "condlint/Op.h"
#include <vector>

namespace condlint {

/// What torch demands of a literal argument whatever the operands are. Other arguments
/// are not looked at.
struct AtenLimit {
  std::string_view operators; ///< base names, separated by blanks; `fft_*` stands for all that begin so
  std::string_view parameter;
  double least, most;
  std::string_view words; ///< of text: those admitted, separated by blanks
  bool isOpen = false;    ///< the bounds themselves are not admitted

  /// Why \p a is not admitted; empty where it is, or is no literal.
  std::string refusal(const Model &m, const Attribute &a) const;
};

/// The limit of \p parameter of the operator called \p name (`max_pool2d`), or null.
const AtenLimit *findAtenLimit(std::string_view name, std::string_view parameter);

/// The limits of all parameters of the operator called \p name.
std::vector<const AtenLimit *> findAtenLimits(std::string_view name);

/// Two lists of one length; neither is looked at when the other is not given, or is empty and may be.
struct AtenPair {
  std::string_view operators, first, second;
  bool mayBeEmpty = false; ///< an empty list is one that is not given
};
const AtenPair *findAtenPair(std::string_view name);

/// Two numbers of which the first is the smaller one; it is 0 when it is not given.
struct AtenOrder {
  std::string_view operators, lower, upper;
  bool mayBeEqual = false;

  /// Why the arguments of the node are not admitted; empty where they are, or are no literals.
  std::string refusal(InferContext &ctx) const;
};
const AtenOrder *findAtenOrder(std::string_view name);

} // namespace condlint

#endif // CONDLINT_OPS_ATENLIMITS_H

//===- ConstantPredicate.h - A predicate that never changes -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_CONSTANTPREDICATE_H
#define CONDLINT_CHECKS_ENGINE_CONSTANTPREDICATE_H

#include "RuleContext.h"
#include <optional>

namespace condlint {

/// Whether a predicate is the same in every run, and what it is where that is known.
struct ConstantPredicate {
  bool constant = false;
  bool folded = false; ///< it is computed, of constants and known sizes alone
  std::optional<bool> value;
};

/// Of the tensor \p v, for the target of \p ctx: TensorRT takes an initializer that is also an input for a constant.
ConstantPredicate foldPredicate(const RuleContext &ctx, ValueId v);

/// Of the predicate of \p c, which may also be a literal or a layer of a network.
ConstantPredicate foldPredicate(const RuleContext &ctx, const Conditional &c);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_CONSTANTPREDICATE_H

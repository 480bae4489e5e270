//===- Summarise.h - What is told of a conditional --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_SUMMARISE_H
#define CONDLINT_CHECKS_ENGINE_SUMMARISE_H

#include "RuleContext.h"
#include "condlint/ConditionalSummary.h"

namespace condlint {

/// The conditional that \p ctx is at, before any rule is asked: where it stands, and the types of its predicate, of its
/// operands and of what its branches yield.
ConditionalSummary summarise(const RuleContext &ctx);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_SUMMARISE_H

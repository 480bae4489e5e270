//===- Details.h - A conditional, for who looks at it -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_DETAILS_H
#define CONDLINT_CHECKS_ENGINE_DETAILS_H

#include "RuleContext.h"
#include "condlint/ConditionalSummary.h"

namespace condlint {

/// What the branches of the current conditional return, read besides their parameters and do besides computing, and
/// where they stand.
std::shared_ptr<const ConditionalDetails> describe(const RuleContext &ctx);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_DETAILS_H

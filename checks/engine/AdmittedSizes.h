//===- AdmittedSizes.h - Sizes that checks leave ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_ADMITTEDSIZES_H
#define CONDLINT_CHECKS_ENGINE_ADMITTEDSIZES_H

#include "RuleContext.h"

namespace condlint {

/// What is not below zero where both branches of the conditional \p n give results: what checks in C++ source say that
/// it stands behind, and what the operators of its branches and of the graphs around it need.
std::vector<Dim> admittedSizes(const RuleContext &ctx, NodeId n);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_ADMITTEDSIZES_H

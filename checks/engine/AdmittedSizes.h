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
/// None of \p conditions is below zero for the sizes \p witness.
bool admits(const Model &m, std::span<const Dim> conditions, const Assignment &witness);
/// Makes the witness of \p j, for which \p a and \p b differ, one that \p conditions admit; false where none was found.
bool findAdmitted(const Model &m, std::span<const Dim> conditions, Dim a, Dim b, Judgement &j);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_ADMITTEDSIZES_H

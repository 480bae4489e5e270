//===- AdmittedSizes.h - Sizes that checks leave ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ADMITTEDSIZES_H
#define CONDLINT_CHECKS_ADMITTEDSIZES_H

#include "RuleContext.h"

namespace condlint {

/// No check in C++ source that the conditional \p n stands behind excludes the sizes \p witness.
bool admits(const Model &m, NodeId n, const Assignment &witness);
/// Makes the witness of \p j, for which \p a and \p b differ, one that is admitted where \p n stands; false where
/// none was found.
bool findAdmitted(const Model &m, NodeId n, Dim a, Dim b, Judgement &j);

} // namespace condlint

#endif // CONDLINT_CHECKS_ADMITTEDSIZES_H

//===- KernelTrees.h - Trees that kernels refuse ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELTREES_H
#define CONDLINT_CHECKS_FACTS_KERNELTREES_H

#include "KernelNode.h"

namespace condlint {

/// What the kernels of ONNX Runtime refuse of the trees that attributes hold: of `TreeEnsemble`, and of
/// `TreeEnsembleClassifier` and `TreeEnsembleRegressor`, whose schemas say nothing of lists and numbers
/// (tree_ensemble_attribute.h, tree_ensemble_common.h).
std::optional<TargetLimit> refusedTrees(const KernelNode &x);
std::optional<TargetLimit> refusedOlderTrees(const KernelNode &x);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELTREES_H

//===- ExecuTorchUses.h - Kernels that run wrongly in some uses -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_EXECUTORCHUSES_H
#define CONDLINT_CHECKS_FACTS_EXECUTORCHUSES_H

#include "ExportedNodes.h"
#include "condlint/Graph.h"
#include "condlint/Target.h"
#include "condlint/TensorType.h"

namespace condlint {

/// Whether what is read of the result of \p n, which lists where something is not zero, is refused or wrong: ExecuTorch
/// takes its axes to lie in the other order (ET3). No for all other operators.
Tri isReadAcross(const Model &m, ExportedNodes &exported, NodeId n);

/// Whether ExecuTorch's kernels take \p n, which computes with complex numbers (ET3). Yes where it does not.
Tri takesComplex(const Model &m, NodeId n, Version version);

/// Whether \p n makes a tensor of channels_last that others compute with, whose kernels ask all of their operands to
/// lie alike.
bool feedsChannelsLast(const Model &m, ExportedNodes &exported, NodeId n);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_EXECUTORCHUSES_H

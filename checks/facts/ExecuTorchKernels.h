//===- ExecuTorchKernels.h - What ExecuTorch has no portable kernel for -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_EXECUTORCHKERNELS_H
#define CONDLINT_CHECKS_FACTS_EXECUTORCHKERNELS_H

#include "condlint/Graph.h"
#include "condlint/Target.h"
#include <string_view>

namespace condlint {

/// The operators of ATen that ExecuTorch neither decomposes nor has a portable kernel for (ET3), measured with 1.0 to
/// 1.5; of what was not measured it is false.
bool lacksPortableKernel(const Model &m, OperatorId o, Version version);

/// What was seen to do in place of such an operator; empty where nothing was.
std::string_view insteadOfKernel(const Model &m, OperatorId o);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_EXECUTORCHKERNELS_H

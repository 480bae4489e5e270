//===- KernelQuantization.h - Scales that kernels refuse --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELQUANTIZATION_H
#define CONDLINT_CHECKS_FACTS_KERNELQUANTIZATION_H

#include "KernelNode.h"

namespace condlint {

/// Of QuantizeLinear and DequantizeLinear: the precision, and how many scales and zero points there are.
std::optional<TargetLimit> refusedScaling(const KernelNode &x);
/// Of products of integers: how many scales and zero points there are (conv_integer.cc, matmul_integer.cc,
/// qlinearconv.cc, quantize_linear_matmul.cc).
std::optional<TargetLimit> refusedQuantities(const KernelNode &x);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELQUANTIZATION_H

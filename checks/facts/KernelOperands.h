//===- KernelOperands.h - Operands that kernels refuse ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELOPERANDS_H
#define CONDLINT_CHECKS_FACTS_KERNELOPERANDS_H

#include "facts/TargetLimits.h"
#include <string_view>

namespace condlint {

/// The kernels of ONNX Runtime for \p op ask more of its operands' presence, shapes and types than the schema does.
bool hasOperandLimits(std::string_view op);
/// What they refuse of \p n, or make otherwise than it is meant.
std::optional<TargetLimit> exceededOperands(const Model &m, NodeId n, std::string_view op);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELOPERANDS_H

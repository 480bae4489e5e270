//===- KernelNumbers.h - Numbers that kernels refuse ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELNUMBERS_H
#define CONDLINT_CHECKS_FACTS_KERNELNUMBERS_H

#include "facts/TargetLimits.h"
#include <optional>
#include <string_view>

namespace condlint {

/// The kernels of ONNX Runtime look at numbers that nodes of the operator \p op are given: positions, counts, factors.
bool hasNumberLimits(std::string_view op);
/// What they refuse of the numbers of \p n, of the operator \p op, as far as the file says them: indices beyond an
/// axis, steps, depths and sizes that are none, factors that a kind of resizing does not take.
std::optional<TargetLimit> exceededNumbers(const Model &m, NodeId n, std::string_view op);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELNUMBERS_H

//===- KernelBranches.h - Results whose shape was inferred wrongly -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELBRANCHES_H
#define CONDLINT_CHECKS_FACTS_KERNELBRANCHES_H

#include "KernelNode.h"

namespace condlint {

/// ONNX Runtime lays out what a branch of an If returns by the shape that its inference finds, before the branch runs
/// (if.cc). Where a kernel makes another shape of it, the run fails, which it does not outside of branches: of pools,
/// of `ConvTranspose`, and of `Einsum`.
std::optional<TargetLimit> misinferredPool(const KernelNode &x);
std::optional<TargetLimit> misinferredTransposed(const KernelNode &x);
std::optional<TargetLimit> misinferredEinsum(const KernelNode &x);
/// A slope of a PRelu that stretches the operand: inference takes the operand's shape.
std::optional<TargetLimit> misinferredSlope(const KernelNode &x);

/// An axis for which the `output_shape` of a `ConvTranspose` asks for less than the operand has there: onnx's inference
/// makes two axes of that.
struct SmallerAxis {
  std::size_t axis;
  std::int64_t wanted, size;
};
/// The first of them.
std::optional<SmallerAxis> smallerAxis(const KernelNode &x);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELBRANCHES_H

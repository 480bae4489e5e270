//===- ElementKernels.h - Elementwise operators -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_ELEMENTKERNELS_H
#define CONDLINT_LIB_OPS_KERNELS_ELEMENTKERNELS_H

#include "TensorOps.h"

namespace condlint {

/// Sets result 0 to \p loops over \p operands; written in place where the operator
/// says so.
void finishElementwise(ExecContext &c, const ElementLoops &loops, const void *functor, Compute compute, DType result,
                       std::span<const Operand> operands);
template <class F>
void finishElementwise(ExecContext &c, const F &f, Compute compute, DType result,
                       std::initializer_list<Operand> operands) {
  finishElementwise(c, elementLoops<F>(), &f, compute, result, std::span(operands.begin(), operands.size()));
}

/// `at::result_type` of \p operands; fails where torch refuses the mix.
DType promoted(const ExecContext &c, std::span<const Operand> operands);
DType promoted(const ExecContext &c, std::initializer_list<Operand> operands);
/// \p o as an operation of the type \p t reads it: torch casts a whole number, and a tensor of rank 0, to an integer
/// type that they have no say in (uint8 % -3 is uint8 % 253).
Operand readAs(const ExecContext &c, const Operand &o, DType t);
/// Integers as the default floating type: float32, unless the file records another
/// one for result 0.
DType floatOf(const ExecContext &c, DType t);
/// The first operand: torch's `self` or `input`, ONNX's first.
const Tensor &firstOperand(const ExecContext &c);
/// The two operands of a binary operator, whatever torch calls them. ONNX up to
/// opset 6: the second is moved to the axis that the node names.
std::pair<Operand, Operand> binaryOperands(const ExecContext &c);
/// Fails when an integer of \p divisor is zero.
void refuseZero(const ExecContext &c, const Operand &divisor, DType t);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_ELEMENTKERNELS_H

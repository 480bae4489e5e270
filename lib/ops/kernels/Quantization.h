//===- Quantization.h - Kernels of quantization -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for quantization.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_QUANTIZATION_H
#define CONDLINT_LIB_OPS_KERNELS_QUANTIZATION_H

namespace condlint {

class ExecContext;

void executeQuantizeLinear(ExecContext &c);
void executeDequantizeLinear(ExecContext &c);
void executeDynamicQuantizeLinear(ExecContext &c);
void executeFakeQuantize(ExecContext &c);
void executeQuantizeDecomposed(ExecContext &c);
void executeDequantizeDecomposed(ExecContext &c);
void executeChooseQuantization(ExecContext &c);
void executeChoosePerToken(ExecContext &c);
void executeWeightInt8Product(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_QUANTIZATION_H

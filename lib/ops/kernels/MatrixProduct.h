//===- MatrixProduct.h - Kernels of matrix products -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for matrix products; some of them stand in Einsum.cpp.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_MATRIXPRODUCT_H
#define CONDLINT_LIB_OPS_KERNELS_MATRIXPRODUCT_H

namespace condlint {

class ExecContext;

void executeMatMul(ExecContext &c);
void executeMm(ExecContext &c);
void executeGroupedMm(ExecContext &c);
void executeAtenGroupedMm(ExecContext &c);
void executeAddmm(ExecContext &c);
void executeLinear(ExecContext &c);
void executeDot(ExecContext &c);
void executeMv(ExecContext &c);
void executeOuter(ExecContext &c);
void executeInner(ExecContext &c);
void executeTensordot(ExecContext &c);
void executeKron(ExecContext &c);
void executeGemm(ExecContext &c);
void executeMatMulInteger(ExecContext &c);
void executeQLinearMatMul(ExecContext &c);
void executeEinsum(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_MATRIXPRODUCT_H

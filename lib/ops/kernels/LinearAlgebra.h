//===- LinearAlgebra.h - Kernels of linear algebra --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for linear algebra.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_LINEARALGEBRA_H
#define CONDLINT_LIB_OPS_KERNELS_LINEARALGEBRA_H

namespace condlint {

class ExecContext;

void executeDet(ExecContext &c);
void executeSquareMatrixFunction(ExecContext &c);
void executeSolve(ExecContext &c);
void executeSolveTriangular(ExecContext &c);
void executeTensorInverse(ExecContext &c);
void executeTensorSolve(ExecContext &c);
void executeCheckErrors(ExecContext &c);
void executeWithEffects(ExecContext &c);
void executeConditionNumber(ExecContext &c);
void executeTrace(ExecContext &c);
void executeVectorProduct(ExecContext &c);
void executeDistances(ExecContext &c);
void executeMultiDot(ExecContext &c);
void executeVander(ExecContext &c);
void executeLinalgNorm(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_LINEARALGEBRA_H

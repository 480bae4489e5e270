//===- Factorizations.h - Kernels of factorizations -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for factorizations.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_FACTORIZATIONS_H
#define CONDLINT_LIB_OPS_KERNELS_FACTORIZATIONS_H

namespace condlint {

class ExecContext;

void executeQr(ExecContext &c);
void executeGeqrf(ExecContext &c);
void executeHouseholderProduct(ExecContext &c);
void executeOrmqr(ExecContext &c);
void executeLu(ExecContext &c);
void executeLuUnpack(ExecContext &c);
void executeLuFactor(ExecContext &c);
void executeLuSolve(ExecContext &c);
void executeCholeskySolve(ExecContext &c);
void executeCholeskyInverse(ExecContext &c);
void executeLdlFactor(ExecContext &c);
void executeLdlSolve(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_FACTORIZATIONS_H

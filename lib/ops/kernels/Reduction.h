//===- Reduction.h - Kernels of reductions ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for reductions.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_REDUCTION_H
#define CONDLINT_LIB_OPS_KERNELS_REDUCTION_H

namespace condlint {

class ExecContext;

void executeSum(ExecContext &c);
void executeNansum(ExecContext &c);
void executeProd(ExecContext &c);
void executeMean(ExecContext &c);
void executeVar(ExecContext &c);
void executeNorm(ExecContext &c);
void executeTruthOfAll(ExecContext &c);
void executeLogSumExp(ExecContext &c);
void executeAmax(ExecContext &c);
void executeAny(ExecContext &c);
void executeArgmax(ExecContext &c);
void executeCountNonzero(ExecContext &c);
void executeExtreme(ExecContext &c);
void executeMode(ExecContext &c);
void executeAminmax(ExecContext &c);
void executeQuantile(ExecContext &c);
void executeDist(ExecContext &c);
void executePdist(ExecContext &c);
void executeHistc(ExecContext &c);
void executeBincount(ExecContext &c);
void executeSumToSize(ExecContext &c);
void executeReduceOnnx(ExecContext &c);
void executeArgExtreme(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_REDUCTION_H

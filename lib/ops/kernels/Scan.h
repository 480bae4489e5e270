//===- Scan.h - Kernels of scans, softmax and sorting -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for scans, softmax and sorting.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_SCAN_H
#define CONDLINT_LIB_OPS_KERNELS_SCAN_H

namespace condlint {

class ExecContext;

void executeCumSum(ExecContext &c);
void executeCumProd(ExecContext &c);
void executeLogCumSumExp(ExecContext &c);
void executeCumulativeExtreme(ExecContext &c);
void executeSoftmax(ExecContext &c);
void executeLogSoftmax(ExecContext &c);
void executeHardmax(ExecContext &c);
void executeDiff(ExecContext &c);
void executeSort(ExecContext &c);
void executeArgsort(ExecContext &c);
void executeMsort(ExecContext &c);
void executeTopK(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_SCAN_H

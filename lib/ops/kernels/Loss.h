//===- Loss.h - Kernels of losses -------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for losses; some of them stand in LossRows.cpp.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_LOSS_H
#define CONDLINT_LIB_OPS_KERNELS_LOSS_H

namespace condlint {

class ExecContext;

void executePointwiseLoss(ExecContext &c);
void executePoissonLoss(ExecContext &c);
void executeMarginRankingLoss(ExecContext &c);
void executeCosineEmbeddingLoss(ExecContext &c);
void executeTripletMarginLoss(ExecContext &c);
void executeClassLoss(ExecContext &c);
void executeRowLoss(ExecContext &c);
void executeCtcLoss(ExecContext &c);
void executeClassificationLoss(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_LOSS_H

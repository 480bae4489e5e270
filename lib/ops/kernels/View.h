//===- View.h - Kernels of views --------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for views.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_VIEW_H
#define CONDLINT_LIB_OPS_KERNELS_VIEW_H

namespace condlint {

class ExecContext;

void executeAlias(ExecContext &c);
void executeConj(ExecContext &c);
void executeReal(ExecContext &c);
void executeImag(ExecContext &c);
void executeViewAsReal(ExecContext &c);
void executeViewAsComplex(ExecContext &c);
void executeReshape(ExecContext &c);
void executeFlatten(ExecContext &c);
void executeUnflatten(ExecContext &c);
void executePermute(ExecContext &c);
void executeTranspose(ExecContext &c);
void executeMatrixTranspose(ExecContext &c);
void executeAdjoint(ExecContext &c);
void executeMovedim(ExecContext &c);
void executeUnsqueeze(ExecContext &c);
void executeSqueeze(ExecContext &c);
void executeExpand(ExecContext &c);
void executeAsStrided(ExecContext &c);
void executeDiagonal(ExecContext &c);
void executeUnfold(ExecContext &c);
void executeBroadcastInDim(ExecContext &c);
void executeSelect(ExecContext &c);
void executeSlice(ExecContext &c);
void executeNarrow(ExecContext &c);
void executeSplit(ExecContext &c);
void executeChunk(ExecContext &c);
void executeUnbind(ExecContext &c);
void executeTensorSplit(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_VIEW_H

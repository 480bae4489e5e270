//===- Selection.h - Kernels of selection and optimizers --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for selection and optimizers.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_SELECTION_H
#define CONDLINT_LIB_OPS_KERNELS_SELECTION_H

namespace condlint {

class ExecContext;

void executeNonMaxSuppression(ExecContext &c);
void executeTorchNms(ExecContext &c);
void executeUniqueOnnx(ExecContext &c);
void executeUnique(ExecContext &c);
void executeAdagrad(ExecContext &c);
void executeAdam(ExecContext &c);
void executeMomentum(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_SELECTION_H

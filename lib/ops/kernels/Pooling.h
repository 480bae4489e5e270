//===- Pooling.h - Kernels of pooling ---------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for pooling.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_POOLING_H
#define CONDLINT_LIB_OPS_KERNELS_POOLING_H

namespace condlint {

class ExecContext;

void executeMaxPoolTorch(ExecContext &c);
void executeFractionalMaxPool(ExecContext &c);
void executeAvgPoolTorch(ExecContext &c);
void executeAdaptivePool(ExecContext &c);
void executeMaxUnpool(ExecContext &c);
void executePoolOnnx(ExecContext &c);
void executeGlobalPool(ExecContext &c);
void executeMaxUnpoolOnnx(ExecContext &c);
void executeRoiPool(ExecContext &c);
void executeTorchRoiAlign(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_POOLING_H

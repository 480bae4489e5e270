//===- Assembly.h - Kernels of assembled tensors ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for assembled tensors.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_ASSEMBLY_H
#define CONDLINT_LIB_OPS_KERNELS_ASSEMBLY_H

namespace condlint {

class ExecContext;

void executeBlockDiagonal(ExecContext &c);
void executeCartesianProduct(ExecContext &c);
void executeCombinations(ExecContext &c);
void executeDiagonalOfAll(ExecContext &c);
void executePadSequence(ExecContext &c);
void executeTrilinear(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_ASSEMBLY_H

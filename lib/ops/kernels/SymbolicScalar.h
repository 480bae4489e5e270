//===- SymbolicScalar.h - Kernels of symbolic scalars -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for symbolic scalars.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_SYMBOLICSCALAR_H
#define CONDLINT_LIB_OPS_KERNELS_SYMBOLICSCALAR_H

namespace condlint {

class ExecContext;

void executeSymSize(ExecContext &c);
void executeSymNumel(ExecContext &c);
void executeSymStorageOffset(ExecContext &c);
void executeDim(ExecContext &c);
void executeItem(ExecContext &c);
void executeIsNonzero(ExecContext &c);
void executeTypeQuery(ExecContext &c);
void executeAssert(ExecContext &c);
void executeScalarArithmetic(ExecContext &c);
void executeScalarComparison(ExecContext &c);
void executeScalarTrueDivide(ExecContext &c);
void executeScalarUnary(ExecContext &c);
void executeScalarLogic(ExecContext &c);
void executeScalarMath(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_SYMBOLICSCALAR_H

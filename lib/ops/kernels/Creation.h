//===- Creation.h - Kernels of tensors made from nothing --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for tensors made from nothing.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_CREATION_H
#define CONDLINT_LIB_OPS_KERNELS_CREATION_H

namespace condlint {

class ExecContext;

void executeFactory(ExecContext &c);
void executeEmpty(ExecContext &c);
void executeFull(ExecContext &c);
void executeScalarTensor(ExecContext &c);
void executeLike(ExecContext &c);
void executeNew(ExecContext &c);
void executeEmptyStrided(ExecContext &c);
void executeEmptyPermuted(ExecContext &c);
void executeArange(ExecContext &c);
void executeLinspace(ExecContext &c);
void executeEye(ExecContext &c);
void executeTriangleIndices(ExecContext &c);
void executeWindow(ExecContext &c);
void executeConstant(ExecContext &c);
void executeConstantOfShape(ExecContext &c);
void executeRange(ExecContext &c);
void executeEyeLike(ExecContext &c);
void executeWindowOnnx(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_CREATION_H

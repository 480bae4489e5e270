//===- Gradients.h - Kernels of gradients -----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for gradients.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_GRADIENTS_H
#define CONDLINT_LIB_OPS_KERNELS_GRADIENTS_H

namespace condlint {

class ExecContext;

void executeSoftmaxBackward(ExecContext &c);
void executeActivationBackward(ExecContext &c);
void executeConvolutionBackward(ExecContext &c);
void executePoolBackward(ExecContext &c);
void executeNormBackward(ExecContext &c);
void executeEmbeddingBackward(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_GRADIENTS_H

//===- Convolution.h - Kernels of convolutions ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for convolutions.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_CONVOLUTION_H
#define CONDLINT_LIB_OPS_KERNELS_CONVOLUTION_H

namespace condlint {

class ExecContext;

void executeConvolution(ExecContext &c);
void executeConvTbc(ExecContext &c);
void executeIm2Col(ExecContext &c);
void executeCol2Im(ExecContext &c);
void executeConv(ExecContext &c);
void executeConvInteger(ExecContext &c);
void executeQLinearConv(ExecContext &c);
void executeConvTranspose(ExecContext &c);
void executeCausalConv(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_CONVOLUTION_H

//===- Signal.h - Kernels of Fourier transforms -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for Fourier transforms.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_SIGNAL_H
#define CONDLINT_LIB_OPS_KERNELS_SIGNAL_H

namespace condlint {

class ExecContext;

void executeFft(ExecContext &c);
void executeFftKernel(ExecContext &c);
void executeFftShift(ExecContext &c);
void executeFftFrequencies(ExecContext &c);
void executeDft(ExecContext &c);
void executeStft(ExecContext &c);
void executeTorchStft(ExecContext &c);
void executeTorchIstft(ExecContext &c);
void executeMelWeightMatrix(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_SIGNAL_H

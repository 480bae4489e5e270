//===- Spectra.h - Kernels of spectra of matrices ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for spectra of matrices.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_SPECTRA_H
#define CONDLINT_LIB_OPS_KERNELS_SPECTRA_H

namespace condlint {

class ExecContext;

void executeSingularValues(ExecContext &c);
void executeSvd(ExecContext &c);
void executeEigh(ExecContext &c);
void executeEig(ExecContext &c);
void executeMatrixRank(ExecContext &c);
void executePseudoInverse(ExecContext &c);
void executeLeastSquares(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_SPECTRA_H

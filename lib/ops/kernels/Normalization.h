//===- Normalization.h - Kernels of normalizations --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for normalizations.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_NORMALIZATION_H
#define CONDLINT_LIB_OPS_KERNELS_NORMALIZATION_H

namespace condlint {

class ExecContext;

void executeLayerNorm(ExecContext &c);
void executeRmsNorm(ExecContext &c);
void executeGroupNorm(ExecContext &c);
void executeBatchNorm(ExecContext &c);
void executeInstanceNorm(ExecContext &c);
void executeGlu(ExecContext &c);
void executeWeightNorm(ExecContext &c);
void executeBatchNormalization(ExecContext &c);
void executeLayerNormalization(ExecContext &c);
void executeNormalization(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_NORMALIZATION_H

//===- Statistics.h - Kernels of statistics ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for statistics.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_STATISTICS_H
#define CONDLINT_LIB_OPS_KERNELS_STATISTICS_H

namespace condlint {

class ExecContext;

void executeVectorComparison(ExecContext &c);
void executeCovariance(ExecContext &c);
void executeTrapezoid(ExecContext &c);
void executeBilinear(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_STATISTICS_H

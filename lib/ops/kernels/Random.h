//===- Random.h - Kernels of random numbers ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for random numbers.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_RANDOM_H
#define CONDLINT_LIB_OPS_KERNELS_RANDOM_H

namespace condlint {

class ExecContext;

void executeRandomFactory(ExecContext &c);
void executeRandint(ExecContext &c);
void executeRandperm(ExecContext &c);
void executeRandomLike(ExecContext &c);
void executeNormal(ExecContext &c);
void executeRandomInPlace(ExecContext &c);
void executeBernoulli(ExecContext &c);
void executeMultinomial(ExecContext &c);
void executeDropout(ExecContext &c);
void executeNativeDropout(ExecContext &c);
void executeRandomOnnx(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_RANDOM_H

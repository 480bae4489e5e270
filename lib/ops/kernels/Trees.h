//===- Trees.h - Kernels of trees -------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for trees.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_TREES_H
#define CONDLINT_LIB_OPS_KERNELS_TREES_H

namespace condlint {

class ExecContext;

void executeTreeClassifier(ExecContext &c);
void executeTreeRegressor(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_TREES_H

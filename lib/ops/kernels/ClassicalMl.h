//===- ClassicalMl.h - Kernels of classical machine learning ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for classical machine learning.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_CLASSICALML_H
#define CONDLINT_LIB_OPS_KERNELS_CLASSICALML_H

namespace condlint {

class ExecContext;

void executeArrayFeatureExtractor(ExecContext &c);
void executeBinarizer(ExecContext &c);
void executeScaler(ExecContext &c);
void executeImputer(ExecContext &c);
void executeNormalizer(ExecContext &c);
void executeLinearRegressor(ExecContext &c);
void executeLabelEncoder(ExecContext &c);
void executeTreeEnsemble(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_CLASSICALML_H

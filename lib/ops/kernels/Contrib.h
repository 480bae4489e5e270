//===- Contrib.h - Kernels of ONNX Runtime's own operators ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for ONNX Runtime's own operators.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_CONTRIB_H
#define CONDLINT_LIB_OPS_KERNELS_CONTRIB_H

namespace condlint {

class ExecContext;

void executeFusedMatMul(ExecContext &c);
void executeFusedGemm(ExecContext &c);
void executeFusedConv(ExecContext &c);
void executeSkipNormalization(ExecContext &c);
void executeEmbedNormalization(ExecContext &c);
void executeContribRotary(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_CONTRIB_H

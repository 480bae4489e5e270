//===- Sequence.h - Kernels of sequences and optionals ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for sequences and optionals.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_SEQUENCE_H
#define CONDLINT_LIB_OPS_KERNELS_SEQUENCE_H

namespace condlint {

class ExecContext;

void executeSequenceEmpty(ExecContext &c);
void executeSequenceConstruct(ExecContext &c);
void executeSequenceInsert(ExecContext &c);
void executeSequenceErase(ExecContext &c);
void executeSequenceAt(ExecContext &c);
void executeSequenceLength(ExecContext &c);
void executeConcatFromSequence(ExecContext &c);
void executeSplitToSequence(ExecContext &c);
void executeOptional(ExecContext &c);
void executeOptionalGetElement(ExecContext &c);
void executeOptionalHasElement(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_SEQUENCE_H

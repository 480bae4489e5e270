//===- Shape.h - Kernels of shapes and motion -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for shapes and motion.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_SHAPE_H
#define CONDLINT_LIB_OPS_KERNELS_SHAPE_H

namespace condlint {

class ExecContext;

void executeShape(ExecContext &c);
void executeSize(ExecContext &c);
void executeConcat(ExecContext &c);
void executeStack(ExecContext &c);
void executeStackAlong(ExecContext &c);
void executePad(ExecContext &c);
void executeRepeat(ExecContext &c);
void executeTile(ExecContext &c);
void executeRepeatInterleave(ExecContext &c);
void executeFlip(ExecContext &c);
void executeRoll(ExecContext &c);
void executeRot90(ExecContext &c);
void executeTriangle(ExecContext &c);
void executeReverseSequence(ExecContext &c);
void executeCenterCropPad(ExecContext &c);
void executeDepthToSpace(ExecContext &c);
void executeSpaceToDepth(ExecContext &c);
void executeChannelShuffle(ExecContext &c);
void executeMeshgrid(ExecContext &c);
void executeBroadcastTensors(ExecContext &c);
void executeAtLeast(ExecContext &c);
void executeDiagEmbed(ExecContext &c);
void executeDiag(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_SHAPE_H

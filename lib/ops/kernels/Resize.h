//===- Resize.h - Kernels of resizing and sampling --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for resizing and sampling.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_RESIZE_H
#define CONDLINT_LIB_OPS_KERNELS_RESIZE_H

namespace condlint {

class ExecContext;

void executeUpsample(ExecContext &c);
void executeResize(ExecContext &c);
void executeGridSample(ExecContext &c);
void executeAffineGrid(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_RESIZE_H

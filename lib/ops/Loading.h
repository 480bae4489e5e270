//===- Loading.h - What stops a model only where it runs --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_LOADING_H
#define CONDLINT_OPS_LOADING_H

#include "condlint/Op.h"

namespace condlint {

/// onnx's full check and ONNX Runtime load an ONNX model with \p i in it: its node fails where it runs, and nowhere
/// else. So it is with a `Reshape` to given sizes, whose elements their type inference does not count.
bool isFoundWhenItRuns(const Model &m, const InvalidOperand &i);

} // namespace condlint

#endif // CONDLINT_OPS_LOADING_H

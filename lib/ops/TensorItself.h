//===- TensorItself.h - The tensor that a value is by another name -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_TENSORITSELF_H
#define CONDLINT_OPS_TENSORITSELF_H

#include "condlint/Graph.h"

namespace condlint {

/// The tensor that \p v is by another name: operators hand back what they are given where nothing is to be done
/// (`x.to(its own dtype)`, `x.contiguous()` of a contiguous x), and C++ source assumes more of a value. What is only
/// a view is itself.
ValueId tensorItself(const Model &m, ValueId v);
/// The result of \p n is the tensor that it is given or a copy of it, and never another view.
bool isItselfOrCopy(const Model &m, NodeId n);

} // namespace condlint

#endif // CONDLINT_OPS_TENSORITSELF_H

//===- Creation.h - What the definitions of factories share -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_CREATION_H
#define CONDLINT_LIB_OPS_CREATION_H

#include "OpTable.h"

namespace condlint {

/// How many numbers `start, start + step, …` lie before \p end; it may come out
/// negative when there are none. Unknown when the step is not a number.
Dim rangeSize(DimTable &dims, Dim start, Dim end, Dim step);
Dim rangeSize(DimTable &dims, double start, double end, double step);

/// A factory's result: row-major, of the sizes \p shape, of the type \p otherwise unless it is given one.
void setFactory(InferContext &c, DType otherwise, std::optional<std::vector<Dim>> shape, const Type *like = nullptr);

std::span<const OpRow> torchCreationRows();
std::span<const OpRow> onnxCreationRows();

} // namespace condlint

#endif // CONDLINT_LIB_OPS_CREATION_H

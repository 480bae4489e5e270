//===- IndexPlaces.h - Where indices may point ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_INDEXPLACES_H
#define CONDLINT_LIB_OPS_INDEXPLACES_H

#include "condlint/Op.h"

namespace condlint {

/// Rejects a number in ONNX operand \p i that is no index into an axis of \p size elements:
/// from -size to size - 1.
void expectInside(InferContext &c, std::size_t i, Dim size);
/// GatherND, ScatterND: the last axis of operand 1 holds a place each, in the axes of operand 0
/// from \p batch on.
void expectPoints(InferContext &c, std::size_t batch);
/// GatherElements, ScatterElements: operand 1 has the axes of operand 0, and none is longer than
/// there but the one that is indexed.
void expectElements(InferContext &c);
/// ScatterElements: as many updates as indices. ScatterND: a slice for each place.
void expectUpdates(InferContext &c);

/// Torch: places along one axis are a vector, or a single number.
void expectVector(InferContext &c, const Type &index);
/// Torch's `index_add` and those like it: the places along one axis that are written, as many values along it, and
/// otherwise the sizes of the operand.
void expectValuesForPlaces(InferContext &c);
/// Torch's `scatter` and those like it: each element of the index has a place beside the axis, and a value.
void expectIndexInside(InferContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_INDEXPLACES_H

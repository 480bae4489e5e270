//===- TensorRt.h - What the definitions of TensorRT's layers share -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers are called as the network's methods that add them ("addUnary"); what a
// setter sets is an attribute with its name ("setReduceAxes": "reduceAxes"), and
// so is the argument of the method that the setter would replace. The attributes
// stand in the order in which they were set last. See docs/cxx-graph.md.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_TENSORRT_H
#define CONDLINT_LIB_OPS_TENSORRT_H

#include "OpTable.h"

namespace condlint {

/// The operands of what belongs to a conditional or a loop begin with its handle.
constexpr std::size_t afterHandle = 1;

/// Sets result \p i: a tensor of these sizes.
void setLayer(InferContext &c, std::size_t i, DType element, std::vector<Dim> shape);
/// A tensor of which only the element type is known.
void setLayer(InferContext &c, std::size_t i, DType element);
/// Result \p i is like operand \p from.
void setLike(InferContext &c, std::size_t i, std::size_t from, std::optional<DType> element = std::nullopt);
/// Result 0 is like operand 0.
void inferAlike(InferContext &c);
/// The same with the numbers in it.
void inferSame(InferContext &c);
/// An enumeration's value as it is written ("kMAX"); empty when not known.
std::string_view enumAttr(const InferContext &c, std::string_view name);
/// The axes of a bit mask; nothing when it is not known or names an axis that is not there.
std::optional<std::vector<bool>> maskAttr(InferContext &c, std::string_view name, std::size_t rank);
/// A layer that works along one axis is given \p bits, a mask of which any other number of axes is refused.
void admitOneAxis(InferContext &c, std::int64_t bits, std::size_t rank, const std::string &what);
/// What two operands are of which a layer demands one type: where one is not known, it is
/// the other's. Unknown where they differ.
DType commonElement(const Type &a, const Type &b);
/// The type of indices: the attribute `indicesType`, else int32.
DType indicesType(const InferContext &c);
/// Copies of the sizes of a type.
std::vector<Dim> sizesOf(const Type &t);
/// A size that nothing else is known to equal.
Dim ownSize(InferContext &c, std::string_view hint);

// The parts of the family.
std::span<const OpRow> tensorrtLayerRows();
std::span<const OpRow> tensorrtShapeRows();
std::span<const OpRow> tensorrtWindowRows();
std::span<const OpRow> tensorrtFlowRows();

} // namespace condlint

#endif // CONDLINT_LIB_OPS_TENSORRT_H

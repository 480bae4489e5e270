//===- IndexPlaces.cpp - Where indices may point --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What ONNX says of the indices of Gather*, Scatter*: inference does not look at them, and a
// runtime stops where they point outside. What torch asks of places that are written.
#include "IndexPlaces.h"
#include "Broadcast.h"
#include "Facets.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

bool isInside(std::int64_t index, std::int64_t size) { return index >= -size && index < size; }

/// The number of axes of a place; nothing where it is not known or none.
std::optional<std::size_t> depthOf(InferContext &c) {
  const Type &indices = c.type(1);
  if (!indices.hasRank || indices.dims.empty())
    return std::nullopt;
  const auto depth = c.dims().asConstant(indices.dims.back());
  return depth && *depth >= 0 ? std::optional(static_cast<std::size_t>(*depth)) : std::nullopt;
}

void expectSameShape(InferContext &c, std::span<const Dim> updates, std::span<const Dim> wanted) {
  if (!mayAgree(c.dims(), updates, wanted))
    c.reject(fmt::format("{}: the updates have the shape {}, expected {}", c.opName(), spellDims(c.dims(), updates),
                         spellDims(c.dims(), wanted)),
             2, FaultKind::UpdateShape);
}

} // namespace

void expectInside(InferContext &c, std::size_t i, Dim size) {
  const auto end = c.dims().asConstant(size);
  const auto indices = constantInts(c, i);
  if (!end || !indices)
    return;
  const auto outside = std::ranges::find_if(*indices, [&](std::int64_t n) { return !isInside(n, *end); });
  if (outside != indices->end())
    c.reject(fmt::format("{}: index {} is out of range for size {}", c.opName(), *outside, *end), std::nullopt,
             FaultKind::Index);
}

void expectPoints(InferContext &c, std::size_t batch) {
  const Type &from = c.type(0);
  const auto depth = depthOf(c);
  if (!from.hasRank || !depth)
    return;
  if (batch > from.dims.size() || *depth > from.dims.size() - batch)
    return c.reject(
        fmt::format("{}: an index of {} numbers is too long for rank {}", c.opName(), *depth, from.dims.size()),
        std::nullopt, FaultKind::IndexLength);
  const auto indices = constantInts(c, 1);
  for (std::size_t k = 0; indices && k < indices->size(); ++k) {
    const auto size = c.dims().asConstant(from.dims[batch + k % *depth]);
    if (size && !isInside((*indices)[k], *size))
      return c.reject(fmt::format("{}: index {} is out of range for size {}", c.opName(), (*indices)[k], *size),
                      std::nullopt, FaultKind::Index);
  }
}

void expectElements(InferContext &c) {
  const Type &from = c.type(0), &indices = c.type(1);
  if (!from.hasRank || !indices.hasRank || from.dims.empty() || indices.dims.empty())
    return;
  if (from.dims.size() != indices.dims.size())
    return c.reject(fmt::format("{}: the operand has rank {}, the indices have rank {}", c.opName(), from.dims.size(),
                                indices.dims.size()),
                    std::nullopt, FaultKind::IndexRank);
  const auto at = axisOf(c, c.intAttr("axis", 0), from.dims.size());
  if (!at || mayBeEmpty(c.dims(), indices))
    return;
  for (std::size_t k = 0; k < from.dims.size(); ++k)
    if (k != *at && isAlwaysLarger(c.dims(), indices.dims[k], from.dims[k]))
      return c.reject(fmt::format("{}: the indices have {} in axis {}, the operand {}", c.opName(),
                                  c.dims().str(indices.dims[k]), k, c.dims().str(from.dims[k])));
  expectInside(c, 1, from.dims[*at]);
}

void expectUpdates(InferContext &c) {
  const Type &from = c.type(0), &indices = c.type(1), &updates = c.type(2);
  if (!indices.hasRank || !updates.hasRank)
    return;
  if (c.opName() != "ScatterND")
    return expectSameShape(c, updates.dims, indices.dims);
  const auto depth = depthOf(c);
  if (!from.hasRank || !depth || *depth > from.dims.size())
    return;
  std::vector<Dim> wanted = copyDims(indices.dims.first(indices.dims.size() - 1));
  wanted.insert(wanted.end(), from.dims.begin() + static_cast<std::ptrdiff_t>(*depth), from.dims.end());
  expectSameShape(c, updates.dims, wanted);
}

void expectVector(InferContext &c, const Type &index) {
  if (index.hasRank && index.dims.size() > 1)
    c.reject(fmt::format("{}: the index has rank {}, expected 1", c.opName(), index.dims.size()));
}

void expectValuesForPlaces(InferContext &c) {
  const Type &from = c.argType("self"), &index = c.argType("index"), &source = c.argType("source");
  expectVector(c, index);
  const auto axis = c.intAttr("dim");
  if (!axis || !from.hasRank || !source.isTensor() || !source.hasRank)
    return;
  const auto at = normalizeAxis(*axis, from.dims.size(), true);
  if (!at)
    return;
  const bool isScalar = source.dims.empty();
  if (index.hasRank && index.dims.size() <= 1 && *at < std::max<std::size_t>(source.dims.size(), 1))
    expectEqual(c, elementCount(c.dims(), index.dims), isScalar ? c.constant(1) : source.dims[*at],
                "the numbers of indices and of values");
  // `index_copy` alone takes a number for a list of one.
  if (c.opName().starts_with("index_copy") && (isScalar || from.dims.empty()))
    return;
  bool fits = source.dims.size() == from.dims.size();
  for (std::size_t i = 0; fits && i < from.dims.size(); ++i)
    fits = i == *at || !neverEqual(c.dims(), source.dims[i], from.dims[i]);
  if (!fits)
    c.reject(fmt::format("{}: the values have the shape {} and the operand {}, expected one but for axis {}",
                         c.opName(), spellDims(c.dims(), source.dims), spellDims(c.dims(), from.dims), *at));
}

void expectIndexInside(InferContext &c) {
  const Type &from = c.argType("self"), &index = c.argType("index"), &source = c.argType("src");
  const auto axis = c.intAttr("dim");
  if (!from.hasRank || !index.hasRank || from.dims.empty() || index.dims.size() != from.dims.size() ||
      mayBeEmpty(c.dims(), index) || !axis)
    return;
  const auto at = axisOf(c, *axis, from.dims.size(), true);
  const auto isLonger = [&](Dim a, Dim b) { return isAlwaysLarger(c.dims(), a, b); };
  for (std::size_t i = 0; at && i < index.dims.size(); ++i) {
    const bool isOutside = i != *at && isLonger(index.dims[i], from.dims[i]);
    const bool hasNoValue =
        source.hasRank && source.dims.size() == index.dims.size() && isLonger(index.dims[i], source.dims[i]);
    if (isOutside || hasNoValue)
      return c.reject(fmt::format("{}: the index has {} in axis {}, the {} {}", c.opName(), c.dims().str(index.dims[i]),
                                  i, isOutside ? "operand" : "source",
                                  c.dims().str(isOutside ? from.dims[i] : source.dims[i])));
  }
}

} // namespace condlint

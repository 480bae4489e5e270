//===- IndexPlaces.cpp - Where indices may point --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What ONNX says of the indices of Gather*, Scatter*: inference does not look at them, and a
// runtime stops where they point outside.
#include "IndexPlaces.h"
#include "Broadcast.h"
#include "Facets.h"
#include "Shape.h"
#include "condlint/TypeWords.h"
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
  bool same = updates.size() == wanted.size();
  for (std::size_t k = 0; same && k < wanted.size(); ++k)
    same = !neverEqual(c.dims(), updates[k], wanted[k]);
  if (!same)
    c.reject(fmt::format("{}: the updates have the shape {}, expected {}", c.opName(), spellDims(c.dims(), updates),
                         spellDims(c.dims(), wanted)),
             2);
}

} // namespace

void expectInside(InferContext &c, std::size_t i, Dim size) {
  const auto end = c.dims().asConstant(size);
  const auto indices = constantInts(c, i);
  if (!end || !indices)
    return;
  const auto outside = std::ranges::find_if(*indices, [&](std::int64_t n) { return !isInside(n, *end); });
  if (outside != indices->end())
    c.reject(fmt::format("{}: index {} is out of range for size {}", c.opName(), *outside, *end));
}

void expectPoints(InferContext &c, std::size_t batch) {
  const Type &from = c.type(0);
  const auto depth = depthOf(c);
  if (!from.hasRank || !depth)
    return;
  if (batch > from.dims.size() || *depth > from.dims.size() - batch)
    return c.reject(
        fmt::format("{}: an index of {} numbers is too long for rank {}", c.opName(), *depth, from.dims.size()));
  const auto indices = constantInts(c, 1);
  for (std::size_t k = 0; indices && k < indices->size(); ++k) {
    const auto size = c.dims().asConstant(from.dims[batch + k % *depth]);
    if (size && !isInside((*indices)[k], *size))
      return c.reject(fmt::format("{}: index {} is out of range for size {}", c.opName(), (*indices)[k], *size));
  }
}

void expectElements(InferContext &c) {
  const Type &from = c.type(0), &indices = c.type(1);
  if (!from.hasRank || !indices.hasRank || from.dims.empty() || indices.dims.empty())
    return;
  if (from.dims.size() != indices.dims.size())
    return c.reject(fmt::format("{}: the operand has rank {}, the indices have rank {}", c.opName(), from.dims.size(),
                                indices.dims.size()));
  const auto at = axisOf(c, c.intAttr("axis", 0), from.dims.size());
  if (!at || mayBeEmpty(c.dims(), indices))
    return;
  for (std::size_t k = 0; k < from.dims.size(); ++k)
    if (k != *at && from.dims[k].known() && indices.dims[k].known() &&
        c.dims().boundsOf(indices.dims[k]).min > c.dims().boundsOf(from.dims[k]).max)
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

} // namespace condlint

//===- Facets.cpp - Reading and checking single facets of types -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facets.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Strides.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

Dim dimAt(const Type &t, std::int64_t axis) {
  if (!t.hasRank)
    return {};
  const auto rank = static_cast<std::int64_t>(t.dims.size());
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  return at >= 0 && at < rank ? t.dims[static_cast<std::size_t>(at)] : Dim();
}

bool admitRank(InferContext &c, std::size_t i, std::size_t least, std::size_t most, std::string_view what) {
  const Type &t = c.type(i);
  if (!t.hasRank || (t.dims.size() >= least && t.dims.size() <= most))
    return true;
  c.reject(fmt::format("{} of {} must have {} {}, but has {}", what, c.opName(),
                       least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
                       most == 1 ? "axis" : "axes", t.dims.size()),
           i);
  return false;
}

Dim mustEqual(InferContext &c, Dim a, Dim b, std::string_view what, std::optional<std::size_t> operand) {
  bool mismatch = false;
  const Dim both = unifyDim(c.dims(), a, b, mismatch);
  if (mismatch)
    c.reject(fmt::format("{}: {} must be equal, but are {} and {}", c.opName(), what, c.dims().str(a), c.dims().str(b)),
             operand, FaultKind::Unequal);
  else
    c.requireEqual(a, b);
  return both;
}

Dim numberIn(const InferContext &c, std::size_t i) {
  const auto content = c.content(i);
  return content && content->size() == 1 ? content->front() : Dim();
}

Type reshapedLike(const InferContext &c, DType dtype, const Type &t) {
  return t.isTensor() && t.hasRank ? c.tensor(dtype, t.dims) : c.tensor(dtype);
}

OwnedType looseTensor(InferContext &c, DType dtype, std::vector<Dim> shape, const Type &like) {
  const bool one = shape.size() <= 1;
  OwnedType t = freshTensor(c, dtype, std::move(shape), like);
  if (!one)
    t.dropStrides();
  return t;
}

OwnedType looseLike(InferContext &c, DType dtype, const Type &like) {
  if (!like.hasRank)
    return freshTensor(c, dtype, like);
  return looseTensor(c, dtype, {like.dims.begin(), like.dims.end()}, like);
}

std::optional<std::vector<Dim>> batchShape(const Type &t, std::size_t count, std::initializer_list<Dim> tail) {
  if (!t.hasRank || t.dims.size() < count)
    return std::nullopt;
  std::vector<Dim> shape(t.dims.begin(), t.dims.end() - static_cast<std::ptrdiff_t>(count));
  shape.insert(shape.end(), tail);
  return shape;
}

bool mayBeEmpty(const DimTable &dims, const Type &t) {
  return !t.hasRank || std::ranges::any_of(t.dims, [&](Dim d) { return !d.known() || dims.boundsOf(d).contains(0); });
}

Type symbolic(ValueKind kind) {
  Type t;
  t.kind = kind;
  return t;
}

} // namespace condlint

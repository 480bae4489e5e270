//===- Broadcast.cpp - Shapes that stretch, axes, sizes -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include <algorithm>

namespace condlint {

Dim broadcastDim(DimTable &dims, Dim a, Dim b, bool &mismatch) {
  if (a == b)
    return a; // both unknown stays unknown
  if (dims.isConstant(a, 1))
    return b;
  if (dims.isConstant(b, 1))
    return a;
  const auto ca = dims.asConstant(a), cb = dims.asConstant(b);
  if (ca && cb) {
    mismatch = true;
    return {};
  }
  // A size that is never 1 is the result: the other is 1 or the same.
  auto other = [&](Dim fixed, Dim free) {
    if (free.known()) {
      const Interval x = dims.boundsOf(fixed), y = dims.boundsOf(free);
      if (!y.contains(1) && (x.min > y.max || x.max < y.min))
        mismatch = true;
    }
    return mismatch ? Dim{} : fixed;
  };
  if (ca)
    return other(a, b);
  if (cb)
    return other(b, a);
  if (a.known() && !dims.boundsOf(a).contains(1))
    return other(a, b);
  if (b.known() && !dims.boundsOf(b).contains(1))
    return other(b, a);
  if (a.known() && b.known() && dims.compare(a, b).result == DimComparison::Verdict::Proved)
    return a;
  return {};
}

Shape broadcast(DimTable &dims, std::span<const Dim> a, std::span<const Dim> b) {
  Shape result;
  result.hasRank = true;
  result.dims.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < result.dims.size(); ++i) { // from the end
    Dim &d = result.dims[result.dims.size() - 1 - i];
    if (i >= a.size() || i >= b.size()) {
      d = i >= a.size() ? b[b.size() - 1 - i] : a[a.size() - 1 - i];
      continue;
    }
    bool mismatch = false;
    const Dim x = a[a.size() - 1 - i], y = b[b.size() - 1 - i];
    d = broadcastDim(dims, x, y, mismatch);
    if (mismatch && !result.mismatch) {
      result.mismatch = true;
      result.axis = i;
      result.left = x;
      result.right = y;
    }
  }
  return result;
}

Shape broadcast(DimTable &dims, std::span<const Type> operands) {
  Shape result;
  if (operands.empty())
    return result;
  Shape sofar;
  sofar.hasRank = true;
  for (const Type &t : operands) {
    if (!t.hasRank)
      return result;
    Shape next = broadcast(dims, sofar.dims, t.dims);
    if (sofar.mismatch) {
      next.mismatch = true;
      next.axis = sofar.axis;
      next.left = sofar.left;
      next.right = sofar.right;
    }
    sofar = std::move(next);
  }
  return sofar;
}

Dim unifyDim(DimTable &dims, Dim a, Dim b, bool &mismatch) {
  if (!a.known() || !b.known() || a == b)
    return a.known() ? a : b;
  const DimComparison c = dims.compare(a, b);
  if (c.result == DimComparison::Verdict::Refuted && c.always) {
    mismatch = true;
    return {};
  }
  return dims.asConstant(b) ? b : a;
}

std::optional<std::size_t> normalizeAxis(std::int64_t axis, std::size_t rank, bool wrapScalar) {
  const auto r = static_cast<std::int64_t>(rank == 0 && wrapScalar ? 1 : rank);
  if (axis < -r || axis >= r)
    return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + r : axis);
}

std::optional<std::vector<bool>> axisMask(std::span<const std::int64_t> axes, std::size_t rank, bool wrapScalar) {
  std::vector<bool> mask(rank, false);
  for (std::int64_t axis : axes) {
    const auto at = normalizeAxis(axis, rank, wrapScalar);
    if (!at)
      return std::nullopt;
    if (*at < rank)
      mask[*at] = true;
  }
  return mask;
}

std::vector<Dim> reducedShape(DimTable &dims, std::span<const Dim> shape, const std::vector<bool> &mask, bool keep) {
  std::vector<Dim> result;
  result.reserve(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i >= mask.size() || !mask[i])
      result.push_back(shape[i]);
    else if (keep)
      result.push_back(dims.constant(1));
  }
  return result;
}

Dim elementCount(DimTable &dims, std::span<const Dim> shape) {
  Dim count = dims.constant(1);
  for (Dim d : shape)
    if (dims.isConstant(d, 0))
      return d;
  for (Dim d : shape)
    count = dims.mul(count, d);
  return count;
}

} // namespace condlint

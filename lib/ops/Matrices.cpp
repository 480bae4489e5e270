//===- Matrices.cpp - Batches of matrices and what is made of them --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Matrices.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// The batches of \p a and \p b stretched to each other, then \p tail.
std::optional<std::vector<Dim>> batchOfBoth(InferContext &c, const Type &a, const Type &b,
                                            std::initializer_list<Dim> tail) {
  if (!a.hasRank || !b.hasRank || a.dims.size() < 2 || b.dims.size() < 2)
    return std::nullopt;
  Shape batch = broadcast(c.dims(), a.dims.first(a.dims.size() - 2), b.dims.first(b.dims.size() - 2));
  if (batch.mismatch)
    return std::nullopt;
  batch.dims.insert(batch.dims.end(), tail);
  return batch.dims;
}

} // namespace

const Type &matrix(InferContext &c) {
  for (std::string_view name : {"self", "A", "input", "LU", "LU_data"})
    if (const ValueId v = c.arg(name))
      return c.typeOf(v);
  return c.type(0);
}

void setBatched(InferContext &c, std::size_t i, DType element, const Type &a, std::size_t matrixAxes,
                std::initializer_list<Dim> tail) {
  if (i >= c.resultCount() || !a.isTensor())
    return;
  const auto shape = batchShape(a, matrixAxes, tail);
  const OwnedType t = shape ? looseTensor(c, element, *shape, a) : freshTensor(c, element, a);
  if (c.resultCount() == 1)
    setTorchResult(c, i, t);
  else
    c.setResult(i, t.view());
}
void setNumber(InferContext &c, std::size_t i, DType element, const Type &a) { setBatched(c, i, element, a, 2, {}); }
void setVector(InferContext &c, std::size_t i, DType element, const Type &a, Dim size) {
  setBatched(c, i, element, a, 2, {size});
}
void setMatrix(InferContext &c, std::size_t i, DType element, const Type &a, Dim rows, Dim columns) {
  setBatched(c, i, element, a, 2, {rows, columns});
}
void setSame(InferContext &c, std::size_t i, DType element, const Type &a) {
  setMatrix(c, i, element, a, dimAt(a, -2), dimAt(a, -1));
}

bool square(InferContext &c, const Type &a) {
  if (!a.hasRank)
    return true;
  if (a.dims.size() < 2) {
    c.reject(fmt::format("{} takes matrices, but the input has {} axes", c.opName(), a.dims.size()), 0);
    return false;
  }
  mustEqual(c, dimAt(a, -2), dimAt(a, -1), "rows and columns", 0);
  return true;
}

void setFromBoth(InferContext &c, std::size_t i, const Type &a, const Type &b, std::initializer_list<Dim> tail) {
  if (i >= c.resultCount() || !a.isTensor())
    return;
  const auto shape = batchOfBoth(c, a, b, tail);
  const OwnedType t = shape ? looseTensor(c, a.element, *shape, a) : freshTensor(c, a.element, a);
  if (c.resultCount() == 1)
    setTorchResult(c, i, t);
  else
    c.setResult(i, t.view());
}

} // namespace condlint

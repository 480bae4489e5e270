//===- Agreement.cpp - What two declarations of a value agree on ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Agreement.h"

namespace condlint {

TypeId agreedType(Model &m, TypeId a, TypeId b) {
  Type t = m.types[a];
  const Type &other = m.types[b];
  if (t.kind != other.kind || !t.isTensor())
    return a == b ? a : TypeId();
  if (t.element != other.element)
    t.element = DType::Unknown;
  std::vector<Dim> dims(t.dims.begin(), t.dims.end());
  if (t.hasRank && other.hasRank && dims.size() != other.dims.size()) {
    t.hasRank = t.hasStrides = false;
    dims.clear();
  }
  for (std::size_t i = 0; t.hasRank && other.hasRank && i < dims.size(); ++i) {
    const auto x = m.dims.asConstant(dims[i]), y = m.dims.asConstant(other.dims[i]);
    if (x && y && *x != *y) {
      dims[i] = Dim();
      t.hasStrides = false; // of a dense tensor they follow from the sizes
    }
  }
  t.dims = dims;
  if (!t.hasStrides)
    t.strides = {};
  return m.types.intern(t);
}

} // namespace condlint

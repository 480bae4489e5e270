//===- LoggedShape.h - Shapes that ONNX Runtime does not hold to -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_LOGGEDSHAPE_H
#define CONDLINT_CHECKS_LOGGEDSHAPE_H

#include "condlint/Graph.h"
#include <algorithm>

namespace condlint {

/// True when the value leaves the model: then a runtime checks what it declares.
inline bool isModelOutput(const Model &m, ValueId v) {
  return m.main() && std::ranges::find(m.results(m.main()), v) != m.results(m.main()).end();
}

/// The graph is the body of a function, or in one.
inline bool isInFunction(const Model &m, GraphId g) {
  while (g && m[g].parent)
    g = m[g].parent;
  return g && g != m.main();
}

/// ONNX Runtime logs a wrong rank or size inside a graph; in the body of a function it refuses another rank and one
/// number for another, and logs what a name is part of.
inline bool isOnlyLogged(const Model &m, ValueId v, GraphId graph) {
  if (!isInFunction(m, graph))
    return true;
  const Type &declared = m.types[m[v].recorded], &yielded = m.type(v);
  if (!declared.hasRank || !yielded.hasRank || declared.dims.size() != yielded.dims.size())
    return false;
  for (std::size_t i = 0; i < declared.dims.size(); ++i) {
    const auto a = declared.dims[i].known() ? m.dims.asConstant(declared.dims[i]) : std::nullopt;
    const auto b = yielded.dims[i].known() ? m.dims.asConstant(yielded.dims[i]) : std::nullopt;
    if (a && b && *a != *b)
      return false;
  }
  return true;
}

} // namespace condlint

#endif // CONDLINT_CHECKS_LOGGEDSHAPE_H

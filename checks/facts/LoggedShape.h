//===- LoggedShape.h - Shapes that ONNX Runtime does not hold to -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_LOGGEDSHAPE_H
#define CONDLINT_CHECKS_FACTS_LOGGEDSHAPE_H

#include "condlint/Graph.h"
#include "condlint/Op.h"
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
  return !isInFunction(m, graph) || !shapesDiffer(m, m.types[m[v].recorded], m.type(v));
}

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_LOGGEDSHAPE_H

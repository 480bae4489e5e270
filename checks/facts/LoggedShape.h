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
#include "graph/Returned.h"
#include <algorithm>
#include <array>
#include <string_view>

namespace condlint {

/// True when the value leaves the model: then a runtime checks what it declares.
inline bool isModelOutput(const Model &m, ValueId v) { return m.main() && isReturned(m, m.main(), v); }

/// The graph is the body of a function, or in one.
inline bool isInFunction(const Model &m, GraphId g) {
  while (g && m[g].parent)
    g = m[g].parent;
  return g && g != m.main();
}

/// Type inference says nothing of the shapes that \p op yields: what is declared of them is believed.
inline bool isLeftToDeclarations(std::string_view op) {
  constexpr std::array<std::string_view, 8> known{"Compress",
                                                  "ai.onnx.ml::FeatureVectorizer",
                                                  "ai.onnx.ml::Imputer",
                                                  "ai.onnx.ml::LinearRegressor",
                                                  "ai.onnx.ml::Normalizer",
                                                  "ai.onnx.ml::SVMRegressor",
                                                  "ai.onnx.ml::Scaler",
                                                  "ai.onnx.ml::TreeEnsembleRegressor"};
  return std::ranges::find(known, op) != known.end();
}

/// ONNX Runtime makes room for the result \p v of the branch \p graph before that runs, as large as is declared where
/// inference says nothing, and fails in the run that yields another shape.
inline bool isRoomMade(const Model &m, ValueId v, GraphId graph) {
  const Type &declared = m.types[m[v].recorded];
  return m[v].def && m[v].graph == graph && m[graph].owner && isReturned(m, graph, v) &&
         isLeftToDeclarations(m.operatorName(m[m[v].def].op)) && declared.hasRank &&
         std::ranges::all_of(declared.dims, [&](Dim d) { return m.dims.asConstant(d).has_value(); });
}

/// ONNX Runtime logs a wrong rank or size inside a graph, where it makes no room of it; in the body of a function it
/// refuses another rank and one number for another, and logs what a name is part of.
inline bool isOnlyLogged(const Model &m, ValueId v, GraphId graph) {
  return !shapesDiffer(m, m.types[m[v].recorded], m.type(v)) || (!isInFunction(m, graph) && !isRoomMade(m, v, graph));
}

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_LOGGEDSHAPE_H

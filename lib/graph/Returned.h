//===- Returned.h - Whether a graph returns a value -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_RETURNED_H
#define CONDLINT_GRAPH_RETURNED_H

#include "condlint/Graph.h"
#include <algorithm>

namespace condlint {

/// \p g returns \p v.
inline bool isReturned(const Model &m, GraphId g, ValueId v) {
  const auto results = m.results(g);
  return std::ranges::find(results, v) != results.end();
}

} // namespace condlint

#endif // CONDLINT_GRAPH_RETURNED_H

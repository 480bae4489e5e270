//===- GraphsInside.h - The graphs that nodes hold, at any depth -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_GRAPHSINSIDE_H
#define CONDLINT_LIB_GRAPH_GRAPHSINSIDE_H

#include "condlint/Graph.h"
#include <span>
#include <vector>

namespace condlint {

/// Calls \p visit for each of \p graphs and for each graph that the nodes in these hold, at any depth, in no promised
/// order; not for what the nodes hold that \p enters does not hold of, and for none that is missing.
template <class Visit, class Enters>
void forEachGraphInside(const Model &m, std::span<const GraphId> graphs, Visit visit, Enters enters) {
  std::vector<GraphId> open(graphs.begin(), graphs.end());
  while (!open.empty()) {
    const GraphId g = open.back();
    open.pop_back();
    if (!g)
      continue;
    visit(g);
    for (const NodeId n : m.nodes(g))
      if (const auto regions = m.regions(n); !regions.empty() && enters(n))
        open.insert(open.end(), regions.begin(), regions.end());
  }
}
template <class Visit> void forEachGraphInside(const Model &m, std::span<const GraphId> graphs, Visit visit) {
  forEachGraphInside(m, graphs, visit, [](NodeId) { return true; });
}

/// Calls \p visit for each graph that runs where \p n does, once, and for none before one that it lies in: those that
/// \p n holds, those that their nodes hold, and the bodies that were made for one call of a function each.
template <class Visit> void forEachGraphRunBy(const Model &m, NodeId n, Visit visit) {
  std::vector<bool> seen(m.graphCount(), false);
  std::vector<GraphId> open;
  const auto add = [&](NodeId node) {
    for (const GraphId g : m.regions(node))
      if (g)
        open.push_back(g);
    if (m[node].callee && m[m[node].callee].instanceOf)
      open.push_back(m[node].callee);
  };
  add(n);
  while (!open.empty()) {
    const GraphId g = open.back();
    open.pop_back();
    if (seen[g.index()])
      continue;
    seen[g.index()] = true;
    visit(g);
    for (const NodeId inner : m.nodes(g))
      add(inner);
  }
}

} // namespace condlint

#endif // CONDLINT_LIB_GRAPH_GRAPHSINSIDE_H

//===- ExportedNodes.h - What exporting keeps of graphs ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_EXPORTEDNODES_H
#define CONDLINT_CHECKS_FACTS_EXPORTEDNODES_H

#include "condlint/Graph.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace condlint {

/// Whether exporting keeps \p n though nothing reads its results: what writes, and what asserts, but not what is
/// asserted of a tensor's metadata, which `to_edge` drops.
bool isKeptForItself(const Model &m, NodeId n);

/// The nodes of \p g that are kept, the last first: each for itself, or as \p isNeeded says so of a result. What one
/// reads is handed to \p need before those in front of it are asked for.
template <class IsNeeded, class Need>
std::vector<NodeId> keptBackwards(const Model &m, GraphId g, const IsNeeded &isNeeded, const Need &need) {
  std::vector<NodeId> left, kept;
  for (const NodeId n : m.nodes(g))
    left.push_back(n);
  for (; !left.empty(); left.pop_back()) {
    const NodeId n = left.back();
    bool isKept = isKeptForItself(m, n);
    for (std::size_t r = 0; r < m.resultCount(n); ++r)
      isKept = isKept || isNeeded(m.result(n, r));
    if (!isKept)
      continue;
    kept.push_back(n);
    for (const ValueId v : m.operands(n))
      if (v)
        need(v);
  }
  return kept;
}

/// Which nodes of each graph exporting for ExecuTorch keeps, in order, and which of them read a value: the others make
/// what nothing needs. Found for the whole model, in one pass over it, when it is first asked.
class ExportedNodes {
public:
  explicit ExportedNodes(const Model &model) : m(model) {}

  /// \p n stands behind \p earlier in the same graph.
  bool isBehind(NodeId earlier, NodeId n) const {
    return m[earlier].graph == m[n].graph && m[earlier].position < m[n].position;
  }
  /// Something that is kept reads \p v, or its graph returns it.
  bool isNeeded(ValueId v);
  /// The kept nodes that have \p v among their operands, in order: those of its graph, as a program's regions read
  /// nothing from around them.
  std::span<const NodeId> readersOf(ValueId v);
  /// The kept nodes behind \p n in its graph that run regions, conditionals and loops, in order.
  std::span<const NodeId> regionsBehind(NodeId n);

  /// Adds a value to those whose readers are visited from here on.
  using Follow = std::function<void(ValueId)>;
  /// Calls \p visit of each kept node behind \p n that reads one of \p values, once, in order.
  void eachReader(std::span<const ValueId> values, NodeId n,
                  const std::function<void(NodeId reader, const Follow &follow)> &visit);

private:
  struct Found {
    std::vector<bool> kept;           ///< by node
    std::vector<bool> needed;         ///< by value
    std::vector<std::uint32_t> first; ///< by value: its first reader in \c readers; one more at the end
    std::vector<NodeId> readers;
    std::vector<std::uint32_t> firstRunner; ///< by graph: in \c runners; one more at the end
    std::vector<NodeId> runners;
  };

  const Model &m;
  std::optional<Found> found;

  const Found &find();
  void keep(GraphId g, Found &f) const;
  void listReaders(Found &f) const;
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_EXPORTEDNODES_H

//===- NetworkWalk.h - Walks over the layers of a network -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NETWORKWALK_H
#define CONDLINT_CHECKS_FACTS_NETWORKWALK_H

#include "condlint/Graph.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace condlint {

/// Visits each node that \p next leads to from \p todo, once: \p seen says that it was
/// visited, \p mark makes it so.
template <class Seen, class Mark, class Next> void walkFrom(std::vector<NodeId> todo, Seen seen, Mark mark, Next next) {
  while (!todo.empty()) {
    const NodeId n = todo.back();
    todo.pop_back();
    if (seen(n))
      continue;
    mark(n);
    next(n, [&](NodeId s) {
      if (!seen(s))
        todo.push_back(s);
    });
  }
}

/// Which nodes a walk has come to: one for many walks, each of which begins in no time.
class NodeMarks {
public:
  /// Forgets what the last walk marked, of as many nodes as there are.
  void begin(std::size_t nodes) {
    stamps.resize(nodes, 0);
    ++walk;
  }
  bool operator[](NodeId n) const { return stamps[n.index()] == walk; }
  void add(NodeId n) { stamps[n.index()] = walk; }

private:
  std::vector<std::uint32_t> stamps; ///< by node: the last walk that came to it
  std::uint32_t walk = 0;
};

/// Calls \p visit for each node that \p next leads to from \p todo, once; \p marks is begun anew.
template <class Visit, class Next>
void walkFrom(std::vector<NodeId> todo, NodeMarks &marks, std::size_t nodes, Visit visit, Next next) {
  marks.begin(nodes);
  walkFrom(
      std::move(todo), [&](NodeId n) { return marks[n]; },
      [&](NodeId n) {
        marks.add(n);
        visit(n);
      },
      next);
}

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NETWORKWALK_H

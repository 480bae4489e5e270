//===- BranchNodes.h - The nodes that run when a branch is taken -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_BRANCHNODES_H
#define CONDLINT_CHECKS_FACTS_BRANCHNODES_H

#include "ModelFacts.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <vector>

namespace condlint {

/// Calls \p visit for each node of \p branch and of the loops and wrappers in it;
/// what stands inside a conditional within the branch is that conditional's.
template <class Visit> void forEachNode(const ModelFacts &facts, const Model &m, GraphId branch, Visit visit) {
  std::vector<GraphId> graphs{branch};
  while (!graphs.empty()) {
    const GraphId g = graphs.back();
    graphs.pop_back();
    for (NodeId n : m.nodes(g)) {
      visit(n);
      if (facts.conditional[n.index()]) {
        // Of what torch may specialise the branch that is taken is code of this one.
        if (const GraphId taken = facts.takenOf(n))
          graphs.push_back(taken);
        continue;
      }
      const auto regions = m.regions(n);
      for (std::size_t r = regions.size(); r-- > 0;)
        if (regions[r])
          graphs.push_back(regions[r]);
    }
  }
}

/// Some node reads a result of \p n, or some graph returns it.
inline bool isAnyResultUsed(const ModelFacts &facts, const Model &m, NodeId n) {
  for (std::size_t i = 0; i < m.resultCount(n); ++i)
    if (const ValueId v = m.result(n, i); v && facts.used[v.index()])
      return true;
  return false;
}

/// Recorded: the code of \p branch raised, and what stands behind was not run.
inline bool endsEarly(const Model &m, GraphId branch) {
  return isRecorded(m) && std::ranges::any_of(m.nodes(branch), [&](NodeId n) {
           return isCxx(m, n, CxxOp::Effect) && read(m, n, attr::what) == "throw";
         });
}

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_BRANCHNODES_H

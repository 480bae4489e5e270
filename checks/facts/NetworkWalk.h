//===- NetworkWalk.h - Walks over the layers of a network -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NETWORKWALK_H
#define CONDLINT_CHECKS_FACTS_NETWORKWALK_H

#include "condlint/Graph.h"
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

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NETWORKWALK_H

//===- StrongComponents.h - Strongly connected components -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_STRONGCOMPONENTS_H
#define CONDLINT_CHECKS_FACTS_STRONGCOMPONENTS_H

#include "condlint/Graph.h"
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace condlint {

/// Gives \p visit each strongly connected component of the \p count first nodes, whose
/// successors \p next lists: a component's successors before it, and in it the node that was
/// reached first at the end. Tarjan's algorithm, without recursion.
template <class Next, class Visit> void forEachStrongComponent(std::size_t count, Next next, Visit visit) {
  std::vector<std::uint32_t> number(count, 0), low(count, 0); // 0: not reached
  std::vector<bool> isOpen(count, false);
  std::vector<NodeId> open;
  std::vector<std::pair<NodeId, std::vector<NodeId>>> frames; // with the successors that are left
  std::uint32_t last = 0;
  const auto enter = [&](NodeId n) {
    number[n.index()] = low[n.index()] = ++last;
    isOpen[n.index()] = true;
    open.push_back(n);
    frames.emplace_back(n, next(n));
  };
  const auto leave = [&](NodeId n) {
    if (!frames.empty()) {
      std::uint32_t &outer = low[frames.back().first.index()];
      outer = std::min(outer, low[n.index()]);
    }
    if (low[n.index()] != number[n.index()])
      return;
    std::vector<NodeId> component;
    do {
      component.push_back(open.back());
      isOpen[open.back().index()] = false;
      open.pop_back();
    } while (component.back() != n);
    visit(std::move(component));
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    if (number[i] == 0)
      enter(NodeId(i));
    while (!frames.empty()) {
      auto &[n, left] = frames.back();
      if (left.empty()) {
        const NodeId done = n;
        frames.pop_back();
        leave(done);
        continue;
      }
      const NodeId s = left.back();
      left.pop_back();
      if (number[s.index()] == 0)
        enter(s);
      else if (isOpen[s.index()])
        low[n.index()] = std::min(low[n.index()], number[s.index()]);
    }
  }
}

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_STRONGCOMPONENTS_H

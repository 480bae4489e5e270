//===- NetworkFlow.h - The flow of values in a network ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which node leads to which: what the files that work NetworkFacts out have in common.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NETWORKFLOW_H
#define CONDLINT_CHECKS_FACTS_NETWORKFLOW_H

#include "NetworkFacts.h"

namespace condlint {

// A back edge leads, instead of around the loop, to the loop's outputs. A condition
// decides whether its branches run, a count whether a body does: what is inside
// depends on them. The node of a loop stands for its end.

template <class Visit> void NetworkFacts::successors(NodeId n, Visit visit) const {
  for (const Use &u : usesOf(n)) {
    if (isBackEdge(u.user, u.operand)) {
      if (const std::uint32_t c = ownerOf[u.user.index()])
        visit(list[c - 1].node);
      continue;
    }
    visit(u.user);
  }
  if (const std::uint32_t c = constructOf[n.index()]; c != 0 && list[c - 1].isLoop)
    for (NodeId out : list[c - 1].outputs)
      visit(out);
  const std::uint32_t owner = ownerOf[n.index()];
  if (owner == 0)
    return;
  const Construct &c = list[owner - 1];
  const std::string_view name = layerName(m, n);
  if (name == "IfConditional.setCondition") {
    for (NodeId x : c.inputs)
      visit(x);
    for (NodeId x : c.outputs)
      visit(x);
  } else if (name == "Loop.addTripLimit") {
    visit(c.node);
    if (isCount(n))
      for (NodeId x : c.inputs)
        visit(x);
  }
}

template <class Visit> void NetworkFacts::predecessors(NodeId n, Visit visit) const {
  const auto operands = m.operands(n);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (const NodeId def = isHandle(n, i) || isBackEdge(n, i) ? NodeId() : defOf(operands[i]))
      visit(def);
  if (const std::uint32_t c = constructOf[n.index()]; c != 0 && list[c - 1].isLoop) {
    for (NodeId limit : list[c - 1].conditions)
      visit(limit);
    for (NodeId r : list[c - 1].inputs)
      if (m.operands(r).size() > 2)
        if (const NodeId def = isBackEdge(r, 2) ? defOf(m.operands(r)[2]) : NodeId())
          visit(def);
  }
  const std::uint32_t owner = ownerOf[n.index()];
  if (owner == 0)
    return;
  const Construct &c = list[owner - 1];
  const std::string_view name = layerName(m, n);
  if (name == "IfConditional.addInput" || name == "IfConditional.addOutput")
    for (NodeId x : c.conditions)
      visit(x);
  else if (name == "Loop.addLoopOutput")
    visit(c.node);
  else if (c.isLoop && name != "Loop.addTripLimit")
    for (NodeId x : c.conditions)
      if (isCount(x))
        visit(x);
}

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NETWORKFLOW_H

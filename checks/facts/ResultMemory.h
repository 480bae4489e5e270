//===- ResultMemory.h - Who reads a result, and who writes over it -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_RESULTMEMORY_H
#define CONDLINT_CHECKS_FACTS_RESULTMEMORY_H

#include "BranchMemory.h"
#include "ExportedNodes.h"
#include "condlint/Alias.h"
#include "condlint/TensorType.h"
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace condlint {

/// What of the graph around it reads an output of a conditional.
struct Readers {
  std::vector<ValueId> same; ///< the output, and what lies in its memory
  std::vector<NodeId> reads; ///< nodes that read it, in the order of the graph
  bool isReturned = false;
};

/// What a later conditional does to a result.
struct Overwriting {
  Tri answer = Tri::No;
  GraphId region; ///< that does it
  NodeId writer;  ///< none: whatever makes its first tensor
};

/// A result that lies where a region of a node behind its conditional makes something.
struct LaterRegion {
  NodeId node; ///< a conditional or a loop
  GraphId region;
  bool isReadBehind = false; ///< the result is read behind the node
};

/// Where the results of a program's conditionals lie in ExecuTorch, who reads them, and who writes over them. What
/// several questions need is found once.
class ResultMemory {
public:
  ResultMemory(const Model &model, ExportedNodes &nodes) : m(model), exported(nodes) {}

  /// The readers of output \p i of \p conditional.
  Readers readersOf(NodeId conditional, std::size_t i);

  /// The place of output \p i of a branch; nothing where it is not known.
  std::optional<MemoryBlock> placeOf(GraphId branch, std::size_t i);

  /// ET1: whether \p later, whose memory begins in the same place, writes over \p block, which \p readers read. Of one
  /// that is passed to it what the nodes on which something hangs read afterwards counts, and everything where it is
  /// read behind the node. Writing the same numbers again loses nothing.
  Overwriting overwritten(const AliasAnalysis &aliases, const LaterRegion &later, const MemoryBlock &block,
                          const Readers &readers);

private:
  const Model &m;
  ExportedNodes &exported;
  std::unordered_map<GraphId, BranchMemory> memories;
  std::unordered_map<GraphId, std::set<NodeId>> neededIn;

  const BranchMemory &memoryOf(GraphId region);
  const std::set<NodeId> &neededInside(NodeId node, GraphId region);
  bool mayLeaveOut(NodeId n);
};

/// The parameters of \p region of \p node that are given one of \p values.
std::vector<ValueId> parametersFor(const Model &m, NodeId node, GraphId region, std::span<const ValueId> values);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_RESULTMEMORY_H

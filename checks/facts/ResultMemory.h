//===- ResultMemory.h - Who reads a result, and who writes over it -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_RESULTMEMORY_H
#define CONDLINT_CHECKS_FACTS_RESULTMEMORY_H

#include "BranchMemory.h"
#include "condlint/Alias.h"
#include "condlint/TensorType.h"
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace condlint {

/// What of the graph around it reads output \p i, in the order of the graph.
struct Readers {
  std::vector<ValueId> same; ///< the output, and what lies in its memory
  std::vector<NodeId> later; ///< conditionals and loops behind the conditional
  std::vector<NodeId> reads; ///< nodes that read it
  bool isReturned = false;
};

/// The readers of output \p i of \p conditional, in ExecuTorch.
Readers readersOf(const Model &m, NodeId conditional, std::size_t i);

/// Whether exporting keeps \p n though nothing reads its results: what writes, and what asserts, but not what is
/// asserted of a tensor's metadata, which `to_edge` drops.
bool isKeptForItself(const Model &m, NodeId n);

/// The nodes behind \p conditional, in order, without those that nothing needs: exporting drops them.
std::vector<NodeId> neededBehind(const Model &m, NodeId conditional);

/// Whether \p n stands behind \p earlier in its graph.
bool isBehind(const Model &m, NodeId earlier, NodeId n);

/// The place of output \p i of a branch; nothing where it is not known.
std::optional<MemoryBlock> placeOf(const Model &m, GraphId branch, std::size_t i);

/// What a later conditional does to a result that lies at \p block.
struct Overwriting {
  Tri answer = Tri::No;
  GraphId region; ///< that does it
  NodeId writer;  ///< none: whatever makes its first tensor
};

/// The nodes of \p region of \p node on which something hangs that is needed behind it: of a conditional the results
/// that nobody needs are computed for nothing.
std::set<NodeId> neededInside(const Model &m, NodeId node, GraphId region);

/// ET1: whether \p region, which begins in the same memory, writes over \p block; of one that is passed to it as
/// \p parameters what the nodes of \p needed read afterwards counts, and everything where it is read behind the region.
/// Writing the same numbers again loses nothing.
Overwriting overwritten(const Model &m, const AliasAnalysis &aliases, GraphId region, const MemoryBlock &block,
                        bool isReadBehind, const std::vector<ValueId> &parameters, const std::set<NodeId> &needed);

/// The parameters of \p region of \p node that are given what \p readers says is the output.
std::vector<ValueId> parametersFor(const Model &m, NodeId node, GraphId region, const Readers &readers);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_RESULTMEMORY_H

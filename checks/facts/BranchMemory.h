//===- BranchMemory.h - Where ExecuTorch puts what a branch makes -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_BRANCHMEMORY_H
#define CONDLINT_CHECKS_FACTS_BRANCHMEMORY_H

#include "condlint/Graph.h"
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace condlint {

/// The place of one tensor in the memory that all regions of a graph share, in bytes from its beginning.
struct MemoryBlock {
  NodeId maker;
  std::uint64_t offset = 0;
  std::uint64_t size = 0; ///< rounded up to the alignment
  std::size_t made = 0;   ///< the position of its maker in the region
  bool isInPlace = false; ///< its maker reads each element before it writes the one of the same place

  bool overlaps(const MemoryBlock &other) const {
    return offset < other.offset + other.size && other.offset < offset + size;
  }
};

/// What ExecuTorch's planner (`greedy` of exir/memory_planning.py) makes of a region of a graph.
struct BranchMemory {
  bool isKnown = true;     ///< each tensor has its block; else there may be others, and no block is said
  bool makesAny = false;   ///< it makes a tensor at all, and so one at the beginning
  std::uint64_t total = 0; ///< bytes, where it is known
  std::vector<MemoryBlock> blocks;
  std::unordered_map<ValueId, std::size_t> blockOf; ///< of each value that lies in one, views included
};

/// Lays out \p region as the planner does. It is known only where each operator is one kernel of ExecuTorch without
/// memory of its own and all sizes are constants.
BranchMemory layOut(const Model &m, GraphId region);

/// The operand of \p n whose memory its result is, without a copy, in ExecuTorch; none for all else.
ValueId sharedOperand(const Model &m, NodeId n);

/// Whether \p n gives its first operand another shape without a copy, where ExecuTorch leaves it a view: until its
/// result is returned by its graph, which copies it.
bool isView(const Model &m, NodeId n);

/// Whether \p n is one kernel of ExecuTorch that reads all of its operands.
bool isSingleKernel(const Model &m, NodeId n);

/// Whether the planner gives tensors of type \p t a place of a known size.
bool isLaidOut(const Model &m, const Type &t);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_BRANCHMEMORY_H

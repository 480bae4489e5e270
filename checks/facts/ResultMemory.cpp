//===- ResultMemory.cpp - Who reads a result, and who writes over it ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultMemory.h"
#include "Equality.h"
#include "condlint/Conditional.h"
#include <algorithm>
#include <string_view>

namespace condlint {

namespace {

/// `copy_` of a tensor of the same type, which exporting makes that tensor itself: what it writes to.
ValueId writtenWhole(const Model &m, NodeId n) {
  const auto operands = m.operands(n);
  if (m.text(m[m[n].op].name) != "copy_" || operands.size() < 2 || !operands[0] || !operands[1] ||
      m.resultCount(n) != 1)
    return {};
  const Type &to = m.type(operands[0]), &from = m.type(operands[1]);
  return isLaidOut(m, to) && to.element == from.element && std::ranges::equal(to.dims, from.dims) ? operands[0]
                                                                                                  : ValueId();
}

bool isParameter(const Model &m, GraphId g, ValueId v) {
  const std::uint32_t first = m[g].parameters.first;
  return v.index() >= first && v.index() < first + m[g].parameters.count;
}

/// What \p made writes over \p block are the numbers that are there.
bool isSameAgain(const Model &m, const AliasAnalysis &aliases, const MemoryBlock &made, const MemoryBlock &block) {
  if (made.offset != block.offset || made.size != block.size ||
      !isSameComputation(m, m.result(made.maker, 0), m.result(block.maker, 0)))
    return false;
  for (GraphId g = m[made.maker].graph; g; g = m[g].parent)
    if (!aliases.writes(g).empty() || !aliases.opaqueNodes(g).empty())
      return false; // the operands may have changed
  return true;
}

bool isAmong(std::span<const ValueId> values, ValueId v) { return v && std::ranges::find(values, v) != values.end(); }

bool readsSome(const Model &m, NodeId n, std::span<const ValueId> values) {
  return std::ranges::any_of(m.operands(n), [&](ValueId v) { return isAmong(values, v); });
}

} // namespace

const BranchMemory &ResultMemory::memoryOf(GraphId region) {
  const auto [known, isNew] = memories.try_emplace(region);
  if (isNew)
    known->second = layOut(m, region);
  return known->second;
}

/// The nodes of \p region of \p node on which something hangs that is needed behind it: of a conditional the results
/// that nobody needs are computed for nothing.
const std::set<NodeId> &ResultMemory::neededInside(NodeId node, GraphId region) {
  const auto [known, isNew] = neededIn.try_emplace(region);
  if (!isNew)
    return known->second;
  const auto results = m.results(region);
  const bool isCond = m.text(m[m[node].op].name) == "cond" && results.size() == m.resultCount(node);
  std::set<ValueId> read;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!isCond || exported.isNeeded(m.result(node, i)))
      read.insert(results[i]);
  const std::vector<NodeId> kept =
      keptBackwards(m, region, [&](ValueId v) { return read.contains(v); }, [&](ValueId v) { read.insert(v); });
  known->second.insert(kept.begin(), kept.end());
  return known->second;
}

/// \p n puts what it reads beside something else, and slices alone read that: it may be none of what they keep.
bool ResultMemory::mayLeaveOut(NodeId n) {
  if (m.text(m[m[n].op].name) != "cat" || m.resultCount(n) != 1)
    return false;
  const ValueId whole = m.result(n, 0);
  return !isAmong(m.results(m[n].graph), whole) && std::ranges::all_of(exported.readersOf(whole), [&](NodeId reader) {
    return m.text(m[m[reader].op].name) == "slice";
  });
}

Overwriting ResultMemory::overwritten(const AliasAnalysis &aliases, const LaterRegion &later, const MemoryBlock &block,
                                      const Readers &readers) {
  const BranchMemory &memory = memoryOf(later.region);
  if (!memory.isKnown) {
    // Something lies at the beginning, whatever else is made.
    if (later.isReadBehind && memory.makesAny && block.offset == 0)
      return {Tri::Yes, later.region, NodeId()};
    return {Tri::Unknown, later.region, NodeId()};
  }
  std::vector<ValueId> same;
  if (std::ranges::binary_search(readers.reads, later.node,
                                 [&](NodeId a, NodeId b) { return exported.isBehind(a, b); }))
    same = parametersFor(m, later.node, later.region, readers.same);
  Overwriting out;
  std::vector<const MemoryBlock *> written;
  auto next = memory.blocks.begin(); // in the order of their makers
  for (const NodeId n : m.nodes(later.region)) {
    const auto made = next != memory.blocks.end() && next->maker == n ? next++ : memory.blocks.end();
    const bool reads = readsSome(m, n, same) && neededInside(later.node, later.region).contains(n);
    const bool overlaps =
        made != memory.blocks.end() && made->overlaps(block) && !isSameAgain(m, aliases, *made, block);
    if (reads && (overlaps || !written.empty()) && mayLeaveOut(n))
      out = {Tri::Unknown, later.region, n};
    else if (reads && !written.empty())
      return {Tri::Yes, later.region, written.front()->maker};
    else if (reads && overlaps) {
      const bool isSamePlace = made->isInPlace && made->offset == block.offset && made->size == block.size;
      if (!made->isInPlace)
        return {Tri::Yes, later.region, n};
      if (!isSamePlace)
        out = {Tri::Unknown, later.region, n};
    }
    if (const ValueId from = sharedOperand(m, n); isAmong(same, from))
      same.push_back(m.result(n, 0));
    if (overlaps) {
      written.push_back(&*made);
      if (later.isReadBehind)
        return {Tri::Yes, later.region, n};
    }
  }
  return out;
}

std::optional<MemoryBlock> ResultMemory::placeOf(GraphId branch, std::size_t i) {
  const BranchMemory &memory = memoryOf(branch);
  const auto results = m.results(branch);
  if (!memory.isKnown || i >= results.size())
    return std::nullopt;
  const auto block = memory.blockOf.find(results[i]);
  return block == memory.blockOf.end() ? std::nullopt : std::optional(memory.blocks[block->second]);
}

Readers ResultMemory::readersOf(NodeId conditional, std::size_t i) {
  Readers out;
  const GraphId g = m[conditional].graph;
  out.same.push_back(m.result(conditional, i));
  const auto isSame = [&](ValueId v) { return isAmong(out.same, v); };
  std::vector<ValueId> viewed; // views of the output that the graph does not return
  exported.eachReader(out.same, conditional, [&](NodeId n, const ExportedNodes::Follow &follow) {
    const auto add = [&](ValueId v) {
      out.same.push_back(v);
      follow(v);
    };
    // A view of a view that the graph returns is copied where it is taken.
    if (isView(m, n) && (isSame(m.operands(n)[0]) || isAmong(viewed, m.operands(n)[0]))) {
      if (!isAmong(m.results(g), m.result(n, 0))) {
        viewed.push_back(m.result(n, 0));
        follow(m.result(n, 0));
      } else if (!isSame(m.operands(n)[0]))
        out.reads.push_back(n);
    }
    if (!readsSome(m, n, out.same))
      return;
    out.reads.push_back(n);
    if (const ValueId written = writtenWhole(m, n); written && isSame(m.operands(n)[1])) {
      // What is written is read from there when all else is done.
      out.isReturned = out.isReturned || isParameter(m, g, written);
      add(written);
      add(m.result(n, 0));
    }
    // A view is copied, or reads another place (below).
    if (const ValueId from = sharedOperand(m, n); isSame(from) && !isView(m, n))
      add(m.result(n, 0));
  });
  out.isReturned = out.isReturned || std::ranges::any_of(m.results(g), isSame);
  return out;
}

std::vector<ValueId> parametersFor(const Model &m, NodeId node, GraphId region, std::span<const ValueId> values) {
  std::vector<ValueId> out;
  if (m.text(m[m[node].op].name) != "cond")
    return out;
  const Conditional c = conditionalAt(m, node);
  for (std::size_t i = 0; i < c.operands.size() && i < m[region].parameters.count; ++i)
    if (isAmong(values, c.operands[i].value))
      out.emplace_back(m[region].parameters.first + static_cast<std::uint32_t>(i));
  return out;
}

} // namespace condlint

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
#include <set>
#include <string_view>
#include <utility>

namespace condlint {

namespace {

/// A node of the graph around the conditional that runs regions in the memory that they share.
bool runsRegions(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return name == "cond" || name == "map_impl" || name == "scan" || name == "while_loop";
}

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

/// \p n puts what it reads beside something else, and slices alone read that: it may be none of what they keep.
bool mayLeaveOut(const Model &m, NodeId n) {
  if (m.text(m[m[n].op].name) != "cat" || m.resultCount(n) != 1)
    return false;
  const ValueId whole = m.result(n, 0);
  const auto results = m.results(m[n].graph);
  bool isRead = std::ranges::find(results, whole) != results.end();
  for (NodeId reader = m[n].next; reader && !isRead; reader = m[reader].next) {
    const auto operands = m.operands(reader);
    isRead = std::ranges::find(operands, whole) != operands.end() && m.text(m[m[reader].op].name) != "slice";
  }
  return !isRead;
}

/// What of \p nodes, which stand in this order, is needed where the values of \p read are: the last is looked at first.
std::vector<NodeId> neededOf(const Model &m, std::vector<NodeId> nodes, std::set<ValueId> read) {
  std::vector<NodeId> needed;
  for (; !nodes.empty(); nodes.pop_back()) {
    const NodeId n = nodes.back();
    bool isRead = isKeptForItself(m, n);
    for (std::size_t r = 0; r < m.resultCount(n); ++r)
      isRead = isRead || read.contains(m.result(n, r));
    if (!isRead)
      continue;
    needed.push_back(n);
    read.insert(m.operands(n).begin(), m.operands(n).end());
  }
  std::ranges::reverse(needed);
  return needed;
}

} // namespace

bool isKeptForItself(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return name.ends_with('_') || (m.resultCount(n) == 0 && name != "_assert_tensor_metadata");
}

Overwriting overwritten(const Model &m, const AliasAnalysis &aliases, GraphId region, const MemoryBlock &block,
                        bool isReadBehind, const std::vector<ValueId> &parameters, const std::set<NodeId> &needed) {
  const BranchMemory memory = layOut(m, region);
  if (!memory.isKnown) {
    // Something lies at the beginning, whatever else is made.
    if (isReadBehind && memory.makesAny && block.offset == 0)
      return {Tri::Yes, region, NodeId()};
    return {Tri::Unknown, region, NodeId()};
  }
  Overwriting out;
  std::vector<ValueId> same = parameters;
  std::vector<const MemoryBlock *> written;
  for (const NodeId n : m.nodes(region)) {
    const auto operands = m.operands(n);
    const bool reads = needed.contains(n) && std::ranges::any_of(operands, [&](ValueId v) {
                         return std::ranges::find(same, v) != same.end();
                       });
    const auto made = std::ranges::find(memory.blocks, n, &MemoryBlock::maker);
    const bool overlaps =
        made != memory.blocks.end() && made->overlaps(block) && !isSameAgain(m, aliases, *made, block);
    if (reads && (overlaps || !written.empty()) && mayLeaveOut(m, n))
      out = {Tri::Unknown, region, n};
    else if (reads && !written.empty())
      return {Tri::Yes, region, written.front()->maker};
    else if (reads && overlaps) {
      const bool isSamePlace = made->isInPlace && made->offset == block.offset && made->size == block.size;
      if (!made->isInPlace)
        return {Tri::Yes, region, n};
      if (!isSamePlace)
        out = {Tri::Unknown, region, n};
    }
    if (const ValueId from = sharedOperand(m, n); from && std::ranges::find(same, from) != same.end())
      same.push_back(m.result(n, 0));
    if (overlaps) {
      written.push_back(&*made);
      if (isReadBehind)
        return {Tri::Yes, region, n};
    }
  }
  return out;
}

std::set<NodeId> neededInside(const Model &m, NodeId node, GraphId region) {
  std::set<ValueId> read;
  const auto results = m.results(region);
  if (m.text(m[m[node].op].name) == "cond" && results.size() == m.resultCount(node)) {
    const auto around = m.results(m[node].graph);
    std::set<ValueId> outside(around.begin(), around.end());
    for (const NodeId n : neededBehind(m, node))
      outside.insert(m.operands(n).begin(), m.operands(n).end());
    for (std::size_t i = 0; i < results.size(); ++i)
      if (outside.contains(m.result(node, i)))
        read.insert(results[i]);
  } else {
    read.insert(results.begin(), results.end());
  }
  std::vector<NodeId> nodes;
  for (const NodeId n : m.nodes(region))
    nodes.push_back(n);
  const std::vector<NodeId> needed = neededOf(m, std::move(nodes), std::move(read));
  return {needed.begin(), needed.end()};
}

std::optional<MemoryBlock> placeOf(const Model &m, GraphId branch, std::size_t i) {
  const BranchMemory memory = layOut(m, branch);
  const auto results = m.results(branch);
  if (!memory.isKnown || i >= results.size())
    return std::nullopt;
  const auto block = memory.blockOf.find(results[i]);
  return block == memory.blockOf.end() ? std::nullopt : std::optional(memory.blocks[block->second]);
}

std::vector<NodeId> neededBehind(const Model &m, NodeId conditional) {
  std::vector<NodeId> behind;
  for (NodeId n = m[conditional].next; n; n = m[n].next)
    behind.push_back(n);
  const auto results = m.results(m[conditional].graph);
  return neededOf(m, std::move(behind), {results.begin(), results.end()});
}

Readers readersOf(const Model &m, NodeId conditional, std::size_t i) {
  Readers out;
  const GraphId g = m[conditional].graph;
  out.same.push_back(m.result(conditional, i));
  const auto isSame = [&](ValueId v) { return v && std::ranges::find(out.same, v) != out.same.end(); };
  const auto isResult = [&](ValueId v) { return std::ranges::find(m.results(g), v) != m.results(g).end(); };
  std::vector<ValueId> viewed; // views of the output that the graph does not return
  for (const NodeId n : neededBehind(m, conditional)) {
    // A view of a view that the graph returns is copied where it is taken.
    if (isView(m, n) && (isSame(m.operands(n)[0]) || std::ranges::find(viewed, m.operands(n)[0]) != viewed.end())) {
      if (!isResult(m.result(n, 0)))
        viewed.push_back(m.result(n, 0));
      else if (!isSame(m.operands(n)[0]))
        out.reads.push_back(n);
    }
    if (std::ranges::any_of(m.operands(n), isSame)) {
      out.reads.push_back(n);
      if (const ValueId written = writtenWhole(m, n); written && isSame(m.operands(n)[1])) {
        // What is written is read from there when all else is done.
        out.isReturned = out.isReturned || isParameter(m, g, written);
        out.same.push_back(written);
        out.same.push_back(m.result(n, 0));
      }
      // A view is copied, or reads another place (below).
      if (const ValueId from = sharedOperand(m, n); isSame(from) && !isView(m, n))
        out.same.push_back(m.result(n, 0));
    }
    if (runsRegions(m, n))
      out.later.push_back(n);
  }
  out.isReturned = out.isReturned || std::ranges::any_of(m.results(g), isSame);
  return out;
}

std::vector<ValueId> parametersFor(const Model &m, NodeId node, GraphId region, const Readers &readers) {
  std::vector<ValueId> out;
  if (m.text(m[m[node].op].name) != "cond")
    return out;
  const Conditional c = conditionalAt(m, node);
  for (std::size_t i = 0; i < c.operands.size() && i < m[region].parameters.count; ++i)
    if (const ValueId v = c.operands[i].value; v && std::ranges::find(readers.same, v) != readers.same.end())
      out.emplace_back(m[region].parameters.first + static_cast<std::uint32_t>(i));
  return out;
}

bool isBehind(const Model &m, NodeId earlier, NodeId n) {
  for (NodeId at = m[earlier].next; at; at = m[at].next)
    if (at == n)
      return true;
  return false;
}

} // namespace condlint

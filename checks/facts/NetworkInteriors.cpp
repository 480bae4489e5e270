//===- NetworkInteriors.cpp - What is inside of a conditional or a loop (F5) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkFlow.h"
#include "SourceFacts.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace condlint {

// An edge to one of several tensors is there in some executions alone. What may be inside is all that
// such edges lead to; what is inside for certain is there without any of them.

bool NetworkFacts::isOneOf(NodeId n) const {
  // What code that is not seen gives back need have nothing to do with what it was given.
  return isCxx(m, n, CxxOp::Join) || isCxx(m, n, CxxOp::Opaque);
}

bool NetworkFacts::isOutputOf(NodeId n, std::uint32_t construct) const {
  return ownerOf[n.index()] == construct + 1 &&
         (layerName(m, n).ends_with(".addOutput") || layerName(m, n).ends_with(".addLoopOutput"));
}

/// Forward from the inputs: what depends on them, up to the outputs.
void NetworkFacts::findAhead(std::uint32_t index) {
  Construct &c = list[index];
  std::vector<NodeId> start;
  for (NodeId in : c.inputs)
    successors(in, [&](NodeId n) { start.push_back(n); });
  std::erase_if(start, [&](NodeId n) { return isOutputOf(n, index); });
  walkFrom(
      start, ahead, m.nodeCount(), [&](NodeId n) { c.mayMingle = c.mayMingle || isCxx(m, n, CxxOp::Opaque); },
      [&](NodeId n, auto visit) {
        // What its own condition decides does not depend on it by that.
        if (ownerOf[n.index()] == index + 1 && layerName(m, n) == "IfConditional.setCondition")
          return;
        successors(n, [&](NodeId s) {
          if (!isOutputOf(s, index))
            visit(s);
        });
      });
}

/// What depends on an input whichever of several tensors the code means.
void NetworkFacts::findDependent(std::uint32_t index) {
  const Construct &c = list[index];
  dependent.begin(m.nodeCount());
  std::unordered_map<NodeId, std::size_t> arrived; ///< by join: how many of its tensors depend on an input
  std::vector<NodeId> todo = c.inputs;
  while (!todo.empty()) {
    const NodeId n = todo.back();
    todo.pop_back();
    if (dependent[n])
      continue;
    dependent.add(n);
    if (ownerOf[n.index()] == index + 1 && layerName(m, n) == "IfConditional.setCondition")
      continue;
    successors(n, [&](NodeId s) {
      if (isOutputOf(s, index) || isCxx(m, s, CxxOp::Opaque))
        return;
      if (!isCxx(m, s, CxxOp::Join) || ++arrived[s] == m.operands(s).size())
        todo.push_back(s);
    });
  }
}

void NetworkFacts::findInteriors(std::uint32_t index) {
  Construct &c = list[index];
  findAhead(index);
  findDependent(index);
  // Backward from the outputs, within that.
  for (std::size_t side = 0; side < (c.isLoop ? 1U : 2U); ++side) {
    std::vector<NodeId> ends;
    const auto end = [&](NodeId n, std::size_t operand) {
      const auto operands = m.operands(n);
      if (const NodeId def = operand < operands.size() ? defOf(operands[operand]) : NodeId(); def && ahead[def])
        ends.push_back(def);
    };
    for (NodeId out : c.outputs)
      end(out, 1 + side);
    if (c.isLoop) {
      for (NodeId limit : c.conditions)
        end(limit, 1);
      for (NodeId r : c.inputs)
        if (isBackEdge(r, 2))
          end(r, 2);
    }
    walkFrom(
        ends, behind, m.nodeCount(),
        [&](NodeId n) {
          if (constructOf[n.index()] == 0)
            c.interior[side].push_back(n);
        },
        [&](NodeId n, auto visit) {
          predecessors(n, [&](NodeId p) {
            if (ahead[p])
              visit(p);
          });
        });
    std::ranges::sort(c.interior[side]);
    findCertain(c, side, ends);
  }
  const auto isIn = [](const std::vector<NodeId> &sorted, NodeId n) { return std::ranges::binary_search(sorted, n); };
  c.mayCross = std::ranges::any_of(c.interior[0], [&](NodeId n) {
    return isIn(c.interior[1], n) && !layerName(m, n).empty() && (!isIn(c.certain[0], n) || !isIn(c.certain[1], n));
  });
  for (const std::vector<NodeId> &side : c.interior)
    c.mayStandOutside =
        c.mayStandOutside || std::ranges::any_of(side, [&](NodeId n) { return !dependent[n] && !workless[n.index()]; });
  c.mayMingle = c.mayMingle || mayLeave(c);
  const auto put = [&](NodeId n) {
    std::vector<std::uint32_t> &in = insides[n.index()];
    if (in.empty() || in.back() != index)
      in.push_back(index);
  };
  for (const auto &side : c.interior)
    std::ranges::for_each(side, put);
  std::ranges::for_each(c.inputs, put);
  if (!c.isLoop)
    findLeadsAgain(c);
}

/// Of what is inside, that which is so for certain: backward from \p ends, where the branch \p side of \p c ends, as
/// far as no tensor is one of several, and forward from the inputs.
void NetworkFacts::findCertain(Construct &c, std::size_t side, const std::vector<NodeId> &ends) {
  c.certain[side] = c.interior[side];
  if (std::ranges::none_of(c.interior[side], [&](NodeId n) { return isOneOf(n); }))
    return;
  c.certain[side].clear();
  walkFrom(
      ends, reached, m.nodeCount(),
      [&](NodeId n) {
        if (constructOf[n.index()] == 0 && dependent[n])
          c.certain[side].push_back(n);
      },
      [&](NodeId n, auto visit) {
        if (!isOneOf(n))
          predecessors(n, [&](NodeId p) {
            if (behind[p])
              visit(p);
          });
      });
  std::ranges::sort(c.certain[side]);
}

/// A layer that is inside for some of the tensors that the code may mean is read past the ends of \p c too.
bool NetworkFacts::mayLeave(const Construct &c) {
  const auto isIn = [](const std::vector<NodeId> &sorted, NodeId n) { return std::ranges::binary_search(sorted, n); };
  std::vector<NodeId> doubtful;
  for (const std::vector<NodeId> &side : c.interior)
    std::ranges::copy_if(side, std::back_inserter(doubtful),
                         [&](NodeId n) { return !isIn(c.certain[0], n) && !isIn(c.certain[1], n); });
  bool leaves = false;
  walkFrom(
      doubtful, reached, m.nodeCount(),
      [&](NodeId n) {
        leaves = leaves || isCxx(m, n, CxxOp::Return) || layerName(m, n) == "markOutput" ||
                 layerName(m, n) == "addAssertion";
      },
      [&](NodeId n, auto visit) {
        successors(n, [&](NodeId s) {
          if (std::ranges::find(c.outputs, s) == c.outputs.end())
            visit(s);
        });
      });
  return leaves;
}

/// What an input layer takes stands outside: neither another one's tensor nor what is computed of it.
void NetworkFacts::findLeadsAgain(Construct &c) {
  const auto given = [&](NodeId in) { return m.operands(in).size() > 1 ? defOf(m.operands(in)[1]) : NodeId(); };
  const auto isCandidate = [&](NodeId in) {
    const NodeId def = given(in);
    // One that is added again and again, or closes a cycle, is another question.
    return def && isInside(def, c) && !has(m, in, attr::uncertain) &&
           std::ranges::none_of(cyclic, [&](const auto &cycle) { return std::ranges::binary_search(cycle, in); });
  };
  std::vector<NodeId> candidates;
  std::ranges::copy_if(c.inputs, std::back_inserter(candidates), isCandidate);
  if (candidates.empty())
    return;
  walkFrom(
      c.inputs, reached, m.nodeCount(), [](NodeId) {},
      [&](NodeId n, auto visit) {
        // What its own condition decides does not depend on it by that.
        if (std::ranges::binary_search(c.conditions, n))
          return;
        successors(n, [&](NodeId s) {
          // One of several tensors need not be the one that is inside.
          if (!layerName(m, s).empty() && !std::ranges::binary_search(c.outputs, s))
            visit(s);
        });
      });
  for (NodeId in : candidates)
    if (reached[given(in)])
      c.leadsAgain.push_back(in);
}

bool NetworkFacts::isInside(NodeId n, const Construct &c) const {
  const auto index = static_cast<std::uint32_t>(&c - list.data());
  return std::ranges::find(insides[n.index()], index) != insides[n.index()].end();
}

Tri NetworkFacts::inside(NodeId n, const Construct &c) const {
  if (!isCxx(m, n, CxxOp::Join))
    return !isInside(n, c) ? Tri::No : isSurelyInside(n, c) ? Tri::Yes : Tri::Unknown;
  // Each of those that it may be.
  bool anyIn = isInside(n, c), anyOut = false;
  walkFrom(
      {n}, reached, m.nodeCount(),
      [&](NodeId x) {
        if (isCxx(m, x, CxxOp::Join))
          return;
        anyIn = anyIn || isInside(x, c);
        anyOut = anyOut || !isSurelyInside(x, c);
      },
      [&](NodeId x, auto visit) {
        if (isCxx(m, x, CxxOp::Join))
          predecessors(x, visit);
      });
  return !anyIn ? Tri::No : anyOut ? Tri::Unknown : Tri::Yes;
}

bool NetworkFacts::isSurelyInside(NodeId n, const Construct &c) const {
  const auto isIn = [&](const std::vector<NodeId> &sorted) { return std::ranges::binary_search(sorted, n); };
  return isIn(c.inputs) || std::ranges::any_of(c.certain, isIn);
}

bool NetworkFacts::contains(const Construct &outer, const Construct &inner) const {
  return &outer != &inner && std::ranges::any_of(inner.outputs, [&](NodeId o) { return isInside(o, outer); });
}

void NetworkFacts::findDepths() {
  for (Construct &c : list)
    for (NodeId out : c.outputs)
      c.depth = std::max(c.depth, static_cast<std::uint32_t>(insides[out.index()].size()));
}

const Construct *NetworkFacts::innermost(NodeId n) const {
  const Construct *best = nullptr;
  for (std::uint32_t c : insides[n.index()])
    if (!best || list[c].depth > best->depth)
      best = &list[c];
  return best;
}

const Construct *NetworkFacts::lazyIn(NodeId n) const {
  const Construct *best = nullptr;
  for (std::uint32_t c : insides[n.index()])
    if (!list[c].isLoop && ownerOf[n.index()] != c + 1 && (!best || list[c].depth > best->depth))
      best = &list[c];
  return best;
}

} // namespace condlint

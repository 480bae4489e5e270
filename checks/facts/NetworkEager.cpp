//===- NetworkEager.cpp - What runs although one branch alone needs it (F5) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkFacts.h"
#include "SourceFacts.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace condlint {

/// Follows one branch from its outputs and its inside to the layers in front of it that
/// nobody else needs.
class EagerSearch {
public:
  EagerSearch(const NetworkFacts &network, std::uint32_t construct, std::size_t branch)
      : f(network), m(network.m), index(construct), c(network.list[construct]), side(branch) {}

  EagerLayers run() {
    const auto &own = c.interior[side];
    const auto &other = c.interior[1 - side];
    const auto both = [&](NodeId n) { return std::ranges::binary_search(other, n); };
    for (NodeId out : c.outputs)
      account(m.operands(out), 1 + side);
    std::unordered_set<std::uint32_t> inner; ///< constructs that the branch ends in it, or goes through
    for (NodeId n : own)
      if (!both(n)) {
        accountAll(n);
        const std::uint32_t owner = f.ownerOf[n.index()];
        if (owner != 0 && owner != index + 1 && layerName(m, n).find(".add") != std::string_view::npos)
          inner.insert(owner - 1);
      }
    // What decides them is needed where they are, wherever it is computed.
    for (const std::uint32_t x : inner)
      for (NodeId k : f.list[x].conditions)
        if (!f.isInside(k, c) && members.insert(k).second)
          accountAll(k);
    // An input layer whose value only this branch reads passes the need on.
    for (NodeId in : c.inputs)
      if (isLate(in))
        accountAll(in);
    while (!queue.empty()) {
      const NodeId n = queue.back();
      queue.pop_back();
      join(n);
    }
    return result();
  }
  bool doubtful() const { return doubt; }

private:
  const NetworkFacts &f;
  const Model &m;
  std::uint32_t index;
  const Construct &c;
  std::size_t side;
  std::unordered_map<NodeId, std::size_t> counted; ///< uses that this branch makes
  std::unordered_set<NodeId> members;
  std::unordered_set<NodeId> perhaps; ///< what one of several tensors may be, or what that comes from
  std::unordered_map<std::uint32_t, std::size_t> outputsOf; ///< by construct: its outputs that are members
  std::vector<NodeId> queue;
  bool doubt = false;

  bool isLate(NodeId in) const {
    const auto uses = f.usesOf(in);
    return !uses.empty() && std::ranges::all_of(uses, [&](const NetworkFacts::Use &u) {
      if (f.ownerOf[u.user.index()] == index + 1 && layerName(m, u.user) == "IfConditional.addOutput")
        return u.operand == 1 + side;
      return std::ranges::binary_search(c.interior[side], u.user) &&
             !std::ranges::binary_search(c.interior[1 - side], u.user);
    });
  }

  void account(std::span<const ValueId> operands, std::size_t i) {
    const NodeId def = i < operands.size() ? f.defOf(operands[i]) : NodeId();
    // What is inside is accounted for already.
    if (!def || f.isInside(def, c) || members.contains(def))
      return;
    if (++counted[def] == f.usesOf(def).size())
      queue.push_back(def);
  }

  void accountAll(NodeId n) {
    const auto operands = m.operands(n);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!f.isHandle(n, i)) {
        account(operands, i);
        if (isCxx(m, n, CxxOp::Join) || perhaps.contains(n))
          perhaps.insert(f.defOf(operands[i]));
      }
  }

  /// Something else reads what is inside of it: a mistake, but then it is needed there.
  bool leaks(const Construct &inner) const {
    const auto out = [&](NodeId n) {
      return std::ranges::any_of(f.usesOf(n), [&](const NetworkFacts::Use &u) {
        return !f.isInside(u.user, inner) && f.ownerOf[u.user.index()] != f.ownerOf[inner.outputs.front().index()];
      });
    };
    return std::ranges::any_of(inner.inputs, out) || std::ranges::any_of(inner.interior[0], out) ||
           std::ranges::any_of(inner.interior[1], out);
  }

  void join(NodeId n) {
    const std::string_view name = layerName(m, n);
    // What leads a tensor into a loop stands in that loop, and goes where all of it goes.
    if (name == "Loop.addRecurrence" || name == "Loop.addIterator" || !members.insert(n).second)
      return;
    const std::uint32_t owner = f.ownerOf[n.index()];
    if (owner == 0 || !(name.ends_with(".addOutput") || name.ends_with(".addLoopOutput")))
      return accountAll(n);
    // All of a conditional or loop that nobody else needs the outputs of.
    const Construct &inner = f.list[owner - 1];
    if (++outputsOf[owner] != inner.outputs.size() || leaks(inner))
      return;
    std::vector<NodeId> all = inner.outputs;
    for (const auto *part : {&inner.conditions, &inner.inputs, &inner.interior[0], &inner.interior[1]})
      for (NodeId k : *part)
        if (members.insert(k).second)
          all.push_back(k);
    for (NodeId k : all)
      accountAll(k);
  }

  /// Inside of a construct that itself is inside the conditional: run only there.
  bool isLazyElsewhere(NodeId n) const {
    return std::ranges::any_of(f.insides[n.index()],
                               [&](std::uint32_t x) { return x != index && f.contains(c, f.list[x]); });
  }

  /// What \p layers, sorted, read from outside of all that only the branch needs: through input
  /// layers of constructs among it, and whatever else does no work.
  std::vector<ValueId> readsOf(const std::vector<NodeId> &layers) const {
    const auto isEager = [&](NodeId n) { return std::ranges::binary_search(layers, n); };
    std::vector<ValueId> reads;
    std::unordered_set<ValueId> seen;
    std::vector<NodeId> open;
    for (NodeId layer : layers) {
      open.push_back(layer);
      while (!open.empty()) {
        const NodeId n = open.back();
        open.pop_back();
        const auto operands = m.operands(n);
        for (std::size_t i = 0; i < operands.size(); ++i) {
          const NodeId def = f.isHandle(n, i) ? NodeId() : f.defOf(operands[i]);
          if (!def || isEager(def) || f.constant[def.index()] || !seen.insert(operands[i]).second)
            continue;
          if (members.contains(def) && f.ownerOf[def.index()] != 0)
            open.push_back(def);
          else
            reads.push_back(operands[i]);
        }
      }
    }
    return reads;
  }

  /// All that reads \p def elsewhere reads one of several tensors, and may mean another one: then this branch alone
  /// needs it.
  bool mayBeAlone(NodeId def) const {
    const auto uses = f.usesOf(def);
    std::size_t asOneOf = 0;
    for (const NetworkFacts::Use &u : uses)
      asOneOf += isCxx(m, u.user, CxxOp::Join) && !members.contains(u.user) && !f.isInside(u.user, c) ? 1U : 0U;
    return asOneOf != 0 && counted.at(def) + asOneOf == uses.size();
  }

  EagerLayers result() {
    EagerLayers out;
    out.construct = index;
    out.branch = side;
    for (NodeId n : members) {
      if (f.workless[n.index()] || isLazyElsewhere(n))
        continue;
      if (f.tainted[n.index()] || f.isOpen(n) || perhaps.contains(n))
        doubt = true;
      else
        out.layers.push_back(n);
    }
    for (const auto &[def, times] : counted)
      doubt = doubt || (!members.contains(def) && !f.constant[def.index()] && mayBeAlone(def));
    std::ranges::sort(out.layers);
    out.reads = readsOf(out.layers);
    return out;
  }
};

void NetworkFacts::findEager(std::uint32_t index, std::vector<bool> &claimed) {
  const Construct &c = list[index];
  if (c.uncertain) {
    eagerDoubts[index] = "its layers are added on some paths only";
    return;
  }
  if (unknownRead[m[c.node].graph.index()]) {
    eagerDoubts[index] = "some layer reads a tensor that is not known: it may need what only this branch seems to need";
    return;
  }
  for (std::size_t side = 0; side < 2; ++side) {
    EagerSearch search(*this, index, side);
    EagerLayers found = search.run();
    if (search.doubtful() || c.mayStandOutside)
      eagerDoubts[index] = "what some layer reads, or who else reads it, is not known";
    std::erase_if(found.layers, [&](NodeId n) { return claimed[n.index()]; });
    if (found.layers.empty())
      continue;
    for (NodeId n : found.layers)
      claimed[n.index()] = true;
    eagerLayers.push_back(std::move(found));
  }
}

std::string_view NetworkFacts::eagerUnknown(const Construct &c) const {
  return eagerDoubts[static_cast<std::size_t>(&c - list.data())];
}

} // namespace condlint

//===- NetworkFacts.cpp - What is inside what in a network ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkFacts.h"
#include "NetworkWalk.h"
#include "SourceFacts.h"
#include "StrongComponents.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <iterator>

namespace condlint {

std::string_view layerName(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  return op.dialect == Dialect::TensorRT && m.text(op.domain).empty() ? m.text(op.name) : std::string_view();
}

NetworkFacts::NetworkFacts(const Model &model) : m(model) {
  if (m.info.format == Format::Onnx || m.info.dialect != Dialect::TensorRT)
    return;
  collect();
  collectUses();
  spread();
  findUnknownReads();
  markA.assign(m.nodeCount(), 0);
  markB.assign(m.nodeCount(), 0);
  findCycles();
  insides.resize(m.nodeCount());
  for (std::uint32_t c = 0; c < list.size(); ++c)
    findInteriors(c);
  findDepths();
  findHandedOut();
  findEscapes();
  eagerDoubts.resize(list.size());
  // The innermost first: what is reported there is not repeated further out.
  std::vector<std::uint32_t> order(list.size());
  for (std::uint32_t c = 0; c < list.size(); ++c)
    order[c] = c;
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t c) { return list[c].depth; });
  std::vector<bool> claimed(m.nodeCount(), false);
  for (std::uint32_t c : order)
    if (!list[c].isLoop)
      findEager(c, claimed);
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

bool NetworkFacts::isHandle(NodeId n, std::size_t operand) const {
  return operand == 0 && layerName(m, n).find('.') != std::string_view::npos;
}

bool NetworkFacts::isBackEdge(NodeId n, std::size_t operand) const {
  return operand == 2 && layerName(m, n) == "Loop.addRecurrence";
}

bool NetworkFacts::isCount(NodeId limit) const {
  const Attribute *a = m.attribute(limit, "limit");
  return a && m.text(a->text) == "kCOUNT";
}

NodeId NetworkFacts::defOf(ValueId v) const { return v && m[v].origin == ValueOrigin::Result ? m[v].def : NodeId(); }

void NetworkFacts::collect() {
  constructOf.assign(m.nodeCount(), 0);
  ownerOf.assign(m.nodeCount(), 0);
  lastEvent.resize(m.graphCount());
  incomplete.assign(m.graphCount(), false);
  unknownRead.assign(m.graphCount(), false);
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    for (NodeId n : m.nodes(GraphId(g))) {
      const std::string_view name = layerName(m, n);
      if (name == "addIfConditional" || name == "addLoop") {
        Construct c;
        c.node = n;
        c.isLoop = name == "addLoop";
        list.push_back(std::move(c));
        constructOf[n.index()] = static_cast<std::uint32_t>(list.size());
        continue;
      }
      if (isCxx(m, n, CxxOp::Opaque)) {
        if (has(m, n, attr::network))
          lastEvent[g] = n;
        if (has(m, n, attr::unknown))
          incomplete[g] = true;
      }
      const auto operands = m.operands(n);
      const bool boundary = name.find('.') != std::string_view::npos;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const NodeId def = defOf(operands[i]);
        if (!def || constructOf[def.index()] == 0)
          continue;
        Construct &c = list[constructOf[def.index()] - 1];
        if (!boundary || i != 0) { // given away
          c.open = true;
          continue;
        }
        ownerOf[n.index()] = constructOf[def.index()];
        c.uncertain = c.uncertain || has(m, n, attr::uncertain);
        if (name.ends_with(".addOutput") || name.ends_with(".addLoopOutput"))
          c.outputs.push_back(n);
        else if (name.ends_with(".setCondition") || name.ends_with(".addTripLimit"))
          c.conditions.push_back(n);
        else
          c.inputs.push_back(n);
      }
    }
  for (Construct &c : list)
    c.open = c.open || isOpen(c.node);
}

bool NetworkFacts::isOpen(NodeId n) const {
  const NodeId event = lastEvent[m[n].graph.index()];
  return event && n.index() < event.index();
}

void NetworkFacts::collectUses() {
  usedValue.assign(m.valueCount(), false);
  std::vector<std::uint32_t> counts(m.nodeCount() + 1, 0);
  const auto forEach = [&](auto visit) {
    for (std::uint32_t n = 0; n < m.nodeCount(); ++n) {
      const auto operands = m.operands(NodeId(n));
      for (std::uint32_t i = 0; i < operands.size(); ++i)
        if (const NodeId def = isHandle(NodeId(n), i) ? NodeId() : defOf(operands[i]))
          visit(def, NodeId(n), i, operands[i]);
    }
  };
  forEach([&](NodeId def, NodeId, std::uint32_t, ValueId v) {
    ++counts[def.index() + 1];
    usedValue[v.index()] = true;
  });
  for (std::size_t i = 1; i < counts.size(); ++i)
    counts[i] += counts[i - 1];
  uses.resize(counts.back());
  firstUse = counts;
  std::vector<std::uint32_t> next = counts;
  forEach([&](NodeId def, NodeId user, std::uint32_t i, ValueId) { uses[next[def.index()]++] = {user, i}; });
}

std::span<const NetworkFacts::Use> NetworkFacts::usesOf(NodeId n) const {
  return {uses.data() + firstUse[n.index()], firstUse[n.index() + 1] - firstUse[n.index()]};
}

bool NetworkFacts::hasStaticShape(ValueId v) const {
  if (!v || !m.type(v).hasRank)
    return false;
  return std::ranges::all_of(m.type(v).dims, [&](const Dim &d) { return m.dims.asConstant(d).has_value(); });
}

void NetworkFacts::spread() {
  const std::size_t count = m.nodeCount();
  constant.assign(count, false);
  workless.assign(count, false);
  tainted.assign(count, false);
  live.assign(count, false);
  watched.assign(count, false);
  leavesSight.assign(count, false);
  std::vector<bool> sizes(count, false); // shapes, and what is computed from them and constants alone
  std::vector<NodeId> unknowns;
  std::vector<NodeId> sinks, lost, watches;
  for (std::uint32_t i = 0; i < count; ++i) {
    const NodeId n(i);
    const std::string_view name = layerName(m, n);
    if (name.empty()) {
      workless[i] = true;
      if (isCxx(m, n, CxxOp::Unknown) || isCxx(m, n, CxxOp::Opaque))
        unknowns.push_back(n);
      if (isCxx(m, n, CxxOp::Return) || isCxx(m, n, CxxOp::Opaque))
        sinks.push_back(n);
      continue;
    }
    if (name == "markOutput" || name == "addAssertion")
      sinks.push_back(n);
    if (name == "markDebug")
      watches.push_back(n);
    if (name == "getOutput")
      unknowns.push_back(n);
    // Of a conditional or loop that is not known: what leads there may lie in any.
    if (name.find('.') != std::string_view::npos && ownerOf[i] == 0) {
      unknowns.push_back(n);
      lost.push_back(n);
    }
  }
  // Twice: `setInput` may lead a layer to one that is added behind it.
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint32_t i = 0; i < count; ++i) {
      const NodeId n(i);
      const std::string_view name = layerName(m, n);
      if (name.empty())
        continue;
      const auto operands = m.operands(n);
      bool fixed = !operands.empty() && name.find('.') == std::string_view::npos;
      bool cheap = fixed;
      for (ValueId v : operands) {
        const NodeId def = defOf(v);
        fixed = fixed && def && constant[def.index()];
        cheap = cheap && def && (constant[def.index()] || sizes[def.index()]);
      }
      // A fill of given sizes reads nothing that could lead it inside. What has no dynamic axis has a shape
      // that TensorRT knows as it builds.
      constant[i] = fixed || name == "addConstant" || (name == "addFill" && operands.empty()) ||
                    (name == "addShape" && operands.size() == 1 && hasStaticShape(operands[0]));
      sizes[i] = (cheap && !fixed) || name == "addShape";
      // What leads a tensor into a loop begins its work: there it is routed.
      const bool beginsLoop = name == "Loop.addRecurrence" || name == "Loop.addIterator";
      workless[i] = constant[i] || sizes[i] || (nodeHas(m, n, OpTrait::Trivial) && !beginsLoop);
    }
  walkFrom(
      unknowns, [&](NodeId n) { return tainted[n.index()]; }, [&](NodeId n) { tainted[n.index()] = true; },
      [&](NodeId n, auto visit) { successors(n, visit); });
  std::vector<NodeId> hidden = sinks;
  std::erase_if(hidden, [&](NodeId n) { return !layerName(m, n).empty(); });
  hidden.insert(hidden.end(), lost.begin(), lost.end());
  walkFrom(
      hidden, [&](NodeId n) { return leavesSight[n.index()]; }, [&](NodeId n) { leavesSight[n.index()] = true; },
      [&](NodeId n, auto visit) { predecessors(n, visit); });
  walkFrom(
      sinks, [&](NodeId n) { return live[n.index()]; }, [&](NodeId n) { live[n.index()] = true; },
      [&](NodeId n, auto visit) { predecessors(n, visit); });
  walkFrom(
      watches, [&](NodeId n) { return watched[n.index()]; }, [&](NodeId n) { watched[n.index()] = true; },
      [&](NodeId n, auto visit) { predecessors(n, visit); });
}

void NetworkFacts::findUnknownReads() {
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i)
    if (const NodeId n(i); live[i] && isCxx(m, n, CxxOp::Unknown))
      unknownRead[m[n].graph.index()] = true;
}

bool NetworkFacts::isRead(NodeId in, const Construct &c) const {
  return std::ranges::any_of(usesOf(in), [&](const Use &u) {
    const bool own = ownerOf[u.user.index()] != 0 && &list[ownerOf[u.user.index()] - 1] == &c;
    return own || isInside(u.user, c) || live[u.user.index()] || watched[u.user.index()] ||
           layerName(m, u.user).empty();
  });
}

bool NetworkFacts::isHandedOut(NodeId n) const { return has(m, n, attr::handed); }

const Construct *NetworkFacts::at(NodeId node) const {
  const std::uint32_t c = constructOf.empty() ? 0 : constructOf[node.index()];
  return c == 0 ? nullptr : &list[c - 1];
}

//===----------------------------------------------------------------------===//
// The flow of values
//===----------------------------------------------------------------------===//

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

/// Nodes of one number are added equally often.
std::int64_t NetworkFacts::pathOf(NodeId n) const {
  const Attribute *path = m.attribute(n, "path");
  return path ? path->number : 0;
}

bool NetworkFacts::isReadElsewhere(NodeId n) const {
  std::vector<bool> seen(m.nodeCount(), false);
  bool elsewhere = false;
  walkFrom(
      {n}, [&](NodeId x) { return bool(seen[x.index()]); },
      [&](NodeId x) {
        seen[x.index()] = true;
        elsewhere = elsewhere || pathOf(x) != pathOf(n);
      },
      [&](NodeId x, auto visit) { successors(x, visit); });
  return elsewhere;
}

void NetworkFacts::findCycles() {
  leadsToCondition.assign(m.nodeCount(), false);
  const auto next = [&](NodeId n) {
    std::vector<NodeId> nodes;
    successors(n, [&](NodeId s) {
      // A count that its own loop computes is loop-trip-type's. What code that is not seen
      // gives back need not depend on what it was given.
      const bool isCount = layerName(m, n) == "Loop.addTripLimit" && constructOf[s.index()] == 0;
      if (!isCount && !layerName(m, s).empty())
        nodes.push_back(s);
    });
    return nodes;
  };
  forEachStrongComponent(m.nodeCount(), next, [&](std::vector<NodeId> component) {
    const NodeId n = component.back();
    bool isCycle = component.size() > 1;
    for (const Use &u : usesOf(n))
      isCycle = isCycle || (u.user == n && !isBackEdge(n, u.operand));
    if (!isCycle)
      return;
    std::ranges::sort(component);
    if (!markOwnConditions(component))
      cyclic.push_back(std::move(component));
    else
      for (NodeId k : component)
        leadsToCondition[k.index()] = true;
  });
}

/// A condition in a cycle with its own boundary depends on its conditional. True: \p cycle holds one.
bool NetworkFacts::markOwnConditions(const std::vector<NodeId> &cycle) {
  const auto in = [&](NodeId x) { return std::ranges::find(cycle, x) != cycle.end(); };
  bool any = false;
  for (NodeId k : cycle)
    if (layerName(m, k) == "IfConditional.setCondition" && ownerOf[k.index()] != 0) {
      Construct &c = list[ownerOf[k.index()] - 1];
      if (std::ranges::any_of(c.inputs, in) || std::ranges::any_of(c.outputs, in))
        c.selfDependent = any = true;
    }
  return any;
}

//===----------------------------------------------------------------------===//
// What is inside
//===----------------------------------------------------------------------===//

void NetworkFacts::findInteriors(std::uint32_t index) {
  Construct &c = list[index];
  // Forward from the inputs: what depends on them, up to the outputs.
  ++walk;
  const auto isOwn = [&](NodeId n) { return ownerOf[n.index()] == index + 1; };
  const auto isOutput = [&](NodeId n) {
    return isOwn(n) && (layerName(m, n).ends_with(".addOutput") || layerName(m, n).ends_with(".addLoopOutput"));
  };
  std::vector<NodeId> start;
  for (NodeId in : c.inputs)
    successors(in, [&](NodeId n) { start.push_back(n); });
  std::erase_if(start, isOutput);
  walkFrom(
      start, [&](NodeId n) { return markA[n.index()] == walk; }, [&](NodeId n) { markA[n.index()] = walk; },
      [&](NodeId n, auto visit) {
        // What its own condition decides does not depend on it by that.
        if (isOwn(n) && layerName(m, n) == "IfConditional.setCondition")
          return;
        successors(n, [&](NodeId s) {
          if (!isOutput(s))
            visit(s);
        });
      });
  const std::uint32_t forward = walk;
  for (std::uint32_t i = 0; i < m.nodeCount() && !c.mayMingle; ++i)
    c.mayMingle = markA[i] == forward && isCxx(m, NodeId(i), CxxOp::Opaque);
  // Backward from the outputs, within that.
  for (std::size_t side = 0; side < (c.isLoop ? 1U : 2U); ++side) {
    ++walk;
    std::vector<NodeId> ends;
    const auto end = [&](NodeId n, std::size_t operand) {
      const auto operands = m.operands(n);
      if (const NodeId def = operand < operands.size() ? defOf(operands[operand]) : NodeId();
          def && markA[def.index()] == forward)
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
        ends, [&](NodeId n) { return markB[n.index()] == walk; },
        [&](NodeId n) {
          markB[n.index()] = walk;
          if (constructOf[n.index()] == 0)
            c.interior[side].push_back(n);
        },
        [&](NodeId n, auto visit) {
          predecessors(n, [&](NodeId p) {
            if (markA[p.index()] == forward)
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

/// A layer that is inside for some of the tensors that the code may mean is read past the ends of \p c too.
bool NetworkFacts::mayLeave(const Construct &c) {
  const auto isIn = [](const std::vector<NodeId> &sorted, NodeId n) { return std::ranges::binary_search(sorted, n); };
  std::vector<NodeId> doubtful;
  for (const std::vector<NodeId> &side : c.interior)
    std::ranges::copy_if(side, std::back_inserter(doubtful),
                         [&](NodeId n) { return !isIn(c.certain[0], n) && !isIn(c.certain[1], n); });
  ++walk;
  bool leaves = false;
  walkFrom(
      doubtful, [&](NodeId n) { return markA[n.index()] == walk; },
      [&](NodeId n) {
        markA[n.index()] = walk;
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
  ++walk;
  walkFrom(
      c.inputs, [&](NodeId n) { return markA[n.index()] == walk; }, [&](NodeId n) { markA[n.index()] = walk; },
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
    if (markA[given(in).index()] == walk)
      c.leadsAgain.push_back(in);
}

/// Backward from \p ends, where the branch \p side of \p c ends, as far as no tensor is one of several.
void NetworkFacts::findCertain(Construct &c, std::size_t side, const std::vector<NodeId> &ends) {
  const std::uint32_t inside = walk;
  // What code that is not seen gives back need have nothing to do with what it was given.
  const auto isOneOf = [&](NodeId n) { return isCxx(m, n, CxxOp::Join) || isCxx(m, n, CxxOp::Opaque); };
  c.certain[side] = c.interior[side];
  if (std::ranges::none_of(c.interior[side], isOneOf))
    return;
  c.certain[side].clear();
  ++walk;
  walkFrom(
      ends, [&](NodeId n) { return markB[n.index()] == walk; },
      [&](NodeId n) {
        markB[n.index()] = walk;
        if (constructOf[n.index()] == 0)
          c.certain[side].push_back(n);
      },
      [&](NodeId n, auto visit) {
        if (!isOneOf(n))
          predecessors(n, [&](NodeId p) {
            if (markB[p.index()] == inside)
              visit(p);
          });
      });
  std::ranges::sort(c.certain[side]);
}

bool NetworkFacts::mayNest(const Construct &outer, const Construct &inner) const {
  return std::ranges::any_of(inner.outputs, [&](NodeId o) { return mayComeBack(o, outer); });
}

bool NetworkFacts::isInside(NodeId n, const Construct &c) const {
  const auto index = static_cast<std::uint32_t>(&c - list.data());
  return std::ranges::find(insides[n.index()], index) != insides[n.index()].end();
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

bool NetworkFacts::mayComeBack(NodeId n, const Construct &c) const {
  if (!leavesSight[n.index()])
    return false;
  // Who has both may lead the one out by the other.
  return handedOut[static_cast<std::size_t>(&c - list.data())] || endsInUnknown(c);
}

bool NetworkFacts::endsInUnknown(const Construct &c) const {
  const auto murkyEnd = [&](NodeId end) {
    const auto operands = m.operands(end);
    for (std::size_t i = 1; i < operands.size(); ++i)
      if (const NodeId def = defOf(operands[i]); def && tainted[def.index()])
        return true;
    return false;
  };
  return std::ranges::any_of(c.outputs, murkyEnd) ||
         (c.isLoop && (std::ranges::any_of(c.conditions, murkyEnd) || std::ranges::any_of(c.inputs, murkyEnd)));
}

void NetworkFacts::findHandedOut() {
  handedOut.assign(list.size(), false);
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i)
    if (const NodeId n(i); isCxx(m, n, CxxOp::Opaque) || isCxx(m, n, CxxOp::Return))
      for (ValueId v : m.operands(n))
        if (const NodeId def = defOf(v); def && constructOf[def.index()] != 0)
          handedOut[constructOf[def.index()] - 1] = true;
}

/// \p user reads one of several tensors: those that are inside of what it is not inside of may leave by that.
void NetworkFacts::findMingled(NodeId user, NodeId join) {
  std::vector<bool> seen(m.nodeCount(), false);
  walkFrom(
      {join}, [&](NodeId n) { return bool(seen[n.index()]); },
      [&](NodeId n) {
        seen[n.index()] = true;
        for (std::uint32_t x : insides[n.index()])
          if (ownerOf[user.index()] != x + 1 && !isInside(user, list[x]) && !isInside(join, list[x]))
            list[x].mayMingle = true;
      },
      [&](NodeId n, auto visit) {
        if (isCxx(m, n, CxxOp::Join))
          predecessors(n, visit);
      });
}

void NetworkFacts::findEscapes() {
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const std::string_view name = layerName(m, n);
    if (name.empty() || (name != "markOutput" && !live[i]))
      continue;
    const std::uint32_t owner = ownerOf[i];
    Escape leak;
    Escape cross;
    std::uint32_t deepest = 0;
    bool found = false;
    const auto operands = m.operands(n);
    for (std::uint32_t k = 0; k < operands.size(); ++k) {
      const NodeId p = isHandle(n, k) ? NodeId() : defOf(operands[k]);
      if (!p)
        continue;
      if (isCxx(m, p, CxxOp::Join))
        findMingled(n, p);
      for (std::uint32_t x : insides[p.index()]) {
        const Construct &c = list[x];
        // Values of two constructs side by side meet in no place where both exist.
        for (std::uint32_t j = 0; j < k && !cross.crossing; ++j) {
          const NodeId q = isHandle(n, j) ? NodeId() : defOf(operands[j]);
          if (!q || isInside(q, c))
            continue;
          for (std::uint32_t y : insides[q.index()])
            if (y != x && !mayNest(c, list[y]) && !mayNest(list[y], c) && !isInside(p, list[y]) &&
                !contains(c, list[y]) && !contains(list[y], c))
              cross = {n, k, p, x, y, true};
        }
        const bool again = std::ranges::binary_search(c.leadsAgain, n);
        if (!again && (owner == x + 1 || isInside(n, c)))
          continue;
        if (!again && name != "markOutput" && mayComeBack(n, c)) {
          list[x].mayMingle = true;
          continue;
        }
        if (!found || c.depth >= deepest) {
          leak = {n, k, p, x, x, false};
          deepest = c.depth;
          found = true;
        }
      }
    }
    if (cross.crossing)
      escaped.push_back(cross);
    else if (found)
      escaped.push_back(leak);
  }
}

bool NetworkFacts::isCertain(const Escape &e) const {
  const auto mayHold = [&](const Construct &c) { // what is not known of its ends may be the user
    return c.open || c.uncertain || std::ranges::any_of(c.outputs, [&](NodeId out) {
             const auto operands = m.operands(out);
             return pathOf(out) != pathOf(c.node) || std::ranges::any_of(operands.subspan(1), [&](ValueId v) {
                      const NodeId def = defOf(v);
                      return def && tainted[def.index()];
                    });
           });
  };
  const std::int64_t path = pathOf(list[e.construct].node);
  if (pathOf(e.user) != path || pathOf(e.maker) != path || layerName(m, e.maker).empty() ||
      mayHold(list[e.construct]) || (e.crossing && (mayHold(list[e.other]) || pathOf(list[e.other].node) != path)))
    return false;
  return isReadInEach(e.user);
}

bool NetworkFacts::isSurelyInside(NodeId n, const Construct &c) const {
  if (std::ranges::binary_search(c.inputs, n))
    return true;
  const auto isIn = [&](const std::vector<NodeId> &sorted) { return std::ranges::binary_search(sorted, n); };
  if (layerName(m, n).empty() || std::ranges::none_of(c.certain, isIn))
    return false;
  // It depends on an input layer, too.
  std::vector<bool> seen(m.nodeCount(), false);
  bool depends = false;
  walkFrom(
      {n}, [&](NodeId x) { return bool(seen[x.index()]); },
      [&](NodeId x) {
        seen[x.index()] = true;
        depends = depends || std::ranges::binary_search(c.inputs, x);
      },
      [&](NodeId x, auto visit) {
        if (!isCxx(m, x, CxxOp::Join) && !isCxx(m, x, CxxOp::Opaque))
          predecessors(x, visit);
      });
  return depends;
}

bool NetworkFacts::isOfOneTensor(const Escape &e) const {
  const auto isSure = [&](NodeId n, std::uint32_t construct) { return isSurelyInside(n, list[construct]); };
  if (!isSure(e.maker, e.construct))
    return false;
  const auto isOther = [&](ValueId v) { return defOf(v) && isSure(defOf(v), e.other); };
  return !e.crossing || std::ranges::any_of(m.operands(e.user), isOther);
}

bool NetworkFacts::isReadInEach(NodeId from) const {
  const std::int64_t path = pathOf(from);
  // Not only code that can get at it, and may forget it.
  std::vector<bool> seen(m.nodeCount(), false);
  bool counts = false;
  walkFrom(
      {from}, [&](NodeId n) { return bool(seen[n.index()]); },
      [&](NodeId n) {
        seen[n.index()] = true;
        counts = counts || layerName(m, n) == "markOutput" || layerName(m, n) == "addAssertion" ||
                 (isCxx(m, n, CxxOp::Return) && !has(m, n, attr::uncertain));
      },
      [&](NodeId n, auto visit) {
        successors(n, [&](NodeId s) {
          if (pathOf(s) == path && !isCxx(m, s, CxxOp::Join))
            visit(s);
        });
      });
  return counts;
}

} // namespace condlint

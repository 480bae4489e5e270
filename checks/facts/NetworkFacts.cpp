//===- NetworkFacts.cpp - What is inside what in a network ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkFlow.h"
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
  findCycles();
  insides.resize(m.nodeCount());
  for (std::uint32_t c = 0; c < list.size(); ++c)
    findInteriors(c);
  findPossibleCycles();
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
  needed.assign(count, false);
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
  std::vector<NodeId> surely = sinks;
  std::erase_if(surely, [&](NodeId n) { return has(m, n, attr::uncertain); });
  surely.insert(surely.end(), watches.begin(), watches.end());
  walkFrom(
      surely, [&](NodeId n) { return needed[n.index()]; }, [&](NodeId n) { needed[n.index()] = true; },
      [&](NodeId n, auto visit) {
        if (!isCxx(m, n, CxxOp::Join))
          predecessors(n, visit);
      });
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

bool NetworkFacts::isSurelyRead(NodeId in, const Construct &c) const {
  return std::ranges::any_of(usesOf(in), [&](const Use &u) {
    const bool own = ownerOf[u.user.index()] != 0 && &list[ownerOf[u.user.index()] - 1] == &c;
    return !isCxx(m, u.user, CxxOp::Join) &&
           (own || needed[u.user.index()] || isSurelyInside(u.user, c) || layerName(m, u.user).empty());
  });
}

bool NetworkFacts::isReadPerhaps(NodeId n) const {
  return std::ranges::all_of(usesOf(n), [&](const Use &u) { return isCxx(m, u.user, CxxOp::Join); });
}

bool NetworkFacts::isHandedOut(NodeId n) const { return has(m, n, attr::handed); }

const Construct *NetworkFacts::at(NodeId node) const {
  const std::uint32_t c = constructOf.empty() ? 0 : constructOf[node.index()];
  return c == 0 ? nullptr : &list[c - 1];
}

//===----------------------------------------------------------------------===//
// The flow of values
//===----------------------------------------------------------------------===//

/// Nodes of one number are added equally often.
std::int64_t NetworkFacts::pathOf(NodeId n) const {
  const Attribute *path = m.attribute(n, "path");
  return path ? path->number : 0;
}

bool NetworkFacts::isReadElsewhere(NodeId n) const {
  bool elsewhere = false;
  walkFrom(
      {n}, reached, m.nodeCount(), [&](NodeId x) { elsewhere = elsewhere || pathOf(x) != pathOf(n); },
      [&](NodeId x, auto visit) { successors(x, visit); });
  return elsewhere;
}

bool NetworkFacts::isCycle(const std::vector<NodeId> &component) const {
  const NodeId n = component.back();
  return component.size() > 1 ||
         std::ranges::any_of(usesOf(n), [&](const Use &u) { return u.user == n && !isBackEdge(n, u.operand); });
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
    if (!isCycle(component))
      return;
    std::ranges::sort(component);
    if (!markOwnConditions(component, [](Construct &c) { c.selfDependent = true; }))
      cyclic.push_back(std::move(component));
    else
      for (NodeId k : component)
        leadsToCondition[k.index()] = true;
  });
}

/// What is a cycle, or depends on itself, for some of several tensors alone.
void NetworkFacts::findPossibleCycles() {
  const auto isJoin = [&](NodeId n) { return isCxx(m, n, CxxOp::Join); };
  bool any = false;
  for (std::uint32_t i = 0; i < m.nodeCount() && !any; ++i)
    any = isJoin(NodeId(i));
  if (!any)
    return;
  const auto next = [&](NodeId n) {
    std::vector<NodeId> nodes;
    successors(n, [&](NodeId s) {
      const bool isCount = layerName(m, n) == "Loop.addTripLimit" && constructOf[s.index()] == 0;
      if (!isCount && (!layerName(m, s).empty() || isJoin(s)))
        nodes.push_back(s);
    });
    return nodes;
  };
  forEachStrongComponent(m.nodeCount(), next, [&](const std::vector<NodeId> &component) {
    if (!isCycle(component) || std::ranges::none_of(component, isJoin))
      return;
    markOwnConditions(component, [](Construct &c) { c.mayDependOnSelf = true; });
    for (Construct &c : list)
      c.mayHoldCycle = c.mayHoldCycle || std::ranges::any_of(component, [&](NodeId n) { return isInside(n, c); });
  });
}

/// A condition in a cycle with its own boundary depends on its conditional. True: \p cycle holds one.
template <class Mark> bool NetworkFacts::markOwnConditions(const std::vector<NodeId> &cycle, Mark mark) {
  const auto in = [&](NodeId x) { return std::ranges::find(cycle, x) != cycle.end(); };
  bool any = false;
  for (NodeId k : cycle)
    if (layerName(m, k) == "IfConditional.setCondition" && ownerOf[k.index()] != 0) {
      Construct &c = list[ownerOf[k.index()] - 1];
      if (std::ranges::any_of(c.inputs, in) || std::ranges::any_of(c.outputs, in)) {
        mark(c);
        any = true;
      }
    }
  return any;
}

//===----------------------------------------------------------------------===//
// What leaves
//===----------------------------------------------------------------------===//

bool NetworkFacts::mayNest(const Construct &outer, const Construct &inner) const {
  return std::ranges::any_of(inner.outputs, [&](NodeId o) { return mayComeBack(o, outer); });
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
  walkFrom(
      {join}, reached, m.nodeCount(),
      [&](NodeId n) {
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

bool NetworkFacts::isOfOneTensor(const Escape &e) const {
  const auto isSure = [&](NodeId n, std::uint32_t construct) { return isSurelyInside(n, list[construct]); };
  if (!needed[e.user.index()] || layerName(m, e.maker).empty() || !isSure(e.maker, e.construct))
    return false;
  const auto isOther = [&](ValueId v) {
    return defOf(v) && !layerName(m, defOf(v)).empty() && isSure(defOf(v), e.other);
  };
  return !e.crossing || std::ranges::any_of(m.operands(e.user), isOther);
}

bool NetworkFacts::isReadInEach(NodeId from) const {
  const std::int64_t path = pathOf(from);
  // Not only code that can get at it, and may forget it.
  bool counts = false;
  walkFrom(
      {from}, reached, m.nodeCount(),
      [&](NodeId n) {
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

//===- SideGraph.cpp - One branch as a graph of what is drawn -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SideGraph.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <unordered_map>

namespace condlint::drawing {

namespace {

using Kind = Drawing::Kind;

/// Nodes of nested branches that are looked through for what they read from outside.
constexpr std::size_t mostNested = 50000;

/// What both readers of a side share: vertices by node and by value, and the edges between them.
class Collector {
public:
  explicit Collector(const Model &model) : m(model) {}

protected:
  std::uint32_t add(const Vertex &v) {
    side.vertices.push_back(v);
    return static_cast<std::uint32_t>(side.vertices.size() - 1);
  }

  std::uint32_t port(Kind kind, ValueId v, std::uint32_t index) {
    const auto [known, isNew] = byValue.try_emplace(v, 0);
    if (isNew)
      known->second = add({kind, {}, v, index, {}});
    return known->second;
  }

  void connect(std::uint32_t from, std::uint32_t to) {
    if (from != to)
      side.edges.push_back({from, to});
  }

  SideGraph finish() {
    std::ranges::sort(side.edges);
    const auto same = std::ranges::unique(side.edges);
    side.edges.erase(same.begin(), same.end());
    return std::move(side);
  }

  bool isWritten(ValueId v) const { return m[v].origin == ValueOrigin::Constant; }

  const Model &m;
  SideGraph side;
  std::unordered_map<NodeId, std::uint32_t> byNode;
  std::unordered_map<ValueId, std::uint32_t> byValue;
};

/// A branch that is a graph.
class RegionSide : Collector {
public:
  RegionSide(const Model &model, GraphId graph) : Collector(model), g(graph) {}

  SideGraph run() {
    const Range parameters = m[g].parameters;
    for (std::uint32_t i = 0; i < parameters.count; ++i)
      port(Kind::Operand, ValueId(parameters.first + i), i);
    for (const Capture &c : m.captures(g))
      if (c.value)
        port(Kind::Capture, c.value, 0);
      else if (c.name)
        add({Kind::Capture, {}, {}, 0, c.name});
    for (NodeId n : m.nodes(g)) {
      if (!isCxx(m, n, CxxOp::Return))
        byNode.emplace(n, add({isConditional(m, n) ? Kind::Conditional : Kind::Node, n, {}, 0, {}}));
    }
    for (NodeId n : m.nodes(g)) {
      if (!byNode.contains(n))
        continue;
      const std::uint32_t user = byNode.at(n);
      for (ValueId v : m.operands(n))
        use(v, user);
      readsInside(n, user);
    }
    const auto results = m.results(g);
    for (std::uint32_t i = 0; i < results.size(); ++i) {
      const std::uint32_t output = add({Kind::Output, {}, results[i], i, {}});
      side.outputs.push_back(output);
      if (const ValueId v = results[i]; v && isWritten(v))
        connect(port(Kind::Node, v, 0), output);
      else
        use(v, output);
    }
    return finish();
  }

private:
  void use(ValueId v, std::uint32_t user) {
    if (!v || isWritten(v))
      return;
    const Value &x = m[v];
    if (x.origin == ValueOrigin::Result && x.graph == g) {
      if (const auto maker = byNode.find(x.def); maker != byNode.end())
        connect(maker->second, user);
      return;
    }
    connect(port(Kind::Capture, v, 0), user);
  }

  /// What the graphs in \p n read from outside of it.
  void readsInside(NodeId n, std::uint32_t user) {
    std::vector<GraphId> left(m.regions(n).begin(), m.regions(n).end());
    const auto isOutside = [&](ValueId v) { return v && m[v].graph && m.encloses(m[v].graph, g); };
    while (!left.empty() && nested < mostNested) {
      const GraphId inner = left.back();
      left.pop_back();
      if (!inner)
        continue;
      for (ValueId v : m.results(inner))
        if (isOutside(v))
          use(v, user);
      for (NodeId k : m.nodes(inner)) {
        ++nested;
        for (ValueId v : m.operands(k))
          if (isOutside(v))
            use(v, user);
        left.insert(left.end(), m.regions(k).begin(), m.regions(k).end());
      }
    }
  }

  GraphId g;
  std::size_t nested = 0;
};

/// A branch of a network: the layers that its outputs come from.
class NetworkSide : Collector {
public:
  NetworkSide(const Model &model, const Conditional &conditional, std::size_t which, const IsSharedLayer &shared)
      : Collector(model), c(conditional), branch(which), isShared(shared) {}

  SideGraph run() {
    for (std::uint32_t i = 0; i < c.inputLayers.size(); ++i)
      if (m.resultCount(c.inputLayers[i]) != 0)
        port(Kind::Operand, m.result(c.inputLayers[i], 0), i);
    for (std::uint32_t i = 0; i < c.outputLayers.size(); ++i) {
      const auto operands = m.operands(c.outputLayers[i]);
      const ValueId v = branch + 1 < operands.size() ? operands[branch + 1] : ValueId();
      const std::uint32_t output = add({Kind::Output, {}, v, i, {}});
      side.outputs.push_back(output);
      use(v, output);
    }
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      const auto operands = m.operands(n);
      const bool hasHandle = m.text(m[m[n].op].name).find('.') != std::string_view::npos;
      for (std::size_t i = hasHandle ? 1 : 0; i < operands.size(); ++i)
        use(operands[i], byNode.at(n));
    }
    return finish();
  }

private:
  void use(ValueId v, std::uint32_t user) {
    if (!v)
      return;
    const NodeId maker = m[v].origin == ValueOrigin::Result ? m[v].def : NodeId();
    if (byValue.contains(v) || !maker || m.text(m[m[maker].op].name) == "addInput" || isShared(maker)) {
      connect(port(Kind::Capture, v, 0), user);
      return;
    }
    auto known = byNode.find(maker);
    if (known == byNode.end()) {
      const bool isInner = m.text(m[m[maker].op].name) == "IfConditional.addOutput";
      known = byNode.emplace(maker, add({isInner ? Kind::Conditional : Kind::Node, maker, {}, 0, {}})).first;
      open.push_back(maker);
    }
    connect(known->second, user);
  }

  const Conditional &c;
  std::size_t branch;
  const IsSharedLayer &isShared;
  std::vector<NodeId> open;
};

std::vector<std::vector<std::uint32_t>> listOf(const SideGraph &g, std::uint32_t Drawing::Edge::*at,
                                               std::uint32_t Drawing::Edge::*other) {
  std::vector<std::vector<std::uint32_t>> out(g.vertices.size());
  for (const Drawing::Edge &e : g.edges)
    out[e.*at].push_back(e.*other);
  return out;
}

} // namespace

std::vector<std::vector<std::uint32_t>> SideGraph::makers() const {
  return listOf(*this, &Drawing::Edge::to, &Drawing::Edge::from);
}

std::vector<std::vector<std::uint32_t>> SideGraph::users() const {
  return listOf(*this, &Drawing::Edge::from, &Drawing::Edge::to);
}

SideGraph sideGraph(const Model &m, const Conditional &c, std::size_t side, const IsSharedLayer &isShared) {
  if (c.dialect == Dialect::TensorRT)
    return NetworkSide(m, c, side, isShared).run();
  return c.branches[side].graph ? RegionSide(m, c.branches[side].graph).run() : SideGraph();
}

} // namespace condlint::drawing

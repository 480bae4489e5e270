//===- Resolve.cpp - Names that become values and nodes -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Graph.h"
#include <unordered_map>
#include <unordered_set>

namespace condlint {

namespace {

/// Looks for the value that a dangling name means, by where it stands.
class Resolver {
public:
  explicit Resolver(Model &model) : m(model) {}

  void run() {
    if (!m.hasUndefined())
      return;
    for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
      const Value &v = m[ValueId(i)];
      if (v.origin == ValueOrigin::Undefined && !m.text(v.name).empty())
        dangling.insert(v.name);
    }
    if (dangling.empty())
      return;
    // Parameters first: what is inside of a region with a parameter of that name is hidden by it.
    for (const bool parameters : {true, false})
      for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
        const Value &v = m[ValueId(i)];
        if (v.origin != ValueOrigin::Undefined && (v.origin == ValueOrigin::Parameter) == parameters &&
            dangling.contains(v.name))
          define(definitions[v.name], ValueId(i));
      }
    for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
      const NodeId n(i);
      for (std::size_t o = 0; o < m.operands(n).size(); ++o)
        if (ValueId found = lookup(m.operands(n)[o], m[n].graph))
          m.setOperand(n, o, found);
    }
    for (std::uint32_t i = 0; i < m.graphCount(); ++i) {
      const GraphId g(i);
      for (std::size_t r = 0; r < m.results(g).size(); ++r)
        if (ValueId found = lookup(m.results(g)[r], g))
          m.setResult(g, r, found);
    }
  }

private:
  /// The first definition in the regions of a graph or of a node, and the first in
  /// another of these regions.
  struct Below {
    GraphId region, otherRegion;
    ValueId first, other;

    void add(GraphId where, ValueId v) {
      if (!region) {
        region = where;
        first = v;
      } else if (region != where && !otherRegion) {
        otherRegion = where;
        other = v;
      }
    }
    /// The first one that is not in \p where.
    ValueId besides(GraphId where) const { return region != where ? first : other; }
  };
  /// Where a name is defined. Each graph is entered once a name, so that one name in
  /// very many graphs costs no more than many names.
  struct Definitions {
    std::unordered_map<GraphId, ValueId> in;
    std::unordered_map<GraphId, Below> below;
    std::unordered_map<NodeId, Below> within; ///< in the regions of one node
    std::unordered_set<GraphId> given;        ///< graphs with a parameter of that name
  };

  void define(Definitions &name, ValueId v) {
    GraphId region = m[v].graph;
    if (!region || !name.in.try_emplace(region, v).second)
      return;
    // What a region is given is not made in it: exporters give it the operand's name.
    if (m[v].origin == ValueOrigin::Parameter) {
      name.given.insert(region);
      return;
    }
    for (GraphId g = m[region].parent; g; region = g, g = m[g].parent) {
      // What it hands out has lost its outputs: those are what is missing.
      const bool silent = closed && m[region].owner && m.resultCount(m[region].owner) == 0;
      if (silent || name.given.contains(region))
        return;
      if (m[region].owner)
        name.within[m[region].owner].add(region, v);
      Below &below = name.below[g];
      const bool isKnown = below.region.valid();
      below.add(region, v);
      if (isKnown)
        return; // what is above knows of this graph
    }
  }

  /// The definition that explains a use of \p v in \p use best: one later in the same
  /// graph; one in a scope around (not yet defined there, or a closed graph); one inside a
  /// region of the graph; one in a sibling region. Among equals the one whose scope
  /// is nearest to the user, then the first.
  ValueId lookup(ValueId v, GraphId use) const {
    if (!v || m[v].origin != ValueOrigin::Undefined)
      return {};
    const auto found = definitions.find(m[v].name);
    if (found == definitions.end())
      return {};
    const Definitions &name = found->second;
    NodeId holder; // what owns the region that the use is in
    for (GraphId g = use; g; holder = m[g].owner, g = m[g].parent)
      if (const auto it = name.in.find(g); it != name.in.end() && !(closed && holder && m[it->second].def == holder))
        return it->second;
    if (const auto inside = name.below.find(use); inside != name.below.end())
      return inside->second.first;
    GraphId region = use;
    for (GraphId g = m[use].parent; g; region = g, g = m[g].parent) {
      if (const auto it = name.within.find(m[region].owner); it != name.within.end())
        if (const ValueId sibling = it->second.besides(region))
          return sibling;
      if (const auto it = name.below.find(g); it != name.below.end())
        if (const ValueId other = it->second.besides(region))
          return other;
    }
    return {};
  }

  Model &m;
  /// A graph sees nothing of those around it; so what it lies in is no explanation of a name.
  const bool closed = m.info.dialect == Dialect::Torch;
  std::unordered_set<StringId> dangling;
  std::unordered_map<StringId, Definitions> definitions;
};

} // namespace

void resolveUndefined(Model &m) { Resolver(m).run(); }

} // namespace condlint

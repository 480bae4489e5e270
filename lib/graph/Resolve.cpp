//===----------------------------------------------------------------------===//
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
    for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
      const Value &v = m[ValueId(i)];
      if (v.origin == ValueOrigin::Undefined && !m.text(v.name).empty())
        dangling.insert(v.name);
    }
    if (dangling.empty())
      return;
    for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
      const Value &v = m[ValueId(i)];
      if (v.origin == ValueOrigin::Undefined)
        continue;
      if (dangling.contains(v.name))
        definitions[v.name].push_back(ValueId(i));
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
  /// How well a definition in \p d explains a use in \p use; 0: not at all.
  int rank(GraphId d, GraphId use) const {
    if (d == use)
      return 5; // later in the same graph
    if (m.encloses(d, use))
      return 4; // a scope around: not yet defined there, or a closed graph
    const GraphId common = commonScope(d, use);
    if (!common)
      return 0; // another function
    if (common == use)
      return 2; // inside a region of the user's graph
    return 3;   // in a sibling region
  }

  GraphId commonScope(GraphId a, GraphId b) const {
    while (a && b && a != b) {
      if (m[a].depth >= m[b].depth)
        a = m[a].parent;
      else
        b = m[b].parent;
    }
    return a == b ? a : GraphId();
  }

  ValueId lookup(ValueId v, GraphId use) {
    if (!v || m[v].origin != ValueOrigin::Undefined)
      return {};
    auto it = definitions.find(m[v].name);
    if (it == definitions.end())
      return {};
    ValueId best;
    int bestRank = 0;
    std::uint32_t bestDepth = 0;
    for (ValueId d : it->second) {
      const int r = rank(m[d].graph, use);
      // Among equals the one whose scope is nearest to the user.
      const GraphId common = r == 0 ? GraphId() : commonScope(m[d].graph, use);
      const std::uint32_t depth = common ? m[common].depth : 0;
      if (r > bestRank || (r == bestRank && r != 0 && depth > bestDepth)) {
        best = d;
        bestRank = r;
        bestDepth = depth;
      }
    }
    return best;
  }

  Model &m;
  std::unordered_set<StringId> dangling;
  std::unordered_map<StringId, std::vector<ValueId>> definitions;
};

} // namespace

void resolveUndefined(Model &m) { Resolver(m).run(); }

} // namespace condlint

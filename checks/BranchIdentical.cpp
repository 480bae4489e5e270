//===- BranchIdentical.cpp - The two branches differ ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/RuleFunctions.h"
#include "facts/Equality.h"
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace condlint {

namespace {

/// Compares two graphs node by node, in order, with the values of the one
/// standing for those of the other.
class Comparison {
public:
  explicit Comparison(const Model &model) : m(model) {}

  bool same(GraphId a, GraphId b) {
    // Branches within branches; what nests deeper than anybody writes is called different.
    if (depth >= maxDepth || m[a].tooDeep || m[b].tooDeep)
      return false;
    ++depth;
    const bool equal = sameGraph(a, b);
    --depth;
    return equal;
  }

private:
  static constexpr unsigned maxDepth = 64;
  const Model &m;
  unsigned depth = 0;
  std::unordered_map<ValueId, ValueId> stands; ///< of a for b

  bool sameGraph(GraphId a, GraphId b) {
    const Graph &x = m[a];
    const Graph &y = m[b];
    if (x.nodeCount != y.nodeCount || x.parameters.count != y.parameters.count || x.results.count != y.results.count)
      return false;
    for (std::uint32_t i = 0; i < x.parameters.count; ++i)
      stands[ValueId(x.parameters.first + i)] = ValueId(y.parameters.first + i);
    NodeId p = x.firstNode;
    NodeId q = y.firstNode;
    for (; p && q; p = m[p].next, q = m[q].next)
      if (!sameNode(p, q))
        return false;
    const auto r = m.results(a);
    const auto s = m.results(b);
    for (std::size_t i = 0; i < r.size(); ++i)
      if (!sameValue(r[i], s[i]))
        return false;
    return true;
  }

  bool sameNode(NodeId a, NodeId b) {
    const Node &x = m[a];
    const Node &y = m[b];
    // What was not understood may be anything.
    if (isCxx(m, a, CxxOp::Unknown) || isCxx(m, a, CxxOp::New) || isCxx(m, a, CxxOp::Call) ||
        isCxx(m, a, CxxOp::Opaque))
      return false;
    if (x.op != y.op || x.callee != y.callee || x.operands.count != y.operands.count ||
        x.results.count != y.results.count || x.attributes.count != y.attributes.count ||
        x.regions.count != y.regions.count)
      return false;
    for (std::size_t i = 0; i < x.operands.count; ++i)
      if (!sameValue(m.operands(a)[i], m.operands(b)[i]))
        return false;
    for (std::size_t i = 0; i < x.attributes.count; ++i)
      if (!isSameAttribute(m, m.attributes(a)[i], m.attributes(b)[i]))
        return false;
    for (std::size_t i = 0; i < x.regions.count; ++i) {
      const GraphId r = m.regions(a)[i];
      const GraphId s = m.regions(b)[i];
      if (!r || !s || !same(r, s))
        return false;
    }
    for (std::uint32_t i = 0; i < x.results.count; ++i)
      stands[ValueId(x.results.first + i)] = ValueId(y.results.first + i);
    return true;
  }

  bool sameValue(ValueId a, ValueId b) const {
    if (!a || !b)
      return a == b;
    const Value &x = m[a];
    const Value &y = m[b];
    // One element of a list of unknown length stands for any.
    if (a == b)
      return x.origin != ValueOrigin::Result || !x.def || !has(m, x.def, attr::unsized);
    if (x.origin == ValueOrigin::Constant && y.origin == ValueOrigin::Constant) {
      if (x.constant && y.constant)
        return isSameConstant(m, x.constant, y.constant);
      return !x.constant && !y.constant && x.recorded == y.recorded && x.content && y.content &&
             std::ranges::equal(m.content(x.content), m.content(y.content)) &&
             std::ranges::all_of(m.content(x.content), [](Dim d) { return d.known(); });
    }
    const auto it = stands.find(a);
    return it != stands.end() && it->second == b;
  }
};

} // namespace

void checkBranchIdentical(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (!c.hasBothBranches())
    return ctx.absent();
  if (!Comparison(ctx.m).same(c.branches[0].graph, c.branches[1].graph))
    return;
  Draft d;
  d.message = fmt::format("'{}' and '{}' compute the same: the predicate decides nothing", c.branches[0].name,
                          c.branches[1].name);
  d.help = "replace the conditional by one of its branches";
  d.related.push_back({fmt::format("'{}'", c.branches[0].name), {}, ctx.m.path(c.branches[0].graph)});
  d.related.push_back({fmt::format("'{}'", c.branches[1].name), {}, ctx.m.path(c.branches[1].graph)});
  ctx.report(std::move(d));
}

} // namespace condlint

//===- EagerWork.cpp - Work that only one branch needs --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelFacts.h"
#include "condlint/Op.h"
#include <algorithm>
#include <optional>

namespace condlint {

namespace {

/// Who needs a value: nobody yet, exactly one branch, or somebody else too.
class Needs {
public:
  explicit Needs(std::size_t values) : need(values, nobody) {}

  static constexpr std::uint32_t nobody = 0xffffffffu;
  static constexpr std::uint32_t somebody = 0xfffffffeu;

  void add(ValueId v, std::uint32_t who) {
    std::uint32_t &n = need[v.index()];
    n = n == nobody || n == who ? who : somebody;
  }
  /// Who needs some result of the node: one branch only if all agree.
  std::uint32_t of(const Model &m, NodeId n) const {
    std::uint32_t who = nobody;
    const Range results = m[n].results;
    for (std::uint32_t i = 0; i < results.count; ++i)
      if (const std::uint32_t w = need[results.first + i]; w != nobody)
        who = who == nobody || who == w ? w : somebody;
    return who;
  }

private:
  std::vector<std::uint32_t> need;
};

/// No work: identities, constants, queries of shapes, and arithmetic on sizes,
/// whose numbers are known without running anything.
bool isTrivial(const Model &m, NodeId n) {
  if (nodeHas(m, n, OpTrait::Trivial) || nodeHas(m, n, OpTrait::Constant))
    return true;
  for (std::size_t i = 0; i < m.resultCount(n); ++i)
    if (!m[m.result(n, i)].content)
      return false;
  return m.resultCount(n) != 0;
}

} // namespace

const std::vector<EagerWork> &ModelFacts::eagerWork(bool defaultsHold) {
  std::optional<std::vector<EagerWork>> &eager = eagerBy[defaultsHold ? 1 : 0];
  if (eager)
    return *eager;
  eager.emplace();
  Needs needs(m.valueCount());
  const auto isConstant = [&](NodeId n) {
    return m.resultCount(n) != 0 && constants.holds(m.result(n, 0), defaultsHold);
  };
  // What nested graphs read of the graphs around them; a graph of which no branch reads does no work for one alone.
  std::vector<bool> isRead(m.graphCount());
  const auto captured = [&](ValueId v, GraphId user) {
    if (!v || !m[v].graph || m[v].graph == user || !m.encloses(m[v].graph, user))
      return;
    const GraphId region = regionUnder(m, m[v].graph, user);
    const bool branch = conditional[m[region].owner.index()];
    needs.add(v, branch ? region.index() : Needs::somebody);
    isRead[m[v].graph.index()] = isRead[m[v].graph.index()] || branch;
  };
  for (std::uint32_t i = 0; i < m.graphCount(); ++i) {
    const GraphId g(i);
    if (replaced[i] || !m[g].parent)
      continue;
    for (NodeId n : m.nodes(g))
      for (ValueId v : m.operands(n))
        captured(v, g);
    for (ValueId v : m.results(g))
      captured(v, g);
  }
  // Backwards through each graph: what a node needs is needed by who needs it.
  for (std::uint32_t i = 0; i < m.graphCount(); ++i) {
    const GraphId g(i);
    if (replaced[i] || !isRead[i])
      continue;
    for (ValueId v : m.results(g))
      if (v && m[v].graph == g)
        needs.add(v, Needs::somebody);
    // A graph that none is around reads values of its own, unless some use is out of its scope.
    const bool readsOwn = scope.empty() && !m[g].parent && m.info.format != Format::Cxx;
    std::map<std::uint32_t, std::vector<NodeId>> work;
    // The nodes of one graph are numbered in its order, those of the graphs inside of it between them.
    const std::uint32_t first = m[g].firstNode ? m[g].firstNode.index() : 0;
    for (std::uint32_t k = m[g].lastNode ? m[g].lastNode.index() + 1 : 0; k-- > first;) {
      const NodeId n(k);
      const std::uint32_t who = m[n].graph == g ? needs.of(m, n) : Needs::nobody;
      if (who == Needs::nobody)
        continue;
      for (ValueId v : m.operands(n))
        if (v && (readsOwn || m[v].graph == g))
          needs.add(v, who);
      // What stands behind the conditional is out of order, which is worse.
      if (who < Needs::somebody && m[n].position < m[m[GraphId(who)].owner].position && !isTrivial(m, n) &&
          !isConstant(n))
        work[who].push_back(n);
    }
    for (auto &[branch, list] : work)
      eager->push_back({m[GraphId(branch)].owner, GraphId(branch), {list.rbegin(), list.rend()}});
  }
  return *eager;
}

} // namespace condlint

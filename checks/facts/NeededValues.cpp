//===- NeededValues.cpp - What a result of an ONNX model hangs on ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NeededValues.h"
#include <cstdint>
#include <string_view>
#include <utility>

namespace condlint {

namespace {

/// Walks from the results of the graphs that nothing owns or calls to what they hang on.
class NeedWalk {
public:
  explicit NeedWalk(const Model &model) : m(model), isNeeded(m.valueCount(), false), isEntered(m.nodeCount(), false) {
    std::vector<bool> isCalled(m.graphCount(), false);
    for (std::uint32_t i = 0; i < m.nodeCount(); ++i)
      if (const GraphId function = m[NodeId(i)].callee)
        isCalled[function.index()] = true;
    for (std::uint32_t i = 0; i < m.graphCount(); ++i)
      if (const GraphId g(i); !m[g].owner && !isCalled[i])
        for (const ValueId v : m.results(g))
          need(v);
    while (!open.empty()) {
      const ValueId v = open.back();
      open.pop_back();
      if (const NodeId maker = m[v].def)
        enter(maker, v);
      else
        enterParameter(v);
    }
  }

  std::vector<bool> take() && { return std::move(isNeeded); }

private:
  const Model &m;
  std::vector<bool> isNeeded, isEntered;
  std::vector<ValueId> open;

  void need(ValueId v) {
    if (!v || isNeeded[v.index()])
      return;
    isNeeded[v.index()] = true;
    open.push_back(v);
  }

  std::string_view nameOf(NodeId n) const { return m.text(m[m[n].op].name); }

  /// How many results of a region stand in front of those that leave its owner: the condition of a Loop.
  std::size_t resultsInFront(NodeId owner) const { return nameOf(owner) == "Loop" ? 1 : 0; }

  /// Result \p v of \p maker is needed.
  void enter(NodeId maker, ValueId v) {
    const bool isFirst = !isEntered[maker.index()];
    isEntered[maker.index()] = true;
    if (isFirst)
      for (const ValueId operand : m.operands(maker))
        need(operand);
    if (const GraphId function = m[maker].callee) {
      const auto results = m.results(function);
      for (std::size_t k = 0; k < results.size(); ++k)
        if (k >= m.resultCount(maker) ? isFirst : m.result(maker, k) == v)
          need(results[k]);
    }
    const std::size_t front = resultsInFront(maker);
    for (const GraphId g : m.regions(maker)) {
      if (!g)
        continue;
      const auto results = m.results(g);
      for (std::size_t k = 0; k < results.size(); ++k) {
        // What the owner does not declare, nobody can ask for; whether it is kept is not known.
        const bool isDeclared = k >= front && k - front < m.resultCount(maker);
        if (isDeclared ? m.result(maker, k - front) == v : isFirst)
          need(results[k]);
      }
    }
  }

  /// A parameter of a loop's body is what the trip before returned in its place.
  void enterParameter(ValueId v) {
    const GraphId g = m[v].graph;
    const NodeId owner = g ? m[g].owner : NodeId();
    const std::uint32_t first = g ? m[g].parameters.first : 0;
    if (!owner || v.index() < first || v.index() >= first + m[g].parameters.count)
      return;
    // In front of what is carried a Loop's body is given the number of the trip.
    const std::size_t at = v.index() - first, front = resultsInFront(owner);
    const auto results = m.results(g);
    if (at >= front && at - front < results.size())
      need(results[at - front]);
  }
};

} // namespace

bool NeededValues::needs(ValueId v) {
  if (!found)
    found = NeedWalk(m).take();
  return (*found)[v.index()];
}

bool NeededValues::holdsAny(NodeId n) {
  for (std::size_t i = 0; i < m.resultCount(n); ++i)
    if (needs(m.result(n, i)))
      return true;
  return false;
}

bool NeededValues::holds(NodeId n, std::size_t i) { return i < m.resultCount(n) && needs(m.result(n, i)); }

} // namespace condlint

//===- Plans.cpp - In which order a graph runs, and what is free when -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Interpreter.h"
#include <algorithm>
#include <functional>
#include <iterator>
#include <queue>
#include <utility>

namespace condlint {

template <class Use> void Interpreter::forEachUse(NodeId n, Use &&use) {
  for (ValueId v : m.operands(n))
    use(v);
  for (GraphId r : m.regions(n))
    if (r)
      for (ValueId v : capturesOf(r))
        use(v);
}

const std::vector<ValueId> &Interpreter::capturesOf(GraphId g) {
  if (const auto it = captures.find(g); it != captures.end())
    return it->second;
  std::vector<ValueId> free;
  const auto use = [&](ValueId v) {
    if (v && m[v].graph != g)
      free.push_back(v);
  };
  for (NodeId n : m.nodes(g))
    forEachUse(n, use);
  for (ValueId v : m.results(g))
    use(v);
  std::ranges::sort(free);
  free.erase(std::ranges::unique(free).begin(), free.end());
  return captures.emplace(g, std::move(free)).first->second;
}

std::vector<NodeId> Interpreter::executionOrder(GraphId g) {
  std::vector<NodeId> inFile;
  std::unordered_map<NodeId, std::vector<NodeId>> readers; // by what they wait for
  std::unordered_map<NodeId, std::size_t> waitsFor;
  bool sorted = true;
  for (NodeId n : m.nodes(g)) {
    inFile.push_back(n);
    forEachUse(n, [&](ValueId v) {
      if (v && m[v].graph == g && m[v].origin == ValueOrigin::Result)
        sorted &= m[v].def < n; // nodes are counted as they stand in the file
    });
  }
  if (sorted || m.info.dialect != Dialect::Onnx)
    return inFile;
  for (NodeId n : inFile)
    forEachUse(n, [&](ValueId v) {
      if (!v || m[v].graph != g || m[v].origin != ValueOrigin::Result)
        return;
      readers[m[v].def].push_back(n);
      ++waitsFor[n];
    });
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  for (NodeId n : inFile)
    if (waitsFor[n] == 0)
      ready.push(n);
  std::vector<NodeId> order;
  while (!ready.empty()) {
    const NodeId n = ready.top();
    ready.pop();
    order.push_back(n);
    for (NodeId reader : readers[n])
      if (--waitsFor[reader] == 0)
        ready.push(reader);
  }
  // What waits for itself comes last, and says what it lacks.
  std::ranges::copy_if(inFile, std::back_inserter(order), [&](NodeId n) { return waitsFor[n] != 0; });
  return order;
}

const Interpreter::Plan &Interpreter::planOf(GraphId g) {
  std::unique_ptr<Plan> &plan = plans[g.index()];
  if (plan)
    return *plan;
  plan = std::make_unique<Plan>();
  plan->steps.reserve(m[g].nodeCount);
  constexpr std::uint32_t never = UINT32_MAX;
  // A value is free after the last node that reads it, or that made it.
  std::vector<ValueId> own;
  std::uint32_t step = 0;
  const auto use = [&](ValueId v) {
    if (v && m[v].graph == g && (m[v].origin == ValueOrigin::Result || m[v].origin == ValueOrigin::Parameter))
      lastUse[v.index()] = step;
  };
  const Range parameters = m[g].parameters;
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    own.push_back(ValueId(parameters.first + i));
    lastUse[parameters.first + i] = never;
  }
  for (NodeId n : executionOrder(g)) {
    for (std::uint32_t i = 0; i < m[n].results.count; ++i) {
      own.push_back(m.result(n, i));
      lastUse[m.result(n, i).index()] = step;
    }
    forEachUse(n, use);
    plan->steps.push_back({n, 0, 0});
    ++step;
  }
  for (ValueId v : m.results(g))
    if (v && m[v].graph == g)
      lastUse[v.index()] = never;
  std::ranges::sort(own, {}, [&](ValueId v) { return std::pair(lastUse[v.index()], v.index()); });
  std::size_t next = 0;
  for (std::uint32_t s = 0; s < plan->steps.size(); ++s) {
    plan->steps[s].firstRelease = static_cast<std::uint32_t>(plan->releases.size());
    for (; next < own.size() && lastUse[own[next].index()] == s; ++next)
      plan->releases.push_back(own[next]);
    plan->steps[s].releases = static_cast<std::uint32_t>(plan->releases.size()) - plan->steps[s].firstRelease;
  }
  findBatches(*plan);
  plan->atEnd.assign(own.begin() + static_cast<std::ptrdiff_t>(next), own.end());
  return *plan;
}

} // namespace condlint

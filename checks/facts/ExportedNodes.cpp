//===- ExportedNodes.cpp - What exporting keeps of graphs -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExportedNodes.h"
#include <algorithm>
#include <queue>
#include <string_view>

namespace condlint {

bool isKeptForItself(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return name.ends_with('_') || (m.resultCount(n) == 0 && name != "_assert_tensor_metadata");
}

namespace {

/// A node that runs regions in the memory that they share.
bool runsRegions(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return name == "cond" || name == "map_impl" || name == "scan" || name == "while_loop";
}

} // namespace

void ExportedNodes::keep(GraphId g, Found &f) const {
  const auto need = [&](ValueId v) { f.needed[v.index()] = true; };
  for (const ValueId v : m.results(g))
    if (v)
      need(v);
  const std::vector<NodeId> kept = keptBackwards(m, g, [&](ValueId v) { return f.needed[v.index()]; }, need);
  for (auto n = kept.rbegin(); n != kept.rend(); ++n) {
    f.kept[n->index()] = true;
    if (runsRegions(m, *n))
      f.runners.push_back(*n);
  }
}

void ExportedNodes::listReaders(Found &f) const {
  const auto eachRead = [&](const auto &use) {
    for (std::uint32_t i = 0; i < m.graphCount(); ++i)
      for (const NodeId n : m.nodes(GraphId(i)))
        if (f.kept[n.index()])
          for (const ValueId v : m.operands(n))
            if (v)
              use(v, n);
  };
  f.first.assign(m.valueCount() + 1, 0);
  eachRead([&](ValueId v, NodeId) { ++f.first[v.index() + 1]; });
  for (std::size_t i = 1; i < f.first.size(); ++i)
    f.first[i] += f.first[i - 1];
  f.readers.resize(f.first.back());
  std::vector<std::uint32_t> next(f.first.begin(), f.first.end() - 1);
  eachRead([&](ValueId v, NodeId n) { f.readers[next[v.index()]++] = n; });
}

const ExportedNodes::Found &ExportedNodes::find() {
  if (found)
    return *found;
  Found &f = found.emplace();
  f.kept.resize(m.nodeCount());
  f.needed.resize(m.valueCount());
  for (std::uint32_t i = 0; i < m.graphCount(); ++i) {
    f.firstRunner.push_back(static_cast<std::uint32_t>(f.runners.size()));
    keep(GraphId(i), f);
  }
  f.firstRunner.push_back(static_cast<std::uint32_t>(f.runners.size()));
  listReaders(f);
  return f;
}

bool ExportedNodes::isNeeded(ValueId v) { return find().needed[v.index()]; }

std::span<const NodeId> ExportedNodes::readersOf(ValueId v) {
  const Found &f = find();
  return std::span(f.readers).subspan(f.first[v.index()], f.first[v.index() + 1] - f.first[v.index()]);
}

std::span<const NodeId> ExportedNodes::regionsBehind(NodeId n) {
  const Found &f = find();
  const std::size_t g = m[n].graph.index();
  const auto all = std::span(f.runners).subspan(f.firstRunner[g], f.firstRunner[g + 1] - f.firstRunner[g]);
  const auto position = [&](NodeId each) { return m[each].position; };
  return {std::ranges::upper_bound(all, position(n), {}, position), all.end()};
}

void ExportedNodes::eachReader(std::span<const ValueId> values, NodeId n,
                               const std::function<void(NodeId reader, const Follow &follow)> &visit) {
  using Place = std::pair<std::uint32_t, NodeId>; // in the graph
  const auto isLater = [](const Place &a, const Place &b) { return a.first > b.first; };
  std::priority_queue<Place, std::vector<Place>, decltype(isLater)> open(isLater);
  std::uint32_t last = m[n].position;
  const Follow follow = [&](ValueId v) {
    if (!v)
      return;
    for (const NodeId reader : readersOf(v))
      if (m[reader].graph == m[n].graph && m[reader].position > last)
        open.emplace(m[reader].position, reader);
  };
  std::ranges::for_each(values, follow);
  while (!open.empty()) {
    const auto [position, reader] = open.top();
    open.pop();
    if (position == last)
      continue; // it reads several of them
    last = position;
    visit(reader, follow);
  }
}

} // namespace condlint

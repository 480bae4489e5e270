//===- Slice.cpp - The part of a branch that matters ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Slice.h"
#include <algorithm>

namespace condlint::drawing {

namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

constexpr std::uint32_t unmet = 0xffffffffu;

class Slicer {
public:
  Slicer(const SideGraph &graph, std::size_t limit)
      : g(graph), makers(graph.makers()), users(graph.users()), in(graph.vertices.size(), false), most(limit) {}

  std::vector<bool> run(const std::vector<std::uint32_t> &named, std::vector<std::uint32_t> outputs) {
    for (const std::uint32_t v : named) {
      take(v);
      follow(v, users, [&](std::uint32_t u) { return g.vertices[u].kind == Drawing::Kind::Output; });
      follow(v, makers, [&](std::uint32_t u) { return isEntry(g.vertices[u].kind); });
    }
    // What is written in place reaches what is returned through memory alone.
    if (outputs.empty() && std::ranges::none_of(g.outputs, [&](std::uint32_t v) { return in[v]; }))
      outputs = g.outputs;
    for (const std::uint32_t v : outputs)
      take(v);
    // The nearest first, of all outputs in turn.
    std::vector<bool> met(in.size(), false);
    std::vector<std::uint32_t> queue = outputs;
    for (const std::uint32_t v : outputs)
      met[v] = true;
    for (std::size_t i = 0; i < queue.size() && taken < most; ++i)
      for (const std::uint32_t maker : makers[queue[i]])
        if (!met[maker] && taken < most) {
          met[maker] = true;
          take(maker);
          queue.push_back(maker);
        }
    return std::move(in);
  }

private:
  static bool isEntry(Drawing::Kind k) { return k == Drawing::Kind::Operand || k == Drawing::Kind::Capture; }

  void take(std::uint32_t v) {
    taken += in[v] ? 0U : 1U;
    in[v] = true;
  }

  /// Takes what lies on one shortest way from \p v to a vertex for which \p isEnd holds; of a way that is longer than
  /// there is room for, what lies nearest.
  template <class IsEnd> void follow(std::uint32_t v, const Lists &next, IsEnd isEnd) {
    std::vector<std::uint32_t> before(in.size(), unmet), queue{v};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (queue[i] != v && isEnd(queue[i])) {
        std::vector<std::uint32_t> way;
        for (std::uint32_t at = queue[i]; at != v; at = before[at])
          way.push_back(at);
        take(way.front());
        for (auto at = way.rbegin(); at != way.rend() && taken < most; ++at)
          take(*at);
        return;
      }
      for (const std::uint32_t other : next[queue[i]])
        if (other != v && before[other] == unmet) {
          before[other] = queue[i];
          queue.push_back(other);
        }
    }
  }

  const SideGraph &g;
  Lists makers, users;
  std::vector<bool> in;
  std::size_t most, taken = 0;
};

} // namespace

std::vector<bool> sliceOf(const SideGraph &g, const std::vector<std::uint32_t> &named,
                          const std::vector<std::uint32_t> &outputs, std::size_t most) {
  return Slicer(g, most).run(named, outputs);
}

} // namespace condlint::drawing

//===- NetworkLayers.cpp - When each layer of a conditional is evaluated --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the report: the layers inside of a conditional, those in front of
// it that only one of its branches needs, and those that it reads of what runs anyway.
//
//===----------------------------------------------------------------------===//
#include "NetworkLayers.h"
#include "DescribeNetwork.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>

namespace condlint {

namespace {

constexpr std::array<std::string_view, 2> sides{"true", "false"};

class Listing {
public:
  Listing(const RuleContext &context, const Construct &construct)
      : m(context.m), network(*context.facts.network), c(construct) {}

  void run(ConditionalSummary &summary) {
    const std::vector<NodeId> &t = c.interior[0];
    const std::vector<NodeId> &f = c.interior[1];
    std::vector<NodeId> both;
    const auto before = [](NodeId a, NodeId b) { return a.index() < b.index(); };
    std::ranges::set_intersection(t, f, std::back_inserter(both), before);
    for (std::size_t side = 0; side < 2; ++side)
      for (NodeId n : c.interior[side]) {
        const bool isBoth = std::ranges::binary_search(both, n, before);
        if (!isBoth || side == 0)
          add(n, ConditionalSummary::When::Lazy, isBoth ? std::string_view() : sides[side]);
      }
    for (const EagerLayers &e : network.eager())
      if (&network.constructs()[e.construct] == &c) {
        const std::unordered_set<ValueId> reads(e.reads.begin(), e.reads.end());
        for (NodeId n : e.layers)
          add(n, ConditionalSummary::When::Eager, sides[e.branch], readsOf(n, reads));
      }
    // What runs anyway and is read here.
    for (const auto *part : {&c.interior[0], &c.interior[1], &c.inputs, &c.outputs})
      for (NodeId n : *part)
        for (std::size_t i = firstInput(m, n); i < m.operands(n).size(); ++i)
          if (const NodeId maker = makerOf(m, n, i); maker && runsAnyway(maker))
            add(maker, ConditionalSummary::When::Shared, {});
    std::ranges::sort(found, {}, [](const auto &entry) { return entry.first.index(); });
    for (auto &[n, layer] : found)
      summary.layers.push_back(std::move(layer));
  }

private:
  bool runsAnyway(NodeId n) const {
    const std::string_view name = layerName(m, n);
    const bool isEntry = name.find('.') != std::string_view::npos && !name.ends_with("Output");
    return !name.empty() && !isEntry && name != "addInput" && name != "getOutput" && !network.isConstant(n) &&
           !network.isInside(n, c);
  }

  std::string readsOf(NodeId n, const std::unordered_set<ValueId> &reads) const {
    constexpr std::size_t most = 8;
    std::string out;
    std::unordered_set<ValueId> shown;
    for (ValueId v : m.operands(n)) {
      if (!reads.contains(v) || !shown.insert(v).second)
        continue;
      if (shown.size() > most)
        return out + ", …";
      out += (out.empty() ? "" : ", ") + spellTensor(m, v);
    }
    return out;
  }

  void add(NodeId n, ConditionalSummary::When when, std::string_view branch, std::string via = {}) {
    if (layerName(m, n).empty() || !seen.insert(n).second)
      return;
    ConditionalSummary::Layer layer;
    const std::string_view name = layerName(m, n);
    layer.name = name.substr(name.find('.') == std::string_view::npos ? 0 : name.find('.') + 1);
    layer.location = m.location(n);
    layer.when = when;
    layer.branch = branch;
    layer.via = std::move(via);
    found.emplace_back(n, std::move(layer));
  }

  const Model &m;
  const NetworkFacts &network;
  const Construct &c;
  std::vector<std::pair<NodeId, ConditionalSummary::Layer>> found;
  std::unordered_set<NodeId> seen;
};

} // namespace

void listLayers(const RuleContext &ctx, ConditionalSummary &summary) {
  const NetworkFacts &network = *ctx.facts.network;
  const Construct *c = network.at(ctx.conditional().node);
  if (!c)
    return;
  Listing(ctx, *c).run(summary);
  for (const auto *part : {&c->conditions, &c->inputs, &c->outputs})
    for (NodeId n : *part)
      summary.boundary.push_back(ctx.m.location(n));
  // The calls of helpers that lead to it belong to it like its own layers.
  for (SourceLocation &call : read(ctx.m, c->node, attr::calls))
    summary.boundary.push_back(std::move(call));
  if (const std::optional<SourceLocation> function = read(ctx.m, c->node, attr::functionAt))
    summary.function = *function;
  for (NodeId out : c->outputs)
    if (const Construct *outer = network.lazyIn(out); outer && outer != c) {
      summary.inside = ctx.m.path(outer->node);
      const auto &t = outer->interior[0];
      summary.insideBranch = sides[std::ranges::find(t, out) != t.end() ? 0 : 1];
      break;
    }
}

} // namespace condlint

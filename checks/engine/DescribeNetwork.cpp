//===- DescribeNetwork.cpp - Layers and constructs in words ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DescribeNetwork.h"
#include "Describe.h"
#include "condlint/SourceGraph.h"
#include "facts/SourceFacts.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

std::string spellLayer(const Model &m, NodeId n) {
  const SourceLocation l = m.location(n);
  const std::string_view name = layerName(m, n);
  const std::string_view method = isCxx(m, n, CxxOp::Join)                   ? "one of several tensors"
                                  : name.find('.') == std::string_view::npos ? name
                                                                             : name.substr(name.find('.') + 1);
  return l.valid() ? fmt::format("{} ({})", method, l.str()) : std::string(method);
}

std::string spellTensor(const Model &m, ValueId v) {
  const NodeId maker = m[v].def;
  const std::string_view name = maker ? read(m, maker, attr::name) : std::string_view();
  return maker && has(m, maker, attr::name)      ? fmt::format("'{}'", name)
         : maker && !layerName(m, maker).empty() ? "the tensor of " + spellLayer(m, maker)
                                                 : "the outer tensor";
}

std::string spellConstruct(const Model &m, const Construct &c) {
  return fmt::format("the {} of {}", c.isLoop ? "loop" : "conditional", m.location(c.node).str());
}

std::string spellInside(const Model &m, const Construct &c, NodeId n) {
  if (c.isLoop)
    return "in " + spellConstruct(m, c);
  const auto in = [&](std::size_t side) { return std::ranges::find(c.interior[side], n) != c.interior[side].end(); };
  if (in(0) && !in(1))
    return "in 'true' of " + spellConstruct(m, c);
  if (in(1) && !in(0))
    return "in 'false' of " + spellConstruct(m, c);
  return "inside " + spellConstruct(m, c);
}

const Construct &constructOf(const RuleContext &ctx) { return *ctx.facts.network->at(ctx.conditional().node); }

Verdict verdictOn(const RuleContext &ctx, const Escape &e) {
  const NetworkFacts &network = *ctx.facts.network;
  const bool isOpen = !network.isOfOneTensor(e) || (ctx.standsForSeveral(ctx.m[e.user].graph) && !network.isCertain(e));
  return isOpen ? Verdict::Possible : Verdict::Violated;
}

} // namespace condlint

//===- NetworkRules.cpp - What the rules on networks share ------------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkRules.h"
#include "Describe.h"
#include "SourceFacts.h"
#include "condlint/CxxNodes.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

std::string spellLayer(const Model &m, NodeId n) {
  const SourceLocation l = m.location(n);
  const std::string_view name = layerName(m, n);
  const std::string_view method = name.substr(name.find('.') == std::string_view::npos ? 0 : name.find('.') + 1);
  return l.valid() ? fmt::format("{} ({})", method, l.str()) : std::string(method);
}

std::string spellTensor(const Model &m, ValueId v) {
  const NodeId maker = m[v].def;
  const Attribute *name = maker ? m.attribute(maker, "name") : nullptr;
  return name && name->kind == AttributeKind::String ? fmt::format("'{}'", m.text(name->text))
         : maker && !layerName(m, maker).empty()     ? "the tensor of " + spellLayer(m, maker)
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

ValueId operandOf(const Model &m, NodeId n, std::size_t i) {
  const auto operands = m.operands(n);
  return i < operands.size() ? operands[i] : ValueId();
}

NodeId makerOf(const Model &m, NodeId n, std::size_t i) {
  const ValueId v = operandOf(m, n, i);
  return v ? m[v].def : NodeId();
}

std::size_t firstInput(const Model &m, NodeId n) { return layerName(m, n).find('.') == std::string_view::npos ? 0 : 1; }

SourceLocation placeOfInput(const Model &m, NodeId n, std::size_t input) {
  const std::size_t first = firstInput(m, n);
  if (input >= first)
    if (const Attribute *a = m.attribute(n, fmt::format("input{}_at", input - first)))
      if (SourceLocation l = m.location(*a); l.valid())
        return l;
  return m.location(n);
}

bool collectsOther(const Model &m, const NetworkFacts &network, const Construct &c, NodeId n) {
  const NodeId maker = makerOf(m, n, 1);
  const std::string_view kind = attributeText(m, n, "outputKind");
  if (!maker || kind.empty() || network.isMurky(maker))
    return false;
  // What was there before the loop is none of its tensors.
  if (isCxx(m, maker, "outside"))
    return m.attribute(maker, "parameter") && (kind == "kLAST_VALUE" || !c.open);
  if (layerName(m, maker).empty())
    return false;
  if (kind == "kLAST_VALUE")
    return layerName(m, maker) != "Loop.addRecurrence" || makerOf(m, maker, 0) != c.node;
  return !network.isInside(maker, c) && !c.open;
}

} // namespace condlint

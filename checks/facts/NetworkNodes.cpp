//===- NetworkNodes.cpp - What a layer of a network reads -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NetworkNodes.h"
#include "NodeText.h"
#include "condlint/SourceGraph.h"
#include <fmt/format.h>

namespace condlint {

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
    if (const Attribute *a = m.attribute(n, attr::inputAt(input - first)))
      if (SourceLocation l = m.location(*a); l.valid())
        return l;
  return m.location(n);
}

bool collectsOther(const Model &m, const NetworkFacts &network, const Construct &c, NodeId n) {
  const NodeId maker = makerOf(m, n, 1);
  const std::string_view kind = attributeText(m, n, "outputKind");
  if (!maker || kind.empty() || network.isTainted(maker))
    return false;
  // What was there before the loop is none of its tensors.
  if (isCxx(m, maker, CxxOp::Outside))
    return has(m, maker, attr::parameter) && (kind == "kLAST_VALUE" || !c.open);
  if (layerName(m, maker).empty())
    return false;
  if (kind == "kLAST_VALUE")
    return layerName(m, maker) != "Loop.addRecurrence" || makerOf(m, maker, 0) != c.node;
  return !network.isInside(maker, c) && !c.open;
}

} // namespace condlint

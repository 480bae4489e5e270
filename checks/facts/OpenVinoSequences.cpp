//===- OpenVinoSequences.cpp - A sequence that leaves an If (OV4) ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenVinoSequences.h"
#include "NeededValues.h"
#include "graph/GraphsInside.h"
#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace condlint {

namespace {

bool isStandard(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  return op.dialect == Dialect::Onnx && m.text(op.domain).empty();
}

/// What \p n does with a sequence that it reads; \p passesOn where it yields that sequence, or what is left of it.
SequenceUse useBy(const Model &m, NodeId n, bool &passesOn) {
  const std::string_view name = m.text(m[m[n].op].name);
  passesOn = isStandard(m, n) && (name == "Identity" || name == "SequenceErase");
  if (!isStandard(m, n))
    return SequenceUse::Open;
  if (name == "SequenceLength")
    return SequenceUse::Counted;
  if (passesOn || name == "SequenceAt")
    return SequenceUse::Entries;
  return name == "ConcatFromSequence" || name == "SequenceInsert" ? SequenceUse::Whole : SequenceUse::Open;
}

/// How many entries SplitToSequence makes of a tensor.
std::optional<std::int64_t> partsOf(const Model &m, NodeId split) {
  const auto operands = m.operands(split);
  if (operands.empty() || !operands[0])
    return std::nullopt;
  const auto constant = [&](Dim d) { return d.known() ? m.dims.asConstant(d) : std::nullopt; };
  std::optional<std::int64_t> size = 1;
  if (operands.size() > 1 && operands[1]) {
    const Type &sizes = m.type(operands[1]);
    if (sizes.hasRank && sizes.dims.size() == 1)
      return constant(sizes.dims[0]);
    const ContentId content = m[operands[1]].content;
    size = sizes.hasRank && content && m.content(content).size() == 1 ? constant(m.content(content)[0]) : std::nullopt;
  }
  const Type &whole = m.type(operands[0]);
  const auto rank = static_cast<std::int64_t>(whole.dims.size());
  const Attribute *given = m.attribute(split, "axis");
  std::int64_t axis = given ? given->number : 0;
  axis += axis < 0 ? rank : 0;
  if (!whole.hasRank || axis < 0 || axis >= rank || !size || *size < 1)
    return std::nullopt;
  const auto length = constant(whole.dims[static_cast<std::size_t>(axis)]);
  return length ? std::optional((*length + *size - 1) / *size) : std::nullopt;
}

/// How many entries a sequence has, by what makes it.
std::optional<std::int64_t> lengthOf(const Model &m, ValueId v) {
  std::int64_t more = 0;
  // A model that names what comes later may go in circles.
  std::size_t left = m.nodeCount();
  for (NodeId n = m[v].def; n && isStandard(m, n) && left-- > 0; n = m[v].def) {
    const std::string_view name = m.text(m[m[n].op].name);
    const auto operands = m.operands(n);
    if (name == "SequenceEmpty")
      return more;
    if (name == "SequenceConstruct")
      return more + static_cast<std::int64_t>(operands.size());
    if (name == "SplitToSequence") {
      const auto parts = partsOf(m, n);
      return parts ? std::optional(*parts + more) : std::nullopt;
    }
    if (name != "Identity" && name != "SequenceInsert" && name != "SequenceErase")
      return std::nullopt;
    if (operands.empty() || !operands[0])
      return std::nullopt;
    more += name == "SequenceInsert" ? 1 : name == "SequenceErase" ? -1 : 0;
    v = operands[0];
  }
  return std::nullopt;
}

/// The one entry of \p v is a value of the graph around its branch itself: the entry that is taken may be that one.
bool holdsCapture(const Model &m, ValueId v) {
  const NodeId maker = m[v].def;
  const auto operands = maker ? m.operands(maker) : std::span<const ValueId>();
  return operands.empty() || !operands[0] || m[operands[0]].graph != m[maker].graph;
}

} // namespace

SequenceUse sequenceUse(const Model &m, NeededValues &needed, NodeId n, std::size_t i) {
  SequenceUse worst = SequenceUse::Dropped;
  std::set<ValueId> same = {m.result(n, i)};
  std::vector<ValueId> open(same.begin(), same.end());
  const auto follow = [&](ValueId v) {
    if (v && same.insert(v).second)
      open.push_back(v);
  };
  while (!open.empty()) {
    const ValueId v = open.back();
    open.pop_back();
    const GraphId around = m[v].graph;
    forEachGraphInside(m, {&around, 1}, [&](GraphId g) {
      const auto results = m.results(g);
      for (std::size_t r = 0; r < results.size(); ++r) {
        const NodeId owner = m[g].owner;
        if (results[r] != v || (owner && !needed.holdsAny(owner)))
          continue;
        // Of a branch, the rule looks at the outer conditional on its own.
        const bool isBranch = owner && isStandard(m, owner) && m.text(m[m[owner].op].name) == "If";
        if (isBranch && r < m.resultCount(owner))
          follow(m.result(owner, r));
        else
          worst = std::max(worst, owner ? SequenceUse::Open : SequenceUse::Whole);
      }
      for (const NodeId reader : m.nodes(g)) {
        const auto operands = m.operands(reader);
        if (std::ranges::find(operands, v) == operands.end())
          continue;
        bool passesOn = false;
        const SequenceUse use = useBy(m, reader, passesOn);
        if (use <= worst && !passesOn)
          continue;
        if (passesOn)
          follow(m.result(reader, 0));
        else if (needed.holdsAny(reader))
          worst = use;
      }
    });
  }
  return worst;
}

SequenceEntries sequenceEntries(const Model &m, const Conditional &c, SequenceUse use, ValueId a, ValueId b) {
  const auto first = lengthOf(m, a), second = lengthOf(m, b);
  if (!first || !second)
    return SequenceEntries::Open;
  if (*first == *second) {
    const Type &x = m.types[m.type(a).item], &y = m.types[m.type(b).item];
    const bool isOneKind = x.isTensor() && y.isTensor() && x.hasRank && y.hasRank && x.element != DType::Unknown;
    return isOneKind && x.dims.size() == y.dims.size() && x.element == y.element ? SequenceEntries::Found
                                                                                 : SequenceEntries::Open;
  }
  if (std::min(*first, *second) > 1)
    return SequenceEntries::Mistaken;
  // Of no entry or one it takes the other branch's, or what the branches read, which may be the same, and the number is
  // the other branch's; beside other outputs it was seen to be right.
  const bool isAlone = m.resultCount(c.node) == 1, isSame = holdsCapture(m, *first < *second ? a : b);
  return isAlone && (use == SequenceUse::Counted || !isSame) ? SequenceEntries::Mistaken : SequenceEntries::Open;
}

} // namespace condlint

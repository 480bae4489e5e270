//===- Equality.cpp - Whether two parts of a model say the same -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Equality.h"
#include "RegionArguments.h"
#include "condlint/Op.h"
#include "ops/DeclaredOperators.h"
#include <algorithm>
#include <bit>
#include <set>
#include <utility>
#include <vector>

namespace condlint {

bool isSameConstant(const Model &m, ConstantId a, ConstantId b) {
  if (a == b)
    return true;
  const Constant &x = m[a];
  const Constant &y = m[b];
  if (x.type != y.type || x.sparse || y.sparse || x.size != y.size)
    return false;
  if (x.file || y.file)
    return x.file == y.file && x.offset == y.offset;
  if (x.ints.count != y.ints.count || !std::ranges::equal(m.ints(x.ints), m.ints(y.ints)) || x.bytes != y.bytes)
    return false;
  if (!x.bytes.empty() || x.ints.count != 0 || x.size == 0)
    return true;
  return x.offset == y.offset;
}

bool isSameAttribute(const Model &m, const Attribute &a, const Attribute &b) {
  if (a.name != b.name || a.kind != b.kind || a.number != b.number ||
      std::bit_cast<std::uint64_t>(a.real) != std::bit_cast<std::uint64_t>(b.real) || a.text != b.text)
    return false;
  switch (a.kind) {
  case AttributeKind::Bools:
  case AttributeKind::Ints:
    return std::ranges::equal(m.ints(a.list), m.ints(b.list));
  case AttributeKind::Floats:
  case AttributeKind::Complex:
    return std::ranges::equal(m.reals(a.list), m.reals(b.list));
  case AttributeKind::Strings:
    return std::ranges::equal(m.stringsIn(a.list), m.stringsIn(b.list));
  case AttributeKind::Dims:
    return std::ranges::equal(m.dimsIn(a.list), m.dimsIn(b.list)) &&
           std::ranges::all_of(m.dimsIn(a.list), [](Dim d) { return d.known(); });
  case AttributeKind::Tensor:
    return isSameConstant(m, ConstantId(a.list.first), ConstantId(b.list.first));
  case AttributeKind::Tensors:
    if (a.list.count != b.list.count)
      return false;
    for (std::uint32_t i = 0; i < a.list.count; ++i)
      if (!isSameConstant(m, ConstantId(a.list.first + i), ConstantId(b.list.first + i)))
        return false;
    return true;
  case AttributeKind::Opaque:
    return false; // nobody knows what it holds
  case AttributeKind::Type:
    return a.list.first == b.list.first;
  default:
    return a.list.count == b.list.count;
  }
}

ValueId outsideOf(const Model &m, ValueId v) {
  for (RegionArgument given = regionArgument(m, v); given.value && !given.isSlice; given = regionArgument(m, v)) {
    if (nodeHas(m, m[m[v].graph].owner, OpTrait::Loop))
      return v; // which is another in each trip
    v = given.value;
  }
  return v;
}

bool isRepeatable(const Model &m, NodeId n) {
  const NodeEffects effects = effectsOf(m, n);
  return !effects.random && !mayDoAnything(m, n, effects);
}

Tri sameComputation(const Model &m, ValueId a, ValueId b) {
  constexpr std::size_t mostPairs = 1000;
  std::vector<std::pair<ValueId, ValueId>> open{{a, b}};
  std::set<std::pair<ValueId, ValueId>> seen; // what is used twice is looked at once
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    const ValueId v = x ? outsideOf(m, x) : x, w = y ? outsideOf(m, y) : y;
    if (v == w || !seen.emplace(v, w).second)
      continue;
    if (seen.size() > mostPairs)
      return Tri::Unknown;
    if (!v || !w || m[v].origin != ValueOrigin::Result || m[w].origin != ValueOrigin::Result ||
        m[v].index != m[w].index)
      return Tri::No;
    const NodeId p = m[v].def, q = m[w].def;
    const auto from = m.operands(p), to = m.operands(q);
    if (m[p].op != m[q].op || m[p].callee != m[q].callee || !m.regions(p).empty() || !isRepeatable(m, p) ||
        from.size() != to.size() ||
        !std::ranges::equal(m.attributes(p), m.attributes(q),
                            [&](const auto &s, const auto &t) { return isSameAttribute(m, s, t); }))
      return Tri::No;
    for (std::size_t i = 0; i < from.size(); ++i)
      open.emplace_back(from[i], to[i]);
  }
  return Tri::Yes;
}

bool isSameComputation(const Model &m, ValueId a, ValueId b) { return sameComputation(m, a, b) == Tri::Yes; }

} // namespace condlint

//===- LaterTrips.cpp - What later trips of a loop may be given -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaterTrips.h"
#include "condlint/Op.h"
#include "graph/GraphsInside.h"
#include "graph/LoopCarries.h"
#include <algorithm>

namespace condlint {

namespace {

/// \p a says something that \p b does not: what kind of value it is, a rank, a size; in torch, where nothing keeps them
/// from trip to trip, an element type, a device.
bool saysMore(const Model &m, const Type &a, const Type &b) {
  if (a.kind != b.kind)
    return a.kind != ValueKind::Unknown;
  if (a.kind == ValueKind::Sequence || a.kind == ValueKind::Optional)
    return a.item != b.item && a.item && saysMore(m, m.types[a.item], m.types[b.item]);
  if (m.info.dialect == Dialect::Torch && a.isTensor() &&
      ((a.element != DType::Unknown && a.element != b.element) || (a.device && a.device != b.device)))
    return true;
  if (!a.isTensor() || !a.hasRank)
    return false;
  if (!b.hasRank || a.dims.size() != b.dims.size())
    return true;
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (a.dims[i].known() && a.dims[i] != b.dims[i])
      return true;
  return false;
}

/// \p a says how a tensor lies in memory, and \p b does not, or otherwise.
bool saysMoreOfMemory(const Type &a, const Type &b) {
  return a.isTensor() && a.hasStrides && (!b.hasStrides || !std::ranges::equal(a.strides, b.strides));
}

/// What the loop \p n carries, where it may run more than once.
LoopCarries repeatedBy(const Model &m, NodeId n) {
  LoopCarries c = carriedBy(m, n);
  if (!c.body || m.text(m[m[n].op].name) != "Loop")
    return c;
  const ValueId trips = m.operands(n)[0];
  const ContentId content = trips ? m[trips].content : ContentId();
  const auto most = content && m.content(content).size() == 1 ? m.dims.asConstant(m.content(content)[0]) : std::nullopt;
  return most.value_or(2) > 1 ? c : LoopCarries();
}

} // namespace

const std::vector<std::uint8_t> &LaterTrips::found() {
  if (!states)
    states = find();
  return *states;
}

std::uint8_t LaterTrips::stateOf(ValueId v) {
  const std::vector<std::uint8_t> &all = found();
  return v && !all.empty() ? all[v.index()] : std::uint8_t(0);
}

std::vector<std::uint8_t> LaterTrips::find() {
  std::vector<std::uint8_t> found;
  // Few nodes own graphs.
  for (std::uint32_t g = 0; m.info.format != Format::Cxx && g < m.graphCount(); ++g) {
    const NodeId n = m[GraphId(g)].owner;
    if (!n)
      continue;
    const LoopCarries carried = repeatedBy(m, n);
    for (std::size_t c = 0; c < carried.count; ++c) {
      const ValueId v = carried.parameter(m, c), first = carried.given(m, n, c), next = carried.next(m, c);
      if (!v || !first || !next)
        continue;
      // What is known of the parameter holds in every trip where what is passed first and what each trip leaves says
      // it.
      const bool isBelieved = saysMore(m, m.type(v), m.type(first)) || saysMore(m, m.type(v), m.type(next));
      std::uint8_t state = isBelieved ? changed | believed : 0;
      if (!isBelieved && saysMore(m, m.type(first), m.type(v)))
        state = changed;
      if (saysMoreOfMemory(m.type(v), m.type(first)) || saysMoreOfMemory(m.type(v), m.type(next)))
        state |= moved;
      if (state == 0)
        continue;
      found.resize(m.valueCount(), 0);
      found[v.index()] = state;
    }
  }
  // Functions that call each other, and what regions yield, take further passes.
  constexpr unsigned mostPasses = 16;
  unsigned passes = 0;
  while (!found.empty() && passes <= mostPasses && spread(found))
    ++passes;
  if (passes > mostPasses) // how far it goes on nobody looks: anything may be such a value
    std::ranges::fill(found, std::uint8_t(changed | believed | moved));
  return found;
}

bool LaterTrips::spread(std::vector<std::uint8_t> &found) {
  bool more = false;
  const auto add = [&](ValueId v, unsigned state) {
    if (!v || (found[v.index()] | state) == found[v.index()])
      return;
    found[v.index()] = static_cast<std::uint8_t>(found[v.index()] | state);
    more = true;
  };
  const auto of = [&](std::span<const ValueId> values) {
    unsigned state = 0;
    for (const ValueId v : values)
      state |= v ? found[v.index()] : 0U;
    return state;
  };
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const unsigned given = of(m.operands(n));
    unsigned yielded = given;
    const bool isLoop = nodeHas(m, n, OpTrait::Loop);
    const auto enter = [&](GraphId g) {
      for (std::uint32_t p = 0; p < m[g].parameters.count; ++p) {
        const ValueId v(m[g].parameters.first + p);
        add(v, given);
        // What a loop yields is what its trips leave, in every shape that these may have.
        yielded |= isLoop ? found[v.index()] & believed : 0U;
      }
      yielded |= isLoop ? of(m.results(g)) & believed : of(m.results(g));
    };
    for (const GraphId g : m.regions(n))
      if (g)
        enter(g);
    if (m[n].callee)
      enter(m[n].callee);
    for (std::size_t r = 0; yielded != 0 && r < m.resultCount(n); ++r)
      add(m.result(n, r), yielded);
  }
  return more;
}

NodeId LaterTrips::readerIn(const Conditional &c) {
  NodeId reader;
  if (found().empty())
    return reader;
  for (const Branch &b : c.branches)
    if (b.graph)
      forEachGraphInside(m, std::span(&b.graph, 1), [&](GraphId g) {
        for (const NodeId n : m.nodes(g))
          for (const ValueId v : m.operands(n))
            if (!reader && changes(v))
              reader = n;
      });
  return reader;
}

} // namespace condlint

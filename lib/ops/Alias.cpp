//===- Alias.cpp - Who shares storage with whom, and who writes it --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Alias.h"
#include "ControlFlow.h"
#include "condlint/SourceGraph.h"
#include <algorithm>

namespace condlint {

namespace {
// A chain of opaque operators may lead every value of a model to every later one;
// beyond this a value is one that may come from anything.
constexpr std::size_t maxRoots = 64;
} // namespace

AliasAnalysis::AliasAnalysis(const Model &model) : m(model) {
  // ONNX graphs are values without storage: nothing aliases, nothing is written.
  if (m.info.dialect != Dialect::Torch)
    return;
  if (m.main())
    addGraph(m.main());
  // The functions of a translation unit.
  for (std::uint32_t f = 0; m.info.format == Format::Cxx && f < m.functionCount(); ++f)
    if (const GraphId body = m[FunctionId(f)].body; body && body != m.main())
      addGraph(body);
}

bool AliasAnalysis::isJoin(NodeId n) const { return isCxx(m, n, CxxOp::Join); }

void AliasAnalysis::addGraph(GraphId g) {
  for (NodeId n : m.nodes(g))
    addNode(n);
}

void AliasAnalysis::addNode(NodeId n) {
  const GraphId g = m[n].graph;
  if (!m[n].regions.empty())
    addRegions(n);
  const NodeEffects effects = effectsOf(m, n);
  const auto operands = m.operands(n);
  for (std::uint32_t written : effects.writes)
    if (written < operands.size() && operands[written])
      writeTable[g].push_back({n, n, operands[written], true});
  for (std::uint32_t written : effects.mayWrite)
    if (written < operands.size() && operands[written])
      writeTable[g].push_back({n, n, operands[written], false});
  for (const NodeEffects::Alias &a : effects.aliases)
    if (a.operand < operands.size() && operands[a.operand] && a.result < m.resultCount(n))
      addAlias(m.result(n, a.result), operands[a.operand], a.kind, n);
  if (!effects.opaque || worksOnCopies(m, n))
    return;
  opaqueTable[g].push_back(n);
  for (std::size_t r = 0; r < m.resultCount(n); ++r)
    for (ValueId operand : operands)
      if (operand && m.type(operand).isTensor() && m.type(m.result(n, r)).isTensor())
        addAlias(m.result(n, r), operand, AliasKind::May, n);
}

void AliasAnalysis::addRegions(NodeId n) {
  const std::vector<ValueId> given = regionOperands(m, n);
  std::size_t regionCount = 0;
  for (std::size_t r = 0; r < m.regions(n).size(); ++r)
    regionCount += m.regions(n)[r].valid() ? 1U : 0U;
  const bool loop = nodeHas(m, n, OpTrait::Loop);
  // How a value of a region is called outside: a parameter is what was passed.
  const auto outside = [&](ValueId v, GraphId region) {
    const Value &x = m[v];
    if (x.graph != region)
      return m.encloses(region, x.graph) ? ValueId() : v;
    if (x.origin == ValueOrigin::Parameter && x.index < given.size())
      return given[x.index];
    return ValueId();
  };
  for (std::size_t r = 0; r < m.regions(n).size(); ++r) {
    const GraphId region = m.regions(n)[r];
    if (!region)
      continue;
    addGraph(region);
    if (const auto inner = writeTable.find(region); inner != writeTable.end()) {
      const std::vector<Write> writes = inner->second;
      for (const Write &w : writes) {
        for (const Source &s : sources(w.target))
          if (const ValueId target = outside(s.value, region))
            writeTable[m[n].graph].push_back({n, w.writer, target, w.certain && s.certain});
        if (!isComplete(w.target))
          opaqueTable[m[n].graph].push_back(n);
      }
    }
    const auto results = m.results(region);
    for (std::size_t i = 0; i < results.size() && i < m.resultCount(n); ++i) {
      if (!results[i])
        continue;
      for (const Source &s : sources(results[i]))
        if (const ValueId from = outside(s.value, region)) {
          const bool certain = s.certain && regionCount == 1 && !loop;
          addAlias(m.result(n, i), from,
                   s.isCopiedByTracer ? AliasKind::Eager
                   : certain          ? AliasKind::Must
                                      : AliasKind::May,
                   n);
        }
    }
  }
}

void AliasAnalysis::addAlias(ValueId result, ValueId operand, AliasKind kind, NodeId node) {
  Source self;
  const auto from = roots(operand, self);
  // The list of the operand may move when the result's is made.
  const std::vector<Source> copy(from.begin(), from.end());
  if (!isComplete(operand))
    incomplete.insert(result);
  std::vector<Source> &list = rootTable[result];
  const NodeId join = m.info.format == Format::Cxx && isJoin(node) ? node : NodeId();
  for (const Source &s : copy) {
    const bool certain = s.certain && kind == AliasKind::Must;
    const bool copied = s.isCopiedByTracer || kind == AliasKind::Eager;
    const auto same = std::ranges::find(list, s.value, &Source::value);
    if (same != list.end()) {
      same->certain = same->certain || certain;
      same->isCopiedByTracer = same->isCopiedByTracer && copied;
    } else if (s.value == result)
      continue;
    else if (list.size() < maxRoots)
      list.push_back({s.value, certain, node, join ? join : s.join, copied});
    else
      incomplete.insert(result);
  }
}

std::span<const AliasAnalysis::Source> AliasAnalysis::roots(ValueId v, Source &self) const {
  const auto it = rootTable.find(v);
  if (it != rootTable.end() && !it->second.empty())
    return it->second;
  self = {v, true, NodeId()};
  return {&self, 1};
}

std::vector<AliasAnalysis::Source> AliasAnalysis::sources(ValueId v) const {
  Source self;
  const auto list = roots(v, self);
  return {list.begin(), list.end()};
}

std::vector<AliasAnalysis::Source> AliasAnalysis::tracedSources(ValueId v) const {
  std::vector<Source> list = sources(v);
  const auto copies = std::erase_if(list, [](const Source &s) { return s.isCopiedByTracer; });
  if (copies != 0 && list.empty())
    list.push_back({v, true, NodeId()});
  return list;
}

AliasAnalysis::Sharing AliasAnalysis::share(ValueId a, ValueId b) const {
  if (a == b)
    return Sharing::Yes;
  Source selfA;
  Source selfB;
  Sharing found = isComplete(a) && isComplete(b) ? Sharing::No : Sharing::May;
  for (const Source &x : roots(a, selfA))
    for (const Source &y : roots(b, selfB))
      if (x.value == y.value) {
        if (certainTogether(x, y))
          return Sharing::Yes;
        found = Sharing::May;
      }
  return found;
}

std::span<const AliasAnalysis::Write> AliasAnalysis::writes(GraphId g) const {
  const auto it = writeTable.find(g);
  return it == writeTable.end() ? std::span<const Write>() : std::span<const Write>(it->second);
}

std::span<const NodeId> AliasAnalysis::opaqueNodes(GraphId g) const {
  const auto it = opaqueTable.find(g);
  return it == opaqueTable.end() ? std::span<const NodeId>() : std::span<const NodeId>(it->second);
}

} // namespace condlint

//===- OutputDuplicate.cpp - No two outputs of a branch are one (A2, A5) --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

namespace condlint {

namespace {

/// True for a value whose storage comes from outside the branch: returning it is
/// output-alias, and returning it twice no news.
bool isOuter(const RuleContext &ctx, GraphId branch, ValueId root) {
  const Value &x = ctx.m[root];
  return x.graph != branch || x.origin == ValueOrigin::Parameter;
}

/// How many outputs branch \p b has more than the other, and than the conditional.
std::size_t surplusOf(const RuleContext &ctx, std::size_t b) {
  const std::size_t declared = ctx.m.resultCount(ctx.conditional().node);
  const std::size_t wanted = std::max(ctx.results(1 - b).size(), declared);
  const std::size_t count = ctx.results(b).size();
  return count > wanted ? count - wanted : 0;
}

void checkReturn(RuleContext &ctx, std::size_t b, const RuleContext::ReturnPoint &point) {
  const Model &m = ctx.m;
  const Branch &branch = ctx.conditional().branches[b];
  const GraphId g = branch.graph;
  const bool storage = ctx.conditional().dialect == Dialect::Torch;
  if (!storage && point.values.size() < 2)
    return;
  // The first output with each root; a later one with the same root repeats it.
  struct Seen {
    std::size_t position;
    AliasAnalysis::Source source;
  };
  std::unordered_map<ValueId, Seen> first;
  std::unordered_set<ValueId> listed;
  std::size_t surplus = ctx.isSource() || b > 1 ? 0 : surplusOf(ctx, b);
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    const ValueId v = point.values[i];
    if (!v || m[v].origin == ValueOrigin::Undefined)
      continue;
    // An output too many that was there already is the one too many: output-count.
    if (surplus != 0 && !listed.insert(v).second) {
      --surplus;
      ctx.unknown(fmt::format("output {} of '{}' is one too many, and the same as another", i, branch.name));
      continue;
    }
    const ValueKind kind = ctx.typeOf(v).kind;
    if (storage && kind != ValueKind::Tensor)
      continue; // a number has no storage
    std::vector<AliasAnalysis::Source> roots;
    if (storage)
      roots = ctx.tracedSourcesOf(v);
    else
      roots.push_back({v, true, NodeId()});
    std::optional<std::size_t> repeats;
    bool may = false;
    bool unexplained = false;
    for (const AliasAnalysis::Source &s : roots) {
      if (isOuter(ctx, g, s.value))
        continue;
      unexplained = unexplained || (ctx.isSource() && isUnexplained(m, s.value));
      const auto [known, isNew] = first.try_emplace(s.value, Seen{i, s});
      if (isNew || known->second.position == i)
        continue;
      if (AliasAnalysis::certainTogether(s, known->second.source))
        repeats = known->second.position;
      else
        may = true;
    }
    if (!repeats) {
      if (unexplained && point.values.size() > 1)
        ctx.unknown(fmt::format("output {} of '{}' may be anything", i, branch.name));
      if (may)
        ctx.unknown(fmt::format("output {} of '{}' may share storage with another", i, branch.name));
      continue;
    }
    const ValueId other = point.values[*repeats];
    Draft d;
    d.node = point.node;
    d.message = other == v ? fmt::format("'{}' returns {} twice, as outputs {} and {} ({})", branch.name,
                                         spellValue(m, v), *repeats, i, spellPlace(m, v))
                           : fmt::format("outputs {} and {} of '{}' share storage: {} ({}) and {} ({})", *repeats, i,
                                         branch.name, spellValue(m, other), spellPlace(m, other), spellValue(m, v),
                                         spellPlace(m, v));
    if (storage) {
      d.help = fmt::format("return {}.clone() as one of the two", m.name(v));
      d.fixes.push_back({fmt::format("return {}.clone() as output {}", m.name(v), i), editsToCopy(m, point.node, i)});
    } else {
      d.help = ctx.isTensorRT() ? "TensorRT's parser asks for different names; insert an Identity for the second output"
               : ctx.isOpenVino()
                   ? "OpenVINO takes it; for ONNX Runtime insert an Identity for the second output"
                   : "insert an Identity for the second output: ONNX Runtime returns stale memory for one of them";
      d.fixes.push_back({fmt::format("insert Identity before output {} of '{}'", i, branch.name)});
    }
    d.related.push_back(relatedTo(m, v, fmt::format("output {} is made here", i)));
    ctx.report(std::move(d));
  }
}

void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (std::size_t b = 0; b < 2; ++b) {
    std::unordered_map<ValueId, NodeId> first;
    for (const Output &o : ctx.outputs()) {
      // What is made outside may be chosen again and again.
      const ValueId v = o.values[b];
      const Tri inside = v && m[v].def ? ctx.facts.network->inside(m[v].def, constructOf(ctx)) : Tri::No;
      if (inside == Tri::No)
        continue;
      const auto [known, isNew] = first.try_emplace(v, o.node);
      if (isNew)
        continue;
      if (inside == Tri::Unknown) {
        ctx.unknown("an output that is there twice is one of several tensors, and may be made outside");
        continue;
      }
      Draft d;
      d.node = o.node;
      d.message =
          fmt::format("'{}' returns {} twice; it is also an output at {}", b == 0 ? "true" : "false",
                      layerName(m, m[v].def).empty() ? spellTensor(m, v) : "the tensor of " + spellLayer(m, m[v].def),
                      m.location(known->second).str());
      d.help = "use the first output twice, or compute something else";
      d.related.push_back(relatedTo(m, known->second, "it is an output here already"));
      ctx.report(std::move(d));
    }
  }
}

/// TP6: the ONNX parser of TensorRT 8.0 to 8.3 has one table of names for both branches.
void checkNames(RuleContext &ctx) {
  const Model &m = ctx.m;
  const auto yes = ctx.results(0), no = ctx.results(1);
  for (std::size_t i = 0; i < std::min(yes.size(), no.size()); ++i) {
    if (!yes[i] || !no[i] || m.name(yes[i]).empty() || m.name(yes[i]) != m.name(no[i]))
      continue;
    Draft d;
    d.variant = "names";
    d.message = fmt::format("output {} is called {} in both branches, which {}'s ONNX parser refuses", i,
                            spellValue(m, yes[i]), ctx.target.str());
    d.help = "give the output of one branch another name, or import with TensorRT 8.4 or newer";
    d.related.push_back(relatedTo(m, no[i], "it is made here as well"));
    return ctx.report(std::move(d)); // one cause
  }
}

} // namespace

void checkOutputDuplicate(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Conditional &c = ctx.conditional();
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    const GraphId g = c.branches[b].graph;
    if (!g || !ctx.isTaken(b))
      continue;
    for (const RuleContext::ReturnPoint &point : ctx.returns(b))
      checkReturn(ctx, b, point);
  }
  if (ctx.isTensorRT() && c.dialect == Dialect::Onnx && c.hasBothBranches() &&
      ctx.tableSeverity("output-duplicate", "names") != Severity::Off)
    checkNames(ctx);
}

} // namespace condlint

//===- Details.cpp - A conditional, for who looks at it -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Details.h"
#include "Describe.h"
#include "condlint/SourceGraph.h"
#include "facts/BranchNodes.h"
#include "facts/SourceFacts.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

constexpr std::size_t mostEffects = 12; ///< that are listed of a branch

/// Whose storage \p v is of; nothing where that is not known, or where values are no memory (ONNX).
std::string storageOf(const RuleContext &ctx, GraphId branch, ValueId v) {
  const Model &m = ctx.m;
  if (!ctx.isTorch() || !ctx.typeOf(v).isTensor() || !ctx.analysis.aliases.isComplete(v))
    return {};
  std::string out;
  for (const AliasAnalysis::Source &s : ctx.analysis.aliases.sources(v)) {
    const Value &from = m[s.value];
    std::string whose;
    if (from.origin == ValueOrigin::Parameter && from.graph == branch)
      whose = fmt::format("that of operand {} ({})", from.index, spellValue(m, s.value));
    else if (from.graph && from.graph != branch && m.encloses(from.graph, branch))
      whose = fmt::format("that of the captured {}", spellValue(m, s.value));
    else if (isUnexplained(m, s.value))
      return {};
    else
      whose = "its own";
    if (!s.certain)
      whose = "perhaps " + whose;
    if (out.find(whose) == std::string::npos)
      out += (out.empty() ? "" : ", ") + whose;
  }
  return out;
}

ConditionalDetails::Output outputOf(const RuleContext &ctx, GraphId branch, ValueId v) {
  const Model &m = ctx.m;
  ConditionalDetails::Output out;
  if (!v)
    return out;
  const Type &type = ctx.typeOf(v);
  out.type = spellType(m, type);
  const auto isNamed = [&](Dim d) { return d.known() && !m.dims.mentions(d, SymbolOrigin::Anonymous); };
  if (type.isTensor() && type.hasStrides && std::ranges::all_of(type.strides, isNamed))
    out.type += " strides " + spellDims(m.dims, type.strides);
  if (type.isTensor() && type.device)
    out.type += " on " + spellDevice(m, type);
  out.storage = storageOf(ctx, branch, v);
  out.graphPath = pathOf(m, v);
  const ValueId plain = withoutAssumptions(m, v);
  if (const NodeId maker = m[plain].def) {
    out.maker = spellOperation(m, maker);
    out.made = m.location(maker);
  }
  return out;
}

std::vector<std::string> effectsIn(const RuleContext &ctx, GraphId branch) {
  const Model &m = ctx.m;
  std::vector<std::string> out;
  const auto add = [&](std::string text, NodeId n) {
    if (const SourceLocation at = m.location(n); at.valid())
      text += fmt::format(" (line {})", at.line);
    if (std::ranges::find(out, text) == out.end())
      out.push_back(std::move(text));
  };
  forEachNode(ctx.facts, m, branch, [&](NodeId n) {
    if (out.size() > mostEffects)
      return;
    const NodeEffects effects = effectsOf(m, n);
    if (isCxx(m, n, CxxOp::Effect) || isCxx(m, n, CxxOp::Store))
      add(spellOperation(m, n), n);
    else if (isCxx(m, n, CxxOp::Write))
      add("writes " + spellVariable(m, n), n);
    else if (effects.opaque)
      add("may do anything: " + spellOperation(m, n), n);
    else if (!effects.writes.empty() || !effects.mayWrite.empty())
      add(fmt::format("{}writes in place: {}", effects.writes.empty() ? "perhaps " : "", spellOperation(m, n)), n);
    if (effects.random)
      add("draws random numbers: " + spellOperation(m, n), n);
    if (effects.hostSync)
      add("waits for the device: " + spellOperation(m, n), n);
  });
  if (out.size() > mostEffects)
    out[mostEffects] = "and more";
  return out;
}

std::vector<std::string> capturesOf(const RuleContext &ctx, GraphId branch) {
  const Model &m = ctx.m;
  std::vector<std::string> out;
  if (ctx.facts.source)
    for (const Capture *c : ctx.facts.source->reportedCaptures(ctx.analysis.aliases, branch))
      out.push_back(fmt::format("'{}' {}", m.text(c->name), spellCapture(c->kind)));
  if (out.empty())
    for (const ScopeProblem &p : ctx.facts.scope)
      if (p.fault == ScopeFault::Capture && m.encloses(branch, p.graph))
        out.push_back(spellValue(m, p.value));
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Where the code of \p branch stands.
SourceLocation placeOf(const RuleContext &ctx, std::size_t b, GraphId branch) {
  const Model &m = ctx.m;
  const NodeId node = ctx.conditional().node;
  if (branch)
    if (const SourceLocation function = m.location(branch); function.valid())
      return function;
  if (b < std::size(attr::branchAt))
    if (const std::optional<SourceLocation> written = read(m, node, attr::branchAt[b]); written && written->valid())
      return *written;
  if (branch)
    for (NodeId n : m.nodes(branch))
      if (const SourceLocation at = m.location(n); at.valid())
        return at;
  return {};
}

} // namespace

std::shared_ptr<const ConditionalDetails> describe(const RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  auto out = std::make_shared<ConditionalDetails>();
  for (const ConditionalOperand &o : c.operands)
    out->operands.push_back(o.value ? fmt::format("{}: {}", spellValue(m, o.value), spellType(m, ctx.typeOf(o.value)))
                                    : spellMisplaced(m, o.instead));
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    ConditionalDetails::Branch branch;
    const GraphId graph = c.branches[b].graph;
    branch.name = c.branches[b].name;
    branch.location = placeOf(ctx, b, graph);
    for (ValueId v : ctx.results(b))
      branch.outputs.push_back(outputOf(ctx, graph, v));
    if (graph) {
      branch.captures = capturesOf(ctx, graph);
      branch.effects = effectsIn(ctx, graph);
    }
    out->branches.push_back(std::move(branch));
  }
  return out;
}

} // namespace condlint

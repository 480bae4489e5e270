//===- BranchEager.cpp - Work that one branch needs is inside it (F5) -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include "facts/RejectedLayers.h"
#include "facts/TensorRtImporter.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace condlint {

namespace {

/// \p a stands in front of \p b.
bool isBefore(std::uint32_t line, std::uint32_t column, std::uint32_t otherLine, std::uint32_t otherColumn) {
  return line < otherLine || (line == otherLine && column <= otherColumn);
}

const Attribute *placeAttribute(const Model &m, NodeId n, const std::string &name) {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind == AttributeKind::Location ? a : nullptr;
}

/// The same calls lead to both.
bool isSameCall(const Model &m, NodeId a, NodeId b) {
  const auto callsOf = [&](NodeId n) { return read(m, n, attr::calls); };
  return callsOf(a) == callsOf(b);
}

/// Leads what the first eager layers read through input layers where it is written: the
/// layers that read these then follow. Nothing where that cannot be written.
std::vector<Edit> editsToRoute(const RuleContext &ctx, const EagerLayers &e, const Construct &c) {
  const Model &m = ctx.m;
  const NetworkFacts &f = *ctx.facts.network;
  const std::optional<SourceLocation> scopeAt = read(m, c.node, attr::holderAt);
  if (!has(m, c.node, attr::holder) || !scopeAt)
    return {};
  const SourceLocation &scope = *scopeAt;
  const std::string name(read(m, c.node, attr::holder));
  const auto isEager = [&](NodeId n) { return n && std::ranges::find(e.layers, n) != e.layers.end(); };
  // A layer in front of an input layer would make it one of an inside; an input layer that is
  // there already and was forgotten is the one to use.
  for (NodeId in : c.inputs)
    if (isEager(makerOf(m, in, 1)) || !f.isRead(in, c))
      return {};
  std::vector<Edit> edits;
  for (NodeId n : e.layers) {
    const auto operands = m.operands(n);
    // What belongs to a loop is routed where the loop begins; some layers may not come inside.
    if (layerName(m, n).find('.') != std::string_view::npos || f.innermost(n) || isRejectedLayer(m, n))
      return {};
    if (std::ranges::any_of(operands, [&](ValueId v) { return v && isEager(m[v].def); }))
      continue;
    bool routed = false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const NodeId maker = makerOf(m, n, i);
      if (!maker || f.isConstant(maker))
        continue;
      const Attribute *at = placeAttribute(m, n, fmt::format("argument{}_at", i));
      if (!at || m.attribute(n, attr::inputAt(i)) || !isSameCall(m, n, c.node))
        return {};
      const SourceLocation place = m.location(*at);
      if (place.path != scope.path || place.function != scope.function || place.endLine == 0 || scope.endLine == 0 ||
          !isBefore(scope.line, scope.column, place.line, place.column) ||
          !isBefore(place.endLine, place.endColumn, scope.endLine, scope.endColumn))
        return {};
      const Edit open = Edit::before(place, "*" + name + "->addInput(");
      if (std::ranges::find(edits, open) == edits.end()) { // a loop comes here more than once
        edits.push_back(open);
        edits.push_back(Edit::behind(place, ")->getOutput(0)"));
      }
      routed = true;
    }
    if (!routed)
      return {};
  }
  return edits;
}

/// F6: the conditional around \p n, if it is one that only a branch of \p c needs and that is not inside of it.
const Construct *outsideInstead(const NetworkFacts &f, NodeId n, const Construct &c) {
  const Construct *around = f.lazyIn(n);
  return around && around != &c && !c.outputs.empty() && !f.isInside(c.outputs.front(), *around) ? around : nullptr;
}

/// F5: a branch that does not depend on an input layer runs always.
/// A layer that reads what does not exist there has no right place yet: what is wrong is told of that.
bool readsEscaped(const NetworkFacts &f, const EagerLayers &e) {
  return std::ranges::any_of(
      f.escapes(), [&](const Escape &escape) { return std::ranges::find(e.layers, escape.user) != e.layers.end(); });
}

void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const EagerLayers &e : ctx.facts.network->eager()) {
    if (readsEscaped(*ctx.facts.network, e))
      continue;
    const Construct &c = ctx.facts.network->constructs()[e.construct];
    const std::string_view branch = e.branch == 0 ? "true" : "false";
    Draft d;
    d.conditional = c.node;
    d.node = e.layers.front();
    const std::size_t more = e.layers.size() - 1;
    d.absence = true;
    const Construct *instead = outsideInstead(*ctx.facts.network, e.layers.front(), c);
    d.message = fmt::format("only '{}' of {} needs {}{}, but nothing of it goes through addInput: {}", branch,
                            spellConstruct(m, c), spellLayer(m, e.layers.front()),
                            more == 0 ? "" : fmt::format(" and {} layer{} more", more, more == 1 ? "" : "s"),
                            instead ? "the conditional around it stands outside" : "it always runs");
    std::string through;
    constexpr std::size_t shown = 3;
    for (std::size_t i = 0; i < e.reads.size() && i < shown; ++i)
      through += (i == 0 ? "" : ", ") + spellTensor(m, e.reads[i]);
    d.help = through.empty()
                 ? "route what the branch reads through addInput, and build it on the input layer's output"
                 : fmt::format("build the branch on the output of an input layer: route {} through addInput", through);
    d.fixes.push_back({fmt::format("build the branch on {}->addInput(...)->getOutput(0) of {}",
                                   has(m, c.node, attr::holder) ? read(m, c.node, attr::holder) : "conditional",
                                   through.empty() ? "what it reads" : through),
                       editsToRoute(ctx, e, c)});
    constexpr std::size_t related = 8;
    for (std::size_t i = 1; i < e.layers.size() && i < related; ++i)
      d.related.push_back(relatedTo(m, e.layers[i], "this layer would be lazy as well"));
    d.related.push_back(relatedTo(m, c.node, "the conditional"));
    if (instead)
      d.related.push_back(relatedTo(m, instead->node, "the one that stands outside, whatever this one's condition is"));
    ctx.report(std::move(d));
  }
}

/// TP7, TP9: branches that the ONNX parser of older versions makes eager.
void checkImport(RuleContext &ctx) {
  const Model &m = ctx.m;
  const bool selects = ctx.tableSeverity("branch-eager", "selected") != Severity::Off;
  if (!selects && ctx.tableSeverity("branch-eager", "importer") == Severity::Off)
    return;
  // Once a model: of nearly all conditionals an importer says the same.
  std::optional<Draft> said;
  std::size_t more = 0;
  const auto add = [&](Draft d) {
    if (said)
      ++more;
    else
      said = std::move(d);
  };
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    if (!ctx.facts.conditional[i] || ctx.facts.replaced[m[n].graph.index()] || !m.encloses(m.main(), m[n].graph))
      continue;
    const auto predicate = m.operands(n);
    if (predicate.empty() || !predicate[0] || ctx.hasConstantPredicate(n))
      continue; // one branch alone is imported
    if (selects) {
      Draft d;
      d.conditional = n;
      d.variant = "selected";
      d.message = fmt::format("{} computes both branches and selects: both always run", ctx.target.str());
      d.help = "its ONNX parser makes a conditional from 8.2 on";
      add(std::move(d));
      continue;
    }
    std::vector<std::string> missed;
    for (GraphId branch : m.regions(n))
      if (branch && isMissedByName(m, branch))
        missed.push_back(fmt::format("'{}'", m.text(m[branch].role)));
    if (missed.empty())
      continue;
    Draft d;
    d.conditional = n;
    d.variant = "importer";
    d.message = fmt::format("{} gives input layers to layers whose names begin with that of a tensor from outside: {} "
                            "{} none, and always run{}",
                            ctx.target.str(), fmt::join(missed, " and "), missed.size() == 1 ? "has" : "have",
                            missed.size() == 1 ? "s" : "");
    d.help = "its ONNX parser does so until 10.5: import the model with TensorRT 10.6 or later";
    add(std::move(d));
  }
  if (!said)
    return;
  if (more != 0)
    said->message += fmt::format("; so it is with {} more conditional{}", more, more == 1 ? "" : "s");
  ctx.report(std::move(*said));
}

} // namespace

void checkBranchEager(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  if (ctx.isTensorRT() && ctx.m.info.dialect == Dialect::Onnx)
    checkImport(ctx);
  const Model &m = ctx.m;
  for (const EagerWork &w : ctx.facts.eagerWork(ctx.isTensorRT())) {
    if (ctx.hasConstantPredicate(w.conditional))
      continue; // the work of the branch that runs must be done, and who folds the conditional drops the other's
    // A branch that is missing, or reads another name than it means, may need the same.
    if (ctx.facts.readsLostOutside(w.branch) || m.regions(w.conditional).size() < 2) {
      ctx.unknown("what else may need the work is not known: something is missing, or not defined where it is read");
      continue;
    }
    Draft d;
    d.conditional = w.conditional;
    std::string names;
    constexpr std::size_t shown = 5;
    for (std::size_t i = 0; i < w.nodes.size() && i < shown; ++i) {
      names += fmt::format("{}{}", i == 0 ? "" : ", ", m.text(m[w.nodes[i]].name));
      d.related.push_back(relatedTo(
          m, w.nodes[i], fmt::format("{} runs whatever the predicate says", m.operatorName(m[w.nodes[i]].op))));
    }
    if (w.nodes.size() > shown)
      names += fmt::format(" and {} more", w.nodes.size() - shown);
    d.message = fmt::format("only '{}' needs {}, which {} outside of the conditional and so always {}",
                            m.text(m[w.branch].role), names, w.nodes.size() == 1 ? "stands" : "stand",
                            w.nodes.size() == 1 ? "runs" : "run");
    d.help = "move the work into the branch, where it runs only when it is needed";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

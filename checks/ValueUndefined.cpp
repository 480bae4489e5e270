//===- ValueUndefined.cpp - Every name is defined once, before its use ----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include "facts/TensorRtImporter.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <ranges>
#include <set>

namespace condlint {

namespace {

/// The special case of the table that a name defined again is; nothing for what is another rule's.
std::optional<std::string_view> variantOf(FormatIssue::Kind kind) {
  switch (kind) {
  case FormatIssue::Kind::Redefined:
    return "";
  case FormatIssue::Kind::Shadowed:
    return "shadowed";
  case FormatIssue::Kind::RedefinedConstant:
    return "redefined-constant";
  case FormatIssue::Kind::ShadowedByInput:
    return "shadowed-input";
  case FormatIssue::Kind::ShadowedConstant:
    return "shadowed-constant";
  case FormatIssue::Kind::ShadowedUnread:
    return "shadowed-unread";
  default:
    return std::nullopt;
  }
}

std::string user(const Model &m, const ScopeProblem &p) {
  return p.node ? fmt::format("{} reads", m.path(p.node)) : fmt::format("{} returns", m.path(p.graph));
}

/// \p n, or what it reads in its own graph, reads what \p maker makes.
bool readsItself(const Model &m, NodeId n, NodeId maker) {
  std::vector<NodeId> todo{n};
  std::set<NodeId> seen;
  while (!todo.empty()) {
    const NodeId at = todo.back();
    todo.pop_back();
    if (!at || !seen.insert(at).second)
      continue;
    if (at == maker)
      return true;
    for (const ValueId v : m.operands(at))
      if (v && m[v].origin == ValueOrigin::Result && m[v].graph == m[maker].graph)
        todo.push_back(m[v].def);
  }
  return false;
}

/// ONNX Runtime puts a function in the place of each call, where the names that its own nodes read without its having
/// them are those of the graphs around: the main graph, around all of them, has an input or initializer of that name.
/// In the graphs inside of its nodes it looks for names before.
bool isReadAroundCalls(const Model &m, const ScopeProblem &p) {
  if (!p.node || !m.main() || p.graph == m.main() || m[p.graph].parent)
    return false;
  const Graph &main = m[m.main()];
  return std::ranges::any_of(std::array{main.parameters, main.constants}, [&](Range values) {
    return std::ranges::any_of(std::views::iota(values.first, values.first + values.count),
                               [&](std::uint32_t i) { return m[ValueId(i)].name == m[p.value].name; });
  });
}

void reportScope(RuleContext &ctx, const ScopeProblem &p) {
  const Model &m = ctx.m;
  Draft d;
  d.conditional = p.conditional;
  d.node = p.node;
  d.graph = p.node ? GraphId() : p.graph;
  switch (p.fault) {
  case ScopeFault::Undefined:
    if (m[p.value].origin == ValueOrigin::Undefined) {
      d.message = fmt::format("{} {}, which nothing defines", user(m, p), spellValue(m, p.value));
      if (ctx.target.system == System::OnnxRuntime && isReadAroundCalls(m, p))
        d.variant = "around-call";
    } else {
      d.message = fmt::format("{} {}, which is out of its reach: it is defined in {}", user(m, p),
                              spellValue(m, p.value), m.path(m[p.value].graph));
      d.related.push_back(relatedTo(m, p.value, "a value of that name is made here"));
    }
    d.help = "define it, or correct the name";
    break;
  case ScopeFault::MainLater:
    d.variant = p.graph == m.main() ? "later" : "later-inside";
    [[fallthrough]];
  case ScopeFault::Later:
    // TensorRT's parser sorts each graph by what its nodes read themselves.
    if (m[p.value].graph == p.graph && d.variant.empty())
      d.variant = "sorted";
    else if (m[p.value].graph != p.graph && ctx.isTensorRT())
      d.variant = readsItself(m, holderIn(m, m[p.value].graph, p.graph), m[p.value].def) ? "sorted" : "";
    d.message =
        fmt::format("{} {} before it is defined ({})", user(m, p), spellValue(m, p.value), spellPlace(m, p.value));
    d.help = "put the node that makes it first";
    d.related.push_back(relatedTo(m, p.value, "it is defined here, later"));
    break;
  default: // Cyclic
    d.message =
        fmt::format("{} {}, which depends on it ({})", user(m, p), spellValue(m, p.value), spellPlace(m, p.value));
    d.help = "the graph is not acyclic: break the cycle";
    d.related.push_back(relatedTo(m, p.value, "it is defined here, later"));
    break;
  }
  ctx.report(std::move(d));
}

/// C5: conditions, trip limits and assertions have no output.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    if (layerName(m, n) != "getOutput")
      continue;
    const std::string_view full = read(m, n, attr::layer);
    const std::string_view method = full.substr(full.find('.') == std::string_view::npos ? 0 : full.find('.') + 1);
    Draft d;
    d.node = n;
    d.message = fmt::format("the layer that {} gives has no output: getOutput returns a null pointer", method);
    d.help = method == "setCondition" ? "use the condition tensor itself" : "a layer without outputs only has inputs";
    ctx.report(std::move(d));
  }
}

/// What the body of an ONNX loop returns is made, or given to it, there; of an If's branches it is `output-alias`.
void checkBodyResults(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.dialect != Dialect::Onnx || ctx.isTensorRT())
    return;
  for (std::uint32_t i = 0; i < m.graphCount(); ++i) {
    const GraphId g(i);
    const NodeId owner = m[g].owner;
    if (!owner || ctx.facts.conditional[owner.index()] || ctx.facts.replaced[i])
      continue;
    std::set<ValueId> told;
    for (const ValueId v : m.results(g)) {
      if (!v || m[v].graph == g || m[v].origin == ValueOrigin::Undefined || !m.encloses(m[v].graph, g) ||
          !told.insert(v).second)
        continue;
      Draft d;
      d.graph = g;
      d.conditional = ctx.facts.nearestConditional(g);
      d.message = fmt::format("'{}' returns {} of the graph around it: nothing in it makes a value of that name",
                              m.path(g), spellValue(m, v));
      d.help = "return it through an Identity";
      d.related.push_back(relatedTo(m, v, "it is made here"));
      ctx.report(std::move(d));
    }
  }
}

/// TP9: two weights of one name, of which the ONNX parser of one version took the first for both.
void checkImport(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const ConfusedWeights &w : confusedWeights(m)) {
    const NodeId ifs[] = {ctx.facts.nearestConditional(m[w.first].graph),
                          ctx.facts.nearestConditional(m[w.second].graph)};
    if (!ifs[0] || !ifs[1] || ctx.hasConstantPredicate(ifs[0]) || ctx.hasConstantPredicate(ifs[1]))
      continue; // of a constant predicate one branch alone is imported
    Draft d;
    d.conditional = ifs[1];
    d.graph = m[w.second].graph;
    d.variant = "importer";
    d.message =
        fmt::format("{} takes the weights {} of {} for those of the same name in {}, which are others",
                    ctx.target.str(), spellValue(m, w.first), m.path(m[w.first].graph), m.path(m[w.second].graph));
    d.help = "its ONNX parser does so in 8.4: give one of the two another name, or import with a later version";
    d.related.push_back(relatedTo(m, w.first, "the others are here"));
    ctx.report(std::move(d));
  }
}

} // namespace

void checkValueUndefined(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  for (const FormatIssue &issue : m.issues) {
    const auto variant = variantOf(issue.kind);
    if (!variant)
      continue;
    Draft d;
    d.node = issue.node;
    d.graph = issue.node ? GraphId() : issue.graph;
    d.conditional = issue.graph ? ctx.facts.nearestConditional(issue.graph) : NodeId();
    d.variant = *variant;
    d.message = issue.place.empty() ? issue.message : fmt::format("{} ({})", issue.message, issue.place);
    d.help = "give one of the two another name";
    ctx.report(std::move(d));
  }
  checkBodyResults(ctx);
  if (ctx.isTensorRT() && m.info.dialect == Dialect::Onnx && m.main() &&
      ctx.tableSeverity("value-undefined", "importer") != Severity::Off)
    checkImport(ctx);
  // One finding for each name and graph, however often it is read there.
  std::set<std::pair<GraphId, StringId>> names;
  std::set<std::pair<GraphId, ValueId>> values;
  for (const ScopeProblem &p : ctx.facts.scope) {
    switch (p.fault) {
    case ScopeFault::Undefined:
      if (m[p.value].name.valid() && // without a name it could not be read, which was said
          names.insert({p.graph, m[p.value].name}).second)
        reportScope(ctx, p);
      break;
    case ScopeFault::Later:
    case ScopeFault::MainLater:
    case ScopeFault::Cyclic:
      if (values.insert({p.graph, p.value}).second)
        reportScope(ctx, p);
      break;
    default:
      break;
    }
  }
}

} // namespace condlint

//===- OutputCount.cpp - As many outputs in both branches as declared (R1, C10, TP1, OV4, OV10) =//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchNodes.h"
#include "facts/OpenVinoOperators.h"
#include "facts/TensorRtImporter.h"
#include "graph/GraphsInside.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace condlint {

namespace {

/// TP8: outputs that the ONNX parser of older versions does not find.
void checkImport(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Branch &b : ctx.conditional().branches) {
    const std::vector<ValueId> overlooked = b.graph ? overlookedResults(m, b.graph) : std::vector<ValueId>();
    if (overlooked.empty() || (ctx.predicateConstant() && !ctx.predicateFolded()))
      continue;
    Draft d;
    d.graph = b.graph;
    d.variant = "importer";
    d.message = fmt::format("{} takes as outputs of '{}' what nothing in it reads, and so does not find {}",
                            ctx.target.str(), b.name, spellValue(m, overlooked.front()));
    d.help = "its ONNX parser does so until 8.6: return an Identity of the value, or import with a later version";
    ctx.report(std::move(d));
  }
}

/// How each branch of a recorded conditional nests what it returns, where that differs (docs/graph-json.md).
constexpr NamedText structures[] = {{"true_structure"}, {"false_structure"}};

/// R1: as many values, in tuples, lists or dictionaries of other kinds, lengths or keys.
void checkStructure(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const std::string_view sides[] = {read(m, c.node, structures[0]), read(m, c.node, structures[1])};
  if (sides[0].empty() || sides[0] == sides[1])
    return;
  Draft d;
  d.message = fmt::format("the branches return different structures: {} from '{}' and {} from '{}'", sides[0],
                          c.branches[0].name, sides[1], c.branches[1].name);
  for (std::size_t b = 0; b < 2; ++b)
    d.related.push_back(
        {fmt::format("'{}' returns {}", c.branches[b].name, sides[b]), {}, m.path(c.branches[b].graph)});
  d.help = "return tuples, lists and dictionaries of the same lengths and keys, in the same order, from both branches";
  ctx.report(std::move(d));
}

/// The versions of OpenVINO that take what a branch reads for its output, where the graph around it returns it; the
/// first of them that gives it the place that it has there, and the first that drops an output too many.
constexpr Version takesCapturesSince{2026, 0};
constexpr Version keepsPlacesSince{2026, 1};
constexpr Version dropsSurplusSince{2026, 2};

/// What \p branch reads, or a graph in it, of what the graph around \p conditional returns and computes in front of it,
/// by the place that it has there; but of a conditional in the branch that nothing uses.
std::map<std::size_t, ValueId> returnedAndRead(const RuleContext &ctx, NodeId conditional, GraphId branch) {
  const Model &m = ctx.m;
  std::map<std::size_t, ValueId> out;
  const auto look = [&](ValueId v) {
    const NodeId maker = v && m[v].graph == m[conditional].graph ? m[v].def : NodeId();
    if (!maker || m[maker].position >= m[conditional].position)
      return;
    if (const auto at = ctx.facts.returnedAt(v))
      out.emplace(*at, v);
  };
  forEachGraphInside(
      m, {&branch, 1},
      [&](GraphId g) {
        std::ranges::for_each(m.results(g), look);
        for (const NodeId n : m.nodes(g))
          std::ranges::for_each(m.operands(n), look);
      },
      [&](NodeId n) { return isAnyResultUsed(ctx.facts, m, n); });
  return out;
}

/// OV10: an output of the graph that a branch reads becomes one of the branch, at the place that it has in the graph.
void checkReturnedCaptures(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (ctx.version < takesCapturesSince || !c.hasBothBranches())
    return;
  const std::map<std::size_t, ValueId> reads[] = {returnedAndRead(ctx, c.node, c.branches[0].graph),
                                                  returnedAndRead(ctx, c.node, c.branches[1].graph)};
  const bool isRefused = ctx.version < dropsSurplusSince && reads[0].size() != reads[1].size();
  const bool isInFront = isRefused || ctx.version < keepsPlacesSince;
  for (std::size_t b = 0; b < 2; ++b) {
    // Behind all outputs of the branch it is one too many.
    if (reads[b].empty() || (!isInFront && reads[b].begin()->first >= m.resultCount(c.node)))
      continue;
    if (ctx.predicateConstant())
      return ctx.unknown(fmt::format("what {} makes of outputs of the graph that a branch of a constant predicate "
                                     "reads is not known",
                                     ctx.target.str()));
    const auto [at, value] = *reads[b].begin();
    Draft d;
    d.message = fmt::format("'{}' reads {}, which the graph around it returns as output {}: where {} reads the model "
                            "from a file it takes it for an output of the branch, {}",
                            c.branches[b].name, spellValue(m, value), at, ctx.target.str(),
                            isRefused ? "and so has other numbers of outputs" : "in the place of the branch's own");
    d.help =
        "return a copy, an Identity of it behind the conditional; or pass the bytes of the model to read_model, not "
        "its path";
    d.related.push_back(relatedTo(m, value, "it is made here"));
    return ctx.report(std::move(d));
  }
}

/// Whether OpenVINO takes two outputs for one; of those that nothing uses the rank does not count.
bool fitTogether(const RuleContext &ctx, ValueId x, ValueId y, bool isUsed) {
  if (!x || !y)
    return false;
  const Type &a = ctx.typeOf(x), &b = ctx.typeOf(y);
  const bool isOneRank = a.hasRank && b.hasRank && a.dims.size() == b.dims.size();
  return a.isTensor() && b.isTensor() && a.element != DType::Unknown && a.element == b.element &&
         (isOneRank || !isUsed);
}

/// OV4: what OpenVINO leaves of the outputs of both branches is what the conditional declares, or as many in both.
bool isSurplusDropped(const RuleContext &ctx, std::size_t declared) {
  const Conditional &c = ctx.conditional();
  const bool drops = ctx.version == Version{} || ctx.version >= dropsSurplusSince;
  std::array<std::vector<ValueId>, 2> left;
  for (std::size_t b = 0; b < 2; ++b) {
    const auto results = ctx.results(b);
    if (results.size() < declared)
      return false;
    for (const ValueId v : results.subspan(declared))
      if (!drops || !isDroppedAsSurplus(ctx.m, v, c.branches[b].graph))
        left[b].push_back(v);
  }
  for (std::size_t i = 0; i < declared; ++i)
    if (!fitTogether(ctx, ctx.results(0)[i], ctx.results(1)[i], true))
      return false;
  return std::ranges::equal(left[0], left[1], [&](ValueId a, ValueId b) { return fitTogether(ctx, a, b, false); });
}

/// False where OpenVINO drops the conditional, and nothing is to be reported.
bool judgeOpenVino(RuleContext &ctx, std::size_t declared, Draft &d) {
  const Conditional &c = ctx.conditional();
  if (!ctx.facts.needed.holdsAny(c.node)) {
    ctx.unknown(whyDropped(ctx, "what the conditional yields"));
    return false;
  }
  if (!isSurplusDropped(ctx, declared))
    return true;
  d.variant = "surplus";
  d.message +=
      fmt::format("; {} computes those that are declared, and ONNX Runtime refuses the model", ctx.target.str());
  d.help = "return what the conditional declares from both branches, and nothing else";
  return true;
}

} // namespace

void checkOutputCount(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const std::size_t declared = m.resultCount(c.node);
  // Nothing declared is output-none's, whatever the branches return.
  if (declared == 0)
    return ctx.absent();
  // TP1: TensorRT's parser counts before it asks whether the predicate is a constant.
  const bool countsBoth = ctx.version == Version{} || ctx.version >= Version{8, 2};
  std::array<std::optional<std::size_t>, 2> counts;
  for (std::size_t b = 0; b < 2 && b < c.branches.size(); ++b)
    if (c.branches[b].graph && !m[c.branches[b].graph].tooDeep && (countsBoth || ctx.isTaken(b)))
      counts[b] = ctx.results(b).size();
  const bool differ = counts[0] && counts[1] && *counts[0] != *counts[1];
  const bool other = (counts[0] && *counts[0] != declared) || (counts[1] && *counts[1] != declared);
  if (!differ && !other) {
    if (!counts[0] && !counts[1])
      ctx.unknown("neither branch could be read");
    else if (isRecorded(m))
      checkStructure(ctx);
    else if (ctx.isTensorRT() && c.dialect == Dialect::Onnx)
      checkImport(ctx);
    else if (ctx.isOpenVino() && c.dialect == Dialect::Onnx)
      checkReturnedCaptures(ctx);
    return;
  }
  Draft d;
  if (differ) {
    d.message = fmt::format("the branches return different numbers of outputs: {} from '{}' ({}) and {} from '{}' ({})",
                            *counts[0], c.branches[0].name, m.path(c.branches[0].graph), *counts[1], c.branches[1].name,
                            m.path(c.branches[1].graph));
    if (declared != *counts[0] && declared != *counts[1])
      d.message += fmt::format(", and the conditional declares {}", declared);
  } else {
    const std::size_t b = counts[0] ? 0 : 1;
    d.message =
        fmt::format("the conditional declares {} output{}, but {} return{} {}", declared, declared == 1 ? "" : "s",
                    counts[0] && counts[1] ? fmt::format("'{}' and '{}'", c.branches[0].name, c.branches[1].name)
                                           : fmt::format("'{}'", c.branches[b].name),
                    counts[0] && counts[1] ? "" : "s", *counts[b]);
  }
  for (std::size_t b = 0; b < 2; ++b)
    if (counts[b])
      d.related.push_back(
          {fmt::format("'{}' returns {}", c.branches[b].name, *counts[b]), {}, m.path(c.branches[b].graph)});
  d.help = "return the same outputs from both branches; a branch without a result of its own can return zeros";
  if (ctx.isOpenVino() && c.hasBothBranches() && counts[0] && counts[1] && !judgeOpenVino(ctx, declared, d))
    return;
  ctx.report(std::move(d));
}

} // namespace condlint

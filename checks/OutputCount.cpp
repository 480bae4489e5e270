//===- OutputCount.cpp - As many outputs in both branches as declared (R1, C10, TP1) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/TensorRtImporter.h"
#include <fmt/format.h>

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

} // namespace

void checkOutputCount(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const std::size_t declared = m.resultCount(c.node);
  // Nothing declared is output-none's, whatever the branches return.
  if (declared == 0)
    return ctx.absent();
  // TP1: TensorRT's parser counts before it asks whether the predicate is a constant.
  const bool countsBoth = ctx.target.version == Version{} || ctx.target.version >= Version{8, 2};
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
  ctx.report(std::move(d));
}

} // namespace condlint

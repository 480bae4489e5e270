//===- ClosureCapture.cpp - A branch reads only its parameters (section 1.6) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace condlint {

namespace {

/// The branch has too few parameters, which is operand-count's, and reads by name what
/// was passed for the one that it lost.
bool isMissingParameter(const RuleContext &ctx, const ScopeProblem &p) {
  const Model &m = ctx.m;
  const auto c = std::ranges::find(ctx.analysis.conditionals, p.conditional, &Conditional::node);
  if (c == ctx.analysis.conditionals.end())
    return false;
  const GraphId branch = regionUnder(m, m[p.conditional].graph, p.graph);
  return m[branch].parameters.count < c->operands.size() &&
         std::ranges::find(c->operands, p.value, &ConditionalOperand::value) != c->operands.end();
}

/// A graph that is closed: nothing in it may refer to an outer name.
void checkGraphs(RuleContext &ctx) {
  const Model &m = ctx.m;
  std::set<std::pair<NodeId, ValueId>> seen;
  for (const ScopeProblem &p : ctx.facts.scope) {
    if (p.fault != ScopeFault::Capture || isMissingParameter(ctx, p) || !seen.insert({p.conditional, p.value}).second)
      continue;
    Draft d;
    d.conditional = p.conditional;
    d.node = p.node;
    d.graph = p.node ? GraphId() : p.graph;
    d.message = fmt::format("'{}' reads {} of the graph around it ({}): a branch reads only its parameters",
                            m.text(m[regionUnder(m, m[p.conditional].graph, p.graph)].role), spellValue(m, p.value),
                            spellPlace(m, p.value));
    d.help = fmt::format("pass {} as an operand and give both branches a parameter for it", spellValue(m, p.value));
    d.related.push_back(relatedTo(m, p.value, "the captured value is made here"));
    ctx.report(std::move(d));
  }
}

/// Source: a captured tensor becomes an operand when the model is exported. Of a recording that is known: torch lifts
/// it.
void checkSource(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Conditional &c : ctx.analysis.conditionals)
    for (const Branch &b : c.branches) {
      if (!b.graph)
        continue;
      for (const Capture *capture : ctx.facts.source->reportedCaptures(ctx.analysis.aliases, b.graph)) {
        if (capture->content != CaptureContent::Tensor)
          continue;
        Draft d;
        d.conditional = c.node;
        d.graph = b.graph;
        d.at = m.location(capture->firstUse);
        d.calls = capture->calls;
        d.variant = ctx.isRecorded() ? "lifted" : "source";
        const std::string_view name = m.text(capture->name);
        d.message = ctx.isRecorded()
                        ? fmt::format("'{}' reads {}, which is not its parameter: export makes it an operand", b.name,
                                      capture->value ? spellValue(m, capture->value) : fmt::format("'{}'", name))
                        : fmt::format("'{}' reads '{}', which is not its parameter ({}): the capture becomes an "
                                      "operand when the model is exported",
                                      b.name, name, spellCapture(capture->kind));
        d.help = capture->kind == CaptureKind::This
                     ? "pass the module's tensors as operands and give both branches parameters for them"
                     : fmt::format("pass '{}' as an operand and give both branches a parameter for it", name);
        if (capture->value)
          d.related.push_back(relatedTo(m, capture->value, "what is captured"));
        ctx.report(std::move(d));
      }
    }
}

} // namespace

void checkClosureCapture(RuleContext &ctx) {
  if (ctx.isSource() || ctx.isRecorded())
    checkSource(ctx);
  else
    checkGraphs(ctx);
}

} // namespace condlint

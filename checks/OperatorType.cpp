//===- OperatorType.cpp - Every operator is given what it admits ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/TargetLimits.h"
#include "ops/Loading.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace condlint {

namespace {

/// Nodes of one conditional, or of none, that exceed one limit: one finding at the first.
struct Exceeded {
  NodeId first;
  TargetLimit limit;
  std::size_t others = 0;
};

/// What the target alone refuses, of nodes with which nothing else is wrong.
void checkTarget(RuleContext &ctx) {
  const Model &m = ctx.m;
  std::vector<bool> limited(m.operatorCount(), false);
  for (std::uint32_t o = 0; o < m.operatorCount(); ++o)
    limited[o] = mayExceedTarget(m, OperatorId(o), ctx.target.system);
  if (std::ranges::find(limited, true) == limited.end())
    return;
  std::vector<bool> isInvalid(m.nodeCount(), false);
  for (const InvalidOperand &i : ctx.analysis.inference.invalid)
    isInvalid[i.node.index()] = true;
  std::map<std::pair<std::uint32_t, std::string>, Exceeded> found;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    if (!limited[m[n].op.index()] || isInvalid[i] || ctx.facts.replaced[m[n].graph.index()])
      continue;
    std::optional<TargetLimit> limit = exceededLimit(m, n, ctx.target.system);
    if (!limit)
      continue;
    const NodeId owner = ctx.facts.nearestConditional(m[n].graph);
    const auto [at, isNew] = found.try_emplace({owner ? owner.index() + 1 : 0, limit->message}, Exceeded{n, *limit});
    at->second.others += isNew ? 0 : 1;
  }
  for (const auto &[key, e] : found) {
    Draft d;
    d.node = e.first;
    d.conditional = ctx.facts.nearestConditional(m[e.first].graph);
    const std::string others = e.others == 0 ? "" : fmt::format(", and so do {} more", e.others);
    d.message = fmt::format("{} ({}{})", e.limit.message, m.path(e.first), others);
    if (e.limit.operand) {
      const ValueId v = m.operands(e.first)[*e.limit.operand];
      d.related.push_back(relatedTo(m, v, fmt::format("{} is {}", spellValue(m, v), spellType(m, m.type(v)))));
    }
    ctx.report(std::move(d));
  }
}

/// A call of a model-local function that names fewer outputs than the function has: type inference, of onnx's checker
/// (full_check) and of ONNX Runtime as it loads, gives a type to an output that is not there, and refuses the model.
void checkOutputsOfCalls(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.target.system != System::Onnx && ctx.target.system != System::OnnxRuntime)
    return;
  for (std::uint32_t i = 0; m.functionCount() != 0 && i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const GraphId body = m[n].callee;
    if (!body || ctx.facts.replaced[m[n].graph.index()])
      continue;
    const auto yields = m.results(body);
    const std::size_t named = m.resultCount(n);
    const auto typed = [&](ValueId v) { return v && m.type(v).isTensor() && m.type(v).element != DType::Unknown; };
    if (named >= yields.size() || std::ranges::none_of(yields.subspan(named), typed))
      continue;
    Draft d;
    d.node = n;
    d.conditional = ctx.facts.nearestConditional(m[n].graph);
    d.message =
        fmt::format("{}: {} output(s) are named, but the function yields {}, and type inference does not find a "
                    "place for the rest ({})",
                    m.operatorName(m[n].op), named, yields.size(), m.path(n));
    d.help = "name all outputs; one that is not needed may have the empty name";
    ctx.report(std::move(d));
  }
}

} // namespace

void checkOperatorType(RuleContext &ctx) {
  checkTarget(ctx);
  checkOutputsOfCalls(ctx);
  const Model &m = ctx.m;
  for (const InvalidOperand &i : ctx.analysis.inference.invalid) {
    // A conditional's operands have rules of their own.
    if (ctx.facts.conditional[i.node.index()] || ctx.facts.replaced[m[i.node].graph.index()])
      continue;
    // What the model loads with harms nobody where it never runs.
    const bool onnx = ctx.target.system == System::Onnx || ctx.target.system == System::OnnxRuntime;
    if (onnx && isFoundWhenItRuns(m, i) && ctx.isNeverTaken(m[i.node].graph))
      continue;
    Draft d;
    d.node = i.node;
    d.conditional = ctx.facts.nearestConditional(m[i.node].graph);
    d.message = fmt::format("{} ({})", textOf(m, i), m.path(i.node));
    const auto operands = m.operands(i.node);
    if (i.operand && *i.operand < operands.size() && operands[*i.operand]) {
      const ValueId v = operands[*i.operand];
      d.related.push_back(relatedTo(m, v, fmt::format("{} is {}", spellValue(m, v), spellType(m, m.type(v)))));
    }
    ctx.report(std::move(d));
  }
}

} // namespace condlint

//===- Mutation.cpp - Writes of a branch to what is not its own (M1-M6) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Mutation.h"
#include "Describe.h"
#include <fmt/format.h>
#include <set>

namespace condlint {

namespace {

/// A value of the main graph's signature that keeps its value between calls.
bool isState(const Value &v) {
  return v.origin == ValueOrigin::Constant ||
         (v.origin == ValueOrigin::Parameter &&
          (v.role == ParameterRole::Parameter || v.role == ParameterRole::Buffer || v.role == ParameterRole::Constant));
}

/// The value of the outermost graph that an operand's storage leads back to,
/// through the operands of the conditionals around it.
ValueId leadBack(const RuleContext &ctx, ValueId v) {
  const Model &m = ctx.m;
  for (int hops = 0; hops < 1000 && v; ++hops) {
    const auto sources = ctx.analysis.aliases.sources(v);
    if (sources.size() != 1)
      return v;
    v = sources[0].value;
    const Value &x = m[v];
    const NodeId owner = x.graph ? m[x.graph].owner : NodeId();
    if (x.origin != ValueOrigin::Parameter || !owner)
      return v;
    if (!isConditional(m, owner))
      return v;
    const Conditional around = conditionalAt(m, owner);
    if (x.index >= around.operands.size() || !around.operands[x.index].value)
      return v;
    v = around.operands[x.index].value;
  }
  return v;
}

/// The conditionals around \p c whose operands the same write reaches.
void relateOuter(const RuleContext &ctx, ValueId operand, Draft &d) {
  const Model &m = ctx.m;
  for (int hops = 0; hops < 1000 && operand; ++hops) {
    const auto sources = ctx.analysis.aliases.sources(operand);
    if (sources.size() != 1)
      return;
    const Value &x = m[sources[0].value];
    const NodeId owner = x.graph ? m[x.graph].owner : NodeId();
    if (x.origin != ValueOrigin::Parameter || !owner || !isConditional(m, owner))
      return;
    const Conditional around = conditionalAt(m, owner);
    if (x.index >= around.operands.size())
      return;
    d.related.push_back(
        relatedTo(m, owner, fmt::format("the write also reaches operand {} of the conditional around it", x.index)));
    operand = around.operands[x.index].value;
  }
}

} // namespace

void checkMutation(RuleContext &ctx, bool captures) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect != Dialect::Torch)
    return ctx.absent();
  for (const Branch &b : c.branches) {
    if (!b.graph)
      continue;
    for (NodeId n : ctx.analysis.aliases.opaqueNodes(b.graph))
      ctx.unknown(fmt::format("{} may write anything", m.operatorName(m[n].op)));
    std::set<ValueId> reported;
    for (const AliasAnalysis::Write &w : ctx.analysis.aliases.writes(b.graph)) {
      // A conditional inside reports its own writes.
      const bool inner = ctx.facts.nearestConditional(m[w.writer].graph) != c.node;
      for (const AliasAnalysis::Source &s : ctx.analysis.aliases.sources(w.target)) {
        const Value &x = m[s.value];
        const bool parameter = x.origin == ValueOrigin::Parameter && x.graph == b.graph;
        const bool outer = x.graph && x.graph != b.graph && m.encloses(x.graph, b.graph);
        if (!parameter && !outer)
          continue;
        const ValueId operand =
            parameter && x.index < c.operands.size() ? c.operands[x.index].value : (outer ? s.value : ValueId());
        const ValueId root = operand ? leadBack(ctx, operand) : ValueId();
        const bool capture = outer || (root && isState(m[root]));
        if (capture != captures)
          continue;
        if (!w.certain || !s.certain) {
          if (!inner)
            ctx.unknown(fmt::format("{} may write to {}", m.operatorName(m[w.writer].op), spellValue(m, s.value)));
          continue;
        }
        if (inner || !reported.insert(s.value).second)
          continue;
        Draft d;
        d.node = w.writer;
        const std::string what = !capture ? fmt::format("operand {} ({})", x.index, spellValue(m, s.value))
                                 : root && m[root].origin == ValueOrigin::Parameter && isState(m[root])
                                     ? fmt::format("the {} {}", parameterRoleName(m[root].role), spellValue(m, root))
                                     : "the captured " + spellValue(m, s.value);
        d.message = fmt::format("'{}' writes to {} in place: {}{}", b.name, what, m.operatorName(m[w.writer].op),
                                s.value == w.target ? "" : fmt::format(", through {}", spellValue(m, w.target)));
        d.help = capture ? "return the new value and store it outside of the conditional"
                         : fmt::format("write to a copy: clone {} first, or use the operator that returns a new tensor",
                                       spellValue(m, s.value));
        if (!capture)
          d.fixes.push_back({fmt::format("write to {}.clone() instead", m.name(s.value))});
        if (operand) {
          d.related.push_back(relatedTo(m, operand, "what is written"));
          relateOuter(ctx, operand, d);
        }
        ctx.report(std::move(d));
      }
    }
  }
}

} // namespace condlint

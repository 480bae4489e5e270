//===- PredicateConstant.cpp - A predicate that cannot change (P5, C12) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace condlint {

namespace {

/// What a comparison of sizes is for all that their ranges admit.
struct Range {
  std::optional<bool> always; ///< nothing where some differ
  std::string reason;         ///< why nobody could say
};
Range truthInRange(Model &m, ValueId predicate, std::span<const Dim> admitted = {}) {
  Range range;
  const Value &p = m[predicate];
  if (m.type(predicate).kind != ValueKind::SymBool || p.contradicted || !p.content || m.content(p.content).size() != 1)
    return range;
  const Dim truth = m.content(p.content)[0];
  for (const bool value : {true, false}) {
    if (!truth.known())
      continue;
    const DimComparison c = m.dims.compare(truth, m.dims.constant(value ? 1 : 0), admitted);
    if (c.result == DimComparison::Verdict::Proved)
      return {value, {}};
    if (c.result == DimComparison::Verdict::Unknown)
      range.reason = c.reason;
  }
  return range;
}

/// AOTInductor takes sizes of inputs to be at least 1 and folds what that decides, where torch looks at each run.
void checkFolded(RuleContext &ctx) {
  if (ctx.target.system != System::Aoti)
    return;
  Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const ContentId content = m[c.predicate].content;
  std::vector<Dim> admitted;
  std::string names;
  if (content && m.content(content).size() == 1 && m.content(content)[0].known())
    for (const Symbol &s : m.dims.symbolsOf(m.content(content)[0]))
      if (s.origin == SymbolOrigin::Declared && s.bounds.contains(0)) {
        admitted.push_back(m.dims.sub(m.dims.symbol(s.name, s.origin), m.dims.constant(1)));
        names += (names.empty() ? "" : " or ") + s.name;
      }
  const auto truth = admitted.empty() ? std::nullopt : truthInRange(m, c.predicate, admitted).always;
  if (!truth)
    return;
  Draft d;
  d.message =
      fmt::format("AOTInductor takes sizes to be at least 1 and folds {}, {}: '{}' is never taken, also where {} "
                  "is 0 and torch takes it",
                  spellPredicate(m, c.predicate), *truth, c.branches[*truth ? 1 : 0].name, names);
  d.help = "pass the predicate as a bool tensor, which is looked at when the model runs";
  d.related.push_back(relatedTo(m, c.predicate, "it is computed here"));
  ctx.report(std::move(d));
}

/// torch: the predicate is no constant, but no admitted size changes it.
void checkRange(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  const auto [truth, reason] = truthInRange(ctx.m, c.predicate);
  if (!truth && !reason.empty())
    ctx.unknown(fmt::format("whether both branches come for some sizes could not be decided: {}", reason));
  if (!truth)
    return checkFolded(ctx);
  Draft d;
  d.message = fmt::format("{} is {} for all sizes that the model admits: '{}' is never taken",
                          spellPredicate(ctx.m, c.predicate), *truth, c.branches[*truth ? 1 : 0].name);
  d.help = "widen the range of the sizes that it compares, or call the branch that is taken";
  d.related.push_back(relatedTo(ctx.m, c.predicate, "it is computed here"));
  ctx.report(std::move(d));
}

/// torch keeps both branches of what follows from lifted constants alone, and runs the same one at every call.
void checkLifted(RuleContext &ctx) {
  const Model &m = ctx.m;
  const ValueId predicate = ctx.conditional().predicate;
  // What writes to the constant on the way, or to what shares its storage, may make it another.
  const GraphId g = m[predicate].graph;
  for (const AliasAnalysis::Write &w : ctx.analysis.aliases.writes(g))
    if (m.text(m[m[w.writer].op].name) != "detach_" &&
        ctx.analysis.aliases.share(w.target, predicate) != AliasAnalysis::Sharing::No)
      return ctx.unknown(fmt::format("{} follows from constants alone, to which {} writes",
                                     spellPredicate(m, predicate), spellOperation(m, w.writer)));
  Draft d;
  d.message = fmt::format("{} follows from constants alone: the same branch is taken at every call",
                          spellPredicate(m, predicate));
  d.help = "make the predicate an input or compute it from one, or call the branch that is taken";
  d.related.push_back(relatedTo(m, predicate, "it is computed here"));
  ctx.report(std::move(d));
}

} // namespace

void checkPredicateConstant(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (c.predicateKind != PredicateKind::Value && c.predicateKind != PredicateKind::Literal)
    return ctx.absent();
  if (!ctx.predicateConstant()) {
    if (ctx.isTorch() && !ctx.isSource() && c.predicate && c.branches.size() == 2)
      checkRange(ctx);
    if (ctx.isTorch() && !ctx.isSource() && c.predicate && ctx.m.type(c.predicate).isTensor() &&
        ctx.facts.constants.holds(c.predicate, false))
      checkLifted(ctx);
    return;
  }
  if (const Tri all = ctx.predicateConstantForAllCalls(); all != Tri::Yes) {
    if (all == Tri::Unknown)
      ctx.unknown(fmt::format("each call of the function gives a constant for {}, and not all the same one",
                              spellPredicate(ctx.m, c.predicate)));
    return; // another call gives what changes
  }
  const auto value = ctx.predicateValue();
  const std::size_t never = value.value_or(true) ? 1 : 0;
  const bool named = value && never < c.branches.size();
  Draft d;
  d.message = fmt::format(
      "{} {}{}{}", c.predicateKind == PredicateKind::Value ? spellPredicate(ctx.m, c.predicate) : "the predicate",
      ctx.predicateFolded() ? "follows from constants and sizes that never change" : "is a constant",
      value ? (*value ? ", true" : ", false") : "",
      named ? fmt::format(": '{}' is never taken", c.branches[never].name) : std::string());
  if (ctx.isTorch()) // P5
    d.help = "torch.cond warns and specialises to one branch; pass a bool tensor or a symbolic bool to keep both";
  else if (ctx.isNetwork()) // C12
    d.help = "a choice that is made while the network is built needs no conditional; the branches may have different "
             "shapes then, but not different types";
  else if (ctx.isTensorRT() && ctx.predicateFolded()) // C12
    d.help = "TensorRT's builder knows which branch runs: their shapes may differ, but not their types";
  else if (ctx.isTensorRT()) // TP2
    d.help = "TensorRT's parser never looks at the other branch, and the rules that compare the two are waived";
  else
    d.help =
        "replace the If by the branch that is taken; the other one is still typed by the checker and by ONNX Runtime";
  if (c.predicateKind == PredicateKind::Value) {
    const std::vector<ValueId> given = ctx.facts.constants.given(c.predicate);
    const ValueId made = given.empty() || !given.front() ? c.predicate : given.front();
    d.related.push_back(
        relatedTo(ctx.m, made, ctx.predicateFolded() ? "it is computed here" : "the constant is made here"));
  }
  ctx.report(std::move(d));
}

} // namespace condlint

//===- PredicateConstant.cpp - A predicate that cannot change (P5, C12) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/ConditionalsAround.h"
#include "facts/TakenTogether.h"
#include "graph/DimRelation.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace condlint {

namespace {

/// The truth of \p predicate, which holds \p content, as an expression of sizes; unknown where inference has none.
Dim truthIn(const Model &m, ValueId predicate, ContentId content) {
  return !m[predicate].contradicted && content && m.content(content).size() == 1 ? m.content(content)[0] : Dim();
}

/// The same of what \p predicate holds, however its sizes are called where only a declaration says so.
Dim truthOf(const RuleContext &ctx, ValueId predicate) {
  return truthIn(ctx.m, predicate, ctx.facts.undeclared.content(predicate));
}

/// Whether \p predicate, or what it is computed of next, is a number that is not written down.
bool isUnwritten(const Model &m, ValueId predicate) {
  const auto open = [&](ValueId v) {
    return v && m[v].origin == ValueOrigin::Constant && !m[v].content && !m[v].constant &&
           m.types[m[v].recorded].kind != ValueKind::Tensor;
  };
  return open(predicate) || (m[predicate].def && std::ranges::any_of(m.operands(m[predicate].def), open));
}

/// What holds of sizes wherever the graph \p g runs: the conditionals around it take the branches that it is in.
struct Reached {
  std::vector<Dim> notNegative;
  ValueId open; ///< the predicate of one around it that follows from sizes in a way that nobody understood
};
Reached reachedThrough(RuleContext &ctx, GraphId g) {
  Model &m = ctx.m;
  Reached out;
  anyConditionalAround(m, g, [&](const Conditional &around, std::size_t side) {
    const Dim truth = truthOf(ctx, around.predicate);
    if (isTruth(m.dims, truth))
      out.notNegative.push_back(side == 0 ? m.dims.sub(truth, m.dims.constant(1)) : m.dims.negate(truth));
    else if (!ctx.facts.runData.decides(around.predicate))
      out.open = around.predicate;
    return false;
  });
  return out;
}

/// What a comparison of sizes is for all that their ranges admit.
struct Range {
  std::optional<bool> always; ///< nothing where some differ
  std::string reason;         ///< why nobody could say
};
Range truthInRange(Model &m, Dim truth, std::span<const Dim> admitted) {
  Range range;
  for (const bool value : {true, false}) {
    const DimComparison c = m.dims.compare(truth, m.dims.constant(value ? 1 : 0), admitted);
    if (c.result == DimComparison::Verdict::Proved)
      return {value, {}};
    if (c.result == DimComparison::Verdict::Unknown)
      range.reason = c.reason;
  }
  return range;
}

/// AOTInductor takes sizes of inputs to be at least 1 and folds what that decides of \p whole, the truth of the
/// predicate, where torch looks at each run.
void checkFolded(RuleContext &ctx, Dim whole) {
  if (ctx.target.system != System::Aoti)
    return;
  Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  std::vector<Dim> admitted;
  std::string names;
  for (const Symbol &s : whole.known() ? m.dims.symbolsOf(whole) : std::vector<Symbol>())
    if (s.origin == SymbolOrigin::Declared && s.bounds.contains(0)) {
      admitted.push_back(m.dims.sub(m.dims.symbol(s.name, s.origin), m.dims.constant(1)));
      names += (names.empty() ? "" : " or ") + s.name;
    }
  const auto truth = admitted.empty() ? std::nullopt : truthInRange(m, whole, admitted).always;
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

/// ONNX: as the file declares sizes \p predicate is always the same, which its truth \p without declarations is not: it
/// may be so, or the declaration false.
bool isSettledByDeclaration(Model &m, ValueId predicate, Dim without) {
  const Dim declared = truthIn(m, predicate, m[predicate].content);
  return declared != without && isTruth(m.dims, declared) && truthInRange(m, declared, {}).always;
}

/// The predicate is no constant, and may follow from sizes that admit one branch alone.
void checkRange(RuleContext &ctx) {
  Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const Dim whole = truthOf(ctx, c.predicate);
  const bool isCompared = isTruth(m.dims, whole);
  Reached reached;
  Range range;
  if (isCompared) {
    reached = reachedThrough(ctx, m[c.node].graph);
    range = truthInRange(m, whole, reached.notNegative);
  }
  if (range.always) {
    Draft d;
    d.variant = reached.notNegative.empty() ? "" : "nested";
    d.message = fmt::format("{} is {} for all sizes that the model admits{}: '{}' is never taken",
                            spellPredicate(m, c.predicate), *range.always, reached.notNegative.empty() ? "" : " here",
                            c.branches[*range.always ? 1 : 0].name);
    d.help = "widen the range of the sizes that it compares, or call the branch that is taken";
    d.related.push_back(relatedTo(m, c.predicate, "it is computed here"));
    return ctx.report(std::move(d));
  }
  if (ctx.isTorch() && ctx.facts.constants.holds(c.predicate, false))
    return checkLifted(ctx);
  if (isSettledByDeclaration(m, c.predicate, whole))
    return ctx.unknown(fmt::format("nothing but a declaration says what sizes {} follows from: whether both branches "
                                   "come could not be decided",
                                   spellPredicate(m, c.predicate)));
  const bool byData = ctx.facts.runData.decides(c.predicate);
  const auto mentions = [&](SymbolOrigin origin) { return m.dims.mentions(whole, origin); };
  if (!isCompared && !byData)
    return ctx.unknown(fmt::format("{} {}: whether both branches come could not be decided",
                                   spellPredicate(m, c.predicate),
                                   m[c.predicate].contradicted   ? "is not what the file says of it"
                                   : isUnwritten(m, c.predicate) ? "is made of a number that is not written down"
                                                                 : "follows from sizes and constants alone"));
  if (!isCompared)
    return;
  if (!range.reason.empty())
    ctx.unknown(fmt::format("whether both branches come for some sizes could not be decided: {}", range.reason));
  else if (reached.open)
    ctx.unknown(fmt::format("which sizes come here could not be decided: {} was not understood",
                            spellPredicate(m, reached.open)));
  else if (!byData && (mentions(SymbolOrigin::Unbacked) || mentions(SymbolOrigin::Anonymous)))
    ctx.unknown(fmt::format("{} compares a size of which nothing is known: whether both branches come could not be "
                            "decided",
                            spellPredicate(m, c.predicate)));
  checkFolded(ctx, whole);
}

/// A conditional in a branch of another on the same flag; false where it is none.
bool checkNested(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  const auto side = sideWithin(ctx.m, ctx.analysis.aliases, c);
  if (!side)
    return false;
  if (!side->branch) {
    ctx.unknown(
        fmt::format("{} follows from more than is looked at, and may decide the conditional around this one too",
                    spellPredicate(ctx.m, c.predicate)));
    return true;
  }
  if (!side->isCertain) {
    ctx.unknown(fmt::format("{} decides the conditional around this one too, and may be written on the way",
                            spellPredicate(ctx.m, c.predicate)));
    return true;
  }
  Draft d;
  d.variant = "nested";
  d.message = fmt::format("{} decides the conditional around this one too: '{}' is never taken here",
                          spellPredicate(ctx.m, c.predicate), c.branches[1 - *side->branch].name);
  d.help = "replace the conditional by the branch that is taken";
  d.related.push_back(relatedTo(ctx.m, c.predicate, "it is computed here"));
  ctx.report(std::move(d));
  return true;
}

} // namespace

void checkPredicateConstant(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (c.predicateKind != PredicateKind::Value && c.predicateKind != PredicateKind::Literal)
    return ctx.absent();
  if (!ctx.predicateConstant()) {
    if (ctx.isSource() || ctx.isNetwork() || !c.predicate || c.branches.size() != 2)
      return;
    if (!checkNested(ctx))
      checkRange(ctx);
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
    const std::vector<ValueId> &given = ctx.facts.constants.given(c.predicate);
    const ValueId made = given.empty() || !given.front() ? c.predicate : given.front();
    d.related.push_back(
        relatedTo(ctx.m, made, ctx.predicateFolded() ? "it is computed here" : "the constant is made here"));
  }
  ctx.report(std::move(d));
}

} // namespace condlint

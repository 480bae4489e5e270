//===- OpenVerdicts.cpp - What a rule's answer leaves open ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenVerdicts.h"
#include "Describe.h"
#include "facts/NetworkFacts.h"
#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace condlint {

namespace {

constexpr std::string_view unfollowed = "the code that builds the network was not followed to its end";
constexpr std::string_view mingled = "what lies inside, or leaves it, hangs on what is not known";
constexpr std::string_view several = "some layer reads one of several tensors, and may so depend on itself";
constexpr std::string_view unknownFlow = "some layer reads a tensor that is not known";

/// What of the current conditional hangs on shapes that a loop around it changes from trip to trip.
void leaveOpenToLaterTrips(RuleContext &ctx, const RuleInfo &rule) {
  if (!ctx.facts.laterTrips.any())
    return;
  const Conditional &c = ctx.conditional();
  if (rule.id == "operator-type") {
    if (const NodeId reader = ctx.facts.laterTrips.readerIn(c))
      ctx.unknown(fmt::format("{} reads what the loop carries in other shapes from trip to trip ({})",
                              spellOperation(ctx.m, reader), ctx.m.path(reader)));
    return;
  }
  const auto isOpen = [&](ValueId v) { return v && ctx.facts.laterTrips.isBelieved(v); };
  const bool ofOutputs =
      rule.id == "output-rank" || rule.id == "output-shape" || rule.id == "output-declared" ||
      (ctx.isTorch() && (rule.id == "output-dtype" || rule.id == "output-device" || rule.id == "output-layout"));
  const bool ofPredicate = rule.id == "predicate-shape";
  if ((ofOutputs && (std::ranges::any_of(ctx.results(0), isOpen) || std::ranges::any_of(ctx.results(1), isOpen))) ||
      (ofPredicate && isOpen(c.predicate)))
    ctx.unknown("what the loop carries has the shape that its body declares in some trips only, as far as is known");
  const auto isMoved = [&](ValueId v) { return v && ctx.facts.laterTrips.isMoved(v); };
  if (rule.id == "output-layout" &&
      (std::ranges::any_of(ctx.results(0), isMoved) || std::ranges::any_of(ctx.results(1), isMoved)))
    ctx.unknown("what the loop carries lies in memory in some trips only as in the first, as far as is known");
}

/// What of \p c in a graph that stands for all executions need not hold of each of them.
void leaveOpenBeyondRuns(RuleContext &ctx, const Construct &c, const RuleInfo &rule) {
  if (c.uncertain)
    ctx.unknown("a layer of the conditional is added on some paths only, or several times");
  const bool ofUse = rule.id == "operand-unused" || rule.id == "output-unused";
  for (const std::vector<NodeId> *layers : {&c.inputs, &c.outputs})
    if (ofUse && std::ranges::any_of(*layers, [&](NodeId n) { return ctx.facts.network->isReadElsewhere(n); }))
      ctx.unknown("whether the code comes to what uses it is not known");
}

/// Of a network: what hangs on code that was not followed.
void leaveOpenInNetwork(RuleContext &ctx, const RuleInfo &rule, Needs needs) {
  const NetworkFacts &network = *ctx.facts.network;
  const Construct *c = network.at(ctx.conditional().node);
  const GraphId g = ctx.m[ctx.conditional().node].graph;
  if (network.isIncomplete(g))
    ctx.unknown(std::string(unfollowed));
  if (c && needs == Needs::Layers)
    if (const std::string_view why = network.eagerUnknown(*c); !why.empty())
      ctx.unknown(std::string(why));
  if (c && c->mayCross && needs == Needs::Edges)
    ctx.unknown("some layer reads one of several tensors: of which branch is not known");
  if (c && c->mayDependOnSelf && rule.id == "predicate-self")
    ctx.unknown(std::string(several));
  if (rule.group == "Structure" && network.readsUnknown(g))
    ctx.unknown(std::string(unknownFlow));
  if (rule.group == "Structure" && c && c->mayMingle)
    ctx.unknown(std::string(mingled));
  if (c && ctx.standsForSeveral(g))
    leaveOpenBeyondRuns(ctx, *c, rule);
}

} // namespace

void leaveOpen(RuleContext &ctx, const RuleInfo &rule, Needs needs) {
  if (ctx.isNetwork())
    return leaveOpenInNetwork(ctx, rule, needs);
  if (ctx.holdsSoFar())
    leaveOpenToLaterTrips(ctx, rule);
  if (!ctx.holdsSoFar() || needs == Needs::Nothing || needs == Needs::Layers)
    return;
  for (const Branch &b : ctx.conditional().branches)
    if (b.isUnseen())
      ctx.unknown("'" + b.name + "' could not be read");
  const bool ofTypes = needs == Needs::Types || needs == Needs::Pairs;
  if (needs == Needs::Pairs && std::ranges::any_of(ctx.conditional().branches, &Branch::isMissing))
    ctx.unknown("a branch is missing");
  else if (needs == Needs::Pairs && ctx.outputsShifted())
    ctx.unknown("the branches return different numbers of outputs: which belong together is not known");
  // ONNX's values are no memory: which one a branch returns is known, whatever it is.
  const bool typed = ctx.conditional().dialect == Dialect::Torch || rule.run != RuleInfo::Run::Watched;
  if (ofTypes && typed)
    for (const Output &o : ctx.outputs())
      for (ValueId v : o.values)
        if (o.known && !o.sameKind && ctx.typeOf(v).kind == ValueKind::Unknown)
          ctx.unknown("nothing is known of " + spellValue(ctx.m, v));
  if (!ctx.isSource())
    return;
  if ((needs == Needs::Number || ofTypes) && ctx.openOutputs())
    ctx.unknown("how many outputs a branch returns is not known");
  for (const Branch &b : ctx.conditional().branches)
    if (const UnseenBranch *unseen = ctx.facts.source->unseen(b.graph))
      ctx.unknown("no body: " + std::string(unseen->name));
}

std::string whyOpen(const RuleContext &ctx, const Construct &c, std::string_view rule) {
  const NetworkFacts &network = *ctx.facts.network;
  const GraphId g = ctx.m[c.node].graph;
  if (network.isIncomplete(g))
    return std::string(unfollowed);
  if (c.uncertain)
    return "a layer of the loop is added on some paths only, or several times";
  if (const std::string_view why = ctx.openOf(c.node, rule); !why.empty())
    return std::string(why);
  if ((rule == "loop-leak" || rule == "loop-cycle") && network.readsUnknown(g))
    return std::string(unknownFlow);
  if (rule == "loop-leak" && c.mayMingle)
    return std::string(mingled);
  if (rule == "loop-cycle" && c.mayHoldCycle)
    return std::string(several);
  return {};
}

} // namespace condlint

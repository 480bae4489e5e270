//===- PredicateMissing.cpp - Exactly one predicate (P1, C1) --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// C1: set once.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const Construct &construct = constructOf(ctx);
  if (construct.uncertain)
    return ctx.unknown("a layer of the conditional is added on some paths only, or several times");
  for (std::size_t i = 1; i < c.conditionLayers.size(); ++i) {
    Draft d;
    d.node = c.conditionLayers[i];
    d.message = fmt::format("the condition of {} is set a second time; the first is set at {}",
                            spellConstruct(m, construct), m.location(c.conditionLayers.front()).str());
    d.help = "a conditional takes exactly one condition: set one, or combine the two (addElementWise, kAND)";
    d.related.push_back(relatedTo(m, c.conditionLayers.front(), "the condition is set here first"));
    ctx.report(std::move(d));
  }
  if (!c.conditionLayers.empty()) {
    if (!c.predicate) {
      Draft d;
      d.followsNull = true;
      d.message = "the condition is a null pointer";
      d.help = "pass a tensor: a 0-D bool";
      ctx.report(std::move(d));
    }
    return;
  }
  if (construct.open)
    return ctx.unknown("the conditional is given to code that is not seen, which may set its condition");
  Draft d;
  d.absence = true;
  d.message = "the conditional has no condition: setCondition is never called";
  d.help = "call setCondition once, with a 0-D bool tensor from outside of the conditional";
  ctx.report(std::move(d));
}

} // namespace

void checkPredicateMissing(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Conditional &c = ctx.conditional();
  const bool undefined =
      ctx.isSource() && c.predicateKind == PredicateKind::Value && ctx.typeOf(c.predicate).kind == ValueKind::None;
  if (c.predicateKind != PredicateKind::Missing && !undefined)
    return;
  Draft d;
  d.message = ctx.isSource() ? "the predicate is an undefined tensor" : "the conditional has no predicate";
  d.help = ctx.isSource()  ? "give it a value before the call: a default-constructed tensor is none"
           : ctx.isTorch() ? "torch.cond takes (pred, true_fn, false_fn, operands)"
                           : "give the If its one input, a bool";
  ctx.report(std::move(d));
}

} // namespace condlint

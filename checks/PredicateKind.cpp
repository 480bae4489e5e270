//===- PredicateKind.cpp - What a predicate may be (P2, P6, P7, TP7) ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// TP7: before 8.0 TensorRT's parser took an If only to choose a branch.
void checkImporter(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (c.predicateKind == PredicateKind::Missing)
    return ctx.absent();
  if (ctx.predicateFolded())
    return ctx.unknown("whether the parser folds what the predicate is computed of is not known");
  if (ctx.predicateConstant())
    return;
  Draft d;
  d.message =
      fmt::format("{} is computed while the network runs: {} takes an If only where its condition is a constant",
                  spellPredicate(ctx.m, c.predicate), ctx.target.str());
  d.help = "make the condition a constant (fold constants before the export), or use TensorRT 8.0 or newer";
  d.related.push_back(relatedTo(ctx.m, c.predicate, "the predicate is made here"));
  ctx.report(std::move(d));
}

} // namespace

void checkPredicateKind(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (ctx.isTensorRT())
    return checkImporter(ctx);
  Draft d;
  d.help = ctx.isSource() ? "pass a bool tensor with one element or a bool; compare what is neither"
                          : "pass a bool tensor with one element, a bool, or a comparison of sizes (a symbolic bool)";
  switch (c.predicateKind) {
  case PredicateKind::Missing:
    return ctx.absent();
  case PredicateKind::Literal:
    return;
  case PredicateKind::Other:
    if (!c.predicateInstead.readable()) // graph-malformed
      return ctx.unknown("what the file says of the predicate cannot be read");
    d.message = fmt::format("the predicate is {}: torch.cond takes a tensor, a bool or a symbolic bool",
                            spellMisplaced(ctx.m, c.predicateInstead));
    if (c.predicateInstead.kind == AttributeKind::None)
      d.help = "None silently takes the false branch; " + d.help;
    else if (c.predicateInstead.kind == AttributeKind::String)
      d.help = "a string silently takes the true branch; " + d.help;
    return ctx.report(std::move(d));
  case PredicateKind::Value:
    break;
  }
  if (ctx.facts.brokenPredicates.contains(c.node))
    return ctx.unknown("the predicate is not defined before it is needed");
  const Type &t = ctx.typeOf(c.predicate);
  // A default-constructed tensor: predicate-missing.
  if (t.isTensor() || t.kind == ValueKind::SymBool || (ctx.isSource() && t.kind == ValueKind::None))
    return;
  if (t.kind == ValueKind::Unknown)
    return ctx.unknown(fmt::format("nothing is known of {}", spellPredicate(ctx.m, c.predicate)));
  // P7: a symbolic int passes strict export and nothing else.
  d.message = fmt::format("{} is a {}: torch.cond takes a tensor, a bool or a symbolic bool",
                          spellPredicate(ctx.m, c.predicate), spellKind(t.kind));
  if (t.kind == ValueKind::SymInt)
    d.fixes.push_back({"compare the size (`x.shape[0] > 0`) to get a symbolic bool"});
  d.related.push_back(relatedTo(ctx.m, c.predicate, "the predicate is made here"));
  ctx.report(std::move(d));
}

} // namespace condlint

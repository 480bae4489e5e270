//===- Summarise.cpp - What is told of a conditional ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Summarise.h"
#include "Describe.h"
#include "Details.h"
#include "NetworkLayers.h"
#include <utility>

namespace condlint {

namespace {

ConditionalSummary::Signature signatureOf(const Model &m, const Type &t) {
  ConditionalSummary::Signature s;
  s.kind = kindName(t.kind);
  if (!t.isTensor())
    return s;
  s.dtype = dtypeName(t.element);
  s.hasShape = t.hasRank;
  if (!t.hasRank)
    return s;
  s.shape.reserve(t.dims.size());
  for (Dim d : t.dims)
    s.shape.push_back(m.dims.str(d));
  return s;
}

} // namespace

ConditionalSummary summarise(const RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  ConditionalSummary s;
  s.path = m.path(c.node);
  s.location = m.location(c.node);
  s.target = ctx.target.str();
  switch (c.predicateKind) {
  case PredicateKind::Missing:
    s.predicateKind = "missing";
    break;
  case PredicateKind::Value:
    s.predicate = signatureOf(m, ctx.typeOf(c.predicate));
    s.predicateKind = s.predicate.kind;
    s.predicateType = spellType(m, ctx.typeOf(c.predicate));
    break;
  case PredicateKind::Literal:
    s.predicateKind = "literal";
    s.predicateType = c.literal ? "true" : "false";
    break;
  case PredicateKind::Other:
    s.predicateKind = nameOfMisplaced(m, c.predicateInstead);
    break;
  }
  if (s.predicate.kind.empty())
    s.predicate.kind = s.predicateKind;
  for (const ConditionalOperand &o : c.operands) {
    s.operands.push_back(o.value ? signatureOf(m, ctx.typeOf(o.value)) : ConditionalSummary::Signature{});
    if (!o.value)
      s.operands.back().kind = nameOfMisplaced(m, o.instead);
  }
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    ConditionalSummary::BranchSummary branch;
    branch.name = c.branches[b].name;
    for (ValueId v : ctx.results(b))
      branch.outputs.push_back(v ? signatureOf(m, ctx.typeOf(v)) : ConditionalSummary::Signature{});
    s.branches.push_back(std::move(branch));
  }
  if (ctx.isNetwork())
    listLayers(ctx, s);
  if (ctx.options.details)
    s.details = describe(ctx);
  return s;
}

} // namespace condlint

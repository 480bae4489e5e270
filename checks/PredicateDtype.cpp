//===- PredicateDtype.cpp - The predicate is boolean (P4, C3) -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/SourceFacts.h"
#include <fmt/format.h>

namespace condlint {

void checkPredicateDtype(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (c.predicateKind != PredicateKind::Value)
    return ctx.absent();
  if (ctx.facts.brokenPredicates.contains(c.node))
    return ctx.unknown("the predicate is not defined before it is needed");
  const Type &t = ctx.typeOf(c.predicate);
  // What is no tensor is predicate-kind's where that rule exists (torch).
  if (t.kind == ValueKind::SymBool || (ctx.isTorch() && t.kind != ValueKind::Unknown && !t.isTensor()))
    return;
  if (t.kind == ValueKind::Unknown ||
      (t.isTensor() && t.element == DType::Unknown && t.possible().contains(DType::Bool)))
    return ctx.unknown(fmt::format("the dtype of {} is not known", spellPredicate(ctx.m, c.predicate)));
  if (t.isTensor() && t.element == DType::Bool)
    return;
  Draft d;
  // OV1: OpenVINO looks at the first byte, which is all of it in some.
  const bool isByte = t.isTensor() && (t.element == DType::Int8 || t.element == DType::UInt8);
  // Of what follows from constants it asks whether it is 0, and 2023.3 takes 0 and 1 alone.
  const bool isStored = ctx.predicateConstant();
  d.variant = isByte ? "byte" : isStored ? "stored" : "";
  d.message = fmt::format("{} is {}, not bool ({})", spellPredicate(ctx.m, c.predicate),
                          t.isTensor() ? spellElement(t) : spellType(ctx.m, t), spellPlace(ctx.m, c.predicate));
  d.related.push_back(relatedTo(ctx.m, c.predicate, "the predicate is made here"));
  if (ctx.isTorch()) {
    // P4: Python tests for truth, AOTInductor converts to an integer first.
    d.help = isFloating(t.element) || (t.possible() - DTypeSet::floating()).empty()
                 ? "compare it (`x > 0`): Python takes the true branch for 0.5, AOTInductor the false one"
                 : "compare it (`x != 0`): nothing in torch checks the dtype, and back ends convert it differently";
    d.fixes.push_back({"pass `pred != 0` or another comparison as the predicate",
                       t.isTensor() ? editsToCompare(ctx.m, c.node, " != 0") : std::vector<Edit>()});
  } else if (ctx.isNetwork()) {
    d.help =
        "compare it (addElementWise with kGREATER, kEQUAL, ...) or convert it (addCast to DataType::kBOOL), and pass "
        "that to setCondition";
    d.fixes.push_back({"network->addCast(*x, DataType::kBOOL)->getOutput(0), before setCondition"});
  } else {
    d.help = "insert a comparison or a Cast to bool before the If";
    if (ctx.isOpenVino() && isStored)
      d.help += ": of what follows from constants OpenVINO takes the then branch for all but 0, and 2023.3 reads no "
                "other than 0 and 1";
    else if (ctx.isOpenVino() && !isByte)
      d.help += ": OpenVINO looks at the first byte alone, and takes the else branch for 0.5 and for 256";
    d.fixes.push_back({"insert Cast(to=BOOL) between the value and the If"});
  }
  ctx.report(std::move(d));
}

} // namespace condlint

//===- OperandKind.cpp - Operands are a list of tensors (O1, O2, O3) ------===//
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

bool isNumber(const Model &m, ValueId v) { return m.real(v) || isNumbers(m, v); }

/// What torch's tracer writes into the branches where it is used: the same in every call, or a size.
bool isInlined(const Model &m, ValueId v) {
  switch (m.type(v).kind) {
  case ValueKind::None:
  case ValueKind::String:
  case ValueKind::SymInt:
    return true;
  case ValueKind::SymBool:
  case ValueKind::SymFloat:
    return isNumber(m, v);
  default:
    return false;
  }
}

} // namespace

void checkOperandKind(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect != Dialect::Torch)
    return ctx.absent();
  if (c.operandsMalformed && c.operandsInstead.kind == AttributeKind::Opaque && !c.operandsInstead.text)
    return ctx.unknown("the operands could not be read");
  if (c.operandsMalformed) { // O1
    Draft d;
    d.message = fmt::format("the operands are {}, not a list of tensors", spellMisplaced(m, c.operandsInstead));
    d.help = "torch.cond expects a tuple of tensors; put a single operand into a tuple: `(x,)`";
    return ctx.report(std::move(d));
  }
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const ConditionalOperand &o = c.operands[i];
    Draft d;
    if (!o.value) {
      d.message = fmt::format("operand {} is {}, not a tensor", i, spellMisplaced(m, o.instead));
    } else {
      const ValueKind kind = ctx.typeOf(o.value).kind;
      if (kind == ValueKind::Tensor || m[o.value].origin == ValueOrigin::Undefined)
        continue;
      // O2: what torch.cond itself refuses the tracer takes, where it comes to a conditional within another.
      const bool isConstant = ctx.isRecorded() && isInlined(m, o.value);
      if (isConstant && ctx.facts.isTracedWithin(m[c.node].graph))
        continue;
      if (isConstant) {
        d.variant = "called";
        d.message = fmt::format("operand {} ({}) is {}, not a tensor", i, spellValue(m, o.value),
                                isNumber(m, o.value) ? "a number" : fmt::format("a {}", spellKind(kind)));
        d.help = "leave it out of the operands: the branches read what is the same in every call, and sizes, from "
                 "around them";
        ctx.report(std::move(d));
        continue;
      }
      // A list of unknown length, which the cond function takes apart.
      if (kind == ValueKind::Unknown || (ctx.isSource() && kind == ValueKind::Sequence)) {
        ctx.unknown(fmt::format("nothing is known of operand {} ({})", i, spellValue(m, o.value)));
        continue;
      }
      // O3: torch writes a number that is the same in every call into the graph where it is used.
      if (kind == ValueKind::SymInt && isNumbers(m, o.value))
        continue;
      // A number of the program's own need be no symbol of torch's.
      if (kind == ValueKind::SymInt && ctx.isSource() && !m[o.value].def &&
          ctx.tableSeverity("operand-kind", "symint") != Severity::Off) {
        ctx.unknown(fmt::format("it is not known whether operand {} ({}) is symbolic", i, spellValue(m, o.value)));
        continue;
      }
      // O3: symbolic ints are passed on by newer versions, other scalars by none.
      d.variant = kind == ValueKind::SymInt ? "symint" : "";
      d.message = fmt::format("operand {} ({}) is a {}, not a tensor", i, spellValue(m, o.value), spellKind(kind));
      d.related.push_back(relatedTo(m, o.value, "the operand is made here"));
    }
    d.help = ctx.isSource()
                 ? "pass tensors; turn a number into one (`torch::tensor(n)`) or compute it inside the branches"
                 : "pass tensors; turn a number into one (`torch.tensor(n)`) or compute it inside the branches";
    ctx.report(std::move(d));
  }
}

} // namespace condlint

//===- OperandCount.cpp - Each branch takes what it is given (B2) ---------===//
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

/// ONNX: an If has one input, and its branches none.
void checkOnnx(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  std::string names;
  std::size_t inputs = 0;
  std::size_t defaults = 0;
  Draft d;
  for (const Branch &b : c.branches) {
    if (!b.graph)
      continue;
    const Range parameters = m[b.graph].parameters;
    for (std::uint32_t i = 0; i < parameters.count; ++i) {
      const ValueId p(parameters.first + i);
      // Up to IR 3 every initializer is listed among the inputs.
      const bool initialised = m[p].constant.valid();
      if (initialised && m.info.irVersion != 0 && m.info.irVersion < 4)
        continue;
      ++inputs;
      defaults += initialised ? 1 : 0;
      names += fmt::format("{}'{}' of '{}'", names.empty() ? "" : ", ", m.name(p), b.name);
      d.related.push_back(relatedTo(m, p, "an input that nothing is passed to"));
    }
  }
  if (c.extraInputs != 0) {
    Draft extra;
    extra.message = fmt::format("the If has {} inputs: it takes the predicate alone", c.extraInputs + 1);
    extra.help = "branches read the values of the graphs around them by name; remove the other inputs";
    ctx.report(std::move(extra));
  }
  if (inputs == 0)
    return;
  d.message = fmt::format("the branches of an If take no inputs, but there {} {}", inputs == 1 ? "is" : "are", names);
  d.help = "remove the inputs and read the outer values by their names";
  d.variant = defaults == inputs ? "default" : "";
  ctx.report(std::move(d));
}

} // namespace

void checkOperandCount(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect == Dialect::Onnx)
    return checkOnnx(ctx);
  if (c.extraInputs != 0) {
    Draft d; // P1
    d.message = fmt::format("the conditional has {} arguments: it takes a predicate, two branches and the operands",
                            c.extraInputs + 4);
    d.help = "pass the operands in one list";
    ctx.report(std::move(d));
  }
  if (c.operandsMalformed)
    return ctx.unknown("the operands are no list");
  for (const ConditionalOperand &o : c.operands)
    if (ctx.isSource() && o.value && ctx.typeOf(o.value).kind == ValueKind::Sequence)
      return ctx.unknown("how many operands are passed is not known");
  std::string wrong;
  Draft d;
  for (const Branch &b : c.branches)
    if (b.graph && m[b.graph].tooDeep)
      return ctx.unknown(fmt::format("what '{}' takes could not be read", b.name));
  for (std::size_t side = 0; side < c.branches.size(); ++side) {
    const Branch &b = c.branches[side];
    if (!b.graph || !ctx.isTaken(side) || m[b.graph].parameters.count == c.operands.size())
      continue;
    wrong += fmt::format("{}'{}' takes {}", wrong.empty() ? "" : ", ", b.name, m[b.graph].parameters.count);
    d.related.push_back({fmt::format("'{}' takes {}", b.name, m[b.graph].parameters.count), {}, m.path(b.graph)});
  }
  if (wrong.empty())
    return;
  d.message =
      fmt::format("{} operand{} passed, but {}", c.operands.size(), c.operands.size() == 1 ? " is" : "s are", wrong);
  d.help = "both branches take exactly the operands: give them the same parameters";
  ctx.report(std::move(d));
}

} // namespace condlint

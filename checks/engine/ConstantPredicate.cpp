//===- ConstantPredicate.cpp - A predicate that never changes -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ConstantPredicate.h"
#include "facts/NetworkFacts.h"
#include <vector>

namespace condlint {

namespace {

/// The value of a constant bool of one element.
std::optional<bool> boolOf(const Model &m, ConstantId id) {
  if (!id)
    return std::nullopt;
  const Constant &c = m[id];
  if (c.sparse)
    return std::nullopt;
  if (c.ints.count == 1)
    return m.ints(c.ints)[0] != 0;
  if (c.bytes.size() == 1)
    return c.bytes[0] != 0;
  return std::nullopt;
}

/// What inference knows \p v to hold, where that is one number; a size that is only declared is none.
std::optional<bool> contentOf(const RuleContext &ctx, ValueId v) {
  const Model &m = ctx.m;
  const ContentId content = ctx.facts.undeclared.content(v);
  if (!content || m.content(content).size() != 1)
    return std::nullopt;
  const auto number = m.dims.asConstant(m.content(content)[0]);
  return number ? std::optional<bool>(*number != 0) : std::nullopt;
}

bool isConstantNode(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  return op.dialect == Dialect::Onnx && m.text(op.name) == "Constant" && m.text(op.domain).empty();
}

/// At most \p budget calls of functions are looked at, for functions may hand a value on to each other.
ConstantPredicate constantOf(const RuleContext &ctx, ValueId v, unsigned &budget);

/// Of a parameter of a function's typed copy: what all its calls agree on.
ConstantPredicate givenTo(const RuleContext &ctx, ValueId parameter, unsigned &budget) {
  const std::vector<ValueId> &given = ctx.facts.constants.given(parameter);
  if (given.empty() || !ctx.facts.constants.holds(parameter, ctx.isTensorRT()))
    return {};
  std::optional<ConstantPredicate> out;
  for (const ValueId v : given) {
    if (!v || budget == 0)
      return {};
    --budget;
    const ConstantPredicate one = constantOf(ctx, v, budget);
    if (!out)
      out = one;
    out->constant = out->constant && one.constant;
    out->folded = out->folded || one.folded;
    if (out->value != one.value)
      out->value.reset();
  }
  return *out;
}

ConstantPredicate constantOf(const RuleContext &ctx, ValueId v, unsigned &budget) {
  const Model &m = ctx.m;
  const bool defaultsHold = ctx.isTensorRT();
  const Value &x = m[v];
  ConstantPredicate out;
  // Source: a global or a member is given from outside; what it is nobody knows.
  if (x.origin == ValueOrigin::Constant && m.info.format == Format::Cxx) {
    out.value = contentOf(ctx, v);
    out.constant = out.value.has_value();
    return out;
  }
  if (x.origin == ValueOrigin::Constant || (defaultsHold && isDefault(m, v))) {
    out.constant = true;
    out.value = boolOf(m, x.constant);
  } else if (x.origin == ValueOrigin::Parameter && m[x.graph].instanceOf) {
    out = givenTo(ctx, v, budget);
  } else if (x.origin != ValueOrigin::Result || m[m[x.def].op].dialect != Dialect::Onnx) {
    return out;
  } else if (isConstantNode(m, x.def)) {
    out.constant = true;
    if (const Attribute *a = m.attribute(x.def, "value"); a && a->kind == AttributeKind::Tensor)
      out.value = boolOf(m, ConstantId(a->list.first));
  } else {
    out.constant = out.folded = ctx.facts.constants.holds(v, defaultsHold);
  }
  if (!out.value)
    out.value = contentOf(ctx, v);
  return out;
}

} // namespace

ConstantPredicate foldPredicate(const RuleContext &ctx, ValueId v) {
  unsigned budget = 64;
  return constantOf(ctx, v, budget);
}

ConstantPredicate foldPredicate(const RuleContext &ctx, const Conditional &c) {
  const Model &m = ctx.m;
  if (c.predicateKind == PredicateKind::Literal)
    return {true, false, c.literal};
  if (c.predicateKind != PredicateKind::Value)
    return {};
  ConstantPredicate out = foldPredicate(ctx, c.predicate);
  if (ctx.isNetwork() && m[c.predicate].def && ctx.facts.network->isConstant(m[c.predicate].def)) {
    out.constant = true;
    if (const auto content = contentOf(ctx, c.predicate))
      out.value = content;
  }
  return out;
}

} // namespace condlint

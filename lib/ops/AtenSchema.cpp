//===- AtenSchema.cpp - What ATen overloads must be given -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenSchema.h"
#include "AtenArguments.h"
#include "AtenEffects.h"
#include "AtenLimits.h"
#include "AtenShapes.h"
#include "AtenTypes.h"
#include "InferState.h"
#include "Words.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace condlint {

namespace {

// --- axes -----------------------------------------------------------------------

template <std::size_t N> bool among(const std::array<std::string_view, N> &names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Parameters that name axes, where they are integers.
constexpr std::array<std::string_view, 11> axisNames{"dim",   "dims",      "dim0",    "dim1",      "dim2",  "axis0",
                                                     "axis1", "start_dim", "end_dim", "dimension", "source"};
/// Operators whose parameters of these names are no axes of their first tensor: counts,
/// or axes among tensors of several ranks.
constexpr std::array<std::string_view, 5> otherAxes{"tile", "slice_inverse", "cat", "concat", "concatenate"};
/// Operators of which no parameter is called `self` or `input`, and the one whose axes theirs are.
constexpr std::pair<std::string_view, std::string_view> axesOf[] = {
    {"_softmax_backward_data", "output"},
    {"_log_softmax_backward_data", "output"},
    {"trapezoid", "y"},
    {"trapz", "y"},
    {"cumulative_trapezoid", "y"},
    {"linalg_diagonal", "A"},
};
constexpr std::array<std::string_view, 4> addingAxis{"unsqueeze", "stack", "_stack", "diag_embed"};
/// "cannot be applied to a 0-dim tensor"
constexpr std::array<std::string_view, 20> refusingScalars{
    "size",   "stride", "sym_size",         "sym_stride",   "select",        "slice", "select_scatter",
    "narrow", "split",  "split_with_sizes", "unsafe_split", "unsafe_chunk",  "chunk", "unsafe_split_with_sizes",
    "diff",   "glu",    "tensor_split",     "unbind",       "slice_scatter", "roll"};
constexpr std::array<std::string_view, 6> repeatingAxes{"roll",     "fft_fftshift", "fft_ifftshift",
                                                        "_fft_r2c", "_fft_c2c",     "_fft_c2r"};
/// Operators that take a number for a tensor (should_allow_numbers_as_tensors).
constexpr std::array<std::string_view, 11> takingNumbers{
    "add", "sub", "mul", "div", "multiply", "subtract", "divide", "copy", "true_divide", "floor_divide", "to"};

// --- order ----------------------------------------------------------------------
/// Puts the operands of \p n in the order of its arguments \p taken. What belongs to none of them comes last, and so do
/// symbolic integers of a list, which no position is kept of.
void orderOperands(Model &m, NodeId n, std::vector<Attribute> &taken) {
  const std::vector<ValueId> before(m.operands(n).begin(), m.operands(n).end());
  std::vector<bool> placed(before.size(), false);
  std::vector<ValueId> ordered;
  for (Attribute &a : taken) {
    if (a.kind != AttributeKind::Operand && a.kind != AttributeKind::Operands && a.kind != AttributeKind::Opaque)
      continue;
    const auto to = static_cast<std::uint32_t>(ordered.size());
    for (std::size_t i = a.list.first; i < before.size() && i < a.list.first + a.list.count; ++i) {
      ordered.push_back(before[i]);
      placed[i] = true;
    }
    a.list.first = to;
  }
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!placed[i])
      ordered.push_back(before[i]);
  m.setOperands(n, ordered);
}

/// What becomes of \p a, which torch takes for a parameter of \p type: an empty list is one of that type, and what is
/// of another kind has no value that is known. Nothing where it stays as it is.
std::optional<AttributeKind> kindTaken(const Model &m, const Attribute &a, AtenType type) {
  std::optional<AttributeKind> kind;
  if (!isListType(type) || !isEmptyList(m, a)) {
    if (isTakenForAnother(m, a, type))
      kind = AttributeKind::Opaque;
  } else if (isOneOf(type, {AtenType::Tensors, AtenType::OptionalTensors})) {
    kind = AttributeKind::Operands;
  } else if (isOneOf(type, {AtenType::Ints, AtenType::OptionalInts})) {
    kind = AttributeKind::Ints;
  }
  return kind == a.kind ? std::nullopt : kind;
}

/// Gives what \p n is given for its \p parameters the kinds that they are taken for.
void settleKinds(Model &m, NodeId n, const auto &parameters) {
  const auto taken = [&](const Attribute &a) {
    const auto p = std::ranges::find_if(parameters, [&](const auto &x) { return x.name == a.name; });
    return p == parameters.end() ? std::nullopt : kindTaken(m, a, p->type);
  };
  const auto given = m.attributes(n);
  if (std::ranges::none_of(given, [&](const Attribute &a) { return taken(a).has_value(); }))
    return;
  std::vector<Attribute> settled(given.begin(), given.end());
  for (Attribute &a : settled)
    if (const auto kind = taken(a)) {
      a.kind = *kind;
      a.text = kind == AttributeKind::Opaque ? m.strings.intern("of another kind") : StringId();
      a.list = {};
    }
  m[n].attributes = m.poolAttributes(settled);
}

} // namespace

const AtenSchemas::Schema &AtenSchemas::of(Model &m, OperatorId op) {
  if (op.index() >= schemas.size())
    schemas.resize(m.operatorCount());
  Schema &schema = schemas[op.index()];
  const EffectsRow *row = m[op].effects;
  if (schema.known || !row)
    return schema;
  schema.known = true;
  const std::string_view name = baseName(m.text(m[op].name));
  const bool namesAxes = !among(otherAxes, name) && !name.starts_with("_sobol");
  const auto *axes = std::ranges::find(axesOf, name, &std::pair<std::string_view, std::string_view>::first);
  for (const auto &[parameter, type, hasDefault, integers] : row->parameters()) {
    const bool isInteger =
        isOneOf(type, {AtenType::Int, AtenType::OptionalInt, AtenType::Ints, AtenType::OptionalInts});
    const StringId id = m.strings.intern(parameter);
    if (parameter == "self" || parameter == "input" || (parameter == "tensors" && type == AtenType::Tensors) ||
        (axes != std::end(axesOf) && parameter == axes->second))
      schema.whose = id;
    schema.parameters.push_back(
        {id, type, !hasDefault, integers, findAtenLimit(name, parameter),
         isInteger && namesAxes && (among(axisNames, parameter) || parameter == "destination")});
  }
  schema.byPosition = row->name() == "aten.item.default";
  schema.pair = findAtenPair(name);
  schema.order = findAtenOrder(name);
  schema.types = findAtenTypeDemands(name);
  schema.shapes = findAtenShapeDemands(name);
  schema.takesNumbers = among(takingNumbers, name) || name == "_to";
  schema.addsAxis = among(addingAxis, name);
  schema.takesScalars = !among(refusingScalars, name);
  schema.repeatsAxes = among(repeatingAxes, name);
  return schema;
}

bool AtenSchemas::isInOrder(InferContext &ctx, const Schema &schema) {
  auto next = schema.parameters.begin();
  return std::ranges::all_of(ctx.model().attributes(ctx.node()), [&](const Attribute &a) {
    next = std::find_if(next, schema.parameters.end(), [&](const Parameter &p) { return p.name == a.name; });
    return next != schema.parameters.end() && next++->name == a.name;
  });
}

bool AtenSchemas::takesArguments(InferContext &ctx, const Schema &schema) {
  Model &m = ctx.model();
  const NodeId n = ctx.node();
  const auto attributes = m.attributes(n);
  if (schema.byPosition && attributes.size() > schema.parameters.size()) {
    ctx.reject(fmt::format("takes {} argument(s), not {}", schema.parameters.size(), attributes.size()));
    return false;
  }
  if (schema.parameters.empty() || isInOrder(ctx, schema))
    return true;
  std::vector<Attribute> taken;
  for (const Parameter &p : schema.parameters) {
    const auto last = std::ranges::find(attributes.rbegin(), attributes.rend(), p.name, &Attribute::name);
    if (last != attributes.rend())
      taken.push_back(*last);
  }
  const auto isOther = [&](const Attribute &a) {
    return std::ranges::find(schema.parameters, a.name, &Parameter::name) == schema.parameters.end();
  };
  if (m.info.format != Format::Pt2)
    std::ranges::copy_if(attributes, std::back_inserter(taken), isOther);
  orderOperands(m, n, taken);
  m[n].attributes = m.poolAttributes(taken);
  return true;
}

bool AtenSchemas::yields(InferContext &ctx) {
  const Model &m = ctx.model();
  const EffectsRow *row = m[m[ctx.node()].op].effects;
  const std::size_t results = row ? row->results : 0, declared = ctx.resultCount();
  // Of several results the last may be left out, but a single one is all of them together.
  const bool fits = results == 0 || (declared <= results && (declared != 1 || results == 1));
  if (!fits)
    ctx.reject(fmt::format("yields {} value(s), but {} {} declared", results, declared, declared == 1 ? "is" : "are"));
  return fits;
}

bool AtenSchemas::fits(InferContext &ctx) {
  Model &m = ctx.model();
  const Schema &schema = of(m, m[ctx.node()].op);
  if (!takesArguments(ctx, schema) || !yields(ctx))
    return false;
  const auto attributes = m.attributes(ctx.node());
  const bool isBackward = ctx.opName().find("backward") != std::string_view::npos;
  for (const Parameter &p : schema.parameters) {
    const auto given = std::ranges::find(attributes, p.name, &Attribute::name);
    if (given == attributes.end()) {
      if (!p.required)
        continue;
      ctx.reject(fmt::format("the argument '{}' is not given, and has no default", m.text(p.name)));
      return false;
    }
    const std::string_view expected = spellParameter(p.type);
    // What has no gradient gives none.
    const bool mayBeNone = isBackward && p.type == AtenType::Tensor && given->kind == AttributeKind::None;
    if (expected.empty() || mayBeNone ||
        (admits(ctx, *given, p.type, schema.takesNumbers) && suitsIntegers(ctx, *given, p.type, p.integers)))
      continue;
    ctx.reject(
        fmt::format("the argument '{}' is {}, expected {}", m.text(p.name), spellArgument(ctx, *given), expected));
    return false;
  }
  settleKinds(m, ctx.node(), schema.parameters);
  return admitsAxes(ctx, schema) && admitsLiterals(ctx, schema) && admitsShapes(ctx, schema) &&
         admitsTypes(ctx, schema);
}

bool AtenSchemas::admitsTypes(InferContext &ctx) {
  Model &m = ctx.model();
  const Schema &schema = of(m, m[ctx.node()].op);
  return takesArguments(ctx, schema) && admitsTypes(ctx, schema);
}

bool AtenSchemas::admitsTypes(InferContext &ctx, const Schema &schema) {
  for (const AtenTypeDemand *demand : schema.types)
    if (std::string refusal = demand->refusal(ctx); !refusal.empty()) {
      ctx.reject(std::move(refusal));
      return false;
    }
  return true;
}

bool AtenSchemas::admitsShapes(InferContext &ctx, const Schema &schema) {
  for (const AtenShapeDemand *demand : schema.shapes)
    if (std::string refusal = demand->refusal(ctx); !refusal.empty()) {
      ctx.reject(std::move(refusal));
      return false;
    }
  return true;
}

bool AtenSchemas::admitsLiterals(InferContext &ctx, const Schema &schema) {
  const Model &m = ctx.model();
  for (const Parameter &p : schema.parameters) {
    const Attribute *given = p.limit ? ctx.attribute(p.limit->parameter) : nullptr;
    std::string refusal = given ? p.limit->refusal(m, *given) : "";
    if (!refusal.empty()) {
      ctx.reject(std::move(refusal));
      return false;
    }
  }
  if (std::string refusal = schema.order ? schema.order->refusal(ctx) : ""; !refusal.empty()) {
    ctx.reject(std::move(refusal));
    return false;
  }
  if (!schema.pair)
    return true;
  const Attribute *first = ctx.attribute(schema.pair->first), *second = ctx.attribute(schema.pair->second);
  const auto isList = [&](const Attribute *a) {
    return a && a->kind == AttributeKind::Ints && (a->list.count != 0 || !schema.pair->mayBeEmpty);
  };
  if (!isList(first) || !isList(second) || first->list.count == second->list.count)
    return true;
  ctx.reject(fmt::format("'{}' has {} entries and '{}' has {}", schema.pair->first, first->list.count,
                         schema.pair->second, second->list.count));
  return false;
}

bool AtenSchemas::admitsAxes(InferContext &ctx, const Schema &schema) {
  if (!schema.whose)
    return true;
  Model &m = ctx.model();
  const std::vector<ValueId> whose = ctx.argList(m.text(schema.whose));
  const Type &t = whose.empty() ? Type() : ctx.typeOf(whose.front());
  if (!t.isTensor() || !t.hasRank)
    return true;
  // Nothing is done where there is nothing to roll, or no difference to take.
  const std::string_view op = ctx.opName();
  const auto mayBeEmpty = [&](Dim d) { return !d.known() || m.dims.boundsOf(d).contains(0); };
  if ((op == "roll" && std::ranges::any_of(t.dims, mayBeEmpty)) || (op == "diff" && ctx.intAttr("n", 1) == 0))
    return true;
  const auto rank = static_cast<std::int64_t>(t.dims.size());
  const std::int64_t axes = schema.addsAxis ? rank + 1 : std::max<std::int64_t>(rank, 1);
  for (const Parameter &p : schema.parameters) {
    const std::string_view name = m.text(p.name);
    const Attribute *given = p.isAxis ? ctx.attribute(name) : nullptr;
    if (!given || (given->kind != AttributeKind::Int && given->kind != AttributeKind::Ints))
      continue;
    const auto numbers = ctx.intsAttr(name);
    std::vector<std::int64_t> seen;
    for (std::int64_t axis : *numbers) {
      const std::int64_t at = axis < 0 ? axis + axes : axis;
      if (rank == 0 && !schema.takesScalars)
        ctx.reject(fmt::format("'{}' is {}, but the operand has no axes", name, axis));
      else if (at < 0 || at >= axes)
        ctx.reject(fmt::format("'{}' is {}, which is out of range for rank {}", name, axis, rank));
      else if (!schema.repeatsAxes && std::ranges::find(seen, at) != seen.end())
        ctx.reject(fmt::format("'{}' names the axis {} twice", name, at));
      else {
        seen.push_back(at);
        continue;
      }
      return false;
    }
  }
  return true;
}

} // namespace condlint

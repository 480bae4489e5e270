//===- AtenSchema.cpp - What ATen overloads must be given -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenSchema.h"
#include "AtenEffects.h"
#include "AtenLimits.h"
#include "AtenShapes.h"
#include "AtenTypes.h"
#include "InferState.h"
#include "Words.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace condlint {

namespace {

// --- what each type of parameter takes ----------------------------------------
// Tried out with torch 2.13: what its calls from Python convert, and what not.

/// What an argument of a type is to people; empty for types that are not judged.
std::string_view spellParameter(AtenType type) {
  switch (type) {
  case AtenType::Tensor:
  case AtenType::OptionalTensor:
    return "a tensor";
  case AtenType::Tensors:
  case AtenType::OptionalTensors:
    return "a list of tensors";
  case AtenType::Number:
  case AtenType::OptionalNumber:
  case AtenType::Float:
  case AtenType::OptionalFloat:
    return "a number";
  case AtenType::Int:
  case AtenType::OptionalInt:
    return "an integer";
  case AtenType::Ints:
  case AtenType::OptionalInts:
    return "a list of integers";
  case AtenType::Floats:
  case AtenType::OptionalFloats:
    return "a list of numbers";
  case AtenType::Bools:
    return "a list of bools";
  case AtenType::Bool:
  case AtenType::OptionalBool:
    return "a bool";
  case AtenType::String:
  case AtenType::OptionalString:
    return "a string";
  case AtenType::ScalarType:
  case AtenType::OptionalScalarType:
    return "an element type";
  case AtenType::Device:
    return "a device";
  case AtenType::Layout:
    return "a layout";
  case AtenType::MemoryFormat:
  case AtenType::OptionalMemoryFormat:
    return "a memory format";
  default:
    return {};
  }
}

/// The types that may be none.
bool isOptional(AtenType type) {
  return isOneOf(type, {AtenType::OptionalTensor, AtenType::OptionalNumber, AtenType::OptionalInt,
                        AtenType::OptionalInts, AtenType::OptionalFloat, AtenType::OptionalFloats, AtenType::Bool,
                        AtenType::OptionalBool, AtenType::OptionalString, AtenType::OptionalScalarType,
                        AtenType::Device, AtenType::Layout, AtenType::OptionalMemoryFormat});
}

bool isListType(AtenType type) {
  return isOneOf(type, {AtenType::Tensors, AtenType::OptionalTensors, AtenType::Ints, AtenType::OptionalInts,
                        AtenType::Floats, AtenType::OptionalFloats, AtenType::Bools});
}

/// A value where a number is expected: symbolic numbers are; a tensor of one element is
/// converted, except to a number of any kind.
bool isNumber(const Model &m, const Type &t, AtenType type) {
  switch (t.kind) {
  case ValueKind::SymFloat:
    return isOneOf(type, {AtenType::Number, AtenType::OptionalNumber, AtenType::Float, AtenType::OptionalFloat,
                          AtenType::Bool, AtenType::OptionalBool});
  case ValueKind::Tensor: {
    if (type == AtenType::Number || type == AtenType::OptionalNumber)
      return false;
    const bool takesReals =
        isOneOf(type, {AtenType::Float, AtenType::OptionalFloat, AtenType::Bool, AtenType::OptionalBool});
    if (!takesReals && t.element != DType::Unknown && !isIntegral(t.element) && t.element != DType::Bool)
      return false;
    return std::ranges::all_of(t.dims, [&](Dim d) { return !d.known() || m.dims.boundsOf(d).contains(1); });
  }
  case ValueKind::Sequence:
  case ValueKind::String:
  case ValueKind::None:
  case ValueKind::Object:
    return false;
  default:
    return true;
  }
}

/// A value where a tensor is expected, or a number where that is as good.
bool isTensorValue(const Type &t, bool orNumber) {
  switch (t.kind) {
  case ValueKind::SymInt:
  case ValueKind::SymBool:
  case ValueKind::SymFloat:
    return orNumber;
  case ValueKind::Sequence:
  case ValueKind::String:
    return false;
  default:
    return true;
  }
}

/// A single value for a parameter of \p type.
bool admitsValue(InferContext &ctx, ValueId v, AtenType type, bool takesNumbers) {
  const Type &t = ctx.typeOf(v);
  switch (type) {
  case AtenType::Tensor:
  case AtenType::OptionalTensor:
    return isTensorValue(t, takesNumbers);
  case AtenType::OptionalTensors: // what a tensor consists of is a list of tensors
    return isTensorValue(t, false);
  case AtenType::Tensors:
  case AtenType::Floats:
  case AtenType::OptionalFloats:
  case AtenType::Bools:
    return !t.isTensor();
  case AtenType::Ints:
  case AtenType::OptionalInts:
    return !t.isTensor() && t.kind != ValueKind::SymFloat;
  case AtenType::String:
  case AtenType::OptionalString:
  case AtenType::Device:
    return t.kind == ValueKind::Unknown || t.kind == ValueKind::String || t.kind == ValueKind::None;
  default:
    return isNumber(ctx.model(), t, type);
  }
}

/// A list of values for a parameter of \p type.
bool admitsValues(InferContext &ctx, const Attribute &a, AtenType type) {
  if (a.list.count == 0)
    return isListType(type);
  const AtenType element = type == AtenType::Tensors                                  ? AtenType::Tensor
                           : type == AtenType::OptionalTensors                        ? AtenType::OptionalTensor
                           : type == AtenType::Ints || type == AtenType::OptionalInts ? AtenType::Int
                                                                                      : AtenType::Float;
  if (!isListType(type))
    return false;
  for (std::uint32_t i = 0; i < a.list.count; ++i)
    if (const ValueId v = ctx.operand(a.list.first + i); v && !admitsValue(ctx, v, element, false))
      return false;
  return true;
}

/// A list of lists, which no parameter of ATen takes.
bool isListOfLists(const Model &m, const Attribute &a) {
  return a.kind == AttributeKind::Opaque && a.number > 0 &&
         (m.text(a.text) == "as_int_lists" || m.text(a.text) == "as_float_lists");
}

/// A literal that torch takes for a parameter of another kind, and of which the file does not say what it comes to: a
/// constant of torch for a number, which is one in torch's own code, a number for such a constant, any number for a
/// bool, a bool for a list.
bool isTakenForAnother(const Model &m, const Attribute &a, AtenType type) {
  const auto oneOf = [&](std::initializer_list<AtenType> types) { return isOneOf(type, types); };
  switch (a.kind) {
  case AttributeKind::DType:
  case AttributeKind::Layout:
  case AttributeKind::MemoryFormat:
    return oneOf({AtenType::Number, AtenType::OptionalNumber, AtenType::Int, AtenType::OptionalInt});
  case AttributeKind::Int:
    return oneOf({AtenType::ScalarType, AtenType::OptionalScalarType});
  case AttributeKind::Bool:
    return oneOf({AtenType::ScalarType, AtenType::OptionalScalarType, AtenType::Ints, AtenType::OptionalInts});
  case AttributeKind::Float:
  case AttributeKind::Complex:
    return oneOf({AtenType::Bool, AtenType::OptionalBool});
  case AttributeKind::String: // no letters are no entries, to some overloads
    return m.text(a.text).empty() && oneOf({AtenType::Ints, AtenType::OptionalInts});
  default:
    return false;
  }
}

/// A literal for a parameter of \p type.
bool admitsLiteral(const Attribute &a, AtenType type, bool takesNumbers) {
  const auto oneOf = [&](std::initializer_list<AtenType> types) { return isOneOf(type, types); };
  const bool isTensor = oneOf({AtenType::Tensor, AtenType::OptionalTensor});
  switch (a.kind) {
  case AttributeKind::Int:
  case AttributeKind::Bool: // an integer stands for a list where the schema gives its length
    return isTensor ? takesNumbers
                    : !oneOf({AtenType::Tensors, AtenType::OptionalTensors, AtenType::Floats, AtenType::OptionalFloats,
                              AtenType::Bools, AtenType::String, AtenType::OptionalString, AtenType::Device});
  case AttributeKind::Float:
  case AttributeKind::Complex:
    return isTensor ? takesNumbers
                    : oneOf({AtenType::Number, AtenType::OptionalNumber, AtenType::Bool, AtenType::OptionalBool}) ||
                          (a.kind == AttributeKind::Float && oneOf({AtenType::Float, AtenType::OptionalFloat}));
  case AttributeKind::DType: // constants of torch are numbers too, to some
    return oneOf({AtenType::ScalarType, AtenType::OptionalScalarType, AtenType::Number, AtenType::OptionalNumber,
                  AtenType::Int, AtenType::OptionalInt, AtenType::Layout, AtenType::MemoryFormat,
                  AtenType::OptionalMemoryFormat});
  case AttributeKind::Layout:
    return oneOf({AtenType::Layout, AtenType::Number, AtenType::OptionalNumber, AtenType::Int, AtenType::OptionalInt,
                  AtenType::MemoryFormat, AtenType::OptionalMemoryFormat});
  case AttributeKind::MemoryFormat:
    return oneOf({AtenType::MemoryFormat, AtenType::OptionalMemoryFormat, AtenType::Int, AtenType::OptionalInt,
                  AtenType::Layout});
  case AttributeKind::String: // readers take a device of a string
    return oneOf({AtenType::String, AtenType::OptionalString});
  case AttributeKind::Device:
    return type == AtenType::Device;
  case AttributeKind::Ints:
  case AttributeKind::Bools:
  case AttributeKind::Dims:
    return oneOf(
               {AtenType::Ints, AtenType::OptionalInts, AtenType::Floats, AtenType::OptionalFloats, AtenType::Bools}) ||
           (a.list.count == 0 && oneOf({AtenType::Tensors, AtenType::OptionalTensors}));
  case AttributeKind::Floats:
    return oneOf({AtenType::Floats, AtenType::OptionalFloats, AtenType::Bools}) ||
           (a.list.count == 0 &&
            oneOf({AtenType::Ints, AtenType::OptionalInts, AtenType::Tensors, AtenType::OptionalTensors}));
  case AttributeKind::Strings:
    return a.list.count == 0 && isListType(type);
  default:
    return true;
  }
}

bool admits(InferContext &ctx, const Attribute &a, AtenType type, bool takesNumbers) {
  switch (a.kind) {
  case AttributeKind::None:
    return isOptional(type);
  case AttributeKind::Operand:
    return admitsValue(ctx, ctx.operand(a.list.first), type, takesNumbers);
  case AttributeKind::Operands:
    return admitsValues(ctx, a, type);
  default:
    return !isListOfLists(ctx.model(), a) &&
           ((a.kind == AttributeKind::String && isTakenForAnother(ctx.model(), a, type)) ||
            admitsLiteral(a, type, takesNumbers));
  }
}

/// Torch takes \p a for a parameter of \p type whose schema writes its integers so: a constant of torch is an int and
/// no SymInt, an int stands for a list that has its length in the schema, a text is a list of SymInt, and no list has
/// none in the place of a number.
bool suitsIntegers(InferContext &ctx, const Attribute &a, AtenType type, AtenIntegers integers) {
  const bool isList = isOneOf(type, {AtenType::Ints, AtenType::OptionalInts});
  switch (a.kind) {
  case AttributeKind::DType:
  case AttributeKind::Layout:
  case AttributeKind::MemoryFormat:
    return integers != AtenIntegers::Symbolic || !isOneOf(type, {AtenType::Int, AtenType::OptionalInt});
  case AttributeKind::Int:
  case AttributeKind::Bool:
    return !isList || integers == AtenIntegers::Repeated;
  case AttributeKind::String:
    return !isList || integers == AtenIntegers::Symbolic;
  case AttributeKind::Operand: {
    const ValueKind kind = ctx.typeOf(ctx.operand(a.list.first)).kind;
    return !isList || integers == AtenIntegers::Repeated || (kind != ValueKind::SymInt && kind != ValueKind::SymBool);
  }
  case AttributeKind::Operands:
    for (std::uint32_t i = 0; i < a.list.count && isList; ++i)
      if (!ctx.operand(a.list.first + i))
        return false;
    return true;
  default:
    return true;
  }
}

/// A list, of whatever kind, in which there is nothing.
bool isEmptyList(const Model &m, const Attribute &a) {
  switch (a.kind) {
  case AttributeKind::Ints:
  case AttributeKind::Bools:
  case AttributeKind::Floats:
  case AttributeKind::Dims:
  case AttributeKind::Strings:
  case AttributeKind::Operands:
    return a.list.count == 0;
  case AttributeKind::String:
    return m.text(a.text).empty();
  case AttributeKind::Opaque:
    return a.number == 0 && (m.text(a.text) == "as_int_lists" || m.text(a.text) == "as_float_lists");
  default:
    return false;
  }
}

/// What \p a is to people: "the string 'abc'", "1.5", "a tensor".
std::string spellArgument(InferContext &ctx, const Attribute &a) {
  const Model &m = ctx.model();
  switch (a.kind) {
  case AttributeKind::None:
    return "none";
  case AttributeKind::Int:
    return std::to_string(a.number);
  case AttributeKind::Bool:
    return a.number != 0 ? "true" : "false";
  case AttributeKind::Float:
    return fmt::format("{}", a.real);
  case AttributeKind::String:
    return fmt::format("the string '{}'", m.text(a.text));
  case AttributeKind::DType:
    return fmt::format("the element type {}", dtypeName(static_cast<DType>(a.number)));
  case AttributeKind::Operand: {
    const Type &t = ctx.typeOf(ctx.operand(a.list.first));
    return t.isTensor() ? fmt::format("a tensor, {}", spellType(m, t)) : fmt::format("a {}", kindName(t.kind));
  }
  case AttributeKind::Operands:
    return "a list of values";
  case AttributeKind::Bools:
  case AttributeKind::Ints:
  case AttributeKind::Dims:
    return "a list of integers";
  case AttributeKind::Floats:
    return "a list of numbers";
  case AttributeKind::Strings:
    return "a list of strings";
  case AttributeKind::Opaque:
    return isListOfLists(m, a) ? "a list of lists" : "of another kind";
  default:
    return "of another kind";
  }
}

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

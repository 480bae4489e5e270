//===- AtenArguments.cpp - What types of parameters take ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenArguments.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

// Tried out with torch 2.13: what its calls from Python convert, and what not.

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

namespace {

/// The types that may be none.
bool isOptional(AtenType type) {
  return isOneOf(type, {AtenType::OptionalTensor, AtenType::OptionalNumber, AtenType::OptionalInt,
                        AtenType::OptionalInts, AtenType::OptionalFloat, AtenType::OptionalFloats, AtenType::Bool,
                        AtenType::OptionalBool, AtenType::OptionalString, AtenType::OptionalScalarType,
                        AtenType::Device, AtenType::Layout, AtenType::OptionalMemoryFormat});
}

} // namespace

bool isListType(AtenType type) {
  return isOneOf(type, {AtenType::Tensors, AtenType::OptionalTensors, AtenType::Ints, AtenType::OptionalInts,
                        AtenType::Floats, AtenType::OptionalFloats, AtenType::Bools});
}

namespace {

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

} // namespace

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

namespace {

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

} // namespace

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

} // namespace condlint

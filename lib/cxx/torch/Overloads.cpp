//===- Overloads.cpp - Which ATen overload a C++ call means ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATen's C++ functions are generated from the schemas: their parameters are
// called as in the schema, and their types say which overload they are.
//
//===----------------------------------------------------------------------===//

#include "Overloads.h"
#include "../../ops/AtenEffects.h"
#include "../interp/machine/Machine.h"
#include "../interp/machine/Types.h"
#include <algorithm>
#include <map>

namespace condlint::cxx {

namespace {

AtenType optionalOf(AtenType inner) {
  switch (inner) {
  case AtenType::Tensor:
    return AtenType::OptionalTensor;
  case AtenType::Number:
    return AtenType::OptionalNumber;
  case AtenType::Int:
    return AtenType::OptionalInt;
  case AtenType::Ints:
    return AtenType::OptionalInts;
  case AtenType::Bool:
    return AtenType::OptionalBool;
  case AtenType::Float:
    return AtenType::OptionalFloat;
  case AtenType::Floats:
    return AtenType::OptionalFloats;
  case AtenType::ScalarType:
    return AtenType::OptionalScalarType;
  case AtenType::String:
    return AtenType::OptionalString;
  case AtenType::MemoryFormat:
    return AtenType::OptionalMemoryFormat;
  default: // what may be none as it is
    return inner;
  }
}

AtenType listOf(AtenType inner) {
  switch (inner) {
  case AtenType::Tensor:
    return AtenType::Tensors;
  case AtenType::OptionalTensor:
    return AtenType::OptionalTensors;
  case AtenType::Int:
    return AtenType::Ints;
  case AtenType::Float:
    return AtenType::Floats;
  case AtenType::Bool:
    return AtenType::Bools;
  case AtenType::Number:
    return AtenType::Numbers;
  default:
    return AtenType::Unknown;
  }
}

/// A C++ type may be less or more than the schema's: 0 no, 1 with a conversion, 2 the same.
int compatible(AtenType cxx, AtenType schema) {
  if (cxx == schema)
    return 2;
  if (cxx == AtenType::Unknown)
    return 1;
  using enum AtenType;
  static constexpr std::pair<AtenType, AtenType> converted[] = {{Tensor, OptionalTensor},
                                                                {Number, OptionalNumber},
                                                                {Int, OptionalInt},
                                                                {Ints, OptionalInts},
                                                                {Bool, OptionalBool},
                                                                {Float, OptionalFloat},
                                                                {Floats, OptionalFloats},
                                                                {ScalarType, OptionalScalarType},
                                                                {String, OptionalString},
                                                                {MemoryFormat, OptionalMemoryFormat},
                                                                {Int, Ints},
                                                                {Int, OptionalInts},
                                                                {Tensors, Tensor},
                                                                {OptionalInt, OptionalInts},
                                                                {Tensors, OptionalTensors},
                                                                {Int, OptionalNumber},
                                                                {Int, Number},
                                                                {Float, Number},
                                                                {Bool, Number},
                                                                {Float, OptionalNumber},
                                                                {OptionalInt, Number},
                                                                {OptionalTensor, Int}};
  return std::ranges::find(converted, std::pair(cxx, schema)) != std::end(converted) ? 1 : 0;
}

} // namespace

const AtenParameter *AtenOverload::find(std::string_view wanted) const {
  for (const AtenParameter &p : parameters)
    if (p.name == wanted)
      return &p;
  return nullptr;
}

AtenType atenTypeOf(Machine &m, clang::QualType type) {
  if (type.isNull())
    return AtenType::Unknown;
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isBooleanType())
    return AtenType::Bool;
  if (const auto *e = type->getAs<clang::EnumType>()) {
    const std::string_view name = m.qualifiedName(*e->getDecl());
    if (name == "c10::ScalarType")
      return AtenType::ScalarType;
    if (name == "c10::MemoryFormat")
      return AtenType::MemoryFormat;
    if (name == "c10::Layout")
      return AtenType::Layout;
    return name == "c10::DeviceType" ? AtenType::Device : AtenType::Int;
  }
  if (type->isIntegerType())
    return AtenType::Int;
  if (type->isRealFloatingType())
    return AtenType::Float;
  const std::string_view name = m.className(type);
  if (name == "at::Tensor" || name == "at::TensorBase")
    return AtenType::Tensor;
  if (name == "c10::Scalar")
    return AtenType::Number;
  if (name == "c10::SymInt")
    return AtenType::Int;
  if (name == "c10::TensorOptions")
    return AtenType::Options;
  if (name == "c10::Device")
    return AtenType::Device;
  if (name == "caffe2::TypeMeta")
    return AtenType::ScalarType;
  if (name == "at::Generator")
    return AtenType::Generator;
  if (name == "at::Dimname")
    return AtenType::DimName;
  if (name == "std::basic_string" || name == "std::basic_string_view" || name == "c10::basic_string_view")
    return AtenType::String;
  if (name == "c10::OptionalArrayRef")
    return optionalOf(listOf(atenTypeOf(m, typeArgument(type, 0))));
  if (name == "std::optional" || name == "c10::optional")
    return optionalOf(atenTypeOf(m, typeArgument(type, 0)));
  if (name == "at::ITensorListRef" || name == "c10::IListRef")
    return AtenType::Tensors;
  if (name == "c10::ArrayRef" || name == "std::vector" || name == "c10::List" || name == "std::initializer_list" ||
      name == "std::array")
    return listOf(atenTypeOf(m, typeArgument(type, 0)));
  return AtenType::Unknown;
}

bool isAtenName(std::string_view name) { return !atenOverloads(name).empty(); }

namespace {

/// The rows of an operator, taken apart once.
const std::vector<AtenOverload> &overloadsOf(std::string_view name) {
  static thread_local std::map<std::string, std::vector<AtenOverload>, std::less<>> cache;
  if (auto known = cache.find(name); known != cache.end())
    return known->second;
  std::vector<AtenOverload> all;
  for (const EffectsRow &row : atenOverloads(name)) {
    AtenOverload o;
    o.name = name;
    o.overload = row.name().substr(std::string_view("aten.").size() + name.size() + 1);
    o.parameters = row.parameters();
    for (std::size_t i = 0; i < row.writeCount() && o.parameters.size() > 1; ++i)
      o.isOut = o.isOut || row.write(i) == o.parameters.back().name;
    all.push_back(std::move(o));
  }
  return cache.emplace(std::string(name), std::move(all)).first->second;
}

/// How well \p given fits \p o; nothing when it does not.
std::optional<int> fit(const AtenOverload &o, const std::vector<AtenParameter> &given, bool out) {
  // Overloads for TorchScript and Python, which no C++ function has.
  if (o.overload.find("hacked_twin") != std::string::npos || o.overload.starts_with("prim_"))
    return std::nullopt;
  if (o.isOut != out)
    return std::nullopt;
  int score = 0;
  std::size_t matched = 0;
  std::size_t position = 0;
  for (const AtenParameter &g : given) {
    if (g.type == AtenType::Options) {
      const AtenParameter *dtype = o.find("dtype");
      if (!dtype || !o.find("device"))
        return std::nullopt;
      matched += o.find("pin_memory") ? 4U : 3U;
      score += 2;
      ++position;
      continue;
    }
    const AtenParameter *p = g.name.empty() ? nullptr : o.find(g.name);
    int fits = p ? compatible(g.type, p->type) : 0;
    if (!p) {
      // A parameter that a header leaves without a name, or renames.
      if (position >= o.parameters.size() || (!g.name.empty() && out))
        return std::nullopt;
      fits = compatible(g.type, o.parameters[position].type);
      if (fits != 0 && !g.name.empty())
        return std::nullopt;
      fits -= 1;
      if (fits < 0)
        return std::nullopt;
    }
    if (p && fits == 0)
      return std::nullopt;
    score += fits * 2;
    ++matched;
    ++position;
  }
  // What the schema takes besides has a default, or it is another overload.
  const auto missing = static_cast<int>(o.parameters.size()) - static_cast<int>(matched);
  return score * 4 - missing * 3;
}

/// How well \p given fits \p o by position alone, where a header calls the parameters otherwise.
std::optional<int> fitByPosition(const AtenOverload &o, const std::vector<AtenParameter> &given) {
  if (given.size() > o.parameters.size())
    return std::nullopt;
  std::vector<AtenParameter> nameless = given;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const AtenParameter *named = o.find(given[i].name);
    if (given[i].type == AtenType::Options || given[i].type == AtenType::Unknown ||
        (named && named != &o.parameters[i]))
      return std::nullopt;
    nameless[i].name = {};
  }
  return fit(o, nameless, false);
}

/// The only one that fits best by position.
const AtenOverload *onlyByPosition(std::string_view name, const std::vector<AtenParameter> &given) {
  const AtenOverload *best = nullptr;
  int bestScore = 0;
  bool isOnly = true;
  for (const AtenOverload &o : overloadsOf(name)) {
    const auto score = given.empty() ? std::nullopt : fitByPosition(o, given);
    if (!score || (best && *score < bestScore))
      continue;
    isOnly = !best || *score > bestScore;
    best = &o;
    bestScore = *score;
  }
  return isOnly ? best : nullptr;
}

} // namespace

std::optional<AtenOverload> chooseOverload(std::string_view name, const std::vector<AtenParameter> &parameters,
                                           bool out) {
  const AtenOverload *best = nullptr;
  int bestScore = 0;
  for (const AtenOverload &o : overloadsOf(name)) {
    if (o.parameters.empty() && !parameters.empty())
      continue;
    const auto score = fit(o, parameters, out);
    if (score && (!best || *score > bestScore)) {
      best = &o;
      bestScore = *score;
    }
  }
  if (!best && !out)
    best = onlyByPosition(name, parameters);
  return best ? std::optional(*best) : std::nullopt;
}

} // namespace condlint::cxx

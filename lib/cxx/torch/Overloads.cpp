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

char optionalOf(char inner) {
  switch (inner) {
  case 'T':
    return 't';
  case 's':
    return 'z';
  case 'i':
    return 'j';
  case 'I':
    return 'J';
  case 'b':
    return 'c';
  case 'f':
    return 'g';
  case 'F':
    return 'G';
  case 'd':
    return 'e';
  case 'S':
    return 'u';
  case 'm':
    return 'n';
  case 'l':
    return 'l';
  default:
    return inner;
  }
}

char listOf(char inner) {
  switch (inner) {
  case 'T':
    return 'L';
  case 't':
    return 'l';
  case 'i':
    return 'I';
  case 'f':
    return 'F';
  case 'b':
    return 'B';
  case 's':
    return 'Z';
  default:
    return '?';
  }
}

/// A C++ type may be less or more than the schema's: 0 no, 1 with a conversion, 2 the same.
int compatible(char cxx, char schema) {
  if (cxx == schema)
    return 2;
  if (cxx == '?')
    return 1;
  static constexpr std::string_view pair[] = {"Tt", "sz", "ij", "IJ", "bc", "fg", "FG", "de", "Su", "mn", "iI",
                                              "iJ", "LT", "jJ", "Ll", "iz", "is", "fs", "bs", "fz", "js", "ti"};
  const auto same = [&](std::string_view p) { return p[0] == cxx && p[1] == schema; };
  return std::ranges::any_of(pair, same) ? 1 : 0;
}

} // namespace

const AtenParameter *AtenOverload::find(std::string_view wanted) const {
  for (const AtenParameter &p : parameters)
    if (p.name == wanted)
      return &p;
  return nullptr;
}

char atenLetter(Machine &m, clang::QualType type) {
  if (type.isNull())
    return '?';
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isBooleanType())
    return 'b';
  if (const auto *e = type->getAs<clang::EnumType>()) {
    const std::string_view name = m.qualifiedName(*e->getDecl());
    if (name == "c10::ScalarType")
      return 'd';
    if (name == "c10::MemoryFormat")
      return 'm';
    if (name == "c10::Layout")
      return 'y';
    return name == "c10::DeviceType" ? 'v' : 'i';
  }
  if (type->isIntegerType())
    return 'i';
  if (type->isRealFloatingType())
    return 'f';
  const std::string_view name = m.className(type);
  if (name == "at::Tensor" || name == "at::TensorBase")
    return 'T';
  if (name == "c10::Scalar")
    return 's';
  if (name == "c10::SymInt")
    return 'i';
  if (name == "c10::TensorOptions")
    return 'O';
  if (name == "c10::Device")
    return 'v';
  if (name == "caffe2::TypeMeta")
    return 'd';
  if (name == "at::Generator")
    return 'r';
  if (name == "at::Dimname")
    return 'N';
  if (name == "std::basic_string" || name == "std::basic_string_view" || name == "c10::basic_string_view")
    return 'S';
  if (name == "c10::OptionalArrayRef")
    return optionalOf(listOf(atenLetter(m, typeArgument(type, 0))));
  if (name == "std::optional" || name == "c10::optional")
    return optionalOf(atenLetter(m, typeArgument(type, 0)));
  if (name == "at::ITensorListRef" || name == "c10::IListRef")
    return 'L';
  if (name == "c10::ArrayRef" || name == "std::vector" || name == "c10::List" || name == "std::initializer_list" ||
      name == "std::array")
    return listOf(atenLetter(m, typeArgument(type, 0)));
  return '?';
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
    std::string_view rest = row.parameters();
    while (!rest.empty()) {
      const std::size_t blank = rest.find(' ');
      const std::string_view word = rest.substr(0, blank);
      const std::size_t colon = word.rfind(':');
      if (colon != std::string_view::npos && colon + 1 < word.size())
        o.parameters.push_back({std::string(word.substr(0, colon)), word[colon + 1]});
      rest = blank == std::string_view::npos ? std::string_view() : rest.substr(blank + 1);
    }
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
    if (g.type == 'O') {
      const AtenParameter *dtype = o.find("dtype");
      if (!dtype || !o.find("device"))
        return std::nullopt;
      matched += o.find("pin_memory") ? 4 : 3;
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
    if (given[i].type == 'O' || given[i].type == '?' || (named && named != &o.parameters[i]))
      return std::nullopt;
    nameless[i].name.clear();
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

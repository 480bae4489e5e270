//===- HostFunctions.cpp - libtorch's functions of numbers and types ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libtorch offers to host code that asks no tensor: ranges of integers,
// products of sizes, what element types are and become, messages.
//
//===----------------------------------------------------------------------===//

#include "../../ops/Promotion.h"
#include "../interp/machine/Types.h"
#include "TorchDomain.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

Value TorchDomain::same(Call &, const std::vector<Value> &given) { return given.front(); }

Value TorchDomain::integerRange(Call &, const std::vector<Value> &given) {
  // `irange(end)`, `irange(begin, end)`: its integers one by one, as a loop over them meets them.
  constexpr std::int64_t most = 1'000;
  const Value begin = given.size() > 1 ? given.front() : Value(Number::ofInteger(0));
  const Number *first = begin.number(), *last = given.back().number();
  std::int64_t count = 0;
  List l;
  l.sized = first && first->known && last && last->known &&
            !__builtin_sub_overflow(last->integer, first->integer, &count) && count <= most;
  for (std::int64_t i = 0; l.sized && i < count; ++i)
    l.items.emplace_back(Number::ofInteger(first->integer + i, Provenance::Varies));
  if (!l.sized) {
    Number any = Number::unknown(Number::Kind::Integer);
    any.determined = machine->isDetermined(begin) && machine->isDetermined(given.back());
    l.every = any;
  }
  return l;
}

Value TorchDomain::messageOf(Call &c, const std::vector<Value> &given) {
  std::string text;
  bool isKnown = true;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Number *n = given[i].number();
    const bool isPlain = n && n->known && n->kind != Number::Kind::Floating &&
                         !c.arguments[i].type.getNonReferenceType()->isAnyCharacterType();
    isKnown = isKnown && (given[i].text() || isPlain);
    if (isKnown)
      text += isPlain ? std::to_string(n->integer) : *given[i].text();
  }
  if (isKnown)
    return Value::text(std::move(text));
  const bool isDetermined = std::ranges::all_of(given, [&](const Value &v) { return machine->isDetermined(v); });
  return Unknown{machine->reason("a message"), 0, isDetermined};
}

Value TorchDomain::folded(unsigned opcode, std::int64_t first, const std::vector<Value> &given, const clang::Expr *at) {
  const auto items = given.size() == 1 ? machine->elements(given.front()) : std::nullopt;
  if (!items)
    return Number::unknown(Number::Kind::Integer);
  Value all = Number::ofInteger(first);
  for (const Value &item : *items)
    all = machine->arithmetic(opcode, all, item, ast.LongTy, at);
  return all;
}

Value TorchDomain::productOf(Call &c, const std::vector<Value> &given) {
  return folded(clang::BO_Mul, 1, given, c.expr);
}

Value TorchDomain::sumOf(Call &c, const std::vector<Value> &given) { return folded(clang::BO_Add, 0, given, c.expr); }

Value TorchDomain::isOfClass(const Value &type, std::string text) {
  const Number *n = type.number();
  const auto *source = n ? dynamic_cast<const SourceDatum *>(n->source.get()) : nullptr;
  if (source && source->facet == SourceDatum::Facet::DType && source->tensor)
    return classQuery(Handle{source->tensor, TensorTag}, std::move(text));
  if (const DType element = dtypeOf(type); element != DType::Unknown)
    return Number::boolean(elementClass(text).contains(element), n->provenance);
  Number answer = Number::unknown(Number::Kind::Bool);
  answer.determined = machine->isDetermined(type);
  return answer;
}

Value TorchDomain::isFloatingType(Call &, const std::vector<Value> &given) { return isOfClass(given[0], "floating"); }

Value TorchDomain::isComplexType(Call &, const std::vector<Value> &given) { return isOfClass(given[0], "complex"); }

Value TorchDomain::isIntegralType(Call &, const std::vector<Value> &given) {
  const Number *withBool = given.size() > 1 ? given[1].number() : nullptr;
  if (!withBool || !withBool->known)
    return Number::unknown(Number::Kind::Bool);
  return isOfClass(given[0], withBool->integer != 0 ? "integral or bool" : "integral");
}

Value TorchDomain::elementSize(Call &, const std::vector<Value> &given) {
  const unsigned bits = dtypeBits(dtypeOf(given[0]));
  return bits >= 8 ? Number::ofInteger(bits / 8, given[0].number()->provenance)
                   : Number::unknown(Number::Kind::Integer);
}

Value TorchDomain::promoted(Call &, const std::vector<Value> &given) {
  const DType both = given.size() == 2 ? promoteTypes(dtypeOf(given[0]), dtypeOf(given[1])) : DType::Unknown;
  const auto number = both != DType::Unknown ? scalarTypeNumber(both) : std::nullopt;
  Number answer = number ? Number::ofInteger(*number, Provenance::Fixed) : Number::unknown(Number::Kind::Integer);
  answer.determined = !number && std::ranges::all_of(given, [&](const Value &v) { return machine->isDetermined(v); });
  return answer;
}

std::optional<Value> TorchDomain::hostFunction(Call &c, std::string_view name) {
  struct Row {
    std::string_view name;
    Value (TorchDomain::*answer)(Call &, const std::vector<Value> &);
  };
  constexpr std::array rows{
      Row{"irange", &TorchDomain::integerRange},           Row{"str", &TorchDomain::messageOf},
      Row{"multiply_integers", &TorchDomain::productOf},   Row{"sum_integers", &TorchDomain::sumOf},
      Row{"isFloatingType", &TorchDomain::isFloatingType}, Row{"isComplexType", &TorchDomain::isComplexType},
      Row{"isIntegralType", &TorchDomain::isIntegralType}, Row{"elementSize", &TorchDomain::elementSize},
      Row{"promoteTypes", &TorchDomain::promoted},         Row{"promote_types", &TorchDomain::promoted},
      Row{"typeMetaToScalarType", &TorchDomain::same},     Row{"scalarTypeToTypeMeta", &TorchDomain::same},
      Row{"asIntArrayRefSlow", &TorchDomain::same},        Row{"asIntArrayRefUnchecked", &TorchDomain::same},
      Row{"fromIntArrayRefSlow", &TorchDomain::same},      Row{"fromIntArrayRefUnchecked", &TorchDomain::same}};
  const auto *row = std::ranges::find(rows, name, &Row::name);
  std::vector<Value> given;
  if (row != rows.end())
    for (Argument &a : c.arguments)
      if (!a.isDefault)
        given.push_back(machine->load(a));
  return given.empty() ? std::nullopt : std::optional((this->*row->answer)(c, given));
}

} // namespace condlint::cxx

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

/// Functions of numbers, sizes and element types.
class TorchDomain::HostFunctions {
public:
  explicit HostFunctions(TorchDomain &torch) : domain(torch) {}
  Value same(Call &c, const std::vector<Value> &given);
  Value integerRange(Call &c, const std::vector<Value> &given);
  Value messageOf(Call &c, const std::vector<Value> &given);
  Value productOf(Call &c, const std::vector<Value> &given);
  Value sumOf(Call &c, const std::vector<Value> &given);
  Value isFloatingType(Call &c, const std::vector<Value> &given);
  Value isComplexType(Call &c, const std::vector<Value> &given);
  Value isIntegralType(Call &c, const std::vector<Value> &given);
  Value elementSize(Call &c, const std::vector<Value> &given);
  Value promoted(Call &c, const std::vector<Value> &given);
  /// Whether the element type that \p type is the number of is of the class \p text (\ref elementClass).
  Value isOfClass(const Value &type, std::string text);
  Value folded(unsigned opcode, std::int64_t first, const std::vector<Value> &given, const clang::Expr *at);

private:
  TorchDomain &domain;
};

Value TorchDomain::HostFunctions::same(Call &, const std::vector<Value> &given) { return given.front(); }

Value TorchDomain::HostFunctions::integerRange(Call &, const std::vector<Value> &given) {
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
    any.determined = domain.machine->isDetermined(begin) && domain.machine->isDetermined(given.back());
    l.every = any;
  }
  return l;
}

Value TorchDomain::HostFunctions::messageOf(Call &c, const std::vector<Value> &given) {
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
  const bool isDetermined = std::ranges::all_of(given, [&](const Value &v) { return domain.machine->isDetermined(v); });
  return Unknown{domain.machine->reason("a message"), 0, isDetermined};
}

Value TorchDomain::HostFunctions::folded(unsigned opcode, std::int64_t first, const std::vector<Value> &given,
                                         const clang::Expr *at) {
  const auto items = given.size() == 1 ? domain.machine->elements(given.front()) : std::nullopt;
  if (!items)
    return Number::unknown(Number::Kind::Integer);
  Value all = Number::ofInteger(first);
  for (const Value &item : *items)
    all = domain.machine->arithmetic(opcode, all, item, domain.ast.LongTy, at);
  return all;
}

Value TorchDomain::HostFunctions::productOf(Call &c, const std::vector<Value> &given) {
  return folded(clang::BO_Mul, 1, given, c.expr);
}

Value TorchDomain::HostFunctions::sumOf(Call &c, const std::vector<Value> &given) {
  return folded(clang::BO_Add, 0, given, c.expr);
}

Value TorchDomain::HostFunctions::isOfClass(const Value &type, std::string text) {
  const Number *n = type.number();
  const auto *source = n ? dynamic_cast<const SourceDatum *>(n->source.get()) : nullptr;
  if (source && source->facet == SourceDatum::Facet::DType && source->tensor)
    return domain.classQuery(Handle{source->tensor, TensorTag}, std::move(text));
  if (const DType element = domain.dtypeOf(type); element != DType::Unknown)
    return Number::boolean(elementClass(text).contains(element), n->provenance);
  Number answer = Number::unknown(Number::Kind::Bool);
  answer.determined = domain.machine->isDetermined(type);
  return answer;
}

Value TorchDomain::HostFunctions::isFloatingType(Call &, const std::vector<Value> &given) {
  return isOfClass(given[0], "floating");
}

Value TorchDomain::HostFunctions::isComplexType(Call &, const std::vector<Value> &given) {
  return isOfClass(given[0], "complex");
}

Value TorchDomain::HostFunctions::isIntegralType(Call &, const std::vector<Value> &given) {
  const Number *withBool = given.size() > 1 ? given[1].number() : nullptr;
  if (!withBool || !withBool->known)
    return Number::unknown(Number::Kind::Bool);
  return isOfClass(given[0], withBool->integer != 0 ? "integral or bool" : "integral");
}

Value TorchDomain::HostFunctions::elementSize(Call &, const std::vector<Value> &given) {
  const unsigned bits = dtypeBits(domain.dtypeOf(given[0]));
  return bits >= 8 ? Number::ofInteger(bits / 8, given[0].number()->provenance)
                   : Number::unknown(Number::Kind::Integer);
}

Value TorchDomain::HostFunctions::promoted(Call &, const std::vector<Value> &given) {
  const DType both =
      given.size() == 2 ? promoteTypes(domain.dtypeOf(given[0]), domain.dtypeOf(given[1])) : DType::Unknown;
  const auto number = both != DType::Unknown ? domain.scalarTypeNumber(both) : std::nullopt;
  Number answer = number ? Number::ofInteger(*number, Provenance::Fixed) : Number::unknown(Number::Kind::Integer);
  answer.determined =
      !number && std::ranges::all_of(given, [&](const Value &v) { return domain.machine->isDetermined(v); });
  return answer;
}

std::optional<Value> TorchDomain::hostFunction(Call &c, std::string_view name) {
  struct Row {
    std::string_view name;
    Value (HostFunctions::*answer)(Call &, const std::vector<Value> &);
  };
  constexpr std::array rows{
      Row{"irange", &HostFunctions::integerRange},           Row{"str", &HostFunctions::messageOf},
      Row{"multiply_integers", &HostFunctions::productOf},   Row{"sum_integers", &HostFunctions::sumOf},
      Row{"isFloatingType", &HostFunctions::isFloatingType}, Row{"isComplexType", &HostFunctions::isComplexType},
      Row{"isIntegralType", &HostFunctions::isIntegralType}, Row{"elementSize", &HostFunctions::elementSize},
      Row{"promoteTypes", &HostFunctions::promoted},         Row{"promote_types", &HostFunctions::promoted},
      Row{"typeMetaToScalarType", &HostFunctions::same},     Row{"scalarTypeToTypeMeta", &HostFunctions::same},
      Row{"asIntArrayRefSlow", &HostFunctions::same},        Row{"asIntArrayRefUnchecked", &HostFunctions::same},
      Row{"fromIntArrayRefSlow", &HostFunctions::same},      Row{"fromIntArrayRefUnchecked", &HostFunctions::same}};
  const auto *row = std::ranges::find(rows, name, &Row::name);
  std::vector<Value> given;
  if (row != rows.end())
    for (Argument &a : c.arguments)
      if (!a.isDefault)
        given.push_back(machine->load(a));
  return given.empty() ? std::nullopt : std::optional((HostFunctions(*this).*row->answer)(c, given));
}

} // namespace condlint::cxx

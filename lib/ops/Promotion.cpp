//===- Promotion.cpp - Which element type a mix of operands has -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Promotion.h"
#include <algorithm>
#include <array>
#include <string>

namespace condlint {

namespace {

/// uint16 to uint64 promote with floating types alone.
bool isBareUnsigned(DType t) { return t == DType::UInt16 || t == DType::UInt32 || t == DType::UInt64; }

/// The types that torch promotes at all.
bool isPromotable(DType t) {
  return t == DType::Bool || (isIntegral(t) && dtypeBits(t) >= 8) || (t >= DType::Float16 && t <= DType::Complex128);
}

/// How far up its category a floating type stands: half precision, single, double.
unsigned precision(DType t) {
  switch (realType(t)) {
  case DType::Float16:
  case DType::BFloat16:
    return 0;
  case DType::Float32:
    return 1;
  default:
    return 2;
  }
}

DType promoteFloating(DType a, DType b) {
  if (a == b)
    return a;
  if (precision(a) != precision(b))
    return precision(a) > precision(b) ? a : b;
  return DType::Float32; // float16 with bfloat16
}

DType promoteIntegers(DType a, DType b) {
  if (isSigned(a) != isSigned(b)) { // uint8 with a signed type
    const DType other = isSigned(a) ? a : b;
    return other == DType::Int8 ? DType::Int16 : other;
  }
  return dtypeBits(a) >= dtypeBits(b) ? a : b;
}

} // namespace

DType realType(DType t) {
  switch (t) {
  case DType::Complex32:
    return DType::Float16;
  case DType::Complex64:
    return DType::Float32;
  case DType::Complex128:
    return DType::Float64;
  default:
    return t;
  }
}

DType complexType(DType t) {
  switch (t) {
  case DType::Float16:
    return DType::Complex32;
  case DType::BFloat16:
  case DType::Float32:
    return DType::Complex64;
  case DType::Float64:
    return DType::Complex128;
  default:
    return t;
  }
}

DType floatOrDefault(DType t) { return t == DType::Bool || isIntegral(t) ? DType::Float32 : t; }
DType accumulateType(DType t) { return t == DType::Bool || isIntegral(t) ? DType::Int64 : t; }

DType promoteTypes(DType a, DType b) {
  if (a == b)
    return a;
  if (!isPromotable(a) || !isPromotable(b))
    return DType::Unknown;
  const bool floatingA = isFloating(a), floatingB = isFloating(b);
  if (isBareUnsigned(a) || isBareUnsigned(b)) {
    if (floatingA || floatingB)
      return floatingA ? a : b;
    return DType::Unknown;
  }
  if (isComplex(a) || isComplex(b)) {
    const DType realA = isComplex(a) || floatingA ? realType(a) : DType::Unknown;
    const DType realB = isComplex(b) || floatingB ? realType(b) : DType::Unknown;
    if (realA == DType::Unknown)
      return b;
    if (realB == DType::Unknown)
      return a;
    return complexType(promoteFloating(realA, realB));
  }
  if (floatingA && floatingB)
    return promoteFloating(a, b);
  if (floatingA || floatingB)
    return floatingA ? a : b;
  if (a == DType::Bool || b == DType::Bool)
    return a == DType::Bool ? b : a;
  return promoteIntegers(a, b);
}

void TypePromotion::addTensor(const Type &t) {
  if (t.kind == ValueKind::SymInt || t.kind == ValueKind::SymFloat || t.kind == ValueKind::SymBool)
    return addNumber(scalarCategory(t));
  addTensor(t.element, t.rank());
}

void TypePromotion::addTensor(DType t, std::optional<std::size_t> rank) {
  if (t == DType::Unknown) {
    unknown = true;
    return;
  }
  entries.push_back({t, !rank ? Level::Either : *rank == 0 ? Level::ZeroDim : Level::Dimensioned});
}

void TypePromotion::addNumber(DType category) {
  if (category == DType::Unknown) {
    unknown = true;
    return;
  }
  // A number brings only its category: torch takes the default precision.
  if (isFloating(category))
    category = DType::Float32;
  else if (isComplex(category))
    category = DType::Complex64;
  entries.push_back({category, Level::Number});
}

DType TypePromotion::resultWith(unsigned eitherAreZeroDim) const {
  // Unknown in `found` means "no operand of this level so far".
  std::array<DType, 3> found{DType::Unknown, DType::Unknown, DType::Unknown};
  unsigned either = 0;
  for (const Entry &e : entries) {
    std::size_t level = 0;
    if (e.level == Level::Number)
      level = 2;
    else if (e.level == Level::ZeroDim)
      level = 1;
    else if (e.level == Level::Either)
      level = (eitherAreZeroDim >> either++) & 1u;
    DType &slot = found[level];
    slot = slot == DType::Unknown ? e.type : promoteTypes(slot, e.type);
    if (slot == DType::Unknown)
      return DType::Unknown;
  }
  // c10's combine_categories: the higher level wins within its category.
  auto combine = [](DType higher, DType lower) {
    if (higher == DType::Unknown || lower == DType::Unknown)
      return higher == DType::Unknown ? lower : higher;
    if (isComplex(higher))
      return higher;
    if (isFloating(higher))
      return isComplex(lower) ? complexType(higher) : higher;
    if (higher == DType::Bool || isFloating(lower) || isComplex(lower))
      return promoteTypes(higher, lower);
    return higher;
  };
  return combine(found[0], combine(found[1], found[2]));
}

DType TypePromotion::result() const {
  if (unknown || entries.empty())
    return DType::Unknown;
  if (assumed)
    return resultWith(*assumed);
  const auto either = static_cast<unsigned>(
      std::count_if(entries.begin(), entries.end(), [](const Entry &e) { return e.level == Level::Either; }));
  if (either > 4) { // too many cases to try; only agreement is certain
    for (const Entry &e : entries)
      if (e.type != entries.front().type)
        return DType::Unknown;
    return entries.front().type;
  }
  const DType first = resultWith(0);
  for (unsigned mask = 1; mask < (1u << either); ++mask)
    if (resultWith(mask) != first)
      return DType::Unknown;
  return first;
}

DType scalarCategory(const Type &t) {
  switch (t.kind) {
  case ValueKind::SymInt:
    return DType::Int64;
  case ValueKind::SymFloat:
    return DType::Float64;
  case ValueKind::SymBool:
    return DType::Bool;
  default:
    return DType::Unknown;
  }
}

bool addArgument(TypePromotion &p, InferContext &c, std::string_view name) {
  const Attribute *a = c.attribute(name);
  if (!a || a->kind == AttributeKind::None)
    return false;
  switch (a->kind) {
  case AttributeKind::Bool:
    p.addNumber(DType::Bool);
    return true;
  case AttributeKind::Int:
    p.addNumber(DType::Int64);
    return true;
  case AttributeKind::Float:
    p.addNumber(DType::Float64);
    return true;
  case AttributeKind::Complex:
    p.addNumber(DType::Complex128);
    return true;
  case AttributeKind::Operand:
    p.addTensor(c.argType(name));
    return true;
  default:
    p.addUnknown();
    return true;
  }
}

DType resultType(InferContext &c, std::initializer_list<std::string_view> names) {
  TypePromotion p(c);
  for (std::string_view name : names)
    addArgument(p, c, name);
  return p.result();
}

DType sameType(InferContext &c, std::span<const std::size_t> positions) {
  DType found = DType::Unknown;
  for (std::size_t i : positions) {
    const DType t = c.type(i).element;
    if (t == DType::Unknown)
      continue;
    if (found == DType::Unknown) {
      found = t;
    } else if (t != found) {
      c.reject(std::string(c.opName()) + " needs operands of one element type, but operand " + std::to_string(i) +
                   " is " + std::string(dtypeName(t)) + " beside " + std::string(dtypeName(found)),
               i);
      return DType::Unknown;
    }
  }
  return found;
}

DType sameType(InferContext &c, std::initializer_list<std::size_t> positions) {
  return sameType(c, std::span<const std::size_t>(positions.begin(), positions.size()));
}

} // namespace condlint

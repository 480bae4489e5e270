//===- Optional.cpp - Values that may be absent ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "kernels/Sequence.h"
#include <array>
#include <optional>

namespace condlint {
namespace {

void inferOptional(InferContext &c) {
  if (c.has(0)) {
    const Type &t = c.type(0);
    TypeId item;
    if (t.kind != ValueKind::Unknown)
      item = c.model().types.intern(t);
    c.setContent(0, std::array{c.constant(1)});
    return c.setResult(0, c.optionalOf(item));
  }
  c.setContent(0, std::array{c.constant(0)});
  const Attribute *type = c.attribute("type");
  if (!type) {
    c.reject("an empty Optional needs the attribute 'type'");
    return c.setResult(0, c.optionalOf(TypeId()));
  }
  c.setResult(0, c.optionalOf(type->kind == AttributeKind::Type ? TypeId(type->list.first) : TypeId()));
}

/// Whether the optional of operand 0 holds something, which inference keeps as its number.
std::optional<bool> isFull(InferContext &c) {
  const auto content = c.content(0);
  const auto number = c.type(0).kind == ValueKind::Optional && content && content->size() == 1
                          ? c.dims().asConstant(content->front())
                          : std::nullopt;
  return number ? std::optional(*number != 0) : std::nullopt;
}

/// Since version 18 a tensor or a sequence is taken as it is.
void inferGetElement(InferContext &c) {
  const Type &t = c.type(0);
  if (t.kind != ValueKind::Optional) {
    if (t.kind != ValueKind::Unknown)
      c.setResult(0, t);
    return;
  }
  if (t.item)
    c.setResult(0, c.model().types[t.item]);
  if (isFull(c) == false)
    c.reject("the optional is empty", 0, FaultKind::NoneLeft);
}

void inferHasElement(InferContext &c) {
  c.setResult(0, c.tensor(DType::Bool, {}));
  // What is no optional is always there, and an absent input never.
  const ValueKind kind = c.type(0).kind;
  if (!c.has(0))
    c.setContent(0, std::array{c.constant(0)});
  else if (kind == ValueKind::Tensor || kind == ValueKind::Sequence)
    c.setContent(0, std::array{c.constant(1)});
  else if (const auto full = isFull(c))
    c.setContent(0, std::array{c.constant(*full ? 1 : 0)});
}

constexpr OpRow rows[] = {
    {"optional", inferOptional, executeOptional, "", "Optional"},
    {"optional_get_element", inferGetElement, executeOptionalGetElement, "", "OptionalGetElement"},
    {"optional_has_element", inferHasElement, executeOptionalHasElement, "", "OptionalHasElement", OpTrait::Trivial},
};

} // namespace

OpFamily optionalFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

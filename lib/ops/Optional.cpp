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

namespace condlint {
namespace {

void inferOptional(InferContext &c) {
  if (c.has(0)) {
    const Type &t = c.type(0);
    TypeId item;
    if (t.kind != ValueKind::Unknown)
      item = c.model().types.intern(t);
    return c.setResult(0, c.optionalOf(item));
  }
  const Attribute *type = c.attribute("type");
  if (!type) {
    c.reject("an empty Optional needs the attribute 'type'");
    return c.setResult(0, c.optionalOf(TypeId()));
  }
  c.setResult(0, c.optionalOf(type->kind == AttributeKind::Type ? TypeId(type->list.first) : TypeId()));
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
}

void inferHasElement(InferContext &c) {
  c.setResult(0, c.tensor(DType::Bool, {}));
  // What is no optional is always there, and an absent input never.
  const ValueKind kind = c.type(0).kind;
  if (!c.has(0))
    c.setContent(0, std::array{c.constant(0)});
  else if (kind == ValueKind::Tensor || kind == ValueKind::Sequence)
    c.setContent(0, std::array{c.constant(1)});
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

//===- NodeDraft.cpp - A node in the making -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeDraft.h"
#include <algorithm>

namespace condlint::cxx {

NodeDraft &NodeDraft::attribute(Attribute a) {
  attributes.push_back(a);
  return *this;
}

bool NodeDraft::has(std::string_view argument) const {
  return std::ranges::any_of(attributes, [&](const Attribute &a) { return m.text(a.name) == argument; });
}

NodeDraft &NodeDraft::value(std::string_view argument, ValueId v) {
  Attribute a;
  a.name = m.strings.intern(argument);
  a.kind = AttributeKind::Operand;
  a.list = {static_cast<std::uint32_t>(operands.size()), 1};
  operands.push_back(v);
  return attribute(a);
}

NodeDraft &NodeDraft::values(std::string_view argument, std::span<const ValueId> list) {
  Attribute a;
  a.name = m.strings.intern(argument);
  a.kind = AttributeKind::Operands;
  a.list = {static_cast<std::uint32_t>(operands.size()), static_cast<std::uint32_t>(list.size())};
  operands.insert(operands.end(), list.begin(), list.end());
  return attribute(a);
}

NodeDraft &NodeDraft::number(std::string_view argument, AttributeKind kind, std::int64_t v) {
  Attribute a;
  a.name = m.strings.intern(argument);
  a.kind = kind;
  a.number = v;
  return attribute(a);
}

NodeDraft &NodeDraft::real(std::string_view argument, double v) {
  Attribute a;
  a.name = m.strings.intern(argument);
  a.kind = AttributeKind::Float;
  a.real = v;
  return attribute(a);
}

NodeDraft &NodeDraft::text(std::string_view argument, std::string_view v, AttributeKind kind) {
  Attribute a;
  a.name = m.strings.intern(argument);
  a.kind = kind;
  a.text = m.strings.intern(v);
  return attribute(a);
}

NodeDraft &NodeDraft::dims(std::string_view argument, std::span<const Dim> list) {
  std::vector<std::int64_t> numbers;
  for (Dim d : list)
    if (const auto n = m.dims.asConstant(d))
      numbers.push_back(*n);
  if (numbers.size() == list.size())
    return integers(argument, numbers);
  Attribute a;
  a.name = m.strings.intern(argument);
  a.kind = AttributeKind::Dims;
  a.list = m.poolDims(list);
  return attribute(a);
}

NodeDraft &NodeDraft::integers(std::string_view argument, std::span<const std::int64_t> list) {
  Attribute a;
  a.name = m.strings.intern(argument);
  a.kind = AttributeKind::Ints;
  a.list = m.poolInts(list);
  return attribute(a);
}

NodeDraft &NodeDraft::opaque(std::string_view argument, std::string_view tag) {
  return text(argument, tag, AttributeKind::Opaque);
}

} // namespace condlint::cxx

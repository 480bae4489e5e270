//===- AttributeLists.cpp - How much an attribute lists -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AttributeLists.h"

namespace condlint {

std::optional<std::size_t> entriesOf(const Model &m, const Attribute &a) {
  switch (a.kind) {
  case AttributeKind::Ints:
  case AttributeKind::Floats:
  case AttributeKind::Strings:
    return a.list.count;
  case AttributeKind::Tensor: {
    std::size_t count = 1;
    for (const Dim d : m.types[m[ConstantId(a.list.first)].type].dims) {
      const auto size = m.dims.asConstant(d);
      if (!size || *size < 0)
        return std::nullopt;
      count *= static_cast<std::size_t>(*size);
    }
    return count;
  }
  default:
    return std::nullopt;
  }
}

} // namespace condlint

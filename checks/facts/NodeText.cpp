//===- NodeText.cpp - What a node is called and what it says --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NodeText.h"

namespace condlint {

std::string_view attributeText(const Model &m, NodeId n, std::string_view name) {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind == AttributeKind::String ? m.text(a->text) : std::string_view();
}

std::string_view operatorOf(const Model &m, ValueId v) {
  const NodeId def = m[v].def;
  return def ? m.text(m[m[def].op].name) : std::string_view();
}

} // namespace condlint

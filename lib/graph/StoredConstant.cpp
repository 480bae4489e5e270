//===- StoredConstant.cpp - The data that a value of ONNX is --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StoredConstant.h"

namespace condlint {

ConstantId storedConstant(const Model &m, ValueId v) {
  if (m[v].origin == ValueOrigin::Constant)
    return m[v].constant;
  if (m[v].origin != ValueOrigin::Result || m.operatorName(m[m[v].def].op) != "Constant")
    return {};
  const Attribute *a = m.attribute(m[v].def, "value");
  return a && a->kind == AttributeKind::Tensor ? ConstantId(a->list.first) : ConstantId();
}

} // namespace condlint

//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loading.h"
#include <algorithm>

namespace condlint {

bool isFoundWhenItRuns(const Model &m, const InvalidOperand &i) {
  if (m.info.dialect != Dialect::Onnx || i.operand || m.operatorName(m[i.node].op) != "Reshape")
    return false;
  const auto operands = m.operands(i.node);
  if (operands.size() < 2 || !operands[1] || !m[operands[1]].content)
    return false;
  // A size of -1 is computed and one of 0 is looked up as the model is typed.
  return std::ranges::all_of(m.content(m[operands[1]].content), [&](Dim d) {
    const auto size = m.dims.asConstant(d);
    return size && *size > 0;
  });
}

} // namespace condlint

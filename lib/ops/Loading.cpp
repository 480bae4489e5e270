//===- Loading.cpp - What stops a model only where it runs ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loading.h"
#include <algorithm>
#include <string_view>

namespace condlint {

namespace {

/// What only a kernel looks at (asked of onnx 1.23 and ONNX Runtime 1.32 one by one).
struct KernelsOwn {
  std::string_view op;
  FaultKind kind;
};
constexpr KernelsOwn kernelsOwn[] = {
    {"AffineGrid", FaultKind::Unequal},
    {"Attention", FaultKind::Multiple},
    {"Attention", FaultKind::Unequal},
    {"AveragePool", FaultKind::Window},
    {"Col2Im", FaultKind::Unequal},
    {"ConcatFromSequence", FaultKind::NoneLeft},
    {"Conv", FaultKind::Unequal},
    {"Conv", FaultKind::Window},
    {"ConvTranspose", FaultKind::Unequal},
    {"CumProd", FaultKind::Axis},
    {"CumSum", FaultKind::Axis},
    {"DeformConv", FaultKind::Unequal},
    {"DepthToSpace", FaultKind::Multiple},
    {"DequantizeLinear", FaultKind::Unequal},
    {"Einsum", FaultKind::Letter},
    {"GRU", FaultKind::Unequal},
    {"Gather", FaultKind::Index},
    {"GatherElements", FaultKind::IndexRank},
    {"Gemm", FaultKind::Stretch},
    {"GroupNormalization", FaultKind::Stretch},
    {"InstanceNormalization", FaultKind::Unequal},
    {"LayerNormalization", FaultKind::Stretch},
    {"LpPool", FaultKind::Window},
    {"LSTM", FaultKind::Unequal},
    {"MaxPool", FaultKind::Window},
    {"MaxUnpool", FaultKind::Unequal},
    {"OptionalGetElement", FaultKind::NoneLeft},
    {"PRelu", FaultKind::Stretch},
    {"Pad", FaultKind::NoneLeft},
    {"QuantizeLinear", FaultKind::Unequal},
    {"RNN", FaultKind::Unequal},
    {"Range", FaultKind::Unequal},
    {"Range", FaultKind::ZeroStep},
    {"RotaryEmbedding", FaultKind::Multiple},
    {"RotaryEmbedding", FaultKind::Unequal},
    {"ScatterElements", FaultKind::IndexRank},
    {"ScatterElements", FaultKind::UpdateShape},
    {"ScatterND", FaultKind::IndexLength},
    {"ScatterND", FaultKind::UpdateShape},
    {"SequenceAt", FaultKind::Index},
    {"SequenceErase", FaultKind::Index},
    {"SequenceInsert", FaultKind::Index},
    {"SpaceToDepth", FaultKind::Multiple},
    {"TensorScatter", FaultKind::Index},
};

bool isLeftToKernel(std::string_view op, FaultKind kind) {
  return std::ranges::any_of(kernelsOwn, [&](const KernelsOwn &k) { return k.op == op && k.kind == kind; });
}

} // namespace

/// An order of fewer axes than the operand has, none of them twice: onnx's inference does not count them.
static bool isShortOrder(const Model &m, NodeId n) {
  const Attribute *perm = m.attribute(n, "perm");
  const ValueId given = m.operands(n).empty() ? ValueId() : m.operands(n)[0];
  if (!perm || perm->kind != AttributeKind::Ints || !given || !m.type(given).hasRank)
    return false;
  const auto order = m.ints(perm->list);
  std::vector<bool> seen(order.size(), false);
  for (const std::int64_t axis : order) {
    if (axis < 0 || axis >= std::ssize(order) || seen[static_cast<std::size_t>(axis)])
      return false;
    seen[static_cast<std::size_t>(axis)] = true;
  }
  return order.size() < m.type(given).dims.size();
}

bool isFoundWhenItRuns(const Model &m, const InvalidOperand &i) {
  if (m.info.dialect != Dialect::Onnx)
    return false;
  if (isLeftToKernel(m.operatorName(m[i.node].op), i.kind))
    return true;
  if (i.operand)
    return false;
  if (m.operatorName(m[i.node].op) == "Transpose")
    return isShortOrder(m, i.node);
  if (m.operatorName(m[i.node].op) != "Reshape")
    return false;
  const auto operands = m.operands(i.node);
  if (operands.size() < 2 || !operands[1] || !m[operands[1]].content)
    return false;
  const bool copies = i.kind == FaultKind::Elements; // which was done then
  // A size of -1 is computed and one of 0 is looked up as the model is typed.
  return std::ranges::all_of(m.content(m[operands[1]].content), [&](Dim d) {
    const auto size = m.dims.asConstant(d);
    return size && (*size > 0 || (*size == 0 && copies));
  });
}

} // namespace condlint

//===- ExternalNumbers.cpp - Numbers that inference cannot read -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExternalNumbers.h"
#include <algorithm>
#include <string_view>

namespace condlint {

namespace {

/// The inputs of an operator that type inference reads, a bit for each (asked of onnx 1.23 and ONNX Runtime 1.32, one
/// by one).
struct ReadInputs {
  std::string_view op;
  unsigned inputs;
};
constexpr unsigned second = 2, third = 4;
constexpr ReadInputs readInputs[] = {
    {"AffineGrid", second},
    {"CenterCropPad", second},
    {"Col2Im", second | third},
    {"ConstantOfShape", 1},
    {"DFT", second | third},
    {"Expand", second},
    {"HammingWindow", 1},
    {"HannWindow", 1},
    {"OneHot", second},
    {"Pad", second},
    {"Range", 1 | second | third},
    {"ReduceL1", second},
    {"ReduceL2", second},
    {"ReduceLogSum", second},
    {"ReduceLogSumExp", second},
    {"ReduceMax", second},
    {"ReduceMean", second},
    {"ReduceMin", second},
    {"ReduceProd", second},
    {"ReduceSum", second},
    {"ReduceSumSquare", second},
    {"Reshape", second},
    {"Resize", third | 8},
    {"Slice", second | third | 8 | 16},
    {"Split", second},
    {"Squeeze", second},
    {"Tile", second},
    {"TopK", second},
    {"Unsqueeze", second},
    {"Upsample", second},
};
static_assert(std::ranges::is_sorted(readInputs, {}, &ReadInputs::op));

unsigned inputsReadBy(std::string_view op) {
  const auto *row = std::ranges::lower_bound(readInputs, op, {}, &ReadInputs::op);
  return row != std::end(readInputs) && row->op == op ? row->inputs : 0;
}

/// What \p v holds lies in a file of its own.
bool isExternal(const Model &m, ValueId v) {
  ConstantId data = m[v].constant;
  if (m[v].origin == ValueOrigin::Result && m.operatorName(m[m[v].def].op) == "Constant") {
    const Attribute *a = m.attribute(m[v].def, "value");
    data = a && a->kind == AttributeKind::Tensor ? ConstantId(a->list.first) : ConstantId();
  }
  return data && m[data].file.valid();
}

bool anyExternal(const Model &m) {
  for (std::uint32_t i = 0; i < m.constantCount(); ++i)
    if (m[ConstantId(i)].file)
      return true;
  return false;
}

} // namespace

bool readsNumbers(std::string_view op, std::size_t input) {
  constexpr std::size_t most = 8;
  return input < most && ((inputsReadBy(op) >> input) & 1u) != 0;
}

std::vector<ExternalNumbers> externalNumbers(const Model &m) {
  std::vector<ExternalNumbers> found;
  if (m.info.format != Format::Onnx || !anyExternal(m))
    return found;
  std::vector<unsigned> read(m.operatorCount(), 0);
  for (std::uint32_t o = 0; o < m.operatorCount(); ++o)
    read[o] = inputsReadBy(m.operatorName(OperatorId(o)));
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const auto operands = m.operands(n);
    for (std::size_t k = 0; k < operands.size() && (read[m[n].op.index()] >> k) != 0; ++k)
      if (((read[m[n].op.index()] >> k) & 1u) != 0 && operands[k] && isExternal(m, operands[k]))
        found.push_back({n, operands[k], m[operands[k]].graph != m[n].graph});
  }
  return found;
}

} // namespace condlint

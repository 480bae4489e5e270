//===- ConstantValues.cpp - What is the same in every run -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ConstantValues.h"
#include "condlint/Op.h"
#include <algorithm>

namespace condlint {

namespace {

/// What \p n yields follows from its operands: it draws nothing, holds no graphs, and is known.
bool followsFromOperands(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  if ((op.dialect == Dialect::Onnx && !op.definition) || m[n].callee || !m.regions(n).empty())
    return false;
  const NodeEffects effects = effectsOf(m, n);
  return !effects.random && !effects.opaque;
}

/// \p v is one of the \p found values, a constant, or of numbers that inference knows.
bool isAmong(const Model &m, ValueId v, const std::vector<bool> &found) {
  return found[v.index()] || m[v].origin == ValueOrigin::Constant || isNumbers(m, v);
}

} // namespace

bool isDefault(const Model &m, ValueId v) {
  return m.info.dialect == Dialect::Onnx && m[v].origin == ValueOrigin::Parameter && m[v].graph == m.main() &&
         m[v].constant;
}

bool isNumbers(const Model &m, ValueId v) {
  const ContentId content = m[v].content;
  return content && std::ranges::all_of(m.content(content), [&](Dim d) { return m.dims.asConstant(d).has_value(); });
}

bool ConstantValues::holds(ValueId v, bool defaultsHold) {
  std::optional<std::vector<bool>> &values = found[defaultsHold ? 1 : 0];
  if (!values)
    values = find(defaultsHold);
  return isAmong(m, v, *values);
}

std::vector<bool> ConstantValues::find(bool defaultsHold) const {
  std::vector<bool> values(m.valueCount());
  const auto holds = [&](ValueId v) { return !v || isAmong(m, v, values); };
  if (m.main())
    for (std::uint32_t i = 0; i < m[m.main()].parameters.count; ++i) {
      const ValueId v(m[m.main()].parameters.first + i);
      values[v.index()] = m[v].role == ParameterRole::Constant || (defaultsHold && isDefault(m, v));
    }
  // The graphs around a graph, which it may read, stand before it.
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    for (const NodeId n : m.nodes(GraphId(g)))
      if (std::ranges::all_of(m.operands(n), holds) && followsFromOperands(m, n))
        for (std::size_t i = 0; i < m.resultCount(n); ++i)
          values[m.result(n, i).index()] = true;
  return values;
}

} // namespace condlint

//===- ConstantValues.cpp - What is the same in every run -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ConstantValues.h"
#include "condlint/Op.h"
#include "ops/DeclaredOperators.h"
#include <algorithm>

namespace condlint {

namespace {

/// What \p n yields follows from its operands: it draws nothing, holds no graphs, and is known.
bool followsFromOperands(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  if ((op.dialect == Dialect::Onnx && !op.definition) || m[n].callee || !m.regions(n).empty())
    return false;
  const NodeEffects effects = effectsOf(m, n);
  return !effects.random && !mayDoAnything(m, n, effects);
}

/// What a recording writes down in the place of a size, or of a number that was read in this call.
bool isOfACall(const Model &m, ValueId v) {
  const ValueKind kind = m.type(v).kind;
  return kind == ValueKind::SymInt || kind == ValueKind::SymFloat || kind == ValueKind::SymBool;
}

/// \p v is one of the \p found values, a constant, or of numbers that inference knows.
bool isAmong(const Model &m, ValueId v, const std::vector<bool> &found) {
  return found[v.index()] || (m[v].origin == ValueOrigin::Constant && !isOfACall(m, v)) || isNumbers(m, v);
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

const std::vector<NodeId> &ConstantValues::callsOf(GraphId copy) {
  if (!calls) {
    calls.emplace();
    for (std::uint32_t g = 0; g < m.graphCount() && m.functionCount() != 0; ++g)
      for (const NodeId n : m.nodes(GraphId(g)))
        if (m[n].callee)
          (*calls)[m[n].callee].push_back(n);
  }
  return (*calls)[copy];
}

std::vector<ValueId> ConstantValues::given(ValueId v) {
  std::vector<ValueId> out;
  if (m[v].origin != ValueOrigin::Parameter || !m[m[v].graph].instanceOf || m[m[v].graph].parent)
    return out;
  for (const NodeId n : callsOf(m[v].graph))
    out.push_back(m[v].index < m.operands(n).size() ? m.operands(n)[m[v].index] : ValueId());
  return out;
}

std::vector<bool> ConstantValues::find(bool defaultsHold) {
  std::vector<bool> values(m.valueCount());
  if (m.main())
    for (std::uint32_t i = 0; i < m[m.main()].parameters.count; ++i) {
      const ValueId v(m[m.main()].parameters.first + i);
      values[v.index()] = m[v].role == ParameterRole::Constant || (defaultsHold && isDefault(m, v));
    }
  // A function's typed copy may stand behind what calls it, and before it where calls share one: it takes as many
  // passes as functions call each other.
  constexpr unsigned deepestCalls = 16;
  for (unsigned pass = 0; extend(values) && m.functionCount() != 0 && pass < deepestCalls;)
    ++pass;
  return values;
}

bool ConstantValues::extend(std::vector<bool> &values) {
  bool more = false;
  const auto holds = [&](ValueId v) { return !v || isAmong(m, v, values); };
  const auto add = [&](ValueId v, bool constant) {
    more = more || (constant && !values[v.index()]);
    values[v.index()] = values[v.index()] || constant;
  };
  // The graphs around a graph, which it may read, stand before it.
  for (std::uint32_t g = 0; g < m.graphCount(); ++g) {
    const Range parameters = m[GraphId(g)].parameters;
    for (std::uint32_t i = 0; i < parameters.count && m[GraphId(g)].instanceOf; ++i) {
      const auto all = given(ValueId(parameters.first + i));
      add(ValueId(parameters.first + i), !all.empty() && std::ranges::all_of(all, holds));
    }
    for (const NodeId n : m.nodes(GraphId(g))) {
      const GraphId copy = m[n].callee && m[m[n].callee].instanceOf ? m[n].callee : GraphId();
      const bool follows = !copy && std::ranges::all_of(m.operands(n), holds) && followsFromOperands(m, n);
      const auto yielded = copy ? m.results(copy) : std::span<const ValueId>();
      for (std::size_t i = 0; i < m.resultCount(n); ++i)
        add(m.result(n, i), follows || (i < yielded.size() && yielded[i] && isAmong(m, yielded[i], values)));
    }
  }
  return more;
}

} // namespace condlint

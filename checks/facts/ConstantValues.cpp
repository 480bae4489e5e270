//===- ConstantValues.cpp - What is the same in every run -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ConstantValues.h"
#include "ComputedOfInputs.h"
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

} // namespace

bool isDefault(const Model &m, ValueId v) {
  return m.info.dialect == Dialect::Onnx && m[v].origin == ValueOrigin::Parameter && m[v].graph == m.main() &&
         m[v].constant;
}

bool isNumbers(const Model &m, ValueId v) { return isNumbers(m, m[v].content); }

bool isNumbers(const Model &m, ContentId content) {
  return content && std::ranges::all_of(m.content(content), [&](Dim d) { return m.dims.asConstant(d).has_value(); });
}

bool ConstantValues::holds(ValueId v, bool defaultsHold) {
  std::vector<State> &known = states[defaultsHold ? 1 : 0];
  if (known.empty())
    known.resize(m.valueCount(), State::Open);
  struct Step { // small: a path may be as long as the model
    ValueId value;
    std::uint32_t asked = 0; ///< of what the value follows from
  };
  std::vector<Step> path;
  // False where it is not the same, and so nothing on the path, which follows from it. What follows from itself is not.
  const auto enter = [&](ValueId next) {
    if (ofInputs.contains(next))
      return false;
    State &state = known[next.index()];
    if (state == State::Open) {
      state = State::Asked;
      path.push_back({next});
      return true;
    }
    return state == State::Yes;
  };
  // Most values are what a node yields of its operands, of which no numbers are known.
  const auto sourcesAt = [&](ValueId at) -> Sources {
    const Value &x = m[at];
    const bool isPlain = x.origin == ValueOrigin::Result && !x.content && !m[x.def].callee;
    return isPlain ? Sources{true, m.operands(x.def), x.def} : sourcesOf(at, defaultsHold);
  };
  bool same = enter(v);
  while (same && !path.empty()) {
    Step &step = path.back();
    const Sources sources = sourcesAt(step.value);
    if (sources.same && step.asked < sources.from.size()) {
      const ValueId next = sources.from[step.asked++];
      same = !next || enter(next);
    } else if (sources.same && (!sources.maker || followsFromOperands(m, sources.maker))) {
      known[step.value.index()] = State::Yes;
      path.pop_back();
    } else {
      same = false;
    }
  }
  for (const Step &step : path)
    known[step.value.index()] = State::No;
  return same;
}

ConstantValues::Sources ConstantValues::sourcesOf(ValueId v, bool defaultsHold) {
  const Value &x = m[v];
  if ((x.origin == ValueOrigin::Constant && !isOfACall(m, v)) || (x.content && isNumbers(m, undeclared.content(v))))
    return {true, {}};
  if (x.origin == ValueOrigin::Parameter && x.graph == m.main())
    return {x.role == ParameterRole::Constant || (defaultsHold && isDefault(m, v)), {}};
  if (x.origin == ValueOrigin::Parameter) {
    const std::vector<ValueId> &all = given(v);
    return {!all.empty(), all};
  }
  if (x.origin != ValueOrigin::Result)
    return {false, {}};
  if (const GraphId callee = m[x.def].callee; callee && m[callee].instanceOf) {
    const auto yielded = m.results(callee);
    const bool isYielded = x.index < yielded.size() && yielded[x.index];
    return {isYielded, isYielded ? yielded.subspan(x.index, 1) : std::span<const ValueId>()};
  }
  return {true, m.operands(x.def), x.def};
}

const std::vector<NodeId> &ConstantValues::callsOf(GraphId body) {
  if (!calls) {
    calls.emplace();
    for (std::uint32_t g = 0; g < m.graphCount() && m.functionCount() != 0; ++g)
      for (const NodeId n : m.nodes(GraphId(g)))
        if (m[n].callee)
          (*calls)[m[n].callee].push_back(n);
  }
  return (*calls)[body];
}

const std::vector<ValueId> &ConstantValues::given(ValueId v) {
  const auto [known, isNew] = givenFor.try_emplace(v);
  std::vector<ValueId> &out = known->second;
  if (!isNew || m[v].origin != ValueOrigin::Parameter || !m[m[v].graph].instanceOf || m[m[v].graph].parent)
    return out;
  for (const NodeId n : callsOf(m[v].graph))
    out.push_back(m[v].index < m.operands(n).size() ? m.operands(n)[m[v].index] : ValueId());
  return out;
}

} // namespace condlint

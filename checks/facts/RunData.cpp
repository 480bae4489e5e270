//===- RunData.cpp - What the data of a run decides -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunData.h"
#include "ComputedOfInputs.h"
#include "ConstantValues.h"
#include "Undeclared.h"
#include "condlint/Op.h"
#include "graph/LoopCarries.h"
#include <algorithm>

namespace condlint {

namespace {

/// Graphs in graphs, functions that call each other, and what a loop carries from trip to trip take further passes.
constexpr unsigned mostPasses = 16;

} // namespace

bool RunData::hasSizesOfInputs(ValueId v) {
  const Type &t = m.types[undeclared.type(v)];
  return t.isTensor() && t.hasRank && std::ranges::all_of(t.dims, [&](Dim d) {
           return d.known() && !m.dims.mentions(d, SymbolOrigin::Unbacked) &&
                  !m.dims.mentions(d, SymbolOrigin::Anonymous);
         });
}

bool RunData::decides(ValueId v) {
  if (ofInputs.contains(v))
    return true;
  if (!found) {
    if (comesOfInput(v))
      return true;
    found = find();
  }
  return (*found)[v.index()];
}

bool RunData::comesOfInput(ValueId v) {
  if (fromInput.empty())
    fromInput.assign(m.valueCount(), Origin::Open);
  struct Step { // small: a path may be as long as the model
    ValueId value;
    std::uint32_t operand = 0; ///< the next to follow
  };
  std::vector<Step> path{{v}};
  while (!path.empty()) {
    Step &step = path.back();
    const Value &x = m[step.value];
    Origin &origin = fromInput[step.value.index()];
    const bool isInput = x.origin == ValueOrigin::Parameter && x.graph == m.main() && x.role != ParameterRole::Constant;
    if (isInput || origin == Origin::Input || ofInputs.contains(step.value)) {
      for (const Step &s : path)
        fromInput[s.value.index()] = Origin::Input;
      return true;
    }
    const bool isFollowed = x.origin == ValueOrigin::Result && !ofInputs.looksAtType(m[x.def].op);
    const auto operands = isFollowed ? m.operands(x.def) : std::span<const ValueId>();
    if (step.operand == operands.size()) {
      path.pop_back();
      continue;
    }
    origin = Origin::Followed;
    const ValueId next = operands[step.operand++];
    if (next && fromInput[next.index()] != Origin::Followed)
      path.push_back({next});
  }
  return false;
}

std::vector<bool> RunData::find() {
  std::vector<bool> values(m.valueCount());
  // What a recording writes down of a number that was read in the run.
  for (std::uint32_t v = 0; v < values.size(); ++v)
    if (const Value &value = m[ValueId(v)]; value.origin == ValueOrigin::Constant && value.content)
      values[v] = std::ranges::any_of(m.content(value.content),
                                      [&](Dim d) { return d.known() && m.dims.mentions(d, SymbolOrigin::Unbacked); });
  for (unsigned pass = 0; extend(values) && pass < mostPasses;)
    ++pass;
  return values;
}

bool RunData::extendParameters(GraphId g, std::vector<bool> &values) {
  bool more = false;
  const auto isData = [&](ValueId v) { return v && values[v.index()]; };
  const NodeId owner = m[g].owner;
  const bool isOnnx = owner && m[m[owner].op].dialect == Dialect::Onnx;
  const std::vector<ValueId> given = owner && !isOnnx ? regionOperands(m, owner) : std::vector<ValueId>();
  const LoopCarries carried = owner ? carriedBy(m, owner) : LoopCarries();
  // What an ONNX operator passes stands in the order of its operands, if not at their places.
  std::span<const ValueId> passed = isOnnx ? m.operands(owner) : std::span<const ValueId>(given);
  if (isOnnx && carried.firstOperand > carried.firstParameter)
    passed = passed.subspan(std::min(passed.size(), carried.firstOperand - carried.firstParameter));
  for (std::uint32_t i = 0; i < m[g].parameters.count; ++i) {
    const ValueId v(m[g].parameters.first + i);
    if (values[v.index()])
      continue;
    bool isGiven = false;
    if (owner) {
      isGiven = i < passed.size() && isData(passed[i]);
      isGiven = isGiven || (i >= carried.firstParameter && isData(carried.next(m, i - carried.firstParameter)));
    } else if (m[g].instanceOf) {
      isGiven = std::ranges::any_of(constants.given(v), isData);
    } else {
      isGiven = m[v].role != ParameterRole::Constant; // an input, a buffer, or what anyone calls a function with
    }
    values[v.index()] = isGiven;
    more = more || isGiven;
  }
  return more;
}

bool RunData::extendResults(NodeId n, std::vector<bool> &values) {
  const auto operands = m.operands(n);
  const auto isData = [&](ValueId v) { return v && values[v.index()]; };
  const auto regions = m.regions(n);
  const GraphId copy = m[n].callee;
  bool all = std::ranges::any_of(operands, isData);
  if (all && ofInputs.looksAtType(m[n].op) && operands[0])
    all = isData(operands[0]) && !hasSizesOfInputs(operands[0]);
  // Most have one result, and it was found before; in ONNX nothing is written besides.
  const bool isOnnx = m[m[n].op].dialect == Dialect::Onnx;
  if (all && isOnnx && m.resultCount(n) == 1 && isData(m.result(n, 0)))
    return false;
  bool more = false;
  const auto add = [&](ValueId v) {
    more = more || (v && !values[v.index()]);
    if (v)
      values[v.index()] = true;
  };
  if (!isOnnx || !all) {
    const NodeEffects effects = effectsOf(m, n);
    all = all || effects.random;
    if (all)
      for (const std::uint32_t written : effects.writes)
        if (written < operands.size())
          add(operands[written]);
  }
  for (std::size_t i = 0; i < m.resultCount(n); ++i) {
    const auto yields = [&](GraphId g) { return g && i < m.results(g).size() && isData(m.results(g)[i]); };
    if (all || std::ranges::any_of(regions, yields) || yields(copy))
      add(m.result(n, i));
  }
  return more;
}

bool RunData::extend(std::vector<bool> &values) {
  bool more = false;
  for (std::uint32_t g = 0; g < m.graphCount(); ++g) {
    more = extendParameters(GraphId(g), values) || more;
    for (const NodeId n : m.nodes(GraphId(g)))
      more = extendResults(n, values) || more;
  }
  return more;
}

} // namespace condlint

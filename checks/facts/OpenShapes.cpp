//===- OpenShapes.cpp - What ONNX Runtime does not infer ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenShapes.h"
#include "ConstantValues.h"
#include "ExternalNumbers.h"
#include <algorithm>
#include <iterator>
#include <span>
#include <string>

namespace condlint {

OpenShapes::Open OpenShapes::of(ValueId v) {
  if (!v)
    return Open::Nothing;
  known.resize(m.valueCount());
  if (known[v.index()])
    return *known[v.index()];
  std::vector<Step> steps;
  const auto enter = [&](ValueId value) {
    known[value.index()] = Open::Nothing; // of what leads back to itself, which no sound model has
    steps.push_back(stepTo(value));
  };
  enter(v);
  for (;;) {
    Step &step = steps.back();
    if (step.worst != Open::Rank && step.next < step.sources.size()) {
      const ValueId source = step.sources[step.next];
      if (!known[source.index()]) {
        enter(source);
        continue;
      }
      step.worst = std::max(step.worst, *known[source.index()]);
      ++step.next;
      continue;
    }
    const Open worst = step.worst;
    known[step.value.index()] = worst;
    steps.pop_back();
    if (steps.empty())
      return worst;
  }
}

/// Numbers that a node makes inference does not know, unless it is a Constant.
static bool isComputed(const Model &m, ValueId v) { return m[v].def && m.operatorName(m[m[v].def].op) != "Constant"; }

OpenShapes::Step OpenShapes::stepTo(ValueId v) const {
  Step step;
  step.value = v;
  if (const NodeId n = m[v].def)
    look(v, n, step);
  return step;
}

void OpenShapes::look(ValueId v, NodeId n, Step &step) const {
  const std::string op = m.operatorName(m[n].op);
  if (op == "StringNormalizer") {
    step.worst = Open::Sizes;
    return;
  }
  if (op == "Loop" && isCarried(v, n)) {
    step.worst = Open::Rank;
    return;
  }
  const auto add = [&](std::span<const ValueId> values) {
    std::ranges::copy_if(values, std::back_inserter(step.sources), [](ValueId x) { return x.valid(); });
  };
  const auto operands = m.operands(n);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i] && (mayBeGiven(operands[i]) || isComputed(m, operands[i])) && readsNumbers(op, i)) {
      step.worst = Open::Rank;
      return;
    }
  add(operands);
  for (const GraphId g : m.regions(n))
    add(m.results(g));
  if (m[n].callee)
    add(m.results(m[n].callee));
}

/// From IR version 4 on a caller may give other numbers than an input's initializer.
bool OpenShapes::mayBeGiven(ValueId v) const { return isDefault(m, v) && m.info.irVersion >= 4; }

bool OpenShapes::isCarried(ValueId v, NodeId n) const {
  constexpr std::size_t before = 2; // the trip count and the condition
  const std::size_t carried = m.operands(n).size() > before ? m.operands(n).size() - before : 0;
  return v.index() - m[n].results.first < carried;
}

} // namespace condlint

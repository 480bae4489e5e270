//===- MemoryEstimate.cpp - What a run takes at least ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemoryEstimate.h"
#include "condlint/Op.h"
#include "condlint/Tensor.h"
#include <algorithm>
#include <vector>

namespace condlint {

namespace {

/// Bytes of a dense tensor of the type of \p v; 0 when they are not known.
std::uint64_t bytesOf(const Model &m, ValueId v, const Assignment &symbols) {
  const Type &t = m.type(v);
  if (!t.isTensor() || !t.hasRank)
    return 0;
  std::uint64_t bytes = elementBytes(t.element);
  for (Dim d : t.dims) {
    auto size = m.dims.asConstant(d);
    if (!size && d.known())
      size = m.dims.evaluate(d, symbols);
    if (!size || *size < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(*size), &bytes))
      return 0;
  }
  return bytes;
}

/// Results that surely are memory of their own. Of ONNX's operators, which may hand on
/// what they are given, those that always compute.
bool allocates(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  if (!op.definition || !op.definition->execute)
    return false;
  if (op.dialect == Dialect::Torch) {
    const NodeEffects e = effectsOf(m, n);
    return e.aliases.empty() && e.writes.empty() && e.mayWrite.empty() && !e.opaque;
  }
  constexpr std::string_view computing[] = {"Add",  "Sub",    "Mul",     "Div",         "Pow",     "Conv",
                                            "Gemm", "MatMul", "Concat",  "Relu",        "Sigmoid", "Tanh",
                                            "Exp",  "Pad",    "Gather",  "LeakyRelu",   "Softmax", "BatchNormalization",
                                            "Erf",  "Where",  "MaxPool", "AveragePool", "Sqrt",    "ConvTranspose"};
  return m.text(op.domain).empty() && std::ranges::find(computing, m.text(op.name)) != std::end(computing);
}

} // namespace

MemoryEstimate leastMemory(const Model &m, const Assignment &symbols, std::uint64_t enough) {
  const GraphId main = m.main();
  // All of it at once, before anybody asks how long something lives.
  std::uint64_t total = 0;
  for (NodeId n : m.nodes(main))
    for (std::uint32_t i = 0; i < m[n].results.count; ++i)
      if (__builtin_add_overflow(total, bytesOf(m, m.result(n, i), symbols), &total))
        total = UINT64_MAX;
  if (total <= enough)
    return {};
  std::vector<std::uint32_t> lastUse(m.valueCount(), 0);
  std::uint32_t step = 0;
  const auto nodes = m.nodes(main);
  for (NodeId n : nodes) {
    ++step;
    for (std::uint32_t i = 0; i < m[n].results.count; ++i)
      lastUse[m.result(n, i).index()] = step;
    for (ValueId v : m.operands(n))
      if (v)
        lastUse[v.index()] = step;
  }
  for (ValueId v : m.results(main))
    if (v)
      lastUse[v.index()] = step + 1;
  std::vector<std::uint64_t> ends(step + 2, 0); ///< what is given back after a step
  MemoryEstimate most;
  std::uint64_t live = 0;
  step = 0;
  for (NodeId n : nodes) {
    ++step;
    if (allocates(m, n))
      for (std::uint32_t i = 0; i < m[n].results.count; ++i) {
        const ValueId v = m.result(n, i);
        const std::uint64_t bytes = bytesOf(m, v, symbols);
        if (__builtin_add_overflow(live, bytes, &live))
          return {UINT64_MAX, n};
        ends[lastUse[v.index()]] += bytes;
      }
    if (live > most.bytes)
      most = {live, n};
    live -= std::min(live, ends[step]);
  }
  return most;
}

} // namespace condlint

//===- LoopCarries.cpp - What a loop carries from trip to trip ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Source: onnx/defs/controlflow/defs.cc; torch/_higher_order_ops/while_loop.py and scan.py.
#include "LoopCarries.h"
#include <algorithm>
#include <string_view>

namespace condlint {

namespace {

LoopCarries ofOnnx(const Model &m, NodeId loop, std::string_view name) {
  const std::size_t all = m.operands(loop).size();
  LoopCarries c;
  if (m.regions(loop).size() != 1)
    return c;
  if (name == "Loop" && all > 1) {
    // (limit, condition, carried…); the body takes (trip, condition, carried…) and yields (condition, carried…, …).
    c = {m.regions(loop)[0], all - 1, 1, 1, 0};
  } else if (name == "Scan") {
    // Scan-8 takes lengths first; then (carried…, scanned…), as the body does, which yields (carried…, …).
    const std::size_t before = m[m[loop].op].version == 8 ? 1 : 0;
    const Attribute *scanned = m.attribute(loop, "num_scan_inputs");
    const std::size_t left = all - std::min(all, before);
    const std::size_t count = scanned && scanned->number >= 0 ? static_cast<std::size_t>(scanned->number) : left;
    c = {m.regions(loop)[0], left - std::min(left, count), before, 0, 0};
  }
  return c;
}

/// The first list of values is carried, and the last region is the body.
LoopCarries ofTorch(const Model &m, NodeId loop, std::string_view name) {
  LoopCarries c;
  const std::size_t regions = name == "scan" ? 1 : name == "while_loop" || name == "while_loop_stack_output" ? 2 : 0;
  if (regions == 0 || m.regions(loop).size() != regions)
    return c;
  for (const Attribute &a : m.attributes(loop))
    if (a.kind == AttributeKind::Operands)
      return {m.regions(loop)[regions - 1], a.list.count, a.list.first, 0, 0};
  return c;
}

} // namespace

ValueId LoopCarries::given(const Model &m, NodeId loop, std::size_t i) const {
  const auto operands = m.operands(loop);
  return i < count && firstOperand + i < operands.size() ? operands[firstOperand + i] : ValueId();
}

ValueId LoopCarries::parameter(const Model &m, std::size_t i) const {
  return i < count && body && firstParameter + i < m[body].parameters.count
             ? ValueId(m[body].parameters.first + static_cast<std::uint32_t>(firstParameter + i))
             : ValueId();
}

ValueId LoopCarries::next(const Model &m, std::size_t i) const {
  const auto results = body ? m.results(body) : std::span<const ValueId>();
  return i < count && firstResult + i < results.size() ? results[firstResult + i] : ValueId();
}

LoopCarries carriedBy(const Model &m, NodeId loop) {
  if (m.regions(loop).empty())
    return {};
  const std::string_view name = m.text(m[m[loop].op].name);
  const LoopCarries c = m[m[loop].op].dialect == Dialect::Onnx ? ofOnnx(m, loop, name) : ofTorch(m, loop, name);
  return c.body ? c : LoopCarries();
}

} // namespace condlint

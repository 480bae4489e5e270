//===- Batches.cpp - What torch.vmap runs, slice by slice -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Interpreter.h"
#include "Slices.h"
#include <fmt/format.h>

namespace condlint {

namespace {

bool isA(const Model &m, NodeId n, std::string_view what) {
  const OpDef *definition = m[m[n].op].definition;
  return definition && definition->name == what;
}

} // namespace

void Interpreter::findBatches(Plan &plan) const {
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    if (isA(m, plan.steps[i].node, "vmap_begin")) {
      open.push_back(i);
    } else if (!open.empty() && isA(m, plan.steps[i].node, "vmap_end")) {
      plan.batches.emplace(open.back(), i);
      open.pop_back();
    }
  }
}

std::optional<std::int64_t> Interpreter::wholeArgument(NodeId n, std::size_t i) const {
  const auto attributes = m.attributes(n);
  if (i >= attributes.size())
    return std::nullopt;
  const Attribute &a = attributes[i];
  if (a.kind == AttributeKind::Int)
    return a.number;
  const ValueId v = a.kind == AttributeKind::Operand ? m.operands(n)[a.list.first] : ValueId();
  return v && values[v.index()].kind == ValueKind::SymInt ? std::optional(values[v.index()].number) : std::nullopt;
}

bool Interpreter::isOfBatch(NodeId n) const {
  return (isA(m, n, "vmap_slice") || isA(m, n, "vmap_stack")) && !m.operands(n).empty() && m.operands(n)[0] &&
         m.resultCount(n) == 1;
}

bool Interpreter::runOfBatch(NodeId n) {
  RuntimeValue &result = values[m.result(n, 0).index()];
  const RuntimeValue &operand = values[m.operands(n)[0].index()];
  if (isA(m, n, "vmap_stack")) {
    result = operand; // until all are there
    return true;
  }
  const auto axis = wholeArgument(n, 1), level = wholeArgument(n, 2);
  if (!axis || !level || *level < 1 || static_cast<std::size_t>(*level) > slicesRun.size())
    return failed(n, fmt::format("{}: takes a slice of no batch that runs", m.operatorName(m[n].op)));
  const ExecContext c = contextOf(n);
  if (auto problem =
          guarded([&] { result = slice(c, operand, *axis, slicesRun[static_cast<std::size_t>(*level) - 1]); }))
    return failed(n, fmt::format("{}: {}", m.operatorName(m[n].op), *problem));
  return true;
}

/// The results of a batch, by the node that puts the slices of one together.
struct Interpreter::Collected {
  NodeId node;
  Stack slices = {};
};

bool Interpreter::collect(std::span<Collected> results) {
  for (Collected &r : results) {
    const RuntimeValue &now = values[m.result(r.node, 0).index()];
    if (!now.isTensor()) // nobody reads it
      continue;
    const ExecContext c = contextOf(r.node);
    if (auto problem = guarded([&] { r.slices.add(c, now); }))
      return failed(r.node, fmt::format("{}: {}", m.operatorName(m[r.node].op), *problem));
  }
  return true;
}

bool Interpreter::putTogether(std::span<const Collected> results, bool isEmpty) {
  for (const Collected &r : results) {
    const ValueId v = m.result(r.node, 0);
    if (!isEmpty && !values[v.index()].isTensor())
      continue;
    const auto axis = wholeArgument(r.node, 3);
    const ExecContext c = contextOf(r.node);
    if (!axis)
      return failed(r.node, fmt::format("{}: no axis is given for the batch", m.operatorName(m[r.node].op)));
    if (auto problem =
            guarded([&] { values[v.index()] = r.slices.stacked(c, *axis, m, &m.type(m.operands(r.node)[0])); }))
      return failed(r.node, fmt::format("{}: {}", m.operatorName(m[r.node].op), *problem));
    if (validate)
      checkRecorded(r.node);
  }
  return true;
}

bool Interpreter::runBatch(GraphId g, const Plan &plan, std::uint32_t from, std::uint32_t to, bool releases) {
  const NodeId begin = plan.steps[from].node;
  const auto size = wholeArgument(begin, 0);
  if (!size || *size < 0)
    return failed(begin, fmt::format("{}: no size of the batch is given", m.operatorName(m[begin].op)));
  std::vector<Collected> results;
  for (std::uint32_t i = from + 1; i < to; ++i) {
    const NodeId n = plan.steps[i].node;
    if (const auto inner = plan.batches.find(i); inner != plan.batches.end())
      i = inner->second;
    else if (isA(m, n, "vmap_stack") && isOfBatch(n)) {
      results.push_back({n});
      values[m.result(n, 0).index()] = RuntimeValue();
    }
  }
  const std::size_t level = slicesRun.size();
  slicesRun.push_back(0);
  bool ok = true;
  for (std::int64_t b = 0; ok && b < *size; ++b) {
    slicesRun[level] = b;
    // What stands outside is read in each round.
    ok = runRange(g, plan, from + 1, to, releases && b + 1 == *size) && collect(results);
  }
  slicesRun.pop_back();
  return ok && putTogether(results, *size == 0);
}

} // namespace condlint

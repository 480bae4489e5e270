//===- KernelNode.cpp - The numbers that a node is given ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelNode.h"
#include <algorithm>
#include <cstring>

namespace condlint {

std::optional<std::int64_t> operandSize(const Model &m, NodeId n, std::size_t i, std::size_t axis) {
  const auto operands = m.operands(n);
  if (i >= operands.size() || !operands[i])
    return std::nullopt;
  const Type &t = m.type(operands[i]);
  return t.isTensor() && t.hasRank && axis < t.dims.size() ? m.dims.asConstant(t.dims[axis]) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> KernelNode::integers(std::size_t i) const {
  const ValueId v = operand(i);
  if (!v || !m[v].content || m[v].origin == ValueOrigin::Parameter)
    return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Dim d : m.content(m[v].content)) {
    const auto number = d.known() ? m.dims.asConstant(d) : std::nullopt;
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<std::int64_t> KernelNode::integer(std::size_t i) const {
  const auto list = integers(i);
  return list && list->size() == 1 ? std::optional(list->front()) : std::nullopt;
}

std::vector<double> KernelNode::reals(std::size_t i) const {
  std::vector<double> numbers;
  const Constant *c = constant(operand(i));
  if (!c || c->sparse || m.types[c->type].element != DType::Float32)
    return numbers;
  for (std::size_t at = 0; at + sizeof(float) <= c->bytes.size(); at += sizeof(float)) {
    float number = 0;
    std::memcpy(&number, c->bytes.data() + at, sizeof number);
    numbers.push_back(static_cast<double>(number));
  }
  return numbers;
}

std::optional<double> KernelNode::real(std::size_t i) const {
  const auto list = reals(i);
  return list.size() == 1 ? std::optional(list.front()) : std::nullopt;
}

const Constant *KernelNode::constant(ValueId v) const {
  if (!v)
    return nullptr;
  if (m[v].origin == ValueOrigin::Constant && m[v].constant)
    return &m[m[v].constant];
  const NodeId maker = m[v].def;
  const Attribute *a = maker && m.operatorName(m[maker].op) == "Constant" ? m.attribute(maker, "value") : nullptr;
  return a && a->kind == AttributeKind::Tensor ? &m[ConstantId(a->list.first)] : nullptr;
}

std::optional<std::int64_t> KernelNode::number(std::string_view name) const {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind == AttributeKind::Int ? std::optional(a->number) : std::nullopt;
}

std::string_view KernelNode::word(std::string_view name, std::string_view otherwise) const {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind == AttributeKind::String ? m.text(a->text) : otherwise;
}

std::optional<double> KernelNode::realNumber(std::string_view name) const {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind == AttributeKind::Float ? std::optional(a->real) : std::nullopt;
}

std::size_t KernelNode::realCount(std::string_view name) const {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind == AttributeKind::Floats ? a->list.count : 0;
}

std::vector<std::int64_t> KernelNode::numbers(std::string_view name) const {
  const Attribute *a = m.attribute(n, name);
  if (!a || a->kind != AttributeKind::Ints)
    return {};
  const auto list = m.ints(a->list);
  return {list.begin(), list.end()};
}

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  return axis < -count || axis >= count ? std::nullopt
                                        : std::optional(static_cast<std::size_t>(axis < 0 ? axis + count : axis));
}

std::optional<std::int64_t> elements(const KernelNode &x, std::size_t i, std::size_t axes) {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto size = x.size(i, axis);
    if (!size || __builtin_mul_overflow(count, *size, &count))
      return std::nullopt;
  }
  return count;
}

const KernelRow *rowOf(std::span<const KernelRow> rows, std::string_view op) {
  const auto at = std::ranges::lower_bound(rows, op, {}, &KernelRow::op);
  return at != rows.end() && at->op == op ? &*at : nullptr;
}

std::optional<TargetLimit> exceededRow(std::span<const KernelRow> rows, const KernelNode &x) {
  const KernelRow *row = rowOf(rows, x.op);
  auto exceeded = row ? row->exceeded(x) : std::nullopt;
  if (exceeded)
    exceeded->isOfNumbers = exceeded->isOfNumbers || row->whenItRuns;
  return exceeded;
}

} // namespace condlint

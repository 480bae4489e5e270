//===- Sequence.cpp - Sequences of tensors, executed ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sequence.h"
#include "ElementKernels.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

std::span<const RuntimeValue> itemsOf(const ExecContext &c, std::size_t i) {
  const RuntimeValue &v = c.operand(i);
  if (v.kind != ValueKind::Sequence)
    c.fail(fmt::format("the input {} is a {}, not a sequence", i, kindName(v.kind)));
  return v.list();
}

std::int64_t position(const ExecContext &c, std::size_t i, std::int64_t length, std::int64_t last) {
  const std::int64_t at = c.scalarIn(i).toInt();
  if (at < -length || at > last)
    c.fail(fmt::format("the position {} is outside of a sequence of {}", at, length));
  return at < 0 ? at + length : at;
}

} // namespace

void executeSequenceEmpty(ExecContext &c) { c.set(0, RuntimeValue::sequence({})); }

void executeSequenceConstruct(ExecContext &c) {
  std::vector<RuntimeValue> items;
  for (std::size_t i = 0; i < c.operandCount(); ++i)
    items.push_back(c.operand(i));
  c.set(0, RuntimeValue::sequence(std::move(items)));
}

void executeSequenceInsert(ExecContext &c) {
  const auto given = itemsOf(c, 0);
  std::vector<RuntimeValue> items(given.begin(), given.end());
  const auto length = static_cast<std::int64_t>(items.size());
  items.insert(items.begin() + (c.has(2) ? position(c, 2, length, length) : length), c.operand(1));
  c.set(0, RuntimeValue::sequence(std::move(items)));
}

void executeSequenceErase(ExecContext &c) {
  const auto given = itemsOf(c, 0);
  std::vector<RuntimeValue> items(given.begin(), given.end());
  const auto length = static_cast<std::int64_t>(items.size());
  if (items.empty())
    c.fail("there is nothing to erase");
  items.erase(items.begin() + (c.has(1) ? position(c, 1, length, length - 1) : length - 1));
  c.set(0, RuntimeValue::sequence(std::move(items)));
}

void executeSequenceAt(ExecContext &c) {
  const auto items = itemsOf(c, 0);
  const auto length = static_cast<std::int64_t>(items.size());
  c.set(0, items[static_cast<std::size_t>(position(c, 1, length, length - 1))]);
}

void executeSequenceLength(ExecContext &c) {
  c.set(0, filled(c, DType::Int64, {}, Scalar::of(static_cast<std::int64_t>(itemsOf(c, 0).size()))));
}

void executeConcatFromSequence(ExecContext &c) {
  std::vector<Tensor> parts;
  for (const RuntimeValue &v : itemsOf(c, 0))
    parts.push_back(v.tensor);
  if (parts.empty())
    c.fail("nothing is concatenated");
  const bool fresh = c.flag("new_axis");
  const std::size_t axis = axisOf(c, c.integer("axis"), parts[0].rank() + (fresh ? 1 : 0));
  if (fresh)
    for (Tensor &t : parts)
      t = t.unsqueezed(axis);
  c.set(0, concatenated(c, parts, axis));
}

void executeSplitToSequence(ExecContext &c) {
  const Tensor &x = c.in(0);
  const std::size_t axis = axisOf(c, c.integer("axis", 0), x.rank());
  if (x.rank() == 0)
    c.fail("a tensor of rank 0 cannot be split");
  const std::int64_t size = x.size(axis);
  Sizes lengths;
  if (!c.has(1)) {
    lengths.assign(static_cast<std::size_t>(size), 1);
  } else if (c.in(1).rank() == 0) {
    const std::int64_t each = c.scalarIn(1).toInt();
    if (each <= 0)
      c.fail("the size of a part must be positive");
    for (std::int64_t left = size; left > 0; left -= each)
      lengths.push_back(std::min(each, left));
  } else {
    lengths = integersOf(c, c.in(1));
  }
  std::vector<RuntimeValue> items;
  std::int64_t at = 0;
  for (std::int64_t n : lengths) {
    if (n < 0 || n > size - at)
      c.fail(fmt::format("parts of {} do not fit into {}", shapeText(lengths), shapeText(x.sizes())));
    const Tensor part = x.sliced(axis, at, n);
    items.emplace_back(!c.has(1) && !c.flag("keepdims", true) ? part.squeezed(axis) : part);
    at += n;
  }
  c.set(0, RuntimeValue::sequence(std::move(items)));
}

// --- optionals ------------------------------------------------------------------

void executeOptional(ExecContext &c) {
  c.set(0, c.has(0) ? RuntimeValue::optional(c.operand(0)) : RuntimeValue::optional(std::nullopt));
}

void executeOptionalGetElement(ExecContext &c) {
  const RuntimeValue &v = c.operand(0);
  if (!v.present() || (v.kind == ValueKind::Optional && v.list().empty()))
    c.fail("an empty optional has no element");
  if (v.kind != ValueKind::Optional)
    return c.set(0, v);
  c.set(0, v.list()[0]);
}

void executeOptionalHasElement(ExecContext &c) {
  const RuntimeValue &v = c.operand(0);
  const bool has = v.kind == ValueKind::Optional ? !v.list().empty() : v.present();
  c.set(0, filled(c, DType::Bool, {}, Scalar::of(has)));
}

} // namespace condlint

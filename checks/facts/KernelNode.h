//===- KernelNode.h - The numbers that a node is given ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELNODE_H
#define CONDLINT_CHECKS_FACTS_KERNELNODE_H

#include "facts/TargetLimits.h"
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// The size of an axis of operand \p i, where the operand is a tensor and its size a number.
std::optional<std::int64_t> operandSize(const Model &m, NodeId n, std::size_t i, std::size_t axis);

/// A node of an ONNX model, and what the file says of the numbers among its operands and attributes.
struct KernelNode {
  const Model &m;
  NodeId n;
  std::string_view op;

  bool has(std::size_t i) const { return i < m.operands(n).size() && m.operands(n)[i]; }
  ValueId operand(std::size_t i) const { return has(i) ? m.operands(n)[i] : ValueId(); }
  const Type &type(std::size_t i) const { return m.type(operand(i)); }
  std::optional<std::size_t> rank(std::size_t i) const {
    return has(i) && type(i).isTensor() && type(i).hasRank ? std::optional(type(i).dims.size()) : std::nullopt;
  }
  std::optional<std::int64_t> size(std::size_t i, std::size_t axis) const { return operandSize(m, n, i, axis); }
  /// The integers of operand \p i, which no caller replaces.
  std::optional<std::vector<std::int64_t>> integers(std::size_t i) const;
  std::optional<std::int64_t> integer(std::size_t i) const;
  /// The same of float32.
  std::vector<double> reals(std::size_t i) const;
  std::optional<double> real(std::size_t i) const;
  const Constant *constant(ValueId v) const;
  std::optional<std::int64_t> number(std::string_view name) const;
  std::string_view word(std::string_view name, std::string_view otherwise) const;
  std::vector<std::int64_t> numbers(std::string_view name) const;
  /// The real number of the attribute \p name, and how many such numbers it lists.
  std::optional<double> realNumber(std::string_view name) const;
  std::size_t realCount(std::string_view name) const;
  std::int32_t version() const { return m[m[n].op].version; }
  std::optional<TargetLimit> limit(const std::string &what, std::optional<std::uint32_t> operand = std::nullopt) const {
    return TargetLimit{fmt::format("{}: {}", op, what), operand, false, false};
  }
  /// One that is never met where the node does not run: the kernel finds it in what it is given.
  std::optional<TargetLimit> limitOfNumbers(const std::string &what, std::uint32_t operand) const {
    return TargetLimit{fmt::format("{}: {}", op, what), operand, false, true};
  }
  std::optional<TargetLimit> beyond(std::int64_t index, std::int64_t size) const {
    return limit(fmt::format("the index {} is beyond an axis of size {}", index, size), 1);
  }
};

/// What the kernels of one operator refuse; tables of them are sorted by name.
struct KernelRow {
  std::string_view op;
  std::optional<TargetLimit> (*exceeded)(const KernelNode &x);
  bool whenItRuns; ///< and not when the model is loaded, unless it says so itself
};
const KernelRow *rowOf(std::span<const KernelRow> rows, std::string_view op);
/// What the row of its operator says of \p x.
std::optional<TargetLimit> exceededRow(std::span<const KernelRow> rows, const KernelNode &x);

/// The place of \p axis among \p rank axes, from the end where it is below 0.
std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank);

/// How many elements the first \p axes axes of operand \p i have.
std::optional<std::int64_t> elements(const KernelNode &x, std::size_t i, std::size_t axes);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELNODE_H

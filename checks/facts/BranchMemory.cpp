//===- BranchMemory.cpp - Where ExecuTorch puts what a branch makes -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BranchMemory.h"
#include "condlint/Tensor.h"
#include "graph/Returned.h"
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <utility>

namespace condlint {

namespace {

/// Operators that are one kernel of ExecuTorch, without decomposition and without memory of their own; those that work
/// element by element first.
constexpr std::string_view pointwise[] = {"abs",  "acos",       "add",  "asin",  "atan",    "ceil",    "cos",
                                          "cosh", "div",        "exp",  "floor", "maximum", "minimum", "mul",
                                          "neg",  "reciprocal", "relu", "rsqrt", "sigmoid", "sin",     "sinh",
                                          "sqrt", "sub",        "tan",  "tanh"};
constexpr std::string_view others[] = {"bmm", "cat", "mm"};
/// Those that become one kernel where their operands are tensors and numbers, by overload: element by element, and not.
constexpr std::string_view becomePointwise[] = {"clamp.default", "clone.default", "gelu.default", "gt.Scalar",
                                                "where.self"};
constexpr std::string_view becomeOne[] = {"expand.default", "slice.Tensor", "softmax.int", "sum.dim_IntList"};
static_assert(std::ranges::is_sorted(pointwise) && std::ranges::is_sorted(others) && std::ranges::is_sorted(becomeOne));

constexpr std::uint64_t alignment = 16;
constexpr std::uint64_t largest = std::uint64_t(1) << 40;

/// Bytes of a tensor, rounded up; nothing where a size is open.
std::optional<std::uint64_t> bytesOf(const Model &m, const Type &t) {
  if (!t.isTensor() || !t.hasRank || t.element == DType::Unknown)
    return std::nullopt;
  std::uint64_t bytes = elementBytes(t.element);
  for (const Dim d : t.dims) {
    const auto size = m.dims.asConstant(d);
    if (!size || *size < 1 || static_cast<std::uint64_t>(*size) > largest / bytes)
      return std::nullopt;
    bytes *= static_cast<std::uint64_t>(*size);
  }
  return (bytes + alignment - 1) / alignment * alignment;
}

std::string_view nameOf(const Model &m, NodeId n) { return m.text(m[m[n].op].name); }

/// \p n with its overload is in \p list.
bool isOf(const Model &m, NodeId n, std::span<const std::string_view> list) {
  return std::ranges::binary_search(list, fmt::format("{}.{}", nameOf(m, n), m.text(m[m[n].op].overload)));
}

struct Allocation {
  std::size_t block = 0;
  std::uint64_t size = 0;
  std::size_t first = 0, last = 0; ///< the positions where it is needed
};

bool meet(const Allocation &a, const Allocation &b) { return a.first <= b.last && b.first <= a.last; }

/// A run of memory that tensors take one after another, and beside each other where they fit.
struct Bucket {
  std::uint64_t size = 0;
  std::vector<std::pair<std::uint64_t, Allocation>> held; ///< with the place of each in it
};

/// `pick_shared_obj`: the first bucket that is free all the while, else one with room behind all that it holds then,
/// else a new one.
void place(std::vector<Bucket> &buckets, const Allocation &t) {
  for (Bucket &b : buckets)
    if (std::ranges::none_of(b.held, [&](const auto &h) { return meet(h.second, t); })) {
      b.held.emplace_back(0, t);
      return;
    }
  for (Bucket &b : buckets) {
    std::uint64_t behind = 0;
    for (const auto &[offset, other] : b.held)
      if (meet(other, t))
        behind = std::max(behind, offset + other.size);
    if (behind > 0 && behind + t.size <= b.size) {
      b.held.emplace_back(behind, t);
      return;
    }
  }
  buckets.push_back({t.size, {{0, t}}});
}

} // namespace

ValueId sharedOperand(const Model &m, NodeId n) {
  const auto operands = m.operands(n);
  if (operands.empty() || !operands[0] || m.resultCount(n) != 1)
    return {};
  const std::string_view name = nameOf(m, n);
  if (name == "view" || name == "reshape" || name == "_unsafe_view" || name == "flatten" || name == "contiguous")
    return operands[0];
  const Type &from = m.type(operands[0]), &to = m.type(m.result(n, 0));
  return name == "to" && from.element != DType::Unknown && from.element == to.element ? operands[0] : ValueId();
}

bool isView(const Model &m, NodeId n) {
  const auto operands = m.operands(n);
  if (operands.empty() || !operands[0] || m.resultCount(n) != 1)
    return false;
  const std::string_view name = nameOf(m, n);
  if (name == "view" || name == "reshape" || name == "reshape_as" || name == "_unsafe_view")
    return true;
  const Type &from = m.type(operands[0]), &to = m.type(m.result(n, 0));
  return (name == "flatten" || name == "unflatten") && from.hasRank && to.hasRank && from.dims.size() != to.dims.size();
}

bool isSingleKernel(const Model &m, NodeId n) {
  const std::string_view name = nameOf(m, n);
  return std::ranges::binary_search(pointwise, name) || std::ranges::binary_search(others, name);
}

bool isLaidOut(const Model &m, const Type &t) { return bytesOf(m, t).has_value(); }

BranchMemory layOut(const Model &m, GraphId region) {
  BranchMemory out;
  std::vector<Allocation> tensors;
  std::size_t at = 0;
  for (const NodeId n : m.nodes(region)) {
    for (const ValueId v : m.operands(n))
      if (const auto block = out.blockOf.find(v); v && block != out.blockOf.end())
        tensors[block->second].last = at;
    const std::string_view name = nameOf(m, n);
    if (const ValueId from = sharedOperand(m, n)) {
      if (isView(m, n) && isReturned(m, region, m.result(n, 0)))
        out.isKnown = false; // which is copied instead
      if (const auto block = out.blockOf.find(from); block != out.blockOf.end())
        out.blockOf.emplace(m.result(n, 0), block->second);
      ++at;
      continue;
    }
    const bool isPointwise = std::ranges::binary_search(pointwise, name) || isOf(m, n, becomePointwise);
    const auto size = m.resultCount(n) == 1 ? bytesOf(m, m.type(m.result(n, 0))) : std::nullopt;
    const bool isKernel = isPointwise || std::ranges::binary_search(others, name) || isOf(m, n, becomeOne);
    out.makesAny = out.makesAny || isKernel;
    if (!isKernel || !size) {
      out.isKnown = false;
    } else {
      out.blockOf.emplace(m.result(n, 0), tensors.size());
      tensors.push_back({tensors.size(), *size, at, at});
      out.blocks.push_back({n, 0, *size, at, isPointwise});
    }
    ++at;
  }
  for (const ValueId v : m.results(region))
    if (const auto block = out.blockOf.find(v); v && block != out.blockOf.end())
      tensors[block->second].last = at;
  if (!out.isKnown)
    return out;
  // The largest first, of equal ones the last.
  std::ranges::sort(tensors, std::ranges::greater(), [](const Allocation &t) { return std::pair(t.size, t.block); });
  std::vector<Bucket> buckets;
  for (const Allocation &t : tensors)
    place(buckets, t);
  for (const Bucket &b : buckets) {
    for (const auto &[offset, t] : b.held)
      out.blocks[t.block].offset = out.total + offset;
    out.total += b.size;
  }
  return out;
}

} // namespace condlint

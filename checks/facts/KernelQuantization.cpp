//===- KernelQuantization.cpp - Scales and zero points that kernels refuse ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelQuantization.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// quantize_linear.cc: it computes in float32 or float16.
std::optional<TargetLimit> precision(const KernelNode &x) {
  const std::int64_t precision = x.number("precision").value_or(0);
  if (precision == 0 || precision == 1 || precision == 10)
    return std::nullopt;
  return x.limit(fmt::format("the kernel of ONNX Runtime takes precision 0, 1 (float32) or 10 (float16), but it is {}",
                             precision));
}

/// quantize_linear.cc: with a block size there is a scale for each block of an axis and each place of the others, and
/// without it one or one for each place of the axis. Zero points are as many.
std::optional<TargetLimit> blocks(const KernelNode &x) {
  const auto rank = x.rank(0), scales = x.rank(1), zeros = x.rank(2);
  const std::int64_t block = x.number("block_size").value_or(0);
  const auto axis = rank ? axisOf(x.number("axis").value_or(1), *rank) : std::nullopt;
  if (scales && zeros) {
    for (std::size_t i = 0; i < *scales && scales == zeros; ++i)
      if (const auto one = x.size(1, i), other = x.size(2, i); one && other && *one != *other)
        return x.limit(fmt::format("axis {} of the scales is of size {}, and of the zero points {}", i, *one, *other),
                       2);
    if (scales != zeros && (*scales > 1 || *zeros > 1))
      return x.limit(fmt::format("the scales have {} axes, and the zero points {}", *scales, *zeros), 2);
  }
  if (!axis || !scales)
    return std::nullopt;
  if (block == 0)
    return *scales > 1 ? x.limit(fmt::format("scales of {} axes need a block_size", *scales), 1) : std::nullopt;
  if (block < 0)
    return std::nullopt;
  if (scales != rank)
    return x.limit(fmt::format("with a block_size the scales have {} axes as the operand, not {}", *rank, *scales), 1);
  for (std::size_t i = 0; i < *rank; ++i) {
    const auto whole = x.size(0, i), given = x.size(1, i);
    const auto wanted = whole && i == *axis ? std::optional((*whole + block - 1) / block) : whole;
    if (wanted && given && *wanted != *given)
      return x.limit(fmt::format("in axis {} there are {} scales for {} blocks", i, *given, *wanted), 1);
  }
  return std::nullopt;
}

/// What one of the scales and zero points of a product may be.
enum class Quantity {
  One,       ///< one number: a scalar, or a tensor of one axis and one element
  PerFilter, ///< one number, or one for each filter of operand 3
  PerColumn, ///< one number, or one for each column of the second matrix, which may have the rank of that
};
struct QuantityInput {
  std::string_view op;
  std::uint32_t input;
  Quantity quantity;
  std::uint32_t matrix = 0; ///< the operand that is scaled
};
constexpr QuantityInput quantities[] = {
    {"ConvInteger", 2, Quantity::One},
    {"ConvInteger", 3, Quantity::One},
    {"MatMulInteger", 2, Quantity::One},
    {"MatMulInteger", 3, Quantity::PerColumn, 1},
    {"QLinearConv", 1, Quantity::One},
    {"QLinearConv", 2, Quantity::One},
    {"QLinearConv", 4, Quantity::PerFilter, 3},
    {"QLinearConv", 5, Quantity::PerFilter, 3},
    {"QLinearConv", 6, Quantity::One},
    {"QLinearConv", 7, Quantity::One},
    {"QLinearMatMul", 1, Quantity::One},
    {"QLinearMatMul", 2, Quantity::One},
    {"QLinearMatMul", 4, Quantity::PerColumn, 3},
    {"QLinearMatMul", 5, Quantity::PerColumn, 3},
    {"QLinearMatMul", 6, Quantity::One},
    {"QLinearMatMul", 7, Quantity::One},
};
static_assert(std::ranges::is_sorted(quantities, {}, &QuantityInput::op));

/// A scale for each column, in a tensor that has the axes of the matrix: one row, and batches as the matrix has them.
bool isRowOfMatrix(const KernelNode &x, const QuantityInput &q, std::size_t rank) {
  if (x.rank(q.matrix) != rank)
    return !x.rank(q.matrix);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto given = x.size(q.input, axis),
               wanted = axis == rank - 2 ? std::optional<std::int64_t>(1) : x.size(q.matrix, axis);
    if (given && wanted && *given != *wanted)
      return false;
  }
  return true;
}

std::optional<TargetLimit> refusedQuantity(const KernelNode &x, const QuantityInput &q) {
  const auto rank = x.rank(q.input);
  if (!rank || *rank == 0 || (*rank == 1 && x.size(q.input, 0).value_or(1) == 1))
    return std::nullopt;
  if (q.quantity == Quantity::One)
    return x.limit(fmt::format("the kernel of ONNX Runtime takes one number for input {}", q.input), q.input);
  const auto axes = x.rank(q.matrix);
  const bool isByColumn = q.quantity == Quantity::PerColumn;
  if (*rank > 1)
    return isByColumn && isRowOfMatrix(x, q, *rank)
               ? std::nullopt
               : x.limit(fmt::format("the kernel of ONNX Runtime takes one number or one for each {} for input {}, but "
                                     "it has {} axes",
                                     isByColumn ? "column" : "filter", q.input, *rank),
                         q.input);
  const auto given = x.size(q.input, 0);
  const auto count = axes && *axes > 0 ? x.size(q.matrix, isByColumn ? *axes - 1 : 0) : std::nullopt;
  if (!given || !count || *given == *count)
    return std::nullopt;
  return x.limit(fmt::format("the kernel of ONNX Runtime takes one number or {} for input {}, but it has {}", *count,
                             q.input, *given),
                 q.input);
}

} // namespace

std::optional<TargetLimit> refusedScaling(const KernelNode &x) {
  if (auto exceeded = x.op == "QuantizeLinear" ? precision(x) : std::nullopt)
    return exceeded;
  auto exceeded = blocks(x);
  if (exceeded)
    exceeded->isOfNumbers = true;
  return exceeded;
}

std::optional<TargetLimit> refusedQuantities(const KernelNode &x) {
  for (const QuantityInput &q : std::ranges::equal_range(quantities, x.op, {}, &QuantityInput::op))
    if (auto refused = refusedQuantity(x, q))
      return refused;
  return std::nullopt;
}

} // namespace condlint

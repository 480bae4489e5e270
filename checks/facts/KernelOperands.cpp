//===- KernelOperands.cpp - Operands that kernels refuse ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelOperands.h"
#include "KernelNode.h"
#include "ops/OnnxOpset.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace condlint {

namespace {

/// To inference no axis is squeezed where none is named, and to the kernel each of size 1 (squeeze.h).
std::optional<TargetLimit> squeezed(const KernelNode &x) {
  if (x.m.operands(x.n).size() > 1 && !x.has(1))
    return x.limit("the kernel of ONNX Runtime takes axes or none, and fails where their name is empty");
  if (x.size(1, 0) != 0)
    return std::nullopt;
  for (std::size_t axis = 0; axis < x.rank(0).value_or(0); ++axis)
    if (x.size(0, axis) == 1)
      return x.limit(fmt::format("no axes are named, and ONNX Runtime squeezes axis {} against what it inferred", axis),
                     1);
  return std::nullopt;
}

/// reduction_ops.cc: there is no largest bool of none.
std::optional<TargetLimit> extremeBool(const KernelNode &x) {
  const auto rank = x.rank(0);
  if (!rank || x.type(0).element != DType::Bool || elements(x, 0, *rank) != 0)
    return std::nullopt;
  const Type &t = x.m.resultCount(x.n) != 0 ? x.m.type(x.m.result(x.n, 0)) : x.type(0);
  const auto isEmpty = [&](Dim d) { return !d.known() || x.m.dims.boundsOf(d).contains(0); };
  return std::ranges::any_of(t.dims, isEmpty)
             ? std::nullopt
             : x.limit("the kernel of ONNX Runtime takes no bools without elements", 0);
}

/// dft.cc: over an axis that is named by nothing the process ends.
std::optional<TargetLimit> namedAxis(const KernelNode &x) {
  constexpr std::int32_t operandSince = 20;
  return x.version() < operandSince || x.m.operands(x.n).size() < 3 || x.has(2)
             ? std::nullopt
             : x.limit("ONNX Runtime takes an axis or none, and ends where its name is empty");
}

/// loop.cc: the most trips there are, and whether there is a first, are one number each.
std::optional<TargetLimit> tripCount(const KernelNode &x) {
  for (const std::uint32_t i : {0u, 1u})
    if (const auto rank = x.rank(i); rank && elements(x, i, *rank).value_or(1) != 1)
      return x.limit(fmt::format("input {} must be one number, but has {} elements", i, *elements(x, i, *rank)), i);
  return std::nullopt;
}

/// The Pad that it computes it by is given two numbers an axis in one list.
std::optional<TargetLimit> oneList(const KernelNode &x) {
  if (const DType element = x.type(1).element; element != DType::Int64 && isIntegral(element))
    return x.limit(
        fmt::format("the shape must be of int64 for the function that ONNX Runtime computes it by, and is of {}",
                    dtypeName(element)),
        1);
  const auto rank = x.rank(1);
  return rank && *rank > 1 ? x.limit(fmt::format("the shape must have one axis, but has {}", *rank), 1) : std::nullopt;
}

/// unique.cc: what it takes apart along an axis has elements, or the process ends.
std::optional<TargetLimit> taken(const KernelNode &x) {
  const auto rank = x.rank(0);
  const auto named = x.number("axis");
  const auto axis = rank && named ? axisOf(*named, *rank) : std::nullopt;
  if (!axis)
    return std::nullopt;
  for (std::size_t i = 0; i <= *axis; ++i)
    if (x.size(0, i).value_or(0) == 0)
      return std::nullopt;
  for (std::size_t i = *axis + 1; i < *rank; ++i)
    if (x.size(0, i) == 0)
      return x.limit(fmt::format("ONNX Runtime ends over an operand of size 0 in axis {}", i), 0);
  return std::nullopt;
}

/// rnn_helpers.cc: a sequence is no longer than the operand, and has no fewer steps than none.
std::optional<TargetLimit> sequenceLengths(const KernelNode &x) {
  const auto steps = x.number("layout").value_or(0) == 0 ? x.size(0, 0) : x.size(0, 1);
  const auto lengths = x.integers(4);
  if (!steps || !lengths)
    return std::nullopt;
  const auto bad = std::ranges::find_if(*lengths, [&](std::int64_t n) { return n < 0 || n > *steps; });
  if (bad == lengths->end())
    return std::nullopt;
  return x.limitOfNumbers(fmt::format("a sequence is {} steps long, where 0 to {} are", *bad, *steps), 4);
}

/// deep_cpu_gru.cc: without a step or a batch the process ends.
std::optional<TargetLimit> steps(const KernelNode &x) {
  for (const std::size_t axis : {0u, 1u})
    if (x.size(0, axis) == 0)
      return x.limit(fmt::format("ONNX Runtime ends over an operand of size 0 in axis {}", axis), 0);
  return sequenceLengths(x);
}

/// The convolution that it computes it by takes no sequence without steps.
std::optional<TargetLimit> someSteps(const KernelNode &x) {
  return x.size(0, 2) == 0 && x.size(0, 0) != 0 ? x.limit("the sequence has no steps", 0) : std::nullopt;
}

/// string_normalizer.cc.
std::optional<TargetLimit> someStrings(const KernelNode &x) {
  const auto rank = x.rank(0);
  const bool isEmpty = rank == 1 ? x.size(0, 0) == 0 : rank == 2 && x.size(0, 0) == 1 && x.size(0, 1) == 0;
  return isEmpty ? x.limit("there are no strings", 0) : std::nullopt;
}

/// cast_op.cc: of a number that is neither 0 nor 1 nothing is written.
std::optional<TargetLimit> saturated(const KernelNode &x, DType element) {
  const std::int64_t saturate = x.number("saturate").value_or(1);
  if (saturate == 1 || element == DType::Unknown || dtypeName(element).starts_with("float8") ||
      (saturate != 0 && element == x.type(0).element))
    return std::nullopt;
  if (saturate == 0)
    return x.limit(fmt::format("the kernel of ONNX Runtime takes saturate 0 where it casts to float8, not to {}",
                               dtypeName(element)));
  return x.limit(fmt::format("saturate is {}, neither 0 nor 1: ONNX Runtime leaves the result unwritten", saturate));
}

/// cast_op.cc: only float8 saturates, and only float8e8m0 is rounded as one wishes.
std::optional<TargetLimit> castWishes(const KernelNode &x) {
  const auto to = x.number("to");
  const auto element = to ? dtypeOfOnnx(static_cast<std::int32_t>(*to)) : std::nullopt;
  if (const std::string_view rounding = x.word("round_mode", "up");
      rounding != "up" && element && *element != DType::Float8E8M0FNU)
    return x.limit(fmt::format("the kernel of ONNX Runtime takes round_mode '{}' where it casts to {}, not to {}",
                               rounding, dtypeName(DType::Float8E8M0FNU), dtypeName(*element)));
  return saturated(x, element.value_or(DType::Unknown));
}

/// A function, of a Cast.
std::optional<TargetLimit> castLikeWishes(const KernelNode &x) { return saturated(x, x.type(1).element); }

/// element_wise_ops.cc: before version 8 nothing is stretched.
std::optional<TargetLimit> sameShapes(const KernelNode &x) {
  constexpr std::int32_t stretchedSince = 8;
  const auto rank = x.rank(0);
  for (std::uint32_t i = 1; x.version() < stretchedSince && rank && i < x.m.operands(x.n).size(); ++i) {
    const auto other = x.rank(i);
    if (other && *other != *rank)
      return x.limit(fmt::format("operands are of one shape before version {}, and have {} and {} axes", stretchedSince,
                                 *rank, *other),
                     i);
    for (std::size_t axis = 0; other && axis < *rank; ++axis)
      if (const auto a = x.size(0, axis), b = x.size(i, axis); a && b && *a != *b)
        return x.limit(fmt::format("operands are of one shape before version {}, and are {} and {} long in axis {}",
                                   stretchedSince, *a, *b, axis),
                       i);
  }
  return std::nullopt;
}

/// reverse_sequence.cc: time is the first axis or it is the second, and the batch the other.
std::optional<TargetLimit> reversedAxes(const KernelNode &x) {
  for (const auto &[name, otherwise] : {std::pair("batch_axis", 1), {"time_axis", 0}})
    if (const std::int64_t axis = x.number(name).value_or(otherwise); axis < 0) {
      auto risk = x.limit(fmt::format("{} must be 0 or 1, and ONNX Runtime takes {} for one of them", name, axis));
      risk->isRisk = true;
      return risk;
    }
  return std::nullopt;
}

/// label_encoder.h: the first version has words alone.
std::optional<TargetLimit> classNames(const KernelNode &x) {
  return x.version() > 1 || x.m.attribute(x.n, "classes_strings") ? std::nullopt
                                                                  : x.limit("the kernel needs 'classes_strings'");
}

constexpr KernelRow operandRows[] = {{"Cast", castWishes, false},
                                     {"CastLike", castLikeWishes, false},
                                     {"CausalConvWithState", someSteps, true},
                                     {"CenterCropPad", oneList, true},
                                     {"DFT", namedAxis, true},
                                     {"GRU", steps, true},
                                     {"LSTM", sequenceLengths, true},
                                     {"LabelEncoder", classNames, false},
                                     {"Loop", tripCount, true},
                                     {"Max", sameShapes, true},
                                     {"Mean", sameShapes, true},
                                     {"Min", sameShapes, true},
                                     {"RNN", sequenceLengths, true},
                                     {"ReduceMax", extremeBool, true},
                                     {"ReduceMin", extremeBool, true},
                                     {"ReverseSequence", reversedAxes, false},
                                     {"Squeeze", squeezed, true},
                                     {"StringNormalizer", someStrings, true},
                                     {"Sum", sameShapes, true},
                                     {"Unique", taken, true}};
static_assert(std::ranges::is_sorted(operandRows, {}, &KernelRow::op));

} // namespace

bool hasOperandLimits(std::string_view op) { return rowOf(operandRows, op) != nullptr; }

std::optional<TargetLimit> exceededOperands(const Model &m, NodeId n, std::string_view op) {
  return exceededRow(operandRows, {m, n, op});
}

} // namespace condlint

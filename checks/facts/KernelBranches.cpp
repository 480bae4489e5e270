//===- KernelBranches.cpp - Results whose shape was inferred wrongly ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelBranches.h"
#include "condlint/Op.h"
#include "graph/Returned.h"
#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

namespace {

bool isReturnedByBranch(const KernelNode &x) {
  const GraphId g = x.m[x.n].graph;
  return x.m[g].owner && nodeHas(x.m, x.m[g].owner, OpTrait::Conditional) && x.m.resultCount(x.n) != 0 &&
         isReturned(x.m, g, x.m.result(x.n, 0));
}

/// The result of the node is what a branch returns, and all its sizes are known before it runs.
bool isLaidOut(const KernelNode &x) {
  const Model &m = x.m;
  if (!isReturnedByBranch(x))
    return false;
  const Type &t = m.type(m.result(x.n, 0));
  return t.isTensor() && t.hasRank &&
         std::ranges::all_of(t.dims, [&](Dim d) { return d.known() && m.dims.asConstant(d).has_value(); });
}

std::optional<TargetLimit> misinferred(const KernelNode &x, std::size_t axis, std::int64_t inferred,
                                       std::int64_t computed) {
  return x.limit(fmt::format("ONNX Runtime infers the size {} of axis {} and computes {}: it fails where a branch "
                             "returns that",
                             inferred, axis, computed));
}

std::int64_t at(const std::vector<std::int64_t> &list, std::size_t i, std::int64_t otherwise) {
  return i < list.size() ? list[i] : otherwise;
}

/// Of what a file may say, what is computed with.
bool isModerate(std::initializer_list<std::int64_t> numbers) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  return std::ranges::all_of(numbers, [](std::int64_t n) { return n >= 0 && n <= most; });
}

/// The window of a pool along one axis.
struct PoolAxis {
  std::int64_t size, window, step, before, after;

  bool isWhole() const { return size > 0 && window > 0 && step > 0 && size + before + after >= window; }
  std::int64_t places(bool roundsUp, bool dropsLast) const {
    const std::int64_t room = size + before + after - window;
    const std::int64_t count = (roundsUp ? (room + step - 1) / step : room / step) + 1;
    return dropsLast && roundsUp && (count - 1) * step >= size + before ? count - 1 : count;
  }
};

/// onnx's inference goes by `pads` where they are given, also beside auto_pad; before opset 22 it keeps a last window
/// that begins beyond the operand, and from then on takes any number but 0 for a yes.
std::int64_t inferredPlaces(const KernelNode &x, const PoolAxis &axis, std::int64_t ceiling) {
  constexpr std::int32_t newer = 22;
  return x.version() < newer ? axis.places(ceiling == 1, false) : axis.places(ceiling != 0, ceiling == 1);
}

} // namespace

std::optional<TargetLimit> misinferredPool(const KernelNode &x) {
  const auto kernel = x.numbers("kernel_shape"), steps = x.numbers("strides"), spread = x.numbers("dilations"),
             pads = x.numbers("pads");
  const std::string_view automatic = x.word("auto_pad", "NOTSET");
  const bool isSame = automatic.starts_with("SAME"), isAutomatic = isSame || automatic == "VALID";
  const std::int64_t ceiling = x.number("ceil_mode").value_or(0);
  if ((isAutomatic ? pads.empty() : ceiling == 0) || !isLaidOut(x) ||
      (!pads.empty() && pads.size() != 2 * kernel.size()))
    return std::nullopt;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const auto size = x.size(0, i + 2);
    if (!isModerate({size.value_or(0), kernel[i], at(spread, i, 1), at(steps, i, 1), at(pads, i, 0),
                     at(pads, i + kernel.size(), 0)}))
      continue;
    const PoolAxis axis{size.value_or(0), at(spread, i, 1) * (kernel[i] - 1) + 1, at(steps, i, 1), at(pads, i, 0),
                        at(pads, i + kernel.size(), 0)};
    if (!axis.isWhole())
      continue;
    const std::int64_t inferred = inferredPlaces(x, axis, ceiling);
    PoolAxis bare = axis;
    if (automatic == "VALID")
      bare.before = bare.after = 0;
    if (!bare.isWhole())
      continue;
    const std::int64_t computed = isSame ? (axis.size + axis.step - 1) / axis.step : bare.places(ceiling == 1, true);
    if (inferred != computed)
      return misinferred(x, i + 2, inferred, computed);
  }
  return std::nullopt;
}

std::optional<SmallerAxis> smallerAxis(const KernelNode &x) {
  const auto wanted = x.numbers("output_shape");
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (const auto size = x.size(0, i + 2); size && wanted[i] < *size)
      return SmallerAxis{i + 2, wanted[i], *size};
  return std::nullopt;
}

std::optional<TargetLimit> misinferredTransposed(const KernelNode &x) {
  const auto smaller = smallerAxis(x);
  if (!smaller || !isLaidOut(x))
    return std::nullopt;
  return x.limit(fmt::format("output_shape asks for the size {} in axis {}, less than the {} of the operand: ONNX "
                             "Runtime infers two axes then, and fails where a branch returns the result",
                             smaller->wanted, smaller->axis, smaller->size));
}

std::optional<TargetLimit> misinferredEinsum(const KernelNode &x) {
  std::string equation(x.word("equation", ""));
  std::erase(equation, ' ');
  const std::size_t arrow = equation.find("->");
  const std::string_view terms = std::string_view(equation).substr(0, arrow);
  // A term with dots is stretched as it should be.
  std::map<char, std::int64_t> first, most;
  std::size_t operand = 0, axis = 0;
  for (const char label : terms) {
    if (label == '.')
      return std::nullopt;
    if (label == ',') {
      ++operand;
      axis = 0;
      continue;
    }
    const auto size = x.size(operand, axis++);
    if (!size)
      return std::nullopt;
    first.try_emplace(label, *size);
    most[label] = std::max(most[label], *size);
  }
  if (arrow == std::string::npos || !isLaidOut(x))
    return std::nullopt;
  const std::string_view result = std::string_view(equation).substr(arrow + 2);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const auto size = first.find(result[i]); size != first.end() && size->second != most[result[i]])
      return misinferred(x, i, size->second, most[result[i]]);
  return std::nullopt;
}

std::optional<TargetLimit> misinferredSlope(const KernelNode &x) {
  const auto rank = x.rank(0), axes = x.rank(1);
  if (!rank || !axes || !isReturnedByBranch(x))
    return std::nullopt;
  for (std::size_t axis = 0; axis < *rank; ++axis)
    if (!x.size(0, axis))
      return std::nullopt;
  if (*axes > *rank)
    return x.limit(
        fmt::format("ONNX Runtime infers {} axes and computes {}: it fails where a branch returns that", *rank, *axes));
  for (std::size_t axis = *rank - *axes; axis < *rank; ++axis)
    if (const auto slopes = x.size(1, axis - (*rank - *axes)); slopes && *slopes > 1 && x.size(0, axis) == 1)
      return misinferred(x, axis, 1, *slopes);
  return std::nullopt;
}

} // namespace condlint

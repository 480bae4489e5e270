//===- KernelWindows.cpp - Windows and images that kernels refuse ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelWindows.h"
#include "KernelBranches.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// conv_transpose_attributes.h: what is asked for is no larger than what the strides and the kernel come to, and what
/// is added at the end of an axis is less than a step.
std::optional<TargetLimit> unrolled(const KernelNode &x) {
  const auto wanted = x.numbers("output_shape"), added = x.numbers("output_padding"), strides = x.numbers("strides"),
             dilations = x.numbers("dilations");
  const auto at = [](const std::vector<std::int64_t> &list, std::size_t i, std::int64_t otherwise) {
    return i < list.size() ? list[i] : otherwise;
  };
  for (std::size_t i = 0; i + 2 < x.rank(1).value_or(0); ++i) {
    const std::int64_t step = at(strides, i, 1), spread = at(dilations, i, 1), more = at(added, i, 0);
    if (more >= std::max(step, spread) && more > 0)
      return x.limit(
          fmt::format("output_padding must be below the stride or the dilation of axis {}, but is {}", i + 2, more));
    const auto image = x.size(0, i + 2), kernel = x.size(1, i + 2);
    if (wanted.empty())
      continue;
    const std::int64_t size = wanted.size() == x.rank(1) ? wanted[i + 2] : at(wanted, i, 1);
    if (size <= 0)
      return x.limit(fmt::format("output_shape must be above 0, but is {}", size));
    if (!image || !kernel || step < 1 || *kernel < 1)
      continue;
    const std::int64_t window = spread * (*kernel - 1) + 1 + more;
    if (size >= window && (size - window) / step + 1 > *image)
      return x.limit(fmt::format("output_shape asks for the size {} in axis {}, which takes an image of {}, not {}",
                                 size, i + 2, (size - window) / step + 1, *image));
  }
  return std::nullopt;
}

/// onnx's inference holds it to padding that is named once, and to an auto_pad that is not empty.
bool isStrictTransposed(const KernelNode &x) {
  constexpr std::int32_t strict = 11;
  return x.op == "ConvTranspose" && x.version() >= strict;
}

/// The modes linear and cubic scale some axes alone, of which \p factors has one each.
std::optional<TargetLimit> refusedFactors(const KernelNode &x, const std::vector<double> &factors) {
  const std::string_view mode = x.word("mode", "nearest");
  const std::size_t rank = factors.size();
  const auto stays = [&](std::size_t axis) { return factors[axis] == 1; };
  const bool outer = rank >= 2 && stays(0) && stays(1);
  const bool inMiddle = rank == 4 && stays(0) && stays(3);
  const bool taken = mode == "linear"
                         ? rank == 2 || rank == 3 || (rank == 4 && outer) || inMiddle || (rank == 5 && outer)
                     : mode == "cubic" ? rank == 2 || (rank == 4 && outer) || inMiddle
                                       : true;
  if (taken)
    return std::nullopt;
  return x.limit(
      fmt::format("ONNX Runtime resizes no {} axes in the mode {} with the scales {}: the first two must stay", rank,
                  mode, fmt::join(factors, ", ")));
}

/// Sizes that are asked for come to scales where the operand's are known.
std::optional<TargetLimit> refusedSizes(const KernelNode &x, const std::vector<std::int64_t> &axes, std::size_t rank) {
  const auto wanted = x.integers(3);
  if (!wanted || wanted->size() != (axes.empty() ? rank : axes.size()))
    return std::nullopt;
  std::vector<double> factors(rank, 1);
  for (std::size_t i = 0; i < wanted->size(); ++i) {
    const auto axis = axes.empty() ? std::optional(i) : axisOf(axes[i], rank);
    const auto size = axis ? x.size(0, *axis) : std::nullopt;
    if (size.value_or(0) <= 0)
      return std::nullopt;
    factors[*axis] = static_cast<double>((*wanted)[i]) / static_cast<double>(*size);
    if ((*wanted)[i] > 0)
      continue;
    return x.limitOfNumbers(fmt::format("sizes must be above 0, but one is {}", (*wanted)[i]), 3);
  }
  auto refused = refusedFactors(x, factors);
  if (refused)
    refused->isOfNumbers = true;
  return refused;
}

/// A region of interest has a beginning and an end for each axis.
std::optional<TargetLimit> refusedRegion(const KernelNode &x) {
  const auto given = x.size(1, 0);
  const auto rank = x.rank(0);
  const std::size_t axes = x.numbers("axes").empty() ? rank.value_or(0) : x.numbers("axes").size();
  if (x.word("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize" || !given || !rank ||
      static_cast<std::size_t>(*given) == 2 * axes)
    return std::nullopt;
  return x.limitOfNumbers(fmt::format("roi has {} numbers, where {} axes take {}", *given, axes, 2 * axes), 1);
}

/// pad.cc: what is reflected is what padding below 0 leaves of the axis, once, and without its border.
std::optional<TargetLimit> refusedReflection(const KernelNode &x, std::size_t axis, std::int64_t before,
                                             std::int64_t after) {
  const auto size = x.size(0, axis);
  if (!size || (before <= 0 && after <= 0))
    return std::nullopt;
  const std::int64_t most = *size + std::min<std::int64_t>(before, 0) + std::min<std::int64_t>(after, 0) - 1;
  if (most >= 1 && before <= most && after <= most)
    return std::nullopt;
  return x.limitOfNumbers(fmt::format("the kernel of ONNX Runtime reflects at most {} of axis {}, and the pads are {} "
                                      "and {}",
                                      std::max<std::int64_t>(most, 0), axis, before, after),
                          0);
}

/// An axis of size 0 has nothing that could be repeated around it.
std::optional<TargetLimit> refusedBorder(const KernelNode &x, std::size_t rank) {
  const std::string_view mode = x.word("mode", "constant");
  const auto pads = x.has(1) ? x.integers(1) : std::optional(x.numbers("pads"));
  const bool isWhole = !x.has(3) && pads && pads->size() == 2 * rank;
  for (std::size_t axis = 0; mode != "constant" && axis < rank; ++axis)
    if (x.size(0, axis) == 0 && (mode == "wrap" || (isWhole && (*pads)[axis] + (*pads)[axis + rank] > 0)))
      return x.limitOfNumbers(fmt::format("the mode {} finds nothing in axis {}, which is of size 0", mode, axis), 0);
  for (std::size_t axis = 0; mode == "reflect" && isWhole && axis < rank; ++axis)
    if (auto refused = refusedReflection(x, axis, (*pads)[axis], (*pads)[axis + rank]))
      return refused;
  return std::nullopt;
}

} // namespace

/// upsamplebase.h.
std::optional<TargetLimit> refusedScales(const KernelNode &x) {
  const std::string_view mode = x.word("mode", "nearest");
  const bool isLinear = mode == "linear", isCubic = mode == "cubic";
  if (x.number("exclude_outside").value_or(0) != 0 && !isCubic && !(isLinear && x.number("antialias").value_or(0) != 0))
    return x.limit(
        fmt::format("ONNX Runtime takes exclude_outside of cubic, and of linear with antialias, not of {}", mode));
  if (x.number("antialias").value_or(0) != 0 && !isLinear && !isCubic)
    return x.limit(fmt::format("ONNX Runtime takes antialias of linear and cubic, not of {}", mode));
  const std::string_view policy = x.word("keep_aspect_ratio_policy", "stretch");
  const auto given = x.reals(x.m.operands(x.n).size() > 2 ? 2 : 1);
  if (const auto bad = std::ranges::find_if(given, [](double scale) { return !(scale > 0); }); bad != given.end())
    return x.limit(fmt::format("scales must be above 0, but one is {}", *bad), 2);
  if (auto refused = refusedRegion(x))
    return refused;
  const auto axes = x.numbers("axes");
  const auto rank = x.rank(0);
  if (given.empty() && rank && policy == "stretch")
    return refusedSizes(x, axes, *rank);
  if (given.empty() || !rank || (axes.empty() ? given.size() != *rank : given.size() != axes.size()))
    return std::nullopt;
  std::vector<double> all(*rank, 1);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (const auto axis = axes.empty() ? std::optional(i) : axisOf(axes[i], *rank))
      all[*axis] = given[i];
  return refusedFactors(x, all);
}

/// Unpool.cc.
std::optional<TargetLimit> refusedUnpooling(const KernelNode &x) {
  if (x.m.operands(x.n).size() > 2 && !x.has(2))
    return x.limit("the kernel of ONNX Runtime takes output_shape or none, and fails where its name is empty");
  const auto wanted = x.integers(2);
  const auto kernel = x.numbers("kernel_shape"), pads = x.numbers("pads"), strides = x.numbers("strides");
  const std::size_t spatial = kernel.size();
  if (!wanted || wanted->size() != spatial + 2 || (!pads.empty() && pads.size() != 2 * spatial))
    return std::nullopt;
  for (const std::size_t i : {0u, 1u})
    if (const auto size = x.size(0, i); size && *size != (*wanted)[i])
      return x.limit(
          fmt::format("output_shape asks for the size {} in axis {}, where the operand has {}", (*wanted)[i], i, *size),
          2);
  // The numbers of elements are compared, and no sizes.
  double asked = 1, least = 1;
  for (std::size_t i = 0; i < spatial; ++i) {
    const auto size = x.size(0, i + 2);
    if (!size || (!strides.empty() && strides.size() != spatial))
      return std::nullopt;
    asked *= static_cast<double>((*wanted)[i + 2]);
    least *= static_cast<double>(*size - 1) * static_cast<double>(strides.empty() ? 1 : strides[i]) +
             static_cast<double>(kernel[i]) -
             (pads.empty() ? 0 : static_cast<double>(pads[i]) + static_cast<double>(pads[i + spatial]));
  }
  if (asked >= least)
    return std::nullopt;
  return x.limit(fmt::format("output_shape asks for {} elements a channel, but what was pooled takes {}", asked, least),
                 2);
}

std::optional<TargetLimit> paddedTwice(const KernelNode &x) {
  const std::string_view automatic = x.word("auto_pad", "NOTSET");
  const bool isNone = automatic == "NOTSET" || (automatic.empty() && !isStrictTransposed(x));
  if (isNone || x.numbers("pads").empty())
    return std::nullopt;
  return x.limit(fmt::format("there are pads beside auto_pad '{}'", automatic));
}

/// conv_attributes.h, conv_transpose_attributes.h.
std::optional<TargetLimit> refusedConvolution(const KernelNode &x) {
  const bool isTransposed = x.op == "ConvTranspose";
  for (std::size_t axis = 2; axis < x.rank(0).value_or(0); ++axis)
    if (!isTransposed && x.size(0, axis) == 0)
      return x.limit(fmt::format("ONNX Runtime takes no image of size 0, as in axis {}", axis), 0);
  for (std::size_t axis = 2; axis < x.rank(1).value_or(0); ++axis)
    if (isTransposed && x.size(1, axis) == 0)
      return x.limit(fmt::format("a kernel has elements, but axis {} is of size 0", axis), 1);
  const auto isSpread = [](std::int64_t dilation) { return dilation != 1; };
  if (!isTransposed && x.word("auto_pad", "NOTSET").starts_with("SAME") &&
      std::ranges::any_of(x.numbers("dilations"), isSpread))
    return x.limit("ONNX Runtime takes no dilations with auto_pad SAME");
  if (!isTransposed)
    return std::nullopt;
  auto refused = unrolled(x);
  return refused ? refused : misinferredTransposed(x);
}

std::optional<TargetLimit> misreadTransposed(const KernelNode &x) {
  if (isStrictTransposed(x))
    if (auto twice = paddedTwice(x))
      return twice;
  const TypeId recorded = x.m.resultCount(x.n) != 0 ? x.m[x.m.result(x.n, 0)].recorded : TypeId();
  if (!recorded || !x.m.types[recorded].hasRank)
    return std::nullopt;
  const auto smaller = smallerAxis(x);
  return smaller ? x.limit(fmt::format("output_shape asks for the size {} in axis {}, less than the {} of the operand, "
                                       "and onnx's inference makes two axes of that",
                                       smaller->wanted, smaller->axis, smaller->size))
                 : std::nullopt;
}

/// pool_attributes.h: a window that does not fit in what it looks at.
std::optional<TargetLimit> refusedWindow(const KernelNode &x) {
  if (auto bad = misinferredPool(x))
    return bad;
  if (x.m.resultCount(x.n) == 0)
    return std::nullopt;
  const Type &t = x.m.type(x.m.result(x.n, 0));
  for (std::size_t axis = 0; t.isTensor() && t.hasRank && axis < t.dims.size(); ++axis)
    if (const auto size = t.dims[axis].known() ? x.m.dims.asConstant(t.dims[axis]) : std::nullopt; size && *size < 0)
      return x.limit(fmt::format("the window does not fit in axis {}: the result had the size {}", axis, *size), 0);
  return std::nullopt;
}

std::optional<TargetLimit> refusedPads(const KernelNode &x) {
  const auto axes = x.integers(3);
  const auto rank = x.rank(0);
  if (!rank)
    return std::nullopt;
  if (auto refused = refusedBorder(x, *rank))
    return refused;
  if (!axes)
    return std::nullopt;
  std::vector<bool> seen(*rank, false);
  for (const std::int64_t a : *axes) {
    const auto axis = axisOf(a, *rank);
    if (axis && seen[*axis])
      return x.limit(fmt::format("axis {} is padded twice", *axis), 3);
    if (axis)
      seen[*axis] = true;
  }
  return std::nullopt;
}

} // namespace condlint

//===- KernelNumbers.cpp - Numbers that kernels refuse --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelNumbers.h"
#include "KernelBranches.h"
#include "KernelNode.h"
#include "KernelQuantization.h"
#include "KernelTrees.h"
#include "KernelWindows.h"
#include "KernelWords.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace condlint {

namespace {

bool isBeyond(std::int64_t index, std::int64_t size) { return index < -size || index >= size; }

/// Positions in one axis (gather.cc, scatter.cc).
std::optional<TargetLimit> indexOfAxis(const KernelNode &x) {
  const auto rank = x.rank(0);
  const auto axis = rank ? axisOf(x.number("axis").value_or(0), *rank) : std::nullopt;
  const auto size = axis ? x.size(0, *axis) : std::nullopt;
  if (size == 0 && x.rank(1) && elements(x, 1, *x.rank(1)).value_or(0) > 0)
    return x.limit("no index is in an axis of size 0", 1);
  const auto indices = size ? x.integers(1) : std::nullopt;
  if (!indices)
    return std::nullopt;
  const auto bad = std::ranges::find_if(*indices, [&](std::int64_t i) { return isBeyond(i, *size); });
  return bad == indices->end() ? std::nullopt : x.beyond(*bad, *size);
}

/// Positions in several axes at once, behind those of a batch (gather_nd.cc, scatter_nd.cc).
std::optional<TargetLimit> indexOfAxes(const KernelNode &x) {
  const auto data = x.rank(0), rank = x.rank(1);
  const std::int64_t given = x.number("batch_dims").value_or(0);
  if (!data || !rank || *rank == 0 || given < 0 || static_cast<std::uint64_t>(given) >= *data)
    return std::nullopt;
  const auto batch = static_cast<std::size_t>(given);
  const auto slices = elements(x, 1, *rank - 1), batches = elements(x, 0, batch);
  if (batches == 0 && slices)
    return x.limit("the kernel of ONNX Runtime takes no batch of size 0", 0);
  if (slices && batches && *slices % *batches != 0)
    return x.limit(fmt::format("{} indices for {} batches", *slices, *batches), 1);
  const auto width = x.size(1, *rank - 1);
  for (std::size_t axis = batch; slices.value_or(0) > 0 && axis < batch + static_cast<std::size_t>(width.value_or(0));
       ++axis)
    if (x.size(0, axis) == 0)
      return x.limit("no index is in an axis of size 0", 1);
  const auto indices = width && *width > 0 ? x.integers(1) : std::nullopt;
  if (!indices)
    return std::nullopt;
  for (std::size_t i = 0; i < indices->size(); ++i) {
    const std::size_t axis = batch + i % static_cast<std::size_t>(*width);
    if (const auto size = x.size(0, axis); size && isBeyond((*indices)[i], *size))
      return x.beyond((*indices)[i], *size);
  }
  return std::nullopt;
}

/// dft.cc.
std::optional<TargetLimit> shortTime(const KernelNode &x) {
  if (const auto step = x.integer(1); step && *step <= 0)
    return x.limit(fmt::format("frame_step must be above 0, but is {}", *step), 1);
  if (!x.has(2) && !x.has(3))
    return x.limit("ONNX Runtime needs a window or the length of a frame");
  const auto length = x.has(2) ? x.size(2, 0) : x.integer(3), signal = x.size(0, 1);
  if (const auto rank = x.rank(2); rank && *rank > 1) {
    auto risk = x.limit(fmt::format("ONNX Runtime reads the first of {} axes of the window, which has one", *rank), 2);
    risk->isRisk = true;
    return risk;
  }
  if (length && signal && *length > *signal)
    return x.limit(fmt::format("a frame of {} does not fit in a signal of {}", *length, *signal), 0);
  if (x.size(0, 2) == 0)
    return x.limit("the last axis of the signal must be of size 1 or 2, but is of size 0", 0);
  return std::nullopt;
}

/// A part of equal size for each output but the last, which gets what is left (split.cc).
std::optional<TargetLimit> parts(const KernelNode &x) {
  const auto count = x.has(1) ? std::nullopt : x.number("num_outputs");
  const auto rank = x.rank(0);
  const auto axis = rank ? axisOf(x.number("axis").value_or(0), *rank) : std::nullopt;
  const auto size = axis ? x.size(0, *axis) : std::nullopt;
  if (!count || *count < 1 || !size || (*count - 1) * ((*size + *count - 1) / *count) <= *size)
    return std::nullopt;
  return x.limit(
      fmt::format("an axis of size {} has not {} parts: there is less than nothing left for the last", *size, *count),
      0);
}

std::optional<TargetLimit> depth(const KernelNode &x) {
  const auto whole = x.integer(1);
  const auto real = whole ? std::nullopt : x.real(1);
  const double depth = whole ? static_cast<double>(*whole) : real.value_or(1);
  return depth > 0 ? std::nullopt : x.limit(fmt::format("the depth must be above 0, but is {}", depth), 1);
}

/// window_functions.cc: each operand is one number, of any rank, and both edges are bins of the spectrogram.
std::optional<TargetLimit> melEdges(const KernelNode &x) {
  for (std::uint32_t i = 0; i < 5; ++i)
    if (const auto rank = x.rank(i); rank && elements(x, i, *rank).value_or(1) != 1)
      return x.limit(fmt::format("the kernel of ONNX Runtime takes one number for input {}", i), i);
  if (const auto bands = x.integer(0); bands && *bands < 0)
    return x.limit(fmt::format("the number of bands is {}, below 0", *bands), 0);
  const auto length = x.integer(1), rate = x.integer(2);
  if (!length || !rate)
    return std::nullopt;
  const std::int64_t last = *length / 2;
  const auto bins = static_cast<double>(last + 1);
  for (const std::uint32_t i : {3u, 4u})
    if (const auto edge = x.real(i)) {
      const double bin = std::floor(static_cast<double>(*length + 1) * *edge / static_cast<double>(*rate));
      if (!(bin >= 0 && bin < bins))
        return x.limit(fmt::format("the edge of {} Hz is in none of the {} bins of a transform of {} at {} Hz", *edge,
                                   bins, *length, *rate),
                       i);
    }
  return std::nullopt;
}

/// dropout_op.h: what is left out is a part, also where nothing is.
std::optional<TargetLimit> ratio(const KernelNode &x) {
  const auto ratio = x.real(1);
  if (!ratio || (*ratio >= 0 && *ratio < 1))
    return std::nullopt;
  return x.limit(fmt::format("the kernel of ONNX Runtime takes a ratio from 0 up to, but not 1, and it is {}", *ratio),
                 1);
}

std::optional<TargetLimit> overlap(const KernelNode &x) {
  const auto threshold = x.real(3);
  if (!threshold || (*threshold >= 0 && *threshold <= 1))
    return std::nullopt;
  return x.limit(fmt::format("iou_threshold must be from 0 to 1, but is {}", *threshold), 3);
}

std::optional<TargetLimit> modulus(const KernelNode &x) {
  const auto divisors = x.integers(1);
  if (!divisors || std::ranges::find(*divisors, 0) == divisors->end())
    return std::nullopt;
  return x.limit("the remainder of a division of integers by 0", 1);
}

std::optional<TargetLimit> expandedSize(const KernelNode &x) {
  const auto sizes = x.integers(1);
  const auto bad =
      sizes ? std::ranges::find_if(*sizes, [](std::int64_t s) { return s < 0; }) : decltype(sizes->end())();
  return !sizes || bad == sizes->end() ? std::nullopt : x.limit(fmt::format("the size {} is below 0", *bad), 1);
}

/// attention.cc; a mask is not spread along the two axes of what attends to what (attention_helper.h).
std::optional<TargetLimit> attended(const KernelNode &x) {
  if (const Attribute *scale = x.m.attribute(x.n, "scale");
      scale && scale->kind == AttributeKind::Float && scale->real <= 0)
    return x.limit(fmt::format("the kernel of ONNX Runtime takes scale above 0, but it is {}", scale->real));
  const auto axes = x.rank(3), rank = x.rank(0);
  constexpr std::size_t apart = 4; // a batch, heads, positions and their features
  if (rank == apart && x.size(0, 1) == 0)
    return x.limit("the kernel of ONNX Runtime takes no queries without heads", 0);
  if (x.rank(2) == apart && x.size(2, 3) == 0)
    return x.limit("the kernel of ONNX Runtime takes no values without features", 2);
  if (!axes || !rank || *rank < 3)
    return std::nullopt;
  if (*axes < 2)
    return x.limit(fmt::format("the kernel of ONNX Runtime takes a mask of at least 2 axes, but it has {}", *axes), 3);
  const auto queries = x.size(0, *rank - 2), keys = x.size(1, *rank - 2);
  const auto past = x.has(4) ? x.size(4, 2) : std::optional<std::int64_t>(0);
  const bool isRow = x.size(3, *axes - 2) == 1 && queries.value_or(1) > 1;
  const bool isColumn = x.size(3, *axes - 1) == 1 && past && keys && *keys + *past > 1;
  // Up to version 23 the schema says how long a mask is.
  if (const auto length = x.size(3, *axes - 1);
      !isColumn && x.m[x.m[x.n].op].version > 23 && !x.has(6) && length && past && keys && *length != *keys + *past)
    return x.limit(
        fmt::format("the kernel of ONNX Runtime takes a mask for {} keys, but it is for {}", *keys + *past, *length),
        3);
  if (!isRow && !isColumn)
    return std::nullopt;
  return x.limit(fmt::format("the kernel of ONNX Runtime does not spread axis {} of the mask, which is of size 1",
                             isRow ? *axes - 2 : *axes - 1),
                 3);
}

std::optional<TargetLimit> pattern(const KernelNode &x) {
  return x.m.attribute(x.n, "pattern") ? std::nullopt : x.limit("the kernel of ONNX Runtime needs 'pattern'");
}

/// mean_variance_normalization.cc leaves out axes that there are not.
std::optional<TargetLimit> normalizedAxes(const KernelNode &x) {
  const auto axes = x.numbers("axes");
  const auto rank = x.rank(0);
  if (axes.empty() || !rank || std::ranges::any_of(axes, [&](std::int64_t a) { return axisOf(a, *rank).has_value(); }))
    return std::nullopt;
  return x.limit(fmt::format("none of the axes {} is among {}", fmt::join(axes, ", "), *rank));
}

/// The function that ONNX Runtime computes it by casts to that type.
std::optional<TargetLimit> stashed(const KernelNode &x) {
  const auto type = x.number("stash_type");
  const auto element = type ? dtypeOfOnnx(static_cast<std::int32_t>(*type)) : std::nullopt;
  if (!type || x.m[x.m[x.n].op].version < 21 || (element && isFloating(*element)))
    return std::nullopt;
  return x.limit(fmt::format("stash_type must be an element type of real numbers, but is {}", *type));
}

/// The functions that ONNX Runtime computes losses by look a label up among the classes, counting from the end below 0.
std::optional<TargetLimit> labels(const KernelNode &x) {
  const auto classes = x.size(0, 1);
  const auto all = classes && x.version() >= 13 ? x.integers(1) : std::nullopt;
  if (!all)
    return std::nullopt;
  const auto ignored = x.number("ignore_index");
  const auto bad = std::ranges::find_if(*all, [&](std::int64_t i) { return i != ignored && isBeyond(i, *classes); });
  if (bad == all->end())
    return std::nullopt;
  return x.limitOfNumbers(fmt::format("the label {} is none of {} classes", *bad, *classes), 1);
}

/// There is a weight for each class.
std::optional<TargetLimit> classWeights(const KernelNode &x) {
  const auto classes = x.size(0, 1), weights = x.size(2, 0);
  if (!classes || !weights || *classes == *weights || x.version() < 13)
    return labels(x);
  return x.limit(fmt::format("there are {} weights for {} classes", *weights, *classes), 2);
}

/// Nor are there losses without classes.
std::optional<TargetLimit> someClasses(const KernelNode &x) {
  return x.size(0, 1) == 0 ? x.limit("there are no classes", 0) : labels(x);
}

/// einsum_compute_preprocessor.cc: an equation of nothing is that of one scalar.
std::optional<TargetLimit> emptyEquation(const KernelNode &x) {
  const bool isOne = x.m.operands(x.n).size() == 1;
  if (!x.word("equation", "?").empty() || (isOne && x.rank(0).value_or(0) == 0))
    return std::nullopt;
  return x.limit("an equation of no terms is that of one scalar, and of no other operands");
}

/// The same of the term of the result, in which a letter stands once, and dots where operands have some; onnx's
/// inference asks for neither.
std::optional<TargetLimit> resultTerm(const KernelNode &x) {
  const std::string_view equation = x.word("equation", "");
  const std::size_t arrow = equation.find("->");
  if (arrow == std::string_view::npos)
    return std::nullopt;
  const std::string_view terms = equation.substr(0, arrow), result = equation.substr(arrow + 2);
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t i = 0; i < result.size(); ++i) {
    const char c = result[i];
    if (isLetter(c) && result.find(c, i + 1) != std::string_view::npos)
      return x.limit(
          fmt::format("the kernel of ONNX Runtime takes a letter once in the result's term '{}', and '{}' is "
                      "there twice",
                      result, c));
    // A dot more at the end it does not look at.
    if (c == '.' && (i + 1 == result.size() || result[i + 1] != '.') && (i < 2 || result.substr(i - 2, 3) != "...") &&
        std::any_of(result.begin() + static_cast<std::ptrdiff_t>(i), result.end(), isLetter))
      return x.limit(fmt::format("there are dots in the result's term '{}' that are no ellipsis", result));
    if (!isLetter(c) && c != ' ' && c != '.')
      return x.limit(
          fmt::format("the kernel of ONNX Runtime takes letters in the result's term '{}', and no '{}'", result, c));
  }
  if (terms.find("...") != std::string_view::npos && result.find("...") == std::string_view::npos)
    return x.limit(
        fmt::format("the operands have an ellipsis, and the result's term '{}' has none, which the kernel of "
                    "ONNX Runtime does not take",
                    result));
  return std::nullopt;
}

std::optional<TargetLimit> summed(const KernelNode &x) {
  if (auto refused = emptyEquation(x))
    return refused;
  auto refused = resultTerm(x);
  return refused ? refused : misinferredEinsum(x);
}

/// element_wise_ops.h: of constants the divisors are looked at as the model is loaded.
std::optional<TargetLimit> divisors(const KernelNode &x) {
  const auto divisors = x.integers(1);
  if (!divisors || std::ranges::find(*divisors, 0) == divisors->end())
    return std::nullopt;
  return x.limit("a division of integers by 0", 1);
}

/// clip.h: before version 11 both bounds are attributes.
std::optional<TargetLimit> bounds(const KernelNode &x) {
  constexpr std::int32_t operandsSince = 11;
  const double least = x.realNumber("min").value_or(-std::numeric_limits<double>::infinity()),
               most = x.realNumber("max").value_or(std::numeric_limits<double>::infinity());
  if (x.version() >= operandsSince || least <= most)
    return std::nullopt;
  return x.limit(fmt::format("min is {}, above max, which is {}", least, most));
}

/// scaler.cc.
std::optional<TargetLimit> features(const KernelNode &x) {
  const std::size_t factors = x.realCount("scale"), offsets = x.realCount("offset");
  if (factors == 0)
    return x.limit("ONNX Runtime needs 'scale'");
  if (factors != offsets)
    return x.limit(fmt::format("'scale' has {} numbers, and 'offset' {}", factors, offsets));
  const auto rank = x.rank(0);
  const auto columns = rank && *rank != 0 ? x.size(0, *rank == 1 ? 0 : 1) : std::nullopt;
  if (factors == 1 || !columns || static_cast<std::size_t>(*columns) == factors)
    return std::nullopt;
  return x.limitOfNumbers(fmt::format("'scale' has {} numbers for {} features", factors, *columns), 0);
}

constexpr KernelRow numberRows[] = {{"Attention", attended, true},
                                    {"AveragePool", refusedWindow, true},
                                    {"Clip", bounds, false},
                                    {"Conv", refusedConvolution, true},
                                    {"ConvInteger", refusedQuantities, true},
                                    {"ConvTranspose", refusedConvolution, true},
                                    {"DequantizeLinear", refusedScaling, false},
                                    {"Div", divisors, false},
                                    {"Dropout", ratio, true},
                                    {"Einsum", summed, true},
                                    {"Expand", expandedSize, true},
                                    {"Gather", indexOfAxis, true},
                                    {"GatherElements", indexOfAxis, true},
                                    {"GatherND", indexOfAxes, true},
                                    {"Gelu", refusedWords, true},
                                    {"GroupNormalization", stashed, false},
                                    {"LinearClassifier", refusedWords, false},
                                    {"LinearRegressor", refusedWords, false},
                                    {"LpPool", refusedWindow, true},
                                    {"MatMulInteger", refusedQuantities, true},
                                    {"MaxPool", refusedWindow, true},
                                    {"MaxUnpool", refusedUnpooling, true},
                                    {"MeanVarianceNormalization", normalizedAxes, true},
                                    {"MelWeightMatrix", melEdges, true},
                                    {"Mod", modulus, true},
                                    {"NegativeLogLikelihoodLoss", classWeights, false},
                                    {"NonMaxSuppression", overlap, true},
                                    {"Normalizer", refusedWords, false},
                                    {"OneHot", depth, true},
                                    {"PRelu", misinferredSlope, true},
                                    {"Pad", refusedPads, false},
                                    {"QLinearConv", refusedQuantities, true},
                                    {"QLinearMatMul", refusedQuantities, true},
                                    {"QuantizeLinear", refusedScaling, false},
                                    {"RegexFullMatch", pattern, false},
                                    {"Resize", refusedScales, false},
                                    {"STFT", shortTime, true},
                                    {"SVMClassifier", refusedWords, false},
                                    {"SVMRegressor", refusedWords, false},
                                    {"Scaler", features, false},
                                    {"ScatterElements", indexOfAxis, true},
                                    {"ScatterND", indexOfAxes, true},
                                    {"SoftmaxCrossEntropyLoss", someClasses, false},
                                    {"Split", parts, true},
                                    {"TfIdfVectorizer", refusedGrams, false},
                                    {"TreeEnsemble", refusedTrees, false},
                                    {"TreeEnsembleClassifier", refusedOlderTrees, false},
                                    {"TreeEnsembleRegressor", refusedOlderTrees, false}};
static_assert(std::ranges::is_sorted(numberRows, {}, &KernelRow::op));

} // namespace

bool hasNumberLimits(std::string_view op) { return rowOf(numberRows, op) != nullptr; }

std::optional<TargetLimit> exceededNumbers(const Model &m, NodeId n, std::string_view op) {
  return exceededRow(numberRows, {m, n, op});
}

} // namespace condlint

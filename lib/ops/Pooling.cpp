//===- Pooling.cpp - Sizes of sliding windows -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pooling.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Shape.h"
#include "ShapeSampler.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/Gradients.h"
#include "kernels/Pooling.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>

namespace condlint {

namespace {

/// How many axes the window of an operator has, from its name.
std::size_t windowRank(std::string_view name) {
  return name.find("1d") != name.npos ? 1 : name.find("3d") != name.npos ? 3 : 2;
}

const Type &operand(InferContext &c) {
  for (std::string_view name : {"self", "input"})
    if (const ValueId v = c.arg(name))
      return c.typeOf(v);
  return c.type(0);
}

std::string_view outName(InferContext &c, std::size_t i) {
  static constexpr std::array<std::string_view, 5> numbered{"out0", "out1", "out2", "out3", "out4"};
  if (c.hasAttribute("out0"))
    return numbered[std::min<std::size_t>(i, 4)];
  return i == 0 ? "out" : "indices";
}

/// Results 0 and, as int64, 1 of \p shape. Channels last goes through, except that
/// most kernels over three axes do as they like, and so does what undoes a pool.
void setPooled(InferContext &c, const Type &from, const std::vector<Dim> &shape) {
  const bool keeps =
      (shape.size() != 5 || c.opName().starts_with("max_pool3d")) && !c.opName().starts_with("max_unpool");
  for (std::size_t i = 0; i < c.resultCount() && i < 2; ++i) {
    OwnedType t = freshInFormatOf(c, i == 0 ? from.element : DType::Int64, shape, std::span<const Type>(&from, 1));
    // Over one axis it is a pool over two, and takes the order of the axes from there.
    const bool asOfTwo = windowRank(c.opName()) == 1 && isContiguous(c.dims(), from) != Tri::Yes;
    if (asOfTwo || (!keeps && suggestsChannelsLast(c.dims(), from) != Tri::No))
      t.dropStrides();
    setFresh(c, i, t, outName(c, i));
  }
}

void setPooledUnknown(InferContext &c, const Type &from) {
  for (std::size_t i = 0; i < c.resultCount() && i < 2; ++i)
    setFresh(c, i, i == 0 ? from.element : DType::Int64, from, outName(c, i));
}

/// What a window is padded with is at most half of it.
void expectWindows(InferContext &c, std::span<const Dim> kernel, const std::optional<std::vector<Dim>> &padding,
                   const std::optional<std::vector<Dim>> &dilation) {
  const auto number = [&](Dim d) { return c.dims().asConstant(d); };
  for (std::size_t i = 0; padding && dilation && i < kernel.size(); ++i) {
    const auto k = number(kernel[i]), pad = number((*padding)[i]), step = number((*dilation)[i]);
    std::int64_t reach = 0, width = 0;
    if (!k || !pad || !step || __builtin_mul_overflow(*k - 1, *step, &reach) ||
        __builtin_mul_overflow(*pad, 2, &width) || reach == INT64_MAX || width <= reach + 1)
      continue;
    return c.reject(fmt::format("{}: 'padding' is {}, more than half of a window of {}", c.opName(), *pad, reach + 1));
  }
}

/// Lists of one number, or of one for each of \p n axes.
void expectCounts(InferContext &c, std::size_t n) {
  if (c.model().info.format == Format::Cxx)
    return;
  for (const std::string_view name : {"kernel_size", "stride", "padding", "dilation"})
    if (const auto list = c.intsAttr(name); list && list->size() > 1 && list->size() != n)
      return c.reject(fmt::format("{}: '{}' has {} entries, not {}", c.opName(), name, list->size(), n));
}

/// max_pool, avg_pool, lp_pool: (self, kernel_size, stride = kernel, padding, dilation, ceil_mode)
void inferPool(InferContext &c) {
  const Type &from = operand(c);
  const std::size_t n = windowRank(c.opName());
  expectCounts(c, n);
  const auto kernel = spread(c, "kernel_size", n, std::nullopt);
  if (!from.hasRank || !expectRank(c, from, {n + 1, n + 2}, "operand") || !kernel)
    return setPooledUnknown(c, from);
  auto stride = spread(c, "stride", n, std::nullopt);
  if (!stride)
    stride = kernel;
  const auto padding = spread(c, "padding", n, 0), dilation = spread(c, "dilation", n, 1);
  expectWindows(c, *kernel, padding, dilation);
  const bool ceil = c.intAttr("ceil_mode", 0) != 0;
  std::vector<Dim> shape = copyDims(from.dims);
  for (std::size_t i = 0; i < n; ++i) {
    const Dim pad = padding ? (*padding)[i] : Dim();
    Dim &d = shape[shape.size() - n + i];
    d = windowCount(c, d, {(*kernel)[i], (*stride)[i], dilation ? (*dilation)[i] : Dim(), pad, pad}, ceil);
  }
  setPooled(c, from, shape);
}

/// A fractional pool has room for as many windows as it yields.
void expectRoom(InferContext &c, const Type &from, std::span<const Dim> sizes) {
  const auto windows = spread(c, "kernel_size", sizes.size(), std::nullopt);
  for (std::size_t i = 0; windows && i < sizes.size(); ++i) {
    const Dim size = from.dims[from.dims.size() - sizes.size() + i];
    const Dim needed = c.dims().sub(c.dims().add(sizes[i], (*windows)[i]), c.constant(1));
    if (isAlwaysLarger(c.dims(), needed, size))
      return c.reject(fmt::format("{}: {} windows of {} have no room in {}", c.opName(), c.dims().str(sizes[i]),
                                  c.dims().str((*windows)[i]), c.dims().str(size)));
  }
}

/// A fractional pool is given a number for each axis of \p n, of each channel of at least as many as there are.
void expectSamples(InferContext &c, const Type &from, std::size_t n) {
  const Type &samples = c.argType("random_samples");
  if (!samples.isTensor() || !samples.hasRank || samples.dims.size() != 3)
    return;
  const bool isBatch = from.dims.size() == n + 2;
  const Dim batch = isBatch ? from.dims[0] : c.constant(1), given = samples.dims[0];
  expectEqual(c, samples.dims[1], from.dims[isBatch ? 1 : 0], "the channels of the operand and of random_samples");
  expectEqual(c, samples.dims[2], c.constant(static_cast<std::int64_t>(n)),
              "the last axis of random_samples and the axes");
  if (isAlwaysLarger(c.dims(), batch, given))
    c.reject(fmt::format("{}: random_samples has {} for a batch of {}", c.opName(), c.dims().str(given),
                         c.dims().str(batch)));
}

/// The sizes are given.
void inferSized(InferContext &c) {
  const Type &from = operand(c);
  const std::size_t n = windowRank(c.opName());
  // One number may stand for all of them, a list of another length not.
  const Attribute *sizes = c.attribute("output_size");
  const bool isList = sizes && (sizes->kind == AttributeKind::Ints || sizes->kind == AttributeKind::Dims ||
                                sizes->kind == AttributeKind::Operands);
  if (isList && sizes->list.count != n && c.model().info.format != Format::Cxx)
    c.reject(std::string(c.opName()) + ": output_size has " + std::to_string(sizes->list.count) + " sizes, not " +
             std::to_string(n));
  const auto size = spread(c, "output_size", n, std::nullopt);
  // An average of all there is, is a mean, which takes any rank.
  const bool isMean = c.opName().starts_with("adaptive_avg_pool") && n > 1 && size &&
                      std::ranges::all_of(*size, [&](Dim d) { return c.dims().isConstant(d, 1); });
  if (!from.hasRank || (isMean && from.dims.size() > n + 2) || !expectRank(c, from, {n + 1, n + 2}, "operand"))
    return setPooledUnknown(c, from);
  expectSamples(c, from, n);
  if (size && c.opName().starts_with("fractional"))
    expectRoom(c, from, *size);
  std::vector<Dim> shape = copyDims(from.dims);
  for (std::size_t i = 0; i < n; ++i)
    shape[shape.size() - n + i] = size ? (*size)[i] : Dim();
  setPooled(c, from, shape);
}

/// A gradient has the sizes of what it is the gradient of.
void inferGradient(InferContext &c) {
  const Type &from = c.argType("self");
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from, "grad_input");
  setFresh(c, 0, freshInFormatOf(c, from.element, copyDims(from.dims), std::span<const Type>(&from, 1)), "grad_input");
}

// --- ONNX ------------------------------------------------------------------------
/// [N, C, sizes...] without the first two.
std::vector<Dim> spatial(const Type &t) { return copyDims(t.dims.subspan(2)); }

void setSpatial(InferContext &c, const Type &from, std::span<const Dim> sizes) {
  std::vector<Dim> shape{from.dims[0], from.dims[1]};
  shape.insert(shape.end(), sizes.begin(), sizes.end());
  c.setResult(0, c.tensor(from.element, shape));
  if (c.resultCount() > 1)
    c.setResult(1, c.tensor(DType::Int64, shape));
}

void setRankOnly(InferContext &c, const Type &from) {
  for (std::size_t i = 0; i < c.resultCount() && i < 2; ++i) {
    const DType element = i == 0 ? from.element : DType::Int64;
    c.setResult(i, from.hasRank ? c.tensorOfRank(element, from.dims.size()) : c.tensor(element));
  }
}

void inferPoolOnnx(InferContext &c) {
  const Type &from = c.type(0);
  if (!from.hasRank || from.dims.size() < 2)
    return setRankOnly(c, from);
  const std::vector<Dim> sizes = spatial(from);
  const auto kernel = c.intsAttr("kernel_shape");
  std::vector<Dim> windows;
  for (std::int64_t k : kernel.value_or(std::vector<std::int64_t>{}))
    windows.push_back(c.constant(k));
  const auto w = onnxWindows(c, sizes.size(), windows);
  if (!w) {
    if (kernel)
      c.reject(std::string(c.opName()) + ": kernel_shape has " + std::to_string(kernel->size()) +
               " entries for an operand of rank " + std::to_string(from.dims.size()));
    return setRankOnly(c, from);
  }
  setSpatial(c, from, onnxWindowCounts(c, sizes, *w, c.intAttr("ceil_mode", 0) == 1));
}

void inferGlobalPool(InferContext &c) {
  const Type &from = c.type(0);
  if (!from.hasRank || from.dims.size() < 2)
    return setRankOnly(c, from);
  setSpatial(c, from, std::vector<Dim>(from.dims.size() - 2, c.constant(1)));
}

/// (input, indices, output_shape): what was pooled, or as large as is asked for. Each number has its index.
void inferMaxUnpoolOnnx(InferContext &c) {
  const Type &from = c.type(0);
  if (const Type &at = c.type(1); from.hasRank && at.hasRank && !mayAgree(c.dims(), from.dims, at.dims))
    c.reject(fmt::format("MaxUnpool: the indices are of the shape {}, and what is unpooled of {}",
                         spellDims(c.dims(), at.dims), spellDims(c.dims(), from.dims)),
             1, FaultKind::Unequal);
  if (c.has(2)) {
    const std::size_t axes = from.hasRank && from.dims.size() > 2 ? from.dims.size() - 2 : 0;
    for (const std::string_view name : {"kernel_shape", "strides", "pads"})
      if (axes > 0 && c.hasAttribute(name))
        expectInts(c, name, name == "pads" ? 2 * axes : axes, name == "pads" ? 0 : 1);
    const Type &size = c.type(2);
    if (from.hasRank && size.hasRank && size.dims.size() == 1)
      expectEqual(c, size.dims[0], c.constant(static_cast<std::int64_t>(from.dims.size())),
                  "the numbers of output_shape and the axes of the operand");
    const auto shape = c.content(2);
    const auto isOther = [&](std::size_t axis) { return neverEqual(c.dims(), from.dims[axis], (*shape)[axis]); };
    if (shape && axes > 0 && shape->size() == from.dims.size() && (isOther(0) || isOther(1)))
      c.reject(fmt::format("MaxUnpool: output_shape has the batch and channels of the operand, {}, but is {}",
                           spellDims(c.dims(), from.dims.first(2)), spellDims(c.dims(), copyDims(*shape))),
               2, FaultKind::Unequal);
    if (shape)
      return c.setResult(0, c.tensor(from.element, copyDims(*shape)));
    return setRankOnly(c, from);
  }
  if (!from.hasRank || from.dims.size() < 2)
    return setRankOnly(c, from);
  std::vector<Dim> windows;
  for (std::int64_t k : c.intsAttr("kernel_shape").value_or(std::vector<std::int64_t>{}))
    windows.push_back(c.constant(k));
  std::vector<Dim> sizes = spatial(from);
  const auto w = onnxWindows(c, sizes.size(), windows);
  if (!w) {
    expectInts(c, "kernel_shape", sizes.size(), 1);
    return setRankOnly(c, from);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i)
    sizes[i] = unwindowedSize(c.dims(), sizes[i], w->windows[i], c.constant(0));
  setSpatial(c, from, sizes);
}

/// Regions of interest: MaxRoiPool's fixed pooled_shape, RoiAlign's output sizes.
void inferRoi(InferContext &c) {
  const Type &from = c.type(0), &rois = c.type(1);
  Dim height = c.constant(c.intAttr("output_height", 1)), width = c.constant(c.intAttr("output_width", 1));
  if (const auto pooled = c.intsAttr("pooled_shape"); pooled && pooled->size() == 2) {
    height = c.constant((*pooled)[0]);
    width = c.constant((*pooled)[1]);
  }
  const Dim channels = from.hasRank && from.dims.size() > 1 ? from.dims[1] : Dim();
  c.setResult(
      0, c.tensor(from.element, {rois.hasRank && !rois.dims.empty() ? rois.dims[0] : Dim(), channels, height, width}));
}

constexpr OpRow rows[] = {
    {"max_pool", inferPool, executeMaxPoolTorch,
     "aten.max_pool1d aten.max_pool2d aten.max_pool3d aten.max_pool1d_with_indices aten.max_pool2d_with_indices "
     "aten.max_pool3d_with_indices aten.mkldnn_max_pool2d aten.mkldnn_max_pool3d",
     ""},
    {"avg_pool", inferPool, executeAvgPoolTorch, "aten.avg_pool1d aten.avg_pool2d aten.avg_pool3d", ""},
    {"adaptive_pool", inferSized, executeAdaptivePool,
     "aten.adaptive_avg_pool1d aten.adaptive_avg_pool2d aten.adaptive_avg_pool3d aten._adaptive_avg_pool2d "
     "aten._adaptive_avg_pool3d aten.adaptive_max_pool1d aten.adaptive_max_pool2d aten.adaptive_max_pool3d",
     ""},
    {"fractional_max_pool", inferSized, executeFractionalMaxPool,
     "aten.fractional_max_pool2d aten.fractional_max_pool3d", ""},
    {"max_unpool", inferSized, executeMaxUnpool, "aten.max_unpool2d aten.max_unpool3d", ""},
    {"pool_backward", inferGradient, executePoolBackward,
     "aten.max_pool2d_with_indices_backward aten.max_pool3d_with_indices_backward aten.avg_pool2d_backward "
     "aten.avg_pool3d_backward aten._adaptive_avg_pool2d_backward aten._adaptive_avg_pool3d_backward "
     "aten.adaptive_max_pool2d_backward aten.adaptive_max_pool3d_backward",
     ""},
    {"pool", inferPoolOnnx, executePoolOnnx, "", "MaxPool AveragePool LpPool"},
    {"global_pool", inferGlobalPool, executeGlobalPool, "", "GlobalAveragePool GlobalMaxPool GlobalLpPool"},
    {"max_unpool_onnx", inferMaxUnpoolOnnx, executeMaxUnpoolOnnx, "", "MaxUnpool"},
    {"roi_pool", inferRoi, executeRoiPool, "", "MaxRoiPool RoiAlign"},
};

} // namespace

OpFamily poolingFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

//===- TensorRtWindows.cpp - TensorRT's layers with windows ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT's layers whose windows slide, and those that scale and pad images.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Pooling.h"
#include "Shape.h"
#include "TensorRt.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace condlint {

namespace {

/// The value of the attribute that was set last among \p names: one entry an axis.
/// Unknown entries where it is not known or has another length.
std::vector<Dim> perAxis(InferContext &c, std::initializer_list<std::string_view> names, std::size_t count,
                         std::int64_t otherwise) {
  const Attribute *last = nullptr;
  for (const Attribute &a : c.model().attributes(c.node()))
    if (std::ranges::find(names, c.model().text(a.name)) != names.end())
      last = &a;
  if (!last)
    return std::vector<Dim>(count, c.constant(otherwise));
  const auto values = c.dimsArg(c.model().text(last->name));
  return values && values->size() == count ? *values : std::vector<Dim>(count);
}

/// How windows of \p kernel lie on the last axes.
struct Windows {
  std::vector<Window> at;
  std::string_view mode; ///< kEXPLICIT_ROUND_DOWN, …; empty: not known
};

Windows windowsOf(InferContext &c, std::span<const Dim> kernel) {
  const std::size_t n = kernel.size();
  Windows w;
  const auto stride = perAxis(c, {"strideNd", "stride"}, n, 1);
  const auto dilation = perAxis(c, {"dilationNd", "dilation"}, n, 1);
  const auto pre = perAxis(c, {"paddingNd", "padding", "prePadding"}, n, 0);
  const auto post = perAxis(c, {"paddingNd", "padding", "postPadding"}, n, 0);
  for (std::size_t i = 0; i < n; ++i)
    w.at.push_back({kernel[i], stride[i], dilation[i], pre[i], post[i]});
  w.mode = c.hasAttribute("paddingMode") ? enumAttr(c, "paddingMode") : "kEXPLICIT_ROUND_DOWN";
  return w;
}

/// The sizes that \p w gives the last axes of \p t; the ones before are \p before.
std::optional<std::vector<Dim>> slide(InferContext &c, const Type &t, const Windows &w, bool reverse) {
  const std::size_t n = w.at.size();
  if (!t.hasRank || t.dims.size() < n)
    return std::nullopt;
  DimTable &dims = c.dims();
  std::vector<Dim> shape = sizesOf(t);
  for (std::size_t i = 0; i < n; ++i) {
    Dim &d = shape[shape.size() - n + i];
    const Window &at = w.at[i];
    if (w.mode == "kSAME_UPPER" || w.mode == "kSAME_LOWER")
      d = reverse ? dims.mul(d, at.stride) : dims.ceilDiv(d, at.stride);
    else if (reverse)
      d = w.mode.empty() ? Dim() : unwindowedSize(dims, d, at, dims.constant(0));
    else if (w.mode == "kEXPLICIT_ROUND_DOWN")
      d = windowCount(c, d, at, false);
    else if (w.mode == "kEXPLICIT_ROUND_UP") {
      const Dim one = dims.constant(1);
      const Dim reach = dims.add(dims.mul(at.dilation, dims.sub(at.kernel, one)), one);
      d = dims.add(dims.ceilDiv(dims.sub(dims.add(d, dims.add(at.padBegin, at.padEnd)), reach), at.stride), one);
    } else {
      d = Dim();
    }
  }
  return shape;
}

void convolve(InferContext &c, bool reverse) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  const auto kernel = c.dimsArg(c.hasAttribute("kernelSizeNd") ? "kernelSizeNd" : "kernelSize");
  if (!kernel || kernel->empty() || !t.hasRank || t.dims.size() < kernel->size() + 1)
    return setLayer(c, 0, t.element);
  auto shape = slide(c, t, windowsOf(c, *kernel), reverse);
  if (!shape)
    return setLayer(c, 0, t.element);
  (*shape)[shape->size() - kernel->size() - 1] = c.dimArg("nbOutputMaps");
  setLayer(c, 0, t.element, std::move(*shape));
}
void inferConvolution(InferContext &c) { convolve(c, false); }
void inferDeconvolution(InferContext &c) { convolve(c, true); }

/// The last three axes become the outputs and two of size one.
void inferFullyConnected(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  constexpr std::size_t flattened = 3;
  if (!t.hasRank || t.dims.size() < flattened)
    return setLayer(c, 0, t.element);
  std::vector<Dim> shape = sizesOf(t);
  shape[shape.size() - 3] = c.dimArg("nbOutputChannels");
  shape[shape.size() - 2] = shape[shape.size() - 1] = c.constant(1);
  setLayer(c, 0, t.element, std::move(shape));
}

void inferPooling(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  const auto window = c.dimsArg(c.hasAttribute("windowSizeNd") ? "windowSizeNd" : "windowSize");
  auto shape = window ? slide(c, t, windowsOf(c, *window), false) : std::nullopt;
  if (!shape)
    return setLayer(c, 0, t.element);
  setLayer(c, 0, t.element, std::move(*shape));
}

void inferPadding(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  const auto pre = perAxis(c, {"prePaddingNd", "prePadding"}, 2, 0);
  const auto post = perAxis(c, {"postPaddingNd", "postPadding"}, 2, 0);
  if (!t.hasRank || t.dims.size() < 2)
    return setLayer(c, 0, t.element);
  std::vector<Dim> shape = sizesOf(t);
  for (std::size_t i = 0; i < 2; ++i) {
    Dim &d = shape[shape.size() - 2 + i];
    d = c.dims().add(d, c.dims().add(pre[i], post[i]));
  }
  setLayer(c, 0, t.element, std::move(shape));
}

/// Sizes that are given, computed (the second input), or scaled.
void inferResize(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  if (c.has(1)) {
    const auto content = c.content(1);
    if (content && t.hasRank && content->size() == t.dims.size())
      return setLayer(c, 0, t.element, {content->begin(), content->end()});
  } else if (const auto sizes = c.dimsArg("outputDimensions"); sizes && !c.hasAttribute("scales")) {
    return setLayer(c, 0, t.element, *sizes);
  } else if (const Attribute *a = c.attribute("scales"); a && a->kind == AttributeKind::Floats && t.hasRank) {
    const auto scales = c.model().reals(a->list);
    std::vector<Dim> shape(t.dims.size());
    for (std::size_t i = 0; scales.size() == shape.size() && i < shape.size(); ++i)
      if (const auto size = c.dims().asConstant(t.dims[i]); scales[i] == 1)
        shape[i] = t.dims[i];
      else if (size && std::abs(scales[i]) < 1e6 && *size < 1'000'000'000)
        shape[i] = c.constant(static_cast<std::int64_t>(std::floor(static_cast<double>(*size) * scales[i])));
    return setLayer(c, 0, t.element, std::move(shape));
  }
  if (t.hasRank)
    return setLayer(c, 0, t.element, std::vector<Dim>(t.dims.size()));
  setLayer(c, 0, t.element);
}

void inferGridSample(InferContext &c) {
  if (!c.has(0) || !c.has(1))
    return;
  const Type &t = c.type(0);
  const Type &grid = c.type(1);
  if (!t.hasRank || !grid.hasRank || t.dims.size() != grid.dims.size() || t.dims.size() < 3)
    return setLayer(c, 0, t.element);
  std::vector<Dim> shape = sizesOf(t);
  for (std::size_t i = 2; i < shape.size(); ++i)
    shape[i] = grid.dims[i - 1];
  setLayer(c, 0, t.element, std::move(shape));
}

constexpr OpRow rows[] = {
    {"trt_fully_connected", inferFullyConnected, "", "", OpTrait::None, nullptr, "addFullyConnected"},
    {"trt_convolution", inferConvolution, "", "", OpTrait::None, nullptr, "addConvolutionNd addConvolution"},
    {"trt_deconvolution", inferDeconvolution, "", "", OpTrait::None, nullptr, "addDeconvolutionNd addDeconvolution"},
    {"trt_pooling", inferPooling, "", "", OpTrait::None, nullptr, "addPoolingNd addPooling"},
    {"trt_padding", inferPadding, "", "", OpTrait::None, nullptr, "addPaddingNd addPadding"},
    {"trt_resize", inferResize, "", "", OpTrait::None, nullptr, "addResize"},
    {"trt_grid_sample", inferGridSample, "", "", OpTrait::None, nullptr, "addGridSample"},
};

} // namespace

std::span<const OpRow> tensorrtWindowRows() { return rows; }

} // namespace condlint

//===- Convolution.cpp - Convolutions -------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Convolution.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Pooling.h"
#include "Shape.h"
#include "ShapeSampler.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/Contrib.h"
#include "kernels/Gradients.h"
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

namespace condlint {

namespace {

const Type &operand(InferContext &c) { return c.argType(c.hasAttribute("input") ? "input" : "self"); }

/// `conv2d` has two axes of space; other names do not say.
std::optional<std::size_t> axesInName(std::string_view name) {
  const std::size_t size = name.size();
  if (!name.starts_with("conv") || size < 2 || name[size - 1] != 'd' || name[size - 2] < '1' || name[size - 2] > '3')
    return std::nullopt;
  return static_cast<std::size_t>(name[size - 2] - '0');
}

/// Torch wants one number for each of the \p channels that come out, of the operand's type but where the
/// transposed kernels convert it.
void expectBias(InferContext &c, const Type &from, Dim channels, bool transposed) {
  const Type &bias = c.argType("bias");
  if (!bias.isTensor())
    return;
  if (!transposed && from.element != DType::Unknown && bias.element != DType::Unknown && from.element != bias.element)
    c.reject(fmt::format("{}: the operand is {}, the bias is {}", c.opName(), dtypeName(from.element),
                         dtypeName(bias.element)));
  else if (bias.hasRank && expectRank(c, bias, {1}, "bias"))
    expectEqual(c, bias.dims[0], channels, "the elements of the bias and the channels of the result");
}

/// A list has a number for each of \p n axes, or one for all of them.
bool expectNumbers(InferContext &c, std::size_t n) {
  for (const std::string_view name : {"stride", "padding", "dilation", "output_padding"}) {
    const Attribute *a = c.attribute(name);
    if (!a || a->kind != AttributeKind::Ints || a->list.count == n || a->list.count <= 1)
      continue;
    c.reject(fmt::format("{}: '{}' has {} numbers for {} axes", c.opName(), name, a->list.count, n));
    return false;
  }
  return true;
}

/// The weight is [out, in / groups, kernel...], transposed [in, out / groups, kernel...].
void inferConvolution(InferContext &c) {
  const Type &from = operand(c), &weight = c.argType("weight");
  if (from.element != DType::Unknown && weight.element != DType::Unknown && from.element != weight.element)
    c.reject(std::string(c.opName()) + ": the operand is " + std::string(dtypeName(from.element)) + ", the weight is " +
             std::string(dtypeName(weight.element)));
  const DType element = from.element != DType::Unknown ? from.element : weight.element;
  DimTable &dims = c.dims();
  if (const auto axes = axesInName(c.opName()); axes && !expectRank(c, weight, {*axes + 2}, "weight"))
    return setFresh(c, 0, element, from);
  if (!from.hasRank || !weight.hasRank || weight.dims.size() < 3)
    return setFresh(c, 0, element, from);
  const std::size_t n = weight.dims.size() - 2;
  const std::string_view name = c.opName();
  if (!expectRank(c, from, {n + 1, n + 2}, "operand") || !expectNumbers(c, n))
    return setFresh(c, 0, element, from);
  const bool transposed = name.find("transpose") != name.npos || c.intAttr("transposed", 0) != 0;
  const bool depthwise = name.find("depthwise") != name.npos;
  const Dim groups = c.hasAttribute("groups") ? c.dimArg("groups") : c.constant(1);
  const auto stride = spread(c, "stride", n, 1), dilation = spread(c, "dilation", n, 1);
  const Attribute *padding = c.attribute("padding");
  const bool named = padding && padding->kind == AttributeKind::String;
  const auto pads = spread(c, "padding", n, 0), more = spread(c, "output_padding", n, 0);
  const std::size_t channelAxis = from.dims.size() - n - 1;
  if (!depthwise)
    expectEqual(c, from.dims[channelAxis], transposed ? weight.dims[0] : dims.mul(weight.dims[1], groups),
                "the channels of the operand and of the weight");
  std::vector<Dim> shape = copyDims(from.dims.first(channelAxis));
  shape.push_back(transposed ? dims.mul(weight.dims[1], groups) : weight.dims[0]);
  expectBias(c, from, shape.back(), transposed);
  for (std::size_t i = 0; i < n; ++i) {
    Window w{weight.dims[2 + i], stride ? (*stride)[i] : Dim(), dilation ? (*dilation)[i] : Dim(),
             pads && !named ? (*pads)[i] : Dim(), pads && !named ? (*pads)[i] : Dim()};
    const Dim size = from.dims[channelAxis + 1 + i];
    if (named && c.stringAttr("padding") == "valid")
      w.padBegin = w.padEnd = dims.constant(0);
    if (named && c.stringAttr("padding") == "same")
      shape.push_back(size);
    else if (transposed)
      shape.push_back(unwindowedSize(dims, size, w, more ? (*more)[i] : Dim()));
    else
      shape.push_back(windowCount(c, size, w, false));
  }
  const Type like[] = {from, weight};
  OwnedType t = freshInFormatOf(c, element, shape, like);
  // Either operand turns oneDNN to channels last; other kernels follow the operand.
  if (!t.type.hasStrides && n == 2 && element == DType::Float32 && !transposed &&
      suggestsChannelsLast(dims, from) == Tri::Yes)
    if (const auto strides = stridesInFormat(dims, t.dims, MemoryFormat::ChannelsLast))
      t.setStrides(*strides);
  // The kernels choose the layout; only plain operands leave no choice.
  if (n < 2 && (isContiguous(dims, from) != Tri::Yes || isContiguous(dims, weight) != Tri::Yes))
    t.dropStrides();
  setFresh(c, 0, t);
}

/// Gradients of the operand, the weight and the bias, where the mask asks for them.
void inferConvolutionBackward(InferContext &c) {
  const auto mask = c.intsAttr("output_mask");
  const Type &grad = c.argType("grad_output");
  const std::string_view sources[] = {"input", "weight"};
  for (std::size_t i = 0; i < c.resultCount() && i < 3; ++i) {
    if (!mask || i >= mask->size() || (*mask)[i] == 0)
      continue;
    if (i == 2) {
      const Dim channels = grad.hasRank && grad.dims.size() > 1 ? grad.dims[1] : Dim();
      setFresh(c, i, grad.element, {channels}, grad);
      continue;
    }
    const Type &like = c.argType(sources[i]);
    OwnedType t =
        like.hasRank ? freshTensor(c, like.element, copyDims(like.dims), like) : freshTensor(c, like.element, like);
    t.dropStrides();
    setFresh(c, i, t);
  }
}

/// [time, batch, channels] with a weight [kernel, in, out].
void inferConvTbc(InferContext &c) {
  const Type &from = c.argType("self"), &weight = c.argType("weight");
  if (!expectRank(c, from, {3}, "operand") || !expectRank(c, weight, {3}, "weight"))
    return setFresh(c, 0, from.element, from);
  const Dim pad = c.hasAttribute("pad") ? c.dimArg("pad") : c.constant(0);
  const Window w{weight.dims[0], c.constant(1), c.constant(1), pad, pad};
  setFresh(c, 0, from.element, {windowCount(c, from.dims[0], w, false), from.dims[1], weight.dims[2]}, from);
}

/// Windows as columns, and back.
void inferIm2Col(InferContext &c) {
  const Type &from = c.argType("self");
  DimTable &dims = c.dims();
  const auto kernel = spread(c, "kernel_size", 2, std::nullopt), stride = spread(c, "stride", 2, 1),
             padding = spread(c, "padding", 2, 0), dilation = spread(c, "dilation", 2, 1);
  if (!expectRank(c, from, {3, 4}, "operand") || !kernel || !stride || !padding || !dilation)
    return setFresh(c, 0, from.element, from);
  const std::size_t at = from.dims.size() - 3;
  Dim rows = from.dims[at], columns = dims.constant(1);
  for (std::size_t i = 0; i < 2; ++i) {
    rows = dims.mul(rows, (*kernel)[i]);
    const Window w{(*kernel)[i], (*stride)[i], (*dilation)[i], (*padding)[i], (*padding)[i]};
    columns = dims.mul(columns, windowCount(c, from.dims[at + 1 + i], w, false));
  }
  std::vector<Dim> shape = copyDims(from.dims.first(at));
  shape.push_back(rows);
  shape.push_back(columns);
  setFresh(c, 0, from.element, shape, from);
}

/// \p sizes are above 0.
bool expectPositive(InferContext &c, std::span<const Dim> sizes, std::size_t operand, FaultKind kind) {
  const auto isNone = [&](Dim d) { return c.dims().asConstant(d).value_or(1) < 1; };
  if (std::ranges::none_of(sizes, isNone))
    return true;
  c.reject(fmt::format("{}: the sizes in input {} must be above 0", c.opName(), operand), operand, kind);
  return false;
}

/// ONNX's Col2Im: [N, channels times the elements of a block, blocks], of which the image and its windows say how many
/// there are.
void expectBlocks(InferContext &c, const Type &from, std::span<const Dim> image, std::span<const Dim> block) {
  DimTable &dims = c.dims();
  if (!expectPositive(c, image, 1, FaultKind::Unequal) || !expectPositive(c, block, 2, FaultKind::Other) ||
      !from.hasRank || from.dims.size() != 3)
    return;
  const std::size_t n = image.size();
  const auto entries = [&](std::string_view name, std::size_t count, std::int64_t otherwise) {
    const auto given = c.intsAttr(name);
    return given && given->size() == count ? *given : std::vector<std::int64_t>(count, otherwise);
  };
  const auto dilations = entries("dilations", n, 1), pads = entries("pads", 2 * n, 0),
             strides = entries("strides", n, 1);
  if (std::ranges::any_of(strides, [](std::int64_t s) { return s < 1; }))
    return;
  Dim blocks = dims.constant(1);
  for (std::size_t i = 0; i < n; ++i) {
    const Dim reach = dims.mul(dims.constant(dilations[i]), dims.sub(block[i], dims.constant(1)));
    const Dim room = dims.sub(dims.add(image[i], dims.constant(pads[i] + pads[i + n] - 1)), reach);
    if (dims.asConstant(room).value_or(0) < 0)
      return c.reject(fmt::format("Col2Im: in axis {} a block reaches beyond the image and its padding", i),
                      std::nullopt, FaultKind::Unequal);
    blocks = dims.mul(blocks, dims.add(dims.floorDiv(room, dims.constant(strides[i])), dims.constant(1)));
  }
  const Dim area = elementCount(dims, block);
  if (neverEqual(dims, dims.mod(from.dims[1], area), dims.constant(0)))
    return c.reject(fmt::format("Col2Im: axis 1 must be a multiple of {}, the elements of a block, but is {}",
                                dims.str(area), dims.str(from.dims[1])),
                    0, FaultKind::Unequal);
  if (neverEqual(dims, from.dims[2], blocks))
    c.reject(fmt::format("Col2Im: the image has {} blocks, but axis 2 is {}", dims.str(blocks), dims.str(from.dims[2])),
             0, FaultKind::Unequal);
}

void inferCol2Im(InferContext &c) {
  DimTable &dims = c.dims();
  if (c.isTorch()) {
    const Type &from = c.argType("self");
    const auto size = spread(c, "output_size", 2, std::nullopt), kernel = spread(c, "kernel_size", 2, std::nullopt);
    if (!expectRank(c, from, {2, 3}, "operand") || !size || !kernel)
      return setFresh(c, 0, from.element, from);
    std::vector<Dim> shape = copyDims(from.dims.first(from.dims.size() - 2));
    shape.push_back(dims.floorDiv(from.dims[from.dims.size() - 2], dims.mul((*kernel)[0], (*kernel)[1])));
    shape.insert(shape.end(), size->begin(), size->end());
    return setFresh(c, 0, from.element, shape, from);
  }
  const Type &from = c.type(0);
  const auto image = c.content(1), block = c.content(2);
  if (const auto n = image ? std::optional(image->size()) : lengthOf(c, 1))
    for (std::string_view name : {"dilations", "pads", "strides"}) {
      const auto given = c.intsAttr(name);
      const std::size_t wanted = name == "pads" ? 2 * *n : *n;
      if (given && given->size() != wanted) {
        c.reject(fmt::format("Col2Im: '{}' has {} entries, expected {}", name, given->size(), wanted));
        break;
      }
    }
  if (!image) {
    const auto n = lengthOf(c, 1);
    if (!n || *n > 62)
      return c.setResult(0, c.tensor(from.element));
    std::vector<Dim> unsized(*n + 2);
    if (from.hasRank && from.dims.size() == 3)
      unsized[0] = from.dims[0];
    return c.setResult(0, c.tensor(from.element, unsized));
  }
  if (block && block->size() == image->size())
    expectBlocks(c, from, *image, *block);
  std::vector<Dim> shape{from.hasRank && from.dims.size() == 3 ? from.dims[0] : Dim(), Dim()};
  if (from.hasRank && from.dims.size() == 3 && block)
    shape[1] = dims.floorDiv(from.dims[1], elementCount(dims, *block));
  shape.insert(shape.end(), image->begin(), image->end());
  c.setResult(0, c.tensor(from.element, shape));
}

// --- ONNX ------------------------------------------------------------------------
/// The kernel's sizes in \p n axes: `kernel_shape`, else those of the weight.
std::vector<Dim> kernelOf(InferContext &c, const Type &weight, std::size_t n) {
  std::vector<Dim> kernel;
  if (const auto given = c.intsAttr("kernel_shape")) {
    for (std::int64_t k : *given)
      kernel.push_back(c.constant(k));
    if (!expectInts(c, "kernel_shape", n, 1))
      return kernel;
    for (std::size_t i = 0; weight.hasRank && i < kernel.size() && i + 2 < weight.dims.size(); ++i)
      expectEqual(c, kernel[i], weight.dims[i + 2], "kernel_shape and the size of the weight");
  } else if (weight.hasRank && weight.dims.size() > 2) {
    kernel = copyDims(weight.dims.subspan(2));
  }
  if (kernel.empty())
    kernel.resize(n);
  return kernel;
}

/// Operand and weight have their axes in common.
bool expectSameRank(InferContext &c, const Type &from, const Type &weight) {
  if (!from.hasRank || !weight.hasRank || from.dims.size() == weight.dims.size())
    return true;
  c.reject(std::string(c.opName()) + ": the operand has rank " + std::to_string(from.dims.size()) +
           ", the weight has rank " + std::to_string(weight.dims.size()));
  return false;
}

/// The bias has a number for each channel that comes out.
void expectBias(InferContext &c, Dim channels) {
  if (const Type &bias = c.type(2); bias.hasRank && bias.dims.size() == 1)
    expectEqual(c, bias.dims[0], channels, "the numbers of the bias and of the channels that come out");
}

/// \returns the sizes of the result, none where they are not known at all.
std::vector<Dim> convolve(InferContext &c, const Type &from, const Type &weight, DType element) {
  const auto giveUp = [&] {
    const Type &ranked = from.hasRank ? from : weight;
    c.setResult(0, ranked.hasRank ? c.tensorOfRank(element, ranked.dims.size()) : c.tensor(element));
    return std::vector<Dim>();
  };
  if (!expectSameRank(c, from, weight))
    return giveUp();
  if (!from.hasRank || from.dims.size() < 2)
    return giveUp();
  const std::size_t n = from.dims.size() - 2;
  const auto w = onnxWindows(c, n, kernelOf(c, weight, n));
  if (!w)
    return giveUp();
  if (weight.hasRank)
    expectEqual(c, from.dims[1], c.dims().mul(weight.dims[1], c.constant(c.intAttr("group", 1))),
                "the channels of the operand and of the weight");
  const std::vector<Dim> sizes = onnxWindowCounts(c, copyDims(from.dims.subspan(2)), *w, false);
  std::vector<Dim> shape{from.dims[0], weight.hasRank ? weight.dims[0] : Dim()};
  shape.insert(shape.end(), sizes.begin(), sizes.end());
  c.setResult(0, c.tensor(element, shape));
  return shape;
}

/// (x, w, offsets, bias, mask): for each place of the result, each element of the kernel and each group of channels, an
/// offset in every axis and a weight.
void inferDeformConv(InferContext &c) {
  const std::vector<Dim> shape = convolve(c, c.type(0), c.type(1), c.type(0).element);
  const Type &weight = c.type(1);
  if (shape.empty() || !weight.hasRank || weight.dims.size() != shape.size())
    return;
  DimTable &dims = c.dims();
  const std::size_t n = shape.size() - 2;
  const Dim kernel = elementCount(dims, kernelOf(c, weight, n));
  const Dim weights = dims.mul(kernel, c.constant(c.intAttr("offset_group", 1)));
  const auto admit = [&](std::size_t i, Dim channels, std::string_view what) {
    const Type &t = c.type(i);
    if (!c.has(i) || !t.hasRank || t.dims.size() != shape.size())
      return true;
    std::vector<Dim> wanted = shape;
    wanted[1] = channels;
    if (mayAgree(dims, t.dims, wanted))
      return true;
    c.reject(fmt::format("DeformConv: the {} must be of the shape {}, but are of {}", what, spellDims(dims, wanted),
                         spellDims(dims, t.dims)),
             i, FaultKind::Unequal);
    return false;
  };
  if (admit(2, dims.mul(weights, c.constant(static_cast<std::int64_t>(n))), "offsets"))
    admit(4, weights, "weights of the mask");
}

void inferConv(InferContext &c) {
  convolve(c, c.type(0), c.type(1), c.type(0).element);
  if (const Type &weight = c.type(1); weight.hasRank && !weight.dims.empty())
    expectBias(c, weight.dims[0]);
}
void inferConvInteger(InferContext &c) { convolve(c, c.type(0), c.type(1), DType::Int32); }
/// (x, its scale, its zero point, w, its scale, its zero point, y's scale, y's zero point)
void inferQLinearConv(InferContext &c) { convolve(c, c.type(0), c.type(3), c.type(7).element); }

/// What is added at the end is less than a step of the window.
void expectPaddingBelowStep(InferContext &c, const Window &w, std::int64_t padding) {
  const auto stride = c.dims().asConstant(w.stride), dilation = c.dims().asConstant(w.dilation);
  if (padding > 0 && stride && dilation && padding >= std::max(*stride, *dilation))
    c.reject("ConvTranspose: an output_padding of " + std::to_string(padding) + " is not below the step " +
             std::to_string(std::max(*stride, *dilation)));
}

void inferConvTranspose(InferContext &c) {
  const Type &from = c.type(0), &weight = c.type(1);
  DimTable &dims = c.dims();
  expectSameRank(c, from, weight);
  if (!from.hasRank || from.dims.size() < 2 || (weight.hasRank && weight.dims.size() != from.dims.size()))
    return c.setResult(0, from.hasRank ? c.tensorOfRank(from.element, from.dims.size()) : c.tensor(from.element));
  const std::size_t n = from.dims.size() - 2;
  const auto w = onnxWindows(c, n, kernelOf(c, weight, n));
  if (!w)
    return c.setResult(0, c.tensorOfRank(from.element, from.dims.size()));
  if (weight.hasRank)
    expectEqual(c, from.dims[1], weight.dims[0], "the channels of the operand and of the weight");
  if (const auto group = c.intAttr("group", 1);
      neverEqual(dims, dims.mod(from.dims[1], c.constant(group)), c.constant(0)))
    c.reject("ConvTranspose: " + dims.str(from.dims[1]) + " channels do not split into " + std::to_string(group) +
             " groups");
  std::vector<Dim> shape{from.dims[0],
                         weight.hasRank ? dims.mul(weight.dims[1], c.constant(c.intAttr("group", 1))) : Dim()};
  expectBias(c, shape[1]);
  const auto fixed = expectInts(c, "output_shape", n, 0), more = expectInts(c, "output_padding", n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Dim size = from.dims[2 + i];
    if (fixed || !w->same)
      expectPaddingBelowStep(c, w->windows[i], more ? (*more)[i] : 0);
    if (fixed)
      shape.push_back(c.constant((*fixed)[i]));
    else if (w->same)
      shape.push_back(dims.mul(size, w->windows[i].stride));
    else
      shape.push_back(unwindowedSize(dims, size, w->windows[i], c.constant(more ? (*more)[i] : 0)));
  }
  c.setResult(0, c.tensor(from.element, shape));
}

/// (input, weight [C, 1, k], bias, past_state) to the convolved input and the last k - 1.
void inferCausalConv(InferContext &c) {
  const Type &from = c.type(0), &weight = c.type(1);
  c.setResult(0, from);
  const bool known = from.hasRank && from.dims.size() == 3;
  const Dim kernel = weight.hasRank && weight.dims.size() == 3 ? weight.dims[2] : Dim();
  const Dim kept = c.dims().sub(kernel, c.constant(1));
  c.setResult(1, c.tensor(from.element, {known ? from.dims[0] : Dim(), known ? from.dims[1] : Dim(), kept}));
  if (c.dims().isConstant(kernel, 0))
    return c.reject("CausalConvWithState: the kernel has no elements", 1);
  if (const Type &past = c.type(3); c.has(3) && past.hasRank && past.dims.size() == 3)
    expectEqual(c, past.dims[2], kept, "the length of the past and of the kernel without its last element");
}

constexpr OpRow rows[] = {
    {"convolution", inferConvolution, executeConvolution,
     "aten.conv1d aten.conv2d aten.conv3d aten.convolution aten._convolution aten.convolution_overrideable "
     "aten.conv_transpose1d aten.conv_transpose2d aten.conv_transpose3d aten.mkldnn_convolution "
     "aten.cudnn_convolution aten.cudnn_convolution_transpose aten.miopen_convolution "
     "aten.miopen_convolution_transpose aten._conv_depthwise2d aten.conv_depthwise3d aten._slow_conv2d_forward "
     "aten.slow_conv3d aten.slow_conv3d_forward aten.thnn_conv2d aten.slow_conv_transpose2d "
     "aten.slow_conv_transpose3d aten.slow_conv_dilated2d aten.slow_conv_dilated3d",
     ""},
    {"convolution_backward", inferConvolutionBackward, executeConvolutionBackward, "aten.convolution_backward", ""},
    {"conv_tbc", inferConvTbc, executeConvTbc, "aten.conv_tbc", ""},
    {"im2col", inferIm2Col, executeIm2Col, "aten.im2col", ""},
    {"col2im", inferCol2Im, executeCol2Im, "aten.col2im", "Col2Im"},
    {"conv", inferConv, executeConv, "", "Conv"},
    {"deform_conv", inferDeformConv, executeConv, "", "DeformConv"},
    {"fused_conv", inferConv, executeFusedConv, "", "com.microsoft::FusedConv"},
    {"conv_integer", inferConvInteger, executeConvInteger, "", "ConvInteger"},
    {"qlinear_conv", inferQLinearConv, executeQLinearConv, "", "QLinearConv"},
    {"conv_transpose", inferConvTranspose, executeConvTranspose, "", "ConvTranspose"},
    {"causal_conv", inferCausalConv, executeCausalConv, "", "CausalConvWithState"},
};

} // namespace

OpFamily convolutionFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

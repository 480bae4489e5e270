//===- RejectedLayers.cpp - Layers that TensorRT takes in no branch (I1) --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RejectedLayers.h"
#include "NetworkFacts.h"
#include <algorithm>
#include <array>
#include <string_view>

namespace condlint {

namespace {

/// They as ATen operators; `aten.convolution` where an argument makes it transposed.
bool isRejectedOfAten(std::string_view name) {
  name = name.substr(0, name.find('.'));
  constexpr std::array<std::string_view, 8> families{"_adaptive_avg_pool", "_upsample", "adaptive_avg_pool",
                                                     "adaptive_max_pool",  "avg_pool",  "conv_transpose",
                                                     "max_pool",           "upsample_"};
  // The gradients of these are other layers.
  return !name.ends_with("_backward") &&
         (name == "prelu" || name == "_prelu_kernel" || name == "convolution" || name == "_convolution" ||
          std::ranges::any_of(families, [&](std::string_view f) { return name.starts_with(f); }));
}

bool isPlainConvolution(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  if (op.dialect != Dialect::Torch || m.text(op.name).find("convolution") == std::string_view::npos)
    return false;
  const Attribute *a = m.attribute(n, "transposed");
  return !a || a->kind != AttributeKind::Bool || a->number == 0;
}

} // namespace

bool mayBecomeRejectedLayer(const Model &m, OperatorId o) {
  const Operator &op = m[o];
  if (op.dialect == Dialect::Torch)
    return m.text(op.domain) == "aten" && isRejectedOfAten(m.text(op.name));
  if (op.dialect != Dialect::Onnx || !m.text(op.domain).empty())
    return false;
  // The layers that TensorRT's own verifier refuses in a branch (I1), as the ONNX operators that become them. Sorted.
  // The global forms of pooling become reductions, and Pad a slice.
  constexpr std::array<std::string_view, 7> rejected{"AveragePool", "ConvTranspose", "LpPool",  "MaxPool",
                                                     "PRelu",       "Resize",        "Upsample"};
  return std::ranges::binary_search(rejected, m.text(op.name)) || isAttention(m, o);
}

bool isAttention(const Model &m, OperatorId o) {
  return m[o].dialect == Dialect::Onnx && m.text(m[o].domain).empty() && m.text(m[o].name) == "Attention";
}

bool becomesRejectedLayer(const Model &m, NodeId n) {
  return mayBecomeRejectedLayer(m, m[n].op) && !isPlainConvolution(m, n);
}

bool isRejectedLayer(const Model &m, NodeId n) {
  // Sorted.
  constexpr std::array<std::string_view, 10> rejected{
      "addDeconvolution", "addDeconvolutionNd", "addPadding",       "addPaddingNd", "addParametricReLU",
      "addPooling",       "addPoolingNd",       "addRaggedSoftMax", "addResize",    "addResizeNd"};
  return std::ranges::binary_search(rejected, layerName(m, n));
}

} // namespace condlint

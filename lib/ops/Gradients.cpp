//===- Gradients.cpp - What backward passes yield -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Gradients whose shape is that of what went in, or is given. Those of a family with
// more to say stand with it.
#include "kernels/Gradients.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"

namespace condlint {
namespace {

/// Like the operand with respect to which it is.
void inferLikeInput(InferContext &c) {
  for (std::string_view name : {"input", "self", "x1"})
    if (c.arg(name)) {
      const Type &input = c.argType(name);
      if (input.isTensor())
        setTorchResult(c, 0, looseLike(c, input.element, input), "grad_input");
      return;
    }
}

/// Of the sizes that are given, and of the gradient's element type.
void inferOfSizes(InferContext &c) {
  const Type &gradient = c.type(0);
  if (!gradient.isTensor())
    return;
  for (std::string_view name : {"input_sizes", "self_sizes", "input_size", "sizes"})
    if (const auto sizes = c.dimsArg(name))
      return setTorchResult(c, 0, looseTensor(c, gradient.element, *sizes, gradient), "grad_input");
}

/// `_softmax_backward_data`, `_log_softmax_backward_data`: like the gradient, of the operand's element type.
void inferSoftmaxBackward(InferContext &c) {
  const Type &gradient = c.argType("grad_output");
  if (!gradient.isTensor())
    return;
  const DType element = c.dtypeAttr("input_dtype").value_or(DType::Unknown);
  setTorchResult(c, 0,
                 gradient.hasRank
                     ? freshTensor(c, element, std::vector<Dim>(gradient.dims.begin(), gradient.dims.end()), gradient)
                     : freshTensor(c, element, gradient),
                 "grad_input");
}

constexpr OpRow rows[] = {
    {"softmax_backward", inferSoftmaxBackward, executeSoftmaxBackward,
     "aten._softmax_backward_data aten._log_softmax_backward_data", ""},
    {"gradient_like_input", inferLikeInput, nullptr,
     "aten.glu_backward aten.rrelu_with_noise_backward aten.infinitely_differentiable_gelu_backward "
     "aten.reflection_pad1d_backward aten.reflection_pad2d_backward aten.reflection_pad3d_backward "
     "aten.replication_pad1d_backward aten.replication_pad2d_backward aten.replication_pad3d_backward "
     "aten.fractional_max_pool2d_backward aten.fractional_max_pool3d_backward aten.max_pool2d_backward "
     "aten.cummaxmin_backward aten.cumprod_backward aten.masked_select_backward aten.gather_backward "
     "aten._cdist_backward aten._pdist_backward aten.matrix_exp_backward",
     ""},
    {"gradient_of_sizes", inferOfSizes, nullptr,
     "aten.unfold_backward aten.select_backward aten.slice_backward aten.diagonal_backward aten.index_select_backward "
     "aten.value_selecting_reduction_backward aten.trace_backward aten.masked_scatter_backward "
     "aten.upsample_linear1d_backward aten.upsample_bilinear2d_backward aten.upsample_trilinear3d_backward "
     "aten.upsample_bicubic2d_backward aten.upsample_nearest1d_backward aten.upsample_nearest2d_backward "
     "aten.upsample_nearest3d_backward aten._upsample_nearest_exact1d_backward aten._upsample_nearest_exact2d_backward "
     "aten._upsample_nearest_exact3d_backward aten._upsample_bilinear2d_aa_backward "
     "aten._upsample_bicubic2d_aa_backward",
     ""},
};

} // namespace

OpFamily gradientsFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

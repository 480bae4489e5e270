//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"
#include "Promotion.h"

namespace condlint {

namespace {

/// Activations: torch keeps the floating type (integers are mostly refused by the
/// kernels, so nothing is claimed of them); ONNX keeps the type.
void activation(InferContext &c) {
  if (c.isOnnx())
    return setLikeOperand(c);
  const DType t = c.type(0).element;
  setElementwise(c, isFloating(t) || isComplex(t) ? t : DType::Unknown);
}

void sameType(InferContext &c) {
  if (c.isOnnx())
    return setLikeOperand(c);
  setElementwise(c, c.type(0).element);
}

/// `prelu`: the weight has one number, or one a channel; the shape is the input's.
void inferPRelu(InferContext &c) {
  if (c.isOnnx()) {
    condlint::sameType(c, {0, 1});
    return setLikeOperand(c);
  }
  const ValueId self[] = {c.operand(0)};
  setTorchResult(c, 0, elementwiseType(c, c.type(0).element, self));
}

/// Gradients: as the gradient that comes in.
void gradient(InferContext &c) { setComposite(c, c.type(0).element); }

constexpr OpRow rows[] = {
    {"celu", activation, "aten.celu aten.celu_", "Celu"},
    {"elu", activation, "aten.elu aten.elu_", "Elu"},
    {"gelu", activation, "aten.gelu aten.gelu_", "Gelu"},
    {"hard_sigmoid", activation, "aten.hardsigmoid aten.hardsigmoid_", "HardSigmoid"},
    {"hard_swish", activation, "aten.hardswish aten.hardswish_", "HardSwish"},
    {"hard_shrink", activation, "aten.hardshrink", ""},
    {"hardtanh", sameType, "aten.hardtanh aten.hardtanh_", ""},
    {"relu6", sameType, "aten.relu6 aten.relu6_", ""},
    {"leaky_relu", activation, "aten.leaky_relu aten.leaky_relu_", "LeakyRelu"},
    {"log_sigmoid", activation, "aten.log_sigmoid", ""},
    {"mish", activation, "aten.mish aten.mish_", "Mish"},
    {"prelu", inferPRelu, "aten.prelu aten._prelu_kernel", "PRelu"},
    {"selu", activation, "aten.selu aten.selu_", "Selu"},
    {"shrink", activation, "aten.softshrink", "Shrink"},
    {"silu", activation, "aten.silu aten.silu_", "Swish"},
    {"softplus", activation, "aten.softplus", "Softplus"},
    {"softsign", activation, "", "Softsign"},
    {"threshold", sameType, "aten.threshold aten.threshold_", "ThresholdedRelu"},
    {"activation_backward", gradient,
     "aten.elu_backward aten.gelu_backward aten.hardsigmoid_backward aten.hardswish_backward aten.hardtanh_backward "
     "aten.leaky_relu_backward aten.logit_backward aten.native_dropout_backward aten.sigmoid_backward "
     "aten.silu_backward aten.softplus_backward aten.tanh_backward aten.threshold_backward",
     ""},
    {"rrelu", activation, "aten.rrelu aten.rrelu_", "", OpTrait::Random},
};

} // namespace

std::span<const OpRow> activationRows() { return rows; }

} // namespace condlint

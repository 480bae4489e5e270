//===- ElementwiseActivation.cpp - Activations ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include "kernels/ElementKernels.h"
#include "kernels/FunctorsMath.h"
#include "kernels/Gradients.h"
#include <fmt/format.h>

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

/// `prelu` has one slope, or one for each channel, of which what has one axis has one.
void expectSlopes(InferContext &c) {
  const Type &self = c.argType("self"), &weight = c.argType("weight");
  if (c.opName() != "prelu" || !self.isTensor() || !weight.isTensor() || !weight.hasRank ||
      !expectRank(c, weight, {0, 1}, "weight") || weight.dims.empty() || !self.hasRank)
    return;
  const Dim slopes = weight.dims[0], one = c.constant(1);
  const Dim channels = self.dims.size() > 1 ? self.dims[1] : one;
  if (neverEqual(c.dims(), slopes, one) && neverEqual(c.dims(), slopes, channels))
    c.reject(fmt::format("prelu: {} slopes for {} channels", c.dims().str(slopes), c.dims().str(channels)));
}

/// `prelu`: the weight has one number, or one a channel; the shape is the input's.
void inferPRelu(InferContext &c) {
  if (c.isOnnx()) {
    condlint::sameType(c, {0, 1});
    // Up to version 6 the slope was one number for each channel.
    const Type &x = c.type(0), &slope = c.type(1);
    const bool isStretched = x.hasRank && slope.hasRank && (c.version() == 0 || c.version() >= 7);
    if (!isStretched || stretches(c.dims(), slope.dims, x.dims))
      return setLikeOperand(c);
    // onnx's inference looks at the operand alone, and ONNX Runtime stretches both.
    if (broadcast(c.dims(), x.dims, slope.dims).mismatch)
      c.reject("PRelu: a slope of the shape " + spellDims(c.dims(), slope.dims) + " does not broadcast to " +
                   spellDims(c.dims(), x.dims),
               1, FaultKind::Stretch);
    return c.setResult(0, c.tensor(x.element));
  }
  expectSlopes(c);
  const ValueId self[] = {c.operand(0)};
  setTorchResult(c, 0, elementwiseType(c, c.type(0).element, self));
}

/// ONNX: `Swish(A) * B`, of two tensors of one shape.
void inferSwiGlu(InferContext &c) {
  condlint::sameType(c, {0, 1});
  const Type &gate = c.type(0), &value = c.type(1);
  if (gate.hasRank && value.hasRank && !mayAgree(c.dims(), gate.dims, value.dims))
    c.reject("SwiGLU: a gate of the shape " + spellDims(c.dims(), gate.dims) + " for values of the shape " +
                 spellDims(c.dims(), value.dims),
             1);
  setLikeOperand(c);
}

/// Gradients: as the gradient that comes in.
void gradient(InferContext &c) { setComposite(c, c.type(0).element); }
/// The gradient times the mask and a scale, which is no integer.
void scaledGradient(InferContext &c) { setComposite(c, floatOrDefault(c.type(0).element)); }

/// The result, and the noise that training would have drawn.
void inferRreluFunctional(InferContext &c) {
  activation(c);
  const Type &noise = c.argType("noise");
  if (noise.isTensor())
    c.setResult(1, looseLike(c, noise.element, noise).view());
}
/// The result, and what its gradient reads, which a GPU does not need.
void inferLogSigmoidForward(InferContext &c) {
  activation(c);
  c.setResult(1, freshTensor(c, c.type(0).element, c.type(0)).view());
}

// --- kernels ------------------------------------------------------------------

template <class F> void executeWith(ExecContext &c, const F &f) {
  const Tensor &x = firstOperand(c);
  finishElementwise(c, f, computeOf(x.dtype()), x.dtype(), {operandOf(x)});
}
template <class F> void execute(ExecContext &c) { executeWith(c, F()); }

/// torch and ONNX name the numbers of activations alike: alpha, beta, lambda.
void executeElu(ExecContext &c) {
  const double alpha = c.real("alpha", 1.0), scale = c.real("scale", 1.0), input = c.real("input_scale", 1.0);
  Elu f;
  f.scale = scale;
  f.negative = alpha * scale;
  f.input = input;
  executeWith(c, f);
}
void executeCelu(ExecContext &c) {
  Elu f;
  f.negative = c.real("alpha", 1.0);
  f.input = 1 / f.negative;
  executeWith(c, f);
}
void executeSelu(ExecContext &c) {
  const double alpha = c.isTorch() || c.version() >= 6 ? 1.6732632423543772 : 1.6732;
  const double gamma = c.isTorch() || c.version() >= 6 ? 1.0507009873554805 : 1.0507;
  Elu f;
  f.scale = c.real("gamma", gamma);
  f.negative = f.scale * c.real("alpha", alpha);
  executeWith(c, f);
}
/// ONNX Runtime's: of a sum with a bias, which FastGelu may leave out.
void executeGeluOfSum(ExecContext &c) {
  const Tensor &x = c.in(0);
  const DType t = x.dtype();
  const Operand sum =
      c.has(1) ? operandOf(elementwise(c, Add(), computeOf(t), t, {operandOf(x), operandOf(c.in(1))})) : operandOf(x);
  if (c.opName() == "FastGelu")
    finishElementwise(c, TanhGelu(), computeOf(t), t, {sum});
  else
    finishElementwise(c, Gelu(), computeOf(t), t, {sum});
}

/// x * sigmoid(alpha * x)
void executeQuickGelu(ExecContext &c) {
  Silu f;
  f.alpha = c.real("alpha", 1.702);
  const Tensor &x = c.in(0);
  finishElementwise(c, f, computeOf(x.dtype()), x.dtype(), {operandOf(x)});
}

void executeGelu(ExecContext &c) {
  if (c.text("approximate", "none") == "tanh")
    executeWith(c, TanhGelu());
  else
    executeWith(c, Gelu());
}
void executeHardSigmoid(ExecContext &c) {
  HardSigmoid f;
  f.alpha = c.isTorch() ? 1.0 / 6 : c.real("alpha", 0.2);
  f.beta = c.isTorch() ? 0.5 : c.real("beta", 0.5);
  executeWith(c, f);
}
void executeHardShrink(ExecContext &c) {
  HardShrink f;
  f.lambda = c.real("lambd", 0.5);
  executeWith(c, f);
}
void executeHardtanh(ExecContext &c) {
  const Tensor &x = c.tensor("self");
  const bool six = c.opName().starts_with("relu6");
  const Scalar low = c.maybeScalar("min_val").value_or(six ? Scalar::of(0.0) : Scalar::of(-1.0));
  const Scalar high = c.maybeScalar("max_val").value_or(six ? Scalar::of(6.0) : Scalar::of(1.0));
  finishElementwise(c, Clamp(), computeOf(x.dtype()), x.dtype(), {operandOf(x), {{}, low}, {{}, high}});
}
void executeLeakyRelu(ExecContext &c) {
  LeakyRelu f;
  f.slope = c.isTorch() ? c.real("negative_slope", 0.01) : c.real("alpha", 0.01);
  executeWith(c, f);
}
/// torch: one slope, or one a channel (the axis 1); ONNX stretches the slopes.
void executePRelu(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  Tensor slope = c.isTorch() ? c.tensor("weight") : c.in(1);
  if (c.isTorch() && c.opName() == "prelu" && slope.numel() != 1) {
    Sizes sizes(x.rank(), 1);
    if (x.rank() < 2)
      c.fail("prelu takes several slopes only for an input with channels");
    sizes[1] = slope.numel();
    slope = reshaped(c, slope, sizes);
  } else if (c.isTorch() && slope.numel() == 1) {
    slope = reshaped(c, slope, {});
  }
  finishElementwise(c, PRelu(), computeOf(x.dtype()), x.dtype(), {operandOf(x), operandOf(slope)});
}
void executeHardSwish(ExecContext &c) {
  HardSwish f;
  f.multipliesFirst = c.isTorch();
  executeWith(c, f);
}
void executeShrink(ExecContext &c) {
  Shrink f;
  f.keepsNan = c.isTorch();
  f.lambda = c.real("lambd", 0.5);
  f.bias = c.isTorch() ? f.lambda : c.real("bias", 0.0);
  executeWith(c, f);
}
void executeSilu(ExecContext &c) {
  Silu f;
  f.alpha = c.isTorch() ? 1.0 : c.real("alpha", 1.0);
  executeWith(c, f);
}
void executeSoftplus(ExecContext &c) {
  Softplus f;
  f.beta = c.real("beta", 1.0);
  f.threshold = c.isTorch() ? c.real("threshold", 20.0) : HUGE_VAL;
  executeWith(c, f);
}
void executeThreshold(ExecContext &c) {
  Threshold f;
  f.keepsNan = c.isTorch();
  f.threshold = c.isTorch() ? c.real("threshold") : c.real("alpha", 1.0);
  f.value = c.isTorch() ? c.real("value") : 0;
  executeWith(c, f);
}

/// Outside of training the slope is the middle of its range.
void executeRrelu(ExecContext &c) {
  if (c.flag("training"))
    c.fail("condlint does not execute rrelu in training");
  LeakyRelu f;
  f.slope = (c.real("lower", 0.125) + c.real("upper", 1.0 / 3)) / 2;
  executeWith(c, f);
}
void executeRreluFunctional(ExecContext &c) {
  executeRrelu(c);
  c.finish(1, copied(c, c.tensor("noise")));
}
void executeLogSigmoidForward(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  execute<LogSigmoid>(c);
  const Tensor size = map(c, Absolute(), {operandOf(x)});
  c.finish(1, map(c, Exp(), {operandOf(map(c, Negate(), {operandOf(size)}))}));
}

constexpr OpRow rows[] = {
    {"celu", activation, executeCelu, "aten.celu aten.celu_", "Celu"},
    {"elu", activation, executeElu, "aten.elu aten.elu_", "Elu"},
    {"gelu_of_sum", activation, executeGeluOfSum, "", "com.microsoft::FastGelu com.microsoft::BiasGelu"},
    {"quick_gelu", activation, executeQuickGelu, "", "com.microsoft::QuickGelu"},
    {"gelu", activation, executeGelu, "aten.gelu aten.gelu_", "Gelu com.microsoft::Gelu"},
    {"hard_sigmoid", activation, executeHardSigmoid, "aten.hardsigmoid aten.hardsigmoid_", "HardSigmoid"},
    {"hard_swish", activation, executeHardSwish, "aten.hardswish aten.hardswish_", "HardSwish"},
    {"hard_shrink", activation, executeHardShrink, "aten.hardshrink", ""},
    {"hardtanh", sameType, executeHardtanh, "aten.hardtanh aten.hardtanh_", ""},
    {"relu6", sameType, executeHardtanh, "aten.relu6 aten.relu6_", ""},
    {"leaky_relu", activation, executeLeakyRelu, "aten.leaky_relu aten.leaky_relu_", "LeakyRelu"},
    {"log_sigmoid", activation, execute<LogSigmoid>, "aten.log_sigmoid", ""},
    {"mish", activation, execute<Mish>, "aten.mish aten.mish_", "Mish"},
    {"prelu", inferPRelu, executePRelu, "aten.prelu aten._prelu_kernel", "PRelu"},
    {"selu", activation, executeSelu, "aten.selu aten.selu_", "Selu"},
    {"shrink", activation, executeShrink, "aten.softshrink", "Shrink"},
    {"silu", activation, executeSilu, "aten.silu aten.silu_", "Swish"},
    {"softplus", activation, executeSoftplus, "aten.softplus", "Softplus"},
    {"softsign", activation, execute<Softsign>, "", "Softsign"},
    {"swiglu", inferSwiGlu, nullptr, "", "SwiGLU"},
    {"threshold", sameType, executeThreshold, "aten.threshold aten.threshold_", "ThresholdedRelu"},
    {"activation_backward", gradient, executeActivationBackward,
     "aten.elu_backward aten.gelu_backward aten.hardsigmoid_backward aten.hardswish_backward aten.hardtanh_backward "
     "aten.leaky_relu_backward aten.logit_backward aten.sigmoid_backward "
     "aten.silu_backward aten.softplus_backward aten.tanh_backward aten.threshold_backward",
     ""},
    {"activation_gradient", gradient, nullptr,
     "aten.hardshrink_backward aten.softshrink_backward aten.mish_backward aten.log_sigmoid_backward", ""},
    {"native_dropout_backward", scaledGradient, executeActivationBackward, "aten.native_dropout_backward", ""},
    {"rrelu_functional", inferRreluFunctional, executeRreluFunctional, "aten.rrelu_with_noise_functional", "",
     OpTrait::Random},
    {"log_sigmoid_forward", inferLogSigmoidForward, executeLogSigmoidForward, "aten.log_sigmoid_forward", ""},
    {"rrelu", activation, executeRrelu, "aten.rrelu aten.rrelu_ aten.rrelu_with_noise", "", OpTrait::Random},
};

} // namespace

std::span<const OpRow> activationRows() { return rows; }

} // namespace condlint

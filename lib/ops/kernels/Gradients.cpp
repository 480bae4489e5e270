//===- Gradients.cpp - Backward operators, executed -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Gradients.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Rows.h"
#include "Windows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

struct SigmoidGradient : ElementFunctor<2, Floats> { ///< of the output
  template <class T> CONDLINT_HD T operator()(T g, T y) const { return g * y * (T(1) - y); }
};
struct TanhGradient : ElementFunctor<2, Floats> { ///< of the output
  template <class T> CONDLINT_HD T operator()(T g, T y) const { return g * (T(1) - y * y); }
};
struct GeluGradient : ElementFunctor<2, Floats> {
  bool tanh = false;
  template <class T> CONDLINT_HD T operator()(T g, T x) const {
    if (!tanh)
      return g * (T(0.5) * (T(1) + std::erf(x * T(0.7071067811865476))) +
                  x * T(0.3989422804014327) * std::exp(-x * x / T(2)));
    const T inner = T(0.7978845608028654) * (x + T(0.044715) * x * x * x), t = std::tanh(inner);
    return g * (T(0.5) * (T(1) + t) +
                T(0.5) * x * (T(1) - t * t) * T(0.7978845608028654) * (T(1) + T(3 * 0.044715) * x * x));
  }
};
struct SiluGradient : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T g, T x) const {
    const T s = T(1) / (T(1) + std::exp(-x));
    return g * s * (T(1) + x * (T(1) - s));
  }
};
struct EluGradient : ElementFunctor<2, Floats> {
  double negative = 1, scale = 1, input = 1;
  bool ofResult = false;
  template <class T> CONDLINT_HD T operator()(T g, T x) const {
    if (ofResult)
      return x <= T(0) ? g * T(input) * (x + T(negative)) : g * T(scale);
    return x <= T(0) ? g * T(input) * T(negative) * std::exp(x * T(input)) : g * T(scale);
  }
};
/// g where low < x < high, g * slope elsewhere.
struct RampGradient : ElementFunctor<2, Floats> {
  double low = -HUGE_VAL, high = HUGE_VAL, slope = 0, factor = 1;
  template <class T> CONDLINT_HD T operator()(T g, T x) const {
    return x > T(low) && x < T(high) ? g * T(factor) : g * T(slope);
  }
};
struct HardSwishGradient : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T g, T x) const {
    return x <= T(-3) ? T(0) : (x < T(3) ? g * (x / T(3) + T(0.5)) : g);
  }
};
struct SoftplusGradient : ElementFunctor<2, Floats> {
  double beta = 1, threshold = 20;
  template <class T> CONDLINT_HD T operator()(T g, T x) const {
    const T z = x * T(beta);
    return z > T(threshold) ? g : g / (T(1) + std::exp(-z));
  }
};
struct LogitGradient : ElementFunctor<2, Floats> {
  double eps = -1;
  template <class T> CONDLINT_HD T operator()(T g, T x) const {
    const T low = eps >= 0 ? T(eps) : T(0), high = eps >= 0 ? T(1 - eps) : T(1);
    if (x < low || x > high)
      return eps >= 0 ? T(0) : std::numeric_limits<T>::quiet_NaN();
    return g / (x * (T(1) - x));
  }
};

} // namespace

void executeActivationBackward(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &g = c.tensor("grad_output");
  const auto input = [&]() -> const Tensor & {
    for (std::string_view key : {"self", "output", "self_or_result", "result", "mask"})
      if (const Tensor *t = c.maybeTensor(key))
        return *t;
    return c.in(1);
  };
  const Tensor &x = input();
  const auto run = [&](const auto &f) {
    finishElementwise(c, f, computeOf(g.dtype()), g.dtype(), {operandOf(g), operandOf(x)});
  };
  if (name == "sigmoid_backward")
    return run(SigmoidGradient());
  if (name == "tanh_backward")
    return run(TanhGradient());
  if (name == "silu_backward")
    return run(SiluGradient());
  if (name == "hardswish_backward")
    return run(HardSwishGradient());
  if (name == "gelu_backward") {
    GeluGradient f;
    f.tanh = c.text("approximate", "none") == "tanh";
    return run(f);
  }
  if (name == "elu_backward") {
    EluGradient f;
    f.scale = c.real("scale");
    f.negative = c.real("alpha") * f.scale;
    f.input = c.real("input_scale");
    f.ofResult = c.flag("is_result");
    return run(f);
  }
  if (name == "softplus_backward") {
    SoftplusGradient f;
    f.beta = c.real("beta", 1.0);
    f.threshold = c.real("threshold", 20.0);
    return run(f);
  }
  if (name == "logit_backward") {
    LogitGradient f;
    f.eps = c.real("eps", -1.0);
    return run(f);
  }
  if (name == "native_dropout_backward") {
    const double scale = c.real("scale");
    const DType t = floatOf(c, g.dtype());
    return c.finish(0, mul(c, operandOf(mul(c, operandOf(cast(c, g, t)), operandOf(cast(c, x, t)))), operandOf(scale)));
  }
  RampGradient f;
  if (name == "threshold_backward") {
    f.low = c.real("threshold");
  } else if (name == "hardtanh_backward") {
    f.low = c.real("min_val");
    f.high = c.real("max_val");
  } else if (name == "leaky_relu_backward") {
    f.low = 0;
    f.slope = c.real("negative_slope");
  } else if (name == "hardsigmoid_backward") {
    f.low = -3;
    f.high = 3;
    f.factor = 1.0 / 6;
  } else {
    c.fail("condlint cannot execute this gradient");
  }
  run(f);
}

// --- convolutions and pools -------------------------------------------------------

/// (gradient of the input, of the weight, of the bias), each where output_mask asks for it.
void executeConvolutionBackward(ExecContext &c) {
  const Tensor &g = c.tensor("grad_output"), &x = c.tensor("input"), &weight = c.tensor("weight");
  const Sizes mask = c.integers("output_mask").value_or(Sizes{1, 1, 1});
  if (c.flag("transposed"))
    c.fail("condlint does not execute the gradient of a transposed convolution");
  if (x.rank() != weight.rank() || x.rank() < 3 || x.rank() - 2 > SlidingWindow::maxAxes || mask.size() != 3)
    c.fail("the operands do not fit each other");
  const std::size_t axes = x.rank() - 2;
  const Sizes stride = perAxis(c, c.integers("stride"), axes, 1), padding = perAxis(c, c.integers("padding"), axes, 0),
              dilation = perAxis(c, c.integers("dilation"), axes, 1);
  const std::int64_t groups = c.integer("groups", 1);
  SlidingWindow w;
  w.axes = axes;
  for (std::size_t i = 0; i < axes; ++i) {
    w.in[i] = x.size(i + 2);
    w.kernel[i] = weight.size(i + 2);
    w.stride[i] = stride[i];
    w.dilation[i] = dilation[i];
    w.before[i] = w.after[i] = padding[i];
  }
  setOutputSizes(c, w, false);
  for (std::size_t i = 0; i < axes; ++i)
    if (g.rank() != x.rank() || g.size(i + 2) != w.out[i])
      c.fail("the gradient does not fit the convolution");
  if (mask[0] != 0)
    c.finish(0, convolvedBack(c, g, weight, w, groups));
  else
    c.set(0, RuntimeValue::none());
  if (mask[1] != 0)
    c.finish(1, convolvedWeight(c, g, x, w, groups, weight.sizes()));
  else
    c.set(1, RuntimeValue::none());
  if (mask[2] == 0)
    return c.set(2, RuntimeValue::none());
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < g.rank(); ++i)
    if (i != 1)
      all.push_back(i);
  c.finish(2, reduced(c, g, all, false, Reduction::Sum, g.dtype()));
}

namespace {

/// Adds each element of \p g to the places of the input that a window sees, weighted.
Tensor averageGradient(const ExecContext &c, const Tensor &given, const Tensor &x, const SlidingWindow &w,
                       bool includePad, double divisor) {
  const Tensor g = contiguous(c, cast(c, given, DType::Float64));
  const Tensor out = filled(c, DType::Float64, x.sizes(), Scalar::of(0.0));
  const std::int64_t kernels = w.kernelCount(), places = w.outCount(), pixels = w.inCount(),
                     planes = pixels == 0 ? 0 : x.numel() / pixels;
  if (g.numel() != planes * places)
    c.fail("the gradient does not fit the pool");
  std::vector<std::int64_t> seen;
  for (std::int64_t i = 0; i < planes * places; ++i) {
    double padded = 0;
    seen.clear();
    for (std::int64_t k = 0; k < kernels; ++k) {
      std::int64_t left = i % places, rest = k, at = 0, step = 1;
      bool within = true, withinPadding = true;
      for (std::size_t d = w.axes; d-- > 0; left /= w.out[d], rest /= w.kernel[d]) {
        const std::int64_t p = left % w.out[d] * w.stride[d] + rest % w.kernel[d] - w.before[d];
        within = within && p >= 0 && p < w.in[d];
        withinPadding = withinPadding && p < w.in[d] + w.after[d];
        at += p * step;
        step *= w.in[d];
      }
      padded += withinPadding ? 1 : 0;
      if (within)
        seen.push_back(at);
    }
    const double count = divisor != 0 ? divisor : includePad ? padded : static_cast<double>(seen.size());
    for (std::int64_t at : seen)
      out.out<double>()[i / places * pixels + at] += g.as<double>()[i] / count;
  }
  return cast(c, out, given.dtype());
}

} // namespace

void executePoolBackward(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &g = c.tensor("grad_output"), &x = c.tensor("self");
  const std::size_t axes = name.find("3d") != name.npos ? 3 : 2;
  if (x.rank() < axes + 1 || g.rank() != x.rank() ||
      !std::ranges::equal(x.sizes().first(x.rank() - axes), g.sizes().first(x.rank() - axes)))
    c.fail("the gradient does not fit the pool");
  if (const Tensor *indices = c.maybeTensor("indices")) {
    const Tensor from = contiguous(c, cast(c, g, DType::Float64)),
                 out = filled(c, DType::Float64, x.sizes(), Scalar::of(0.0));
    const Sizes at = integersOf(c, *indices);
    const std::int64_t pixels = product(x.sizes().last(axes)), places = product(g.sizes().last(axes));
    if (static_cast<std::int64_t>(at.size()) != g.numel())
      c.fail("the indices do not fit the gradient");
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i] < 0 || at[i] >= pixels)
        c.fail("an index lies outside of the image");
      out.out<double>()[static_cast<std::int64_t>(i) / places * pixels + at[i]] += from.as<double>()[i];
    }
    return c.finish(0, cast(c, out, g.dtype()));
  }
  SlidingWindow w;
  w.axes = axes;
  if (name.starts_with("avg_pool")) {
    const Sizes kernel = perAxis(c, c.integers("kernel_size"), axes, 1);
    const auto step = c.integers("stride");
    const Sizes stride = step && !step->empty() ? perAxis(c, step, axes, 1) : kernel,
                padding = perAxis(c, c.integers("padding"), axes, 0);
    for (std::size_t i = 0; i < axes; ++i) {
      w.in[i] = x.size(x.rank() - axes + i);
      w.kernel[i] = kernel[i];
      w.stride[i] = stride[i];
      w.dilation[i] = 1;
      w.before[i] = w.after[i] = padding[i];
    }
    setOutputSizes(c, w, c.flag("ceil_mode"));
    return c.finish(0, averageGradient(c, g, x, w, c.flag("count_include_pad", true), c.real("divisor_override", 0.0)));
  }
  // Adaptive: every part of an axis has its own size.
  const Tensor from = contiguous(c, cast(c, g, DType::Float64)),
               out = filled(c, DType::Float64, x.sizes(), Scalar::of(0.0));
  const Sizes in(x.sizes().end() - static_cast<std::ptrdiff_t>(axes), x.sizes().end()),
      to(g.sizes().end() - static_cast<std::ptrdiff_t>(axes), g.sizes().end());
  const std::int64_t pixels = product(in), places = product(to);
  const AdaptiveParts parts(in, to);
  const double *share = from.deviceAs<double>();
  double *sum = out.deviceOut<double>();
  forEach(c.device(), pixels == 0 ? 0 : x.numel() / pixels, [=] CONDLINT_HD(std::int64_t plane) {
    for (std::int64_t i = 0; i < places; ++i) {
      const std::int64_t count = parts.eachOf(i, [](std::int64_t) {});
      parts.eachOf(i, [&](std::int64_t place) {
        sum[plane * pixels + place] += share[plane * places + i] / static_cast<double>(count);
      });
    }
  });
  c.finish(0, cast(c, out, g.dtype()));
}

// --- normalisation and look-ups ----------------------------------------------------

/// native_layer_norm_backward, native_group_norm_backward.
void executeNormBackward(ExecContext &c) {
  const std::string_view name = c.opName();
  if (name == "native_batch_norm_backward")
    c.fail("condlint cannot execute this gradient");
  const bool layer = name == "native_layer_norm_backward";
  const Tensor &g = c.tensor("grad_out"), &x = c.tensor("input"), &mean = c.tensor("mean"), &inverse = c.tensor("rstd");
  const Tensor *weight = c.maybeTensor("weight");
  const Sizes mask = c.integers("output_mask").value_or(Sizes{1, 1, 1});
  if (mask.size() != 3 || g.numel() != x.numel() || mean.numel() == 0 || (!layer && x.rank() < 2))
    c.fail("the gradient does not fit the normalisation");
  // Rows are what one mean belongs to; in groups of channels the weight is one a channel.
  const std::int64_t rows = mean.numel(), length = x.numel() / rows;
  const std::int64_t shape[] = {rows, length};
  const auto matrix = [&](const Tensor &t) { return reshaped(c, contiguous(c, cast(c, t, DType::Float64)), shape); };
  const std::int64_t column[] = {rows, 1};
  const auto perRow = [&](const Tensor &t) {
    return operandOf(reshaped(c, contiguous(c, cast(c, t, DType::Float64)), column));
  };
  const Tensor normalized = mul(c, operandOf(sub(c, operandOf(matrix(x)), perRow(mean))), perRow(inverse));
  const Tensor plain = matrix(g);
  Sizes wide = sizesOf(x), wideWeight(x.rank(), 1);
  if (weight && !layer)
    wideWeight[1] = weight->numel();
  Tensor scaled = plain;
  if (weight) {
    const Tensor w = cast(c, *weight, DType::Float64);
    const Tensor full =
        layer ? reshaped(c, mul(c, operandOf(plain), operandOf(reshaped(c, w, Sizes{1, length}))), shape)
              : reshaped(c, mul(c, operandOf(reshaped(c, plain, wide)), operandOf(reshaped(c, w, wideWeight))), shape);
    scaled = full;
  }
  const std::size_t last[] = {1};
  const auto average = [&](const Tensor &t) {
    return operandOf(reduced(c, t, last, true, Reduction::Mean, DType::Float64));
  };
  if (mask[0] != 0) {
    const Tensor centred = sub(c, operandOf(scaled), average(scaled));
    const Tensor along = mul(c, operandOf(normalized), average(mul(c, operandOf(scaled), operandOf(normalized))));
    const Tensor dx = mul(c, operandOf(sub(c, operandOf(centred), operandOf(along))), perRow(inverse));
    c.finish(0, cast(c, reshaped(c, dx, x.sizes()), x.dtype()));
  } else {
    c.set(0, RuntimeValue::none());
  }
  const auto overRows = [&](const Tensor &t) {
    if (layer) {
      const std::size_t first[] = {0};
      const Sizes normalizedShape = c.integers("normalized_shape").value_or(Sizes{length});
      return reshaped(c, reduced(c, t, first, false, Reduction::Sum, x.dtype()), normalizedShape);
    }
    std::vector<std::size_t> axes;
    for (std::size_t i = 0; i < x.rank(); ++i)
      if (i != 1)
        axes.push_back(i);
    return reduced(c, reshaped(c, t, wide), axes, false, Reduction::Sum, x.dtype());
  };
  if (mask[1] != 0 && weight)
    c.finish(1, overRows(mul(c, operandOf(plain), operandOf(normalized))));
  else
    c.set(1, RuntimeValue::none());
  if (mask[2] != 0)
    c.finish(2, overRows(plain));
  else
    c.set(2, RuntimeValue::none());
}

void executeEmbeddingBackward(ExecContext &c) {
  const Tensor &g = c.tensor("grad_output");
  const Sizes at = integersOf(c, c.tensor("indices"));
  const std::int64_t rows = c.integer("num_weights"), padding = c.integer("padding_idx"),
                     width = g.rank() == 0 ? 0 : g.size(g.rank() - 1);
  const std::int64_t shape[] = {rows, width};
  const Tensor out = filled(c, DType::Float64, shape, Scalar::of(0.0));
  const std::vector<double> from = doublesOf(c, g);
  if (from.size() != at.size() * static_cast<std::size_t>(width))
    c.fail("the gradient does not fit the indices");
  requireRoom(c, rows);
  std::vector<double> count(static_cast<std::size_t>(std::max<std::int64_t>(rows, 0)));
  const bool byFrequency = c.flag("scale_grad_by_freq");
  for (std::int64_t i : at) {
    if (i < 0 || i >= rows)
      c.fail("an index is outside of the weight");
    count[static_cast<std::size_t>(i)] += 1;
  }
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::int64_t k = 0; k < width && at[i] != padding; ++k)
      out.out<double>()[at[i] * width + k] += from[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)] /
                                              (byFrequency ? count[static_cast<std::size_t>(at[i])] : 1);
  c.finish(0, cast(c, out, g.dtype()));
}

/// y * (g - sum(g * y)), and of the logarithm g - exp(y) * sum(g).
void executeSoftmaxBackward(ExecContext &c) {
  const Tensor &given = c.tensor("grad_output"), &result = c.tensor("output");
  const bool logarithm = c.opName() == "_log_softmax_backward_data";
  const std::size_t axis[] = {axisOf(c, c.integer("dim"), given.rank())};
  const Tensor g = floating(c, given), y = floating(c, result);
  const auto summed = [&](const Tensor &t) {
    const std::span<const std::size_t> axes = t.rank() == 0 ? std::span<const std::size_t>() : std::span(axis);
    return reduced(c, t, axes, true, Reduction::Sum, t.dtype());
  };
  const Tensor out =
      logarithm
          ? sub(c, operandOf(g), operandOf(mul(c, operandOf(map(c, Exp(), {operandOf(y)})), operandOf(summed(g)))))
          : mul(c, operandOf(y),
                operandOf(sub(c, operandOf(g), operandOf(summed(mul(c, operandOf(g), operandOf(y)))))));
  c.finish(0, contiguous(c, cast(c, out, c.dtype("input_dtype").value_or(given.dtype()))));
}

} // namespace condlint

//===- ConvolutionOnnx.cpp - ONNX's convolutions, executed ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checked.h"
#include "Convolution.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Parts.h"
#include "Windows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

Sizes kernelShape(const ExecContext &c, const Tensor &weight) {
  if (weight.rank() < 2)
    c.fail(fmt::format("a weight of shape {} has no kernel", shapeText(weight.sizes())));
  // Runtimes take padding that is named once.
  if (const std::string_view automatic = c.text("auto_pad", "NOTSET");
      !automatic.empty() && automatic != "NOTSET" && c.integers("pads"))
    c.fail(fmt::format("there are pads beside auto_pad '{}'", automatic));
  const SizeSpan own = weight.sizes().subspan(2);
  if (const auto given = c.integers("kernel_shape"); given && !std::ranges::equal(*given, own))
    c.fail(fmt::format("the kernel of a weight of shape {} is not {}", shapeText(weight.sizes()), shapeText(*given)));
  return {own.begin(), own.end()};
}

/// Bilinear interpolation at a place between pixels; zero outside.
double sampleAt(const Tensor &plane, const std::vector<double> &at) {
  double sum = 0;
  constexpr double far = 1e12;
  if (std::ranges::any_of(at, [](double v) { return !(std::fabs(v) < far); }))
    return 0;
  const std::size_t axes = at.size();
  for (std::size_t corner = 0; corner < (std::size_t{1} << axes); ++corner) {
    double weight = 1;
    std::int64_t place = 0;
    bool inside = true;
    for (std::size_t d = 0; d < axes; ++d) {
      const double low = std::floor(at[d]);
      const bool up = (corner >> d & 1) != 0;
      const auto i = static_cast<std::int64_t>(low) + (up ? 1 : 0);
      weight *= up ? at[d] - low : 1 - (at[d] - low);
      inside = inside && i >= 0 && i < plane.size(d);
      place += i * plane.stride(d);
    }
    if (inside && weight != 0)
      sum += weight * plane.as<double>()[place];
  }
  return sum;
}

void executeDeformConv(ExecContext &c) {
  const Tensor x = contiguous(c, cast(c, c.in(0), DType::Float64)),
               weight = contiguous(c, cast(c, c.in(1), DType::Float64));
  const Tensor offset = contiguous(c, cast(c, c.in(2), DType::Float64));
  const Tensor *mask = c.maybe(4);
  const Tensor masks = mask ? contiguous(c, cast(c, *mask, DType::Float64)) : Tensor();
  const SlidingWindow w = onnxWindow(c, x, kernelShape(c, weight));
  const std::int64_t groups = c.integer("group", 1), offsetGroups = c.integer("offset_group", 1);
  const std::int64_t n = x.size(0), channels = x.size(1), outputs = weight.size(0), kernels = w.kernelCount(),
                     places = w.outCount();
  const auto axes = static_cast<std::int64_t>(w.axes);
  if (groups <= 0 || offsetGroups <= 0 || channels % offsetGroups != 0 || channels % groups != 0 ||
      outputs % groups != 0 || offset.numel() != n * offsetGroups * kernels * axes * places ||
      (mask && masks.numel() != n * offsetGroups * kernels * places) || weight.size(1) != channels / groups)
    c.fail("the offsets do not fit the convolution");
  Sizes shape{n, outputs};
  for (std::size_t i = 0; i < w.axes; ++i)
    shape.push_back(w.out[i]);
  const Tensor out = filled(c, DType::Float64, shape, Scalar::of(0.0));
  std::vector<double> at(w.axes);
  for (std::int64_t b = 0; b < n; ++b)
    for (std::int64_t ch = 0; ch < channels; ++ch) {
      const Tensor plane = x.selected(0, b).selected(0, ch);
      const std::int64_t og = ch / (channels / offsetGroups), g = ch / (channels / groups);
      for (std::int64_t k = 0; k < kernels; ++k)
        for (std::int64_t place = 0; place < places; ++place) {
          std::int64_t left = place, rest = k;
          for (std::size_t d = w.axes; d-- > 0; left /= w.out[d], rest /= w.kernel[d]) {
            const std::int64_t slot = ((b * offsetGroups + og) * kernels + k) * axes + static_cast<std::int64_t>(d);
            at[d] =
                static_cast<double>(left % w.out[d] * w.stride[d] + rest % w.kernel[d] * w.dilation[d] - w.before[d]) +
                offset.as<double>()[slot * places + place];
          }
          double v = sampleAt(plane, at);
          if (mask)
            v *= masks.as<double>()[((b * offsetGroups + og) * kernels + k) * places + place];
          const std::int64_t per = outputs / groups;
          for (std::int64_t o = g * per; o < (g + 1) * per; ++o)
            out.out<double>()[(b * outputs + o) * places + place] +=
                v * weight.as<double>()[(o * weight.size(1) + ch % (channels / groups)) * kernels + k];
        }
    }
  c.set(0, withBias(c, out, c.maybe(3), c.in(0).dtype()));
}

Tensor shifted(const ExecContext &c, const Tensor &t, const Tensor *zero) {
  Tensor x = cast(c, t, DType::Int64);
  if (!zero)
    return x;
  Tensor z = cast(c, *zero, DType::Int64);
  if (z.numel() == 1)
    z = reshaped(c, z, {});
  else { // one a channel of the weight
    if (t.rank() == 0)
      c.fail("a weight of rank 0 has no channels");
    Sizes shape(t.rank(), 1);
    shape[0] = z.numel();
    z = reshaped(c, z, shape);
  }
  return sub(c, operandOf(x), operandOf(z));
}

} // namespace

Tensor convOf(const ExecContext &c) {
  const Tensor &x = c.in(0), &weight = c.in(1);
  const SlidingWindow w = onnxWindow(c, x, kernelShape(c, weight));
  return withBias(c, convolved(c, x, weight, w, c.integer("group", 1)), c.maybe(2), x.dtype());
}

void executeConv(ExecContext &c) {
  if (c.opName() == "DeformConv")
    return executeDeformConv(c);
  c.set(0, convOf(c));
}

void executeConvInteger(ExecContext &c) {
  const Tensor x = shifted(c, c.in(0), c.maybe(2)), weight = shifted(c, c.in(1), c.maybe(3));
  const SlidingWindow w = onnxWindow(c, x, kernelShape(c, weight));
  c.set(0, cast(c, convolved(c, x, weight, w, c.integer("group", 1)), DType::Int32));
}

void executeQLinearConv(ExecContext &c) {
  const Tensor x = shifted(c, c.in(0), c.maybe(2)), weight = shifted(c, c.in(3), c.maybe(5));
  const SlidingWindow w = onnxWindow(c, x, kernelShape(c, weight));
  Tensor sum = convolved(c, x, weight, w, c.integer("group", 1));
  if (const Tensor *bias = c.maybe(8)) {
    const Tensor wide = cast(c, *bias, DType::Int64);
    sum = withBias(c, sum, &wide, sum.dtype());
  }
  Tensor scale = cast(c, c.in(4), DType::Float64);
  if (scale.numel() != 1) {
    Sizes shape(x.rank(), 1);
    shape[1] = scale.numel();
    scale = reshaped(c, scale, shape);
  } else {
    scale = reshaped(c, scale, {});
  }
  const Tensor factor = mul(c, operandOf(reshaped(c, cast(c, c.in(1), DType::Float64), {})), operandOf(scale));
  const Tensor real = mul(c, operandOf(cast(c, sum, DType::Float64)), operandOf(factor));
  c.set(0, requantized(c, real, reshaped(c, cast(c, c.in(6), DType::Float64), {}), reshaped(c, c.in(7), {})));
}

void executeConvTranspose(ExecContext &c) {
  const Tensor &x = c.in(0), &weight = c.in(1);
  if (weight.rank() != x.rank() || x.rank() < 3 || x.rank() - 2 > SlidingWindow::maxAxes)
    c.fail(fmt::format("an input of shape {} does not fit a weight of shape {}", shapeText(x.sizes()),
                       shapeText(weight.sizes())));
  SlidingWindow w;
  w.axes = x.rank() - 2;
  const Sizes kernel = kernelShape(c, weight);
  const Sizes stride = perAxis(c, c.integers("strides"), w.axes, 1),
              dilation = perAxis(c, c.integers("dilations"), w.axes, 1);
  const Sizes more = perAxis(c, c.integers("output_padding"), w.axes, 0);
  const auto pads = c.integers("pads");
  auto outShape = c.integers("output_shape");
  const std::string_view automatic = c.text("auto_pad", "NOTSET");
  if (outShape && outShape->size() > w.axes)
    outShape->erase(outShape->begin(), outShape->end() - static_cast<std::ptrdiff_t>(w.axes));
  if ((outShape && outShape->size() != w.axes) || (pads && pads->size() != 2 * w.axes))
    c.fail("output_shape or pads do not fit the axes");
  for (std::size_t i = 0; i < w.axes; ++i) {
    w.kernel[i] = kernel[i];
    w.stride[i] = stride[i];
    w.dilation[i] = dilation[i];
    w.out[i] = x.size(i + 2);
    checkWindow(c, w.kernel[i], w.stride[i], w.dilation[i]);
    for (std::size_t side = 0; pads && side < 2; ++side)
      moderate(c, (*pads)[side * w.axes + i], "a padding");
    const std::int64_t full = plus(c, times(c, stride[i], w.out[i] - 1),
                                   moderate(c, more[i], "a padding") + (kernel[i] - 1) * dilation[i] + 1);
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    if (outShape || same) {
      w.in[i] = outShape ? (*outShape)[i] : times(c, w.out[i], stride[i]);
      if (w.in[i] < 0)
        c.fail("a transposed convolution would have no elements");
      const std::int64_t total = std::max<std::int64_t>(full - w.in[i], 0);
      // The specification gives the larger half to the beginning, but for one word.
      w.before[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
    } else {
      w.before[i] = pads ? (*pads)[i] : 0;
      w.in[i] = full - w.before[i] - (pads ? (*pads)[w.axes + i] : 0);
    }
    if (w.in[i] < 0)
      c.fail("a transposed convolution would have no elements");
  }
  c.set(0, withBias(c, convolvedBack(c, x, weight, w, c.integer("group", 1)), c.maybe(2), x.dtype()));
}

/// CausalConvWithState: a depthwise convolution over time that sees the past only.
void executeCausalConv(ExecContext &c) {
  const Tensor &x = c.in(0), &weight = c.in(1); // [batch, channels, length], [channels, 1, width]
  if (x.rank() != 3 || weight.rank() != 3)
    c.fail("the input or the weight has not three axes");
  const std::int64_t width = weight.size(2), past = width - 1;
  const Tensor *state = c.maybe(3);
  const std::int64_t shape[] = {x.size(0), x.size(1), past};
  const Tensor before = state ? *state : filled(c, x.dtype(), shape, Scalar::of(0.0));
  if (width <= 0 || before.rank() != 3)
    c.fail("the weight or the state has not three axes with elements");
  const Tensor parts[] = {before, x};
  const Tensor all = concatenated(c, parts, 2);
  SlidingWindow w;
  w.axes = 1;
  w.in[0] = all.size(2);
  w.kernel[0] = width;
  w.stride[0] = w.dilation[0] = 1;
  setOutputSizes(c, w, false);
  Tensor out = withBias(c, convolved(c, all, weight, w, x.size(1)), c.maybe(2), x.dtype());
  const std::string_view activation = c.text("activation", "none");
  if (activation == "silu" || activation == "swish")
    out = map(c, Multiply(), {operandOf(out), operandOf(map(c, Sigmoid(), {operandOf(out)}))});
  else if (activation != "none" && !activation.empty())
    c.fail(fmt::format("condlint does not know the activation '{}'", activation));
  c.set(0, out);
  c.set(1, contiguous(c, all.sliced(2, all.size(2) - past, past)));
}

} // namespace condlint

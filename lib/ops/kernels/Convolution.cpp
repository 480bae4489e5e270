//===- Convolution.cpp - Convolutions, executed ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Convolution.h"
#include "Checked.h"
#include "DirectConvolution.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Parts.h"
#include "Rows.h"
#include "Windows.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace condlint {

Sizes perAxis(const ExecContext &c, const std::optional<Sizes> &given, std::size_t axes, std::int64_t otherwise) {
  if (!given || given->empty())
    return Sizes(axes, otherwise);
  if (given->size() == 1)
    return Sizes(axes, (*given)[0]);
  if (given->size() != axes)
    c.fail(fmt::format("{} numbers are given for {} axes", given->size(), axes));
  return *given;
}

void checkWindow(const ExecContext &c, std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
  if (moderate(c, stride, "a stride") <= 0 || moderate(c, dilation, "a dilation") <= 0 ||
      moderate(c, kernel, "a window") <= 0)
    c.fail("a window has no size, step or dilation");
}

void setOutputSizes(const ExecContext &c, SlidingWindow &w, bool ceiling) {
  for (std::size_t i = 0; i < w.axes; ++i) {
    checkWindow(c, w.kernel[i], w.stride[i], w.dilation[i]);
    moderate(c, w.before[i], "a padding");
    moderate(c, w.after[i], "a padding");
    const std::int64_t extent = w.dilation[i] * (w.kernel[i] - 1) + 1;
    const std::int64_t room = w.in[i] + w.before[i] + w.after[i] - extent;
    // ONNX's pools divide towards zero, as inference does (PoolingWindow.cpp).
    const bool truncates = !c.isTorch() && c.opName().ends_with("Pool") && room / w.stride[i] + 1 >= 0;
    if (room < 0 && !truncates && (!ceiling || !c.isTorch()))
      c.fail(fmt::format("a window of {} does not fit into {} elements", extent, w.in[i] + w.before[i] + w.after[i]));
    std::int64_t n = room < 0 && !truncates ? 0 : room / w.stride[i];
    if (ceiling && (room < 0 ? !truncates : room % w.stride[i] != 0) && (n + 1) * w.stride[i] < w.in[i] + w.before[i])
      ++n;
    w.out[i] = n + 1;
  }
  const auto whole = [&](const std::int64_t *sizes) { return elementCount(SizeSpan(sizes, w.axes)).value_or(-1); };
  const std::int64_t kernels = whole(w.kernel), pixels = whole(w.in);
  if (kernels < 0 || pixels < 0 || whole(w.out) < 0)
    c.fail("a window has more places than there are numbers");
  // Nearly all of it would be padding.
  constexpr std::int64_t large = std::int64_t{1} << 24;
  if (kernels > large && kernels / 64 > pixels)
    c.fail(fmt::format("a window of {} elements over {}", kernels, pixels));
}

SlidingWindow onnxWindow(const ExecContext &c, const Tensor &x, const Sizes &kernel, bool ceiling) {
  SlidingWindow w;
  if (x.rank() < 2 || x.rank() - 2 > SlidingWindow::maxAxes || kernel.size() != x.rank() - 2)
    c.fail(fmt::format("a window of shape {} does not fit {}", shapeText(kernel), shapeText(x.sizes())));
  w.axes = kernel.size();
  const Sizes strides = perAxis(c, c.integers("strides"), w.axes, 1),
              dilations = perAxis(c, c.integers("dilations"), w.axes, 1);
  const auto pads = c.integers("pads");
  const std::string_view automatic = c.text("auto_pad", "NOTSET");
  if (pads && pads->size() != 2 * w.axes)
    c.fail("the pads do not fit the axes");
  for (std::size_t i = 0; i < w.axes; ++i) {
    w.in[i] = x.size(i + 2);
    w.kernel[i] = kernel[i];
    w.stride[i] = strides[i];
    w.dilation[i] = dilations[i];
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      checkWindow(c, w.kernel[i], w.stride[i], w.dilation[i]);
      const std::int64_t out = (w.in[i] + strides[i] - 1) / std::max<std::int64_t>(strides[i], 1);
      const std::int64_t total =
          std::max<std::int64_t>((out - 1) * strides[i] + dilations[i] * (kernel[i] - 1) + 1 - w.in[i], 0);
      w.before[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.after[i] = total - w.before[i];
    } else if (automatic != "VALID" && pads) {
      w.before[i] = (*pads)[i];
      w.after[i] = (*pads)[w.axes + i];
    }
  }
  setOutputSizes(c, w, ceiling);
  return w;
}

namespace {

/// Lines of the output: all places of its last axis.
struct Lines {
  std::int64_t first, count;
};
Lines allLines(const SlidingWindow &w) { return {0, w.out[w.axes - 1] == 0 ? 0 : w.outCount() / w.out[w.axes - 1]}; }

/// im2col for \p which lines: a row is what one weight of the kernel sees, over all their places.
template <class T>
void gatherColumns(const ExecContext &c, const T *image, const SlidingWindow &w, Lines which, std::int64_t channels,
                   T *columns) {
  const std::size_t last = w.axes - 1;
  const std::int64_t kernels = w.kernelCount(), places = which.count * w.out[last], pixels = w.inCount();
  forEach(c.device(), channels * kernels, [=] CONDLINT_HD(std::int64_t row) {
    const T *from = image + row / kernels * pixels;
    T *to = columns + row * places;
    std::int64_t k[SlidingWindow::maxAxes], index[SlidingWindow::maxAxes] = {};
    std::int64_t rest = row % kernels;
    for (std::size_t d = w.axes; d-- > 0; rest /= w.kernel[d])
      k[d] = rest % w.kernel[d] * w.dilation[d] - w.before[d];
    const std::int64_t step = w.stride[last], width = w.out[last];
    // The part of a line that lies within the image; around it there is padding.
    const auto upTo = [&](std::int64_t at) { // the first x from which x * step reaches it
      const std::int64_t x = at <= 0 ? 0 : (at + step - 1) / step;
      return x < width ? x : width;
    };
    const std::int64_t begin = upTo(-k[last]), reach = upTo(w.in[last] - k[last]), end = reach < begin ? begin : reach;
    for (std::int64_t line = 0; line < which.count; ++line) {
      std::int64_t left = which.first + line, base = 0;
      bool inside = true;
      for (std::size_t d = last; d-- > 0; left /= w.out[d])
        index[d] = left % w.out[d] * w.stride[d] + k[d];
      for (std::size_t d = 0; d < last; ++d) {
        inside = inside && index[d] >= 0 && index[d] < w.in[d];
        base = (base + index[d]) * w.in[d + 1];
      }
      T *o = to + line * width;
      const std::int64_t first = inside ? begin : width, stop = inside ? end : width;
      const T *source = from + base + k[last];
      for (std::int64_t x = 0; x < first; ++x)
        o[x] = T(0);
      if (step == 1)
        for (std::int64_t x = first; x < stop; ++x)
          o[x] = source[x];
      else
        for (std::int64_t x = first; x < stop; ++x)
          o[x] = source[x * step];
      for (std::int64_t x = stop; x < width; ++x)
        o[x] = T(0);
    }
  });
}

/// The other way round: adds columns to the image, one channel after the other.
template <class T>
void scatterColumns(const ExecContext &c, const T *columns, const SlidingWindow &w, std::int64_t channels, T *image) {
  const std::int64_t kernels = w.kernelCount(), places = w.outCount(), pixels = w.inCount();
  forEach(c.device(), channels, [=] CONDLINT_HD(std::int64_t channel) {
    T *to = image + channel * pixels;
    for (std::int64_t row = channel * kernels; row < (channel + 1) * kernels; ++row) {
      std::int64_t k[SlidingWindow::maxAxes];
      std::int64_t rest = row % kernels;
      for (std::size_t d = w.axes; d-- > 0; rest /= w.kernel[d])
        k[d] = rest % w.kernel[d] * w.dilation[d] - w.before[d];
      for (std::int64_t place = 0; place < places; ++place) {
        std::int64_t left = place, at = 0, step = 1;
        bool inside = true;
        for (std::size_t d = w.axes; d-- > 0; left /= w.out[d]) {
          const std::int64_t i = left % w.out[d] * w.stride[d] + k[d];
          inside = inside && i >= 0 && i < w.in[d];
          at += i * step;
          step *= w.in[d];
        }
        if (inside)
          to[at] = wrapAdd(to[at], columns[row * places + place]);
      }
    }
  });
}

/// Each channel with a kernel of its own.
template <class T>
void convolveDepthwise(const ExecContext &c, const T *x, const T *weights, const SlidingWindow &w,
                       std::int64_t channels, std::int64_t each, T *out, std::int64_t batch) {
  const std::int64_t kernels = w.kernelCount(), places = w.outCount(), pixels = w.inCount();
  forEach(c.device(), batch * channels * each, [=] CONDLINT_HD(std::int64_t plane) {
    const std::int64_t output = plane % (channels * each);
    const T *from = x + (plane / (channels * each) * channels + output / each) * pixels,
            *k = weights + output * kernels;
    for (std::int64_t place = 0; place < places; ++place) {
      T sum(0);
      for (std::int64_t i = 0; i < kernels; ++i) {
        const std::int64_t at = w.offset(place, i);
        if (at >= 0)
          sum = wrapAdd(sum, wrapMul(from[at], k[i]));
      }
      out[plane * places + place] = sum;
    }
  });
}

/// The channels of one group of one image with their weights, as a product of matrices: some lines of the output at a
/// time, so that what is gathered for them is still in a cache when it is multiplied.
void multiplyColumns(const ExecContext &c, const Tensor &weights, const Tensor &image, const SlidingWindow &w,
                     std::int64_t channels, const Tensor &result) {
  constexpr std::int64_t cached = 512 << 10; // bytes
  const std::int64_t rows = channels * w.kernelCount(), width = w.out[w.axes - 1], lines = allLines(w).count;
  const std::int64_t lineBytes = std::max<std::int64_t>(rows * width * static_cast<std::int64_t>(image.itemBytes()), 1);
  const std::int64_t together = c.device().isParallel()
                                    ? lines
                                    : std::clamp<std::int64_t>(cached / lineBytes, 1, std::max<std::int64_t>(lines, 1));
  const std::int64_t shape[] = {rows, together * width};
  const Tensor buffer = c.empty(image.dtype(), shape);
  for (std::int64_t first = 0; first < lines; first += together) {
    const Lines which{first, std::min(together, lines - first)};
    const std::int64_t places = which.count * width, columnShape[] = {rows, places}, strides[] = {places, 1};
    const Tensor columns = buffer.with(columnShape, strides, buffer.offset());
    withCompute(computeOf(image.dtype()), [&](auto zero) {
      using T = decltype(zero);
      gatherColumns<T>(c, image.deviceAs<T>(), w, which, channels, columns.deviceOut<T>());
    });
    multiplyInto(c, weights, columns, result.sliced(1, first * width, places));
  }
}

} // namespace

Tensor convolved(const ExecContext &c, const Tensor &given, const Tensor &weight, const SlidingWindow &w,
                 std::int64_t groups) {
  const Tensor x = computing(c, given), k = computing(c, weight);
  const std::int64_t n = x.size(0), channels = x.size(1), outputs = k.size(0);
  if (groups <= 0 || channels % groups != 0 || outputs % groups != 0 || k.size(1) != channels / groups || w.axes == 0)
    c.fail(fmt::format("an input of shape {} does not fit a weight of shape {} in {} group(s)", shapeText(x.sizes()),
                       shapeText(k.sizes()), groups));
  const std::int64_t each = channels / groups, kernels = w.kernelCount(), places = w.outCount(), pixels = w.inCount();
  Sizes shape{n, outputs};
  bool pointwise = true;
  for (std::size_t i = 0; i < w.axes; ++i) {
    shape.push_back(w.out[i]);
    pointwise = pointwise && w.kernel[i] == 1 && w.stride[i] == 1 && w.before[i] == 0 && w.after[i] == 0;
  }
  const Tensor out = c.empty(x.dtype(), shape);
  if (convolveDirectly(c, x, k, w, groups, out))
    return cast(c, out, given.dtype());
  if (each == 1 && groups > 1) {
    withCompute(computeOf(x.dtype()), [&](auto zero) {
      using T = decltype(zero);
      convolveDepthwise<T>(c, x.deviceAs<T>(), k.deviceAs<T>(), w, channels, outputs / groups, out.deviceOut<T>(), n);
    });
    return cast(c, out, given.dtype());
  }
  const std::int64_t weightShape[] = {groups, outputs / groups, each * kernels};
  const Tensor weights = reshaped(c, k, weightShape);
  const std::int64_t outShape[] = {n, groups, outputs / groups, places};
  const Tensor results = reshaped(c, out, outShape);
  const std::int64_t imageShape[] = {n, groups, each, pixels};
  const Tensor images = reshaped(c, x, imageShape);
  for (std::int64_t b = 0; b < n; ++b)
    for (std::int64_t g = 0; g < groups; ++g) {
      const Tensor image = images.selected(0, b).selected(0, g), result = results.selected(0, b).selected(0, g);
      if (pointwise)
        multiplyInto(c, weights.selected(0, g), image, result);
      else
        multiplyColumns(c, weights.selected(0, g), image, w, each, result);
    }
  return cast(c, out, given.dtype());
}

Tensor withBias(const ExecContext &c, const Tensor &t, const Tensor *bias, DType dtype) {
  if (!bias)
    return cast(c, t, dtype);
  Sizes shape(t.rank(), 1);
  shape[1] = bias->numel();
  return elementwise(c, Add(), computeOf(dtype), dtype, {operandOf(t), operandOf(reshaped(c, *bias, shape))});
}

/// The gradient of a convolution with respect to its input: x [n, channels, …], w [channels, outputs / groups, …].
Tensor convolvedBack(const ExecContext &c, const Tensor &given, const Tensor &weight, const SlidingWindow &w,
                     std::int64_t groups) {
  // w.in is the result's size here, w.out the input's.
  const Tensor x = computing(c, given), k = computing(c, weight);
  const std::int64_t n = x.size(0), channels = x.size(1);
  if (groups <= 0 || channels % groups != 0 || k.size(0) != channels || w.axes == 0)
    c.fail(fmt::format("an input of shape {} does not fit a weight of shape {} in {} group(s)", shapeText(x.sizes()),
                       shapeText(k.sizes()), groups));
  const std::int64_t each = channels / groups, outputs = k.size(1), kernels = w.kernelCount(), places = w.outCount();
  Sizes shape{n, outputs * groups};
  for (std::size_t i = 0; i < w.axes; ++i)
    shape.push_back(w.in[i]);
  const Tensor out = filled(c, x.dtype(), shape, Scalar::of(std::int64_t{0}));
  const std::int64_t weightShape[] = {groups, each, outputs * kernels}, imageShape[] = {n, groups, each, places};
  const Tensor weights = reshaped(c, k, weightShape), images = reshaped(c, x, imageShape);
  const std::int64_t columnShape[] = {outputs * kernels, places};
  const Tensor columns = c.empty(x.dtype(), columnShape);
  for (std::int64_t b = 0; b < n; ++b)
    for (std::int64_t g = 0; g < groups; ++g) {
      multiplyInto(c, weights.selected(0, g).transposed(0, 1), images.selected(0, b).selected(0, g), columns);
      withCompute(computeOf(x.dtype()), [&](auto zero) {
        using T = decltype(zero);
        scatterColumns<T>(c, columns.deviceAs<T>(), w, outputs,
                          out.deviceOut<T>() + (b * groups + g) * outputs * w.inCount());
      });
    }
  return cast(c, out, given.dtype());
}

Tensor convolvedWeight(const ExecContext &c, const Tensor &gradient, const Tensor &given, const SlidingWindow &w,
                       std::int64_t groups, SizeSpan shape) {
  if (groups <= 0)
    c.fail(fmt::format("a convolution in {} groups", groups));
  const Tensor g = computing(c, gradient), x = computing(c, given);
  const std::int64_t n = x.size(0), each = x.size(1) / groups, outputs = g.size(1) / groups, kernels = w.kernelCount(),
                     places = w.outCount();
  const std::int64_t columnShape[] = {each * kernels, places}, weightShape[] = {groups, outputs, each * kernels};
  const Tensor columns = c.empty(x.dtype(), columnShape);
  Tensor sum = filled(c, x.dtype(), weightShape, Scalar::of(std::int64_t{0}));
  const std::int64_t imageShape[] = {n, groups, each, w.inCount()}, gradientShape[] = {n, groups, outputs, places};
  const Tensor images = reshaped(c, x, imageShape), gradients = reshaped(c, g, gradientShape);
  const Tensor part = c.empty(x.dtype(), weightShape);
  for (std::int64_t b = 0; b < n; ++b) {
    for (std::int64_t k = 0; k < groups; ++k) {
      const Tensor image = images.selected(0, b).selected(0, k);
      withCompute(computeOf(x.dtype()), [&](auto zero) {
        using T = decltype(zero);
        gatherColumns<T>(c, image.deviceAs<T>(), w, allLines(w), each, columns.deviceOut<T>());
      });
      multiplyInto(c, gradients.selected(0, b).selected(0, k), columns.transposed(0, 1), part.selected(0, k));
    }
    sum = add(c, operandOf(sum), operandOf(part));
  }
  return cast(c, reshaped(c, sum, shape), gradient.dtype());
}

namespace {

SlidingWindow torchWindow(const ExecContext &c, const Tensor &x, const Tensor &weight, bool transposed) {
  SlidingWindow w;
  w.axes = weight.rank() - 2;
  const Sizes stride = perAxis(c, c.integers("stride"), w.axes, 1),
              dilation = perAxis(c, c.integers("dilation"), w.axes, 1);
  const std::string_view word = c.text("padding");
  const Sizes padding = word.empty() ? perAxis(c, c.integers("padding"), w.axes, 0) : Sizes(w.axes, 0);
  const Sizes more = perAxis(c, c.integers("output_padding"), w.axes, 0);
  for (std::size_t i = 0; i < w.axes; ++i) {
    w.kernel[i] = weight.size(i + 2);
    w.stride[i] = stride[i];
    w.dilation[i] = dilation[i];
    w.before[i] = w.after[i] = moderate(c, padding[i], "a padding");
    checkWindow(c, w.kernel[i], w.stride[i], w.dilation[i]);
    if (word == "same") {
      const std::int64_t total = dilation[i] * (w.kernel[i] - 1);
      w.before[i] = total / 2;
      w.after[i] = total - total / 2;
    }
    if (transposed) {
      w.out[i] = x.size(i + 2);
      w.in[i] = plus(c, times(c, w.out[i] - 1, stride[i]),
                     dilation[i] * (w.kernel[i] - 1) - 2 * padding[i] + moderate(c, more[i], "a padding") + 1);
      if (w.in[i] < 0)
        c.fail("a transposed convolution would have no elements");
    } else {
      w.in[i] = x.size(i + 2);
    }
  }
  if (!transposed)
    setOutputSizes(c, w, false);
  return w;
}

} // namespace

void executeConvolution(ExecContext &c) {
  Tensor x = c.hasArg("input") ? c.tensor("input") : firstOperand(c);
  const Tensor &weight = c.tensor("weight");
  const bool transposed = c.opName().find("transpose") != std::string_view::npos || c.flag("transposed");
  if (weight.rank() < 3 || weight.rank() - 2 > SlidingWindow::maxAxes)
    c.fail("the weight of a convolution has no spatial axes");
  const bool unbatched = x.rank() + 1 == weight.rank();
  if (unbatched)
    x = x.unsqueezed(0);
  if (x.rank() != weight.rank())
    c.fail(fmt::format("an input of shape {} does not fit a weight of shape {}", shapeText(x.sizes()),
                       shapeText(weight.sizes())));
  if (x.dtype() != weight.dtype())
    c.fail(fmt::format("Input type ({}) and weight type ({}) should be the same", dtypeName(x.dtype()),
                       dtypeName(weight.dtype())));
  const SlidingWindow w = torchWindow(c, x, weight, transposed);
  const std::int64_t groups = c.integer("groups", 1);
  const Tensor wideX = computing(c, x), wideWeight = computing(c, weight);
  Tensor out = transposed ? convolvedBack(c, wideX, wideWeight, w, groups) : convolved(c, wideX, wideWeight, w, groups);
  out = withBias(c, out, c.maybeTensor("bias"), x.dtype());
  if (suggestsChannelsLast(x) || suggestsChannelsLast(weight))
    out = laidOut(c, out, channelsLastStrides(out.sizes()));
  c.finish(0, unbatched ? out.squeezed(0) : out);
}

void executeConvTbc(ExecContext &c) {
  // [time, batch, channels] with a kernel [width, channels, outputs].
  if (firstOperand(c).rank() != 3 || c.tensor("weight").rank() != 3)
    c.fail("the input or the weight has not three axes");
  const Tensor x = permuted(firstOperand(c), {1, 2, 0}), weight = permuted(c.tensor("weight"), {2, 1, 0});
  SlidingWindow w;
  w.axes = 1;
  w.in[0] = x.size(2);
  w.kernel[0] = weight.size(2);
  w.stride[0] = w.dilation[0] = 1;
  w.before[0] = w.after[0] = c.integer("pad", 0);
  setOutputSizes(c, w, false);
  const Tensor out =
      withBias(c, convolved(c, computing(c, x), computing(c, weight), w, 1), c.maybeTensor("bias"), x.dtype());
  c.finish(0, contiguous(c, permuted(out, {2, 0, 1})));
}

namespace {

SlidingWindow columnWindow(const ExecContext &c, const Sizes &image, std::size_t axes) {
  SlidingWindow w;
  w.axes = axes;
  const Sizes kernel = perAxis(c, c.integers("kernel_size"), axes, 1),
              dilation = perAxis(c, c.integers("dilation"), axes, 1);
  const Sizes padding = perAxis(c, c.integers("padding"), axes, 0), stride = perAxis(c, c.integers("stride"), axes, 1);
  for (std::size_t i = 0; i < axes; ++i) {
    w.in[i] = image[i];
    w.kernel[i] = kernel[i];
    w.dilation[i] = dilation[i];
    w.before[i] = w.after[i] = padding[i];
    w.stride[i] = stride[i];
  }
  setOutputSizes(c, w, false);
  return w;
}

} // namespace

void executeIm2Col(ExecContext &c) {
  Tensor x = firstOperand(c);
  const bool unbatched = x.rank() == 3;
  if (unbatched)
    x = x.unsqueezed(0);
  if (x.rank() != 4)
    c.fail("im2col is for images");
  const SlidingWindow w = columnWindow(c, {x.size(2), x.size(3)}, 2);
  const Tensor data = computing(c, x);
  const std::int64_t shape[] = {x.size(0), times(c, x.size(1), w.kernelCount()), w.outCount()};
  const Tensor out = c.empty(data.dtype(), shape);
  withCompute(computeOf(x.dtype()), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t b = 0; b < x.size(0); ++b)
      gatherColumns<T>(c, data.deviceAs<T>() + b * x.size(1) * w.inCount(), w, allLines(w), x.size(1),
                       out.deviceOut<T>() + b * shape[1] * shape[2]);
  });
  const Tensor result = cast(c, out, x.dtype());
  c.finish(0, unbatched ? result.squeezed(0) : result);
}

void executeCol2Im(ExecContext &c) {
  Tensor x = firstOperand(c);
  const bool unbatched = x.rank() == 2;
  if (unbatched)
    x = x.unsqueezed(0);
  Sizes image;
  SlidingWindow w;
  if (c.isTorch()) {
    image = perAxis(c, c.integers("output_size"), 2, 1);
    w = columnWindow(c, image, 2);
  } else {
    image = c.integersIn(1).value_or(Sizes());
    const Sizes block = c.integersIn(2).value_or(Sizes());
    Sizes shape{1, 1};
    shape.insert(shape.end(), image.begin(), image.end());
    if (image.size() > SlidingWindow::maxAxes || !elementCount(shape))
      c.fail(fmt::format("an image of shape {} cannot be", shapeText(image)));
    w = onnxWindow(c, filled(c, DType::Bool, {}, Scalar::of(false)).with(shape, Sizes(shape.size(), 0), 0), block);
  }
  if (x.rank() != 3 || x.size(1) % w.kernelCount() != 0 || x.size(2) != w.outCount())
    c.fail(fmt::format("columns of shape {} do not fit the image", shapeText(x.sizes())));
  const std::int64_t channels = x.size(1) / w.kernelCount();
  Sizes shape{x.size(0), channels};
  shape.insert(shape.end(), image.begin(), image.end());
  const Tensor data = computing(c, x);
  const Tensor out = filled(c, data.dtype(), shape, Scalar::of(std::int64_t{0}));
  withCompute(computeOf(x.dtype()), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t b = 0; b < x.size(0); ++b)
      scatterColumns<T>(c, data.deviceAs<T>() + b * x.size(1) * x.size(2), w, channels,
                        out.deviceOut<T>() + b * channels * w.inCount());
  });
  const Tensor result = cast(c, out, x.dtype());
  c.finish(0, unbatched ? result.squeezed(0) : result);
}

} // namespace condlint

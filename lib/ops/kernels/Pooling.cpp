//===- Pooling.cpp - Pooling, executed ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pooling.h"
#include "Checked.h"
#include "DirectPooling.h"
#include "ElementKernels.h"
#include "Rows.h"
#include "Windows.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The spatial part of a pool over planes.
template <class T>
void maxPool(const ExecContext &c, const T *x, const SlidingWindow &w, std::int64_t planes, T *out,
             std::int64_t *indices) {
  const std::int64_t places = w.outCount(), pixels = w.inCount();
  forEach(c.device(), planes * places, [=] CONDLINT_HD(std::int64_t i) {
    const T *from = x + i / places * pixels;
    bool found = false;
    T best(0);
    std::int64_t where = 0;
    w.eachInside(i % places, [&](std::int64_t at) {
      if (!found || from[at] > best || isNan(from[at])) {
        found = true;
        best = from[at];
        where = at;
      }
    });
    out[i] = best;
    indices[i] = where;
  });
}

enum class Count : std::uint8_t { Inside, Window, Divisor };

/// p = 0: the mean; else (sum |x|^p)^(1/p).
template <class T>
void meanPool(const ExecContext &c, const T *x, const SlidingWindow &w, std::int64_t planes, T *out, Count how,
              double divisor, double power) {
  const std::int64_t kernels = w.kernelCount(), places = w.outCount(), pixels = w.inCount();
  forEach(c.device(), planes * places, [=] CONDLINT_HD(std::int64_t i) {
    const T *from = x + i / places * pixels;
    double sum = 0, inside = 0, padded = 0;
    for (std::int64_t k = 0; k < kernels; ++k) {
      std::int64_t left = i % places, rest = k, at = 0, step = 1;
      bool within = true, withinPadding = true;
      for (std::size_t d = w.axes; d-- > 0; left /= w.out[d], rest /= w.kernel[d]) {
        const std::int64_t p = left % w.out[d] * w.stride[d] + rest % w.kernel[d] * w.dilation[d] - w.before[d];
        within = within && p >= 0 && p < w.in[d];
        withinPadding = withinPadding && p < w.in[d] + w.after[d];
        at += p * step;
        step *= w.in[d];
      }
      padded += withinPadding ? 1 : 0;
      if (!within)
        continue;
      inside += 1;
      const double v = static_cast<double>(from[at]);
      sum += power == 0 ? v : std::pow(std::fabs(v), power);
    }
    if (power != 0)
      sum = std::pow(sum, 1 / power);
    else
      sum /= how == Count::Divisor ? divisor : (how == Count::Window ? padded : inside);
    out[i] = static_cast<T>(sum);
  });
}

/// Runs \p pool over the planes of x [n, channels, spatial…], in a floating type where \p real.
struct Planes {
  Tensor x, out;
  std::int64_t count;
};
Planes planesOf(const ExecContext &c, const Tensor &given, const SlidingWindow &w, bool real) {
  Planes p;
  p.x = real ? floating(c, given) : computing(c, given);
  p.count = product(given.sizes().first(given.rank() - w.axes));
  Sizes shape(given.sizes().begin(), given.sizes().end() - static_cast<std::ptrdiff_t>(w.axes));
  for (std::size_t i = 0; i < w.axes; ++i)
    shape.push_back(w.out[i]);
  p.out = c.empty(p.x.dtype(), shape);
  return p;
}

/// Pools \p p; where its largest elements lie, where that \p isWanted or comes of itself.
Tensor maxPooled(const ExecContext &c, const Planes &p, const SlidingWindow &w, bool isWanted) {
  if (!isWanted && maxPoolDirectly(c, p.x, w, p.count, p.out))
    return {};
  const Tensor indices = c.empty(DType::Int64, p.out.sizes());
  withReal(c, computeOf(p.x.dtype()), [&](auto zero) {
    using T = decltype(zero);
    maxPool<T>(c, p.x.deviceAs<T>(), w, p.count, p.out.deviceOut<T>(), indices.deviceOut<std::int64_t>());
  });
  return indices;
}

/// What the sum of each window is divided by, as meanPool does.
std::vector<double> divisorsOf(const SlidingWindow &w, Count how, double divisor) {
  std::vector<double> counts(static_cast<std::size_t>(w.outCount()), how == Count::Divisor ? divisor : 1.0);
  if (how == Count::Divisor)
    return counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto place = static_cast<std::int64_t>(i);
    for (std::size_t d = w.axes; d-- > 0; place /= w.out[d]) {
      const std::int64_t begin = place % w.out[d] * w.stride[d] - w.before[d];
      double inside = 0;
      for (std::int64_t k = 0; k < w.kernel[d]; ++k) {
        const std::int64_t at = begin + k * w.dilation[d];
        inside += how == Count::Window ? at < w.in[d] + w.after[d] : at >= 0 && at < w.in[d];
      }
      counts[i] *= inside;
    }
  }
  return counts;
}

void meanPooled(const ExecContext &c, const Planes &p, const SlidingWindow &w, Count how, double divisor,
                double power) {
  if (power == 0 && !c.device().isParallel() &&
      meanPoolDirectly(c, p.x, w, p.count, divisorsOf(w, how, divisor), p.out))
    return;
  withFloating(computeOf(p.x.dtype()), [&](auto zero) {
    using T = decltype(zero);
    meanPool<T>(c, p.x.deviceAs<T>(), w, p.count, p.out.deviceOut<T>(), how, divisor, power);
  });
}

/// \p out in channels last where \p x, which was pooled over \p axes, is a batch in that format.
Tensor keepBatchFormat(const ExecContext &c, const Tensor &out, const Tensor &x, std::size_t axes) {
  return x.rank() == axes + 2 ? keepFormat(c, out, x) : out;
}

std::size_t axesInName(std::string_view name) {
  for (char digit : {'1', '2', '3'})
    if (name.find(std::string(1, digit) + "d") != std::string_view::npos)
      return static_cast<std::size_t>(digit - '0');
  return 2;
}

SlidingWindow torchPoolWindow(const ExecContext &c, const Tensor &x, std::size_t axes) {
  SlidingWindow w;
  w.axes = axes;
  if (x.rank() != axes + 1 && x.rank() != axes + 2)
    c.fail(fmt::format("a tensor of shape {} is not pooled over {} axes", shapeText(x.sizes()), axes));
  const Sizes kernel = perAxis(c, c.integers("kernel_size"), axes, 1);
  const auto step = c.integers("stride");
  const Sizes stride = step && !step->empty() ? perAxis(c, step, axes, 1) : kernel;
  const Sizes padding = perAxis(c, c.integers("padding"), axes, 0),
              dilation = perAxis(c, c.integers("dilation"), axes, 1);
  for (std::size_t i = 0; i < axes; ++i) {
    w.in[i] = x.size(x.rank() - axes + i);
    w.kernel[i] = kernel[i];
    w.stride[i] = stride[i];
    w.dilation[i] = dilation[i];
    w.before[i] = w.after[i] = padding[i];
  }
  setOutputSizes(c, w, c.flag("ceil_mode"));
  return w;
}

} // namespace

void executeMaxPoolTorch(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const SlidingWindow w = torchPoolWindow(c, x, axesInName(c.opName()));
  const Planes p = planesOf(c, x, w, false);
  const Tensor indices = maxPooled(c, p, w, c.resultCount() > 1);
  c.finish(0, keepBatchFormat(c, cast(c, p.out, x.dtype()), x, w.axes));
  if (c.resultCount() > 1)
    c.finish(1, keepBatchFormat(c, indices, x, w.axes));
}

namespace {

/// Where windows of \p size begin that are spread over \p in places, shifted by a random number, as torch places them.
template <class T>
CONDLINT_HD std::int64_t fractionalStart(T shift, std::int64_t i, std::int64_t in, std::int64_t out,
                                         std::int64_t size) {
  if (i == out - 1)
    return in - size;
  const T step = static_cast<T>(in - size) / static_cast<T>(out - 1);
  return static_cast<std::int64_t>((static_cast<T>(i) + shift) * step) - static_cast<std::int64_t>(shift * step);
}

/// The largest of each window of \p w, whose strides are not used; \p shifts: a random number for each plane and axis.
template <class T>
void fractionalMaxPool(const ExecContext &c, const T *x, const SlidingWindow &w, std::int64_t planes, const T *shifts,
                       T *out, std::int64_t *indices) {
  const std::int64_t places = w.outCount(), pixels = w.inCount(), kernels = w.kernelCount();
  forEach(c.device(), planes * places, [=] CONDLINT_HD(std::int64_t i) {
    const std::int64_t plane = i / places;
    std::int64_t start[SlidingWindow::maxAxes], rest = i % places;
    for (std::size_t d = w.axes; d-- > 0; rest /= w.out[d]) {
      // Of two axes the numbers are given the other way round.
      const auto given = static_cast<std::int64_t>(w.axes == 2 ? 1 - d : d);
      const T shift = shifts[plane * static_cast<std::int64_t>(w.axes) + given];
      start[d] = fractionalStart(shift, rest % w.out[d], w.in[d], w.out[d], w.kernel[d]);
    }
    T best(0);
    std::int64_t where = -1;
    for (std::int64_t k = 0; k < kernels; ++k) {
      std::int64_t at = 0, step = 1, left = k;
      for (std::size_t d = w.axes; d-- > 0; left /= w.kernel[d], step *= w.in[d]) {
        const std::int64_t place = start[d] + left % w.kernel[d];
        at += (place < 0 ? 0 : place < w.in[d] ? place : w.in[d] - 1) * step;
      }
      const T v = x[plane * pixels + at];
      if (where < 0 || v > best || isNan(v)) {
        best = v;
        where = at;
      }
    }
    out[i] = best;
    indices[i] = where;
  });
}

} // namespace

void executeFractionalMaxPool(ExecContext &c) {
  const Tensor &x = firstOperand(c), &shifts = c.tensor("random_samples");
  SlidingWindow w;
  w.axes = axesInName(c.opName());
  if (!isFloating(x.dtype()) || (x.rank() != w.axes + 1 && x.rank() != w.axes + 2))
    c.fail(fmt::format("a tensor of shape {} in {} is not pooled over {} axes", shapeText(x.sizes()),
                       dtypeName(x.dtype()), w.axes));
  const Sizes kernel = perAxis(c, c.integers("kernel_size"), w.axes, 1),
              size = perAxis(c, c.integers("output_size"), w.axes, 1);
  for (std::size_t i = 0; i < w.axes; ++i) {
    w.in[i] = x.size(x.rank() - w.axes + i);
    w.kernel[i] = kernel[i];
    w.out[i] = size[i];
    // Of three axes torch wants one place more.
    if (kernel[i] < 1 || size[i] < 0 || plus(c, size[i], kernel[i]) > w.in[i] + (w.axes == 2 ? 1 : 0))
      c.fail(fmt::format("{} windows of {} do not fit into {}", size[i], kernel[i], w.in[i]));
  }
  const Planes p = planesOf(c, x, w, true);
  const std::int64_t batch = x.rank() == w.axes + 2 ? x.size(0) : 1, channels = x.size(x.rank() - w.axes - 1);
  if (shifts.dtype() != x.dtype() || shifts.rank() != 3 || shifts.size(0) < batch || shifts.size(1) != channels ||
      shifts.size(2) != static_cast<std::int64_t>(w.axes))
    c.fail(fmt::format("random numbers of shape {} in {} for {} in {}", shapeText(shifts.sizes()),
                       dtypeName(shifts.dtype()), shapeText(x.sizes()), dtypeName(x.dtype())));
  const Tensor given = computing(c, shifts), indices = c.empty(DType::Int64, p.out.sizes());
  withFloating(computeOf(x.dtype()), [&](auto zero) {
    using T = decltype(zero);
    fractionalMaxPool<T>(c, p.x.deviceAs<T>(), w, p.count, given.deviceAs<T>(), p.out.deviceOut<T>(),
                         indices.deviceOut<std::int64_t>());
  });
  c.finish(0, cast(c, p.out, x.dtype()));
  c.finish(1, indices);
}

void executeAvgPoolTorch(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const SlidingWindow w = torchPoolWindow(c, x, axesInName(c.opName()));
  const Planes p = planesOf(c, x, w, true);
  const auto divisor = c.maybeScalar("divisor_override");
  const Count how = divisor ? Count::Divisor : c.flag("count_include_pad", true) ? Count::Window : Count::Inside;
  meanPooled(c, p, w, how, divisor ? divisor->toDouble() : 1, 0);
  // Means over three axes are row-major, whatever their operand is.
  const Tensor out = cast(c, p.out, x.dtype());
  c.finish(0, w.axes == 2 ? keepBatchFormat(c, out, x, w.axes) : out);
}

namespace {

/// The largest element of each part, and where it is; without \p indices the mean.
template <class T>
void adaptivePool(const ExecContext &c, const T *x, const AdaptiveParts &parts, std::int64_t planes,
                  std::int64_t places, std::int64_t pixels, T *out, std::int64_t *indices) {
  forEach(c.device(), planes * places, [=] CONDLINT_HD(std::int64_t i) {
    const T *from = x + i / places * pixels;
    double sum = 0;
    std::int64_t where = -1;
    const std::int64_t count = parts.eachOf(i % places, [&](std::int64_t place) {
      const T v = from[place];
      sum += static_cast<double>(v);
      if (where < 0 || v > from[where] || isNan(v))
        where = place;
    });
    if (indices)
      indices[i] = where;
    out[i] = indices ? from[where] : static_cast<T>(sum / static_cast<double>(count));
  });
}

} // namespace

void executeAdaptivePool(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::size_t axes = axesInName(c.opName());
  const bool largest = c.opName().find("max") != std::string_view::npos;
  const Sizes to = perAxis(c, c.integers("output_size"), axes, 1);
  if (x.rank() < axes + 1)
    c.fail(fmt::format("a tensor of shape {} is not pooled over {} axes", shapeText(x.sizes()), axes));
  const Sizes in(x.sizes().end() - static_cast<std::ptrdiff_t>(axes), x.sizes().end());
  if (std::ranges::any_of(in, [](std::int64_t s) { return s <= 0; }) ||
      std::ranges::any_of(to, [](std::int64_t s) { return s < 0; }))
    c.fail("an axis without elements is pooled");
  Sizes shape(x.sizes().begin(), x.sizes().end() - static_cast<std::ptrdiff_t>(axes));
  const std::int64_t planes = product(shape);
  shape.insert(shape.end(), to.begin(), to.end());
  const Tensor data = largest ? computing(c, x) : floating(c, x);
  const Tensor out = c.empty(data.dtype(), shape), indices = largest ? c.empty(DType::Int64, shape) : Tensor();
  withReal(c, computeOf(data.dtype()), [&](auto zero) {
    using T = decltype(zero);
    adaptivePool<T>(c, data.deviceAs<T>(), AdaptiveParts(in, to), planes, product(to), product(in), out.deviceOut<T>(),
                    largest ? indices.deviceOut<std::int64_t>() : nullptr);
  });
  const auto inFormat = [&](const Tensor &t) { return axes == 2 ? keepBatchFormat(c, t, x, axes) : t; };
  c.finish(0, inFormat(cast(c, out, x.dtype())));
  if (largest && c.resultCount() > 1)
    c.finish(1, inFormat(indices));
}

void executeMaxUnpool(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::size_t axes = axesInName(c.opName());
  const Sizes to = perAxis(c, c.integers("output_size"), axes, 1);
  if (x.rank() < axes + 1)
    c.fail(fmt::format("a tensor of shape {} is not unpooled over {} axes", shapeText(x.sizes()), axes));
  Sizes shape(x.sizes().begin(), x.sizes().end() - static_cast<std::ptrdiff_t>(axes));
  const std::int64_t planes = product(shape);
  shape.insert(shape.end(), to.begin(), to.end());
  const Tensor out = filled(c, x.dtype(), shape, Scalar::of(0.0)), dense = contiguous(c, x);
  const Sizes at = integersOf(c, c.tensor("indices"));
  const std::int64_t each = planes == 0 ? 1 : x.numel() / planes, pixels = product(to);
  if (static_cast<std::int64_t>(at.size()) != x.numel())
    c.fail("the indices do not fit what is put back");
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const std::int64_t place = at[static_cast<std::size_t>(i)];
    if (place < 0 || place >= pixels)
      c.fail("an index lies outside of the image");
    std::memcpy(out.outBytes() +
                    (i / std::max<std::int64_t>(each, 1) * pixels + place) * static_cast<std::int64_t>(x.itemBytes()),
                dense.bytes() + i * static_cast<std::int64_t>(x.itemBytes()), x.itemBytes());
  }
  c.finish(0, out);
}

// --- ONNX -----------------------------------------------------------------------

void executePoolOnnx(ExecContext &c) {
  const Tensor &x = c.in(0);
  const std::string_view name = c.opName();
  const auto kernel = c.integers("kernel_shape");
  if (!kernel)
    c.fail("the pool has no kernel_shape");
  const SlidingWindow w = onnxWindow(c, x, *kernel, c.integer("ceil_mode", 0) == 1);
  if (name == "MaxPool") {
    const Planes p = planesOf(c, x, w, false);
    const Tensor indices = maxPooled(c, p, w, c.wants(1));
    c.set(0, cast(c, p.out, x.dtype()));
    if (!c.wants(1))
      return;
    // Counted over the whole input; column major on request.
    auto *at = indices.out<std::int64_t>();
    const std::int64_t places = w.outCount(), pixels = w.inCount();
    for (std::int64_t i = 0; i < indices.numel(); ++i) {
      if (c.flag("storage_order")) {
        std::int64_t rest = at[i], place = 0, step = 1;
        Sizes index(w.axes);
        for (std::size_t d = w.axes; d-- > 0; rest /= w.in[d])
          index[d] = rest % w.in[d];
        for (std::size_t d = 0; d < w.axes; ++d) {
          place += index[d] * step;
          step *= w.in[d];
        }
        at[i] = place;
      }
      at[i] += i / places * pixels;
    }
    return c.set(1, indices);
  }
  const Planes p = planesOf(c, x, w, true);
  const bool lp = name == "LpPool";
  const Count how = c.flag("count_include_pad") ? Count::Window : Count::Inside;
  meanPooled(c, p, w, how, 1, lp ? c.real("p", 2.0) : 0);
  c.set(0, cast(c, p.out, x.dtype()));
}

void executeGlobalPool(ExecContext &c) {
  const Tensor &x = c.in(0);
  std::vector<std::size_t> axes;
  for (std::size_t i = 2; i < x.rank(); ++i)
    axes.push_back(i);
  if (c.opName() == "GlobalLpPool")
    return c.set(0, normOf(c, x, axes, true, c.real("p", 2.0), x.dtype()));
  c.set(0, reduced(c, x, axes, true, c.opName() == "GlobalMaxPool" ? Reduction::Maximum : Reduction::Mean, x.dtype()));
}

void executeMaxUnpoolOnnx(ExecContext &c) {
  const Tensor x = contiguous(c, c.in(0));
  const Sizes at = integersOf(c, c.in(1)), kernel = c.integers("kernel_shape").value_or(Sizes());
  if (x.rank() < 3 || kernel.size() != x.rank() - 2)
    c.fail("the kernel does not fit the input");
  const Sizes strides = perAxis(c, c.integers("strides"), kernel.size(), 1);
  const auto pads = c.integers("pads");
  if (pads && pads->size() != 2 * kernel.size())
    c.fail("the pads do not fit the axes");
  Sizes natural = sizesOf(x);
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const std::int64_t padding =
        pads ? moderate(c, (*pads)[i], "a padding") + moderate(c, (*pads)[kernel.size() + i], "a padding") : 0;
    natural[i + 2] = plus(c, times(c, x.size(i + 2) - 1, strides[i]), moderate(c, kernel[i], "a window") - padding);
  }
  // The indices count in the natural shape; a given shape only adds room at the ends.
  const auto given = c.integersIn(2);
  const Tensor out = filled(c, x.dtype(), given ? *given : natural, Scalar::of(0.0));
  if (out.rank() != natural.size() || at.size() != static_cast<std::size_t>(x.numel()))
    c.fail("the indices or the shape of the result do not fit the input");
  const Sizes strideOf = contiguousStrides(out.sizes());
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::int64_t rest = at[i], place = 0;
    for (std::size_t d = natural.size(); d-- > 0; rest /= std::max<std::int64_t>(natural[d], 1)) {
      const std::int64_t index = rest % std::max<std::int64_t>(natural[d], 1);
      if (index >= out.size(d) || rest < 0)
        c.fail("an index lies outside of the result");
      place += index * strideOf[d];
    }
    if (rest != 0)
      c.fail("an index lies outside of the result");
    std::memcpy(out.outBytes() + place * static_cast<std::int64_t>(x.itemBytes()),
                x.bytes() + static_cast<std::int64_t>(i) * static_cast<std::int64_t>(x.itemBytes()), x.itemBytes());
  }
  c.set(0, out);
}

namespace {

/// Bilinear, with the borders continued by one pixel.
double bilinear(const double *plane, std::int64_t h, std::int64_t w, double y, double x, double *weights = nullptr,
                double *corners = nullptr) {
  if (y < -1 || y > static_cast<double>(h) || x < -1 || x > static_cast<double>(w)) {
    if (corners)
      for (int i = 0; i < 4; ++i)
        corners[i] = weights[i] = 0;
    return 0;
  }
  y = std::max(y, 0.0);
  x = std::max(x, 0.0);
  auto y0 = static_cast<std::int64_t>(y), x0 = static_cast<std::int64_t>(x);
  std::int64_t y1 = y0 + 1, x1 = x0 + 1;
  if (y0 >= h - 1) {
    y0 = y1 = h - 1;
    y = static_cast<double>(y0);
  }
  if (x0 >= w - 1) {
    x0 = x1 = w - 1;
    x = static_cast<double>(x0);
  }
  const double ly = y - static_cast<double>(y0), lx = x - static_cast<double>(x0);
  const double k[] = {(1 - ly) * (1 - lx), (1 - ly) * lx, ly * (1 - lx), ly * lx};
  const double v[] = {plane[y0 * w + x0], plane[y0 * w + x1], plane[y1 * w + x0], plane[y1 * w + x1]};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += k[i] * v[i];
    if (corners) {
      weights[i] = k[i];
      corners[i] = v[i];
    }
  }
  return sum;
}

Tensor roiAligned(const ExecContext &c, const Tensor &image, const std::vector<double> &rois, const Sizes &batches,
                  std::int64_t height, std::int64_t width, double scale, std::int64_t sampling, bool halfPixel,
                  bool largest) {
  const Tensor x = contiguous(c, cast(c, image, DType::Float64));
  const auto count = static_cast<std::int64_t>(batches.size());
  if (x.rank() != 4 || rois.size() != batches.size() * 4 || height <= 0 || width <= 0 || x.size(2) == 0 ||
      x.size(3) == 0)
    c.fail("the regions do not fit the image");
  const std::int64_t shape[] = {count, x.size(1), height, width};
  const Tensor out = c.empty(DType::Float64, shape);
  const double offset = halfPixel ? 0.5 : 0;
  for (std::int64_t r = 0; r < count; ++r) {
    const double *roi = rois.data() + 4 * r;
    const std::int64_t batch = batches[static_cast<std::size_t>(r)];
    if (batch < 0 || batch >= x.size(0))
      c.fail("a region names an image that is not there");
    const double left = roi[0] * scale - offset, top = roi[1] * scale - offset;
    double w = roi[2] * scale - offset - left, h = roi[3] * scale - offset - top;
    if (!halfPixel) {
      w = std::max(w, 1.0);
      h = std::max(h, 1.0);
    }
    const double binH = h / static_cast<double>(height), binW = w / static_cast<double>(width);
    // As many samples of a bin as no image has pixels are no question of a model.
    constexpr std::int64_t most = 4096;
    if (sampling > most || !(binH <= most) || !(binW <= most))
      c.fail("a region is too large for its image");
    const auto gridH = sampling > 0 ? sampling : static_cast<std::int64_t>(std::ceil(binH));
    const auto gridW = sampling > 0 ? sampling : static_cast<std::int64_t>(std::ceil(binW));
    for (std::int64_t ch = 0; ch < x.size(1); ++ch) {
      const double *plane = x.as<double>() + (batch * x.size(1) + ch) * x.size(2) * x.size(3);
      for (std::int64_t i = 0; i < height; ++i)
        for (std::int64_t j = 0; j < width; ++j) {
          double sum = 0, best = 0;
          bool found = false;
          for (std::int64_t a = 0; a < gridH; ++a)
            for (std::int64_t b = 0; b < gridW; ++b) {
              const double y =
                  top + (static_cast<double>(i) + (static_cast<double>(a) + 0.5) / static_cast<double>(gridH)) * binH;
              const double z =
                  left + (static_cast<double>(j) + (static_cast<double>(b) + 0.5) / static_cast<double>(gridW)) * binW;
              double k[4], v[4];
              sum += bilinear(plane, x.size(2), x.size(3), y, z, k, v);
              for (int q = 0; q < 4; ++q) {
                best = found ? std::max(best, k[q] * v[q]) : k[q] * v[q];
                found = true;
              }
            }
          const double n = static_cast<double>(std::max<std::int64_t>(gridH * gridW, 1));
          out.out<double>()[((r * x.size(1) + ch) * height + i) * width + j] = largest ? best : sum / n;
        }
    }
  }
  return cast(c, out, image.dtype());
}

} // namespace

void executeRoiPool(ExecContext &c) {
  if (c.opName() != "RoiAlign")
    c.fail("condlint cannot execute MaxRoiPool");
  const bool halfPixel =
      c.version() >= 16 ? c.text("coordinate_transformation_mode", "half_pixel") == "half_pixel" : false;
  c.set(0, roiAligned(c, c.in(0), doublesOf(c, c.in(1)), integersOf(c, c.in(2)), c.integer("output_height", 1),
                      c.integer("output_width", 1), c.real("spatial_scale", 1.0), c.integer("sampling_ratio", 0),
                      halfPixel, c.text("mode", "avg") == "max"));
}

void executeTorchRoiAlign(ExecContext &c) {
  const std::vector<double> rows = doublesOf(c, c.tensor("rois"));
  std::vector<double> rois;
  Sizes batches;
  for (std::size_t i = 0; i + 5 <= rows.size(); i += 5) {
    batches.push_back(static_cast<std::int64_t>(rows[i]));
    rois.insert(rois.end(), rows.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                rows.begin() + static_cast<std::ptrdiff_t>(i) + 5);
  }
  c.set(0, roiAligned(c, c.tensor("input"), rois, batches, c.integer("pooled_height"), c.integer("pooled_width"),
                      c.real("spatial_scale"), c.integer("sampling_ratio", -1), c.flag("aligned"), false));
}

} // namespace condlint

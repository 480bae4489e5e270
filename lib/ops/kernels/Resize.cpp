//===- Resize.cpp - Resizing, executed ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Resize.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "Windows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

/// What one axis of a resized tensor is made of: for each place of the result some
/// places of the input with their weights.
struct AxisTable {
  std::size_t axis = 0;
  std::int64_t out = 0, taps = 1;
  std::vector<std::int64_t> index; ///< [out, taps]
  std::vector<double> weight;
  std::vector<bool> outside; ///< the place lies outside of the input
  int bits = 0;              ///< if any, weights are whole numbers of 2^-bits, and each sum is rounded to a byte
};

/// Torch resizes bytes on the CPU with 16 bits for the weights of an axis, of which the largest decides how many stand
/// behind the point (UpSampleKernelAVXAntialias.h, UpSampleKernel.cpp).
void toFixedPoint(AxisTable &t) {
  constexpr int mostBits = 22;
  constexpr double limit = 1 << 15;
  const auto rounded = [](double w) { return std::trunc(w < 0 ? w - 0.5 : w + 0.5); };
  for (std::size_t i = 0; i < t.weight.size(); ++i)
    for (std::size_t k = i - i % static_cast<std::size_t>(t.taps); k < i; ++k)
      if (t.index[k] == t.index[i]) { // beyond the border
        t.weight[k] += t.weight[i];
        t.weight[i] = 0;
        break;
      }
  const double largest = t.weight.empty() ? 1 : *std::ranges::max_element(t.weight);
  while (t.bits < mostBits && rounded(largest * std::exp2(t.bits + 1)) < limit)
    ++t.bits;
  for (double &w : t.weight)
    w = rounded(w * std::exp2(t.bits));
}

/// Runs over the axes one after the other, in double.
Tensor interpolated(const ExecContext &c, const Tensor &given, std::span<const AxisTable> tables, double outsideValue) {
  Tensor x = contiguous(c, cast(c, given, DType::Float64));
  for (const AxisTable &t : tables) {
    Sizes shape = sizesOf(x);
    const std::int64_t size = shape[t.axis], inner = product(x.sizes().subspan(t.axis + 1)), taps = t.taps,
                       places = t.out;
    if (size == 0 && places != 0)
      c.fail("an axis without elements is resized");
    shape[t.axis] = places;
    const Tensor out = c.empty(DType::Float64, shape);
    const std::int64_t tapCount[] = {static_cast<std::int64_t>(t.weight.size())};
    const Tensor weights = tensorOf(c, tapCount, t.weight), indices = tensorOf(c, t.index);
    const double *from = x.deviceAs<double>(), *weight = weights.deviceAs<double>();
    const auto *index = indices.deviceAs<std::int64_t>();
    double *to = out.deviceOut<double>();
    const double unit = t.bits == 0 ? 0 : std::exp2(t.bits);
    forEach(c.device(), product(x.sizes().first(t.axis)) * places, [=] CONDLINT_HD(std::int64_t i) {
      const double *plane = from + i / places * size * inner;
      double *row = to + i * inner;
      const std::int64_t at = i % places * taps;
      for (std::int64_t k = 0; k < inner; ++k)
        row[k] = unit / 2;
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        const double w = weight[at + tap];
        if (w == 0)
          continue;
        const double *source = plane + index[at + tap] * inner;
        for (std::int64_t k = 0; k < inner; ++k)
          row[k] += w * source[k];
      }
      for (std::int64_t k = 0; unit > 0 && k < inner; ++k) {
        const double byte = std::floor(row[k] / unit);
        row[k] = byte < 0 ? 0 : byte > 255 ? 255 : byte;
      }
    });
    x = out;
  }
  // Places outside of the input in any axis have one value.
  for (const AxisTable &t : tables)
    for (std::size_t i = 0; i < t.outside.size(); ++i)
      if (t.outside[i])
        fill(c, x.selected(t.axis, static_cast<std::int64_t>(i)), Scalar::of(outsideValue));
  return x;
}

double cubicWeight(double x, double a) {
  x = std::fabs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The whole number below \p at, kept between 0 and \p size; 0 for what is no number.
std::int64_t placeAt(double at, std::int64_t size) {
  return at >= static_cast<double>(size) ? size : at > 0 ? static_cast<std::int64_t>(at) : 0;
}

// --- torch ----------------------------------------------------------------------

enum class Filter : std::uint8_t { Nearest, NearestExact, Linear, Cubic, LinearSmooth, CubicSmooth };

AxisTable torchAxis(const ExecContext &c, std::size_t axis, std::int64_t in, std::int64_t out, Filter filter,
                    bool alignCorners, double scale) {
  AxisTable t;
  t.axis = axis;
  t.out = out;
  requireRoom(c, out);
  const bool corners = alignCorners && filter != Filter::Nearest && filter != Filter::NearestExact;
  const double step = corners     ? (out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0)
                      : scale > 0 ? 1 / scale
                                  : static_cast<double>(in) / static_cast<double>(out);
  const auto clampIndex = [&](std::int64_t i) { return std::clamp<std::int64_t>(i, 0, in - 1); };
  if (filter == Filter::LinearSmooth || filter == Filter::CubicSmooth) {
    const double reach = (filter == Filter::LinearSmooth ? 1 : 2) * std::max(step, 1.0),
                 inverse = step >= 1 ? 1 / step : 1;
    t.taps = reach < static_cast<double>(in) ? static_cast<std::int64_t>(std::ceil(reach)) * 2 + 1 : 2 * in + 1;
    requireRoom(c, times(c, out, t.taps));
    t.index.assign(static_cast<std::size_t>(out * t.taps), 0);
    t.weight.assign(static_cast<std::size_t>(out * t.taps), 0);
    for (std::int64_t i = 0; i < out; ++i) {
      const double centre = step * (static_cast<double>(i) + 0.5);
      // Truncated after adding a half, as PIL does it: NOLINTBEGIN(bugprone-incorrect-roundings)
      const auto first = placeAt(centre - reach + 0.5, in), last = placeAt(centre + reach + 0.5, in);
      // NOLINTEND(bugprone-incorrect-roundings)
      double sum = 0;
      for (std::int64_t k = first; k < last && k - first < t.taps; ++k) {
        const double at = (static_cast<double>(k) - centre + 0.5) * inverse;
        const double w = filter == Filter::LinearSmooth ? std::max(0.0, 1 - std::fabs(at)) : cubicWeight(at, -0.5);
        t.index[static_cast<std::size_t>(i * t.taps + k - first)] = k;
        t.weight[static_cast<std::size_t>(i * t.taps + k - first)] = w;
        sum += w;
      }
      for (std::int64_t k = 0; k < t.taps && sum != 0; ++k)
        t.weight[static_cast<std::size_t>(i * t.taps + k)] /= sum;
    }
    return t;
  }
  t.taps = filter == Filter::Cubic ? 4 : filter == Filter::Linear ? 2 : 1;
  for (std::int64_t i = 0; i < out; ++i) {
    const auto x = static_cast<double>(i);
    if (t.taps == 1) {
      // Single precision, as torch computes it.
      const auto f = static_cast<float>(step);
      const float at = filter == Filter::Nearest ? std::floor(static_cast<float>(i) * f)
                                                 : std::floor((static_cast<float>(i) + 0.5f) * f);
      t.index.push_back(clampIndex(placeAt(at, in)));
      t.weight.push_back(1);
      continue;
    }
    double at = corners ? x * step : (x + 0.5) * step - 0.5;
    if (filter == Filter::Linear) {
      at = std::max(at, 0.0);
      const auto low = std::min(placeAt(at, in), in - 1);
      const double r = at - static_cast<double>(low);
      t.index.insert(t.index.end(), {low, std::min(low + 1, in - 1)});
      t.weight.insert(t.weight.end(), {1 - r, r});
      continue;
    }
    const double low = std::floor(at), r = at - low;
    for (std::int64_t k = -1; k <= 2; ++k) {
      t.index.push_back(clampIndex(static_cast<std::int64_t>(std::clamp(low, -3.0, static_cast<double>(in) + 3)) + k));
      t.weight.push_back(cubicWeight(static_cast<double>(k) - r, -0.75));
    }
  }
  return t;
}

/// The size that a factor makes of another.
std::int64_t scaledSize(const ExecContext &c, double size) {
  if (!(std::fabs(size) < 1e15))
    c.fail(fmt::format("{} is no size", size));
  return static_cast<std::int64_t>(std::floor(size));
}

} // namespace

void executeUpsample(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = firstOperand(c);
  Filter filter = Filter::Nearest;
  if (name.find("nearest_exact") != name.npos)
    filter = Filter::NearestExact;
  else if (name.find("lanczos") != name.npos)
    c.fail("condlint does not resize with Lanczos' filter");
  else if (name.find("bicubic") != name.npos)
    filter = name.ends_with("_aa") ? Filter::CubicSmooth : Filter::Cubic;
  else if (name.find("linear") != name.npos)
    filter = name.ends_with("_aa") ? Filter::LinearSmooth : Filter::Linear;
  if (x.rank() < 3 || x.rank() > 5)
    c.fail(fmt::format("a tensor of shape {} is no image", shapeText(x.sizes())));
  const std::size_t axes = x.rank() - 2;
  const auto sizes = c.integers("output_size");
  std::vector<double> scales(axes, 0);
  if (const auto factors = c.hasArg("scale_factors") ? c.reals("scale_factors") : std::nullopt)
    for (std::size_t i = 0; i < axes && i < factors->size(); ++i)
      scales[i] = (*factors)[i];
  static constexpr std::string_view scaleNames[][3] = {
      {"scales", "", ""}, {"scales_h", "scales_w", ""}, {"scales_d", "scales_h", "scales_w"}};
  for (std::size_t i = 0; i < axes; ++i)
    if (c.hasArg(scaleNames[axes - 1][i]))
      scales[i] = c.real(scaleNames[axes - 1][i]);
  std::vector<AxisTable> tables;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t in = x.size(i + 2);
    const std::int64_t out =
        sizes && sizes->size() == axes ? (*sizes)[i] : scaledSize(c, static_cast<double>(in) * scales[i]);
    if (out <= 0 || in <= 0)
      c.fail("an image would have no elements");
    // A given size decides; a factor only where no size is given, or as torch passes both.
    const double scale = scales[i];
    if (out != in || filter == Filter::LinearSmooth || filter == Filter::CubicSmooth || scale > 0)
      tables.push_back(torchAxis(c, i + 2, in, out, filter, c.flag("align_corners"), scale));
  }
  if (x.dtype() == DType::UInt8 && filter != Filter::Nearest && filter != Filter::NearestExact) {
    std::ranges::for_each(tables, toFixedPoint);
    std::ranges::reverse(tables);
  }
  const Tensor out = cast(c, interpolated(c, x, tables, 0), DType::Float64);
  const Tensor result = x.dtype() == DType::UInt8 ? castRounded(c, out, x.dtype()) : cast(c, out, x.dtype());
  c.finish(0, suggestsChannelsLast(x) ? keepFormat(c, result, x) : contiguous(c, result));
}

// --- ONNX -----------------------------------------------------------------------

namespace {

struct OnnxResize {
  std::string_view mode = "nearest", coordinates = "half_pixel", nearest = "round_prefer_floor";
  double cubic = -0.75;
  bool excludeOutside = false, antialias = false;
};

/// The weights of the neighbours of a place that lies \p ratio behind one of the input.
std::vector<double> onnxWeights(const OnnxResize &o, double ratio, double scale) {
  if (o.mode == "nearest") {
    bool up = ratio == 1;
    if (ratio != 1) {
      if (o.nearest == "round_prefer_floor")
        up = ratio > 0.5;
      else if (o.nearest == "round_prefer_ceil")
        up = ratio >= 0.5;
      else
        up = o.nearest == "ceil";
    }
    return {up ? 0.0 : 1.0, up ? 1.0 : 0.0};
  }
  const double s = std::min(scale, 1.0);
  const bool linear = o.mode == "linear";
  std::vector<double> w;
  if (!o.antialias || s == 1) {
    if (linear)
      return {1 - ratio, ratio};
    for (int k = -1; k <= 2; ++k)
      w.push_back(cubicWeight(k - ratio, o.cubic));
    return w;
  }
  const double reach = linear ? 1 : 2;
  const auto start = static_cast<std::int64_t>(std::floor(-reach / s)) + 1;
  double sum = 0;
  for (std::int64_t k = start; k < 2 - start; ++k) {
    const double at = s * (static_cast<double>(k) - ratio);
    w.push_back(linear ? std::clamp(1 - std::fabs(at), 0.0, 1.0) : cubicWeight(at, o.cubic));
    sum += w.back();
  }
  for (double &v : w)
    v /= sum;
  return w;
}

AxisTable onnxAxis(const ExecContext &c, std::size_t axis, std::int64_t in, std::int64_t out, double scale,
                   const OnnxResize &o, double roiBegin, double roiEnd) {
  AxisTable t;
  t.axis = axis;
  t.out = out;
  // Scaling down by more than the whole input has is no question of a model.
  if (o.antialias && in != 0 && (scale < 1e-6 || scale * static_cast<double>(in) < 1e-3))
    c.fail(fmt::format("a scale of {} leaves nothing of {} elements", scale, in));
  t.taps = static_cast<std::int64_t>(onnxWeights(o, 0.5, scale).size());
  requireRoom(c, times(c, out, t.taps));
  t.outside.assign(static_cast<std::size_t>(out), false);
  const double width = scale * static_cast<double>(in), last = static_cast<double>(in - 1);
  for (std::int64_t i = 0; i < out; ++i) {
    const auto x = static_cast<double>(i);
    double at = 0;
    if (o.coordinates == "align_corners")
      at = width == 1 ? 0 : x * last / (width - 1);
    else if (o.coordinates == "asymmetric")
      at = x / scale;
    else if (o.coordinates == "tf_crop_and_resize")
      at = (width == 1 ? (roiEnd - roiBegin) * last / 2 : x * (roiEnd - roiBegin) * last / (width - 1)) +
           roiBegin * last;
    else if (o.coordinates == "pytorch_half_pixel")
      at = width == 1 ? -0.5 : (x + 0.5) / scale - 0.5;
    else if (o.coordinates == "tf_half_pixel_for_nn")
      at = (x + 0.5) / scale;
    else if (o.coordinates == "half_pixel_symmetric")
      at = static_cast<double>(in) / 2 * (1 - static_cast<double>(out) / width) + (x + 0.5) / scale - 0.5;
    else
      at = (x + 0.5) / scale - 0.5;
    if (o.coordinates == "tf_crop_and_resize" && (at < 0 || at > last))
      t.outside[static_cast<std::size_t>(i)] = true;
    const double bound = static_cast<double>(in) + static_cast<double>(t.taps) + 1;
    at = at >= -bound && at <= bound ? at : at > 0 ? bound : -bound;
    const double low = std::floor(at);
    const bool whole = at == low;
    const std::vector<double> w = onnxWeights(o, whole ? 1 : at - low, scale);
    const std::int64_t first = static_cast<std::int64_t>(low) - t.taps / 2 + (whole ? 0 : 1);
    double sum = 0;
    for (std::int64_t k = 0; k < t.taps; ++k) {
      const std::int64_t place = first + k;
      const bool excluded = o.excludeOutside && (place < 0 || place >= in);
      t.index.push_back(std::clamp<std::int64_t>(place, 0, std::max<std::int64_t>(in - 1, 0)));
      t.weight.push_back(excluded ? 0 : w[static_cast<std::size_t>(k)]);
      sum += t.weight.back();
    }
    for (std::int64_t k = 0; k < t.taps && o.excludeOutside && sum != 0; ++k)
      t.weight[t.weight.size() - 1 - static_cast<std::size_t>(k)] /= sum;
  }
  return t;
}

} // namespace

Tensor castRounded(const ExecContext &c, const Tensor &t, DType to) {
  const Tensor x = contiguous(c, cast(c, t, DType::Float64));
  const Tensor out = c.empty(to, x.sizes());
  const double *from = x.deviceAs<double>();
  char *bytes = out.deviceOutBytes();
  const double low = to == DType::UInt8 ? 0 : -9e18, high = to == DType::UInt8 ? 255 : 9e18;
  forEach(c.device(), x.numel(), [=] CONDLINT_HD(std::int64_t i) {
    const double v = std::nearbyint(from[i]);
    storeElement<double>(to, bytes, i, v < low ? low : (v > high ? high : v));
  });
  return out;
}

void executeResize(ExecContext &c) {
  const Tensor &x = c.in(0);
  const bool upsample = c.opName() == "Upsample";
  OnnxResize o;
  o.mode = c.text("mode", "nearest");
  if (upsample || c.version() == 10) {
    o.coordinates = "asymmetric";
    o.nearest = "floor";
    if (o.mode == "bilinear" || o.mode == "trilinear")
      o.mode = "linear";
  } else {
    o.coordinates = c.text("coordinate_transformation_mode", "half_pixel");
    o.nearest = c.text("nearest_mode", "round_prefer_floor");
    o.cubic = c.real("cubic_coeff_a", -0.75);
    o.excludeOutside = c.flag("exclude_outside");
    o.antialias = c.flag("antialias");
  }
  std::vector<double> scales;
  std::optional<Sizes> sizes;
  std::vector<double> roi;
  if (upsample && c.version() < 9) {
    scales = c.reals("scales").value_or(std::vector<double>());
  } else if (upsample || c.version() == 10) {
    scales = doublesOf(c, c.in(1));
  } else {
    if (const Tensor *r = c.maybe(1); r && r->numel() != 0)
      roi = doublesOf(c, *r);
    if (const Tensor *s = c.maybe(2); s && s->numel() != 0)
      scales = doublesOf(c, *s);
    sizes = c.integersIn(3);
    if (sizes && sizes->empty())
      sizes.reset();
  }
  Sizes axes = c.integers("axes").value_or(Sizes());
  if (axes.empty())
    for (std::size_t i = 0; i < x.rank(); ++i)
      axes.push_back(static_cast<std::int64_t>(i));
  if ((sizes ? sizes->size() : scales.size()) != axes.size() || (!roi.empty() && roi.size() != 2 * axes.size()))
    c.fail("the sizes or scales do not fit the axes");
  std::vector<std::int64_t> out(axes.size());
  const std::string_view policy = c.text("keep_aspect_ratio_policy", "stretch");
  if (sizes) {
    scales.clear();
    for (std::size_t k = 0; k < axes.size(); ++k)
      scales.push_back(static_cast<double>((*sizes)[k]) / static_cast<double>(x.size(axisOf(c, axes[k], x.rank()))));
    out = *sizes;
    if (policy != "stretch" && !scales.empty()) {
      const double one = policy == "not_larger" ? *std::ranges::min_element(scales) : *std::ranges::max_element(scales);
      for (std::size_t k = 0; k < axes.size(); ++k) {
        scales[k] = one;
        out[k] = scaledSize(c, one * static_cast<double>(x.size(axisOf(c, axes[k], x.rank()))) + 0.5);
      }
    }
  } else {
    for (std::size_t k = 0; k < axes.size(); ++k)
      out[k] = scaledSize(c, static_cast<double>(x.size(axisOf(c, axes[k], x.rank()))) * scales[k]);
  }
  std::vector<AxisTable> tables;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::size_t axis = axisOf(c, axes[k], x.rank());
    if (out[k] < 0 || !(scales[k] > 0) || x.rank() == 0)
      c.fail("a size or a scale is not positive");
    const double begin = roi.empty() ? 0 : roi[k], end = roi.empty() ? 1 : roi[axes.size() + k];
    if (out[k] != x.size(axis) || scales[k] != 1 || o.coordinates == "tf_crop_and_resize")
      tables.push_back(onnxAxis(c, axis, x.size(axis), out[k], scales[k], o, begin, end));
  }
  const Tensor result = interpolated(c, x, tables, c.real("extrapolation_value", 0.0));
  c.set(0, cast(c, result, x.dtype()));
}

// --- sampling -------------------------------------------------------------------

namespace {

enum class Border : std::uint8_t { Zeros, Edge, Reflection };

double reflected(double x, double low, double high) {
  const double range = high - low;
  if (range == 0)
    return low;
  double at = std::fmod(std::fabs(x - low), 2 * range);
  if (at > range)
    at = 2 * range - at;
  return low + at;
}

/// A place between pixels by the numbers of its axis; nothing: it is outside.
struct Sampler {
  const double *plane;
  std::vector<std::int64_t> size;
  Border border;
  bool alignCorners;

  double pixel(const std::vector<std::int64_t> &at) const {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < size.size(); ++d) {
      std::int64_t i = at[d];
      if (i < 0 || i >= size[d]) {
        if (border == Border::Zeros)
          return 0;
        if (border == Border::Edge)
          i = std::clamp<std::int64_t>(i, 0, size[d] - 1);
        else
          i = static_cast<std::int64_t>(
              alignCorners ? reflected(static_cast<double>(i), 0, static_cast<double>(size[d] - 1))
                           : std::clamp(reflected(static_cast<double>(i), -0.5, static_cast<double>(size[d]) - 0.5),
                                        0.0, static_cast<double>(size[d] - 1)));
      }
      place = place * size[d] + i;
    }
    return plane[place];
  }
  double continued(double x, std::size_t d) const {
    const auto n = static_cast<double>(size[d]);
    if (border == Border::Edge)
      return std::clamp(x, 0.0, n - 1);
    if (border == Border::Reflection)
      return std::clamp(alignCorners ? reflected(x, 0, n - 1) : reflected(x, -0.5, n - 0.5), 0.0, n - 1);
    return x;
  }
  double weighted(const std::vector<double> &x, std::size_t d, std::vector<std::int64_t> &at, bool cubic) const {
    if (d == size.size())
      return pixel(at);
    const double low = std::floor(x[d]), r = x[d] - low;
    double sum = 0;
    for (int k = cubic ? -1 : 0; k <= (cubic ? 2 : 1); ++k) {
      const double w = cubic ? cubicWeight(k - r, -0.75) : (k == 0 ? 1 - r : r);
      if (w == 0)
        continue;
      at[d] = static_cast<std::int64_t>(low) + k;
      sum += w * weighted(x, d + 1, at, cubic);
    }
    return sum;
  }
};

} // namespace

void executeGridSample(ExecContext &c) {
  const bool torch = c.isTorch();
  const Tensor &given = torch ? firstOperand(c) : c.in(0);
  const Tensor x = contiguous(c, cast(c, given, DType::Float64));
  const Tensor grid = contiguous(c, cast(c, torch ? c.tensor("grid") : c.in(1), DType::Float64));
  const std::size_t axes = x.rank() < 3 ? 0 : x.rank() - 2;
  if (axes == 0 || grid.rank() != x.rank() || grid.size(grid.rank() - 1) != static_cast<std::int64_t>(axes) ||
      grid.size(0) != x.size(0))
    c.fail(fmt::format("a grid of shape {} does not fit {}", shapeText(grid.sizes()), shapeText(x.sizes())));
  std::string_view mode = c.text("mode", c.version() >= 20 ? "linear" : "bilinear"),
                   padding = c.text("padding_mode", "zeros");
  if (torch) {
    static constexpr std::string_view modes[] = {"linear", "nearest", "cubic"},
                                      paddings[] = {"zeros", "border", "reflection"};
    mode = modes[std::clamp<std::int64_t>(c.integer("interpolation_mode"), 0, 2)];
    padding = paddings[std::clamp<std::int64_t>(c.integer("padding_mode"), 0, 2)];
  }
  const bool corners = c.flag("align_corners"), nearest = mode == "nearest",
             cubic = mode == "cubic" || mode == "bicubic";
  Sampler s{nullptr,
            {x.sizes().begin() + 2, x.sizes().end()},
            padding == "zeros"    ? Border::Zeros
            : padding == "border" ? Border::Edge
                                  : Border::Reflection,
            corners};
  Sizes shape{x.size(0), x.size(1)};
  shape.insert(shape.end(), grid.sizes().begin() + 1, grid.sizes().end() - 1);
  const std::int64_t places = product(SizeSpan(shape).subspan(2)), pixels = product(s.size);
  const Tensor out = c.empty(DType::Float64, shape);
  std::vector<double> at(axes);
  std::vector<std::int64_t> index(axes);
  for (std::int64_t n = 0; n < x.size(0); ++n)
    for (std::int64_t i = 0; i < places; ++i) {
      const double *g = grid.as<double>() + (n * places + i) * static_cast<std::int64_t>(axes);
      for (std::size_t d = 0; d < axes; ++d) { // the grid names the last axis first
        const auto size = static_cast<double>(s.size[d]);
        const double v = g[axes - 1 - d];
        at[d] = corners ? (v + 1) / 2 * (size - 1) : ((v + 1) * size - 1) / 2;
        if (!cubic)
          at[d] = s.continued(at[d], d);
        if (nearest)
          index[d] = static_cast<std::int64_t>(std::nearbyint(at[d]));
        if (!std::isfinite(at[d]))
          at[d] = -1e9;
      }
      for (std::int64_t ch = 0; ch < x.size(1); ++ch) {
        s.plane = x.as<double>() + (n * x.size(1) + ch) * pixels;
        out.out<double>()[(n * x.size(1) + ch) * places + i] =
            nearest ? s.pixel(index) : s.weighted(at, 0, index, cubic);
      }
    }
  c.set(0, cast(c, out, given.dtype()));
}

void executeAffineGrid(ExecContext &c) {
  const Tensor &theta = c.isTorch() ? c.tensor("theta") : c.in(0);
  const auto size = c.isTorch() ? c.integers("size") : c.integersIn(1);
  const bool corners = c.flag("align_corners");
  if (!size || theta.rank() != 3 || size->size() < 4 || size->size() > 5 || theta.size(0) != (*size)[0])
    c.fail("the matrices do not fit the size");
  const std::size_t axes = size->size() - 2;
  if (theta.size(1) != static_cast<std::int64_t>(axes) || theta.size(2) != static_cast<std::int64_t>(axes) + 1)
    c.fail("the matrices do not fit the size");
  const std::vector<double> m = doublesOf(c, theta);
  Sizes shape{(*size)[0]};
  shape.insert(shape.end(), size->begin() + 2, size->end());
  const std::int64_t places = product(SizeSpan(shape).subspan(1));
  shape.push_back(static_cast<std::int64_t>(axes));
  const Tensor out = c.empty(DType::Float64, shape);
  for (std::int64_t n = 0; n < (*size)[0]; ++n)
    for (std::int64_t i = 0; i < places; ++i) {
      double v[4];
      std::int64_t rest = i;
      for (std::size_t d = axes; d-- > 0; rest /= (*size)[d + 2]) {
        const auto length = static_cast<double>((*size)[d + 2]);
        const auto k = static_cast<double>(rest % (*size)[d + 2]);
        v[axes - 1 - d] = corners ? (length > 1 ? -1 + 2 * k / (length - 1) : 0) : (2 * k + 1) / length - 1;
      }
      v[axes] = 1;
      for (std::size_t r = 0; r < axes; ++r) {
        double sum = 0;
        for (std::size_t k = 0; k <= axes; ++k)
          sum += m[(static_cast<std::size_t>(n) * axes + r) * (axes + 1) + k] * v[k];
        out.out<double>()[(n * places + i) * static_cast<std::int64_t>(axes) + static_cast<std::int64_t>(r)] = sum;
      }
    }
  c.set(0, cast(c, out, theta.dtype()));
}

} // namespace condlint

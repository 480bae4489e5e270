//===- Signal.cpp - Signals and transforms, executed ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Signal.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

constexpr double turn = 6.283185307179586;

/// Fourier transform of \p n numbers, \p step apart; mixed radix, and for what is left of the
/// length when small factors are gone by definition, or as a convolution where that takes long.
void transform(const ComplexDouble *x, std::int64_t step, std::int64_t n, double sign, ComplexDouble *out);

/// The same for a length that is a large prime: a convolution of a length that is a power of two (Bluestein).
void transformPrime(const ComplexDouble *x, std::int64_t step, std::int64_t n, double sign, ComplexDouble *out) {
  std::int64_t m = 1;
  while (m < 2 * n - 1)
    m *= 2;
  const auto length = static_cast<std::size_t>(m);
  const auto chirp = [&](std::int64_t k) { // e^(sign i pi k^2 / n)
    return std::polar(1.0, sign * turn / 2 * static_cast<double>(k * k % (2 * n)) / static_cast<double>(n));
  };
  std::vector<ComplexDouble> a(length), b(length), spectrum(length), other(length);
  for (std::int64_t k = 0; k < n; ++k) {
    const ComplexDouble w = chirp(k);
    a[static_cast<std::size_t>(k)] = x[k * step] * w;
    b[static_cast<std::size_t>(k)] = math::conj(w);
    if (k != 0)
      b[static_cast<std::size_t>(m - k)] = math::conj(w);
  }
  transform(a.data(), 1, m, -1, spectrum.data());
  transform(b.data(), 1, m, -1, other.data());
  for (std::size_t k = 0; k < length; ++k)
    spectrum[k] = spectrum[k] * other[k];
  transform(spectrum.data(), 1, m, 1, a.data());
  for (std::int64_t k = 0; k < n; ++k)
    out[k] = a[static_cast<std::size_t>(k)] * chirp(k) * (1.0 / static_cast<double>(m));
}

void transform(const ComplexDouble *x, std::int64_t step, std::int64_t n, double sign, ComplexDouble *out) {
  if (n == 1) {
    out[0] = x[0];
    return;
  }
  std::int64_t factor = n;
  for (std::int64_t f : {2, 3, 5, 7})
    if (n % f == 0 && factor == n)
      factor = f;
  const std::int64_t part = n / factor;
  constexpr std::int64_t large = 1024; // longer than by definition in any reasonable time
  if (part == 1 && n > large)
    return transformPrime(x, step, n, sign, out);
  const auto rootsOfUnity = [&] {
    std::vector<ComplexDouble> roots(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k)
      roots[static_cast<std::size_t>(k)] =
          std::polar(1.0, sign * turn * static_cast<double>(k) / static_cast<double>(n));
    return roots;
  };
  if (part == 1) {
    const std::vector<ComplexDouble> roots = rootsOfUnity();
    for (std::int64_t k = 0; k < n; ++k) {
      ComplexDouble sum(0);
      for (std::int64_t i = 0; i < n; ++i)
        sum += x[i * step] * roots[static_cast<std::size_t>(i * k % n)];
      out[k] = sum;
    }
    return;
  }
  std::vector<ComplexDouble> parts(static_cast<std::size_t>(n));
  for (std::int64_t f = 0; f < factor; ++f)
    transform(x + f * step, step * factor, part, sign, parts.data() + f * part);
  const std::vector<ComplexDouble> roots = rootsOfUnity(); // when the parts have given back their memory
  for (std::int64_t k = 0; k < n; ++k) {
    ComplexDouble sum(0);
    for (std::int64_t f = 0; f < factor; ++f)
      sum += parts[static_cast<std::size_t>(f * part + k % part)] * roots[static_cast<std::size_t>(f * k % n)];
    out[k] = sum;
  }
}

/// Along one axis of a complex tensor, cut or padded to \p length; divided by \p scale.
Tensor transformed(const ExecContext &c, const Tensor &given, std::size_t axis, std::int64_t length, bool inverse,
                   double scale) {
  if (length <= 0)
    c.fail("a transform of no elements");
  if (length > (std::int64_t{1} << 26))
    c.fail("a transform of too many elements");
  const Rows r = rowsAlong(c, cast(c, given, DType::Complex128), axis);
  const std::int64_t shape[] = {r.count, length};
  const Tensor out = c.empty(DType::Complex128, shape);
  std::vector<ComplexDouble> row(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < r.count; ++i) {
    const ComplexDouble *x = r.data.as<ComplexDouble>() + i * r.length;
    for (std::int64_t k = 0; k < length; ++k)
      row[static_cast<std::size_t>(k)] = k < r.length ? x[k] : ComplexDouble(0);
    ComplexDouble *to = out.out<ComplexDouble>() + i * length;
    transform(row.data(), 1, length, inverse ? 1 : -1, to);
    for (std::int64_t k = 0; k < length; ++k)
      to[k] *= scale;
  }
  return fromRows(c, out, given, axis, DType::Complex128);
}

/// The first half of a spectrum as the whole of \p length, whose signal is real.
Tensor mirrored(const ExecContext &c, const Tensor &half, std::size_t axis, std::int64_t length) {
  const Rows r = rowsAlong(c, cast(c, half, DType::Complex128), axis);
  const std::int64_t shape[] = {r.count, length};
  const Tensor out = c.empty(DType::Complex128, shape);
  for (std::int64_t i = 0; i < r.count; ++i)
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t from = k <= length / 2 ? k : length - k;
      ComplexDouble v = from < r.length ? r.data.as<ComplexDouble>()[i * r.length + from] : ComplexDouble(0);
      if (k == 0 || 2 * k == length)
        v = v.real();
      out.out<ComplexDouble>()[i * length + k] = k <= length / 2 ? v : math::conj(v);
    }
  return fromRows(c, out, half, axis, DType::Complex128);
}

/// torch's `norm`: how much of 1 / n falls to this direction.
double scaleOf(const ExecContext &c, std::int64_t n, bool inverse) {
  const std::string_view norm = c.text("norm", "backward");
  const auto size = static_cast<double>(n);
  if (norm == "ortho")
    return 1 / std::sqrt(size);
  return (norm == "forward") != inverse ? 1 / size : 1;
}

DType spectrumType(const ExecContext &c, DType t) { return complexType(floatOf(c, t)); }

enum class Kind : std::uint8_t { Complex, ToHalf, FromHalf };

void executeTransform(ExecContext &c, Kind kind, bool inverse, Sizes axes, Sizes lengths) {
  Tensor x = firstOperand(c);
  const DType given = x.dtype();
  if (axes.empty() && lengths.empty())
    for (std::size_t i = 0; i < x.rank(); ++i)
      axes.push_back(static_cast<std::int64_t>(i));
  else if (axes.empty())
    for (std::size_t i = 0; i < lengths.size(); ++i)
      axes.push_back(static_cast<std::int64_t>(x.rank() - lengths.size() + i));
  if (axes.empty() || x.rank() == 0 || (!lengths.empty() && lengths.size() != axes.size()))
    c.fail("the axes do not fit the tensor");
  std::vector<std::size_t> along;
  for (std::int64_t a : axes)
    along.push_back(axisOf(c, a, x.rank()));
  const auto lengthAt = [&](std::size_t k, bool half) {
    if (!lengths.empty() && lengths[k] != -1)
      return lengths[k];
    return half ? 2 * (x.size(along[k]) - 1) : x.size(along[k]);
  };
  const std::size_t last = along.size() - 1;
  if (kind == Kind::FromHalf) {
    const std::int64_t n = lengthAt(last, true);
    for (std::size_t k = 0; k < last; ++k) {
      const std::int64_t m = lengthAt(k, false);
      x = transformed(c, x, along[k], m, inverse, scaleOf(c, m, inverse));
    }
    if (n <= 0)
      c.fail("a transform of no elements");
    x = transformed(c, mirrored(c, x, along[last], n), along[last], n, inverse, scaleOf(c, n, inverse));
    return c.finish(0, cast(c, x, realType(spectrumType(c, given))));
  }
  for (std::size_t k = along.size(); k-- > 0;) {
    const std::int64_t n = lengthAt(k, false);
    x = transformed(c, x, along[k], n, inverse, scaleOf(c, n, inverse));
    if (k == last && kind == Kind::ToHalf)
      x = x.sliced(along[k], 0, n / 2 + 1);
  }
  c.finish(0, cast(c, contiguous(c, x), spectrumType(c, given)));
}

bool isInverse(std::string_view name) { return name.starts_with("fft_i"); }

} // namespace

/// fft_fft, fft_ifft, fft_rfft, fft_ihfft, fft_irfft, fft_hfft and their n-dimensional forms.
void executeFft(ExecContext &c) {
  const std::string_view name = c.opName().substr(4);
  const bool half = name.starts_with("rfft") || name.starts_with("ihfft"),
             from = name.starts_with("irfft") || name.starts_with("hfft");
  const bool inverse = isInverse(c.opName());
  Sizes axes, lengths;
  if (name.ends_with("n") || name.ends_with("2")) {
    axes = c.integers("dim").value_or(name.ends_with("2") ? Sizes{-2, -1} : Sizes());
    lengths = c.integers("s").value_or(Sizes());
  } else {
    axes = {c.integer("dim", -1)};
    if (c.hasArg("n"))
      lengths = {c.integer("n")};
  }
  executeTransform(c, from ? Kind::FromHalf : half ? Kind::ToHalf : Kind::Complex, inverse, axes, lengths);
}

/// _fft_c2c, _fft_r2c, _fft_c2r: normalization 0 none, 1 by sqrt(n), 2 by n.
void executeFftKernel(ExecContext &c) {
  Tensor x = firstOperand(c);
  const std::string_view name = c.opName();
  const Sizes dims = c.integers("dim").value_or(Sizes());
  const bool toReal = name == "_fft_c2r", fromReal = name == "_fft_r2c";
  const bool forward = toReal ? false : fromReal ? true : c.flag("forward", true);
  const DType given = x.dtype();
  double scale = 1;
  std::int64_t last = 0;
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const std::size_t axis = axisOf(c, dims[k], x.rank());
    last = toReal && k + 1 == dims.size() ? c.integer("last_dim_size") : x.size(axis);
    scale *= static_cast<double>(last);
  }
  const std::int64_t normalization = c.integer("normalization", 0);
  scale = normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(scale) : 1 / scale;
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const std::size_t axis = axisOf(c, dims[k], x.rank());
    const bool isLast = k + 1 == dims.size();
    if (toReal && isLast)
      x = transformed(c, mirrored(c, x, axis, last), axis, last, true, scale);
    else
      x = transformed(c, x, axis, x.size(axis), !forward, isLast && !toReal ? scale : 1);
  }
  if (fromReal && c.flag("onesided", true) && !dims.empty()) {
    const std::size_t axis = axisOf(c, dims.back(), x.rank());
    x = contiguous(c, x.sliced(axis, 0, x.size(axis) / 2 + 1));
  }
  c.finish(0, cast(c, x, toReal ? realType(given) : spectrumType(c, given)));
}

void executeFftShift(ExecContext &c) {
  Tensor x = firstOperand(c);
  const auto given = c.integers("dim");
  const bool back = c.opName() == "fft_ifftshift";
  for (std::size_t axis : axesOf(c, given ? SizeSpan(*given) : SizeSpan(), x.rank())) {
    const std::int64_t n = x.size(axis), shift = back ? (n + 1) / 2 : n / 2;
    const Tensor parts[] = {x.sliced(axis, n - shift, shift), x.sliced(axis, 0, n - shift)};
    x = concatenated(c, parts, axis);
  }
  c.finish(0, x);
}

void executeFftFrequencies(ExecContext &c) {
  const std::int64_t n = c.integer("n");
  const double d = c.real("d", 1.0);
  const bool half = c.opName() == "fft_rfftfreq";
  if (n <= 0)
    c.fail("a transform of no elements");
  const std::int64_t shape[] = {half ? n / 2 + 1 : n};
  const Tensor out = c.empty(DType::Float64, shape);
  for (std::int64_t i = 0; i < shape[0]; ++i)
    out.out<double>()[i] = static_cast<double>(half || i < (n + 1) / 2 ? i : i - n) / (static_cast<double>(n) * d);
  const DType recorded = c.recordedDType(0);
  c.finish(0, cast(c, out, c.dtype("dtype").value_or(isFloating(recorded) ? recorded : DType::Float32)));
}

// --- ONNX -----------------------------------------------------------------------

namespace {

/// A last axis of one or two parts as complex numbers.
Tensor asComplex(const ExecContext &c, const Tensor &t) {
  const Tensor x = contiguous(c, cast(c, t, DType::Float64));
  const std::int64_t parts = x.rank() == 0 ? 0 : x.size(x.rank() - 1);
  if (parts != 1 && parts != 2)
    c.fail("the last axis does not hold the parts of a number");
  const Tensor out = c.empty(DType::Complex128, x.sizes().first(x.rank() - 1));
  for (std::int64_t i = 0; i < out.numel(); ++i)
    out.out<ComplexDouble>()[i] = ComplexDouble(x.as<double>()[i * parts], parts == 2 ? x.as<double>()[i * 2 + 1] : 0);
  return out;
}

Tensor asParts(const ExecContext &c, const Tensor &t, DType to, bool realOnly = false) {
  const Tensor x = contiguous(c, t);
  Sizes shape = sizesOf(x);
  shape.push_back(realOnly ? 1 : 2);
  const Tensor out = c.empty(DType::Float64, shape);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const ComplexDouble v = x.as<ComplexDouble>()[i];
    if (realOnly) {
      out.out<double>()[i] = v.real();
    } else {
      out.out<double>()[2 * i] = v.real();
      out.out<double>()[2 * i + 1] = v.imag();
    }
  }
  return cast(c, out, to);
}

} // namespace

void executeDft(ExecContext &c) {
  const Tensor &given = c.in(0);
  const Tensor x = asComplex(c, given);
  const bool inverse = c.flag("inverse"), onesided = c.flag("onesided");
  std::int64_t axisNumber = c.version() >= 20 ? (c.has(2) ? c.scalarIn(2).toInt() : -2) : c.integer("axis", 1);
  const std::size_t axis = axisOf(c, axisNumber, given.rank());
  if (axis >= x.rank())
    c.fail("the axis is that of the parts of a number");
  std::int64_t length = inverse && onesided ? 2 * (x.size(axis) - 1) : x.size(axis);
  if (c.has(1))
    length = c.scalarIn(1).toInt();
  if (length <= 0)
    c.fail("a transform of no elements");
  const double scale = inverse ? 1 / static_cast<double>(length) : 1;
  if (inverse && onesided)
    return c.set(
        0, asParts(c, transformed(c, mirrored(c, x, axis, length), axis, length, true, scale), given.dtype(), true));
  Tensor y = transformed(c, x, axis, length, inverse, scale);
  if (onesided)
    y = y.sliced(axis, 0, length / 2 + 1);
  c.set(0, asParts(c, y, given.dtype()));
}

void executeStft(ExecContext &c) {
  const Tensor &given = c.in(0);
  const Tensor x = asComplex(c, given.rank() == 2 ? given.unsqueezed(2) : given); // [batch, length]
  if (x.rank() != 2)
    c.fail("the signal has no batch and no length");
  if (c.has(2) && c.in(2).rank() != 1)
    c.fail("the window has not one axis");
  const std::int64_t step = c.scalarIn(1).toInt();
  const std::vector<double> window = c.has(2) ? doublesOf(c, c.in(2)) : std::vector<double>();
  const std::int64_t length = c.has(3)         ? c.scalarIn(3).toInt()
                              : window.empty() ? x.size(1)
                                               : static_cast<std::int64_t>(window.size());
  if (step <= 0 || length <= 0 || length > x.size(1) ||
      (!window.empty() && static_cast<std::int64_t>(window.size()) != length))
    c.fail("the frames do not fit the signal");
  const std::int64_t frames = 1 + (x.size(1) - length) / step, shape[] = {x.size(0), frames, length};
  const Tensor cut = c.empty(DType::Complex128, shape);
  for (std::int64_t b = 0; b < x.size(0); ++b)
    for (std::int64_t f = 0; f < frames; ++f)
      for (std::int64_t k = 0; k < length; ++k)
        cut.out<ComplexDouble>()[(b * frames + f) * length + k] =
            x.as<ComplexDouble>()[b * x.size(1) + f * step + k] *
            (window.empty() ? 1 : window[static_cast<std::size_t>(k)]);
  Tensor y = transformed(c, cut, 2, length, false, 1);
  if (c.flag("onesided", true))
    y = y.sliced(2, 0, length / 2 + 1);
  c.set(0, asParts(c, y, given.dtype()));
}

namespace {

/// How torch cuts a signal into frames.
struct Frames {
  std::int64_t length = 0, step = 0;
  std::vector<ComplexDouble> window; ///< of `length`: a shorter one stands in the middle
};
Frames framesOf(const ExecContext &c) {
  Frames f;
  f.length = c.integer("n_fft");
  if (f.length <= 0 || f.length > (std::int64_t{1} << 26))
    c.fail(fmt::format("frames of {} elements", f.length));
  f.step = c.hasArg("hop_length") ? c.integer("hop_length") : f.length / 4;
  const std::int64_t width = c.hasArg("win_length") ? c.integer("win_length") : f.length;
  if (f.step <= 0 || width <= 0 || width > f.length)
    c.fail(fmt::format("frames of {} elements have a step of {} and a window of {}", f.length, f.step, width));
  f.window.assign(static_cast<std::size_t>(f.length), ComplexDouble(0));
  const std::int64_t left = (f.length - width) / 2;
  const Tensor *given = c.maybeTensor("window");
  if (given && (given->rank() != 1 || given->size(0) != width))
    c.fail(fmt::format("a window of the shape {} for {} elements", shapeText(given->sizes()), width));
  const Tensor wide = given ? contiguous(c, cast(c, *given, DType::Complex128)) : Tensor();
  for (std::int64_t k = 0; k < width; ++k)
    f.window[static_cast<std::size_t>(left + k)] = given ? wide.as<ComplexDouble>()[k] : ComplexDouble(1);
  return f;
}

/// Where element \p i of a signal of \p n, continued beyond its ends, comes from; -1: a zero.
std::int64_t continued(std::int64_t i, std::int64_t n, std::string_view mode) {
  if (i >= 0 && i < n)
    return i;
  if (mode == "reflect")
    return i < 0 ? -i : 2 * (n - 1) - i;
  if (mode == "replicate")
    return i < 0 ? 0 : n - 1;
  if (mode == "circular")
    return (i % n + n) % n;
  return -1;
}

} // namespace

/// torch's stft: [frequencies, frames] of each signal.
void executeTorchStft(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  if (self.rank() == 0 || self.rank() > 2 || (!isFloating(self.dtype()) && !isComplex(self.dtype())))
    c.fail(fmt::format("{}{} is no signal", dtypeName(self.dtype()), shapeText(self.sizes())));
  if (c.hasArg("align_to_window") && c.flag("align_to_window"))
    c.fail("condlint does not align frames to the window");
  const Frames f = framesOf(c);
  const Tensor x = contiguous(c, cast(c, self, DType::Complex128));
  const std::int64_t n = x.size(x.rank() - 1), count = x.rank() == 2 ? x.size(0) : 1;
  const std::int64_t pad = c.overload() == "center" && c.flag("center", true) ? f.length / 2 : 0;
  const std::string_view mode = c.text("pad_mode", "reflect");
  if (n == 0 || f.length > n + 2 * pad || (mode == "reflect" && pad >= n) || (mode == "circular" && pad > n))
    c.fail("the frames do not fit the signal");
  const std::int64_t frames = 1 + (n + 2 * pad - f.length) / f.step, shape[] = {count, frames, f.length};
  const Tensor cut = c.empty(DType::Complex128, shape);
  for (std::int64_t i = 0; i < count * frames; ++i)
    for (std::int64_t k = 0; k < f.length; ++k) {
      const std::int64_t from = continued(i % frames * f.step + k - pad, n, mode);
      const ComplexDouble v = from < 0 ? ComplexDouble(0) : x.as<ComplexDouble>()[i / frames * n + from];
      cut.out<ComplexDouble>()[i * f.length + k] = v * f.window[static_cast<std::size_t>(k)];
    }
  const Tensor *window = c.maybeTensor("window");
  const bool isReal = !isComplex(self.dtype()) && !(window && isComplex(window->dtype()));
  if (isReal && !c.hasArg("return_complex"))
    c.fail("whether a complex result is meant must be said");
  const double scale = c.flag("normalized") ? 1 / std::sqrt(static_cast<double>(f.length)) : 1;
  Tensor y = transformed(c, cut, 2, f.length, false, scale);
  if (c.hasArg("onesided") ? c.flag("onesided") : isReal)
    y = y.sliced(2, 0, f.length / 2 + 1);
  if (self.rank() == 1)
    y = y.squeezed(0);
  // Frames lie one after the other in memory.
  const DType complex = spectrumType(c, self.dtype());
  const bool wantsComplex = c.hasArg("return_complex") ? c.flag("return_complex") : true;
  const Tensor out = wantsComplex ? contiguous(c, cast(c, y, complex)) : asParts(c, y, realType(complex));
  c.finish(0, out.transposed(y.rank() - 2, y.rank() - 1));
}

/// torch's istft: frames added where they overlap, over what the windows add up to there.
void executeTorchIstft(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  if (!isComplex(self.dtype()) || self.rank() < 2 || self.rank() > 3)
    c.fail(fmt::format("{}{} is no spectrum of frames", dtypeName(self.dtype()), shapeText(self.sizes())));
  const Frames f = framesOf(c);
  const std::int64_t bins = self.size(self.rank() - 2), frames = self.size(self.rank() - 1);
  const bool half = c.hasArg("onesided") ? c.flag("onesided") : bins != f.length;
  if (bins != (half ? f.length / 2 + 1 : f.length) || frames == 0)
    c.fail(fmt::format("{} frequencies of frames of {} elements", bins, f.length));
  Tensor x = cast(c, self.rank() == 2 ? self.unsqueezed(0) : self, DType::Complex128).transposed(1, 2);
  // Of a whole spectrum a real signal takes the first half.
  if (half || !c.flag("return_complex"))
    x = mirrored(c, x.sliced(2, 0, f.length / 2 + 1), 2, f.length);
  const double size = static_cast<double>(f.length);
  x = contiguous(c, transformed(c, x, 2, f.length, true, 1 / (c.flag("normalized") ? std::sqrt(size) : size)));
  const std::int64_t count = x.size(0), reach = f.length + f.step * (frames - 1);
  const std::int64_t begin = c.flag("center", true) ? f.length / 2 : 0;
  const std::int64_t length = c.hasArg("length") ? c.integer("length") : reach - 2 * begin;
  if (length < 0)
    c.fail("the frames do not reach so far");
  const Tensor out = filled(c, DType::Complex128, Sizes{count, length}, Scalar::of(0.0));
  std::vector<ComplexDouble> weight(static_cast<std::size_t>(reach));
  for (std::int64_t i = 0; i < frames * f.length; ++i) {
    const ComplexDouble w = f.window[static_cast<std::size_t>(i % f.length)];
    const std::int64_t place = i / f.length * f.step + i % f.length, at = place - begin;
    weight[static_cast<std::size_t>(place)] += w * w;
    for (std::int64_t b = 0; at >= 0 && at < length && b < count; ++b)
      out.out<ComplexDouble>()[b * length + at] += x.as<ComplexDouble>()[b * frames * f.length + i] * w;
  }
  for (std::int64_t at = 0; at < std::min(length, reach - begin); ++at) {
    const ComplexDouble w = weight[static_cast<std::size_t>(begin + at)];
    if (math::abs(w) <= 1e-11)
      c.fail("the windows add up to zero somewhere");
    for (std::int64_t b = 0; b < count; ++b)
      out.out<ComplexDouble>()[b * length + at] /= w;
  }
  const Tensor y = self.rank() == 2 ? out.squeezed(0) : out;
  c.finish(0, cast(c, y, c.flag("return_complex") ? self.dtype() : realType(self.dtype())));
}

void executeMelWeightMatrix(ExecContext &c) {
  const std::int64_t bins = moderate(c, c.scalarIn(0).toInt(), "a number of bins"),
                     length = moderate(c, c.scalarIn(1).toInt(), "a length"), rate = c.scalarIn(2).toInt();
  const double low = c.scalarIn(3).toDouble(), high = c.scalarIn(4).toDouble();
  if (bins <= 0 || length <= 0 || rate <= 0)
    c.fail("there are no bins");
  const std::int64_t last = length / 2;
  for (const double edge : {low, high})
    if (const double bin = std::floor(static_cast<double>(length + 1) * edge / static_cast<double>(rate));
        !(bin >= 0 && bin <= static_cast<double>(last)))
      c.fail(fmt::format("the edge of {} Hz is in no bin of the spectrum", edge));
  const auto mel = [](double f) { return 2595 * std::log10(1 + f / 700); };
  const double step = (mel(high) - mel(low)) / static_cast<double>(bins + 2);
  const std::int64_t spectrum = last + 1, shape[] = {spectrum, bins};
  const Tensor out = filled(c, DType::Float64, shape, Scalar::of(0.0));
  Sizes edges;
  for (std::int64_t i = 0; i < bins + 2; ++i) {
    const double f = 700 * (std::pow(10, (static_cast<double>(i) * step + mel(low)) / 2595) - 1);
    constexpr double far = 1e12;
    const double edge = std::floor(static_cast<double>(length + 1) * f / static_cast<double>(rate));
    edges.push_back(static_cast<std::int64_t>(edge >= -far && edge <= far ? edge : edge > 0 ? far : -far));
  }
  const auto put = [&](std::int64_t row, std::int64_t column, double v) {
    if (row >= 0 && row < spectrum)
      out.out<double>()[row * bins + column] = v;
  };
  for (std::int64_t i = 0; i < bins; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::int64_t left = edges[k], centre = edges[k + 1], right = edges[k + 2];
    if (centre == left)
      put(centre, i, 1);
    for (std::int64_t j = std::max<std::int64_t>(left, 0); j <= centre && centre != left && j < spectrum; ++j)
      put(j, i, static_cast<double>(j - left) / static_cast<double>(centre - left));
    for (std::int64_t j = std::max<std::int64_t>(centre, 0); j < right && j < spectrum; ++j)
      put(j, i, static_cast<double>(right - j) / static_cast<double>(right - centre));
  }
  c.set(0, cast(c, out, c.dtype("output_datatype").value_or(DType::Float32)));
}

} // namespace condlint

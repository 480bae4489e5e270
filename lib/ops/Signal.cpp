//===- Signal.cpp - Fourier transforms ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Signal.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace condlint {
namespace {

/// How many frequencies of \p n samples of a real signal are distinct.
Dim oneSided(InferContext &c, Dim n) { return c.dims().add(c.dims().floorDiv(n, c.constant(2)), c.constant(1)); }
/// How many real samples \p frequencies stand for, unless said otherwise.
Dim twoSided(InferContext &c, Dim frequencies) {
  return c.dims().mul(c.constant(2), c.dims().sub(frequencies, c.constant(1)));
}

// --- ONNX -------------------------------------------------------------------

/// The last axis holds real and imaginary part. One-sided and inverse: from the
/// distinct frequencies back to real samples.
void inferDft(InferContext &c) {
  const Type &x = c.type(0);
  if (!x.hasRank)
    return c.setResult(0, c.tensor(x.element));
  const bool inverse = c.intAttr("inverse", 0) != 0, half = c.intAttr("onesided", 0) != 0;
  const std::size_t rank = x.dims.size();
  if (rank < 2) {
    c.reject(fmt::format("the input of DFT must have at least 2 axes, but has {}", rank), 0);
    return c.setResult(0, c.tensor(x.element));
  }
  const Dim parts = x.dims.back();
  if (const auto known = c.dims().asConstant(parts); known && *known != 1 && *known != 2)
    c.reject(fmt::format("the last size of DFT's input is 1 or 2, of real or complex numbers, and not {}", *known), 0);
  if (half && !inverse && c.dims().isConstant(parts, 2))
    c.reject("a one-sided DFT takes a real input, but its last size is 2", 0);
  if (half && inverse && c.dims().isConstant(parts, 1))
    c.reject("an inverse one-sided DFT takes a complex input, but its last size is 1", 0);
  std::vector<Dim> dims(x.dims.begin(), x.dims.end());
  dims.back() = c.constant(half && inverse ? 1 : 2);

  if (const Type &axis = c.type(2); c.version() >= 20 && axis.hasRank && !axis.dims.empty() && c.content(2))
    c.reject(fmt::format("DFT: the axis must be a scalar where it is a constant, but has {} axes", axis.dims.size()),
             2);
  std::optional<std::int64_t> asked = c.version() >= 20 ? -2 : c.intAttr("axis", 1);
  if (c.version() >= 20 && c.has(2))
    asked = c.dims().asConstant(numberIn(c, 2));
  if (!asked) {
    // Any axis but the last may be the one that changes.
    for (std::size_t i = 0; i + 1 < rank; ++i)
      if (half || c.has(1))
        dims[i] = Dim();
    return c.setResult(0, c.tensor(x.element, dims));
  }
  const auto axis = normalizeAxis(*asked, rank);
  if (!axis || *axis + 1 == rank) {
    c.reject(fmt::format("DFT cannot transform the axis {} of {}", *asked, rank));
    return c.setResult(0, c.tensorOfRank(x.element, rank));
  }
  Dim length = x.dims[*axis];
  if (half && inverse)
    length = twoSided(c, length);
  if (c.has(1))
    length = numberIn(c, 1);
  dims[*axis] = half && !inverse ? oneSided(c, length) : length;
  c.setResult(0, c.tensor(x.element, dims));
}

/// How many frames a signal of so many samples holds. Of a step that leads nowhere, or a frame that is longer than the
/// signal, that is no number: a session refuses it when it runs the node, which a branch may be there to avoid.
Dim frameCount(DimTable &dims, Dim samples, Dim frame, Dim step) {
  const auto length = dims.asConstant(samples), window = dims.asConstant(frame), by = dims.asConstant(step);
  if ((by && *by < 1) || (length && window && *window > *length))
    return {};
  return dims.add(dims.floorDiv(dims.sub(samples, frame), step), dims.constant(1));
}

void inferStft(InferContext &c) {
  const Type &signal = c.type(0);
  if (!admitRank(c, 0, 2, 3, "the signal"))
    return c.setResult(0, c.tensor(signal.element));
  admitRank(c, 2, 1, std::numeric_limits<std::size_t>::max(), "the window"); // of which the first axis is looked at
  Dim frame = c.has(3) ? numberIn(c, 3) : Dim();
  if (c.has(2))
    frame =
        c.has(3) ? mustEqual(c, frame, dimAt(c.type(2), 0), "the lengths of frame and window", 2) : dimAt(c.type(2), 0);
  const Dim samples = dimAt(signal, 1);
  const Dim step = numberIn(c, 1);
  const Dim frames = frameCount(c.dims(), samples, frame, step);
  const Dim bins = c.intAttr("onesided", 1) != 0 ? oneSided(c, frame) : frame;
  c.setResult(0, c.tensor(signal.element, {dimAt(signal, 0), frames, bins, c.constant(2)}));
}

void inferMelWeights(InferContext &c) {
  // Inference reads these where they are constants, and then they are scalars.
  for (const std::size_t i : {0u, 1u})
    if (const Type &t = c.type(i); t.hasRank && !t.dims.empty() && c.content(i))
      return c.reject(fmt::format("MelWeightMatrix: input {} must be a scalar where it is a constant, but has {} axes",
                                  i, t.dims.size()),
                      i);
  const DType element =
      c.hasAttribute("output_datatype") ? c.dtypeAttr("output_datatype").value_or(DType::Unknown) : DType::Float32;
  c.setResult(0, c.tensor(element, {oneSided(c, numberIn(c, 1)), numberIn(c, 0)}));
}

// --- torch ------------------------------------------------------------------

enum class Direction { ToComplex, RealToHalf, HalfToReal };

/// An integer becomes float32, a real type its complex one.
DType transformed(Direction d, DType t) {
  if (t == DType::Unknown)
    return t;
  const DType wide = floatOrDefault(t);
  return d == Direction::HalfToReal ? realType(wide) : complexType(wide);
}

/// The size of a transformed axis: \p given when the caller asks for a length.
Dim transformedSize(InferContext &c, Direction d, Dim size, std::optional<Dim> given) {
  const Dim n = given ? *given : d == Direction::HalfToReal ? twoSided(c, size) : size;
  return d == Direction::RealToHalf ? oneSided(c, n) : n;
}

bool absent(InferContext &c, std::string_view name) {
  const Attribute *a = c.attribute(name);
  return !a || a->kind == AttributeKind::None;
}

void setTransformed(InferContext &c, Direction d, const std::optional<std::vector<Dim>> &shape) {
  const Type &self = c.argType("self");
  const DType element = transformed(d, self.element);
  setTorchResult(c, 0, shape ? looseTensor(c, element, *shape, self) : freshTensor(c, element, self));
}

/// One axis: `fft_fft(self, n, dim, norm)`.
void inferOne(InferContext &c, Direction d) {
  const Type &self = c.argType("self");
  if (!self.isTensor())
    return;
  if (!self.hasRank)
    return setTransformed(c, d, std::nullopt);
  std::vector<Dim> shape(self.dims.begin(), self.dims.end());
  const auto axis = absent(c, "dim") ? std::optional<std::int64_t>(-1) : c.intAttr("dim");
  const auto at = axis ? normalizeAxis(*axis, shape.size()) : std::nullopt;
  if (!at)
    return setTransformed(c, d, std::nullopt);
  shape[*at] = transformedSize(c, d, shape[*at], absent(c, "n") ? std::nullopt : std::optional(c.dimArg("n")));
  setTransformed(c, d, std::move(shape));
}
void inferFft(InferContext &c) { inferOne(c, Direction::ToComplex); }
void inferRfft(InferContext &c) { inferOne(c, Direction::RealToHalf); }
void inferIrfft(InferContext &c) { inferOne(c, Direction::HalfToReal); }

/// Several axes: `fft_fftn(self, s, dim, norm)`; only the last one is halved.
void inferMany(InferContext &c, Direction d, bool two) {
  const Type &self = c.argType("self");
  if (!self.isTensor())
    return;
  const bool sized = !absent(c, "s");
  const auto sizes = sized ? c.dimsArg("s") : std::nullopt;
  if (!self.hasRank || (sized && !sizes))
    return setTransformed(c, d, std::nullopt);
  const std::size_t rank = self.dims.size();
  std::vector<std::int64_t> axes;
  if (!absent(c, "dim")) {
    const auto given = c.intsAttr("dim");
    if (!given)
      return setTransformed(c, d, std::nullopt);
    axes = *given;
  } else {
    const std::size_t count = sizes ? sizes->size() : two ? 2 : rank;
    for (std::size_t i = std::min(count, rank); i > 0; --i)
      axes.push_back(-static_cast<std::int64_t>(i));
  }
  if (axes.empty() || (sizes && sizes->size() != axes.size()))
    return setTransformed(c, d, std::nullopt);
  std::vector<Dim> shape(self.dims.begin(), self.dims.end());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto at = normalizeAxis(axes[i], rank);
    if (!at)
      return setTransformed(c, d, std::nullopt);
    std::optional<Dim> given;
    // -1 asks for the size that is there.
    if (sizes && !c.dims().isConstant((*sizes)[i], -1))
      given = (*sizes)[i];
    shape[*at] = transformedSize(c, i + 1 == axes.size() ? d : Direction::ToComplex, shape[*at], given);
  }
  setTransformed(c, d, std::move(shape));
}
void inferFftn(InferContext &c) { inferMany(c, Direction::ToComplex, false); }
void inferRfftn(InferContext &c) { inferMany(c, Direction::RealToHalf, false); }
void inferIrfftn(InferContext &c) { inferMany(c, Direction::HalfToReal, false); }
void inferFft2(InferContext &c) { inferMany(c, Direction::ToComplex, true); }
void inferRfft2(InferContext &c) { inferMany(c, Direction::RealToHalf, true); }
void inferIrfft2(InferContext &c) { inferMany(c, Direction::HalfToReal, true); }

/// `_fft_r2c(self, dim[], normalization, onesided)` and its two relatives.
void inferKernel(InferContext &c) {
  const Type &self = c.argType("self");
  if (!self.isTensor())
    return;
  const bool real = c.opName() == "_fft_c2r";
  const auto axes = c.intsAttr("dim");
  const auto half = c.opName() == "_fft_r2c" ? c.intAttr("onesided") : std::optional<std::int64_t>(0);
  const Direction d = real ? Direction::HalfToReal : Direction::ToComplex;
  if (!self.hasRank || !axes || axes->empty() || !half)
    return setTransformed(c, d, std::nullopt);
  const auto last = normalizeAxis(axes->back(), self.dims.size());
  if (!last)
    return setTransformed(c, d, std::nullopt);
  std::vector<Dim> shape(self.dims.begin(), self.dims.end());
  if (real)
    shape[*last] = c.dimArg("last_dim_size");
  else if (*half != 0)
    shape[*last] = oneSided(c, shape[*last]);
  setTransformed(c, d, std::move(shape));
}

void inferShift(InferContext &c) {
  const Type &self = c.argType("self");
  if (self.isTensor())
    c.setResult(0, looseLike(c, self.element, self).view());
}

void inferFrequencies(InferContext &c) {
  const Dim n = c.dimArg("n");
  const DType element = absent(c, "dtype") ? DType::Float32 : c.dtypeAttr("dtype").value_or(DType::Unknown);
  OwnedType t = freshTensor(c, element, {c.opName() == "fft_rfftfreq" ? oneSided(c, n) : n});
  if (absent(c, "device"))
    setDevice(c, t.type, "cpu");
  else if (const Attribute *a = c.attribute("device"); a->kind == AttributeKind::Device)
    setDevice(c, t.type, c.model().text(a->text), static_cast<int>(a->number));
  setTorchResult(c, 0, t);
}

/// [batch, samples] or [samples] to [batch, frequencies, frames], with a last
/// axis of two where complex numbers are not asked for.
void inferTorchStft(InferContext &c) {
  const Type &self = c.argType("self");
  if (!self.isTensor())
    return;
  const auto complexOut = absent(c, "return_complex") ? std::nullopt : c.intAttr("return_complex");
  const bool complex = complexOut ? *complexOut != 0 : isComplex(self.element);
  const DType element = self.element == DType::Unknown ? DType::Unknown
                        : complex                      ? complexType(self.element)
                                                       : realType(self.element);
  const Dim n = c.dimArg("n_fft");
  const Dim hop = absent(c, "hop_length") ? c.dims().floorDiv(n, c.constant(4)) : c.dimArg("hop_length");
  std::optional<bool> half;
  if (!absent(c, "onesided"))
    half = c.intAttr("onesided", 1) != 0;
  else if (self.element != DType::Unknown && (absent(c, "window") || c.argType("window").element != DType::Unknown))
    half = !isComplex(self.element) && !isComplex(c.argType("window").element);
  Dim samples = dimAt(self, -1);
  // Aligning frames to the window changes how many there are.
  const bool plain = absent(c, "align_to_window");
  if (c.overload() == "center" && c.intAttr("center", 1) != 0)
    samples = c.dims().add(samples, c.dims().mul(c.constant(2), c.dims().floorDiv(n, c.constant(2))));
  const Dim frames = plain ? c.dims().add(c.dims().floorDiv(c.dims().sub(samples, n), hop), c.constant(1)) : Dim();
  const Dim bins = !half ? Dim() : *half ? oneSided(c, n) : n;
  if (!self.hasRank || self.dims.empty() || self.dims.size() > 2)
    return c.setResult(0, freshTensor(c, element, self).view());
  std::vector<Dim> shape(self.dims.begin(), self.dims.end() - 1);
  shape.insert(shape.end(), {bins, frames});
  if (!complex)
    shape.push_back(c.constant(2));
  c.setResult(0, looseTensor(c, element, std::move(shape), self).view());
}

void inferTorchIstft(InferContext &c) {
  const Type &self = c.argType("self");
  if (!self.isTensor())
    return;
  const bool complex = c.intAttr("return_complex", 0) != 0;
  const DType element = self.element == DType::Unknown ? self.element
                        : complex                      ? complexType(self.element)
                                                       : realType(self.element);
  // [frequencies, frames], with a batch before, or the two parts of a number behind.
  const std::size_t trailing = isComplex(self.element) ? 2 : 3;
  const auto shape = self.element == DType::Unknown
                         ? std::nullopt
                         : batchShape(self, trailing, {absent(c, "length") ? Dim() : c.dimArg("length")});
  c.setResult(0, (shape ? looseTensor(c, element, *shape, self) : freshTensor(c, element, self)).view());
}

constexpr OpRow rows[] = {
    {"dft", inferDft, executeDft, "", "DFT"},
    {"stft", inferStft, executeStft, "", "STFT"},
    {"mel_weight_matrix", inferMelWeights, executeMelWeightMatrix, "", "MelWeightMatrix"},
    {"fft", inferFft, executeFft, "aten.fft_fft aten.fft_ifft", ""},
    {"rfft", inferRfft, executeFft, "aten.fft_rfft aten.fft_ihfft", ""},
    {"irfft", inferIrfft, executeFft, "aten.fft_irfft aten.fft_hfft", ""},
    {"fftn", inferFftn, executeFft, "aten.fft_fftn aten.fft_ifftn", ""},
    {"rfftn", inferRfftn, executeFft, "aten.fft_rfftn aten.fft_ihfftn", ""},
    {"irfftn", inferIrfftn, executeFft, "aten.fft_irfftn aten.fft_hfftn", ""},
    {"fft2", inferFft2, executeFft, "aten.fft_fft2 aten.fft_ifft2", ""},
    {"rfft2", inferRfft2, executeFft, "aten.fft_rfft2 aten.fft_ihfft2", ""},
    {"irfft2", inferIrfft2, executeFft, "aten.fft_irfft2 aten.fft_hfft2", ""},
    {"fft_kernel", inferKernel, executeFftKernel, "aten._fft_r2c aten._fft_c2r aten._fft_c2c", ""},
    {"fft_shift", inferShift, executeFftShift, "aten.fft_fftshift aten.fft_ifftshift", ""},
    {"fft_frequencies", inferFrequencies, executeFftFrequencies, "aten.fft_fftfreq aten.fft_rfftfreq", ""},
    {"torch_stft", inferTorchStft, executeTorchStft, "aten.stft", ""},
    {"torch_istft", inferTorchIstft, executeTorchIstft, "aten.istft", ""},
};

} // namespace

OpFamily signalFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

//===- Quantization.cpp - Quantisation, executed --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Quantization.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

struct QuantizedRange {
  double low = 0, high = 255;
};
QuantizedRange rangeOf(const ExecContext &c, DType t) {
  if (!isIntegral(t))
    c.fail(fmt::format("{} is no type to quantise to", dtypeName(t)));
  const unsigned bits = dtypeBits(t);
  const double span = static_cast<double>(std::int64_t{1} << std::min(bits, 62u));
  return isSigned(t) ? QuantizedRange{-span / 2, span / 2 - 1} : QuantizedRange{0, span - 1};
}

/// Scales or zero points as they stretch over \p x: one number, one a place of an axis, or
/// one for each block of an axis.
Tensor stretchedOver(const ExecContext &c, const Tensor &v, const Tensor &x, std::size_t axis, std::int64_t block) {
  if (v.numel() == 1)
    return reshaped(c, v, {});
  if (block == 0) {
    if (v.rank() != 1 || v.numel() != x.size(axis))
      c.fail(fmt::format("{} scales for an axis of {}", v.numel(), x.size(axis)));
    Sizes shape(x.rank(), 1);
    shape[axis] = v.numel();
    return reshaped(c, v, shape);
  }
  if (v.rank() != x.rank() || block < 0 || (x.size(axis) + block - 1) / block != v.size(axis))
    c.fail("the blocks do not fit the tensor");
  Sizes wide = sizesOf(v), shape = wide;
  wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(axis) + 1, block);
  shape[axis] = times(c, shape[axis], block);
  const Tensor repeated = reshaped(c, expanded(c, v.unsqueezed(axis + 1), wide), shape);
  if (repeated.size(axis) < x.size(axis))
    c.fail("the blocks do not fit the tensor");
  return repeated.sliced(axis, 0, x.size(axis));
}

/// round(x / scale) + zero, kept within the type.
struct Quantize : ElementFunctor<3, Floats> {
  double low = 0, high = 255;
  bool multiply = false; ///< the scale is an inverse
  bool late = false;     ///< rounded with the zero point in it
  template <class T> CONDLINT_HD T operator()(T x, T scale, T zero) const {
    const T scaled = multiply ? x * scale : x / scale;
    const T v = late ? std::nearbyint(scaled + zero) : std::nearbyint(scaled) + zero;
    return v < T(low) ? T(low) : (v > T(high) ? T(high) : v);
  }
};
struct Dequantize : ElementFunctor<3, Floats> {
  template <class T> CONDLINT_HD T operator()(T x, T scale, T zero) const { return (x - zero) * scale; }
};

} // namespace

void executeQuantizeLinear(ExecContext &c) {
  const Tensor &x = c.in(0);
  DType t = DType::UInt8;
  if (const auto given =
          c.attribute("output_dtype") && c.integer("output_dtype") != 0 ? c.dtype("output_dtype") : std::nullopt)
    t = *given;
  if (const Tensor *zero = c.maybe(2))
    t = zero->dtype();
  const std::size_t axis =
      axisOf(c, c.integer("axis", 1), std::max<std::size_t>(x.rank(), c.in(1).numel() == 1 ? 2 : x.rank()));
  const std::int64_t block = c.integer("block_size", 0);
  const Tensor scale = stretchedOver(c, c.in(1), x, axis, block);
  const Compute compute = x.dtype() == DType::Float64 ? Compute::F64 : Compute::F32;
  if (isFloating(t)) {
    Tensor v = elementwise(c, Divide(), compute, dtypeOf(compute), {operandOf(x), operandOf(scale)});
    if (const Tensor *zero = c.maybe(2); zero && t == DType::Float4E2M1)
      v = add(c, operandOf(v), operandOf(cast(c, stretchedOver(c, *zero, x, axis, block), v.dtype())));
    return c.set(0, castOnnx(c, v, t, c.flag("saturate", true)));
  }
  const QuantizedRange range = rangeOf(c, t);
  Quantize f;
  f.low = range.low;
  f.high = range.high;
  const Operand zero = c.has(2) ? operandOf(stretchedOver(c, c.in(2), x, axis, block)) : operandOf(0.0);
  c.set(0, elementwise(c, f, compute, t, {operandOf(x), operandOf(scale), zero}));
}

void executeDequantizeLinear(ExecContext &c) {
  const Tensor &x = c.in(0), &given = c.in(1);
  const std::size_t axis =
      axisOf(c, c.integer("axis", 1), std::max<std::size_t>(x.rank(), given.numel() == 1 ? 2 : x.rank()));
  const std::int64_t block = c.integer("block_size", 0);
  if (block != 0 && given.rank() == 0)
    c.fail("one scale for all has no blocks");
  const Tensor scale = stretchedOver(c, given, x, axis, block);
  const Operand zero = c.has(2) ? operandOf(stretchedOver(c, c.in(2), x, axis, block)) : operandOf(0.0);
  const auto to =
      c.attribute("output_dtype") && c.integer("output_dtype") != 0 ? c.dtype("output_dtype") : std::nullopt;
  c.set(0,
        elementwise(c, Dequantize(), Compute::F32, to.value_or(given.dtype()), {operandOf(x), operandOf(scale), zero}));
}

void executeDynamicQuantizeLinear(ExecContext &c) {
  const Tensor &x = c.in(0);
  const auto all = axesOf(c, {}, x.rank());
  if (x.numel() == 0)
    c.fail("a tensor without elements has no range");
  const auto top = static_cast<float>(
      std::max(0.0, scalarOfTensor(c, reduced(c, x, all, false, Reduction::Maximum, x.dtype())).toDouble()));
  const auto bottom = static_cast<float>(
      std::min(0.0, scalarOfTensor(c, reduced(c, x, all, false, Reduction::Minimum, x.dtype())).toDouble()));
  const float scale = top == bottom ? 1.0f / 255.0f : (top - bottom) / 255.0f;
  const double zero = std::clamp(std::nearbyint((0.0f - bottom) / scale), 0.0f, 255.0f);
  Quantize f;
  c.set(0, elementwise(c, f, Compute::F32, DType::UInt8,
                       {operandOf(x), operandOf(static_cast<double>(scale)), operandOf(zero)}));
  c.set(1, filled(c, DType::Float32, {}, Scalar::of(static_cast<double>(scale))));
  c.set(2, filled(c, DType::UInt8, {}, Scalar::of(zero)));
}

// --- torch ----------------------------------------------------------------------

namespace {

/// Rows of the last axis, or groups of them, have a scale each.
bool hasParts(const ExecContext &c) { return c.opName().ends_with("token") || c.opName().ends_with("group"); }

bool isPerChannel(const ExecContext &c) { return c.opName().find("channel") != std::string_view::npos; }

/// A scale or zero point of one tensor or of each channel, over \p x.
Operand perChannel(const ExecContext &c, const Operand &v, const Tensor &x) {
  if (!v.isTensor() || hasParts(c))
    return v;
  if (!isPerChannel(c) || v.tensor.numel() == 1)
    return operandOf(reshaped(c, v.tensor, {}));
  Sizes shape(x.rank(), 1);
  const std::size_t axis = axisOf(c, c.integer("axis", 0), x.rank());
  if (x.rank() == 0)
    c.fail("a tensor of rank 0 has no channels");
  shape[axis] = v.tensor.numel();
  return operandOf(reshaped(c, v.tensor, shape));
}

Operand argument(const ExecContext &c, std::initializer_list<std::string_view> names, const Operand &otherwise) {
  for (std::string_view name : names)
    if (c.hasArg(name))
      return c.tensorOrScalar(name);
  return otherwise;
}

/// What \p x is scaled with and its zero point, of all of it or of each channel.
std::pair<Operand, Operand> scaleAndZero(const ExecContext &c, const Tensor &x) {
  return {perChannel(c, argument(c, {"scale", "scales"}, operandOf(1.0)), x),
          perChannel(c, argument(c, {"zero_point", "zero_points"}, operandOf(0.0)), x)};
}

} // namespace

/// fake_quantize_per_tensor_affine, _per_channel_affine and their masks.
void executeFakeQuantize(ExecContext &c) {
  const std::string_view name = c.opName();
  if (name.find("learnable") != name.npos || name.find("obs") != name.npos || name.starts_with("fused"))
    c.fail("condlint does not execute this observer");
  const Tensor &x = c.hasArg("self") ? c.tensor("self") : c.tensor("input");
  const auto [scale, zero] = scaleAndZero(c, x);
  Quantize f;
  f.low = c.real("quant_min");
  f.high = c.real("quant_max");
  const Compute compute = computeOf(x.dtype());
  const Tensor q = elementwise(c, f, compute, dtypeOf(compute), {operandOf(x), scale, zero});
  c.finish(0, elementwise(c, Dequantize(), compute, x.dtype(), {operandOf(q), scale, zero}));
  if (name.find("cachemask") != name.npos) {
    Quantize open;
    open.low = -HUGE_VAL;
    open.high = HUGE_VAL;
    const Tensor all = elementwise(c, open, compute, dtypeOf(compute), {operandOf(x), scale, zero});
    c.finish(1, map(c, Equal(), {operandOf(all), operandOf(q)}));
  }
}

namespace {

/// What `quantized_decomposed` quantises to and from, with a scale and a zero point of the whole tensor, of each
/// channel, of each row of the last axis (a token), or of each group of it.
struct Quantized {
  explicit Quantized(const ExecContext &c) : x(c.tensor("input")), shape(sizesOf(x)) {
    const std::string_view name = c.opName();
    isWhole = name.ends_with("tensor");
    isLate = hasParts(c);
    std::tie(scale, zero) = scaleAndZero(c, x);
    if (name.ends_with("group"))
      makeGroups(c);
    // A scale of the whole tensor is a number to torch.
    if (!isWhole && scale.isTensor() && scale.dtype() == DType::Float64)
      compute = Compute::F64;
  }

  Tensor x;
  Sizes shape; ///< of the result
  Operand scale, zero;
  bool isWhole = false, isLate = false;
  Compute compute = Compute::F32;

private:
  void makeGroups(const ExecContext &c) {
    if (x.rank() != 2 || !scale.isTensor())
      c.fail("groups are those of a matrix");
    std::int64_t size = c.integer("group_size", 128);
    if (size > x.size(1) && scale.tensor.rank() != 0 && scale.tensor.size(scale.tensor.rank() - 1) == 1)
      size = x.size(1);
    if (size <= 1 || x.size(1) % size != 0)
      c.fail(fmt::format("a row of {} has no groups of {}", x.size(1), size));
    const std::int64_t rows[] = {x.numel() / size, size}, one[] = {x.numel() / size, 1};
    const auto each = [&](Operand &v) {
      if (v.isTensor() && v.tensor.numel() != one[0])
        c.fail(fmt::format("{} numbers for {} groups", v.tensor.numel(), one[0]));
      if (v.isTensor())
        v.tensor = reshaped(c, v.tensor, one);
    };
    each(scale);
    each(zero);
    x = reshaped(c, x, rows);
  }
};

} // namespace

/// quantized_decomposed.quantize_per_tensor, _per_channel, _per_token, _per_channel_group.
void executeQuantizeDecomposed(ExecContext &c) {
  if (c.opName() == "convert_element_type")
    return c.set(0, cast(c, c.tensor("input"), c.dtype("dtype").value_or(c.tensor("input").dtype())));
  const Quantized q(c);
  Quantize f;
  f.low = c.real("quant_min");
  f.high = c.real("quant_max");
  f.late = q.isLate;
  const auto t = c.dtype("dtype");
  if (!t)
    c.fail("the element type is missing");
  // torch multiplies with the inverse of the scale.
  f.multiply = true;
  const Operand &scale = q.scale;
  const Operand factor =
      scale.isTensor()
          ? operandOf(map(c, Divide(), {operandOf(filled(c, scale.tensor.dtype(), {}, Scalar::of(1.0))), scale}))
          : operandOf(1.0 / scale.scalar.toDouble());
  c.set(0, reshaped(c, elementwise(c, f, q.compute, *t, {operandOf(q.x), factor, q.zero}), q.shape));
}

void executeDequantizeDecomposed(ExecContext &c) {
  const Quantized q(c);
  const auto t = c.dtype(c.attribute("output_dtype") ? "output_dtype" : "out_dtype");
  c.set(0,
        reshaped(c,
                 elementwise(c, Dequantize(), q.compute, t.value_or(DType::Float32), {operandOf(q.x), q.scale, q.zero}),
                 q.shape));
}

/// quantized_decomposed.choose_qparams, _symmetric: a scale and a zero point for the whole tensor.
void executeChooseQuantization(ExecContext &c) {
  const Tensor &x = c.tensor("input");
  const std::vector<double> all = doublesOf(c, x);
  if (all.empty() || std::ranges::any_of(all, [](double v) { return std::isnan(v); }))
    c.fail("what is to be quantised has no least and no greatest element");
  const double low = std::min(std::ranges::min(all), 0.0), high = std::max(std::ranges::max(all), 0.0),
               least = c.real("quant_min"), most = c.real("quant_max");
  // Each step is rounded to the type of the elements.
  const auto rounded = [&](double v) {
    return scalarOfTensor(c, scalarTensor(c, Scalar::of(v), x.dtype())).toDouble();
  };
  const bool isSymmetric = c.opName() == "choose_qparams_symmetric";
  const double span = isSymmetric ? std::max(-low, high) : rounded(high - low);
  const auto scale = static_cast<float>(std::max(rounded(span / (isSymmetric ? (most - least) / 2 : most - least)),
                                                 static_cast<double>(static_cast<float>(c.real("eps")))));
  double zero = c.dtype("dtype") == DType::UInt8 ? 128 : 0;
  if (!isSymmetric)
    zero = std::clamp(least - std::nearbyint(static_cast<float>(low) / scale), least, most);
  const std::int64_t one[] = {1};
  c.set(0, tensorOf(c, one, std::vector<double>{scale}));
  c.set(1, tensorOf(c, std::vector<std::int64_t>{static_cast<std::int64_t>(zero)}));
}

/// quantized_decomposed.choose_qparams_per_token, _asymmetric: the same for each row of the last axis.
void executeChoosePerToken(ExecContext &c) {
  const Tensor &x = c.tensor("input");
  if (x.rank() == 0)
    c.fail("a tensor of rank 0 has no rows");
  const std::size_t last[] = {x.rank() - 1};
  const auto extreme = [&](const Tensor &of, Reduction r) { return reduced(c, of, last, true, r, x.dtype()); };
  constexpr double infinite = HUGE_VAL;
  const auto clamped = [&](const Tensor &v, double low, double high) {
    return map(c, Clamp(), {operandOf(v), operandOf(low), operandOf(high)});
  };
  if (c.opName() == "choose_qparams_per_token") {
    Tensor scale = extreme(map(c, Absolute(), {operandOf(x)}), Reduction::Maximum);
    if (scale.dtype() == DType::Float16)
      scale = cast(c, scale, DType::Float32);
    scale = div(c, operandOf(clamped(scale, 1e-5, infinite)), operandOf(127.0));
    c.set(0, scale);
    return c.set(1, filled(c, scale.dtype(), scale.sizes(), Scalar::of(0.0)));
  }
  constexpr double least = -128, most = 127, epsilon = 1.1920928955078125e-07;
  const Tensor low = clamped(extreme(x, Reduction::Minimum), -infinite, 0),
               high = clamped(extreme(x, Reduction::Maximum), 0, infinite),
               scale = clamped(div(c, operandOf(sub(c, operandOf(high), operandOf(low))), operandOf(most - least)),
                               epsilon, infinite);
  const Tensor below = div(c, operandOf(low), operandOf(scale)), above = div(c, operandOf(high), operandOf(scale));
  const auto plus = [&](const Tensor &v, double by) { return add(c, operandOf(v), operandOf(by)); };
  // The end of the range whose error is greater is met exactly.
  const Tensor isLow = map(
      c, Greater(), {operandOf(add(c, operandOf(plus(below, least)), operandOf(plus(above, most)))), operandOf(0.0)});
  const Tensor zero = select(c, isLow, operandOf(mul(c, operandOf(plus(below, -least)), operandOf(-1.0))),
                             operandOf(mul(c, operandOf(plus(above, -most)), operandOf(-1.0))));
  c.set(0, cast(c, scale, DType::Float64));
  c.set(1, castRounded(c, clamped(zero, least, most), DType::Int64));
}

/// _weight_int8pack_mm: a matrix times a transposed one of bytes, with a scale for each column.
void executeWeightInt8Product(ExecContext &c) {
  const Tensor &x = c.tensor("self"), &w = c.tensor("mat2"), &scales = c.tensor("scales");
  if (x.rank() != 2 || w.rank() != 2 || x.size(1) != w.size(1) || scales.rank() != 1 || scales.size(0) != w.size(0))
    c.fail(fmt::format("shapes {}, {} and {} do not fit each other", shapeText(x.sizes()), shapeText(w.sizes()),
                       shapeText(scales.sizes())));
  const Tensor product = matmul(c, cast(c, x, DType::Float32), cast(c, w, DType::Float32).transposed(0, 1));
  c.finish(0, cast(c, mul(c, operandOf(product), operandOf(scales)), x.dtype()));
}

} // namespace condlint

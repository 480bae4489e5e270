//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checked.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "Kernels.h"
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
  if (v.rank() != x.rank() || block < 0)
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
  template <class T> CONDLINT_HD T operator()(T x, T scale, T zero) const {
    const T v = std::nearbyint(multiply ? x * scale : x / scale) + zero;
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

bool isPerChannel(const ExecContext &c) { return c.opName().find("channel") != std::string_view::npos; }

/// A scale or zero point of one tensor or of each channel, over \p x.
Operand perChannel(const ExecContext &c, const Operand &v, const Tensor &x) {
  if (!v.isTensor())
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

/// quantized_decomposed.quantize_per_tensor, _per_channel.
void executeQuantizeDecomposed(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = c.tensor("input");
  if (name == "convert_element_type")
    return c.set(0, cast(c, x, c.dtype("dtype").value_or(x.dtype())));
  if (name.find("token") != name.npos || name.find("group") != name.npos)
    c.fail("condlint does not execute this quantisation");
  const auto [scale, zero] = scaleAndZero(c, x);
  Quantize f;
  f.low = c.real("quant_min");
  f.high = c.real("quant_max");
  const auto t = c.dtype("dtype");
  if (!t)
    c.fail("the element type is missing");
  // torch multiplies with the inverse of the scale of a whole tensor.
  f.multiply = !isPerChannel(c);
  Operand factor = scale;
  if (f.multiply)
    factor = scale.isTensor()
                 ? operandOf(map(c, Divide(), {operandOf(filled(c, scale.tensor.dtype(), {}, Scalar::of(1.0))), scale}))
                 : operandOf(1.0 / scale.scalar.toDouble());
  c.set(0, elementwise(c, f, Compute::F32, *t, {operandOf(x), factor, zero}));
}

void executeDequantizeDecomposed(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = c.tensor("input");
  if (name.find("token") != name.npos || name.find("group") != name.npos)
    c.fail("condlint does not execute this quantisation");
  const auto [scale, zero] = scaleAndZero(c, x);
  c.set(0, elementwise(c, Dequantize(), Compute::F32, c.dtype("out_dtype").value_or(DType::Float32),
                       {operandOf(x), scale, zero}));
}

} // namespace condlint

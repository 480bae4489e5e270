//===- Quantization.cpp - Quantised numbers -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Quantization.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include <fmt/format.h>

namespace condlint {
namespace {

// --- ONNX -------------------------------------------------------------------

/// The scale is one number, one for each slice along `axis`, or (since 21) one
/// for each block of `block_size` along it.
void checkScale(InferContext &c) {
  const Type &x = c.type(0), &scale = c.type(1);
  if (!x.hasRank || !scale.hasRank)
    return;
  if (const std::int64_t block = c.intAttr("block_size", 0); block < 0)
    return c.reject(fmt::format("{}: the block size {} is negative", c.opName(), block));
  else if (block > 0 && scale.dims.size() != x.dims.size())
    return c.reject(fmt::format("{}: with a block size the scale must have the rank {} of the input, but has rank {}",
                                c.opName(), x.dims.size(), scale.dims.size()),
                    1, FaultKind::Unequal);
  if (scale.dims.empty())
    return;
  // A single number may come as [1]; version 10 knows nothing else.
  if (scale.dims.size() == 1 && c.dims().isConstant(scale.dims[0], 1))
    return;
  const std::int64_t block = c.intAttr("block_size", 0);
  const std::int64_t axis = c.intAttr("axis", 1);
  if (block == 0) {
    if (scale.dims.size() != 1) {
      // Blocked, though the size of a block is left to the runtime.
      if (scale.dims.size() != x.dims.size())
        c.reject(fmt::format("the scale of {} must be a number, a list, or have the rank {} of the input, but has rank "
                             "{}",
                             c.opName(), x.dims.size(), scale.dims.size()),
                 1);
      return;
    }
    // A list's axis does not matter where the input has only one.
    const auto at = normalizeAxis(x.dims.size() == 1 ? 0 : axis, x.dims.size());
    if (!at) {
      c.reject(fmt::format("{}: the axis {} is out of range for rank {}", c.opName(), axis, x.dims.size()));
      return;
    }
    if (c.version() >= 13)
      mustEqual(c, x.dims[*at], scale.dims[0], "the size of the axis and the number of scales", 1);
    return;
  }
  const auto at = normalizeAxis(axis, x.dims.size());
  if (!at || block < 0) {
    c.reject(at ? fmt::format("{}: the block size {} is negative", c.opName(), block)
                : fmt::format("{}: the axis {} is out of range for rank {}", c.opName(), axis, x.dims.size()));
    return;
  }
  if (scale.dims.size() != x.dims.size())
    return;
  for (std::size_t i = 0; i < x.dims.size(); ++i)
    if (i != *at)
      mustEqual(c, x.dims[i], scale.dims[i], "the sizes of input and scale outside of the blocks", 1);
}

void inferQuantize(InferContext &c) {
  DType element = DType::UInt8;
  const std::int64_t asked = c.intAttr("output_dtype", 0);
  if (c.has(2)) {
    element = c.type(2).element;
    const DType wanted = c.dtypeAttr("output_dtype").value_or(DType::Unknown);
    if (asked != 0 && wanted != DType::Unknown && element != DType::Unknown && wanted != element)
      c.reject(fmt::format("output_dtype asks for {}, but the zero point is {}", dtypeName(wanted), dtypeName(element)),
               2);
    if (element == DType::Unknown && asked != 0)
      element = wanted;
  } else if (asked != 0) {
    element = c.dtypeAttr("output_dtype").value_or(DType::Unknown);
  }
  const bool isNarrow = !isFloating(element) || dtypeBits(element) <= 8;
  if (!c.has(2) && element != DType::Unknown && (!isNarrow || dtypeBits(element) > 16))
    c.reject(fmt::format("QuantizeLinear: the result is of at most 16 bits, of integers, or of 8, and not of {}",
                         dtypeName(element)));
  checkScale(c);
  c.setResult(0, reshapedLike(c, element, c.type(0)));
}

void inferDequantize(InferContext &c) {
  DType element = DType::Float32;
  const bool isAsked = c.intAttr("output_dtype", 0) != 0;
  if (c.version() >= 19 || c.version() < 0)
    element = isAsked ? c.dtypeAttr("output_dtype").value_or(DType::Unknown) : c.type(1).element;
  if (isAsked && element != DType::Unknown && element != DType::Float32 && element != DType::Float16 &&
      element != DType::BFloat16)
    c.reject(fmt::format("DequantizeLinear: the result is of float32, float16 or bfloat16, and not of {}",
                         dtypeName(element)));
  checkScale(c);
  c.setResult(0, reshapedLike(c, element, c.type(0)));
}

void inferDynamicQuantize(InferContext &c) {
  c.setResult(0, reshapedLike(c, DType::UInt8, c.type(0)));
  c.setResult(1, c.tensor(DType::Float32, {}));
  c.setResult(2, c.tensor(DType::UInt8, {}));
}

// --- torch ------------------------------------------------------------------

/// Torch's quantised element types (qint8, ...) have no name in the model: the
/// element is unknown and the type says that it is quantised.
Type quantized(InferContext &c, const Type &self) {
  OwnedType t = looseLike(c, DType::Unknown, self);
  t.type.quantized = Tri::Yes;
  return c.model().types[c.model().types.intern(t.view())];
}

const Type &selfType(InferContext &c) {
  return c.hasAttribute("self") ? c.argType("self") : c.hasAttribute("input") ? c.argType("input") : c.type(0);
}

void inferTorchQuantize(InferContext &c) {
  if (c.overload() == "tensors") {
    const std::vector<ValueId> list = c.argList("tensors");
    for (std::size_t i = 0; i < c.resultCount() && i < list.size(); ++i)
      c.setResult(i, quantized(c, c.typeOf(list[i])));
    return;
  }
  c.setResult(0, quantized(c, selfType(c)));
}

/// `dequantize`: float32, whatever the quantised type.
void inferTorchDequantize(InferContext &c) {
  const auto plain = [&](const Type &self) {
    OwnedType t = looseLike(c, DType::Float32, self);
    t.type.quantized = Tri::No;
    return t;
  };
  if (c.overload() == "tensors") {
    const std::vector<ValueId> list = c.argList("tensors");
    for (std::size_t i = 0; i < c.resultCount() && i < list.size(); ++i)
      c.setResult(i, plain(c.typeOf(list[i])).view());
    return;
  }
  if (c.overload() == "self" || c.overload() == "tensor" || c.overload().empty())
    setTorchResult(c, 0, plain(selfType(c)));
}

/// The integers inside: their type follows from the quantised type, which is unknown.
void inferIntRepr(InferContext &c) { c.setResult(0, looseLike(c, DType::Unknown, selfType(c)).view()); }

/// Rounds to the grid and back: like the input, and a mask of what was inside
/// of the grid for those that have one; then the observer's state.
void inferFakeQuantize(InferContext &c) {
  const Type &self = selfType(c);
  if (!self.isTensor())
    return;
  c.setResult(0, looseLike(c, self.element, self).view());
  if (c.resultCount() > 1)
    c.setResult(1, looseLike(c, DType::Bool, self).view());
  constexpr std::string_view state[] = {"running_min", "running_max", "scale", "zero_point"};
  for (std::size_t i = 0; i < std::size(state); ++i)
    if (c.argType(state[i]).isTensor())
      c.setResult(i + 2, looseLike(c, c.argType(state[i]).element, c.argType(state[i])).view());
}

void inferScaleNumber(InferContext &c) { c.setResult(0, symbolic(ValueKind::SymFloat)); }
void inferZeroPointNumber(InferContext &c) { c.setResult(0, symbolic(ValueKind::SymInt)); }
void inferChooseNumbers(InferContext &c) {
  c.setResult(0, symbolic(ValueKind::SymFloat));
  c.setResult(1, symbolic(ValueKind::SymInt));
}
void inferChannelScales(InferContext &c) { c.setResult(0, freshTensor(c, DType::Float64, selfType(c)).view()); }
void inferChannelZeroPoints(InferContext &c) { c.setResult(0, freshTensor(c, DType::Int64, selfType(c)).view()); }

/// `quantized_decomposed`: quantisation on plain integer tensors.
void inferDecomposedQuantize(InferContext &c) {
  c.setResult(0, looseLike(c, c.dtypeAttr("dtype").value_or(DType::Unknown), selfType(c)).view());
}

void inferDecomposedDequantize(InferContext &c) {
  DType element = DType::Float32;
  for (std::string_view name : {"out_dtype", "output_dtype"})
    if (const Attribute *a = c.attribute(name); a && a->kind != AttributeKind::None)
      element = c.dtypeAttr(name).value_or(DType::Unknown);
  c.setResult(0, looseLike(c, element, selfType(c)).view());
}

/// One scale and zero point for the whole tensor.
void inferChooseDecomposed(InferContext &c) {
  const Type &self = selfType(c);
  c.setResult(0, freshTensor(c, DType::Float64, {c.constant(1)}, self).view());
  c.setResult(1, freshTensor(c, DType::Int64, {c.constant(1)}, self).view());
}

/// One scale and zero point a token: the last axis shrinks to 1.
void inferChoosePerToken(InferContext &c) {
  const Type &self = selfType(c);
  const auto shape = batchShape(self, 1, {c.constant(1)});
  for (std::size_t i = 0; i < 2; ++i) {
    // The types of the two have changed from release to release of torch.
    c.setResult(i,
                (shape ? looseTensor(c, DType::Unknown, *shape, self) : freshTensor(c, DType::Unknown, self)).view());
  }
}

/// [M, K] times [N, K] transposed, as the first.
void inferWeightInt8Product(InferContext &c) {
  const Type &self = c.argType("self"), &weight = c.argType("mat2");
  const Dim rows = self.hasRank && self.dims.size() == 2 ? self.dims[0] : Dim(),
            columns = weight.hasRank && weight.dims.size() == 2 ? weight.dims[0] : Dim();
  c.setResult(0, freshTensor(c, self.element, {rows, columns}, self).view());
}

constexpr OpRow rows[] = {
    {"quantize_linear", inferQuantize, executeQuantizeLinear, "", "QuantizeLinear"},
    {"dequantize_linear", inferDequantize, executeDequantizeLinear, "", "DequantizeLinear"},
    {"dynamic_quantize_linear", inferDynamicQuantize, executeDynamicQuantizeLinear, "", "DynamicQuantizeLinear"},
    {"quantize", inferTorchQuantize, nullptr,
     "aten.quantize_per_tensor aten.quantize_per_channel aten.quantize_per_tensor_dynamic "
     "aten._make_per_tensor_quantized_tensor aten._make_per_channel_quantized_tensor",
     ""},
    {"dequantize", inferTorchDequantize, nullptr, "aten.dequantize", ""},
    {"int_repr", inferIntRepr, nullptr, "aten.int_repr", ""},
    {"fake_quantize", inferFakeQuantize, executeFakeQuantize,
     "aten.fake_quantize_per_tensor_affine aten.fake_quantize_per_channel_affine "
     "aten.fake_quantize_per_tensor_affine_cachemask aten.fake_quantize_per_channel_affine_cachemask "
     "aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams "
     "aten._fake_quantize_learnable_per_tensor_affine aten._fake_quantize_learnable_per_channel_affine "
     "aten.fused_moving_avg_obs_fake_quant aten._fused_moving_avg_obs_fq_helper "
     "aten._fused_moving_avg_obs_fq_helper_functional quantized_decomposed.fake_quant_per_channel",
     ""},
    {"quantization_scale", inferScaleNumber, nullptr, "aten.q_scale", "", OpTrait::Trivial},
    {"quantization_zero_point", inferZeroPointNumber, nullptr, "aten.q_zero_point aten.q_per_channel_axis", "",
     OpTrait::Trivial},
    {"quantization_scales", inferChannelScales, nullptr, "aten.q_per_channel_scales", ""},
    {"quantization_zero_points", inferChannelZeroPoints, nullptr, "aten.q_per_channel_zero_points", ""},
    {"choose_quantization_numbers", inferChooseNumbers, nullptr, "aten._choose_qparams_per_tensor", "",
     OpTrait::HostSync},
    {"quantize_decomposed", inferDecomposedQuantize, executeQuantizeDecomposed,
     "quantized_decomposed.quantize_per_tensor quantized_decomposed.quantize_per_channel "
     "quantized_decomposed.quantize_per_token quantized_decomposed.quantize_per_channel_group "
     "quantized_decomposed.convert_element_type",
     ""},
    {"dequantize_decomposed", inferDecomposedDequantize, executeDequantizeDecomposed,
     "quantized_decomposed.dequantize_per_tensor quantized_decomposed.dequantize_per_channel "
     "quantized_decomposed.dequantize_per_token quantized_decomposed.dequantize_per_channel_group",
     ""},
    {"choose_quantization", inferChooseDecomposed, executeChooseQuantization,
     "quantized_decomposed.choose_qparams quantized_decomposed.choose_qparams_symmetric", ""},
    {"choose_quantization_per_token", inferChoosePerToken, executeChoosePerToken,
     "quantized_decomposed.choose_qparams_per_token quantized_decomposed.choose_qparams_per_token_asymmetric "
     "quantized_decomposed._choose_qparams_per_token_asymmetric_impl",
     ""},
    {"weight_int8_product", inferWeightInt8Product, executeWeightInt8Product, "aten._weight_int8pack_mm", ""},
};

} // namespace

OpFamily quantizationFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "Elementwise.h"
#include "Strides.h"
#include <algorithm>
#include <array>
#include <string>

namespace condlint {

namespace {

/// `to`, `_to_copy`: another element type, device or format.
struct Conversion {
  DType dtype = DType::Unknown;
  Tri sameDevice = Tri::Yes;
  OwnedType copy; ///< what a copy would be
};

Conversion conversion(InferContext &c, const Type &self) {
  Conversion r;
  r.copy = likeTensor(c, self);
  if (const ValueId other = c.arg("other")) {
    const Type &like = c.typeOf(other);
    r.copy.type.element = like.element;
    r.copy.type.device = like.device;
    r.copy.type.deviceIndex = like.deviceIndex;
  }
  r.dtype = r.copy.type.element;
  if (!r.copy.type.device || !self.device)
    r.sameDevice = Tri::Unknown;
  else
    r.sameDevice = toTri(r.copy.type.device == self.device &&
                         (r.copy.type.deviceIndex == self.deviceIndex || r.copy.type.deviceIndex < 0));
  // A copy keeps the strides of a dense tensor; another becomes contiguous, unless
  // it looks like channels last.
  const auto format = c.intAttr("memory_format", static_cast<std::int64_t>(MemoryFormat::Preserve));
  if (format == static_cast<std::int64_t>(MemoryFormat::Preserve) && self.hasRank &&
      isDense(c.dims(), self) != Tri::Yes) {
    r.copy.dropStrides();
    if (isDense(c.dims(), self) == Tri::No && self.dims.size() != 4 && self.dims.size() != 5)
      r.copy.setStrides(contiguousStrides(c.dims(), r.copy.dims));
  }
  return r;
}

void inferToCopy(InferContext &c) { setTorchResult(c, 0, conversion(c, c.type(0)).copy); }

/// `to` is the operand itself when there is nothing to convert.
void inferTo(InferContext &c) {
  const Type &self = c.type(0);
  Conversion r = conversion(c, self);
  const bool formatGiven = c.intAttr("memory_format", static_cast<std::int64_t>(MemoryFormat::Preserve)) !=
                           static_cast<std::int64_t>(MemoryFormat::Preserve);
  const bool sameType = r.dtype != DType::Unknown && r.dtype == self.element;
  if (sameType && r.sameDevice == Tri::Yes && !formatGiven && c.intAttr("copy", 0) == 0) {
    c.setResult(0, self);
    return;
  }
  const bool mayBeSame = (r.dtype == DType::Unknown || self.element == DType::Unknown || sameType) &&
                         r.sameDevice != Tri::No && c.intAttr("copy", 0) == 0;
  if (mayBeSame) { // it keeps its strides and offset, or not
    r.copy.dropStrides();
    r.copy.type.storageOffset = Dim();
    r.copy.type.conjugate = Tri::Unknown;
  }
  setTorchResult(c, 0, r.copy);
}

void inferClone(InferContext &c) { setTorchResult(c, 0, likeTensor(c, c.type(0))); }

/// `lift_fresh_copy`: a row-major copy of a constant.
void inferLiftFreshCopy(InferContext &c) {
  const Type &self = c.type(0);
  if (!self.hasRank)
    return setTorchResult(c, 0, freshTensor(c, self.element, self));
  setTorchResult(c, 0, freshTensor(c, self.element, {self.dims.begin(), self.dims.end()}, self));
}

/// `contiguous`: the operand when it is laid out so, else a copy.
void inferContiguous(InferContext &c) {
  const Type &self = c.type(0);
  OwnedType t(self);
  if (!self.isTensor())
    return;
  const auto format = static_cast<MemoryFormat>(c.intAttr("memory_format", 1));
  const Tri already = format == MemoryFormat::Contiguous ? isContiguous(c.dims(), self)
                      : format == MemoryFormat::ChannelsLast || format == MemoryFormat::ChannelsLast3d
                          ? isChannelsLast(c.dims(), self)
                          : Tri::Unknown;
  if (already == Tri::Yes) {
    c.setResult(0, self);
    return;
  }
  t.dropStrides();
  t.type.storageOffset = already == Tri::No ? c.constant(0) : Dim();
  t.type.conjugate = already == Tri::No ? Tri::No : self.conjugate;
  if (self.hasRank)
    if (auto strides = stridesInFormat(c.dims(), t.dims, format))
      t.setStrides(std::move(*strides));
  c.setResult(0, t.view());
}

/// `copy(self, src)`: the shape and type of self, the values of src.
void inferCopy(InferContext &c) {
  OwnedType t(c.type(0));
  if (!t.type.isTensor())
    return;
  if (!isInPlace(c) && isDense(c.dims(), c.type(0)) != Tri::Yes)
    t.dropStrides();
  if (!isInPlace(c))
    t.type.storageOffset = c.constant(0);
  setTorchResult(c, 0, t);
}

void inferTypeAs(InferContext &c) {
  OwnedType t = likeTensor(c, c.type(0));
  t.type.element = c.type(1).element;
  t.type.device = c.type(1).device;
  t.type.deviceIndex = c.type(1).deviceIndex;
  t.dropStrides();
  t.type.storageOffset = Dim();
  c.setResult(0, t.view());
}

// --- ONNX -------------------------------------------------------------------

/// The names that Cast had up to opset 5 ("FLOAT").
DType dtypeOfLegacyName(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, DType>, 15> table{{
      {"FLOAT", DType::Float32},
      {"UINT8", DType::UInt8},
      {"INT8", DType::Int8},
      {"UINT16", DType::UInt16},
      {"INT16", DType::Int16},
      {"INT32", DType::Int32},
      {"INT64", DType::Int64},
      {"STRING", DType::String},
      {"BOOL", DType::Bool},
      {"FLOAT16", DType::Float16},
      {"DOUBLE", DType::Float64},
      {"UINT32", DType::UInt32},
      {"UINT64", DType::UInt64},
      {"COMPLEX64", DType::Complex64},
      {"COMPLEX128", DType::Complex128},
  }};
  for (const auto &[text, type] : table)
    if (text == name)
      return type;
  return DType::Unknown;
}

/// Whole numbers stay what they are where the new type can hold them.
Dim convert(DimTable &dims, Dim v, DType to) {
  if (!v.known())
    return {};
  const Interval range = dims.boundsOf(v);
  if (to == DType::Bool) {
    if (const auto value = dims.asConstant(v))
      return dims.constant(*value != 0 ? 1 : 0);
    return range.min > 0 || range.max < 0 ? dims.constant(1) : Dim();
  }
  if (to == DType::Int64)
    return v;
  if (isIntegral(to)) {
    // Sizes are taken to fit into 32 bits, as every exporter does.
    const unsigned bits = dtypeBits(to);
    if (bits >= 32 && !dims.asConstant(v) && range.min >= 0)
      return v;
    const std::int64_t low = isSigned(to) ? -(std::int64_t{1} << (bits - 1)) : 0;
    const std::int64_t high = bits >= 63 ? std::numeric_limits<std::int64_t>::max()
                                         : (std::int64_t{1} << (isSigned(to) ? bits - 1 : bits)) - 1;
    return range.min >= low && range.max <= high ? v : Dim();
  }
  if (to == DType::Float32 || to == DType::Float64) {
    const std::int64_t exact = std::int64_t{1} << (to == DType::Float32 ? 24 : 53);
    if (const auto value = dims.asConstant(v))
      return *value >= -exact && *value <= exact ? v : Dim();
    return v;
  }
  return {};
}

void castTo(InferContext &c, DType to) {
  setLikeOperand(c, 0, to);
  const auto content = c.content(0);
  if (!content)
    return;
  std::vector<Dim> values;
  for (Dim v : *content)
    values.push_back(convert(c.dims(), v, to));
  c.setContent(0, values);
}

void inferCast(InferContext &c) {
  DType to = c.dtypeAttr("to").value_or(DType::Unknown);
  if (to == DType::Unknown)
    to = dtypeOfLegacyName(c.stringAttr("to"));
  castTo(c, to);
}

void inferCastLike(InferContext &c) { castTo(c, c.type(1).element); }

/// The bits stay, so both types are of one width.
void inferBitCast(InferContext &c) {
  const DType to = c.dtypeAttr("to").value_or(DType::Unknown);
  const unsigned before = dtypeBits(c.type(0).element), after = dtypeBits(to);
  if (before != 0 && after != 0 && before != after)
    c.reject("BitCast from " + std::string(dtypeName(c.type(0).element)) + " to " + std::string(dtypeName(to)) +
                 " changes the width of an element",
             0);
  setLikeOperand(c, 0, to);
}

/// Tensors, sequences and optionals alike.
void inferIdentity(InferContext &c) {
  c.setResult(0, c.type(0));
  if (const auto content = c.content(0))
    c.setContent(0, std::vector<Dim>(content->begin(), content->end()));
}

/// `to_sparse` and its like, `to_dense`: the same elements in another layout.
void inferToLayout(InferContext &c) {
  const Type &self = c.type(0);
  OwnedType t(self);
  t.type.kind = ValueKind::Tensor;
  t.dropStrides();
  t.type.storageOffset = Dim();
  t.type.conjugate = Tri::Unknown;
  const std::string_view name = c.opName();
  const Attribute *layout = c.attribute("layout");
  if (name == "to_dense")
    t.type.layout = Layout::Strided;
  else if (name == "to_mkldnn")
    t.type.layout = Layout::Mkldnn;
  else if (name == "to_sparse_csr")
    t.type.layout = Layout::SparseCsr;
  else if (name == "to_sparse_csc")
    t.type.layout = Layout::SparseCsc;
  else if (name == "to_sparse_bsr")
    t.type.layout = Layout::SparseBsr;
  else if (name == "to_sparse_bsc")
    t.type.layout = Layout::SparseBsc;
  else if (!layout || layout->kind == AttributeKind::None)
    t.type.layout = Layout::SparseCoo;
  else
    t.type.layout = layout->kind == AttributeKind::Layout && layout->number >= 0 &&
                            layout->number <= static_cast<std::int64_t>(Layout::Jagged)
                        ? static_cast<Layout>(layout->number)
                        : Layout::Unknown;
  if (const auto dtype = c.dtypeAttr("dtype"))
    t.type.element = *dtype;
  c.setResult(0, t.view());
}

constexpr OpRow rows[] = {
    {"to_layout", inferToLayout,
     "aten.to_sparse aten._to_sparse aten.to_sparse_csr aten.to_sparse_csc aten.to_sparse_bsr aten.to_sparse_bsc "
     "aten.to_dense aten.to_mkldnn",
     ""},
    {"to_copy", inferToCopy, "aten._to_copy", ""},
    {"to", inferTo, "aten.to", "", OpTrait::None, refineTo},
    {"clone", inferClone, "aten.clone", ""},
    {"lift_fresh_copy", inferLiftFreshCopy, "aten.lift_fresh_copy", ""},
    {"contiguous", inferContiguous, "aten.contiguous", "", OpTrait::None, refineContiguous},
    {"copy", inferCopy, "aten.copy aten.copy_", ""},
    {"type_as", inferTypeAs, "aten.type_as", "", OpTrait::None, refineTo},
    {"cast", inferCast, "", "Cast"},
    {"cast_like", inferCastLike, "", "CastLike"},
    {"bit_cast", inferBitCast, "", "BitCast"},
    {"identity", inferIdentity, "", "Identity", OpTrait::Trivial},
};

} // namespace

std::span<const OpRow> castRows() { return rows; }

} // namespace condlint

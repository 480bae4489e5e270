//===- ElementwiseCast.cpp - Conversions and copies -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "Elementwise.h"
#include "InferState.h"
#include "OpTable.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/ElementKernels.h"
#include "kernels/Functors.h"
#include "kernels/TensorOps.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace condlint {

namespace {

/// `to`, `_to_copy`: another element type, device or format.
struct Conversion {
  DType dtype = DType::Unknown;
  Tri sameDevice = Tri::Yes;
  OwnedType copy; ///< what a copy would be
};

MemoryFormat askedFormat(InferContext &c) {
  return static_cast<MemoryFormat>(c.intAttr("memory_format", static_cast<std::int64_t>(MemoryFormat::Preserve)));
}

Conversion conversion(InferContext &c, const Type &self) {
  Conversion r;
  r.copy = likeTensor(c, self);
  if (self.layout == Layout::Strided && r.copy.type.layout != Layout::Strided && c.hasAttribute("layout"))
    c.reject(fmt::format("it keeps the layout of its operand, strided, and cannot make it {}",
                         layoutName(r.copy.type.layout)));
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
  return r;
}

void inferToCopy(InferContext &c) {
  keepsShape(c, 0, true);
  setTorchResult(c, 0, conversion(c, c.type(0)).copy);
}

/// `to` is the operand itself when there is nothing to convert.
void inferTo(InferContext &c) {
  const Type &self = c.type(0);
  keepsShape(c);
  Conversion r = conversion(c, self);
  const MemoryFormat format = askedFormat(c);
  const auto suggested = suggestedFormat(c.dims(), self);
  const Tri sameFormat = format == MemoryFormat::Preserve ? Tri::Yes
                         : suggested                      ? toTri(*suggested == format)
                                                          : Tri::Unknown;
  const bool sameType = r.dtype != DType::Unknown && r.dtype == self.element;
  if (sameType && r.sameDevice == Tri::Yes && sameFormat == Tri::Yes && c.intAttr("copy", 0) == 0) {
    c.setResult(0, self);
    return;
  }
  const bool mayBeSame = (r.dtype == DType::Unknown || self.element == DType::Unknown || sameType) &&
                         r.sameDevice != Tri::No && sameFormat != Tri::No && c.intAttr("copy", 0) == 0;
  if (mayBeSame) { // it keeps its strides and offset, or not
    r.copy.dropStrides();
    r.copy.type.storageOffset = Dim();
    r.copy.type.conjugate = Tri::Unknown;
  }
  setTorchResult(c, 0, r.copy);
}

void inferClone(InferContext &c) {
  keepsShape(c, 0, true);
  setTorchResult(c, 0, likeTensor(c, c.type(0)));
}

/// `copy_strided`: a copy that lies as it is told.
void inferCopyStrided(InferContext &c) {
  keepsShape(c);
  OwnedType copy(c.type(0));
  copy.type.storageOffset = c.constant(0);
  const auto strides = c.dimsArg("stride");
  if (strides && copy.type.hasRank && strides->size() == copy.type.dims.size())
    copy.setStrides(*strides);
  else
    copy.dropStrides();
  setTorchResult(c, 0, copy);
}

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
  keepsShape(c);
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
  // A copy starts at 0; what starts there itself does so either way.
  if (already == Tri::No)
    t.type.storageOffset = c.constant(0);
  else if (!self.storageOffset.known() || c.dims().asConstant(self.storageOffset) != 0)
    t.type.storageOffset = Dim();
  t.type.conjugate = already == Tri::No ? Tri::No : self.conjugate;
  if (self.hasRank)
    if (auto strides = stridesInFormat(c.dims(), t.dims, format))
      t.setStrides(std::move(*strides));
  c.setResult(0, t.view());
}

/// `copy(self, src)`: the shape and type of self, the values of src.
/// What is copied is stretched to the operand, which does not grow.
void expectCopyFits(InferContext &c) {
  const Type &self = c.argType("self"), &src = c.argType("src");
  if (!self.hasRank || !src.hasRank || c.model().info.format == Format::Cxx)
    return;
  bool fits = src.dims.size() <= self.dims.size();
  for (std::size_t i = 0; fits && i < src.dims.size(); ++i) {
    const Dim from = src.dims[src.dims.size() - 1 - i], into = self.dims[self.dims.size() - 1 - i];
    fits = !differAlways(c.model(), from, into) || !differAlways(c.model(), from, c.constant(1));
  }
  if (!fits)
    c.reject(fmt::format("{}: what is copied has the shape {}, which does not fit into {}", c.opName(),
                         spellDims(c.model().dims, src.dims), spellDims(c.model().dims, self.dims)));
}

void inferCopy(InferContext &c) {
  expectCopyFits(c);
  OwnedType t(c.type(0));
  if (!t.type.isTensor())
    return;
  // A copy of the whole storage, seen as the operand is, but of one whose elements share places.
  if (!isInPlace(c) && isDense(c.dims(), c.type(0)) != Tri::Yes) {
    const bool isApart = t.type.hasStrides && std::ranges::none_of(t.strides, [&](Dim d) {
                           return !d.known() || c.dims().boundsOf(d).contains(0);
                         });
    if (!isApart) {
      t.dropStrides();
      t.type.storageOffset = Dim();
    }
  }
  // Eager execution keeps where it begins; decomposed programs record the beginning too.
  if (!isInPlace(c) && !c.dims().isConstant(t.type.storageOffset, 0))
    t.type.storageOffset = Dim();
  setTorchResult(c, 0, t);
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

// --- kernels ------------------------------------------------------------------

constexpr std::int64_t preserve = 4;

/// A copy of \p t as \p to in a memory format.
Tensor copyAs(const ExecContext &c, const Tensor &t, DType to, std::int64_t format) {
  const Tensor fresh = c.emptyStrided(to, t.sizes(), formatStrides(c, t, format));
  copyInto(c, fresh, t);
  return fresh;
}

/// A number in the place of a tensor, as a batch of numbers leaves it when it is decomposed.
Tensor tensorOfNumber(const ExecContext &c) {
  const Scalar number = c.scalar("self");
  const DType own = number.kind == Scalar::Kind::Bool    ? DType::Bool
                    : number.kind == Scalar::Kind::Int   ? DType::Int64
                    : number.kind == Scalar::Kind::Float ? DType::Float32
                                                         : DType::Complex64;
  return scalarTensor(c, number, c.dtype("dtype").value_or(own));
}

void executeToCopy(ExecContext &c) {
  if (c.maybeTensor("self") == nullptr)
    return c.finish(0, tensorOfNumber(c));
  const Tensor &self = c.tensor("self");
  c.finish(0, copyAs(c, self, c.dtype("dtype").value_or(self.dtype()), c.integer("memory_format", preserve)));
}

void executeTo(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const Tensor *other = c.maybeTensor("other");
  const DType to = c.dtype("dtype").value_or(other ? other->dtype() : self.dtype());
  const std::int64_t format = c.integer("memory_format", preserve);
  const bool inFormat = format == preserve || suggestsChannelsLast(self) == (format == 2 || format == 3);
  if (to == self.dtype() && inFormat && !c.flag("copy"))
    return c.set(0, self);
  c.set(0, copyAs(c, self, to, format));
}

void executeClone(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  c.finish(0, copyAs(c, self, self.dtype(), c.integer("memory_format", preserve)));
}

void executeCopyStrided(ExecContext &c) {
  const Tensor &self = firstOperand(c);
  const Sizes strides = c.integers("stride").value_or(Sizes());
  if (strides.size() != self.rank())
    c.fail(fmt::format("{} strides for a tensor of rank {}", strides.size(), self.rank()));
  const Tensor fresh = c.emptyStrided(self.dtype(), self.sizes(), strides);
  copyInto(c, fresh, self);
  c.set(0, fresh);
}

void executeContiguous(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const std::int64_t format = c.integer("memory_format", 1);
  if (format == 1 ? self.isContiguous() : isChannelsLast(self))
    return c.set(0, self);
  c.set(0, copyAs(c, self, self.dtype(), format));
}

void executeCopy(ExecContext &c) {
  const Tensor &self = c.tensor("self"), &source = c.tensor("src");
  if (c.isInPlace())
    return c.finish(0,
                    source.expanded(self.sizes()) ? cast(c, expanded(c, source, self.sizes()), self.dtype()) : source);
  const Tensor fresh = c.emptyStrided(self.dtype(), self.sizes(), ownStrides(self));
  copyInto(c, fresh, source);
  c.set(0, fresh);
}

void executeTypeAs(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const DType to = c.tensor("other").dtype();
  c.set(0, to == self.dtype() ? self : copyAs(c, self, to, preserve));
}

void executeLiftFreshCopy(ExecContext &c) { c.set(0, copied(c, c.tensor("self"))); }

/// As numpy writes numbers.
std::string numberText(DType t, double v) {
  if (std::isnan(v))
    return "NaN";
  if (isInfinite(v))
    return v > 0 ? "INF" : "-INF";
  std::string text = t == DType::Float64 ? fmt::format("{}", v) : fmt::format("{}", static_cast<float>(v));
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

double numberIn(const ExecContext &c, std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '+'))
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char ch) { return ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch; });
  double v = 0;
  const auto [end, error] = std::from_chars(lower.data(), lower.data() + lower.size(), v);
  if (error != std::errc() || end != lower.data() + lower.size())
    c.fail("'" + std::string(text) + "' is no number");
  return v;
}

/// To the next power of two, upwards or downwards; to the nearest is what encoding does.
struct PowerOfTwo : ElementFunctor<1, Floats> {
  bool up = true;
  template <class T> CONDLINT_HD T operator()(T a) const {
    if (!(a > T(0)) || a > std::numeric_limits<T>::max())
      return a;
    int exponent = 0;
    const T mantissa = std::frexp(a, &exponent);
    return std::ldexp(T(1), up && mantissa != T(0.5) ? exponent : exponent - 1);
  }
};

/// To 8-bit floats with saturation: infinities too become the largest.
struct Saturate : ElementFunctor<1, Floats> {
  DType to = DType::Unknown;
  template <class T> CONDLINT_HD T operator()(T a) const {
    return static_cast<T>(decodeSmall(to, encodeSmall(to, static_cast<float>(a), true)));
  }
};

} // namespace

Tensor castOnnx(const ExecContext &c, const Tensor &t, DType to, bool saturate) {
  if (t.dtype() == to)
    return t;
  if (to == DType::String) {
    std::vector<std::string> texts;
    if (isFloating(t.dtype())) {
      for (double v : doublesOf(c, t))
        texts.push_back(numberText(t.dtype(), v));
    } else {
      for (std::int64_t v : integersOf(c, t))
        texts.push_back(t.dtype() == DType::Bool ? (v != 0 ? "True" : "False") : std::to_string(v));
    }
    return tensorOf(c, t.sizes(), texts);
  }
  if (t.dtype() == DType::String) {
    const std::vector<std::string> texts = stringsOf(c, t);
    const Tensor numbers = c.empty(DType::Float64, t.sizes());
    for (std::size_t i = 0; i < texts.size(); ++i)
      numbers.out<double>()[i] = numberIn(c, texts[i]);
    return cast(c, numbers, to);
  }
  const bool small = to >= DType::Float8E4M3FN && to <= DType::Float8E5M2FNUZ;
  if (saturate && small) {
    Saturate f;
    f.to = to;
    return elementwise(c, f, Compute::F32, to, {operandOf(t)});
  }
  return cast(c, t, to);
}

namespace {

void executeCast(ExecContext &c) {
  std::optional<DType> to;
  if (const std::string_view legacy = c.text("to"); !legacy.empty())
    to = dtypeOfLegacyName(legacy);
  else
    to = c.dtype("to");
  if (!to || *to == DType::Unknown)
    c.fail("Cast has no 'to'");
  Tensor x = c.in(0);
  if (*to == DType::Float8E8M0FNU && isFloating(x.dtype()) && c.text("round_mode", "up") != "nearest") {
    PowerOfTwo f;
    f.up = c.text("round_mode", "up") == "up";
    x = elementwise(c, f, Compute::F32, DType::Float32, {operandOf(x)});
  }
  c.set(0, castOnnx(c, x, *to, c.flag("saturate", true)));
}

void executeCastLike(ExecContext &c) { c.set(0, castOnnx(c, c.in(0), c.in(1).dtype(), c.flag("saturate", true))); }

void executeBitCast(ExecContext &c) {
  const auto to = c.dtype("to");
  const Tensor &x = c.in(0);
  if (!to || elementBytes(*to) != elementBytes(x.dtype()) || x.dtype() == DType::String || *to == DType::String)
    c.fail("the bits cannot be taken as that type");
  c.set(0, copied(c, x).withDType(*to));
}

void executeIdentity(ExecContext &c) { c.set(0, c.operand(0)); }

constexpr OpRow rows[] = {
    {"to_layout", inferToLayout,
     "aten.to_sparse aten._to_sparse aten.to_sparse_csr aten.to_sparse_csc aten.to_sparse_bsr aten.to_sparse_bsc "
     "aten.to_dense aten.to_mkldnn",
     ""},
    {"to_copy", inferToCopy, executeToCopy, "aten._to_copy", ""},
    {"to", inferTo, executeTo, "aten.to", "", OpTrait::None, refineTo},
    {"clone", inferClone, executeClone, "aten.clone", ""},
    {"copy_strided", inferCopyStrided, executeCopyStrided, "prims.copy_strided", ""},
    {"lift_fresh_copy", inferLiftFreshCopy, executeLiftFreshCopy, "aten.lift_fresh_copy", ""},
    {"contiguous", inferContiguous, executeContiguous, "aten.contiguous", "", OpTrait::None, refineContiguous},
    {"copy", inferCopy, executeCopy, "aten.copy aten.copy_", ""},
    {"type_as", inferTo, executeTypeAs, "aten.type_as", "", OpTrait::None, refineTo},
    {"cast", inferCast, executeCast, "", "Cast"},
    {"cast_like", inferCastLike, executeCastLike, "", "CastLike"},
    {"bit_cast", inferBitCast, executeBitCast, "", "BitCast"},
    {"identity", inferIdentity, executeIdentity, "", "Identity", OpTrait::Trivial},
};

} // namespace

std::span<const OpRow> castRows() { return rows; }

} // namespace condlint

//===- Elementwise.cpp - What elementwise definitions share ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"
#include "AtenEffects.h"
#include "AtenTypes.h"
#include "Broadcast.h"
#include "Families.h"
#include "InferState.h"
#include "OpTable.h"
#include "Shape.h"
#include "Strides.h"
#include "Words.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <string>

namespace condlint {

OwnedType::OwnedType(const Type &t)
    : type(t), dims(t.dims.begin(), t.dims.end()), strides(t.strides.begin(), t.strides.end()) {}

void OwnedType::setDims(std::vector<Dim> d) {
  dims = std::move(d);
  type.hasRank = true;
}
void OwnedType::setStrides(std::vector<Dim> s) {
  strides = std::move(s);
  type.hasStrides = true;
}
void OwnedType::dropStrides() {
  strides.clear();
  type.hasStrides = false;
}
void OwnedType::dropShape() {
  dims.clear();
  type.hasRank = false;
  dropStrides();
  type.storageOffset = Dim();
}
Type OwnedType::view() const {
  Type t = type;
  t.dims = dims;
  t.strides = strides;
  return t;
}

bool isInPlace(const InferContext &c) {
  const std::string_view name = c.opName();
  if (name.ends_with("__"))
    return name.starts_with("__i") && name != "__int__";
  return name.ends_with("_");
}

std::vector<ValueId> inputOperands(const InferContext &c) {
  std::vector<ValueId> values;
  const ValueId out = c.isTorch() ? c.arg("out") : ValueId();
  for (std::size_t i = 0; i < c.operandCount(); ++i)
    if (const ValueId v = c.operand(i); v && v != out)
      values.push_back(v);
  return values;
}

bool scalarOperand(const Type &t) {
  return t.kind == ValueKind::SymInt || t.kind == ValueKind::SymFloat || t.kind == ValueKind::SymBool;
}

void setCommonDevice(const Model &m, Type &t, std::span<const Type> operands) {
  std::vector<Type> tensors;
  for (const Type &o : operands)
    if (o.isTensor())
      tensors.push_back(o);
  auto travels = [&](const Type &o) { return o.hasRank && o.dims.empty() && m.text(o.device) == "cpu"; };
  t.device = StringId();
  t.deviceIndex = -1;
  if (tensors.empty() || std::any_of(tensors.begin(), tensors.end(), [](const Type &o) { return !o.device; }))
    return;
  const Type *decides = nullptr;
  for (const Type &o : tensors)
    if (!travels(o) && !decides)
      decides = &o;
  if (!decides)
    decides = &tensors.front();
  for (const Type &o : tensors) {
    if (o.device != decides->device && !travels(o) && o.hasRank)
      return;
    if (o.device != decides->device && !o.hasRank)
      return;
  }
  t.device = decides->device;
  t.deviceIndex = decides->deviceIndex;
}

void setDevice(InferContext &c, Type &t, std::string_view name, int index) {
  t.device = c.model().strings.intern(name);
  t.deviceIndex = static_cast<std::int16_t>(index);
}

namespace {

/// Torch's default dtype is a global of the exporting program. Where it decided
/// (float32 or complex64 out of no floating operand and no `dtype`), a record of
/// another floating type is believed.
DType defaultedType(InferContext &c, std::size_t i, DType inferred) {
  if ((inferred != DType::Float32 && inferred != DType::Complex64) || i >= c.resultCount() || c.dtypeAttr("dtype"))
    return inferred;
  for (std::size_t k = 0; k < c.operandCount(); ++k) {
    const Type &t = c.type(k);
    if (t.isTensor() && (isFloating(t.element) || isComplex(t.element)))
      return inferred;
  }
  // Source that changes the default says so; what it is changed to is not known.
  if (c.model().info.format == Format::Cxx)
    return c.model().info.otherDefaultFloat ? DType::Unknown : inferred;
  const DType recorded = c.model().types[c.model()[c.model().result(c.node(), i)].recorded].element;
  if (inferred == DType::Float32)
    return recorded == DType::Float64 || recorded == DType::Float16 || recorded == DType::BFloat16 ? recorded
                                                                                                   : inferred;
  return recorded == DType::Complex128 || recorded == DType::Complex32 ? recorded : inferred;
}

} // namespace

void setTorchResult(InferContext &c, std::size_t i, const OwnedType &t, std::string_view out) {
  if (isInPlace(c)) {
    if (const ValueId self = c.arg("self"))
      c.setResult(i, Type(c.typeOf(self)));
    return;
  }
  const ValueId into = c.arg(out);
  if (!into) {
    Type type = t.view();
    type.element = defaultedType(c, i, type.element);
    if (type.element == DType::Unknown && t.type.element != DType::Unknown)
      type.elements = isComplex(t.type.element) ? DTypeSet::complex() : DTypeSet::floating();
    c.setResult(i, type);
    return;
  }
  OwnedType result(c.typeOf(into));
  const bool same = t.type.hasRank && result.type.hasRank && result.dims == t.dims &&
                    std::all_of(t.dims.begin(), t.dims.end(), [](Dim d) { return d.known(); });
  if (!same) { // it is resized where it does not fit
    result.dropShape();
    if (t.type.hasRank)
      result.setDims(t.dims);
  }
  c.setResult(i, result.view());
}

OwnedType freshTensor(InferContext &c, DType dtype, const Type &like) {
  OwnedType t;
  t.type.kind = ValueKind::Tensor;
  t.type.element = dtype;
  if (c.isTorch()) {
    t.type.layout = Layout::Strided;
    t.type.storageOffset = c.constant(0);
    t.type.conjugate = Tri::No;
    t.type.device = like.device;
    t.type.deviceIndex = like.deviceIndex;
  }
  return t;
}

OwnedType freshTensor(InferContext &c, DType dtype, std::vector<Dim> shape, const Type &like) {
  OwnedType t = freshTensor(c, dtype, like);
  if (c.isTorch())
    t.setStrides(contiguousStrides(c.dims(), shape));
  t.setDims(std::move(shape));
  return t;
}

OwnedType freshTensor(InferContext &c, DType dtype, std::vector<Dim> shape) {
  return freshTensor(c, dtype, std::move(shape), Type());
}

void setFactoryOptions(InferContext &c, Type &t, const Type *like) {
  if (const auto dtype = c.dtypeAttr("dtype"))
    t.element = *dtype;
  else if (like)
    t.element = like->element;
  const Attribute *layout = c.attribute("layout");
  if (layout && layout->kind == AttributeKind::Layout && layout->number > 0 &&
      layout->number <= static_cast<std::int64_t>(Layout::Jagged))
    t.layout = static_cast<Layout>(layout->number);
  else
    t.layout = like ? like->layout : Layout::Strided;
  const Attribute *device = c.attribute("device");
  if (device && device->kind == AttributeKind::Device) {
    t.device = device->text;
    t.deviceIndex = static_cast<std::int16_t>(device->number);
  } else if (like) {
    t.device = like->device;
    t.deviceIndex = like->deviceIndex;
  } else {
    setDevice(c, t, "cpu");
  }
  if (!like && c.model().info.format == Format::Cxx)
    t.requiresGrad = Tri::No; // what asks for it is recorded
}

void setSomeStrides(InferContext &c, OwnedType &t) {
  if (c.model().info.format != Format::Cxx || !t.type.hasRank)
    return;
  if (t.dims.size() < 2)
    return t.setStrides(contiguousStrides(c.dims(), t.dims));
  std::vector<Dim> strides;
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    strides.push_back(c.someStride());
  t.setStrides(std::move(strides));
}

OwnedType likeTensor(InferContext &c, const Type &self) {
  OwnedType t = freshTensor(c, self.element, self);
  setFactoryOptions(c, t.type, &self);
  if (!self.hasRank)
    return t;
  t.setDims({self.dims.begin(), self.dims.end()});
  if (t.type.layout != Layout::Strided)
    return t;
  const auto number = c.intAttr("memory_format");
  const auto format = number ? static_cast<MemoryFormat>(*number) : MemoryFormat::Preserve;
  auto strides =
      format == MemoryFormat::Preserve ? preservedStrides(c.dims(), self) : stridesInFormat(c.dims(), t.dims, format);
  if (strides)
    t.setStrides(std::move(*strides));
  else
    setSomeStrides(c, t);
  return t;
}

void keepsShape(InferContext &c, std::size_t operand, bool dense) {
  const ValueId self[] = {c.operand(operand)};
  c.setShapeRule(InferContext::ShapeRule::Broadcast, self);
  if (dense && !c.hasAttribute("memory_format") && !c.hasAttribute("layout"))
    c.setDense();
}

/// Every tensor that an ATen operator takes is given as a number: torch makes each a tensor
/// without axes.
static bool takesNumbersForTensors(InferContext &c) {
  const EffectsRow *row = c.model()[c.model()[c.node()].op].effects;
  bool any = false;
  for (const AtenParameter &p : row ? row->parameters() : std::vector<AtenParameter>()) {
    if (!takesTensors(p.type))
      continue;
    const Attribute *a = c.attribute(p.name);
    const bool isNumber = a && (a->kind == AttributeKind::Int || a->kind == AttributeKind::Float ||
                                a->kind == AttributeKind::Bool || a->kind == AttributeKind::Complex ||
                                (a->kind == AttributeKind::Operand && scalarOperand(c.argType(p.name))));
    if (!isNumber)
      return false;
    any = true;
  }
  return any;
}

OwnedType elementwiseType(InferContext &c, DType dtype, std::span<const ValueId> operands) {
  OwnedType result;
  c.setShapeRule(InferContext::ShapeRule::Broadcast, operands);
  result.type.kind = ValueKind::Tensor;
  result.type.element = dtype;
  std::vector<Type> types;
  bool strided = true, tensors = true;
  for (ValueId v : operands) {
    const Type &t = c.typeOf(v);
    if (scalarOperand(t))
      continue;
    tensors = tensors && t.isTensor();
    strided = strided && t.layout == Layout::Strided;
    types.push_back(t);
  }
  if (types.empty() && takesNumbersForTensors(c)) {
    result = freshTensor(c, dtype, std::vector<Dim>());
    setDevice(c, result.type, "cpu");
    return result;
  }
  if (!tensors || types.empty())
    return result;
  Shape shape = broadcast(c.dims(), types);
  if (shape.mismatch) {
    c.reject("the operands of " + std::string(c.opName()) + " do not broadcast: sizes " + c.dims().str(shape.left) +
             " and " + c.dims().str(shape.right) + " in axis -" + std::to_string(shape.axis + 1));
    shape.hasRank = false;
  }
  requireBroadcast(c, types);
  if (shape.hasRank)
    result.setDims(std::move(shape.dims));
  if (!c.isTorch())
    return result;
  result.type.conjugate = Tri::No;
  setCommonDevice(c.model(), result.type, types);
  if (strided) {
    result.type.layout = Layout::Strided;
    result.type.storageOffset = c.constant(0);
    if (result.type.hasRank) {
      if (auto strides = elementwiseStrides(c.dims(), result.dims, types))
        result.setStrides(std::move(*strides));
      else
        setSomeStrides(c, result);
    }
  }
  return result;
}

namespace {

/// What torch writes back into its first operand is no larger than that, and of a type
/// that may be stored in it.
void expectFitsInPlace(InferContext &c, const OwnedType &t) {
  const Type &self = c.argType("self");
  if (!isInPlace(c) || !self.isTensor() || c.model().info.format == Format::Cxx)
    return;
  if (t.type.element != DType::Unknown && self.element != DType::Unknown && !canCast(t.type.element, self.element))
    return c.reject(fmt::format("{}: the result is {}, which is not stored in a tensor of {}", c.opName(),
                                dtypeName(t.type.element), dtypeName(self.element)));
  if (!t.type.hasRank || !self.hasRank)
    return;
  bool fits = t.dims.size() == self.dims.size();
  for (std::size_t i = 0; fits && i < t.dims.size(); ++i)
    fits = !differAlways(c.model(), t.dims[i], self.dims[i]);
  if (!fits)
    c.reject(fmt::format("{}: the result has the shape {}, which does not fit into {}", c.opName(),
                         spellDims(c.model().dims, t.dims), spellDims(c.model().dims, self.dims)));
}

} // namespace

void setElementwise(InferContext &c, DType dtype) {
  c.setDense();
  const OwnedType t = elementwiseType(c, dtype, inputOperands(c));
  expectFitsInPlace(c, t);
  if (c.isTorch())
    setTorchResult(c, 0, t);
  else
    c.setResult(0, t.view());
}

void setComposite(InferContext &c, DType dtype) {
  const std::vector<ValueId> operands = inputOperands(c);
  OwnedType t = elementwiseType(c, dtype, operands);
  expectFitsInPlace(c, t);
  bool contiguous = true, alike = true;
  const Type *first = nullptr;
  for (ValueId v : operands) {
    const Type &o = c.typeOf(v);
    if (scalarOperand(o))
      continue;
    if (!first)
      first = &o;
    contiguous = contiguous && isContiguous(c.dims(), o) == Tri::Yes;
    alike = alike && o.hasStrides && first->hasStrides && std::ranges::equal(o.strides, first->strides) &&
            std::ranges::equal(o.dims, first->dims);
  }
  if (!contiguous && !alike) {
    t.dropStrides();
    if (t.type.layout == Layout::Strided)
      setSomeStrides(c, t);
  }
  if (c.isTorch())
    setTorchResult(c, 0, t);
  else
    c.setResult(0, t.view());
}

void setLikeOperand(InferContext &c, std::size_t from, std::optional<DType> dtype) {
  Type t = c.type(from);
  if (!t.isTensor() && t.kind != ValueKind::Unknown)
    return;
  t.kind = ValueKind::Tensor;
  if (dtype)
    t.element = *dtype;
  c.setResult(0, t);
}

OpFamily elementwiseFamily() {
  static const OpTable table({unaryRows(), binaryRows(), activationRows(), castRows(), selectionRows()},
                             OpTrait::Typewise);
  return table.family();
}

} // namespace condlint

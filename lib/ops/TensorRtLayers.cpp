//===- TensorRtLayers.cpp - TensorRT's layers that keep shapes ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT's layers that keep or stretch the shape of what they read, and those
// that read nothing (the TensorRT API, INetworkDefinition).
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "TensorRt.h"
#include "graph/SymbolName.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <bit>
#include <string>

namespace condlint {

namespace {

/// Before TensorRT 11 a type can be set. In a weakly typed network that is a wish,
/// in a strongly typed one an error: what the layer yields is what it would without, or that.
void settle(const InferContext &c, std::size_t i, Type &t) {
  for (const std::string_view name : {"outputType", "tensorType"}) {
    const std::string attribute = std::string(name) + std::to_string(i);
    if (!c.hasAttribute(attribute))
      continue;
    const auto wish = c.dtypeAttr(attribute);
    if (wish == t.element)
      continue;
    DTypeSet either;
    if (wish && (t.element != DType::Unknown || !t.elements.empty())) {
      either = t.possible();
      either.add(*wish);
    }
    t.element = DType::Unknown;
    t.elements = either;
  }
}

} // namespace

void setLayer(InferContext &c, std::size_t i, DType element, std::vector<Dim> shape) {
  Type t = c.tensor(element, shape);
  settle(c, i, t);
  c.setResult(i, t);
}

DType commonElement(const Type &a, const Type &b) {
  if (a.element == DType::Unknown || a.element == b.element)
    return b.element;
  return b.element == DType::Unknown ? a.element : DType::Unknown;
}

void setLayer(InferContext &c, std::size_t i, DType element) {
  Type t = c.tensor(element);
  settle(c, i, t);
  c.setResult(i, t);
}

void setLike(InferContext &c, std::size_t i, std::size_t from, std::optional<DType> element) {
  Type t = c.type(from);
  t.kind = ValueKind::Tensor;
  if (element) {
    t.element = *element;
    t.elements = {};
  }
  settle(c, i, t);
  c.setResult(i, t);
  if (i == 0) {
    const ValueId like = c.operand(from);
    c.setShapeRule(InferContext::ShapeRule::Broadcast, {&like, 1});
  }
}

void inferSame(InferContext &c) {
  if (!c.has(0))
    return;
  setLike(c, 0, 0);
  if (const auto content = c.content(0))
    c.setContent(0, *content);
}

void inferAlike(InferContext &c) {
  if (c.has(0))
    setLike(c, 0, 0);
}

/// The axis is one that the tensor has.
static void inferSoftMax(InferContext &c) {
  if (!c.has(0))
    return;
  if (const auto bits = c.intAttr("axes"); bits && *bits >= 0 && c.type(0).hasRank)
    admitOneAxis(c, *bits, c.type(0).dims.size(), "the axis of a softmax");
  inferAlike(c);
}

std::string_view enumAttr(const InferContext &c, std::string_view name) { return c.stringAttr(name); }

std::optional<std::vector<bool>> maskAttr(InferContext &c, std::string_view name, std::size_t rank) {
  const auto bits = c.intAttr(name);
  if (!bits || *bits < 0 || rank > 32)
    return std::nullopt;
  std::vector<bool> out(rank);
  for (std::size_t i = 0; i < rank; ++i)
    out[i] = (*bits >> i & 1) != 0;
  // What lies beyond the rank is refused or ignored, depending on the layer.
  return *bits >> rank == 0 ? std::optional(out) : std::nullopt;
}

void admitOneAxis(InferContext &c, std::int64_t bits, std::size_t rank, const std::string &what) {
  const int axes = std::popcount(static_cast<std::uint64_t>(bits));
  if (axes > 1)
    c.reject(what + " is given as " + std::to_string(axes) + " axes, and only one is admitted");
  else if (axes == 1 && rank < 32 && bits >> rank != 0)
    c.reject(what + " is " + std::to_string(std::countr_zero(static_cast<std::uint64_t>(bits))) +
             ", and the tensor has " + (rank == 1 ? "one axis" : std::to_string(rank) + " axes"));
}

DType indicesType(const InferContext &c) {
  return c.hasAttribute("indicesType") ? c.dtypeAttr("indicesType").value_or(DType::Unknown) : DType::Int32;
}

std::vector<Dim> sizesOf(const Type &t) { return {t.dims.begin(), t.dims.end()}; }

Dim ownSize(InferContext &c, std::string_view hint) {
  return c.dims().symbol(std::string(hint) + hiddenNamePart + std::to_string(c.node().index()),
                         SymbolOrigin::Anonymous);
}

namespace {

/// -1: decided for each run, and one size throughout.
void inferInput(InferContext &c) {
  const DType element = c.dtypeAttr("tensorType0").value_or(c.dtypeAttr("type").value_or(DType::Unknown));
  const bool isKnown = c.dtypeAttr("type").has_value();
  const auto sizes = c.dimsArg(c.hasAttribute("dimensions") ? "dimensions" : "dims");
  if (!sizes)
    return setLayer(c, 0, isKnown ? element : DType::Unknown);
  std::string name(c.stringAttr("name", "input"));
  std::vector<Dim> shape = *sizes;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (c.dims().isConstant(shape[i], -1))
      shape[i] = ownSize(c, name + '.' + std::to_string(i));
    else if (shape[i].known() && c.dims().boundsOf(shape[i]).min < 0)
      shape[i] = Dim();
  setLayer(c, 0, element, std::move(shape));
}

void inferConstant(InferContext &c) {
  const DType element = c.dtypeAttr("weightsType").value_or(DType::Unknown);
  const auto sizes = c.dimsArg("dimensions");
  if (!sizes)
    return setLayer(c, 0, element);
  const Dim volume = elementCount(c.dims(), *sizes);
  const Dim count = c.dimArg("weightsCount");
  const auto v = c.dims().asConstant(volume);
  const auto n = c.dims().asConstant(count);
  if (v && n && *v != *n)
    c.reject("the weights hold " + std::to_string(*n) + " values, and " + spellDims(c.dims(), *sizes) + " needs " +
             std::to_string(*v));
  setLayer(c, 0, element, *sizes);
  if (const auto values = c.dimsArg("weightsValues"); values && v && static_cast<std::int64_t>(values->size()) == *v)
    c.setContent(0, *values);
}

/// An identity converts to the type that is set.
void inferIdentity(InferContext &c) {
  if (!c.hasAttribute("outputType0"))
    return inferSame(c);
  if (c.has(0))
    setLike(c, 0, 0, c.dtypeAttr("outputType0").value_or(DType::Unknown));
}

void inferCast(InferContext &c) {
  if (!c.has(0))
    return;
  const DType to = c.dtypeAttr("toType").value_or(DType::Unknown);
  setLike(c, 0, 0, to);
  if (const auto content = c.content(0); content && (to == DType::Int32 || to == DType::Int64))
    c.setContent(0, *content);
}

/// Operand \p i is a truth value, whatever else is so.
void admitBool(InferContext &c, std::size_t i, const std::string &what) {
  const DType element = c.type(i).element;
  if (element != DType::Unknown && element != DType::Bool)
    c.reject(std::string(what) + " is bool, not " + std::string(dtypeName(element)), i);
}

void inferUnary(InferContext &c) {
  if (!c.has(0))
    return;
  const std::string_view op = enumAttr(c, "operation");
  if (op == "kNOT")
    admitBool(c, 0, "what is given to kNOT");
  if (op == "kISINF" || op == "kISNAN" || op == "kNOT")
    return setLike(c, 0, 0, DType::Bool);
  if (op.empty())
    return setLike(c, 0, 0, DType::Unknown);
  setLike(c, 0, 0);
}

/// TensorRT stretches sizes of 1 and adds no axes.
std::optional<std::vector<Dim>> stretched(InferContext &c, std::span<const std::size_t> operands) {
  std::vector<Dim> shape;
  bool first = true;
  for (std::size_t i : operands) {
    const Type &t = c.type(i);
    if (!t.hasRank)
      return std::nullopt;
    if (first) {
      shape = sizesOf(t);
      first = false;
      continue;
    }
    if (t.dims.size() != shape.size()) {
      c.reject("the ranks differ: " + spellDims(c.dims(), c.type(operands.front()).dims) + " and " +
                   spellDims(c.dims(), t.dims) + "; TensorRT adds no axes",
               i);
      return std::nullopt;
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      bool mismatch = false;
      const Dim both = broadcastDim(c.dims(), shape[axis], t.dims[axis], mismatch);
      if (mismatch) {
        c.reject("the sizes of axis " + std::to_string(axis) + " do not agree: " + c.dims().str(shape[axis]) + " and " +
                     c.dims().str(t.dims[axis]),
                 i);
        return std::nullopt;
      }
      shape[axis] = both;
    }
  }
  return shape;
}

void setStretched(InferContext &c, DType element, const Type &like, std::span<const std::size_t> operands) {
  Type t = like;
  t.kind = ValueKind::Tensor;
  if (t.element != element || element == DType::Unknown) {
    t.element = element;
    t.elements = {};
  }
  const auto shape = stretched(c, operands);
  t.hasRank = shape.has_value();
  t.dims = {};
  if (shape)
    t.dims = *shape;
  settle(c, 0, t);
  c.setResult(0, t);
  std::vector<ValueId> all;
  for (const std::size_t i : operands)
    all.push_back(c.operand(i));
  c.setShapeRule(InferContext::ShapeRule::Broadcast, all);
}

void foldArithmetic(InferContext &c, std::string_view op) {
  FoldFunction f;
  if (op == "kSUM")
    f = [](DimTable &d, std::span<const Dim> x) { return d.add(x[0], x[1]); };
  else if (op == "kSUB")
    f = [](DimTable &d, std::span<const Dim> x) { return d.sub(x[0], x[1]); };
  else if (op == "kPROD")
    f = [](DimTable &d, std::span<const Dim> x) { return d.mul(x[0], x[1]); };
  else if (op == "kDIV")
    f = [](DimTable &d, std::span<const Dim> x) { return foldTruncDiv(d, x[0], x[1]); };
  else if (op == "kFLOOR_DIV")
    f = [](DimTable &d, std::span<const Dim> x) { return d.floorDiv(x[0], x[1]); };
  else if (op == "kMAX")
    f = [](DimTable &d, std::span<const Dim> x) { return d.max(x[0], x[1]); };
  else if (op == "kMIN")
    f = [](DimTable &d, std::span<const Dim> x) { return d.min(x[0], x[1]); };
  else
    return;
  foldElementwise(c, 2, f);
}

void inferElementWise(InferContext &c) {
  if (!c.has(0) || !c.has(1))
    return;
  const std::string_view op = enumAttr(c, "operation");
  const Type &a = c.type(0);
  const Type &b = c.type(1);
  constexpr std::size_t both[] = {0, 1};
  if (op == "kAND" || op == "kOR" || op == "kXOR")
    for (const std::size_t i : both)
      admitBool(c, i, "what is given to " + std::string(op));
  if (op == "kEQUAL" || op == "kGREATER" || op == "kLESS" || op == "kAND" || op == "kOR" || op == "kXOR")
    return setStretched(c, DType::Bool, {}, both);
  const DType element = op.empty() ? DType::Unknown : commonElement(a, b);
  setStretched(c, element, {}, both);
  if (isIntegral(element))
    foldArithmetic(c, op);
}

void inferSelect(InferContext &c) {
  if (!c.has(0) || !c.has(1) || !c.has(2))
    return;
  constexpr std::size_t all[] = {0, 1, 2};
  admitBool(c, 0, "the condition of a select");
  setStretched(c, commonElement(c.type(1), c.type(2)), {}, all);
}

/// The element type that quantised numbers get; \p otherwise where the code does not say it.
void inferConversion(InferContext &c, DType otherwise) {
  if (!c.has(0))
    return;
  const bool given = c.hasAttribute("toType") || c.hasAttribute("outputType0");
  const auto type = c.dtypeAttr(c.hasAttribute("toType") ? "toType" : "outputType0");
  setLike(c, 0, 0, given ? type.value_or(DType::Unknown) : otherwise);
}
void inferQuantize(InferContext &c) { inferConversion(c, DType::Int8); }
/// A strongly typed network, which all are from 11 on, must say what it wants.
void inferDequantize(InferContext &c) {
  inferConversion(c, c.version() > 0 && c.version() < 1000 ? DType::Float32 : DType::Unknown);
}
void inferDynamicQuantize(InferContext &c) {
  inferConversion(c, DType::Unknown);
  setLayer(c, 1, c.dtypeAttr("scaleType").value_or(DType::Unknown));
}

void inferFill(InferContext &c) {
  DType element = c.dtypeAttr("toType").value_or(DType::Unknown);
  if (!c.hasAttribute("toType") && enumAttr(c, "operation").starts_with("kRANDOM") && !c.hasAttribute("outputType0"))
    element = DType::Float32;
  auto sizes = c.dimsArg("dimensions");
  if (c.has(0)) { // the sizes are computed
    const auto content = c.content(0);
    sizes = content ? std::optional(std::vector<Dim>(content->begin(), content->end())) : std::nullopt;
  }
  if (!sizes)
    return setLayer(c, 0, element);
  for (Dim &d : *sizes)
    if (d.known() && c.dims().boundsOf(d).min < 0)
      d = Dim();
  setLayer(c, 0, element, std::move(*sizes));
}

void inferNothing(InferContext &) {}

constexpr OpRow rows[] = {
    {"trt_input", inferInput, "", "", OpTrait::Trivial, nullptr, "addInput"},
    {"trt_constant", inferConstant, "", "", OpTrait::Constant | OpTrait::Trivial, nullptr, "addConstant"},
    {"trt_identity", inferIdentity, "", "", OpTrait::Trivial, nullptr, "addIdentity"},
    {"trt_cast", inferCast, "", "", OpTrait::None, nullptr, "addCast"},
    {"trt_same", inferAlike, "", "", OpTrait::None, nullptr,
     "addActivation addLRN addScale addScaleNd addRaggedSoftMax addParametricReLU addReverseSequence "
     "addNormalization addNormalizationV2 addCumulative addRotaryEmbedding addKVCacheUpdate addMoE "
     "addAttention addAttentionV2"},
    {"trt_softmax", inferSoftMax, "", "", OpTrait::None, nullptr, "addSoftMax"},
    {"trt_unary", inferUnary, "", "", OpTrait::None, nullptr, "addUnary"},
    {"trt_elementwise", inferElementWise, "", "", OpTrait::None, nullptr, "addElementWise"},
    {"trt_select", inferSelect, "", "", OpTrait::None, nullptr, "addSelect"},
    {"trt_quantize", inferQuantize, "", "", OpTrait::None, nullptr, "addQuantize"},
    {"trt_dequantize", inferDequantize, "", "", OpTrait::None, nullptr, "addDequantize"},
    {"trt_dynamic_quantize", inferDynamicQuantize, "", "", OpTrait::None, nullptr,
     "addDynamicQuantize addDynamicQuantizeV2"},
    {"trt_fill", inferFill, "", "", OpTrait::None, nullptr, "addFill"},
    {"trt_assertion", inferNothing, "", "", OpTrait::Trivial, nullptr, "addAssertion"},
    {"trt_opaque_layer", inferNothing, "", "", OpTrait::None, nullptr,
     "addPluginV2 addPluginV3 addPlugin addPluginExt addRNNv2 addDistCollective"},
};

} // namespace

std::span<const OpRow> tensorrtLayerRows() { return rows; }

OpFamily tensorrtFamily() {
  static const OpTable table{tensorrtLayerRows(), tensorrtShapeRows(), tensorrtWindowRows(), tensorrtFlowRows()};
  return table.family();
}

} // namespace condlint

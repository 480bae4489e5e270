//===- InferContext.cpp - What inference is given -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"
#include "InferState.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>

namespace condlint {

ValueId InferContext::operand(std::size_t i) const {
  const auto all = m.operands(n);
  return i < all.size() ? all[i] : ValueId();
}

const Type &InferContext::type(std::size_t i) const {
  const ValueId v = operand(i);
  return v ? typeOf(v) : m.types[TypeId()];
}

const Type &InferContext::typeOf(ValueId v) const {
  return !v ? m.types[TypeId()] : state ? state->typeOf(v) : m.type(v);
}

std::optional<std::span<const Dim>> InferContext::content(std::size_t i) const { return contentOf(operand(i)); }

std::optional<std::span<const Dim>> InferContext::contentOf(ValueId v) const {
  if (!v || !m[v].content || (state && state->asChecker && m[v].graph != m[n].graph))
    return std::nullopt;
  return m.content(m[v].content);
}

namespace {

/// Arguments on which sizes hang and element types do not.
bool shapesOnly(std::string_view name) {
  constexpr std::array<std::string_view, 40> names{
      "dim",      "dims",       "axis",       "keepdim",  "size",     "shape",       "sizes",       "index",
      "start",    "end",        "step",       "length",   "repeats",  "split_size",  "chunks",      "sections",
      "dim0",     "dim1",       "dim2",       "offset",   "diagonal", "k",           "n",           "p",
      "shifts",   "stride",     "padding",    "dilation", "groups",   "output_size", "kernel_size", "ceil_mode",
      "unbiased", "correction", "descending", "largest",  "sorted",   "start_dim",   "end_dim",     "ord"};
  return std::ranges::find(names, name) != names.end();
}

/// Arguments on which element types hang and sizes do not.
bool elementsOnly(std::string_view name) {
  constexpr std::array<std::string_view, 4> names{"dtype", "out_dtype", "output_dtype", "rounding_mode"};
  return std::ranges::find(names, name) != names.end();
}

} // namespace

void InferContext::missing(const Attribute *a, std::string_view name) const {
  // A program that was exported says what it has, but for what the model has no words for.
  const bool isOpen =
      m.info.format == Format::Cxx || (m.info.format == Format::Pt2 && a && a->kind == AttributeKind::Opaque);
  if (!a || a->kind == AttributeKind::None || !isOpen)
    return;
  // A view as another type has as many elements as fit into the memory.
  unresolvedShape = unresolvedShape || !elementsOnly(name) || opName().starts_with("view");
  unresolvedElement = unresolvedElement || !shapesOnly(name);
}

std::optional<std::int64_t> InferContext::intAttr(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  std::optional<std::int64_t> found;
  switch (a->kind) {
  case AttributeKind::Int:
  case AttributeKind::Bool:
  case AttributeKind::DType:
  case AttributeKind::Layout:
  case AttributeKind::MemoryFormat:
    return a->number;
  case AttributeKind::Operand:
    found = m.dims.asConstant(dimArg(name));
    break;
  default:
    break;
  }
  if (!found)
    missing(a, name);
  return found;
}

std::int64_t InferContext::intAttr(std::string_view name, std::int64_t otherwise) const {
  return intAttr(name).value_or(otherwise);
}

std::optional<double> InferContext::floatAttr(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (a && a->kind == AttributeKind::Float)
    return a->real;
  if (a && (a->kind == AttributeKind::Int || a->kind == AttributeKind::Bool))
    return static_cast<double>(a->number);
  return std::nullopt;
}

std::string_view InferContext::stringAttr(std::string_view name, std::string_view otherwise) const {
  const Attribute *a = attribute(name);
  if (a && a->kind == AttributeKind::String)
    return m.text(a->text);
  missing(a, name);
  return otherwise;
}

std::optional<std::vector<std::int64_t>> InferContext::intsAttr(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  if (a->kind == AttributeKind::Ints || a->kind == AttributeKind::Bools) {
    const auto ints = m.ints(a->list);
    return std::vector<std::int64_t>(ints.begin(), ints.end());
  }
  if (a->kind == AttributeKind::Int)
    return std::vector<std::int64_t>{a->number};
  if (a->kind == AttributeKind::Dims || a->kind == AttributeKind::Operands) {
    const auto dims = dimsArg(name);
    if (!dims)
      return std::nullopt;
    std::vector<std::int64_t> out;
    for (Dim d : *dims) {
      const auto c = m.dims.asConstant(d);
      if (!c) {
        missing(a, name);
        return std::nullopt;
      }
      out.push_back(*c);
    }
    return out;
  }
  missing(a, name);
  return std::nullopt;
}

std::optional<DType> InferContext::dtypeAttr(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  DType t = DType::Unknown;
  if (a->kind == AttributeKind::DType)
    t = static_cast<DType>(a->number);
  else if (a->kind == AttributeKind::Int && isOnnx())
    t = dtypeOfOnnx(a->number).value_or(DType::Unknown);
  if (t == DType::Unknown)
    missing(a, name);
  return t == DType::Unknown ? std::nullopt : std::optional(t);
}

ValueId InferContext::arg(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a || a->kind != AttributeKind::Operand)
    return {};
  return operand(a->list.first);
}

const Type &InferContext::argType(std::string_view name) const {
  const ValueId v = arg(name);
  return v ? typeOf(v) : m.types[TypeId()];
}

std::vector<ValueId> InferContext::argList(std::string_view name) const {
  std::vector<ValueId> out;
  const Attribute *a = attribute(name);
  if (a && a->kind == AttributeKind::Operands)
    for (std::uint32_t i = 0; i < a->list.count; ++i)
      out.push_back(operand(a->list.first + i));
  else if (a && a->kind == AttributeKind::Operand)
    out.push_back(operand(a->list.first));
  return out;
}

Dim InferContext::dimArg(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return {};
  if (a->kind == AttributeKind::Int || a->kind == AttributeKind::Bool)
    return m.dims.constant(a->number);
  if (a->kind == AttributeKind::Dims && a->list.count == 1)
    return m.dimsIn(a->list)[0];
  if (a->kind == AttributeKind::Operand) {
    const auto c = contentOf(operand(a->list.first));
    if (c && c->size() == 1)
      return (*c)[0];
  }
  return {};
}

ValueId InferContext::sizedLike(std::string_view name) const {
  const Attribute *a = m.info.format == Format::Cxx ? attribute(name) : nullptr;
  const ValueId v = a && a->kind == AttributeKind::Operand ? m.operands(n)[a->list.first] : ValueId();
  return v && typeOf(v).isTensor() ? v : ValueId();
}

std::optional<std::vector<Dim>> InferContext::dimsArg(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  if (const ValueId like = sizedLike(name)) { // all sizes of a tensor
    const Type &t = typeOf(like);
    return t.hasRank ? std::optional(std::vector<Dim>(t.dims.begin(), t.dims.end())) : std::nullopt;
  }
  std::vector<Dim> out;
  switch (a->kind) {
  case AttributeKind::Int:
    out.push_back(m.dims.constant(a->number));
    return out;
  case AttributeKind::Ints:
    for (std::int64_t i : m.ints(a->list))
      out.push_back(m.dims.constant(i));
    return out;
  case AttributeKind::Dims: {
    const auto dims = m.dimsIn(a->list);
    return std::vector<Dim>(dims.begin(), dims.end());
  }
  case AttributeKind::Operand:
  case AttributeKind::Operands:
    for (ValueId v : argList(name)) {
      if (v && typeOf(v).isTensor())
        return std::nullopt;
      const auto c = contentOf(v);
      out.push_back(c && c->size() == 1 ? (*c)[0] : Dim{});
    }
    return out;
  default:
    missing(a, name);
    return std::nullopt;
  }
}

std::optional<std::vector<std::int64_t>> InferContext::intsAttrOrInput(std::string_view name, std::size_t input) const {
  if (auto ints = intsAttr(name))
    return ints;
  const auto c = content(input);
  if (!c)
    return std::nullopt;
  std::vector<std::int64_t> out;
  for (Dim d : *c) {
    const auto v = m.dims.asConstant(d);
    if (!v)
      return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

void InferContext::setResult(std::size_t i, const Type &t) {
  if (state && i < resultCount())
    state->pending[i] = m.types.intern(t);
}

void InferContext::setContent(std::size_t i, std::span<const Dim> values) {
  if (i < resultCount() && values.size() <= InferState::maxContent)
    m[m.result(n, i)].content = m.addContent(values);
}

std::optional<std::vector<Dim>> InferContext::constantContent(ConstantId c) const { return contentOfConstant(m, c); }

void InferContext::reject(std::string message, std::optional<std::size_t> operandIndex, FaultKind kind) {
  if (!state)
    return;
  InvalidOperand bad;
  bad.node = n;
  if (operandIndex)
    bad.operand = static_cast<std::uint32_t>(*operandIndex);
  bad.message = std::move(message);
  bad.kind = kind;
  state->out.invalid.push_back(std::move(bad));
}

void InferContext::require(Dim d) {
  // What is tried out with assumptions says nothing of a run.
  if (state && !state->assumedScalars && d.known() && !dims().asConstant(d) && dims().boundsOf(d).min < 0)
    state->out.conditions.push_back({n, d});
}

void InferContext::requireEqual(Dim a, Dim b) {
  if (!a.known() || !b.known() || a == b)
    return;
  require(dims().sub(a, b));
  require(dims().sub(b, a));
}

void InferContext::refuse() {
  if (state)
    state->refused = true;
}

std::optional<unsigned> InferContext::assumedScalars() const { return state ? state->assumedScalars : std::nullopt; }

Type InferContext::tensor(DType dtype) const {
  Type t;
  t.kind = ValueKind::Tensor;
  t.element = dtype;
  return t;
}

Type InferContext::tensor(DType dtype, std::span<const Dim> shape) const {
  Type t = tensor(dtype);
  t.hasRank = true;
  t.dims = shape;
  // The table's copy of the dimensions outlives the caller's.
  return m.types[m.types.intern(t)];
}

Type InferContext::tensor(DType dtype, std::initializer_list<Dim> shape) const {
  return tensor(dtype, std::span<const Dim>(shape.begin(), shape.size()));
}

Type InferContext::tensorOfRank(DType dtype, std::size_t rank) const {
  constexpr std::size_t maxRank = 64;
  if (rank > maxRank)
    return tensor(dtype);
  const std::vector<Dim> dims(rank);
  return tensor(dtype, dims);
}

Type InferContext::sequenceOf(TypeId item) const {
  Type t;
  t.kind = ValueKind::Sequence;
  t.item = item;
  return t;
}

Type InferContext::optionalOf(TypeId item) const {
  Type t = sequenceOf(item);
  t.kind = ValueKind::Optional;
  return t;
}

Type InferContext::symInt() const {
  Type t;
  t.kind = ValueKind::SymInt;
  return t;
}

Type InferContext::either(const Type &a, const Type &b) {
  return state ? m.types[state->join(m.types.intern(a), m.types.intern(b), nullptr, true)] : Type();
}

Type InferContext::namedType(std::size_t i) {
  const ValueId v = operand(i);
  return v && state ? m.types[state->named(v)] : type(i);
}

void InferContext::setShapeRule(ShapeRule r, std::span<const ValueId> operands) {
  if (m.info.format != Format::Cxx)
    return;
  shapeRule = r;
  shapeOperands.assign(operands.begin(), operands.end());
}

Dim InferContext::dataDependent(std::string_view hint) {
  std::string name(m.text(m[n].name));
  name += '.';
  name += hint;
  // Nodes of source are typed as they are read and once more at the end: what the
  // front end computed with such a size must mean the same size.
  if (m.info.format == Format::Cxx)
    return m.dims.symbol(name + '#' + std::to_string(n.index()) + '.' + std::to_string(made++), SymbolOrigin::Unbacked);
  return m.dims.fresh(name, SymbolOrigin::Unbacked);
}

Dim InferContext::someStride() {
  return m.dims.symbol("stride#" + std::to_string(n.index()) + '.' + std::to_string(made++), SymbolOrigin::Anonymous,
                       {1, std::numeric_limits<std::int64_t>::max()});
}

std::optional<std::vector<Dim>> contentOfConstant(Model &m, ConstantId c) {
  if (!c)
    return std::nullopt;
  const Constant &data = m[c];
  const Type &type = m.types[data.type];
  if (!type.isTensor() || !type.hasRank || data.sparse)
    return std::nullopt;
  std::uint64_t count = 1;
  for (Dim d : type.dims) {
    const auto size = m.dims.asConstant(d);
    if (!size || *size < 0 || *size > InferState::maxContent)
      return std::nullopt;
    count *= static_cast<std::uint64_t>(*size);
    if (count > InferState::maxContent)
      return std::nullopt;
  }
  std::vector<Dim> out;
  if (data.ints.count != 0) {
    if (data.ints.count != count || isFloating(type.element) || isComplex(type.element))
      return std::nullopt;
    for (std::int64_t v : m.ints(data.ints))
      out.push_back(m.dims.constant(v));
    return out;
  }
  const unsigned bytes = dtypeBits(type.element) / 8;
  if (!(isIntegral(type.element) || type.element == DType::Bool) || bytes == 0 || data.bytes.size() != count * bytes)
    return std::nullopt;
  for (std::uint64_t i = 0; i < count; ++i) {
    // Raw data is little endian (onnx.proto, raw_data).
    std::uint64_t raw = 0;
    for (unsigned b = 0; b < bytes; ++b)
      raw |= static_cast<std::uint64_t>(static_cast<unsigned char>(data.bytes[i * bytes + b])) << (8 * b);
    if (isSigned(type.element) && bytes < 8 && (raw >> (8 * bytes - 1)) != 0)
      raw |= ~std::uint64_t{0} << (8 * bytes);
    if (type.element == DType::UInt64 && (raw >> 63) != 0)
      return std::nullopt;
    out.push_back(m.dims.constant(static_cast<std::int64_t>(raw)));
  }
  return out;
}

} // namespace condlint

//===- CreationOnnx.cpp - ONNX's operators that make tensors --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Creation.h"
#include "Elementwise.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include "kernels/Creation.h"
#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace condlint {

namespace {

/// The sizes in the int64 vector that is operand \p i: known ones, or unknown ones
/// when only their number is known.
std::optional<std::vector<Dim>> shapeOperand(InferContext &c, std::size_t i) {
  if (const auto content = c.content(i))
    return std::vector<Dim>(content->begin(), content->end());
  const Type &t = c.type(i);
  if (!t.hasRank || t.dims.size() != 1)
    return std::nullopt;
  const auto count = c.dims().asConstant(t.dims[0]);
  if (!count || *count < 0 || *count > static_cast<std::int64_t>(maxContent))
    return std::nullopt;
  return std::vector<Dim>(static_cast<std::size_t>(*count));
}

void setShaped(InferContext &c, DType dtype, const std::optional<std::vector<Dim>> &shape) {
  c.setResult(0, shape ? c.tensor(dtype, *shape) : c.tensor(dtype));
}

void setVector(InferContext &c, DType dtype, std::size_t count) {
  c.setResult(0, c.tensor(dtype, {c.constant(static_cast<std::int64_t>(count))}));
}

void setNumbers(InferContext &c, std::span<const std::int64_t> numbers) {
  std::vector<Dim> values;
  if (numbers.size() > maxContent)
    return;
  for (std::int64_t n : numbers)
    values.push_back(c.constant(n));
  c.setContent(0, values);
}

void setStored(InferContext &c, ConstantId data) {
  Type t = c.model().types[c.model()[data].type];
  t.layout = Layout::Unknown; // what is stored sparsely is dense all the same
  c.setResult(0, t);
  if (const auto content = c.constantContent(data))
    c.setContent(0, *content);
}

/// Constant: one of `value`, `sparse_value`, `value_int`, …; of two ONNX Runtime takes the first.
void inferConstant(InferContext &c) {
  for (const Attribute &a : c.model().attributes(c.node())) {
    const std::string_view name = c.model().text(a.name);
    if ((name == "value" || name == "sparse_value") && a.kind == AttributeKind::Tensor)
      return setStored(c, ConstantId(a.list.first));
    if (name == "value_int" && a.kind == AttributeKind::Int) {
      c.setResult(0, c.tensor(DType::Int64, {}));
      return setNumbers(c, {&a.number, 1});
    }
    if (name == "value_float" && a.kind == AttributeKind::Float)
      return c.setResult(0, c.tensor(DType::Float32, {}));
    if (name == "value_string" && a.kind == AttributeKind::String)
      return c.setResult(0, c.tensor(DType::String, {}));
    if (name == "value_ints" && a.kind == AttributeKind::Ints) {
      setVector(c, DType::Int64, a.list.count);
      return setNumbers(c, c.model().ints(a.list));
    }
    if (name == "value_floats" && a.kind == AttributeKind::Floats)
      return setVector(c, DType::Float32, a.list.count);
    if (name == "value_strings" && a.kind == AttributeKind::Strings)
      return setVector(c, DType::String, a.list.count);
  }
}

void inferConstantOfShape(InferContext &c) {
  DType dtype = DType::Float32;
  Dim number;
  if (const Attribute *a = c.attribute("value")) {
    dtype = DType::Unknown;
    if (a->kind == AttributeKind::Tensor) {
      const ConstantId data(a->list.first);
      dtype = c.model().types[c.model()[data].type].element;
      if (const auto content = c.constantContent(data); content && content->size() == 1)
        number = (*content)[0];
    }
  }
  expectSizes(c, 0);
  const auto shape = shapeOperand(c, 0);
  setShaped(c, dtype, shape);
  if (!shape || !number.known())
    return;
  std::size_t count = 1;
  for (Dim d : *shape) {
    const auto size = c.dims().asConstant(d);
    if (!size || *size < 0 || *size > static_cast<std::int64_t>(maxContent))
      return;
    count *= static_cast<std::size_t>(*size);
    if (count > maxContent)
      return;
  }
  c.setContent(0, std::vector<Dim>(count, number));
}

/// The one number in a small floating constant.
std::optional<double> realConstant(InferContext &c, std::size_t i) {
  const Model &m = c.model();
  const ValueId v = c.operand(i);
  if (!v)
    return std::nullopt;
  ConstantId data = m[v].constant;
  if (!data && m[v].def && m.text(m[m[m[v].def].op].name) == "Constant") {
    if (const Attribute *a = m.attribute(m[v].def, "value_float"); a && a->kind == AttributeKind::Float)
      return a->real;
    if (const Attribute *a = m.attribute(m[v].def, "value"); a && a->kind == AttributeKind::Tensor)
      data = ConstantId(a->list.first);
  }
  if (!data)
    return std::nullopt;
  const DType t = m.types[m[data].type].element;
  const std::string_view bytes = m[data].bytes;
  std::uint64_t raw = 0;
  if (bytes.size() > sizeof(raw))
    return std::nullopt;
  for (std::size_t b = bytes.size(); b-- > 0;) // little endian
    raw = raw << 8 | static_cast<unsigned char>(bytes[b]);
  if (t == DType::Float32 && bytes.size() == 4)
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
  if (t == DType::Float64 && bytes.size() == 8)
    return std::bit_cast<double>(raw);
  return std::nullopt;
}

/// Range(start, limit, delta): `max(ceil((limit - start) / delta), 0)` numbers.
void inferRange(InferContext &c) {
  const DType dtype = sameType(c, {0, 1, 2});
  DimTable &dims = c.dims();
  std::array<Dim, 3> whole{};
  std::array<std::optional<double>, 3> real{};
  // Inference looks where it knows all three, and wants scalars; the kernels take a vector of one number, too.
  const bool allLiteral = isLiteral(c, 0) && isLiteral(c, 1) && isLiteral(c, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    if (const Type &t = c.type(i);
        t.hasRank && !t.dims.empty() && (allLiteral || t.dims.size() > 1 || neverEqual(dims, t.dims[0], c.constant(1))))
      return c.reject("Range: input " + std::to_string(i) + " must be a scalar, but has the shape " +
                          spellDims(dims, t.dims),
                      i, allLiteral ? FaultKind::Other : FaultKind::Unequal);
    if (const auto content = c.content(i); content && content->size() == 1)
      whole[i] = (*content)[0];
    if (const auto value = dims.asConstant(whole[i]))
      real[i] = static_cast<double>(*value);
    else
      real[i] = realConstant(c, i);
  }
  if (real[2] == 0.0)
    c.reject("Range: the step is 0", 2, FaultKind::ZeroStep);
  Dim size;
  const bool allWhole = std::all_of(whole.begin(), whole.end(), [](Dim d) { return d.known(); });
  if (allWhole)
    size = rangeSize(dims, whole[0], whole[1], whole[2]);
  else if (real[0] && real[1] && real[2])
    size = rangeSize(dims, *real[0], *real[1], *real[2]);
  if (size.known())
    size = dims.max(size, dims.constant(0));
  c.setResult(0, c.tensor(dtype, {size}));
  const auto count = dims.asConstant(size);
  if (!allWhole || !count || *count > static_cast<std::int64_t>(maxContent))
    return;
  std::vector<Dim> values;
  Dim next = whole[0];
  for (std::int64_t i = 0; i < *count; ++i, next = dims.add(next, whole[2]))
    values.push_back(next);
  c.setContent(0, values);
}

void inferEyeLike(InferContext &c) { setLikeOperand(c, 0, c.dtypeAttr("dtype").value_or(c.type(0).element)); }

/// HannWindow(size): float32 unless `output_datatype` says otherwise. Inference reads a size that is a constant, and
/// then it is a scalar.
void inferWindow(InferContext &c) {
  const auto content = c.content(0);
  if (const Type &size = c.type(0); content && size.hasRank && !size.dims.empty())
    return c.reject(fmt::format("{}: the size must be a scalar where it is a constant, but has {} axes", c.opName(),
                                size.dims.size()),
                    0);
  const Dim size = content && content->size() == 1 ? (*content)[0] : Dim();
  if (const auto known = c.dims().asConstant(size); known && *known <= 0)
    return c.reject(fmt::format("{}: the size must be above 0, but is {}", c.opName(), *known), 0);
  const DType dtype =
      c.hasAttribute("output_datatype") ? c.dtypeAttr("output_datatype").value_or(DType::Unknown) : DType::Float32;
  c.setResult(0, c.tensor(dtype, {size}));
}

constexpr OpRow rows[] = {
    {"constant", inferConstant, executeConstant, "", "Constant", OpTrait::Constant | OpTrait::Trivial},
    {"constant_of_shape", inferConstantOfShape, executeConstantOfShape, "", "ConstantOfShape"},
    {"range", inferRange, executeRange, "", "Range"},
    {"eye_like", inferEyeLike, executeEyeLike, "", "EyeLike"},
    {"window_onnx", inferWindow, executeWindowOnnx, "", "HannWindow HammingWindow BlackmanWindow"},
};

} // namespace

std::span<const OpRow> onnxCreationRows() { return rows; }

} // namespace condlint

//===- Sequence.cpp - Sequences of tensors --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Sequence.h"
#include "Broadcast.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {
namespace {

/// What is true of both \p a and \p b, two entries of one sequence: sizes that
/// differ are unknown (ONNX's UnionTypeInfo).
Type unionOf(InferContext &c, const Type &a, const Type &b) {
  if (a.kind != b.kind || !a.isTensor())
    return a.kind == b.kind && a.kind != ValueKind::Unknown ? a : Type();
  const DType element = a.element == b.element ? a.element : DType::Unknown;
  if (!a.hasRank || !b.hasRank || a.dims.size() != b.dims.size())
    return c.tensor(element);
  std::vector<Dim> dims;
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    dims.push_back(a.dims[i] == b.dims[i] ? a.dims[i] : Dim());
  return c.tensor(element, dims);
}

/// What the sequence \p t holds; the unknown type when that is not known.
const Type &itemOf(InferContext &c, const Type &t) {
  return c.model().types[t.kind == ValueKind::Sequence ? t.item : TypeId()];
}

void setSequence(InferContext &c, const Type &item) {
  c.setResult(0, c.sequenceOf(item.kind == ValueKind::Unknown ? TypeId() : c.model().types.intern(item)));
}

/// How many entries the sequence of operand \p i holds: what inference keeps as its number.
Dim lengthOf(InferContext &c, std::size_t i) {
  const auto content = c.content(i);
  return c.type(i).kind == ValueKind::Sequence && content && content->size() == 1 ? content->front() : Dim();
}

void setLength(InferContext &c, Dim length) {
  if (length.known())
    c.setContent(0, std::array{length});
}

/// Rejects the position of operand 1 or 2, \p i, where it is none of the \p places of a sequence.
void checkPosition(InferContext &c, std::size_t i, Dim places) {
  const auto content = c.content(i);
  const auto position = content && content->size() == 1 ? c.dims().asConstant(content->front()) : std::nullopt;
  const auto count = places.known() ? c.dims().asConstant(places) : std::nullopt;
  const auto length = lengthOf(c, 0).known() ? c.dims().asConstant(lengthOf(c, 0)) : std::nullopt;
  if (position && count && length && (*position >= *count || *position < -*length))
    c.reject(fmt::format("the position {} is none in a sequence of {} entries", *position, *length),
             static_cast<std::uint32_t>(i), FaultKind::Index);
}

void inferEmpty(InferContext &c) {
  setSequence(c, c.tensor(c.hasAttribute("dtype") ? c.dtypeAttr("dtype").value_or(DType::Unknown) : DType::Float32));
  setLength(c, c.constant(0));
}

void inferConstruct(InferContext &c) {
  setLength(c, c.constant(static_cast<std::int64_t>(c.operandCount())));
  if (c.operandCount() == 0)
    return setSequence(c, c.tensor(DType::Unknown));
  Type item = c.type(0);
  for (std::size_t i = 1; i < c.operandCount(); ++i)
    item = unionOf(c, item, c.type(i));
  setSequence(c, item.isTensor() ? reshapedLike(c, item.element, item) : Type());
}

void inferInsert(InferContext &c) {
  const Type &item = itemOf(c, c.type(0));
  const Type &inserted = c.type(1);
  if (item.isTensor() && inserted.isTensor() && item.element != DType::Unknown && inserted.element != DType::Unknown &&
      item.element != inserted.element)
    c.reject("a tensor of " + std::string(dtypeName(inserted.element)) + " is inserted into a sequence of " +
                 std::string(dtypeName(item.element)),
             1);
  if (const Dim length = lengthOf(c, 0); length.known()) {
    setLength(c, c.dims().add(length, c.constant(1)));
    if (c.has(2))
      checkPosition(c, 2, c.dims().add(length, c.constant(1)));
  }
  if (item.kind == ValueKind::Unknown)
    return setSequence(c, inserted.isTensor() ? c.tensor(inserted.element) : Type());
  setSequence(c, inserted.isTensor() ? unionOf(c, item, inserted) : c.tensor(item.element));
}

void inferErase(InferContext &c) {
  setSequence(c, itemOf(c, c.type(0)));
  const Dim length = lengthOf(c, 0);
  if (!length.known())
    return;
  if (c.dims().isConstant(length, 0))
    return c.reject("the sequence is empty: there is nothing to erase", 0, FaultKind::Index);
  if (c.has(1))
    checkPosition(c, 1, length);
  setLength(c, c.dims().sub(length, c.constant(1)));
}

void inferAt(InferContext &c) {
  const Type &item = itemOf(c, c.type(0));
  c.setResult(0, item.kind == ValueKind::Unknown ? c.tensor(DType::Unknown) : item);
  checkPosition(c, 1, lengthOf(c, 0));
}

void inferLength(InferContext &c) {
  c.setResult(0, c.tensor(DType::Int64, {}));
  if (const Dim length = lengthOf(c, 0); length.known())
    c.setContent(0, std::array{length});
}

/// new_axis = 1 stacks the entries along a new axis.
void inferConcat(InferContext &c) {
  const Type &item = itemOf(c, c.type(0));
  const bool stack = c.intAttr("new_axis", 0) == 1;
  if (const Dim length = lengthOf(c, 0); length.known() && c.dims().isConstant(length, 0))
    c.reject("the sequence is empty: there is nothing to put together", 0, FaultKind::NoneLeft);
  if (!item.isTensor() || !item.hasRank)
    return c.setResult(0, c.tensor(item.element));
  const std::size_t rank = item.dims.size() + (stack ? 1 : 0);
  const auto given = c.intAttr("axis");
  const auto axis = given ? normalizeAxis(*given, rank) : std::nullopt;
  if (!axis) {
    if (given)
      c.reject("the axis " + std::to_string(*given) + " is out of range for rank " + std::to_string(rank));
    return c.setResult(0, c.tensorOfRank(item.element, rank));
  }
  const Dim length = lengthOf(c, 0);
  std::vector<Dim> dims(item.dims.begin(), item.dims.end());
  if (stack)
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(*axis), length);
  else
    dims[*axis] = c.dims().mul(dims[*axis], length);
  c.setResult(0, c.tensor(item.element, dims));
}

void inferSplit(InferContext &c) {
  const Type &t = c.type(0);
  if (!t.hasRank)
    return setSequence(c, c.tensor(t.element));
  const auto axis = normalizeAxis(c.intAttr("axis", 0), t.dims.size());
  if (!axis) {
    c.reject("the axis " + std::to_string(c.intAttr("axis", 0)) + " is out of range for rank " +
             std::to_string(t.dims.size()));
    return setSequence(c, c.tensor(t.element));
  }
  std::vector<Dim> dims(t.dims.begin(), t.dims.end());
  const Dim whole = dims[*axis];
  if (!c.has(1)) {
    if (c.intAttr("keepdims", 1) != 0)
      dims[*axis] = c.constant(1);
    else
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(*axis));
    setLength(c, whole);
    return setSequence(c, c.tensor(t.element, dims));
  }
  dims[*axis] = Dim();
  const Type &split = c.type(1);
  if (const auto sizes = c.content(1); sizes && !sizes->empty() && split.hasRank) {
    const Dim first = sizes->front();
    const auto size = first.known() ? c.dims().asConstant(first) : std::nullopt;
    if (!split.dims.empty())
      setLength(c, c.constant(static_cast<std::int64_t>(sizes->size())));
    else if (const auto all = whole.known() ? c.dims().asConstant(whole) : std::nullopt; all && size && *size > 0)
      setLength(c, c.constant((*all + *size - 1) / *size));
    if (split.dims.empty()) {
      // Parts of equal size; the last is smaller unless the size divides.
      if (whole.known() && first.known() && c.dims().isConstant(c.dims().mod(whole, first), 0))
        dims[*axis] = first;
    } else if (std::ranges::all_of(*sizes, [&](Dim d) { return d.known() && d == first; })) {
      dims[*axis] = first;
    }
  }
  setSequence(c, c.tensor(t.element, dims));
}

constexpr OpRow rows[] = {
    {"sequence_empty", inferEmpty, executeSequenceEmpty, "", "SequenceEmpty"},
    {"sequence_construct", inferConstruct, executeSequenceConstruct, "", "SequenceConstruct"},
    {"sequence_insert", inferInsert, executeSequenceInsert, "", "SequenceInsert"},
    {"sequence_erase", inferErase, executeSequenceErase, "", "SequenceErase"},
    {"sequence_at", inferAt, executeSequenceAt, "", "SequenceAt"},
    {"sequence_length", inferLength, executeSequenceLength, "", "SequenceLength", OpTrait::Trivial},
    {"concat_from_sequence", inferConcat, executeConcatFromSequence, "", "ConcatFromSequence"},
    {"split_to_sequence", inferSplit, executeSplitToSequence, "", "SplitToSequence"},
};

} // namespace

OpFamily sequenceFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

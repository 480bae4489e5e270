//===- TensorRtFlow.cpp - TensorRT's conditionals and loops ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT's conditionals and loops: the layers at their boundaries. The nodes of a
// network lie flat in one graph; what is inside a conditional follows from them.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "TensorRt.h"
#include <algorithm>

namespace condlint {

namespace {

void inferHandle(InferContext &c) {
  Type t;
  t.kind = ValueKind::Object;
  c.setResult(0, t);
}

void inferNothing(InferContext &) {}

void inferEntry(InferContext &c) {
  if (!c.has(afterHandle))
    return;
  setLike(c, 0, afterHandle);
  if (const auto content = c.content(afterHandle))
    c.setContent(0, *content);
}

/// What both sides are. What is broken is unknown from there on (C11, C12).
void inferConditionalOutput(InferContext &c) {
  if (!c.has(afterHandle) || !c.has(afterHandle + 1))
    return;
  const Type &a = c.type(afterHandle);
  const Type &b = c.type(afterHandle + 1);
  Type t = c.either(a, b);
  t.kind = ValueKind::Tensor;
  if (a.element != DType::Unknown && b.element != DType::Unknown && a.element != b.element)
    t.elements = {};
  c.setResult(0, t);
  const ValueId one = c.operand(afterHandle);
  if (const StringId shape = c.namedType(afterHandle).names.shape;
      shape && shape == c.namedType(afterHandle + 1).names.shape)
    c.setShapeRule(InferContext::ShapeRule::Broadcast, {&one, 1});
}

/// The type on every trip is that of the first.
void inferRecurrence(InferContext &c) {
  if (c.has(afterHandle))
    setLike(c, 0, afterHandle);
}

void inferIterator(InferContext &c) {
  if (!c.has(afterHandle))
    return;
  const Type &t = c.type(afterHandle);
  const auto axis = c.intAttr("axis");
  if (!t.hasRank || t.dims.empty())
    return setLayer(c, 0, t.element);
  std::vector<Dim> shape = sizesOf(t);
  if (axis && *axis >= 0 && static_cast<std::size_t>(*axis) < shape.size()) {
    shape.erase(shape.begin() + *axis);
    return setLayer(c, 0, t.element, std::move(shape));
  }
  setLayer(c, 0, t.element, std::vector<Dim>(shape.size() - 1));
}

void inferLoopOutput(InferContext &c) {
  if (!c.has(afterHandle))
    return;
  const Type &t = c.type(afterHandle);
  const std::string_view kind = enumAttr(c, "outputKind");
  if (kind == "kLAST_VALUE")
    return setLike(c, 0, afterHandle);
  const auto axis = c.intAttr("axis");
  if (kind.empty() || !t.hasRank)
    return setLayer(c, 0, t.element);
  std::vector<Dim> shape = sizesOf(t);
  if (!axis || *axis < 0 || static_cast<std::size_t>(*axis) > shape.size())
    return setLayer(c, 0, t.element, std::vector<Dim>(shape.size() + 1));
  const auto length = c.content(afterHandle + 1);
  shape.insert(shape.begin() + *axis, length && length->size() == 1 ? (*length)[0] : Dim());
  setLayer(c, 0, t.element, std::move(shape));
}

constexpr OpRow rows[] = {
    {"trt_if", inferHandle, "", "", OpTrait::Trivial, nullptr, "addIfConditional"},
    {"trt_if_condition", inferNothing, "", "", OpTrait::Trivial, nullptr, "IfConditional.setCondition"},
    {"trt_if_input", inferEntry, "", "", OpTrait::Trivial, nullptr, "IfConditional.addInput"},
    {"trt_if_output", inferConditionalOutput, "", "", OpTrait::Trivial, nullptr, "IfConditional.addOutput"},
    {"trt_loop", inferHandle, "", "", OpTrait::Trivial, nullptr, "addLoop"},
    {"trt_recurrence", inferRecurrence, "", "", OpTrait::Trivial, nullptr, "Loop.addRecurrence"},
    {"trt_trip_limit", inferNothing, "", "", OpTrait::Trivial, nullptr, "Loop.addTripLimit"},
    {"trt_iterator", inferIterator, "", "", OpTrait::Trivial, nullptr, "Loop.addIterator"},
    {"trt_loop_output", inferLoopOutput, "", "", OpTrait::Trivial, nullptr, "Loop.addLoopOutput"},
    {"trt_mark_output", inferNothing, "", "", OpTrait::Trivial, nullptr, "markOutput"},
    {"trt_mark_debug", inferNothing, "", "", OpTrait::Trivial, nullptr, "markDebug"},
    {"trt_no_output", inferNothing, "", "", OpTrait::Trivial, nullptr, "getOutput"},
};

} // namespace

std::span<const OpRow> tensorrtFlowRows() { return rows; }

} // namespace condlint

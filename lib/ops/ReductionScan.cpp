//===- ReductionScan.cpp - Scans ------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Reduction.h"
#include "Shape.h"
#include "kernels/Scan.h"
#include <algorithm>
#include <string>

namespace condlint {

namespace {

/// Rejects an axis that operand 0 does not have.
void checkAxis(InferContext &c, std::int64_t axis) {
  const Type &self = c.type(0);
  if (self.hasRank && !normalizeAxis(axis, self.dims.size(), c.isTorch()))
    c.reject(std::string(c.opName()) + " has the axis " + std::to_string(axis) + ", its operand the rank " +
                 std::to_string(self.dims.size()),
             0);
}

/// A row-major result of the operand's shape.
OwnedType scanned(InferContext &c, DType dtype) {
  const Type &self = c.type(0);
  keepsShape(c);
  if (!self.hasRank)
    return freshTensor(c, dtype, self);
  return freshTensor(c, dtype, {self.dims.begin(), self.dims.end()}, self);
}

/// `cumsum`, `cumprod`: integers are summed as int64.
void inferCumulative(InferContext &c) {
  if (c.isOnnx()) {
    if (const auto given = constantInts(c, 1); given && given->size() == 1 && c.type(0).hasRank)
      axisOf(c, given->front(), c.type(0).dims.size());
    return setLikeOperand(c);
  }
  checkAxis(c, c.intAttr("dim", 0));
  setTorchResult(c, 0, scanned(c, c.dtypeAttr("dtype").value_or(accumulateType(c.type(0).element))));
}

void inferCumSum(InferContext &c) {
  inferCumulative(c);
  const auto content = c.content(0);
  const auto axis = c.content(1);
  if (!c.isOnnx() || !content || !axis || axis->size() != 1 || !c.type(0).hasRank || c.type(0).dims.size() != 1)
    return;
  std::vector<Dim> values(content->begin(), content->end());
  const bool reverse = c.intAttr("reverse", 0) != 0;
  if (reverse)
    std::reverse(values.begin(), values.end());
  Dim sum = c.constant(0);
  for (Dim &v : values) {
    const Dim before = sum;
    sum = c.dims().add(sum, v);
    v = c.intAttr("exclusive", 0) != 0 ? before : sum;
  }
  if (reverse)
    std::reverse(values.begin(), values.end());
  c.setContent(0, values);
}

void inferLogCumSumExp(InferContext &c) {
  checkAxis(c, c.intAttr("dim", 0));
  setTorchResult(c, 0, scanned(c, c.type(0).element));
}

/// `cummax`, `cummin`: values and positions.
void inferCumulativeExtreme(InferContext &c) {
  checkAxis(c, c.intAttr("dim", 0));
  setTorchResult(c, 0, scanned(c, c.type(0).element), "values");
  setTorchResult(c, 1, scanned(c, DType::Int64), "indices");
}

/// `softmax.int(dtype)`, `_softmax(half_to_float)`.
void inferSoftmax(InferContext &c) {
  const Type &self = c.type(0);
  if (c.isOnnx()) {
    // Before version 11 an axis only says where the operand is cut in two. onnx and ONNX Runtime keep 32 bits of it.
    if (c.version() >= 11)
      checkAxis(c, static_cast<std::int32_t>(c.intAttr("axis", c.version() >= 13 ? -1 : 1)));
    return setLikeOperand(c);
  }
  checkAxis(c, c.intAttr("dim", -1));
  DType t = floatOrDefault(self.element);
  if (const auto given = c.dtypeAttr("dtype"))
    t = *given;
  else if (c.intAttr("half_to_float", 0) != 0)
    t = DType::Float32;
  else if (t != self.element) // integers without a dtype: the kernels refuse them
    t = DType::Unknown;
  setTorchResult(c, 0, scanned(c, t));
}

void inferDiff(InferContext &c) {
  const Type &self = c.type(0);
  OwnedType t = freshTensor(c, self.element, self);
  if (self.element == DType::Unknown || c.arg("prepend") || c.arg("append"))
    return setTorchResult(c, 0, t);
  const auto axis = self.hasRank ? normalizeAxis(c.intAttr("dim", -1), self.dims.size()) : std::nullopt;
  if (axis) {
    std::vector<Dim> shape(self.dims.begin(), self.dims.end());
    shape[*axis] = c.dims().max(c.constant(0), c.dims().sub(shape[*axis], c.constant(c.intAttr("n", 1))));
    t = freshTensor(c, self.element, std::move(shape), self);
    t.dropStrides();
  }
  setTorchResult(c, 0, t);
}

constexpr OpRow rows[] = {
    {"cumsum", inferCumSum, executeCumSum, "aten.cumsum aten.cumsum_", "CumSum"},
    {"cumprod", inferCumulative, executeCumProd, "aten.cumprod aten.cumprod_", "CumProd"},
    {"logcumsumexp", inferLogCumSumExp, executeLogCumSumExp, "aten.logcumsumexp", ""},
    {"cummax", inferCumulativeExtreme, executeCumulativeExtreme, "aten.cummax aten.cummin", ""},
    {"softmax", inferSoftmax, executeSoftmax, "aten.softmax aten._softmax aten.special_softmax aten._safe_softmax",
     "Softmax"},
    {"log_softmax", inferSoftmax, executeLogSoftmax, "aten.log_softmax aten._log_softmax aten.special_log_softmax",
     "LogSoftmax"},
    {"hardmax", inferSoftmax, executeHardmax, "", "Hardmax"},
    {"diff", inferDiff, executeDiff, "aten.diff", ""},
};

} // namespace

std::span<const OpRow> scanRows() { return rows; }

} // namespace condlint

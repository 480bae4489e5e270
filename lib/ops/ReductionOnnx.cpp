//===- ReductionOnnx.cpp - ONNX's reductions ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "OpTable.h"
#include "Reduction.h"
#include "kernels/Reduction.h"
#include <algorithm>
#include <string>

namespace condlint {

namespace {

/// Where the axes of a Reduce operator stand: an input since opset 13 (ReduceSum)
/// or 18, an attribute before.
bool axesAreInput(const InferContext &c) {
  return c.version() <= 0 || c.version() >= (c.opName() == "ReduceSum" ? 13 : 18);
}

/// The axes that are reduced; `all` when none are named, `known` is false when an
/// input that nobody knows names them.
struct Axes {
  bool known = true;
  bool all = false;
  bool none = false;
  std::vector<std::int64_t> list;
  std::optional<std::int64_t> count; ///< how many, when known
};

Axes reducedAxes(InferContext &c) {
  Axes axes;
  const bool input = axesAreInput(c) && c.has(1);
  if (input) {
    const auto given = c.intsAttrOrInput("", 1);
    if (!given) {
      axes.known = false;
      if (const Type &t = c.type(1); t.hasRank && t.dims.size() == 1)
        axes.count = c.dims().asConstant(t.dims[0]);
      if (axes.count == 0)
        axes.known = true;
      else
        return axes;
    } else {
      axes.list = *given;
    }
  } else if (auto given = c.intsAttr("axes")) {
    axes.list = *given;
  }
  axes.count = static_cast<std::int64_t>(axes.list.size());
  if (axes.list.empty()) {
    axes.none = axesAreInput(c) && c.intAttr("noop_with_empty_axes", 0) != 0;
    axes.all = !axes.none;
  }
  return axes;
}

void inferReduce(InferContext &c) {
  const Type &data = c.type(0);
  const bool keep = c.intAttr("keepdims", 1) == 1;
  const Axes axes = reducedAxes(c);
  if (axes.none)
    return setLikeOperand(c);
  if (axes.known && axes.all && !keep)
    return c.setResult(0, c.tensor(data.element, {}));
  if (!data.hasRank)
    return c.setResult(0, c.tensor(data.element));
  const std::size_t rank = data.dims.size();
  if (!axes.known) {
    if (keep)
      c.setResult(0, c.tensorOfRank(data.element, rank));
    else if (axes.count && *axes.count >= 0 && *axes.count <= static_cast<std::int64_t>(rank))
      c.setResult(0, c.tensorOfRank(data.element, rank - static_cast<std::size_t>(*axes.count)));
    else
      c.setResult(0, c.tensor(data.element));
    return;
  }
  const auto mask = axes.all ? std::optional(std::vector<bool>(rank, true)) : axisMask(axes.list, rank, true);
  if (!mask) {
    c.reject(std::string(c.opName()) + " reduces an axis that its operand of rank " + std::to_string(rank) +
                 " does not have",
             0);
    return c.setResult(0, c.tensor(data.element));
  }
  c.setResult(0, c.tensor(data.element, reducedShape(c.dims(), data.dims, *mask, keep)));
}

/// Folds a reduction of a whole small tensor with \p combine.
using Combine = Dim (*)(DimTable &, Dim, Dim);
void foldReduce(InferContext &c, Combine combine) {
  inferReduce(c);
  const auto content = c.content(0);
  const Type &data = c.type(0);
  if (!content || content->empty() || !data.hasRank || data.dims.size() > 1)
    return;
  const Axes axes = reducedAxes(c);
  if (!axes.known || axes.none)
    return;
  Dim result = (*content)[0];
  for (std::size_t i = 1; i < content->size(); ++i)
    result = combine(c.dims(), result, (*content)[i]);
  c.setContent(0, std::span<const Dim>(&result, 1));
}

void inferReduceSum(InferContext &c) {
  foldReduce(c, [](DimTable &d, Dim a, Dim b) { return d.add(a, b); });
}
void inferReduceProd(InferContext &c) {
  foldReduce(c, [](DimTable &d, Dim a, Dim b) { return d.mul(a, b); });
}
void inferReduceMax(InferContext &c) {
  foldReduce(c, [](DimTable &d, Dim a, Dim b) { return d.max(a, b); });
}
void inferReduceMin(InferContext &c) {
  foldReduce(c, [](DimTable &d, Dim a, Dim b) { return d.min(a, b); });
}

void inferArg(InferContext &c) {
  const Type &data = c.type(0);
  if (!data.hasRank)
    return c.setResult(0, c.tensor(DType::Int64));
  const std::int64_t axes[] = {c.intAttr("axis", 0)};
  const auto mask = axisMask(axes, data.dims.size(), true);
  if (!mask) {
    c.reject(std::string(c.opName()) + " has an axis that its operand of rank " + std::to_string(data.dims.size()) +
                 " does not have",
             0);
    return c.setResult(0, c.tensor(DType::Int64));
  }
  c.setResult(0, c.tensor(DType::Int64, reducedShape(c.dims(), data.dims, *mask, c.intAttr("keepdims", 1) == 1)));
}

constexpr OpRow rows[] = {
    {"reduce_sum", inferReduceSum, executeReduceOnnx, "", "ReduceSum"},
    {"reduce_prod", inferReduceProd, executeReduceOnnx, "", "ReduceProd"},
    {"reduce_max", inferReduceMax, executeReduceOnnx, "", "ReduceMax"},
    {"reduce_min", inferReduceMin, executeReduceOnnx, "", "ReduceMin"},
    {"reduce", inferReduce, executeReduceOnnx, "",
     "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMean ReduceSumSquare"},
    {"arg_extreme", inferArg, executeArgExtreme, "", "ArgMax ArgMin"},
};

} // namespace

std::span<const OpRow> onnxReductionRows() { return rows; }

} // namespace condlint

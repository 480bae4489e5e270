//===- Sorting.cpp - Sorting and searching --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/Scan.h"

namespace condlint {

namespace {

/// ONNX: the number of elements to keep is a vector of one.
bool isOneNumber(InferContext &c, const Type &k) {
  if (!k.isTensor() || !k.hasRank)
    return true;
  return k.dims.size() == 1 && (!k.dims[0].known() || c.dims().asConstant(k.dims[0]).value_or(1) == 1);
}

/// Largest or smallest k of an axis. ONNX: k is an attribute before 10.
void inferTopK(InferContext &c) {
  const Type &from = c.isTorch() ? c.argType("self") : c.type(0);
  Dim k = c.isTorch() || c.hasAttribute("k") ? c.dimArg("k") : Dim();
  if (const auto content = c.content(1); c.isOnnx() && content && content->size() == 1)
    k = (*content)[0];
  if (c.isOnnx() && !c.hasAttribute("k") && c.operandCount() > 1 && !isOneNumber(c, c.type(1))) {
    c.reject("K must be a vector of one element, but has the shape " + spellDims(c.dims(), c.type(1).dims), 1);
    k = Dim();
  }
  const std::string_view outs[] = {"values", "indices"};
  for (std::size_t i = 0; i < 2; ++i) {
    const DType element = i == 0 ? from.element : DType::Int64;
    if (!from.hasRank) {
      setFresh(c, i, element, from, outs[i]);
      continue;
    }
    std::vector<Dim> shape = copyDims(from.dims);
    const auto at = axisOf(c, c.intAttr(c.isTorch() ? "dim" : "axis", -1), shape.size(), c.isTorch());
    if (at && *at < shape.size()) {
      const auto wanted = c.dims().asConstant(k), size = c.dims().asConstant(shape[*at]);
      if (i == 0 && wanted && size && (*wanted < 0 || *wanted > *size))
        c.reject(std::string(c.opName()) + ": k is " + std::to_string(*wanted) + ", the axis has " +
                 std::to_string(*size));
      shape[*at] = wanted && *wanted < 0 ? Dim() : k;
    }
    if (at)
      setFresh(c, i, element, shape, from, outs[i]);
    else
      setFresh(c, i, element, from, outs[i]);
  }
}

/// The results keep the order of the operand's strides.
void inferSort(InferContext &c) {
  const Type &from = c.argType("self");
  setFresh(c, 0, freshLike(c, from.element, from), "values");
  setFresh(c, 1, freshLike(c, DType::Int64, from), "indices");
}

void inferArgsort(InferContext &c) {
  const Type &from = c.argType("self");
  setFresh(c, 0, freshLike(c, DType::Int64, from));
}

void inferMsort(InferContext &c) {
  const Type &from = c.argType("self");
  setFresh(c, 0, freshLike(c, from.element, from));
}

constexpr OpRow rows[] = {
    {"topk", inferTopK, executeTopK, "aten.topk", "TopK"},
    {"sort", inferSort, executeSort, "aten.sort", ""},
    {"argsort", inferArgsort, executeArgsort, "aten.argsort", ""},
    {"msort", inferMsort, executeMsort, "aten.msort", ""},
};

} // namespace

OpFamily sortingFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

//===- Statistics.cpp - Similarity, covariance, integrals -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What torch computes of samples by other operators, and keeps as one node until a
// program is decomposed.
#include "kernels/Statistics.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "kernels/Histogram.h"

namespace condlint {
namespace {

/// A number that torch may leave out; nothing where it is no literal.
std::optional<std::int64_t> given(InferContext &c, std::string_view name, std::int64_t otherwise) {
  return c.hasAttribute(name) ? c.intAttr(name) : otherwise;
}

/// `cosine_similarity`, `pairwise_distance`: the vectors along one axis, which goes.
void inferVectorComparison(InferContext &c) {
  const Type &x = c.argType("x1"), &y = c.argType("x2");
  if (!x.isTensor() || !y.isTensor())
    return;
  const bool distance = c.opName() == "pairwise_distance";
  const DType both = resultType(c, {"x1", "x2"});
  const DType element = distance ? realType(floatOrDefault(both)) : both;
  const Type operands[] = {x, y};
  const Shape shape = broadcast(c.dims(), operands);
  const auto axis = distance ? std::optional<std::int64_t>(-1) : given(c, "dim", 1);
  const auto at = shape.hasRank && !shape.mismatch && axis ? normalizeAxis(*axis, shape.dims.size()) : std::nullopt;
  const auto keep = given(c, "keepdim", 0);
  if (!at || !keep)
    return setTorchResult(c, 0, freshTensor(c, element, x));
  std::vector<bool> gone(shape.dims.size());
  gone[*at] = true;
  setTorchResult(c, 0, looseTensor(c, element, reducedShape(c.dims(), shape.dims, gone, *keep != 0), x));
}

/// `cov`, `corrcoef`: a number for each pair of rows; of one row a number.
void inferCovariance(InferContext &c) {
  const Type &self = c.argType("self");
  if (!self.isTensor())
    return;
  const bool weighted = c.arg("aweights").valid();
  const DType element = floatOrDefault(weighted ? resultType(c, {"self", "aweights"}) : self.element);
  if (self.hasRank && self.dims.size() < 2)
    return setTorchResult(c, 0, freshTensor(c, element, {}, self));
  const Dim rows = self.hasRank ? self.dims[0] : Dim();
  const auto count = c.dims().asConstant(rows);
  if (!count)
    return setTorchResult(c, 0, freshTensor(c, element, self));
  setTorchResult(c, 0, *count == 1 ? freshTensor(c, element, {}, self) : looseTensor(c, element, {rows, rows}, self));
}

/// `trapezoid`, `cumulative_trapezoid`: over one axis, which goes or has one entry less.
void inferTrapezoid(InferContext &c) {
  const Type &y = c.argType("y");
  if (!y.isTensor())
    return;
  const bool points = c.arg("x").valid();
  const DType element = floatOrDefault(points ? resultType(c, {"y", "x"}) : y.element);
  // Points of more axes than one stretch what they belong to.
  const bool plain = !points || (c.argType("x").hasRank && c.argType("x").dims.size() == 1);
  const auto axis = given(c, "dim", -1);
  const auto at = y.hasRank && plain && axis ? normalizeAxis(*axis, y.dims.size()) : std::nullopt;
  if (!at)
    return setTorchResult(c, 0, freshTensor(c, element, y));
  std::vector<Dim> shape(y.dims.begin(), y.dims.end());
  const auto place = shape.begin() + static_cast<std::ptrdiff_t>(*at);
  if (c.opName() != "cumulative_trapezoid")
    shape.erase(place);
  else if (const auto size = c.dims().asConstant(*place); size && *size > 0)
    *place = c.constant(*size - 1);
  else
    *place = Dim();
  setTorchResult(c, 0, looseTensor(c, element, std::move(shape), y));
}

/// `bilinear(input1, input2, weight, bias)`: [..., out] of [..., in1] and [..., in2].
void inferBilinear(InferContext &c) {
  const Type &x = c.argType("input1");
  if (!x.isTensor())
    return;
  const auto shape = batchShape(x, 1, {dimAt(c.argType("weight"), 0)});
  setTorchResult(c, 0, shape ? looseTensor(c, x.element, *shape, x) : freshTensor(c, x.element, x));
}

/// `histogram`: as many numbers as there are bins, and the edges between them.
void inferHistogram(InferContext &c) {
  const Type &self = c.type(0);
  if (!self.isTensor())
    return;
  const bool edges = c.arg("bins").valid() && c.argType("bins").isTensor();
  const Dim bins = edges ? c.dims().sub(elementCount(c.dims(), c.argType("bins").dims), c.constant(1))
                   : c.hasAttribute("bins") ? c.dimArg("bins")
                                            : c.constant(100);
  if (edges && !c.argType("bins").hasRank)
    return c.setResult(0, freshTensor(c, self.element, {Dim()}, self).view());
  c.setResult(0, freshTensor(c, self.element, {bins}, self).view());
  c.setResult(1, looseTensor(c, self.element, {c.dims().add(bins, c.constant(1))}, self).view());
}

/// `histogramdd` and what torch makes it of: counts with an axis for each column of the operand, and the
/// edges along each.
void inferHistogramOfPoints(InferContext &c) {
  const Type &self = c.type(0);
  if (!self.isTensor())
    return;
  std::vector<Dim> bins;
  for (ValueId v : c.argList("bins")) // tensors of edges
    bins.push_back(v && c.typeOf(v).isTensor() ? c.dims().sub(dimAt(c.typeOf(v), 0), c.constant(1)) : Dim());
  if (bins.empty())
    if (const auto counts = c.intsAttr("bins"))
      for (std::int64_t n : *counts)
        bins.push_back(c.constant(n));
  if (c.overload() == "int_bins") {
    const auto columns = self.hasRank ? c.dims().asConstant(dimAt(self, -1)) : std::nullopt;
    const auto each = c.intAttr("bins");
    bins.assign(columns && *columns >= 0 && *columns < 16 ? static_cast<std::size_t>(*columns) : 0,
                each ? c.constant(*each) : Dim());
  }
  std::size_t result = 0;
  if (c.opName() != "_histogramdd_bin_edges")
    c.setResult(result++, (bins.empty() ? freshTensor(c, self.element, self)
                                        : freshTensor(c, self.element, std::vector<Dim>(bins), self))
                              .view());
  for (std::size_t i = 0; result < c.resultCount() && i < bins.size(); ++i)
    c.setResult(result++, looseTensor(c, self.element, {c.dims().add(bins[i], c.constant(1))}, self).view());
}

constexpr OpRow rows[] = {
    {"vector_comparison", inferVectorComparison, executeVectorComparison,
     "aten.cosine_similarity aten.pairwise_distance", ""},
    {"covariance", inferCovariance, executeCovariance, "aten.cov aten.corrcoef", ""},
    {"trapezoid", inferTrapezoid, executeTrapezoid, "aten.trapezoid aten.trapz aten.cumulative_trapezoid", ""},
    {"histogram", inferHistogram, executeHistogram, "aten.histogram", ""},
    {"histogram_of_points", inferHistogramOfPoints, executeHistogramOfPoints,
     "aten.histogramdd aten._histogramdd_bin_edges aten._histogramdd_from_bin_cts aten._histogramdd_from_bin_tensors",
     ""},
    {"bilinear", inferBilinear, executeBilinear, "aten.bilinear", ""},
};

} // namespace

OpFamily statisticsFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

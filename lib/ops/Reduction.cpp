//===- Reduction.cpp - What the definitions of reductions share -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reduction.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "kernels/LinearAlgebra.h"
#include "kernels/Reduction.h"
#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace condlint {

std::optional<std::vector<std::int64_t>> torchAxes(InferContext &c, std::string_view argument, bool emptyIsNone) {
  auto axes = c.intsAttr(argument);
  if (axes && axes->empty() && emptyIsNone)
    return std::nullopt;
  return axes;
}

OwnedType reducedTensor(InferContext &c, DType dtype, const Type &self,
                        const std::optional<std::vector<std::int64_t>> &axes, bool keep) {
  OwnedType unknown = freshTensor(c, dtype, self);
  if (!axes && !keep)
    return freshTensor(c, dtype, {}, self);
  if (!self.hasRank)
    return unknown;
  std::vector<bool> mask(self.dims.size(), true);
  if (axes) {
    const auto given = axisMask(*axes, self.dims.size(), true);
    if (!given) {
      c.reject(std::string(c.opName()) + " reduces an axis that its operand of rank " +
                   std::to_string(self.dims.size()) + " does not have",
               0);
      return unknown;
    }
    mask = *given;
  }
  return freshTensor(c, dtype, reducedShape(c.dims(), self.dims, mask, keep), self);
}

namespace {

/// How torch's element type of a reduction follows from its operand's.
enum class Rule {
  Same,
  Sum,    ///< integers and bool are summed as int64
  Mean,   ///< floating and complex alone
  Truth,  ///< bool, except that uint8 stays uint8
  Index,  ///< int64
  Spread, ///< the real type of floating and complex (`var`, `norm`)
  Float,  ///< integers become the default float
};

DType resultOf(InferContext &c, Rule rule, DType t) {
  if (rule == Rule::Index)
    return DType::Int64;
  if (const auto given = c.dtypeAttr("dtype"); given && rule != Rule::Truth)
    return rule == Rule::Spread ? realType(*given) : *given;
  if (t == DType::Unknown)
    return t;
  const bool whole = t == DType::Bool || isIntegral(t);
  switch (rule) {
  case Rule::Sum:
    return accumulateType(t);
  case Rule::Mean:
    if (whole)
      c.reject(std::string(c.opName()) + " refuses " + std::string(dtypeName(t)) +
                   ": it needs floating or complex numbers, or the argument dtype",
               0);
    return whole ? DType::Unknown : t;
  case Rule::Truth:
    return t == DType::UInt8 ? t : DType::Bool;
  case Rule::Spread:
    return whole ? DType::Unknown : realType(t);
  case Rule::Float:
    return floatOrDefault(t);
  default:
    return t;
  }
}

bool keepdim(const InferContext &c) { return c.intAttr("keepdim", 0) != 0; }

/// An empty list of axes means another thing to each.
void reducesSelf(InferContext &c) {
  const Attribute *dim = c.attribute("dim");
  const ValueId self[] = {c.operand(0)};
  if (!dim || dim->kind == AttributeKind::Int || dim->list.count != 0)
    c.setShapeRule(InferContext::ShapeRule::Reduce, self);
}

template <Rule rule> void reduce(InferContext &c) {
  const Type &self = c.type(0);
  reducesSelf(c);
  setTorchResult(c, 0, reducedTensor(c, resultOf(c, rule, self.element), self, torchAxes(c), keepdim(c)));
}

/// `any`, `all`; an empty list for `any.dims` reduces nothing.
void inferTruth(InferContext &c) {
  const Type &self = c.type(0);
  const DType t = resultOf(c, Rule::Truth, self.element);
  const auto axes = torchAxes(c, "dim", false);
  OwnedType result = reducedTensor(c, t, self, axes, keepdim(c));
  if (axes && axes->empty())
    result.dropStrides();
  setTorchResult(c, 0, result);
}

/// `nansum`, `logsumexp`: what an empty list means has changed over time.
template <Rule rule> void reduceNonEmpty(InferContext &c) {
  const Type &self = c.type(0);
  const auto axes = torchAxes(c, "dim", false);
  OwnedType result = reducedTensor(c, resultOf(c, rule, self.element), self, axes, keepdim(c));
  if (axes && axes->empty())
    result.dropShape();
  setTorchResult(c, 0, result);
}

/// `var_mean`, `std_mean`: both results are reduced alike.
void inferSpreadAndMean(InferContext &c) {
  const Type &self = c.type(0);
  const auto axes = torchAxes(c);
  setTorchResult(c, 0, reducedTensor(c, resultOf(c, Rule::Spread, self.element), self, axes, keepdim(c)), "out0");
  setTorchResult(c, 1, reducedTensor(c, resultOf(c, Rule::Same, self.element), self, axes, keepdim(c)), "out1");
}

std::string_view present(const InferContext &c, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    if (c.arg(name))
      return name;
  return "out";
}

/// Values and their positions along one axis.
void valuesAndIndices(InferContext &c, std::int64_t defaultAxis) {
  const Type &self = c.type(0);
  reducesSelf(c);
  const std::vector<std::int64_t> axes{c.intAttr("dim", defaultAxis)};
  setTorchResult(c, 0, reducedTensor(c, self.element, self, axes, keepdim(c)), present(c, {"max", "min", "values"}));
  setTorchResult(c, 1, reducedTensor(c, DType::Int64, self, axes, keepdim(c)),
                 present(c, {"max_values", "min_indices", "indices"}));
}

/// `max`, `min`, `median`: over everything, along an axis, or of two tensors.
void inferExtreme(InferContext &c) {
  if (c.hasAttribute("other")) {
    setElementwise(c, resultType(c, {"self", "other"}));
  } else if (c.hasAttribute("dim")) {
    valuesAndIndices(c, 0);
  } else {
    reduce<Rule::Same>(c);
  }
}

/// `_is_all_true`, `_is_any_true`: of the whole tensor.
void inferTruthOfAll(InferContext &c) { setTorchResult(c, 0, freshTensor(c, DType::Bool, {}, c.type(0))); }

/// `mode`, `kthvalue`: the last axis unless another is named.
void inferAlongLastAxis(InferContext &c) {
  const Type &self = c.type(0);
  if (c.opName() == "kthvalue" && self.hasRank) {
    const auto axis = normalizeAxis(c.intAttr("dim", -1), self.dims.size());
    const Dim size = axis && !self.dims.empty() ? self.dims[*axis] : c.constant(1);
    const Dim k = c.dimArg("k");
    if (isAlwaysLarger(c.dims(), k, size))
      c.reject(fmt::format("kthvalue: k is {} of {} elements", c.dims().str(k), c.dims().str(size)));
  }
  valuesAndIndices(c, -1);
}

void inferAminmax(InferContext &c) {
  const Type &self = c.type(0);
  const auto axes = torchAxes(c);
  setTorchResult(c, 0, reducedTensor(c, self.element, self, axes, keepdim(c)), "min");
  setTorchResult(c, 1, reducedTensor(c, self.element, self, axes, keepdim(c)), "max");
}

/// `quantile`: the shape of q in front of the reduced shape.
void inferQuantile(InferContext &c) {
  const Type &self = c.type(0);
  OwnedType t = reducedTensor(c, self.element, self, torchAxes(c), keepdim(c));
  if (c.attribute("q") && c.attribute("q")->kind == AttributeKind::Operand) {
    const Type &q = c.argType("q");
    if (!q.hasRank || !t.type.hasRank) {
      t.dropShape();
    } else if (!q.dims.empty()) {
      std::vector<Dim> shape(q.dims.begin(), q.dims.end());
      shape.insert(shape.end(), t.dims.begin(), t.dims.end());
      t = freshTensor(c, self.element, std::move(shape), self);
      t.dropStrides(); // the axis of q is moved to the front
    }
  }
  setTorchResult(c, 0, t);
}

/// `dist(self, other)`: one number.
void inferDist(InferContext &c) {
  setTorchResult(c, 0, freshTensor(c, realType(resultType(c, {"self", "other"})), {}, c.type(0)));
}

/// `histc`: as many numbers as there are bins.
void inferHistc(InferContext &c) {
  const Dim bins = c.hasAttribute("bins") ? c.dimArg("bins") : c.constant(100);
  setTorchResult(c, 0, freshTensor(c, c.type(0).element, {bins}, c.type(0)));
}

/// `bincount`: at least `minlength`, as many as the largest number demands.
void inferBincount(InferContext &c) {
  DType t = DType::Int64;
  if (c.arg("weights"))
    t = c.argType("weights").element == DType::Float32 ? DType::Float32 : DType::Float64;
  setTorchResult(c, 0, freshTensor(c, t, {c.dataDependent("bins")}, c.type(0)));
}

/// `pdist`: a distance for each pair of rows.
void inferPairDistance(InferContext &c) {
  const Type &self = c.type(0);
  Dim pairs;
  if (self.hasRank && self.dims.size() == 2)
    pairs = c.dims().floorDiv(c.dims().mul(self.dims[0], c.dims().sub(self.dims[0], c.constant(1))), c.constant(2));
  setTorchResult(c, 0, freshTensor(c, self.element, {pairs}, self));
}

/// `sum_to_size`: as asked. Where something is added up, integers become int64.
void inferSumToSize(InferContext &c) {
  const auto size = c.dimsArg("size");
  const Type &from = c.type(0);
  DType t = from.element;
  if (accumulateType(t) != t) {
    using Verdict = DimComparison::Verdict;
    const auto isSame = [&](Dim a, Dim b) { return c.dims().compare(a, b).result == Verdict::Proved; };
    const auto differs = [&](Dim a, Dim b) {
      const DimComparison d = c.dims().compare(a, b);
      return d.result == Verdict::Refuted && d.always;
    };
    const bool known = size && from.hasRank;
    if (known && (size->empty() || size->size() != from.dims.size() ||
                  !std::ranges::equal(*size, from.dims, [&](Dim a, Dim b) { return !differs(a, b); })))
      t = accumulateType(t);
    else if (!known || !std::ranges::equal(*size, from.dims, isSame))
      t = DType::Unknown;
  }
  OwnedType result = size ? freshTensor(c, t, *size, c.type(0)) : freshTensor(c, t, c.type(0));
  result.dropStrides();
  result.type.storageOffset = Dim();
  c.setResult(0, result.view());
}

constexpr OpRow rows[] = {
    {"sum", reduce<Rule::Sum>, executeSum, "aten.sum", ""},
    {"nansum", reduceNonEmpty<Rule::Sum>, executeNansum, "aten.nansum", ""},
    {"prod", reduce<Rule::Sum>, executeProd, "aten.prod", ""},
    {"mean", reduce<Rule::Mean>, executeMean, "aten.mean aten.nanmean", ""},
    {"var", reduce<Rule::Spread>, executeVar, "aten.var aten.std", ""},
    {"var_mean", inferSpreadAndMean, executeVar, "aten.var_mean aten.std_mean", ""},
    {"norm", reduce<Rule::Spread>, executeNorm, "aten.norm aten.linalg_vector_norm aten.frobenius_norm", ""},
    {"matrix_norm", reduce<Rule::Spread>, executeLinalgNorm, "aten.linalg_matrix_norm aten.nuclear_norm", ""},
    {"logsumexp", reduceNonEmpty<Rule::Float>, executeLogSumExp, "aten.logsumexp aten.special_logsumexp", ""},
    {"amax", reduce<Rule::Same>, executeAmax, "aten.amax aten.amin", ""},
    {"any", inferTruth, executeAny, "aten.any aten.all", ""},
    {"truth_of_all", inferTruthOfAll, executeTruthOfAll, "aten._is_all_true aten._is_any_true", ""},
    {"argmax", reduce<Rule::Index>, executeArgmax, "aten.argmax aten.argmin", ""},
    {"count_nonzero", reduce<Rule::Index>, executeCountNonzero, "aten.count_nonzero", ""},
    {"extreme", inferExtreme, executeExtreme, "aten.max aten.min aten.median aten.nanmedian", ""},
    {"mode", inferAlongLastAxis, executeMode, "aten.mode aten.kthvalue", ""},
    {"aminmax", inferAminmax, executeAminmax, "aten.aminmax", ""},
    {"quantile", inferQuantile, executeQuantile, "aten.quantile aten.nanquantile", ""},
    {"dist", inferDist, executeDist, "aten.dist", ""},
    {"pdist", inferPairDistance, executePdist, "aten._pdist_forward aten.pdist", ""},
    {"histc", inferHistc, executeHistc, "aten.histc", ""},
    {"bincount", inferBincount, executeBincount, "aten.bincount", ""},
    {"sum_to_size", inferSumToSize, executeSumToSize, "aten.sum_to_size aten._unsafe_sum_to_size", ""},
};

} // namespace

std::span<const OpRow> torchReductionRows() { return rows; }

OpFamily reductionFamily() {
  static const OpTable table{torchReductionRows(), onnxReductionRows(), scanRows()};
  return table.family();
}

} // namespace condlint

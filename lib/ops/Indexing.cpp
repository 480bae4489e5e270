//===- Indexing.cpp - Indexing, gathering, scattering ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Reading and writing elements by their places.
#include "kernels/Indexing.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "IndexPlaces.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/Gradients.h"
#include "kernels/Selection.h"
#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace condlint {

namespace {

const Type &self(InferContext &c) { return c.isTorch() ? c.argType("self") : c.type(0); }

std::optional<std::size_t> axisFor(InferContext &c, std::size_t rank, std::string_view name = "dim",
                                   std::int64_t otherwise = 0) {
  const Attribute *a = c.attribute(name);
  const auto axis = a ? c.intAttr(name) : std::optional(otherwise);
  return axis ? axisOf(c, *axis, rank, c.isTorch()) : std::nullopt;
}

void expectIndices(InferContext &c, const Type &t, std::string_view name) {
  if (t.element != DType::Unknown && !isIntegral(t.element))
    c.reject(std::string(c.opName()) + ": " + std::string(name) + " has the element type " +
             std::string(dtypeName(t.element)) + ", which is no integer");
}

// --- one axis ------------------------------------------------------------------
/// ONNX Gather; aten.index_select and take take the same from one axis.
void inferGatherOnnx(InferContext &c) {
  const Type &from = c.type(0), &indices = c.type(1);
  if (!from.hasRank || !indices.hasRank)
    return c.setResult(0, c.tensor(from.element));
  const auto at = axisOf(c, c.intAttr("axis", 0), from.dims.size());
  if (!at)
    return c.setResult(0, c.tensor(from.element));
  std::vector<Dim> shape = copyDims(from.dims.first(*at));
  shape.insert(shape.end(), indices.dims.begin(), indices.dims.end());
  shape.insert(shape.end(), from.dims.begin() + static_cast<std::ptrdiff_t>(*at) + 1, from.dims.end());
  const auto size = c.dims().asConstant(from.dims[*at]);
  const auto picks = constantInts(c, 1);
  expectInside(c, 1, from.dims[*at]);
  c.setResult(0, c.tensor(from.element, shape));
  const auto indexSizes = constantSizes(c.dims(), indices.dims);
  if (!picks || !size || !indexSizes)
    return;
  const std::size_t indexRank = indexSizes->size();
  foldMove(c, 0, shape, [&](std::span<const std::int64_t> index) {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < indexRank; ++i)
      flat = flat * (*indexSizes)[i] + index[*at + i];
    std::vector<std::int64_t> from0(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(*at));
    const std::int64_t pick =
        flat < static_cast<std::int64_t>(picks->size()) ? (*picks)[static_cast<std::size_t>(flat)] : *size;
    from0.push_back(pick < 0 ? pick + *size : pick);
    from0.insert(from0.end(), index.begin() + static_cast<std::ptrdiff_t>(*at + indexRank), index.end());
    return from0;
  });
}

void inferIndexSelect(InferContext &c) {
  const Type &from = self(c), &index = c.argType("index");
  expectIndices(c, index, "the index");
  expectVector(c, index);
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  const auto at = axisFor(c, from.dims.size());
  if (!at)
    return setFresh(c, 0, from.element, from);
  std::vector<Dim> shape = copyDims(from.dims);
  if (!shape.empty())
    shape[*at] = index.hasRank ? elementCount(c.dims(), index.dims) : Dim();
  setFresh(c, 0, from.element, shape, from);
}

/// aten.gather, ONNX GatherElements: as large as the indices. Torch takes nothing by no
/// indices, whatever their rank.
void inferGatherElements(InferContext &c) {
  const Type &from = self(c), &index = c.isTorch() ? c.argType("index") : c.type(1);
  expectIndices(c, index, "the index");
  if (c.isOnnx())
    expectElements(c);
  else if (from.hasRank && index.hasRank && from.dims.size() != index.dims.size() && !from.dims.empty() &&
           !index.dims.empty() && !mayBeEmpty(c.dims(), index))
    c.reject(std::string(c.opName()) + ": the operand has rank " + std::to_string(from.dims.size()) +
             ", the indices have rank " + std::to_string(index.dims.size()));
  else
    expectIndexInside(c);
  if (index.hasRank)
    return setFresh(c, 0, from.element, copyDims(index.dims), from);
  if (from.hasRank && c.isOnnx())
    return c.setResult(0, c.tensorOfRank(from.element, from.dims.size()));
  setFresh(c, 0, from.element, from);
}

void inferGather(InferContext &c) { c.isTorch() ? inferGatherElements(c) : inferGatherOnnx(c); }

void inferGatherNd(InferContext &c) {
  const Type &from = c.type(0), &indices = c.type(1);
  const std::int64_t given = c.intAttr("batch_dims", 0);
  if (given < 0) {
    c.reject(fmt::format("{}: batch_dims is {}, but must not be negative", c.opName(), given));
    return c.setResult(0, c.tensor(from.element));
  }
  const auto batch = static_cast<std::size_t>(std::min<std::int64_t>(given, 64));
  if (!from.hasRank || !indices.hasRank || indices.dims.empty())
    return c.setResult(0, c.tensor(from.element));
  const auto depth = c.dims().asConstant(indices.dims.back());
  if (!depth)
    return c.setResult(0, c.tensor(from.element));
  expectPoints(c, batch);
  if (*depth < 0 || static_cast<std::size_t>(*depth) + batch > from.dims.size())
    return c.setResult(0, c.tensor(from.element));
  std::vector<Dim> shape = copyDims(indices.dims.first(indices.dims.size() - 1));
  shape.insert(shape.end(), from.dims.begin() + static_cast<std::ptrdiff_t>(batch + static_cast<std::size_t>(*depth)),
               from.dims.end());
  c.setResult(0, c.tensor(from.element, shape));
}

void inferTakeAlongDim(InferContext &c) {
  const Type &from = self(c), &indices = c.argType("indices");
  if (!c.attribute("dim") || c.attribute("dim")->kind == AttributeKind::None) {
    if (indices.hasRank)
      return setFresh(c, 0, from.element, {elementCount(c.dims(), indices.dims)}, from);
    return setFresh(c, 0, from.element, from);
  }
  if (!from.hasRank || !indices.hasRank || from.dims.size() != indices.dims.size())
    return setFresh(c, 0, from.element, from);
  const auto at = axisFor(c, from.dims.size());
  Shape shape = broadcast(c.dims(), from.dims, indices.dims);
  if (!at || (shape.mismatch && shape.dims.size() - 1 - shape.axis != *at))
    return setFresh(c, 0, from.element, from);
  if (*at < shape.dims.size())
    shape.dims[*at] = indices.dims[*at];
  setFresh(c, 0, from.element, shape.dims, from);
}

void inferTake(InferContext &c) {
  const Type &index = c.argType("index");
  if (index.hasRank)
    return setFresh(c, 0, self(c).element, copyDims(index.dims), self(c));
  setFresh(c, 0, self(c).element, self(c));
}

// --- writing elements -----------------------------------------------------------
/// A clone of the operand, written: it keeps the operand's order of strides.
void inferClone(InferContext &c) { setFresh(c, 0, freshLike(c, self(c).element, self(c))); }

/// The same, broadcast with the mask.
void inferMaskedFill(InferContext &c) {
  const Type &from = self(c);
  const Type &mask = c.argType("mask");
  if (mask.element != DType::Unknown && mask.element != DType::Bool && mask.element != DType::UInt8)
    c.reject(std::string(c.opName()) + ": the mask is " + std::string(dtypeName(mask.element)) + ", expected bool");
  std::vector<ValueId> operands;
  for (std::string_view name : {"self", "mask"})
    if (const ValueId v = c.arg(name))
      operands.push_back(v);
  OwnedType t = elementwiseType(c, from.element, operands);
  if (isContiguous(c.dims(), from) != Tri::Yes)
    t.dropStrides();
  setFresh(c, 0, t);
}

/// `as_strided_scatter` is told the sizes of what it is given.
void expectSource(InferContext &c) {
  const Type &source = c.argType("src");
  const auto wanted = c.opName() == "as_strided_scatter" ? c.dimsArg("size") : std::nullopt;
  if (!wanted || !source.isTensor() || !source.hasRank)
    return;
  if (!mayAgree(c.dims(), source.dims, *wanted))
    c.reject(fmt::format("{}: 'src' is {} and 'size' {}", c.opName(), spellDims(c.dims(), source.dims),
                         spellDims(c.dims(), *wanted)));
}

/// `clone_preserve_strides`: gaps and offset of the operand stay, unless its
/// elements overlap.
void inferSelectScatter(InferContext &c) {
  expectSource(c);
  OwnedType t = viewOf(self(c));
  const Tri dense = isDense(c.dims(), self(c));
  if (dense != Tri::Yes) {
    bool apart = t.type.hasStrides;
    for (Dim s : t.strides)
      apart = apart && s.known() && c.dims().boundsOf(s).min > 0;
    if (!apart) {
      t.dropStrides();
      t.type.storageOffset = Dim();
    }
  }
  setFresh(c, 0, t);
}

// --- sizes that depend on data ----------------------------------------------------
void inferNonzero(InferContext &c) {
  const Type &from = self(c);
  DimTable &dims = c.dims();
  const Dim count = c.dataDependent("count");
  if (c.isOnnx()) {
    const Dim rank = from.hasRank ? dims.constant(static_cast<std::int64_t>(from.dims.size())) : Dim();
    return c.setResult(0, c.tensor(DType::Int64, {rank, count}));
  }
  OwnedType t =
      freshTensor(c, DType::Int64,
                  {count, from.hasRank ? dims.constant(static_cast<std::int64_t>(from.dims.size())) : Dim()}, from);
  t.dropStrides(); // kernels differ
  setFresh(c, 0, t);
}

void inferNonzeroStatic(InferContext &c) {
  const Type &from = self(c);
  const Dim rank = from.hasRank ? c.constant(static_cast<std::int64_t>(from.dims.size())) : Dim();
  OwnedType t = freshTensor(c, DType::Int64, {c.dimArg("size"), rank}, from);
  t.dropStrides();
  setFresh(c, 0, t);
}

void inferNonzeroNumpy(InferContext &c) {
  const Dim count = c.dataDependent("count");
  for (std::size_t i = 0; i < c.resultCount(); ++i) {
    OwnedType t = freshTensor(c, DType::Int64, {count}, self(c));
    t.dropStrides();
    t.type.storageOffset = Dim();
    setFresh(c, i, t);
  }
}

void inferMaskedSelect(InferContext &c) { setFresh(c, 0, self(c).element, {c.dataDependent("count")}, self(c)); }

void inferCompress(InferContext &c) {
  const Type &from = c.type(0);
  const auto axis = c.intAttr("axis");
  if (!axis)
    return c.setResult(0, c.tensor(from.element, {c.dataDependent("count")}));
  if (!from.hasRank)
    return c.setResult(0, c.tensor(from.element));
  std::vector<Dim> shape = copyDims(from.dims);
  if (const auto at = axisOf(c, *axis, shape.size()))
    shape[*at] = c.dataDependent("count");
  c.setResult(0, c.tensor(from.element, shape));
}

/// Results: values, then indices into and out of them, then how often each is there.
void inferUniqueOnnx(InferContext &c) {
  const Type &from = c.type(0);
  const Dim count = c.dataDependent("count");
  const auto axis = c.intAttr("axis");
  Type values = c.tensor(from.element);
  Dim all = from.hasRank ? elementCount(c.dims(), from.dims) : Dim();
  if (!axis) {
    values = c.tensor(from.element, {count});
  } else if (from.hasRank) {
    std::vector<Dim> shape = copyDims(from.dims);
    if (const auto at = axisOf(c, *axis, shape.size())) {
      all = shape[*at];
      shape[*at] = count;
      values = c.tensor(from.element, shape);
    }
  } else {
    all = Dim();
  }
  c.setResult(0, values);
  c.setResult(1, c.tensor(DType::Int64, {count}));
  c.setResult(2, c.tensor(DType::Int64, {all}));
  c.setResult(3, c.tensor(DType::Int64, {count}));
}

void inferUnique(InferContext &c) {
  const Type &from = self(c);
  const std::string_view name = c.opName();
  const bool axis =
      name.starts_with("unique_dim") || (c.attribute("dim") && c.attribute("dim")->kind != AttributeKind::None);
  const Dim count = c.dataDependent("count");
  OwnedType values = freshTensor(c, from.element, from);
  OwnedType inverse = freshTensor(c, DType::Int64, from), counts = freshTensor(c, DType::Int64, from);
  const auto give = [](OwnedType &t, std::vector<Dim> shape) { t.setDims(std::move(shape)); };
  bool inverted = c.intAttr("return_inverse", 0) != 0;
  const bool counted = c.intAttr("return_counts", 0) != 0;
  // Counted from the back, torch's own exporter records a rank that is not true.
  const bool recordedWrongly = name == "unique_consecutive" && c.intAttr("dim", 0) < 0;
  if (axis && from.hasRank && !recordedWrongly) {
    std::vector<Dim> shape = copyDims(from.dims);
    if (const auto at = axisFor(c, shape.size()); at && *at < shape.size()) {
      inverted = inverted || name.starts_with("unique_dim");
      if (inverted)
        give(inverse, {shape[*at]});
      shape[*at] = count;
      give(values, shape);
    }
  } else if (!axis) {
    give(values, {count});
    if (inverted && from.hasRank)
      give(inverse, copyDims(from.dims));
  }
  if (counted)
    give(counts, {count});
  for (OwnedType *t : {&values, &inverse, &counts}) {
    t->dropStrides();
    t->type.storageOffset = Dim();
  }
  setFresh(c, 0, values);
  setFresh(c, 1, inverse);
  setFresh(c, 2, counts);
}

// --- tables -----------------------------------------------------------------------
void inferEmbedding(InferContext &c) {
  const Type &weight = c.argType("weight"), &indices = c.argType("indices");
  expectIndices(c, indices, "the index");
  if (!indices.hasRank || (weight.hasRank && !expectRank(c, weight, {2}, "weight")))
    return setFresh(c, 0, weight.element, weight);
  std::vector<Dim> shape = copyDims(indices.dims);
  shape.push_back(weight.hasRank ? weight.dims[1] : Dim());
  setFresh(c, 0, weight.element, shape, weight);
}

/// Results: the bags, which bag each index is in, the bags' sizes, the indices of
/// the maxima. What the last three hold depends on the mode and the kernel.
void inferEmbeddingBag(InferContext &c) {
  const Type &weight = c.argType("weight"), &indices = c.argType("indices"), &offsets = c.argType("offsets");
  DimTable &dims = c.dims();
  if (weight.hasRank && indices.hasRank && expectRank(c, weight, {2}, "weight")) {
    Dim bags;
    if (indices.dims.size() == 2)
      bags = indices.dims[0];
    else if (offsets.hasRank && offsets.dims.size() == 1)
      bags = c.intAttr("include_last_offset", 0) != 0 ? dims.sub(offsets.dims[0], dims.constant(1)) : offsets.dims[0];
    setFresh(c, 0, weight.element, {bags, weight.dims[1]}, weight);
  } else {
    setFresh(c, 0, weight.element, weight);
  }
  // All are integers like the indices; which of them are empty differs.
  const DType element = indices.element == offsets.element || !offsets.isTensor() ? indices.element : DType::Unknown;
  for (std::size_t i = 1; i < c.resultCount(); ++i)
    c.setResult(i, freshTensor(c, element, weight).view());
}

void inferOneHot(InferContext &c) {
  if (c.isOnnx()) {
    const Type &indices = c.type(0), &values = c.type(2);
    if (!indices.hasRank)
      return c.setResult(0, c.tensor(values.element));
    const std::size_t rank = indices.dims.size() + 1;
    const auto at = axisOf(c, c.intAttr("axis", -1), rank);
    if (!at)
      return c.setResult(0, c.tensorOfRank(values.element, rank));
    std::vector<Dim> shape = copyDims(indices.dims);
    const auto depth = c.content(1);
    if (depth && depth->size() == 1 && c.dims().asConstant((*depth)[0]).value_or(0) < 0)
      c.reject(fmt::format("OneHot: the depth is {}, below 0", c.dims().str((*depth)[0])), 1);
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at), depth && depth->size() == 1 ? (*depth)[0] : Dim());
    return c.setResult(0, c.tensor(values.element, shape));
  }
  const Type &from = self(c);
  if (!from.hasRank)
    return setFresh(c, 0, DType::Int64, from);
  std::vector<Dim> shape = copyDims(from.dims);
  const Dim classes = c.hasAttribute("num_classes") ? c.dimArg("num_classes") : c.constant(-1);
  shape.push_back(c.dims().isConstant(classes, -1) ? c.dataDependent("classes") : classes);
  setFresh(c, 0, DType::Int64, shape, from);
}

/// `searchsorted`: one list of boundaries for all values, or one for each row of them. `bucketize`, or what looks for
/// one number, has one list.
void expectListsOfBoundaries(InferContext &c) {
  const Type &list = c.argType("boundaries");
  if (list.isTensor() && list.hasRank && list.dims.size() != 1)
    return c.reject(fmt::format("bucketize: the boundaries have {} axes, expected 1", list.dims.size()));
  const Type &lists = c.argType("sorted_sequence"), &values = c.argType("self");
  const Attribute *number = c.attribute("self");
  if (number && (number->kind == AttributeKind::Int || number->kind == AttributeKind::Float) && lists.isTensor() &&
      lists.hasRank && lists.dims.size() != 1)
    return c.reject(
        fmt::format("searchsorted: the boundaries of one number have {} axes, expected 1", lists.dims.size()));
  if (!lists.isTensor() || !lists.hasRank || lists.dims.size() == 1 || !values.isTensor() || !values.hasRank)
    return;
  if (lists.dims.size() != values.dims.size())
    return c.reject(fmt::format("searchsorted: the boundaries have {} axes and the values {}, expected as many, or one",
                                lists.dims.size(), values.dims.size()));
  for (std::size_t i = 0; i + 1 < lists.dims.size(); ++i)
    expectEqual(c, lists.dims[i], values.dims[i], fmt::format("axis {} of the boundaries and of the values", i));
}

void inferBucketize(InferContext &c) {
  const Type &from = c.argType("self");
  expectListsOfBoundaries(c);
  const DType element = c.intAttr("out_int32", 0) != 0 ? DType::Int32 : DType::Int64;
  const Type &like = from.isTensor() ? from : c.argType(c.arg("boundaries") ? "boundaries" : "sorted_sequence");
  if (c.hasAttribute("self") && !from.isTensor())
    return setFresh(c, 0, element, std::vector<Dim>{}, like);
  if (!from.hasRank)
    return setFresh(c, 0, element, like);
  setFresh(c, 0, element, copyDims(from.dims), like);
}

void inferEmbeddingBackward(InferContext &c) {
  const Type &grad = c.argType("grad_output");
  if (!grad.hasRank || grad.dims.empty())
    return setFresh(c, 0, grad.element, grad);
  setFresh(c, 0, grad.element, {c.dimArg("num_weights"), grad.dims.back()}, grad);
}

/// TensorScatter: what is written is as large as what it is written to, but for one axis, in which it begins at a place
/// for each batch and does not reach beyond the end, unless it goes round.
void expectWritten(InferContext &c) {
  const Type &to = c.type(0), &update = c.type(1);
  if (!to.hasRank || !update.hasRank || to.dims.size() != update.dims.size() || to.dims.empty())
    return;
  const auto axis = axisOf(c, c.intAttr("axis", -2), to.dims.size());
  if (!axis)
    return;
  if (*axis == 0)
    return c.reject("TensorScatter: the axis is that of the batches");
  for (std::size_t i = 0; i < to.dims.size(); ++i)
    if (i != *axis && neverEqual(c.dims(), to.dims[i], update.dims[i]))
      return expectEqual(c, to.dims[i], update.dims[i], fmt::format("axis {} of what is written and of where", i));
  if (isAlwaysLarger(c.dims(), update.dims[*axis], to.dims[*axis]))
    return c.reject(fmt::format("TensorScatter: {} are written along axis {}, which has {}",
                                c.dims().str(update.dims[*axis]), *axis, c.dims().str(to.dims[*axis])),
                    1, FaultKind::Index);
  const bool goesRound = c.stringAttr("mode", "linear") != "linear";
  const auto room = c.dims().asConstant(to.dims[*axis]), length = c.dims().asConstant(update.dims[*axis]);
  for (const std::int64_t first : constantInts(c, 2).value_or(std::vector<std::int64_t>{}))
    if (first < 0 || (!goesRound && room && length && first + *length > *room))
      return c.reject(fmt::format("TensorScatter: it begins to write at {}, which is out of range", first), 2,
                      FaultKind::Index);
}

/// Scatter, ScatterElements, ScatterND: the places and what is written to them.
void expectScattered(InferContext &c) {
  if (c.opName() == "TensorScatter")
    return expectWritten(c);
  c.opName() == "ScatterND" ? expectPoints(c, 0) : expectElements(c);
  expectUpdates(c);
}

void inferScatter(InferContext &c) {
  if (c.isTorch())
    c.opName().starts_with("index") ? expectValuesForPlaces(c) : expectIndexInside(c);
  else
    expectScattered(c);
  inferRowMajorCopy(c);
}

constexpr OpRow rows[] = {
    {"gather", inferGather, executeGather, "aten.gather", "Gather"},
    {"gather_elements", inferGatherElements, executeGatherElements, "", "GatherElements"},
    {"gather_nd", inferGatherNd, executeGatherNd, "", "GatherND"},
    {"index_select", inferIndexSelect, executeIndexSelect, "aten.index_select", ""},
    {"take_along_dim", inferTakeAlongDim, executeTakeAlongDim, "aten.take_along_dim", ""},
    {"take", inferTake, executeTake, "aten.take", ""},
    {"scatter", inferScatter, executeScatter,
     "aten.scatter aten.scatter_ aten.scatter_add aten.scatter_add_ aten.scatter_reduce aten.scatter_reduce_ "
     "aten.index_add aten.index_add_ aten.index_copy aten.index_copy_ aten.index_reduce aten.index_reduce_",
     "Scatter ScatterElements ScatterND TensorScatter"},
    {"masked_scatter", inferMaskedFill, executeMaskedScatter, "aten.masked_scatter aten.masked_scatter_", ""},
    {"select_scatter", inferSelectScatter, executeSelectScatter,
     "aten.select_scatter aten.slice_scatter aten.diagonal_scatter aten.as_strided_scatter aten.fill_diagonal_", ""},
    {"nonzero", inferNonzero, executeNonzero, "aten.nonzero aten.argwhere", "NonZero"},
    {"nonzero_static", inferNonzeroStatic, executeNonzeroStatic, "aten.nonzero_static", ""},
    {"nonzero_numpy", inferNonzeroNumpy, executeNonzeroNumpy, "aten.nonzero_numpy", ""},
    {"masked_select", inferMaskedSelect, executeMaskedSelect, "aten.masked_select", ""},
    {"compress", inferCompress, executeCompress, "", "Compress"},
    {"unique_onnx", inferUniqueOnnx, executeUniqueOnnx, "", "Unique"},
    {"unique", inferUnique, executeUnique,
     "aten._unique2 aten._unique aten.unique_dim aten.unique_consecutive aten.unique_dim_consecutive", ""},
    {"embedding", inferEmbedding, executeEmbedding, "aten.embedding", ""},
    {"embedding_renorm", inferClone, executeEmbeddingRenorm, "aten.embedding_renorm aten.embedding_renorm_", ""},
    {"embedding_backward", inferEmbeddingBackward, executeEmbeddingBackward, "aten.embedding_dense_backward", ""},
    {"embedding_bag", inferEmbeddingBag, executeEmbeddingBag,
     "aten.embedding_bag aten._embedding_bag aten._embedding_bag_forward_only", ""},
    {"one_hot", inferOneHot, executeOneHot, "aten.one_hot", "OneHot"},
    {"bucketize", inferBucketize, executeBucketize, "aten.bucketize aten.searchsorted", ""},
};

} // namespace

OpFamily indexingFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

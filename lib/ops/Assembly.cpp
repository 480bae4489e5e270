//===- Assembly.cpp - Tensors put together of others ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What torch composes of views and copies, and keeps as one node of a program.
#include "kernels/Assembly.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "graph/TypeWords.h"
#include "kernels/Segments.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {
namespace {

/// The types of the tensors in the list \p name; nothing unless all are known to be tensors.
std::optional<std::vector<Type>> listOf(InferContext &c, std::string_view name) {
  std::vector<Type> types;
  for (ValueId v : c.argList(name)) {
    if (!v || !c.typeOf(v).isTensor())
      return std::nullopt;
    types.push_back(c.typeOf(v));
  }
  if (types.empty())
    return std::nullopt;
  return types;
}

/// The element type that all share; unknown where they would promote.
DType sharedElement(std::span<const Type> types) {
  for (const Type &t : types)
    if (t.element != types.front().element)
      return DType::Unknown;
  return types.front().element;
}

/// `block_diag`: numbers and vectors are matrices of one row.
void inferBlockDiagonal(InferContext &c) {
  const auto types = listOf(c, "tensors");
  if (!types)
    return;
  Dim rows = c.constant(0), columns = c.constant(0);
  for (const Type &t : *types) {
    if (t.hasRank && t.dims.size() > 2)
      return c.reject(fmt::format("block_diag: an operand has {} axes, expected 2 at most", t.dims.size()));
    rows = c.dims().add(rows, t.hasRank && t.dims.size() < 2 ? c.constant(1) : dimAt(t, -2));
    columns = c.dims().add(columns, t.hasRank && t.dims.empty() ? c.constant(1) : dimAt(t, -1));
  }
  setTorchResult(c, 0, freshTensor(c, sharedElement(*types), {rows, columns}, types->front()));
}

/// `cartesian_prod`: a row for each choice; one vector alone is returned as it is.
void inferCartesianProduct(InferContext &c) {
  const auto types = listOf(c, "tensors");
  if (!types || types->size() < 2)
    return;
  Dim rows = c.constant(1);
  for (const Type &t : *types)
    rows = c.dims().mul(rows, dimAt(t, 0));
  setTorchResult(c, 0,
                 freshTensor(c, sharedElement(*types), {rows, c.constant(static_cast<std::int64_t>(types->size()))},
                             types->front()));
}

/// `combinations`: n over r rows, where n is a number.
void inferCombinations(InferContext &c) {
  const Type &self = c.type(0);
  const auto r = c.intAttr("r", 2), repeated = c.intAttr("with_replacement", 0);
  if (!self.isTensor() || r < 1)
    return;
  Dim rows;
  constexpr std::int64_t many = 1 << 20;
  if (const auto n = c.dims().asConstant(dimAt(self, 0)); n && *n < many && r < 8) {
    const std::int64_t from = repeated != 0 ? *n + r - 1 : *n;
    std::int64_t count = from < r ? 0 : 1;
    bool fits = true;
    for (std::int64_t i = 0; i < r && fits && count != 0; ++i) {
      fits = !__builtin_mul_overflow(count, from - i, &count);
      count /= i + 1;
    }
    if (fits)
      rows = c.constant(count);
  }
  setTorchResult(c, 0, freshTensor(c, self.element, {rows, c.constant(r)}, self));
}

/// `diagflat`: a square matrix with the elements on one diagonal.
void inferDiagonalOfAll(InferContext &c) {
  const Type &self = c.type(0);
  const auto offset = c.hasAttribute("offset") ? c.intAttr("offset") : 0;
  if (!self.isTensor())
    return;
  Dim size;
  constexpr std::int64_t far = std::int64_t{1} << 40;
  if (self.hasRank && offset && *offset > -far && *offset < far)
    size = c.dims().add(elementCount(c.dims(), self.dims), c.constant(*offset < 0 ? -*offset : *offset));
  setTorchResult(c, 0, freshTensor(c, self.element, {size, size}, self));
}

/// `pad_sequence`: as long as the longest; the batch is the second axis unless `batch_first`.
void inferPadSequence(InferContext &c) {
  const auto types = listOf(c, "sequences");
  if (!types)
    return;
  const Type &first = types->front();
  if (!first.hasRank || first.dims.empty())
    return setTorchResult(c, 0, freshTensor(c, first.element, first));
  Dim longest = c.constant(0);
  for (const Type &t : *types)
    longest = c.dims().max(longest, dimAt(t, 0));
  std::vector<Dim> shape(first.dims.begin(), first.dims.end());
  shape[0] = longest;
  const Dim count = c.constant(static_cast<std::int64_t>(types->size()));
  shape.insert(shape.begin() + (c.intAttr("batch_first", 0) != 0 ? 0 : 1), count);
  setTorchResult(c, 0, freshTensor(c, first.element, std::move(shape), first));
}

/// `segment_reduce`: a row for each length, or for each two offsets.
void inferSegments(InferContext &c) {
  const Type &data = c.argType("data");
  const bool offsets = !c.arg("lengths").valid();
  const Type &lengths = c.argType(offsets ? "offsets" : "lengths");
  if (!data.isTensor())
    return;
  if (!data.hasRank || !lengths.hasRank || lengths.dims.empty() || lengths.dims.size() > data.dims.size())
    return setTorchResult(c, 0, freshTensor(c, data.element, data));
  std::vector<Dim> shape(lengths.dims.begin(), lengths.dims.end());
  if (offsets)
    shape.back() = c.dims().sub(shape.back(), c.constant(1));
  shape.insert(shape.end(), data.dims.begin() + static_cast<std::ptrdiff_t>(lengths.dims.size()), data.dims.end());
  setTorchResult(c, 0, freshTensor(c, data.element, std::move(shape), data));
}

/// `gradient`: for each axis that is named a tensor like the operand.
void inferNumericGradient(InferContext &c) {
  const Type &self = c.type(0);
  if (!self.isTensor())
    return;
  DType element = floatOrDefault(self.element);
  if (c.overload().starts_with("tensorarray")) // of points, whose type counts too
    for (ValueId v : c.argList("spacing"))
      element = v && c.typeOf(v).isTensor() ? promoteTypes(element, c.typeOf(v).element) : DType::Unknown;
  for (std::size_t i = 0; i < c.resultCount(); ++i)
    c.setResult(i, looseLike(c, element, self).view());
}

/// `_trilinear`: the product of three tensors with new axes, summed over some.
void inferTrilinear(InferContext &c) {
  const std::pair<std::string_view, std::string_view> names[] = {
      {"i1", "expand1"}, {"i2", "expand2"}, {"i3", "expand3"}};
  std::vector<Type> types;
  std::vector<std::vector<Dim>> shapes;
  for (const auto &[tensor, axes] : names) {
    const Type &t = c.argType(tensor);
    const auto added = c.intsAttr(axes);
    if (!t.isTensor())
      return;
    types.push_back(t);
    if (!t.hasRank || !added)
      return setTorchResult(c, 0, freshTensor(c, sharedElement(types), t));
    const auto mask = axisMask(*added, t.dims.size() + added->size());
    if (!mask || std::ranges::count(*mask, true) != std::ssize(*added))
      return c.reject(fmt::format("_trilinear: '{}' does not name new axes of {} dimensions, each once", axes,
                                  t.dims.size() + added->size()));
    std::vector<Dim> shape;
    for (std::size_t i = 0, from = 0; i < mask->size(); ++i)
      shape.push_back((*mask)[i] ? c.constant(1) : from < t.dims.size() ? t.dims[from++] : Dim());
    shapes.push_back(std::move(shape));
  }
  const Shape two = broadcast(c.dims(), shapes[0], shapes[1]), all = broadcast(c.dims(), two.dims, shapes[2]);
  // Of no elements no two are compared.
  const bool isCompared = std::ranges::none_of(types, [&](const Type &t) { return mayBeEmpty(c.dims(), t); });
  const bool fits =
      !two.mismatch && !all.mismatch && shapes[0].size() == shapes[1].size() && shapes[0].size() == shapes[2].size();
  if (!fits && isCompared)
    c.reject(fmt::format("_trilinear: the operands with their new axes are {}, {} and {}, which do not broadcast",
                         spellDims(c.dims(), shapes[0]), spellDims(c.dims(), shapes[1]),
                         spellDims(c.dims(), shapes[2])));
  if (!fits)
    return;
  const auto summed = c.intsAttr("sumdim");
  const auto mask = summed ? axisMask(*summed, all.dims.size()) : std::nullopt;
  if (summed && (!mask || std::ranges::count(*mask, true) != std::ssize(*summed)))
    return c.reject(
        fmt::format("_trilinear: 'sumdim' does not name axes of {} dimensions, each once", all.dims.size()));
  if (!mask)
    return;
  setTorchResult(c, 0,
                 looseTensor(c, sharedElement(types), reducedShape(c.dims(), all.dims, *mask, false), types.front()));
}

constexpr OpRow rows[] = {
    {"block_diag", inferBlockDiagonal, executeBlockDiagonal, "aten.block_diag", ""},
    {"cartesian_prod", inferCartesianProduct, executeCartesianProduct, "aten.cartesian_prod", ""},
    {"combinations", inferCombinations, executeCombinations, "aten.combinations", ""},
    {"diagflat", inferDiagonalOfAll, executeDiagonalOfAll, "aten.diagflat", ""},
    {"pad_sequence", inferPadSequence, executePadSequence, "aten.pad_sequence", ""},
    {"segment_reduce", inferSegments, executeSegmentReduce, "aten.segment_reduce", ""},
    {"numeric_gradient", inferNumericGradient, executeNumericGradient, "aten.gradient", ""},
    {"trilinear", inferTrilinear, executeTrilinear, "aten._trilinear", ""},
};

} // namespace

OpFamily assemblyFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

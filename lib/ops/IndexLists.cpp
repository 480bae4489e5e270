//===- IndexLists.cpp - Places in several axes at once --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Torch's `index` and `index_put`: lists of places, one for each axis, and masks.
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Shape.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/Indexing.h"
#include <algorithm>
#include <deque>
#include <fmt/format.h>

namespace condlint {

namespace {

const Type &self(InferContext &c) { return c.argType("self"); }

bool isMask(const Type &t) { return t.element == DType::Bool || t.element == DType::UInt8; }

/// What index lists select from the axes of a tensor. A mask of n axes stands for
/// n lists of one unknown length.
struct IndexLists {
  std::vector<Type> lists;             ///< broadcast together
  std::deque<std::vector<Dim>> counts; ///< the sizes of those that masks stand for
  std::vector<Dim> kept;               ///< the axes that no list indexes
  std::optional<std::size_t> first;    ///< the first axis that is indexed
  std::size_t end = 0;                 ///< behind the last axis that is indexed
  std::size_t indexed = 0;             ///< how many are
  std::size_t axes = 0;                ///< how many the lists speak of, indexed or not
  /// Axes that are not indexed lie between those that are.
  bool areApart() const { return end - *first != indexed; }
};

bool selectsAll(InferContext &c, ValueId index) { return !index || c.typeOf(index).kind == ValueKind::None; }

/// Adds \p index, which selects from \p from; false where nobody can tell how.
bool addIndex(InferContext &c, IndexLists &all, const Type &from, const Type &index) {
  if (!index.hasRank || index.element == DType::Unknown)
    return false;
  const std::size_t width = isMask(index) ? index.dims.size() : 1;
  if (isMask(index)) {
    all.counts.push_back({c.dataDependent("count")});
    Type &list = all.lists.emplace_back();
    list.kind = ValueKind::Tensor;
    list.hasRank = true;
    list.dims = all.counts.back();
    for (std::size_t i = 0; i < width && all.axes + i < from.dims.size(); ++i)
      expectEqual(c, index.dims[i], from.dims[all.axes + i], "the size of a mask and of the axis it selects from");
  } else {
    if (!isIntegral(index.element))
      c.reject("index: an index has the element type " + std::string(dtypeName(index.element)));
    all.lists.push_back(index);
  }
  if (width == 0) // a 0-dim mask adds an axis; leave it to the recorded type
    return false;
  if (!all.first)
    all.first = all.axes;
  all.axes += width;
  all.indexed += width;
  all.end = all.axes;
  return true;
}

/// The lists of \p given; nothing where nobody can tell what they select.
std::optional<IndexLists> indexLists(InferContext &c, const Type &from, std::span<const ValueId> given) {
  IndexLists all;
  for (ValueId v : given) {
    if (!selectsAll(c, v)) {
      if (!addIndex(c, all, from, c.typeOf(v)))
        return std::nullopt;
      continue;
    }
    if (all.axes < from.dims.size())
      all.kept.push_back(from.dims[all.axes]);
    ++all.axes;
  }
  if (all.axes > from.dims.size()) {
    c.reject("index: too many indices for rank " + std::to_string(from.dims.size()));
    return std::nullopt;
  }
  const auto rest = from.dims.subspan(all.axes);
  all.kept.insert(all.kept.end(), rest.begin(), rest.end());
  return all;
}

/// What the lists select: they take the place of the axes they index, or the front when others lie between. Nothing
/// where they do not go together.
std::optional<std::vector<Dim>> selectedShape(InferContext &c, const IndexLists &all) {
  const Shape together = broadcast(c.dims(), all.lists);
  if (together.mismatch) {
    c.reject("index: the indices do not broadcast: sizes " + c.dims().str(together.left) + " and " +
             c.dims().str(together.right));
    return std::nullopt;
  }
  std::vector<Dim> shape = all.kept;
  const std::size_t at = all.areApart() ? 0 : *all.first;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), together.dims.begin(), together.dims.end());
  return shape;
}

/// What is put stretches to what the lists select. An axis in front of one element is left to those who put.
void expectPut(InferContext &c) {
  const Type &from = self(c), &values = c.argType("values");
  if (!from.hasRank || !c.hasAttribute("indices"))
    return;
  const std::optional<IndexLists> all = indexLists(c, from, c.argList("indices"));
  const auto shape = all && all->first ? selectedShape(c, *all) : std::nullopt;
  if (!shape || !values.isTensor() || !values.hasRank)
    return;
  const std::size_t rank = values.dims.size();
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim given = values.dims[rank - 1 - i], one = c.constant(1);
    const Dim wanted = i < shape->size() ? (*shape)[shape->size() - 1 - i] : one;
    if (neverEqual(c.dims(), given, one) && neverEqual(c.dims(), given, wanted))
      return c.reject(fmt::format("{}: values of the shape {} do not stretch to {}, which the indices select",
                                  c.opName(), spellDims(c.dims(), values.dims), spellDims(c.dims(), *shape)));
  }
}

void inferIndexPut(InferContext &c) {
  expectPut(c);
  setFresh(c, 0, freshLike(c, self(c).element, self(c)));
}

void inferIndex(InferContext &c) {
  const Type &from = self(c);
  DimTable &dims = c.dims();
  const std::vector<ValueId> given = c.argList("indices");
  const auto giveUp = [&] { setFresh(c, 0, from.element, from); };
  if (!from.hasRank)
    return giveUp();
  const std::optional<IndexLists> all = indexLists(c, from, given);
  if (!all)
    return giveUp();
  if (!all->first)
    return setFresh(c, 0, freshLike(c, from.element, from));
  const auto selected = selectedShape(c, *all);
  if (!selected)
    return giveUp();
  std::vector<Dim> shape = *selected;
  // What is masked is filled, and stretched to the mask where that is larger.
  if (const Type &mask = c.argType("mask"); mask.isTensor() && mask.hasRank) {
    const Shape filled = broadcast(dims, shape, mask.dims);
    if (filled.mismatch)
      c.reject(fmt::format("{}: a mask of the shape {} does not broadcast with {}, which the indices select",
                           c.opName(), spellDims(dims, mask.dims), spellDims(dims, shape)));
    shape = filled.dims;
  }
  OwnedType t = freshTensor(c, from.element, shape, from);
  bool plain = isContiguous(dims, from) == Tri::Yes;
  for (ValueId v : given)
    if (v && c.typeOf(v).isTensor() && !isMask(c.typeOf(v)))
      plain = plain && isContiguous(dims, c.typeOf(v)) == Tri::Yes;
  if (!plain)
    t.dropStrides();
  setFresh(c, 0, t);
}

constexpr OpRow rows[] = {
    {"index_put", inferIndexPut, executeIndexPut,
     "aten.index_put aten.index_put_ aten._index_put_impl_ aten._unsafe_index_put aten.index_fill aten.index_fill_ "
     "aten.put aten.put_",
     ""},
    {"masked_index", inferIndex, nullptr, "aten._unsafe_masked_index", ""},
    {"masked_index_put", inferIndexPut, nullptr, "aten._unsafe_masked_index_put_accumulate", ""},
    {"index", inferIndex, executeIndex, "aten.index aten._unsafe_index", ""},
};

} // namespace

OpFamily indexListsFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

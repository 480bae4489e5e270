//===- ViewSlices.cpp - Parts of the family of views ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ViewSlices.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "OpTable.h"
#include "Shape.h"
#include "kernels/View.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

void setUnshaped(InferContext &c, OwnedType t) {
  t.dropShape();
  for (std::size_t i = 0; i < c.resultCount(); ++i)
    setView(c, i, t);
}

std::optional<Dim> given(InferContext &c, std::string_view name) {
  const Attribute *a = c.attribute(name);
  if (!a || a->kind == AttributeKind::None)
    return std::nullopt;
  return c.dimArg(name);
}

/// The axis of a torch view, which may be a part of a 0-dim tensor's nothing.
std::optional<std::size_t> axisOfView(InferContext &c, const OwnedType &t, std::int64_t otherwise = 0) {
  const Attribute *a = c.attribute("dim");
  const auto axis = a ? c.intAttr("dim") : std::optional(otherwise);
  if (!t.type.hasRank || !axis)
    return std::nullopt;
  return axisOf(c, *axis, t.dims.size());
}

void inferSelect(InferContext &c) {
  OwnedType t = viewOf(c.argType("self"));
  const auto at = axisOfView(c, t);
  if (!at)
    return setUnshaped(c, t);
  const Dim index = c.dimArg("index"), size = t.dims[*at];
  const auto k = c.dims().asConstant(index), n = c.dims().asConstant(size);
  if (k && n && (*k >= *n || *k < -*n))
    c.reject("select: index " + std::to_string(*k) + " is out of range for size " + std::to_string(*n));
  else if (k)
    c.require(*k < 0 ? c.dims().add(size, index) : c.dims().sub(size, c.dims().add(index, c.constant(1))));
  selectAxis(c.dims(), t, *at, index);
  setView(c, 0, t);
}

void inferSlice(InferContext &c) {
  OwnedType t = viewOf(c.argType("self"));
  const auto at = axisOfView(c, t);
  const std::int64_t step = c.hasAttribute("step") ? c.intAttr("step", 0) : 1;
  if (!at || step <= 0) {
    if (!t.type.hasRank)
      return setUnshaped(c, t);
    t.setDims(std::vector<Dim>(t.dims.size()));
    t.dropStrides();
    t.type.storageOffset = Dim();
    return setView(c, 0, t);
  }
  sliceAxis(c.dims(), t, *at, sliceRange(c.dims(), t.dims[*at], given(c, "start"), given(c, "end"), step), step);
  setView(c, 0, t);
}

void inferNarrow(InferContext &c) {
  OwnedType t = viewOf(c.argType("self"));
  const auto at = axisOfView(c, t);
  if (!at)
    return setUnshaped(c, t);
  DimTable &dims = c.dims();
  Dim start = c.dimArg("start");
  if (start.known()) {
    const Interval range = dims.boundsOf(start);
    start = range.max < 0 ? dims.add(start, t.dims[*at]) : (range.min < 0 ? Dim() : start);
  }
  const Dim length = c.dimArg("length");
  if (const auto n = dims.asConstant(t.dims[*at]), s = dims.asConstant(start), l = dims.asConstant(length);
      n && s && l && *n >= 0 && (*s < 0 || *l < 0 || *s > *n - *l))
    c.reject("narrow: " + std::to_string(*l) + " elements from " + std::to_string(*s) + " on do not fit in " +
             std::to_string(*n));
  c.require(start);
  c.require(length);
  c.require(dims.sub(t.dims[*at], dims.add(start, length)));
  sliceAxis(dims, t, *at, {start, length}, 1);
  setView(c, 0, t);
}

/// Results are the pieces of axis \p at between consecutive \p bounds, which has
/// one entry more than there are results.
void setPieces(InferContext &c, const OwnedType &whole, std::size_t at, std::span<const Dim> starts,
               std::span<const Dim> lengths) {
  for (std::size_t i = 0; i < c.resultCount(); ++i) {
    OwnedType t = whole;
    if (i < lengths.size())
      sliceAxis(c.dims(), t, at, {starts[i], lengths[i]}, 1);
    else
      sliceAxis(c.dims(), t, at, {Dim(), Dim()}, 1);
    setView(c, i, t);
  }
}

/// Pieces of \p each elements, the last one shorter; how many is recorded.
void setEqualPieces(InferContext &c, const OwnedType &t, std::size_t at, Dim each) {
  DimTable &dims = c.dims();
  const Dim size = t.dims[at];
  const std::size_t count = c.resultCount();
  if (const auto n = dims.asConstant(size), k = dims.asConstant(each); n && k && *k > 0) {
    const std::int64_t pieces = std::max<std::int64_t>(1, *n / *k + (*n % *k != 0 ? 1 : 0));
    if (pieces != static_cast<std::int64_t>(count))
      c.reject(std::string(c.opName()) + ": a size of " + std::to_string(*n) + " has " + std::to_string(pieces) +
               " pieces, not " + std::to_string(count));
  }
  std::vector<Dim> starts, lengths;
  for (std::size_t i = 0; i < count; ++i) {
    starts.push_back(dims.mul(dims.constant(static_cast<std::int64_t>(i)), each));
    // All but the last are whole: there would be fewer otherwise.
    lengths.push_back(i + 1 < count ? each : larger(dims, dims.constant(0), dims.sub(size, starts.back())));
  }
  setPieces(c, t, at, starts, lengths);
}

void setPiecesOfSizes(InferContext &c, const OwnedType &t, std::size_t at, std::span<const Dim> sizes) {
  DimTable &dims = c.dims();
  Dim next = dims.constant(0);
  std::vector<Dim> starts;
  for (Dim d : sizes) {
    starts.push_back(next);
    next = dims.add(next, d);
  }
  if (sizes.size() == c.resultCount())
    expectEqual(c, next, t.dims[at], "the sum of the pieces and the size of the axis");
  else
    c.reject(std::string(c.opName()) + ": " + std::to_string(sizes.size()) + " sizes for " +
             std::to_string(c.resultCount()) + " results");
  setPieces(c, t, at, starts, sizes);
}

void inferSplit(InferContext &c) {
  OwnedType t = viewOf(c.argType("self"));
  const auto at = axisOfView(c, t);
  if (!at || c.resultCount() == 0)
    return setUnshaped(c, t);
  for (std::string_view name : {"split_sizes", "split_size"})
    if (const Attribute *a = c.attribute(name)) {
      const bool one = a->kind == AttributeKind::Int || a->kind == AttributeKind::Operand;
      if (one && c.dims().isConstant(c.dimArg(name), 0) && t.dims[*at].known() &&
          c.dims().boundsOf(t.dims[*at]).min > 0)
        c.reject(fmt::format("{}: pieces of no elements of an axis of {}", c.opName(), c.dims().str(t.dims[*at])));
      if (one)
        return setEqualPieces(c, t, *at, c.dimArg(name));
      if (const auto sizes = c.dimsArg(name))
        return setPiecesOfSizes(c, t, *at, *sizes);
    }
  setPieces(c, t, *at, {}, {});
}

void inferChunk(InferContext &c) {
  OwnedType t = viewOf(c.argType("self"));
  const auto at = axisOfView(c, t);
  const auto chunks = c.intAttr("chunks");
  if (!at || c.resultCount() == 0)
    return setUnshaped(c, t);
  DimTable &dims = c.dims();
  if (!chunks || *chunks <= 0 || dims.isConstant(t.dims[*at], 0)) {
    if (dims.isConstant(t.dims[*at], 0)) // as many empty pieces as asked for
      return setPieces(c, t, *at, std::vector<Dim>(c.resultCount(), dims.constant(0)),
                       std::vector<Dim>(c.resultCount(), dims.constant(0)));
    return setPieces(c, t, *at, {}, {});
  }
  setEqualPieces(c, t, *at, dims.ceilDiv(t.dims[*at], dims.constant(*chunks)));
}

void inferUnbind(InferContext &c) {
  const OwnedType t = viewOf(c.argType("self"));
  const auto at = axisOfView(c, t);
  if (!at)
    return setUnshaped(c, t);
  expectEqual(c, t.dims[*at], c.constant(static_cast<std::int64_t>(c.resultCount())),
              "the size of the axis and the number of results");
  for (std::size_t i = 0; i < c.resultCount(); ++i) {
    OwnedType piece = t;
    selectAxis(c.dims(), piece, *at, c.constant(static_cast<std::int64_t>(i)));
    setView(c, i, piece);
  }
}

void inferTensorSplit(InferContext &c) {
  const OwnedType t = viewOf(c.argType("self"));
  const std::string_view name = c.opName();
  // hsplit, vsplit and dsplit fix the axis.
  const std::int64_t fixed = name == "hsplit"   ? (t.type.hasRank && t.dims.size() == 1 ? 0 : 1)
                             : name == "dsplit" ? 2
                                                : 0;
  const auto at = axisOfView(c, t, fixed);
  if (!at)
    return setUnshaped(c, t);
  DimTable &dims = c.dims();
  const Dim size = t.dims[*at];
  std::vector<Dim> starts, lengths;
  if (const auto indices = c.dimsArg("indices"); indices && c.attribute("indices")->kind != AttributeKind::Operand) {
    for (std::size_t i = 0; i <= indices->size(); ++i) {
      const std::optional<Dim> first = i == 0 ? std::nullopt : std::optional((*indices)[i - 1]);
      const std::optional<Dim> last = i == indices->size() ? std::nullopt : std::optional((*indices)[i]);
      const SliceRange range = sliceRange(dims, size, first, last, 1);
      starts.push_back(range.start);
      lengths.push_back(range.length);
    }
  } else if (const auto n = c.intAttr("sections"), whole = dims.asConstant(size);
             n && whole && *n > 0 && *n == static_cast<std::int64_t>(c.resultCount())) {
    std::int64_t next = 0;
    for (std::int64_t i = 0; i < *n; ++i) {
      const std::int64_t length = *whole / *n + (i < *whole % *n ? 1 : 0);
      starts.push_back(dims.constant(next));
      lengths.push_back(dims.constant(length));
      next += length;
    }
  }
  setPieces(c, t, *at, starts, lengths);
}

// --- ONNX ---------------------------------------------------------------------
/// Slice: attributes in version 1, inputs from 10 on.
void inferSliceOnnx(InferContext &c) {
  const Type &from = c.type(0);
  DimTable &dims = c.dims();
  if (!from.hasRank)
    return c.setResult(0, c.tensor(from.element));
  const bool inputs = !c.hasAttribute("starts");
  const auto list = [&](std::string_view name, std::size_t i) -> std::optional<std::vector<Dim>> {
    if (!inputs)
      return c.dimsArg(name);
    const auto content = c.content(i);
    return content ? std::optional(copyDims(*content)) : std::nullopt;
  };
  const auto starts = list("starts", 1), ends = list("ends", 2);
  const bool axesGiven = inputs ? c.has(3) : c.hasAttribute("axes");
  const bool stepsGiven = inputs && c.has(4);
  const auto axes = inputs ? constantInts(c, 3) : c.intsAttr("axes");
  const auto steps = constantInts(c, 4);
  const std::size_t rank = from.dims.size();
  std::size_t count = starts ? starts->size() : (ends ? ends->size() : (axes ? axes->size() : 0));
  if (count == 0 && !(starts || ends || axes))
    count = (inputs ? lengthOf(c, 1).value_or(rank) : 0);
  if (axesGiven && !axes)
    return c.setResult(0, c.tensorOfRank(from.element, rank));
  if (count > rank || (axes && axes->size() != count) || (starts && starts->size() != count) ||
      (ends && ends->size() != count) || (steps && stepsGiven && steps->size() != count)) {
    c.reject("Slice: the starts, ends, axes and steps do not fit the rank " + std::to_string(rank));
    return c.setResult(0, c.tensorOfRank(from.element, rank));
  }
  std::vector<Dim> shape = copyDims(from.dims);
  std::vector<SliceRange> ranges(rank, {dims.constant(0), Dim()});
  std::vector<std::int64_t> stepOf(rank, 1);
  std::vector<bool> sliced(rank);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = axisOf(c, axes ? (*axes)[i] : static_cast<std::int64_t>(i), rank);
    if (!at)
      return c.setResult(0, c.tensorOfRank(from.element, rank));
    if (sliced[*at]) {
      c.reject("Slice: axis " + std::to_string((*axes)[i]) + " is given twice");
      return c.setResult(0, c.tensorOfRank(from.element, rank));
    }
    sliced[*at] = true;
    if (stepsGiven && !(steps && i < steps->size())) {
      shape[*at] = Dim();
      ranges[*at].start = Dim();
      continue;
    }
    const std::int64_t step = steps && stepsGiven ? (*steps)[i] : 1;
    if (step == 0) {
      c.reject("Slice: a step is 0");
      shape[*at] = Dim();
      continue;
    }
    ranges[*at] = sliceRange(dims, from.dims[*at], starts ? (*starts)[i] : Dim(), ends ? (*ends)[i] : Dim(), step);
    stepOf[*at] = step;
    shape[*at] = ranges[*at].length;
  }
  c.setResult(0, c.tensor(from.element, shape));
  foldMove(c, 0, shape, [&](std::span<const std::int64_t> index) {
    std::vector<std::int64_t> at(index.size(), -1);
    for (std::size_t i = 0; i < index.size(); ++i)
      if (const auto first = dims.asConstant(ranges[i].start))
        at[i] = *first + index[i] * stepOf[i];
    return at;
  });
}

void inferSplitOnnx(InferContext &c) {
  const Type &from = c.type(0);
  DimTable &dims = c.dims();
  const std::size_t count = c.resultCount();
  if (!from.hasRank || count == 0) {
    for (std::size_t i = 0; i < count; ++i)
      c.setResult(i, c.tensor(from.element));
    return;
  }
  const auto at = axisOf(c, c.intAttr("axis", 0), from.dims.size());
  if (!at) {
    for (std::size_t i = 0; i < count; ++i)
      c.setResult(i, c.tensorOfRank(from.element, from.dims.size()));
    return;
  }
  const Dim size = from.dims[*at];
  std::vector<Dim> lengths;
  if (const auto attr = c.dimsArg("split"))
    lengths = *attr;
  else if (const auto content = c.content(1))
    lengths = copyDims(*content);
  else if (c.has(1))
    lengths.assign(count, Dim());
  else if (c.hasAttribute("num_outputs")) {
    if (const auto wanted = c.intAttr("num_outputs"); wanted && *wanted != static_cast<std::int64_t>(count))
      c.reject("Split: num_outputs is " + std::to_string(*wanted) + ", but there are " + std::to_string(count) +
               " outputs");
    const Dim each = dims.ceilDiv(size, dims.constant(static_cast<std::int64_t>(count)));
    for (std::size_t i = 0; i < count; ++i) {
      const Dim first = dims.mul(dims.constant(static_cast<std::int64_t>(i)), each);
      const Dim left = larger(dims, dims.constant(0), dims.sub(size, first));
      lengths.push_back(i + 1 < count ? smaller(dims, each, left) : left);
    }
  } else {
    const Dim n = dims.constant(static_cast<std::int64_t>(count));
    if (neverEqual(dims, dims.mod(size, n), dims.constant(0)))
      c.reject("Split: a size of " + dims.str(size) + " does not split into " + std::to_string(count) + " equal parts");
    c.requireEqual(dims.mod(size, n), dims.constant(0));
    lengths.assign(count, dims.floorDiv(size, n));
  }
  if (const auto less = std::ranges::find_if(lengths, [&](Dim d) { return d.known() && dims.boundsOf(d).max < 0; });
      less != lengths.end())
    c.reject("Split: a piece has a size of " + dims.str(*less));
  if (lengths.size() != count) {
    c.reject("Split: " + std::to_string(lengths.size()) + " sizes for " + std::to_string(count) + " outputs");
    lengths.resize(count);
  } else {
    Dim sum = dims.constant(0);
    for (Dim d : lengths)
      sum = dims.add(sum, d);
    expectEqual(c, sum, size, "the sum of the pieces and the size of the axis");
  }
  Dim first = dims.constant(0);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Dim> shape = copyDims(from.dims);
    shape[*at] = lengths[i];
    c.setResult(i, c.tensor(from.element, shape));
    foldMove(c, i, shape, [&](std::span<const std::int64_t> index) {
      std::vector<std::int64_t> from0(index.begin(), index.end());
      const auto start = dims.asConstant(first);
      from0[*at] = start ? from0[*at] + *start : -1;
      return from0;
    });
    first = dims.add(first, lengths[i]);
  }
}

void inferSliceOf(InferContext &c) { c.isOnnx() ? inferSliceOnnx(c) : inferSlice(c); }
void inferSplitOf(InferContext &c) { c.isOnnx() ? inferSplitOnnx(c) : inferSplit(c); }

constexpr OpRow rows[] = {
    {"select", inferSelect, executeSelect, "aten.select aten.select_copy", ""},
    {"slice", inferSliceOf, executeSlice, "aten.slice aten.slice_copy", "Slice"},
    {"narrow", inferNarrow, executeNarrow, "aten.narrow aten.narrow_copy", ""},
    {"split", inferSplitOf, executeSplit,
     "aten.split aten.split_with_sizes aten.split_copy aten.split_with_sizes_copy aten.unsafe_split "
     "aten.unsafe_split_with_sizes",
     "Split"},
    {"chunk", inferChunk, executeChunk, "aten.chunk aten.unsafe_chunk", ""},
    {"unbind", inferUnbind, executeUnbind, "aten.unbind aten.unbind_copy", ""},
    {"tensor_split", inferTensorSplit, executeTensorSplit, "aten.tensor_split aten.hsplit aten.vsplit aten.dsplit", ""},
};

} // namespace

std::span<const OpRow> sliceRows() { return rows; }

} // namespace condlint

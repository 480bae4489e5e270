//===- ShapeMotion.cpp - Dimensions that move -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "Shape.h"
#include "ShapeSampler.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <string>

namespace condlint {

Dim smaller(DimTable &dims, Dim a, Dim b) {
  if (!a.known() || !b.known())
    return {};
  const Interval d = dims.boundsOf(dims.sub(a, b));
  if (d.max <= 0)
    return a;
  if (d.min >= 0)
    return b;
  return dims.min(a, b);
}

Dim larger(DimTable &dims, Dim a, Dim b) {
  if (!a.known() || !b.known())
    return {};
  const Interval d = dims.boundsOf(dims.sub(a, b));
  if (d.max <= 0)
    return b;
  if (d.min >= 0)
    return a;
  return dims.max(a, b);
}

bool neverEqual(const DimTable &dims, Dim a, Dim b) {
  if (!a.known() || !b.known() || a == b)
    return false;
  const DimComparison c = dims.compare(a, b);
  return c.result == DimComparison::Verdict::Refuted && c.always;
}

bool mayAgree(const DimTable &dims, std::span<const Dim> a, std::span<const Dim> b) {
  return std::ranges::equal(a, b, [&](Dim x, Dim y) { return !neverEqual(dims, x, y); });
}

bool isAlwaysLarger(const DimTable &dims, Dim a, Dim b) {
  return a.known() && b.known() && dims.boundsOf(a).min > dims.boundsOf(b).max;
}

bool expectEvenGroups(InferContext &c, Dim channels, Dim groups) {
  const auto all = c.dims().asConstant(channels), parts = c.dims().asConstant(groups);
  if (!all || !parts || *parts <= 0 || *all % *parts == 0)
    return true;
  c.reject(fmt::format("{}: {} channels are not divided evenly into {} groups", c.opName(), *all, *parts));
  return false;
}

void expectEqual(InferContext &c, Dim a, Dim b, std::string_view what) {
  if (neverEqual(c.dims(), a, b))
    c.reject(std::string(c.opName()) + ": " + std::string(what) + " differ: " + c.dims().str(a) + " and " +
                 c.dims().str(b),
             std::nullopt, FaultKind::Unequal);
  else
    c.requireEqual(a, b);
}

void requireBroadcast(InferContext &c, std::span<const Type> types) {
  DimTable &dims = c.dims();
  const auto sizeOf = [](const Type &t, std::size_t fromEnd) {
    return t.hasRank && fromEnd < t.dims.size() ? t.dims[t.dims.size() - 1 - fromEnd] : Dim();
  };
  const Dim one = dims.constant(1);
  for (std::size_t i = 1; i < types.size(); ++i)
    for (std::size_t k = 0; k < (types[i].hasRank ? types[i].dims.size() : 0); ++k) {
      const Dim a = sizeOf(types[i - 1], k), b = sizeOf(types[i], k);
      if (!a.known() || !b.known() || a == b || (dims.asConstant(a) && dims.asConstant(b)) || dims.isConstant(a, 1) ||
          dims.isConstant(b, 1))
        continue;
      // They are the same, or one of them is 1.
      c.requireEqual(dims.mul(dims.sub(a, b), dims.mul(dims.sub(a, one), dims.sub(b, one))), dims.constant(0));
    }
}

bool expectRank(InferContext &c, const Type &t, std::initializer_list<std::size_t> ranks, std::string_view what) {
  if (!t.hasRank)
    return false;
  if (std::find(ranks.begin(), ranks.end(), t.dims.size()) != ranks.end())
    return true;
  std::string wanted;
  for (std::size_t r : ranks)
    wanted += (wanted.empty() ? "" : " or ") + std::to_string(r);
  c.reject(std::string(c.opName()) + ": the " + std::string(what) + " has rank " + std::to_string(t.dims.size()) +
           ", expected " + wanted);
  return false;
}

bool stretches(const DimTable &dims, std::span<const Dim> from, std::span<const Dim> to) {
  if (from.size() > to.size())
    return false;
  to = to.last(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    if (neverEqual(dims, from[i], to[i]) && !dims.boundsOf(from[i]).contains(1))
      return false;
  return true;
}

bool expectStretches(InferContext &c, std::size_t i, const Type &target) {
  const Type &t = c.type(i);
  if (!c.has(i) || !t.hasRank || !target.hasRank || stretches(c.dims(), t.dims, target.dims))
    return true;
  c.reject(std::string(c.opName()) + ": input " + std::to_string(i) + " of the shape " + spellDims(c.dims(), t.dims) +
               " does not broadcast to " + spellDims(c.dims(), target.dims),
           i, FaultKind::Stretch);
  return false;
}

std::optional<std::size_t> axisOf(InferContext &c, std::int64_t axis, std::size_t rank, bool wrapScalar) {
  const auto at = normalizeAxis(axis, rank, wrapScalar);
  if (!at)
    c.reject(std::string(c.opName()) + ": axis " + std::to_string(axis) + " is out of range for rank " +
                 std::to_string(rank),
             std::nullopt, FaultKind::Axis);
  return at;
}

SliceRange sliceRange(DimTable &dims, Dim size, std::optional<Dim> start, std::optional<Dim> end, std::int64_t step) {
  const Dim zero = dims.constant(0);
  // Whole ends (torch writes the largest integer) need no arithmetic.
  auto place = [&](Dim at, Dim low, Dim high) -> Dim {
    if (!at.known() || !size.known())
      return {};
    const Interval range = dims.boundsOf(at);
    if (range.min < 0 && range.max < 0)
      at = dims.add(at, size);
    else if (range.min < 0)
      return {}; // from the front or from the back
    if (const auto v = dims.asConstant(at); v && *v > (std::int64_t{1} << 40))
      return high; // "to the end"
    return larger(dims, low, smaller(dims, at, high));
  };
  if (!size.known() || step == 0)
    return {};
  if (step > 0) {
    const Dim first = start ? place(*start, zero, size) : zero;
    const Dim last = end ? place(*end, zero, size) : size;
    if (!first.known() || !last.known())
      return {first, {}};
    const Dim span = larger(dims, zero, dims.sub(last, first));
    return {first, step == 1 ? span : dims.ceilDiv(span, dims.constant(step))};
  }
  // Backwards: start is clamped to [0, size - 1], which is -1 where there is nothing, end to [-1, size - 1].
  const Dim minusOne = dims.constant(-1);
  const Dim top = dims.sub(size, dims.constant(1));
  auto placeBack = [&](Dim at, Dim low) -> Dim {
    if (!at.known())
      return {};
    const Interval range = dims.boundsOf(at);
    if (range.max < 0) {
      at = range.max < -(std::int64_t{1} << 30) ? low : dims.add(at, size);
    } else if (range.min < 0) {
      return {};
    }
    if (const auto v = dims.asConstant(at); v && *v > (std::int64_t{1} << 30))
      return top;
    return smaller(dims, larger(dims, low, at), top);
  };
  const Dim first = start ? placeBack(*start, zero) : top;
  const Dim last = end ? placeBack(*end, minusOne) : minusOne;
  if (!first.known() || !last.known() || step == std::numeric_limits<std::int64_t>::min())
    return {first, {}};
  return {first, dims.ceilDiv(larger(dims, zero, dims.sub(first, last)), dims.constant(-step))};
}

std::vector<Dim> reshapeSizes(InferContext &c, const Type &from, std::span<const Dim> target, bool zeroCopies) {
  DimTable &dims = c.dims();
  std::vector<Dim> shape(target.begin(), target.end());
  if (shape.size() > maxRank || from.dims.size() > maxRank)
    return std::vector<Dim>(shape.size());
  std::optional<std::size_t> rest;
  bool ambiguous = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto v = dims.asConstant(shape[i]);
    if (v && *v == -1) {
      ambiguous = ambiguous || rest.has_value();
      rest = i;
    } else if (v && *v < -1) {
      c.reject(std::string(c.opName()) + ": a size cannot be " + std::to_string(*v));
      shape[i] = Dim();
    } else if (v && *v == 0 && zeroCopies) {
      shape[i] = from.hasRank && i < from.dims.size() ? from.dims[i] : Dim();
      if (from.hasRank && i >= from.dims.size())
        c.reject(std::string(c.opName()) + ": there is no size to copy to axis " + std::to_string(i));
    }
  }
  // What is computed may be -1 too, unless one is written already.
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i].known() && i != rest && !rest && dims.boundsOf(shape[i]).min < 0)
      shape[i] = Dim();
  if (ambiguous) {
    c.reject(std::string(c.opName()) + ": only one size can be -1");
    std::replace_if(shape.begin(), shape.end(), [&](Dim d) { return dims.isConstant(d, -1); }, Dim());
    return shape;
  }
  if (!from.hasRank) {
    if (rest)
      shape[*rest] = Dim();
    return shape;
  }
  // Sizes that stand on both sides cancel, which keeps the quotient simple and
  // the same however it is written. A 0 beside a -1 is refused by everyone.
  std::vector<Dim> old(from.dims.begin(), from.dims.end());
  Dim taken = dims.constant(1);
  bool unknownTaken = false;
  std::size_t unknowns = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i == rest)
      continue;
    if (!shape[i].known()) {
      ++unknowns;
      // A copied size of unknown extent cancels with itself.
      if (zeroCopies && i < old.size() && dims.isConstant(target[i], 0) && !from.dims[i].known()) {
        old[i] = dims.constant(1);
        continue;
      }
      unknownTaken = true;
      continue;
    }
    const auto same = std::find(old.begin(), old.end(), shape[i]);
    if (same != old.end() && rest && !dims.isConstant(shape[i], 0))
      *same = dims.constant(1);
    else
      taken = dims.mul(taken, shape[i]);
  }
  if (rest) {
    shape[*rest] = Dim();
    const Dim count = elementCount(dims, old);
    if (unknownTaken || !count.known() || !taken.known() || dims.isConstant(taken, 0))
      return shape;
    if (neverEqual(dims, dims.mod(count, taken), dims.constant(0)))
      c.reject(std::string(c.opName()) + ": " + spellDims(dims, from.dims) + " cannot become " +
                   spellDims(dims, target),
               std::nullopt, FaultKind::Elements);
    else
      shape[*rest] = dims.floorDiv(count, taken);
    return shape;
  }
  const Dim count = elementCount(dims, from.dims);
  if (unknowns == 0 && neverEqual(dims, count, taken)) {
    c.reject(std::string(c.opName()) + ": " + spellDims(dims, from.dims) + " cannot become " + spellDims(dims, target),
             std::nullopt, FaultKind::Elements);
    std::ranges::fill(shape, Dim()); // no result has these sizes
  }
  return shape;
}

std::optional<std::vector<Dim>> spread(InferContext &c, std::string_view name, std::size_t rank,
                                       std::optional<std::int64_t> otherwise) {
  // However large a window is and wherever it stands, as many dimensions slide.
  if (const Attribute *a = c.attribute(name);
      a && (a->kind == AttributeKind::Opaque || a->kind == AttributeKind::String))
    return std::vector<Dim>(rank);
  std::vector<Dim> values;
  if (const auto given = c.dimsArg(name); given && !given->empty())
    values = *given;
  else if (otherwise && (!c.hasAttribute(name) || given || c.attribute(name)->kind == AttributeKind::None))
    values.assign(1, c.constant(*otherwise));
  if (values.size() == 1)
    values.resize(rank, values.front());
  if (values.size() != rank)
    return std::nullopt;
  return values;
}

OwnedType viewOf(const Type &t) {
  OwnedType v(t);
  v.type.kind = ValueKind::Tensor;
  v.type.requiresGrad = Tri::Unknown;
  if (!v.type.hasRank || v.dims.size() > maxRank)
    v.dropShape();
  if (v.type.hasStrides && v.strides.size() != v.dims.size())
    v.dropStrides();
  return v;
}

void permuteAxes(OwnedType &t, std::span<const std::size_t> order) {
  auto apply = [&](const std::vector<Dim> &from) {
    std::vector<Dim> to;
    for (std::size_t i : order)
      to.push_back(from[i]);
    return to;
  };
  t.dims = apply(t.dims);
  if (t.type.hasStrides)
    t.strides = apply(t.strides);
}

void insertAxis(DimTable &dims, OwnedType &t, std::size_t at) {
  const auto where = static_cast<std::ptrdiff_t>(at);
  if (t.type.hasStrides)
    t.strides.insert(t.strides.begin() + where,
                     at < t.dims.size() ? dims.mul(t.dims[at], t.strides[at]) : dims.constant(1));
  t.dims.insert(t.dims.begin() + where, dims.constant(1));
}

void removeAxis(OwnedType &t, std::size_t at) {
  t.dims.erase(t.dims.begin() + static_cast<std::ptrdiff_t>(at));
  if (t.type.hasStrides)
    t.strides.erase(t.strides.begin() + static_cast<std::ptrdiff_t>(at));
}

void selectAxis(DimTable &dims, OwnedType &t, std::size_t at, Dim index) {
  if (index.known()) {
    const Interval range = dims.boundsOf(index);
    if (range.max < 0)
      index = dims.add(index, t.dims[at]);
    else if (range.min < 0)
      index = Dim();
  }
  const Dim stride = t.type.hasStrides ? t.strides[at] : Dim();
  t.type.storageOffset = dims.add(t.type.storageOffset, dims.mul(index, stride));
  removeAxis(t, at);
}

void sliceAxis(DimTable &dims, OwnedType &t, std::size_t at, const SliceRange &range, std::int64_t step) {
  t.dims[at] = range.length;
  const Dim stride = t.type.hasStrides ? t.strides[at] : Dim();
  if (!dims.isConstant(range.start, 0))
    t.type.storageOffset = dims.add(t.type.storageOffset, dims.mul(range.start, stride));
  if (t.type.hasStrides)
    t.strides[at] = dims.mul(stride, dims.constant(step));
}

Tri reshapeTo(DimTable &dims, OwnedType &t, std::vector<Dim> shape, bool mayCopy) {
  Tri fits = Tri::Unknown;
  if (t.type.hasRank && t.type.hasStrides) {
    const ViewStrides v = viewStrides(dims, t.dims, t.strides, shape);
    fits = v.fits;
    if (fits == Tri::Yes)
      t.setStrides(v.strides);
    else
      t.dropStrides();
    if (mayCopy && fits == Tri::No) {
      t.setStrides(contiguousStrides(dims, shape));
      t.type.storageOffset = dims.constant(0);
    } else if (mayCopy && fits == Tri::Unknown && !dims.isConstant(t.type.storageOffset, 0)) {
      t.type.storageOffset = Dim();
    }
  } else {
    t.dropStrides();
    if (mayCopy && !dims.isConstant(t.type.storageOffset, 0))
      t.type.storageOffset = Dim();
  }
  t.setDims(std::move(shape));
  return fits;
}

void makeContiguous(InferContext &c, OwnedType &t) {
  if (!c.isTorch())
    return;
  t.type.storageOffset = c.constant(0);
  t.type.layout = Layout::Strided;
  if (t.type.hasRank)
    t.setStrides(contiguousStrides(c.dims(), t.dims));
}

Tri suggestsChannelsLast(const DimTable &dims, const Type &t) {
  if (!t.hasRank || !t.hasStrides || t.strides.size() != t.dims.size() || t.layout != Layout::Strided)
    return Tri::Unknown;
  const std::size_t rank = t.dims.size();
  if (rank != 4 && rank != 5)
    return Tri::No;
  Sampler sampler(dims);
  sampler.add(t.dims);
  sampler.add(t.strides);
  // c10::is_channels_last_strides_2d and _3d.
  return sampler.decide(
      [&](const Assignment &values) -> std::optional<bool> {
        const auto sizes = numbers(dims, t.dims, values), strides = numbers(dims, t.strides, values);
        if (!sizes || !strides)
          return std::nullopt;
        std::vector<std::size_t> order{1};
        for (std::size_t i = rank - 1; i >= 2; --i)
          order.push_back(i);
        order.push_back(0);
        std::int64_t least = 0;
        if ((*strides)[1] == 0)
          return false;
        for (std::size_t d : order) {
          if ((*sizes)[d] == 0 || (*strides)[d] < least || (d == 0 && least == (*strides)[1]))
            return false;
          least = (*strides)[d];
          if ((*sizes)[d] > 1 && __builtin_mul_overflow(least, (*sizes)[d], &least))
            return std::nullopt;
        }
        return true;
      },
      true);
}

OwnedType freshInFormatOf(InferContext &c, DType dtype, std::vector<Dim> shape, std::span<const Type> like) {
  OwnedType t = freshTensor(c, dtype, std::move(shape), like.empty() ? Type() : like.front());
  const std::size_t rank = t.dims.size();
  if (!c.isTorch() || (rank != 4 && rank != 5))
    return t;
  std::size_t last = 0;
  for (const Type &l : like) {
    const Tri suggests = suggestsChannelsLast(c.dims(), l);
    if (suggests == Tri::Unknown) {
      t.dropStrides();
      return t;
    }
    last += suggests == Tri::Yes ? 1 : 0;
  }
  if (last != 0 && last != like.size()) {
    t.dropStrides();
  } else if (last != 0) {
    const auto strides =
        stridesInFormat(c.dims(), t.dims, rank == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d);
    t.dropStrides();
    if (strides)
      t.setStrides(*strides);
  }
  return t;
}

OwnedType freshLike(InferContext &c, DType dtype, const Type &like) {
  if (!like.hasRank)
    return freshTensor(c, dtype, like);
  OwnedType t = freshTensor(c, dtype, copyDims(like.dims), like);
  if (c.isTorch()) {
    t.dropStrides();
    if (auto strides = preservedStrides(c.dims(), like))
      t.setStrides(std::move(*strides));
  }
  return t;
}

void setView(InferContext &c, std::size_t i, OwnedType t) {
  if (!c.isTorch()) {
    c.setResult(i, t.view());
    return;
  }
  if (c.arg("out") || c.opName().ends_with("_copy") || c.opName().ends_with("_scatter"))
    makeContiguous(c, t);
  if (c.arg("out"))
    setTorchResult(c, i, t);
  else
    c.setResult(i, t.view()); // also for in-place views, which change their operand's shape
}

void setFresh(InferContext &c, std::size_t i, const OwnedType &t, std::string_view out) {
  if (c.isTorch())
    setTorchResult(c, i, t, out);
  else
    c.setResult(i, t.view());
}

void setFresh(InferContext &c, std::size_t i, DType dtype, std::vector<Dim> shape, const Type &like,
              std::string_view out) {
  setFresh(c, i, freshTensor(c, dtype, std::move(shape), like), out);
}

void setFresh(InferContext &c, std::size_t i, DType dtype, const Type &like, std::string_view out) {
  setFresh(c, i, freshTensor(c, dtype, like), out);
}

bool isLiteral(InferContext &c, std::size_t i) {
  const Model &m = c.model();
  const ValueId v = c.operand(i);
  if (!v || m[v].origin == ValueOrigin::Constant)
    return v.valid();
  return m[v].origin == ValueOrigin::Result && m.text(m[m[m[v].def].op].name) == "Constant";
}

bool isComputed(InferContext &c, std::size_t i) {
  const Model &m = c.model();
  const ValueId v = c.operand(i);
  if (!v || isLiteral(c, i))
    return false;
  return m[v].origin == ValueOrigin::Result || (m[v].origin == ValueOrigin::Parameter && m[v].graph == m.main());
}

void expectSizes(InferContext &c, std::size_t i) {
  const Type &t = c.type(i);
  // Runtimes follow single sizes (Gather of Shape), and take the one they know as a list of one.
  const bool isFollowed = t.dims.empty() && c.content(i);
  if (t.hasRank && t.dims.size() != 1 && isComputed(c, i) && !isFollowed)
    c.reject(std::string(c.opName()) + ": input " + std::to_string(i) + " must be a vector of sizes, but has " +
                 std::to_string(t.dims.size()) + " axes",
             i);
}

std::optional<std::vector<std::int64_t>> constantInts(InferContext &c, std::size_t i) {
  const auto content = c.content(i);
  return content ? constantSizes(c.dims(), *content) : std::nullopt;
}

std::optional<std::size_t> lengthOf(InferContext &c, std::size_t i) {
  if (const auto content = c.content(i))
    return content->size();
  const Type &t = c.type(i);
  if (!t.hasRank || t.dims.size() != 1)
    return std::nullopt;
  const auto n = c.dims().asConstant(t.dims[0]);
  // A rank beyond this is no rank anyone computes with.
  if (!n || *n < 0 || *n > 64)
    return std::nullopt;
  return static_cast<std::size_t>(*n);
}

std::vector<Dim> copyDims(std::span<const Dim> d) { return {d.begin(), d.end()}; }

std::optional<std::vector<std::int64_t>> constantSizes(const DimTable &dims, std::span<const Dim> shape) {
  std::vector<std::int64_t> out;
  for (Dim d : shape) {
    const auto v = dims.asConstant(d);
    if (!v)
      return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

void foldMove(InferContext &c, std::size_t result, std::span<const Dim> shape, const MoveFunction &source) {
  const auto content = c.content(0);
  const auto from = constantSizes(c.dims(), c.type(0).dims);
  const auto to = constantSizes(c.dims(), shape);
  if (!c.isOnnx() || !content || !from || !to || !c.type(0).hasRank)
    return;
  std::uint64_t count = 1;
  for (std::int64_t d : *to) {
    if (d < 0 || d > static_cast<std::int64_t>(maxContent))
      return;
    count *= static_cast<std::uint64_t>(d);
    if (count > maxContent)
      return;
  }
  std::vector<Dim> values;
  std::vector<std::int64_t> index(to->size(), 0);
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::vector<std::int64_t> at = source(index);
    if (at.size() != from->size())
      return;
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i] < 0 || at[i] >= (*from)[i])
        return;
      if (__builtin_mul_overflow(flat, (*from)[i], &flat) || __builtin_add_overflow(flat, at[i], &flat))
        return;
    }
    if (static_cast<std::size_t>(flat) >= content->size())
      return;
    values.push_back((*content)[static_cast<std::size_t>(flat)]);
    for (std::size_t i = index.size(); i-- > 0;) {
      if (++index[i] < (*to)[i])
        break;
      index[i] = 0;
    }
  }
  c.setContent(result, values);
}

void foldSame(InferContext &c, std::size_t result) {
  if (!c.isOnnx())
    return;
  if (const auto content = c.content(0)) {
    const std::vector<Dim> values = copyDims(*content); // the pool may move
    c.setContent(result, values);
  }
}

} // namespace condlint

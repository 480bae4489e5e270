//===- View.cpp - Views ---------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Views of torch, and the ONNX operators that are the same movement of sizes.
#include "kernels/View.h"
#include "AtenEffects.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "InferState.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "Strides.h"
#include "ViewSlices.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace condlint {

namespace {

/// What a torch view or an ONNX operator of this file looks at.
const Type &source(InferContext &c) {
  if (c.isOnnx())
    return c.type(0);
  for (std::string_view name : {"self", "input", "A", "a", "primal", "data"})
    if (const ValueId v = c.arg(name))
      return c.typeOf(v);
  return c.type(0);
}

/// A view of which neither sizes nor strides are known.
void setUnshaped(InferContext &c, OwnedType t) {
  t.dropShape();
  for (std::size_t i = 0; i < c.resultCount(); ++i)
    setView(c, i, t);
}

// --- the same tensor --------------------------------------------------------
void inferAlias(InferContext &c) { setView(c, 0, viewOf(source(c))); }

void inferDetach(InferContext &c) {
  keepsShape(c);
  OwnedType t = viewOf(source(c));
  t.type.requiresGrad = Tri::No;
  setView(c, 0, t);
}

void inferConj(InferContext &c) {
  OwnedType t = viewOf(source(c));
  if (t.type.element == DType::Unknown)
    t.type.conjugate = Tri::Unknown;
  else if (isComplex(t.type.element))
    t.type.conjugate = t.type.conjugate == Tri::Unknown ? Tri::Unknown : toTri(t.type.conjugate == Tri::No);
  setView(c, 0, t);
}

void inferResolveConj(InferContext &c) {
  OwnedType t = viewOf(source(c));
  const bool real = t.type.element != DType::Unknown && !isComplex(t.type.element);
  if (!real && t.type.conjugate != Tri::No) { // a copy when it was conjugated
    t = freshLike(c, t.type.element, source(c));
    if (source(c).conjugate == Tri::Unknown)
      t.type.storageOffset = Dim();
  }
  t.type.conjugate = Tri::No;
  setView(c, 0, t);
}

/// The real and imaginary parts lie beside one another.
void partOf(InferContext &c, bool imaginary) {
  OwnedType t = viewOf(source(c));
  if (!imaginary && t.type.element != DType::Unknown && !isComplex(t.type.element))
    return setView(c, 0, t);
  if (t.type.element == DType::Unknown)
    return;
  DimTable &dims = c.dims();
  t.type.element = realType(t.type.element);
  t.type.conjugate = Tri::No;
  for (Dim &s : t.strides)
    s = dims.mul(s, dims.constant(2));
  t.type.storageOffset = dims.mul(t.type.storageOffset, dims.constant(2));
  if (imaginary)
    t.type.storageOffset = dims.add(t.type.storageOffset, dims.constant(1));
  setView(c, 0, t);
}
void inferReal(InferContext &c) { partOf(c, false); }
void inferImag(InferContext &c) { partOf(c, true); }

void inferViewAsReal(InferContext &c) {
  OwnedType t = viewOf(source(c));
  if (t.type.element != DType::Unknown && !isComplex(t.type.element))
    c.reject("view_as_real: the operand is not complex");
  DimTable &dims = c.dims();
  t.type.element = isComplex(t.type.element) ? realType(t.type.element) : DType::Unknown;
  t.type.conjugate = Tri::No;
  if (!t.type.hasRank)
    return setUnshaped(c, t);
  for (Dim &s : t.strides)
    s = dims.mul(s, dims.constant(2));
  t.type.storageOffset = dims.mul(t.type.storageOffset, dims.constant(2));
  t.dims.push_back(dims.constant(2));
  if (t.type.hasStrides)
    t.strides.push_back(dims.constant(1));
  setView(c, 0, t);
}

void inferViewAsComplex(InferContext &c) {
  OwnedType t = viewOf(source(c));
  DimTable &dims = c.dims();
  const DType element = isFloating(t.type.element) ? complexType(t.type.element) : DType::Unknown;
  if (t.type.element != DType::Unknown && element == DType::Unknown)
    c.reject("view_as_complex: the operand is not floating point");
  t.type.element = element;
  if (!t.type.hasRank || t.dims.empty())
    return setUnshaped(c, t);
  expectEqual(c, t.dims.back(), dims.constant(2), "the last size and 2");
  removeAxis(t, t.dims.size() - 1);
  for (Dim &s : t.strides)
    s = dims.floorDiv(s, dims.constant(2));
  t.type.storageOffset = dims.floorDiv(t.type.storageOffset, dims.constant(2));
  setView(c, 0, t);
}

// --- the same elements, other sizes -----------------------------------------

bool areConstant(const DimTable &dims, std::span<const Dim> v) {
  return std::ranges::all_of(v, [&](Dim d) { return dims.asConstant(d).has_value(); });
}

/// Torch views the operand, or refuses where only a copy had that shape.
void rejectUnviewable(InferContext &c, const Type &from, std::span<const Dim> shape) {
  DimTable &dims = c.dims();
  const bool isDefinite = from.hasRank && from.hasStrides && areConstant(dims, from.dims) &&
                          areConstant(dims, from.strides) && areConstant(dims, shape) &&
                          elementCount(dims, from.dims) == elementCount(dims, shape);
  if (isDefinite && viewStrides(dims, from.dims, from.strides, shape).fits == Tri::No)
    c.reject(fmt::format("{}: {} with the strides {} has no view of shape {}; reshape copies it", c.opName(),
                         spellDims(c.model().dims, from.dims), spellDims(c.model().dims, from.strides),
                         spellDims(c.model().dims, shape)));
}

void reshapeResult(InferContext &c, OwnedType t, std::vector<Dim> shape) {
  const std::string_view name = c.opName();
  const bool copies = name.starts_with("reshape") || name == "flatten" || name == "ravel";
  if (c.isTorch() && (name == "view" || name == "view_as" || name == "_unsafe_view"))
    rejectUnviewable(c, t.view(), shape);
  reshapeTo(c.dims(), t, std::move(shape), copies);
  setView(c, 0, t);
  foldSame(c);
}

void inferViewDtype(InferContext &c) {
  OwnedType t = viewOf(source(c));
  const DType to = c.dtypeAttr("dtype").value_or(DType::Unknown);
  const unsigned from = dtypeBits(t.type.element), bits = dtypeBits(to);
  t.type.element = to;
  if (from == 0 || bits == 0 || !t.type.hasRank)
    return setUnshaped(c, t);
  DimTable &dims = c.dims();
  if (from != bits && t.dims.empty())
    return c.reject("view: a 0-dim tensor cannot become an element type of another size");
  if (from > bits) {
    const Dim ratio = dims.constant(from / bits);
    t.dims.back() = dims.mul(t.dims.back(), ratio);
    for (std::size_t i = 0; i + 1 < t.strides.size(); ++i)
      t.strides[i] = dims.mul(t.strides[i], ratio);
    t.type.storageOffset = dims.mul(t.type.storageOffset, ratio);
  } else if (from < bits) {
    const Dim ratio = dims.constant(bits / from);
    t.dims.back() = dims.floorDiv(t.dims.back(), ratio);
    for (std::size_t i = 0; i + 1 < t.strides.size(); ++i)
      t.strides[i] = dims.floorDiv(t.strides[i], ratio);
    t.type.storageOffset = dims.floorDiv(t.type.storageOffset, ratio);
  }
  setView(c, 0, t);
}

/// What is left for -1 beside a size of 0 may be any number: onnx's inference refuses to say one.
void rejectOpenBesideZero(InferContext &c, const Type &from, std::span<const Dim> target, bool copies) {
  const DimTable &dims = c.dims();
  const auto isOpen = [&](Dim d) { return dims.isConstant(d, -1); };
  if (std::ranges::none_of(target, isOpen))
    return;
  for (std::size_t i = 0; i < target.size(); ++i)
    if (dims.isConstant(target[i], 0) &&
        (!copies || (from.hasRank && i < from.dims.size() && dims.isConstant(from.dims[i], 0))))
      return c.reject("Reshape: -1 stands beside a size of 0, so that it may be any number");
}

void inferReshape(InferContext &c) {
  const Type &from = source(c);
  OwnedType t = viewOf(from);
  if (c.isOnnx()) {
    // Version 1 has the sizes in an attribute; 14 lets zeros mean zero.
    std::optional<std::vector<Dim>> target;
    if (c.version() > 0 && c.version() < 5)
      target = c.dimsArg("shape");
    else if (const auto content = c.content(1))
      target = copyDims(*content);
    if (!target) {
      const auto rank = lengthOf(c, 1);
      return c.setResult(0, rank ? c.tensorOfRank(from.element, *rank) : c.tensor(from.element));
    }
    const bool copies = c.intAttr("allowzero", 0) == 0;
    rejectOpenBesideZero(c, from, *target, copies);
    return reshapeResult(c, t, reshapeSizes(c, from, *target, copies));
  }
  if (c.hasAttribute("dtype"))
    return inferViewDtype(c);
  std::optional<std::vector<Dim>> target = c.dimsArg("size");
  if (!target)
    target = c.dimsArg("shape");
  if (const ValueId other = c.arg("other"); !target && other && c.typeOf(other).hasRank)
    target = copyDims(c.typeOf(other).dims);
  if (!target)
    return setUnshaped(c, t);
  std::vector<Dim> shape = reshapeSizes(c, from, *target, false);
  if (const auto strides = c.dimsArg("stride"); strides && strides->size() == shape.size()) { // _reshape_alias
    t.setDims(shape);
    t.setStrides(*strides);
    return setView(c, 0, t);
  }
  reshapeResult(c, t, std::move(shape));
}

void inferFlatten(InferContext &c) {
  const Type &from = source(c);
  OwnedType t = viewOf(from);
  DimTable &dims = c.dims();
  if (c.isOnnx()) { // into a matrix
    if (!from.hasRank)
      return c.setResult(0, c.tensorOfRank(from.element, 2));
    const auto rank = static_cast<std::int64_t>(from.dims.size());
    std::int64_t axis = c.intAttr("axis", 1);
    // It counts from the back since version 11.
    if (axis < (c.version() > 0 && c.version() < 11 ? 0 : -rank) || axis > rank) {
      c.reject("Flatten: axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank));
      return c.setResult(0, c.tensorOfRank(from.element, 2));
    }
    const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    return reshapeResult(c, t, {elementCount(dims, from.dims.first(at)), elementCount(dims, from.dims.subspan(at))});
  }
  if (!from.hasRank)
    return setUnshaped(c, t);
  const bool all = c.opName() == "ravel";
  const auto first = axisOf(c, all ? 0 : c.intAttr("start_dim", 0), from.dims.size(), true);
  const auto last = axisOf(c, all ? -1 : c.intAttr("end_dim", -1), from.dims.size(), true);
  if (first && last && *first > *last)
    c.reject(fmt::format("{}: 'start_dim' is axis {}, behind 'end_dim', axis {}", c.opName(), *first, *last));
  if (!first || !last || *first > *last)
    return setUnshaped(c, t);
  if (from.dims.empty())
    return reshapeResult(c, t, {dims.constant(1)});
  std::vector<Dim> shape = copyDims(from.dims.first(*first));
  shape.push_back(elementCount(dims, from.dims.subspan(*first, *last - *first + 1)));
  shape.insert(shape.end(), from.dims.begin() + static_cast<std::ptrdiff_t>(*last) + 1, from.dims.end());
  if (all && isContiguous(dims, from) == Tri::No) { // ravel copies what reshape could view
    t.setDims(shape);
    makeContiguous(c, t);
    return setView(c, 0, t);
  }
  reshapeResult(c, t, std::move(shape));
}

void inferUnflatten(InferContext &c) {
  const Type &from = source(c);
  OwnedType t = viewOf(from);
  const auto sizes = c.dimsArg("sizes");
  if (!from.hasRank || !sizes)
    return setUnshaped(c, t);
  const auto at = axisOf(c, c.intAttr("dim", 0), from.dims.size());
  if (!at)
    return setUnshaped(c, t);
  const std::vector<Dim> part{from.dims[*at]};
  Type one = from;
  one.dims = part;
  const std::vector<Dim> inner = reshapeSizes(c, one, *sizes, false);
  std::vector<Dim> shape = copyDims(from.dims.first(*at));
  shape.insert(shape.end(), inner.begin(), inner.end());
  shape.insert(shape.end(), from.dims.begin() + static_cast<std::ptrdiff_t>(*at) + 1, from.dims.end());
  reshapeResult(c, t, std::move(shape));
}

// --- axes in another order ---------------------------------------------------
void permuteResult(InferContext &c, OwnedType t, const std::vector<std::size_t> &order) {
  permuteAxes(t, order);
  setView(c, 0, t);
  foldMove(c, 0, t.dims, [&](std::span<const std::int64_t> index) {
    std::vector<std::int64_t> at(index.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      at[order[i]] = index[i];
    return at;
  });
}

void inferPermute(InferContext &c) {
  const OwnedType t = viewOf(source(c));
  std::optional<std::vector<std::int64_t>> axes = c.intsAttr(c.isOnnx() ? "perm" : "dims");
  if (!axes)
    axes = c.intsAttr("permutation"); // prims
  const std::size_t rank = t.type.hasRank ? t.dims.size() : (axes ? axes->size() : 0);
  if (!t.type.hasRank) {
    if (!axes)
      return setUnshaped(c, t);
    OwnedType ranked = t;
    ranked.setDims(std::vector<Dim>(rank));
    return setView(c, 0, ranked);
  }
  std::vector<std::size_t> order;
  if (axes) {
    std::vector<bool> seen(rank, false);
    for (std::int64_t a : *axes) {
      const auto at = normalizeAxis(a, rank);
      if (!at || seen[*at] || (c.isOnnx() && a < 0))
        break;
      seen[*at] = true;
      order.push_back(*at);
    }
    if (order.size() != rank || axes->size() != rank) {
      c.reject(std::string(c.opName()) + ": the axes are no permutation of the operand's " + std::to_string(rank));
      return setUnshaped(c, t);
    }
  } else if (c.isOnnx() || c.opName() == "numpy_T") { // reversed
    for (std::size_t i = rank; i-- > 0;)
      order.push_back(i);
  } else {
    return setUnshaped(c, t);
  }
  permuteResult(c, t, order);
}

void swapAxes(InferContext &c, std::int64_t a, std::int64_t b, bool conjugates) {
  OwnedType t = viewOf(source(c));
  if (conjugates && (t.type.element == DType::Unknown || isComplex(t.type.element)))
    t.type.conjugate = t.type.conjugate == Tri::Unknown || t.type.element == DType::Unknown
                           ? Tri::Unknown
                           : toTri(t.type.conjugate == Tri::No);
  if (!t.type.hasRank)
    return setUnshaped(c, t);
  if (t.dims.empty() && a < 0) // mT and its like leave a 0-dim tensor as it is
    return setView(c, 0, t);
  const auto x = axisOf(c, a, t.dims.size(), true), y = axisOf(c, b, t.dims.size(), true);
  if (!x || !y)
    return setUnshaped(c, t);
  std::vector<std::size_t> order(t.dims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!order.empty())
    std::swap(order[*x], order[*y]);
  permuteResult(c, t, order);
}

void inferTranspose(InferContext &c) {
  const bool axes = c.hasAttribute("axis0");
  const auto a = c.intAttr(axes ? "axis0" : "dim0"), b = c.intAttr(axes ? "axis1" : "dim1");
  if (!a || !b)
    return setUnshaped(c, viewOf(source(c)));
  swapAxes(c, *a, *b, false);
}
void inferT(InferContext &c) {
  const Type &t = source(c);
  if (!t.hasRank)
    return setUnshaped(c, viewOf(t));
  if (t.dims.size() < 2)
    return setView(c, 0, viewOf(t));
  if (expectRank(c, t, {2}, "operand"))
    swapAxes(c, 0, 1, false);
}
void inferMatrixTranspose(InferContext &c) { swapAxes(c, -2, -1, false); }
void inferAdjoint(InferContext &c) { swapAxes(c, -2, -1, true); }

void inferMovedim(InferContext &c) {
  const OwnedType t = viewOf(source(c));
  const auto from = c.intsAttr("source"), to = c.intsAttr("destination");
  if (!t.type.hasRank || !from || !to || from->size() != to->size())
    return setUnshaped(c, t);
  const std::size_t rank = t.dims.size();
  constexpr std::size_t open = ~std::size_t{0};
  std::vector<std::size_t> order(rank, open);
  std::vector<bool> moved(rank, false);
  for (std::size_t i = 0; i < from->size(); ++i) {
    const auto a = axisOf(c, (*from)[i], rank, true), b = axisOf(c, (*to)[i], rank, true);
    if (!a || !b)
      return setUnshaped(c, t);
    if (rank != 0) {
      order[*b] = *a;
      moved[*a] = true;
    }
  }
  std::size_t next = 0;
  for (std::size_t &o : order) {
    if (o != open)
      continue;
    while (next < rank && moved[next])
      ++next;
    if (next == rank)
      return setUnshaped(c, t);
    o = next++;
  }
  permuteResult(c, t, order);
}

// --- axes of size 1 ----------------------------------------------------------
void inferUnsqueeze(InferContext &c) {
  OwnedType t = viewOf(source(c));
  const auto axes = c.isOnnx() ? c.intsAttrOrInput("axes", 1) : c.intsAttr("dim");
  if (!axes) {
    const auto more = c.isOnnx() ? lengthOf(c, 1) : std::nullopt;
    if (!t.type.hasRank || !more)
      return setUnshaped(c, t);
    t.setDims(std::vector<Dim>(t.dims.size() + *more));
    t.dropStrides();
    return setView(c, 0, t);
  }
  if (!t.type.hasRank)
    return setUnshaped(c, t);
  const std::size_t rank = t.dims.size() + axes->size();
  if (rank > maxRank)
    return setUnshaped(c, t);
  std::vector<bool> added(rank, false);
  for (std::int64_t a : *axes) {
    const auto at = axisOf(c, a, rank);
    if (!at)
      return setUnshaped(c, t);
    if (added[*at])
      c.reject(std::string(c.opName()) + ": axis " + std::to_string(a) + " is given twice");
    added[*at] = true;
  }
  for (std::size_t i = 0; i < rank; ++i)
    if (added[i] && i <= t.dims.size())
      insertAxis(c.dims(), t, i);
  setView(c, 0, t);
  foldSame(c);
}

void inferSqueeze(InferContext &c) {
  OwnedType t = viewOf(source(c));
  DimTable &dims = c.dims();
  std::optional<std::vector<std::int64_t>> axes;
  bool given = c.hasAttribute("dim");
  if (c.isOnnx()) {
    axes = c.intsAttrOrInput("axes", 1);
    given = c.hasAttribute("axes") || c.has(1);
  } else if (given) {
    axes = c.intsAttr("dim");
  } else if (c.hasAttribute("dimensions")) { // prims
    axes = c.intsAttr("dimensions");
    given = true;
  }
  if (!t.type.hasRank)
    return setUnshaped(c, t);
  const std::size_t rank = t.dims.size();
  if (given && !axes) {
    // ONNX squeezes exactly the given axes: of one the number is enough, and of several two may be the same.
    const auto fewer = c.isOnnx() ? lengthOf(c, 1) : std::nullopt;
    if (!fewer || *fewer > std::min<std::size_t>(rank, 1))
      return setUnshaped(c, t);
    t.setDims(std::vector<Dim>(rank - *fewer));
    t.dropStrides();
    return setView(c, 0, t);
  }
  std::vector<bool> wanted(rank, !given);
  if (given)
    for (std::int64_t a : *axes) {
      const auto at = axisOf(c, a, rank, true);
      if (!at)
        return setUnshaped(c, t);
      if (*at < rank)
        wanted[*at] = true;
    }
  std::vector<std::size_t> gone;
  for (std::size_t i = 0; i < rank; ++i) {
    if (!wanted[i])
      continue;
    const Dim d = t.dims[i];
    const bool one = dims.isConstant(d, 1);
    if (c.isOnnx() && given) {
      if (!one && neverEqual(dims, d, dims.constant(1)))
        c.reject(std::string(c.opName()) + ": axis " + std::to_string(i) + ", whose size is " + dims.str(d) +
                 ", is squeezed, but only a size of 1 can be");
      else if (!one)
        c.requireEqual(d, dims.constant(1));
      gone.push_back(i);
    } else if (one) {
      gone.push_back(i);
    } else if (!d.known() || dims.boundsOf(d).contains(1)) {
      return setUnshaped(c, t); // the rank depends on this size
    }
  }
  for (std::size_t i = gone.size(); i-- > 0;)
    removeAxis(t, gone[i]);
  setView(c, 0, t);
  foldSame(c);
}

// --- stretching --------------------------------------------------------------
void foldStretch(InferContext &c, std::span<const Dim> shape) {
  const Type &from = c.type(0);
  const auto sizes = constantSizes(c.dims(), from.dims);
  if (!sizes || !from.hasRank)
    return;
  foldMove(c, 0, shape, [&](std::span<const std::int64_t> index) {
    std::vector<std::int64_t> at(sizes->size(), 0);
    for (std::size_t i = 0; i < at.size() && i < index.size(); ++i)
      at[at.size() - 1 - i] = (*sizes)[at.size() - 1 - i] == 1 ? 0 : index[index.size() - 1 - i];
    return at;
  });
}

void inferExpandOnnx(InferContext &c) {
  const Type &from = c.type(0);
  expectSizes(c, 1);
  const auto target = c.content(1);
  if (!target || !from.hasRank) {
    const auto rank = lengthOf(c, 1);
    if (rank && *rank <= 64 && from.hasRank) // a size that is not 1 stays
      return c.setResult(0, c.tensor(from.element, broadcast(c.dims(), from.dims, std::vector<Dim>(*rank)).dims));
    return c.setResult(0, c.tensor(from.element));
  }
  Shape shape = broadcast(c.dims(), from.dims, *target);
  if (shape.mismatch)
    c.reject("Expand: " + spellDims(c.dims(), from.dims) + " does not broadcast to " + spellDims(c.dims(), *target));
  c.setResult(0, c.tensor(from.element, shape.dims));
  foldStretch(c, shape.dims);
}

void inferExpand(InferContext &c) {
  if (c.isOnnx())
    return inferExpandOnnx(c);
  const Type &from = source(c);
  OwnedType t = viewOf(from);
  DimTable &dims = c.dims();
  std::optional<std::vector<Dim>> target = c.dimsArg("size");
  if (const ValueId other = c.arg("other"); !target && other && c.typeOf(other).hasRank)
    target = copyDims(c.typeOf(other).dims);
  if (!target || !from.hasRank)
    return setUnshaped(c, t);
  if (target->size() < from.dims.size()) {
    c.reject("expand: the operand has " + std::to_string(from.dims.size()) + " dimensions, more than the " +
             std::to_string(target->size()) + " sizes");
    return setUnshaped(c, t);
  }
  const std::size_t more = target->size() - from.dims.size();
  std::vector<Dim> shape(target->size()), strides(target->size());
  for (std::size_t i = target->size(); i-- > 0;) {
    const bool isNew = i < more;
    Dim size = isNew ? dims.constant(1) : from.dims[i - more];
    Dim stride = from.dims.empty()   ? dims.constant(0)
                 : isNew             ? dims.mul(shape[i + 1], strides[i + 1])
                 : t.type.hasStrides ? t.strides[i - more]
                                     : Dim();
    const Dim wanted = (*target)[i];
    if (isNew && dims.isConstant(wanted, -1))
      c.reject(std::string(c.opName()) + ": a new axis has no size to keep, which -1 asks for");
    if (!dims.isConstant(wanted, -1) && wanted != size) {
      if (dims.isConstant(size, 1) && wanted.known() && !dims.boundsOf(wanted).contains(1)) {
        stride = dims.constant(0);
      } else if (dims.isConstant(size, 1)) {
        stride = wanted.known() && dims.mentions(wanted, SymbolOrigin::Declared) ? dims.constant(0) : Dim();
      } else {
        if (size.known() && neverEqual(dims, size, dims.constant(1)))
          expectEqual(c, size, wanted, "the operand's size and the size it is expanded to");
        // 1 would be stretched; the same size would stay.
        if (!size.known() || dims.boundsOf(size).contains(1))
          stride = Dim();
      }
      size = wanted;
    }
    shape[i] = size;
    strides[i] = stride;
  }
  t.setDims(std::move(shape));
  if (t.type.hasStrides)
    t.setStrides(std::move(strides));
  setView(c, 0, t);
}

void inferAsStrided(InferContext &c) {
  OwnedType t = viewOf(source(c));
  const auto size = c.dimsArg("size"), stride = c.dimsArg("stride");
  if (!size || !stride || size->size() != stride->size())
    return setUnshaped(c, t);
  t.setDims(*size);
  t.setStrides(*stride);
  if (c.attribute("storage_offset") && c.attribute("storage_offset")->kind != AttributeKind::None)
    t.type.storageOffset = c.dimArg("storage_offset");
  setView(c, 0, t);
}

void inferDiagonal(InferContext &c) {
  OwnedType t = viewOf(source(c));
  DimTable &dims = c.dims();
  if (!t.type.hasRank)
    return setUnshaped(c, t);
  const bool linalg = c.opName() == "linalg_diagonal";
  const auto a = axisOf(c, c.intAttr("dim1", linalg ? -2 : 0), t.dims.size());
  const auto b = axisOf(c, c.intAttr("dim2", linalg ? -1 : 1), t.dims.size());
  if (a && b && *a == *b)
    c.reject(fmt::format("{}: 'dim1' and 'dim2' are both axis {}", c.opName(), *a));
  if (!a || !b || *a == *b)
    return setUnshaped(c, t);
  const std::int64_t offset = c.intAttr("offset", 0);
  const std::int64_t inward = offset >= 0 ? offset : (offset == INT64_MIN ? INT64_MAX : -offset);
  const Dim k = dims.constant(inward);
  const Dim rows = offset >= 0 ? t.dims[*a] : dims.sub(t.dims[*a], k);
  const Dim columns = offset >= 0 ? dims.sub(t.dims[*b], k) : t.dims[*b];
  const Dim length = larger(dims, dims.constant(0), smaller(dims, rows, columns));
  if (t.type.hasStrides) {
    if (offset != 0 && !dims.isConstant(length, 0))
      t.type.storageOffset = dims.add(t.type.storageOffset, dims.mul(k, t.strides[offset >= 0 ? *b : *a]));
    t.strides.push_back(dims.add(t.strides[*a], t.strides[*b]));
  } else if (offset != 0) {
    t.type.storageOffset = Dim();
  }
  t.dims.push_back(length);
  removeAxis(t, std::max(*a, *b));
  removeAxis(t, std::min(*a, *b));
  setView(c, 0, t);
}

void inferUnfold(InferContext &c) {
  OwnedType t = viewOf(source(c));
  DimTable &dims = c.dims();
  const auto step = c.intAttr("step");
  const Dim size = c.dimArg("size");
  if (!t.type.hasRank || !step || *step <= 0)
    return setUnshaped(c, t);
  const auto at = axisOf(c, c.intAttr("dimension", 0), t.dims.size(), true);
  if (!at)
    return setUnshaped(c, t);
  if (t.dims.empty()) {
    t.setDims({size});
    t.setStrides({dims.constant(1)});
    return setView(c, 0, t);
  }
  if (t.type.hasStrides) {
    t.strides.push_back(t.strides[*at]);
    t.strides[*at] = dims.mul(t.strides[*at], dims.constant(*step));
  }
  if (isAlwaysLarger(dims, size, t.dims[*at])) {
    c.reject(fmt::format("{}: pieces of {} are longer than the axis, which has {}", c.opName(), dims.str(size),
                         dims.str(t.dims[*at])));
    return setUnshaped(c, t);
  }
  t.dims[*at] = dims.add(dims.floorDiv(dims.sub(t.dims[*at], size), dims.constant(*step)), dims.constant(1));
  t.dims.push_back(size);
  setView(c, 0, t);
}

/// prims.broadcast_in_dim: the operand's axes become the named ones.
void inferBroadcastInDim(InferContext &c) {
  OwnedType t = viewOf(source(c));
  DimTable &dims = c.dims();
  const auto shape = c.dimsArg("shape");
  const auto axes = c.intsAttr("broadcast_dimensions");
  if (!t.type.hasRank || !shape || !axes || axes->size() != t.dims.size())
    return setUnshaped(c, t);
  std::vector<Dim> strides(shape->size(), dims.constant(0));
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto at = axisOf(c, (*axes)[i], shape->size());
    if (!at)
      return setUnshaped(c, t);
    if (t.dims[i] == (*shape)[*at])
      strides[*at] = t.type.hasStrides ? t.strides[i] : Dim();
    else if (!dims.isConstant(t.dims[i], 1))
      strides[*at] = Dim();
  }
  t.setDims(*shape);
  if (t.type.hasStrides)
    t.setStrides(std::move(strides));
  setView(c, 0, t);
}

/// `resize_`: other sizes on the same storage, row-major.
void inferResize(InferContext &c) {
  OwnedType t = viewOf(source(c));
  auto size = c.dimsArg("size");
  if (const ValueId like = c.arg("the_template"); !size && like && c.typeOf(like).hasRank)
    size = copyDims(c.typeOf(like).dims);
  if (!size)
    return setUnshaped(c, t);
  const Dim offset = t.type.storageOffset;
  const bool same = t.type.hasRank && t.dims == *size && t.type.hasStrides;
  t.setDims(*size);
  const Attribute *format = c.attribute("memory_format");
  if (format && format->kind != AttributeKind::None)
    t.dropStrides();
  else if (!same) // resizing to the same sizes changes nothing
    t.setStrides(contiguousStrides(c.dims(), t.dims));
  t.type.storageOffset = offset;
  c.setResult(0, t.view());
}

void inferSymBool(InferContext &c) {
  Type t;
  t.kind = ValueKind::SymBool;
  c.setResult(0, t);
}

constexpr OpRow rows[] = {
    {"alias", inferAlias, executeAlias,
     "aten.alias aten.alias_copy aten.lift aten.lift_fresh aten.positive aten._fw_primal "
     "aten._make_dual aten.resolve_neg aten._neg_view aten.pin_memory aten.data prims.view_of prims.lift",
     "", OpTrait::Trivial},
    {"detach", inferDetach, executeAlias, "aten.detach aten.detach_ aten.detach_copy", "", OpTrait::Trivial},
    {"conj", inferConj, executeConj, "aten._conj aten.conj aten._conj_copy prims.conj", ""},
    {"resolve_conj", inferResolveConj, executeAlias, "aten.resolve_conj", "", OpTrait::None, refineConj},
    {"real", inferReal, executeReal, "aten.real prims.real", ""},
    {"imag", inferImag, executeImag, "aten.imag prims.imag", ""},
    {"view_as_real", inferViewAsReal, executeViewAsReal, "aten.view_as_real aten.view_as_real_copy", ""},
    {"view_as_complex", inferViewAsComplex, executeViewAsComplex, "aten.view_as_complex aten.view_as_complex_copy", ""},
    {"reshape", inferReshape, executeReshape,
     "aten.view aten.view_copy aten.reshape aten.reshape_as aten.view_as aten._unsafe_view aten._reshape_alias "
     "aten._reshape_copy aten._reshape_alias_copy prims.reshape",
     "Reshape", OpTrait::None, refineReshape},
    {"flatten", inferFlatten, executeFlatten, "aten.flatten aten.ravel", "Flatten", OpTrait::None, refineReshape},
    {"unflatten", inferUnflatten, executeUnflatten, "aten.unflatten", ""},
    {"permute", inferPermute, executePermute, "aten.permute aten.permute_copy aten.numpy_T prims.transpose",
     "Transpose"},
    {"transpose", inferTranspose, executeTranspose,
     "aten.transpose aten.transpose_ aten.transpose_copy aten.swapaxes aten.swapaxes_ aten.swapdims aten.swapdims_",
     ""},
    {"t", inferT, executeMatrixTranspose, "aten.t aten.t_ aten.t_copy", ""},
    {"matrix_transpose", inferMatrixTranspose, executeMatrixTranspose, "aten.mT", ""},
    {"adjoint", inferAdjoint, executeAdjoint, "aten.mH aten.adjoint aten.matrix_H", ""},
    {"movedim", inferMovedim, executeMovedim, "aten.movedim aten.moveaxis", ""},
    {"unsqueeze", inferUnsqueeze, executeUnsqueeze, "aten.unsqueeze aten.unsqueeze_ aten.unsqueeze_copy", "Unsqueeze"},
    {"squeeze", inferSqueeze, executeSqueeze, "aten.squeeze aten.squeeze_ aten.squeeze_copy prims.squeeze", "Squeeze"},
    {"expand", inferExpand, executeExpand, "aten.expand aten.expand_copy aten.expand_as aten.broadcast_to", "Expand"},
    {"as_strided", inferAsStrided, executeAsStrided,
     "aten.as_strided aten.as_strided_ aten.as_strided_copy prims.as_strided", ""},
    {"diagonal", inferDiagonal, executeDiagonal, "aten.diagonal aten.diagonal_copy aten.linalg_diagonal", ""},
    {"unfold", inferUnfold, executeUnfold, "aten.unfold aten.unfold_copy", ""},
    {"resize", inferResize, nullptr, "aten.resize_ aten.resize_as_", ""},
    {"sym_is_contiguous", inferSymBool, nullptr, "aten.sym_is_contiguous", ""},
    {"broadcast_in_dim", inferBroadcastInDim, executeBroadcastInDim, "prims.broadcast_in_dim", ""},
};

} // namespace

OpFamily viewFamily() {
  static const OpTable table{rows, sliceRows()};
  return table.family();
}

} // namespace condlint

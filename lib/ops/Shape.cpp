//===- Shape.cpp - How sizes and strides move -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Joining, padding, repeating and rearranging whole tensors; sizes as values.
#include "Shape.h"
#include "AtenEffects.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "ShapeSampler.h"
#include "Strides.h"
#include "condlint/SourceGraph.h"
#include "graph/TypeWords.h"
#include "kernels/Shape.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

const Type &self(InferContext &c) {
  if (c.isOnnx())
    return c.type(0);
  const ValueId v = c.arg("self") ? c.arg("self") : c.arg("input");
  return v ? c.typeOf(v) : c.type(0);
}

// --- sizes as values ---------------------------------------------------------
void inferShape(InferContext &c) {
  const Type &t = c.type(0);
  if (!t.hasRank)
    return c.setResult(0, c.tensorOfRank(DType::Int64, 1));
  const auto rank = static_cast<std::int64_t>(t.dims.size());
  const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const std::int64_t first = place(c.intAttr("start", 0));
  const std::int64_t last = std::max(first, place(c.intAttr("end", rank)));
  const auto part = t.dims.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  c.setResult(0, c.tensor(DType::Int64, {c.constant(last - first)}));
  c.setContent(0, part);
}

void inferSize(InferContext &c) {
  c.setResult(0, c.tensor(DType::Int64, std::initializer_list<Dim>{}));
  if (c.type(0).hasRank)
    c.setContent(0, std::vector<Dim>{elementCount(c.dims(), c.type(0).dims)});
}

// --- joining -----------------------------------------------------------------
std::vector<ValueId> joined(InferContext &c) {
  if (c.isTorch())
    return c.argList("tensors");
  std::vector<ValueId> all;
  for (std::size_t i = 0; i < c.operandCount(); ++i)
    if (c.has(i))
      all.push_back(c.operand(i));
  return all;
}

/// C++: the one operand stands for each of a list, and how many there are nobody knows.
bool isOpenList(const InferContext &c) { return c.hasAttribute(attr::open.name); }

DType joinedType(InferContext &c, std::span<const ValueId> values) {
  if (c.isOnnx()) {
    for (ValueId v : values)
      if (c.typeOf(v).element != DType::Unknown)
        return c.typeOf(v).element;
    return DType::Unknown;
  }
  TypePromotion p(c);
  for (ValueId v : values)
    p.addTensor(c.typeOf(v));
  return p.result();
}

void foldConcat(InferContext &c, std::span<const ValueId> values) {
  std::vector<Dim> all;
  for (ValueId v : values) {
    const Type &t = c.typeOf(v);
    if (!t.hasRank || t.dims.size() != 1)
      return;
    if (const auto content = c.contentOf(v)) {
      all.insert(all.end(), content->begin(), content->end());
      continue;
    }
    const auto n = c.dims().asConstant(t.dims[0]);
    if (!n || *n < 0 || *n > static_cast<std::int64_t>(maxContent))
      return;
    all.resize(all.size() + static_cast<std::size_t>(*n));
  }
  if (all.size() <= maxContent && std::any_of(all.begin(), all.end(), [](Dim d) { return d.known(); }))
    c.setContent(0, all);
}

void inferConcat(InferContext &c) {
  c.setPromotes();
  DimTable &dims = c.dims();
  std::vector<ValueId> values = joined(c);
  const DType element = joinedType(c, values);
  const Type like = values.empty() || !values.front() ? Type() : c.typeOf(values.front());
  // Torch leaves out tensors of the size [0], whatever the rank of the others.
  if (c.isTorch())
    std::erase_if(values, [&](ValueId v) {
      const Type &t = c.typeOf(v);
      return t.hasRank && t.dims.size() == 1 && dims.isConstant(t.dims[0], 0);
    });
  if (values.empty() && c.isTorch() && c.operandCount() != 0)
    return setFresh(c, 0, element, {dims.constant(0)}, like);
  // ONNX: every rank is the same, so that one says it. Torch: a [0] of unknown
  // rank may be among them, but the result has the rank of the others.
  std::optional<std::size_t> rank;
  bool allRanks = true;
  for (ValueId v : values) {
    const Type &t = c.typeOf(v);
    if (!t.hasRank)
      allRanks = false;
    else if (!rank)
      rank = t.dims.size();
    else if (*rank != t.dims.size()) {
      c.reject(std::string(c.opName()) + ": the operands have the ranks " + std::to_string(*rank) + " and " +
               std::to_string(t.dims.size()));
      return setFresh(c, 0, element, like);
    }
  }
  const auto axis = c.isTorch()                          ? std::optional(c.intAttr("dim", 0))
                    : c.version() > 0 && c.version() < 4 ? std::optional(c.intAttr("axis", 1))
                                                         : c.intAttr("axis");
  if (!rank || !axis)
    return setFresh(c, 0, element, like);
  const auto at = axisOf(c, *axis, *rank);
  if (!at)
    return setFresh(c, 0, element, like);
  std::vector<Dim> shape(*rank);
  Dim sum = dims.constant(0);
  std::vector<Type> types;
  for (ValueId v : values) {
    const Type &t = c.typeOf(v);
    types.push_back(t);
    sum = t.hasRank ? dims.add(sum, t.dims[*at]) : Dim();
    for (std::size_t i = 0; i < *rank && t.hasRank; ++i) {
      bool mismatch = false;
      if (i == *at)
        continue;
      c.requireEqual(shape[i], t.dims[i]);
      shape[i] = unifyDim(dims, shape[i], t.dims[i], mismatch);
      if (mismatch)
        c.reject(std::string(c.opName()) + ": the operands have different sizes in axis " + std::to_string(i) +
                 ", which is not the one they are joined along");
    }
  }
  shape[*at] = allRanks && !isOpenList(c) ? sum : Dim();
  OwnedType t = freshInFormatOf(c, element, shape, types);
  if (!t.type.hasStrides && c.isTorch()) { // differing formats give row-major
    std::size_t last = 0, known = 0;
    for (const Type &o : types) {
      const Tri suggests = suggestsChannelsLast(dims, o);
      last += suggests == Tri::Yes ? 1 : 0;
      known += suggests == Tri::Unknown ? 0 : 1;
    }
    if (known == types.size() && last != known)
      makeContiguous(c, t);
  }
  setFresh(c, 0, t);
  if (c.isOnnx() && *at == 0)
    foldConcat(c, values);
}

void inferStack(InferContext &c) {
  DimTable &dims = c.dims();
  const std::vector<ValueId> values = c.argList("tensors");
  const DType element = joinedType(c, values);
  if (values.empty()) { // a list of which nothing is known: whatever it holds, its elements are copied
    const Attribute *a = c.attribute("tensors");
    const bool isList = a && (a->kind == AttributeKind::Operands || a->kind == AttributeKind::Ints);
    if (isList && a->list.count == 0 && c.model().info.format == Format::Pt2)
      c.reject("stack: there are no tensors");
    return setFresh(c, 0, DType::Unknown, Type());
  }
  const Type &first = c.typeOf(values.front());
  if (!first.hasRank)
    return setFresh(c, 0, element, first);
  const auto at = axisOf(c, c.intAttr("dim", 0), first.dims.size() + 1);
  if (!at)
    return setFresh(c, 0, element, first);
  std::vector<Dim> shape = copyDims(first.dims);
  for (ValueId v : values) {
    const Type &t = c.typeOf(v);
    if (!t.hasRank)
      continue;
    if (t.dims.size() != shape.size()) {
      c.reject("stack: the operands have the ranks " + std::to_string(shape.size()) + " and " +
               std::to_string(t.dims.size()));
      return setFresh(c, 0, element, first);
    }
    bool mismatch = false;
    for (std::size_t i = 0; i < shape.size(); ++i)
      shape[i] = unifyDim(dims, shape[i], t.dims[i], mismatch);
    if (mismatch)
      c.reject("stack: the operands have different sizes");
  }
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at),
               isOpenList(c) ? Dim() : dims.constant(static_cast<std::int64_t>(values.size())));
  OwnedType t = freshTensor(c, element, shape, first);
  if (!std::all_of(values.begin(), values.end(),
                   [&](ValueId v) { return isContiguous(dims, c.typeOf(v)) == Tri::Yes; }))
    t.dropStrides();
  setFresh(c, 0, t);
}

/// hstack, vstack, dstack: cat after each operand has been given enough axes.
void inferStackAlong(InferContext &c) {
  DimTable &dims = c.dims();
  const std::vector<ValueId> values = c.argList("tensors");
  const DType element = joinedType(c, values);
  if (values.empty())
    return setFresh(c, 0, DType::Unknown, Type());
  const std::string_view name = c.opName();
  const bool depth = name == "dstack", columns = name == "column_stack";
  std::vector<Dim> shape;
  std::size_t at = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Type &t = c.typeOf(values[k]);
    if (!t.hasRank)
      return setFresh(c, 0, element, c.typeOf(values.front()));
    std::vector<Dim> part = copyDims(t.dims);
    const Dim one = dims.constant(1);
    if (columns) {
      while (part.size() < 2)
        part.insert(part.size() == 1 ? part.end() : part.begin(), one);
    } else {
      const std::size_t least = depth ? 3 : (name == "hstack" ? 1 : 2);
      if (part.empty())
        part.push_back(one);
      if (part.size() < least && part.size() == 1)
        part.insert(part.begin(), one);
      if (part.size() < least)
        part.push_back(one);
    }
    at = depth ? 2 : columns ? 1 : (name == "hstack" ? (part.size() == 1 ? 0 : 1) : 0);
    if (k == 0) {
      shape = part;
    } else if (part.size() != shape.size()) {
      return setFresh(c, 0, element, c.typeOf(values.front()));
    } else {
      shape[at] = dims.add(shape[at], part[at]);
    }
  }
  OwnedType t = freshTensor(c, element, shape, c.typeOf(values.front()));
  if (t.dims.size() >= 4)
    t.dropStrides();
  setFresh(c, 0, t);
}

// --- padding -----------------------------------------------------------------
/// \p a is at least \p b, or larger where \p strictly, whatever the symbols are.
bool alwaysReaches(const DimTable &dims, Dim a, Dim b, bool strictly) {
  if (!a.known() || !b.known())
    return false;
  const std::int64_t least = dims.boundsOf(a).min, most = dims.boundsOf(b).max;
  return strictly ? least > most : least >= most;
}

/// A reflection stays inside of the operand, a circular padding goes around once at most,
/// and what is cut off leaves something.
void expectPaddable(InferContext &c, const Type &from, std::span<const Dim> pads, std::span<const Dim> shape) {
  const std::string_view name = c.opName(), mode = name == "pad" ? c.stringAttr("mode", "constant") : name;
  DimTable &dims = c.dims();
  const bool reflects = mode.starts_with("reflect"), wraps = mode == "circular";
  for (std::size_t i = 0; i < pads.size(); ++i) {
    const Dim size = from.dims[from.dims.size() - 1 - i / 2];
    if ((reflects || wraps) && alwaysReaches(dims, pads[i], size, wraps))
      return c.reject(fmt::format("{}: a {} padding of {} does not fit a size of {}", name,
                                  reflects ? "reflected" : "circular", dims.str(pads[i]), dims.str(size)));
    // A constant is put around what is left once all that is negative is cut off.
    if (mode.starts_with("constant") && i % 2 == 1) {
      Dim left = size;
      for (const Dim p : {pads[i - 1], pads[i]})
        left = dims.add(left, dims.min(p, dims.constant(0)));
      if (left.known() && dims.boundsOf(left).max < 0)
        return c.reject(fmt::format("{}: what is cut off of a size of {} is more than that", name, dims.str(size)));
    }
    const Dim padded = shape[shape.size() - 1 - i / 2];
    if (padded.known() && dims.boundsOf(padded).max < 0)
      return c.reject(
          fmt::format("{}: a size of {} becomes {}, less than none", name, dims.str(size), dims.str(padded)));
    if (reflects || wraps)
      c.require(dims.sub(dims.sub(size, pads[i]), dims.constant(wraps ? 0 : 1)));
    c.require(padded);
  }
}

void setPadded(InferContext &c, std::span<const Dim> pads, bool constant) {
  const Type &from = self(c);
  DimTable &dims = c.dims();
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  if (pads.size() % 2 != 0 || pads.size() / 2 > from.dims.size()) {
    c.reject(std::string(c.opName()) + ": " + std::to_string(pads.size()) + " paddings for rank " +
             std::to_string(from.dims.size()));
    return setFresh(c, 0, from.element, from);
  }
  std::vector<Dim> shape = copyDims(from.dims);
  bool grows = false;
  for (std::size_t i = 0; i < pads.size() / 2; ++i) {
    Dim &d = shape[shape.size() - 1 - i];
    d = dims.add(d, dims.add(pads[2 * i], pads[2 * i + 1]));
    for (Dim p : {pads[2 * i], pads[2 * i + 1]})
      grows = grows || (p.known() && dims.boundsOf(p).min > 0);
  }
  expectPaddable(c, from, pads, shape);
  OwnedType t = freshInFormatOf(c, from.element, shape, std::span<const Type>(&from, 1));
  // Without a padding that grows, what remains is cloned with its strides.
  if (constant && !grows && isContiguous(dims, from) != Tri::Yes)
    t.dropStrides();
  // Nothing to lay out; and reflections over three axes do as they like.
  if (std::any_of(shape.begin(), shape.end(), [&](Dim d) { return dims.isConstant(d, 0); }) ||
      (!constant && pads.size() == 6 && isContiguous(dims, from) != Tri::Yes))
    t.dropStrides();
  setFresh(c, 0, t);
}

void inferPadTorch(InferContext &c) {
  auto pads = c.dimsArg("pad");
  if (!pads)
    pads = c.dimsArg("padding");
  const std::string_view name = c.opName();
  const bool constant = name == "constant_pad_nd" || (name == "pad" && c.stringAttr("mode", "constant") == "constant");
  if (!pads) {
    const Type &from = self(c);
    return from.hasRank ? setFresh(c, 0, from.element, std::vector<Dim>(from.dims.size()), from)
                        : setFresh(c, 0, from.element, from);
  }
  const std::size_t axes = name.find("1d") != name.npos ? 1 : name.find("2d") != name.npos ? 2 : 3;
  const bool ofName = name.starts_with("reflection_pad") || name.starts_with("replication_pad");
  // Of nothing but batches nothing can be taken.
  const Type &from = self(c);
  for (std::size_t i = from.hasRank && from.dims.size() == axes + 2 ? 1 : 0; ofName && i < from.dims.size(); ++i)
    if (from.hasRank && c.dims().isConstant(from.dims[i], 0))
      return c.reject(fmt::format("{}: the operand has no elements in axis {}", name, i));
  setPadded(c, *pads, constant);
}

/// ONNX: all befores, then all afters; in an attribute up to 10, an input from 11.
void inferPad(InferContext &c) {
  if (c.isTorch())
    return inferPadTorch(c);
  const Type &from = c.type(0);
  DimTable &dims = c.dims();
  if (!from.hasRank) {
    const auto n = c.has(3) ? std::nullopt : lengthOf(c, 1);
    return c.setResult(0, n && !c.hasAttribute("pads") ? c.tensorOfRank(from.element, *n / 2) : c.tensor(from.element));
  }
  const std::size_t rank = from.dims.size();
  if (const Type &t = c.type(1); t.hasRank && t.dims.size() > 1 && isLiteral(c, 1))
    return c.reject("Pad: the paddings must be a vector, but have the shape " + spellDims(dims, t.dims), 1);
  std::optional<std::vector<Dim>> pads = c.dimsArg("pads");
  if (!pads)
    pads = c.dimsArg("paddings"); // version 1
  if (const auto content = c.content(1); !pads && content)
    pads = copyDims(*content);
  std::vector<std::size_t> axes;
  if (c.has(3)) {
    const auto given = constantInts(c, 3);
    if (!given)
      return c.setResult(0, c.tensorOfRank(from.element, rank));
    for (std::int64_t a : *given) {
      const auto at = axisOf(c, a, rank);
      if (!at)
        return c.setResult(0, c.tensorOfRank(from.element, rank));
      axes.push_back(*at);
    }
  } else {
    for (std::size_t i = 0; i < rank; ++i)
      axes.push_back(i);
  }
  std::vector<Dim> shape = copyDims(from.dims);
  if (pads && pads->size() != 2 * axes.size()) {
    c.reject("Pad: " + std::to_string(pads->size()) + " paddings for " + std::to_string(axes.size()) + " axes");
    pads.reset();
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dim size = shape[axes[i]],
              padded = pads ? dims.add(size, dims.add((*pads)[i], (*pads)[i + axes.size()])) : Dim();
    if (padded.known() && dims.boundsOf(padded).max < 0)
      c.reject(fmt::format("Pad: a size of {} becomes {}, less than none", dims.str(size), dims.str(padded)),
               std::nullopt, FaultKind::NoneLeft);
    shape[axes[i]] = padded;
  }
  c.setResult(0, c.tensor(from.element, shape));
}

// --- repeating ---------------------------------------------------------------
void inferRepeat(InferContext &c) {
  const Type &from = self(c);
  DimTable &dims = c.dims();
  const bool tile = c.opName() == "tile";
  const auto times = c.dimsArg(tile ? "dims" : "repeats");
  if (!times || !from.hasRank || (!tile && times->size() < from.dims.size())) {
    if (times && from.hasRank)
      c.reject("repeat: fewer repeats than the operand has dimensions");
    return setFresh(c, 0, from.element, from);
  }
  std::vector<Dim> shape(std::max(times->size(), from.dims.size()), dims.constant(1));
  for (std::size_t i = 0; i < from.dims.size(); ++i)
    shape[shape.size() - 1 - i] = from.dims[from.dims.size() - 1 - i];
  for (std::size_t i = 0; i < times->size(); ++i) {
    Dim &d = shape[shape.size() - 1 - i];
    d = dims.mul(d, (*times)[times->size() - 1 - i]);
  }
  setFresh(c, 0, from.element, shape, from);
}

void inferTile(InferContext &c) {
  const Type &from = c.type(0);
  DimTable &dims = c.dims();
  if (!from.hasRank) {
    const auto n = c.version() == 0 || c.version() >= 6 ? lengthOf(c, 1) : std::nullopt;
    return c.setResult(0, n ? c.tensorOfRank(from.element, *n) : c.tensor(from.element));
  }
  std::vector<Dim> shape = copyDims(from.dims);
  if (c.version() > 0 && c.version() < 6) { // (input, tiles, axis)
    const auto tiles = c.content(1);
    const auto axis = constantInts(c, 2);
    if (!axis || axis->size() != 1)
      return c.setResult(0, c.tensorOfRank(from.element, shape.size()));
    if (const auto at = axisOf(c, (*axis)[0], shape.size()))
      shape[*at] = tiles && tiles->size() == 1 ? dims.mul(shape[*at], (*tiles)[0]) : Dim();
    return c.setResult(0, c.tensor(from.element, shape));
  }
  const auto repeats = c.content(1);
  if (const auto count = lengthOf(c, 1); count && *count != shape.size())
    c.reject("Tile: " + std::to_string(*count) + " repeats for rank " + std::to_string(shape.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Dim times = repeats && i < repeats->size() ? (*repeats)[i] : Dim();
    if (const auto number = times.known() ? dims.asConstant(times) : std::nullopt; number && *number < 0)
      return c.reject("Tile: axis " + std::to_string(i) + " is repeated " + std::to_string(*number) + " times", 1);
    shape[i] = times.known() ? dims.mul(shape[i], times) : Dim();
  }
  c.setResult(0, c.tensor(from.element, shape));
  const auto sizes = constantSizes(dims, from.dims);
  if (sizes && std::find(sizes->begin(), sizes->end(), 0) == sizes->end())
    foldMove(c, 0, shape, [&](std::span<const std::int64_t> index) {
      std::vector<std::int64_t> at(index.begin(), index.end());
      for (std::size_t i = 0; i < at.size(); ++i)
        at[i] %= (*sizes)[i];
      return at;
    });
}

void inferRepeatInterleave(InferContext &c) {
  const Type &from = c.arg("self") ? c.argType("self") : c.argType("repeats");
  DimTable &dims = c.dims();
  const bool has = c.attribute("output_size") && c.attribute("output_size")->kind != AttributeKind::None;
  Dim total = has ? c.dimArg("output_size") : Dim();
  if (!c.arg("self"))
    return setFresh(c, 0, from.element, {has ? total : c.dataDependent("count")}, from);
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  const bool tensor = c.argType("repeats").isTensor();
  const bool flat = !c.attribute("dim") || c.attribute("dim")->kind == AttributeKind::None;
  const auto at = flat ? std::optional<std::size_t>(0) : axisOf(c, c.intAttr("dim", 0), from.dims.size(), true);
  if (!at)
    return setFresh(c, 0, from.element, from);
  std::vector<Dim> shape = flat ? std::vector<Dim>{elementCount(dims, from.dims)} : copyDims(from.dims);
  if (shape.empty())
    shape.push_back(dims.constant(1));
  if (!has)
    total = tensor ? c.dataDependent("count") : dims.mul(shape[*at], c.dimArg("repeats"));
  shape[*at] = total;
  OwnedType t = freshTensor(c, from.element, shape, from);
  if (isContiguous(dims, from) != Tri::Yes)
    t.dropStrides();
  setFresh(c, 0, t);
}

// --- the same sizes, other places --------------------------------------------
void inferFlip(InferContext &c) { setFresh(c, 0, freshLike(c, self(c).element, self(c))); }

void inferRoll(InferContext &c) {
  const Type &from = self(c);
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  OwnedType t = freshTensor(c, from.element, copyDims(from.dims), from);
  if (isContiguous(c.dims(), from) != Tri::Yes)
    t.dropStrides();
  setFresh(c, 0, t);
}

void inferRot90(InferContext &c) {
  const Type &from = self(c);
  const auto axes = c.intsAttr("dims");
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  std::vector<Dim> shape = copyDims(from.dims);
  const std::vector<std::int64_t> plane = axes.value_or(std::vector<std::int64_t>{0, 1});
  if (plane.size() == 2 && c.intAttr("k", 1) % 2 != 0) {
    const auto a = axisOf(c, plane[0], shape.size()), b = axisOf(c, plane[1], shape.size());
    if (a && b)
      std::swap(shape[*a], shape[*b]);
  }
  OwnedType t = freshTensor(c, from.element, shape, from);
  t.dropStrides();
  setFresh(c, 0, t);
}

/// One length for each entry of the batch, of which none is longer than there are steps.
void inferReverseSequence(InferContext &c) {
  setLikeOperand(c);
  const Type &from = c.type(0);
  const std::int64_t batch = c.intAttr("batch_axis", 1), time = c.intAttr("time_axis", 0);
  if (batch == time)
    return c.reject(fmt::format("the batches and the steps of ReverseSequence are on one axis, {}", batch));
  if (!from.hasRank || from.dims.size() < 2 || batch < 0 || batch > 1 || time < 0 || time > 1)
    return;
  const Dim entries = from.dims[static_cast<std::size_t>(batch)], steps = from.dims[static_cast<std::size_t>(time)];
  if (const Type &lengths = c.type(1);
      lengths.hasRank && lengths.dims.size() == 1 && neverEqual(c.dims(), lengths.dims[0], entries))
    return c.reject(fmt::format("ReverseSequence: {} lengths for a batch of {}", c.dims().str(lengths.dims[0]),
                                c.dims().str(entries)),
                    1);
  const auto most = c.dims().asConstant(steps);
  const auto numbers = c.content(1);
  for (std::size_t i = 0; most && numbers && i < numbers->size(); ++i)
    if (const auto n = c.dims().asConstant((*numbers)[i]); n && (*n < 0 || *n > *most))
      return c.reject(fmt::format("ReverseSequence: the length {} is none of 0 to {}", *n, *most), 1);
}

void inferCenterCropPad(InferContext &c) {
  const Type &from = c.type(0);
  if (!from.hasRank)
    return c.setResult(0, c.tensor(from.element));
  std::vector<Dim> shape = copyDims(from.dims);
  const auto axes = c.intsAttr("axes");
  const auto target = c.content(1);
  const std::size_t count = axes ? axes->size() : shape.size();
  // One size that only a run says is spread over the axes, as the function does it that this stands for.
  if (const auto given = target ? std::optional(target->size()) : lengthOf(c, 1);
      given && *given != count && (target || *given != 1))
    c.reject(fmt::format("CenterCropPad: there are {} sizes for {} axes", *given, count), 1);
  std::vector<bool> seen(shape.size(), false);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = axes ? axisOf(c, (*axes)[i], shape.size()) : std::optional(i);
    if (!at)
      return c.setResult(0, c.tensorOfRank(from.element, shape.size()));
    if (seen[*at])
      c.reject(fmt::format("CenterCropPad: axis {} is named twice", *at));
    seen[*at] = true;
    shape[*at] = target && i < target->size() ? (*target)[i] : Dim();
  }
  c.setResult(0, c.tensor(from.element, shape));
}

// --- channels and space ------------------------------------------------------
/// The last three axes: \p up multiplies height and width and divides the channels.
void moveBlocks(InferContext &c, Dim block, bool up) {
  const Type &from = self(c);
  DimTable &dims = c.dims();
  if (c.isOnnx() && !from.hasRank)
    return c.setResult(0, c.tensorOfRank(from.element, 4));
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  const std::size_t rank = from.dims.size();
  if (rank < 3 || (c.isOnnx() && rank != 4)) {
    c.reject(std::string(c.opName()) + ": rank " + std::to_string(rank) + " is too small or too large");
    return;
  }
  std::vector<Dim> shape = copyDims(from.dims);
  Dim &channels = shape[rank - 3], &height = shape[rank - 2], &width = shape[rank - 1];
  const Dim area = dims.mul(block, block);
  const Dim zero = dims.constant(0);
  if (up) {
    if (neverEqual(dims, dims.mod(channels, area), zero))
      c.reject(std::string(c.opName()) + ": " + dims.str(channels) + " channels are no multiple of " + dims.str(area),
               std::nullopt, FaultKind::Multiple);
    channels = dims.floorDiv(channels, area);
    height = dims.mul(height, block);
    width = dims.mul(width, block);
  } else {
    for (Dim *d : {&height, &width}) {
      if (neverEqual(dims, dims.mod(*d, block), zero))
        c.reject(std::string(c.opName()) + ": the size " + dims.str(*d) + " is no multiple of " + dims.str(block),
                 std::nullopt, FaultKind::Multiple);
      *d = dims.floorDiv(*d, block);
    }
    channels = dims.mul(channels, area);
  }
  OwnedType t = freshTensor(c, from.element, shape, from);
  if (c.isTorch() && (rank >= 4 || isContiguous(dims, from) != Tri::Yes))
    if (isContiguous(dims, from) != Tri::Yes || isChannelsLast(dims, from) != Tri::No)
      t.dropStrides();
  setFresh(c, 0, t);
}

void inferDepthToSpace(InferContext &c) {
  const auto block = c.intAttr(c.isOnnx() ? "blocksize" : "upscale_factor");
  moveBlocks(c, block && *block > 0 ? c.constant(*block) : Dim(), true);
}
void inferSpaceToDepth(InferContext &c) {
  const auto block = c.intAttr(c.isOnnx() ? "blocksize" : "downscale_factor");
  moveBlocks(c, block && *block > 0 ? c.constant(*block) : Dim(), false);
}

void inferChannelShuffle(InferContext &c) {
  const Type &from = self(c);
  if (from.hasRank && from.dims.size() < 3)
    return c.reject(fmt::format("{}: the operand has {} axes, expected at least 3", c.opName(), from.dims.size()));
  if (const auto groups = c.intAttr("groups"); groups && from.hasRank)
    expectEvenGroups(c, from.dims[1], c.constant(*groups));
  OwnedType t = freshLike(c, self(c).element, self(c));
  t.dropStrides();
  setFresh(c, 0, t);
}

// --- several at once -----------------------------------------------------------
void inferMeshgrid(InferContext &c) {
  const std::vector<ValueId> values = c.argList("tensors");
  DimTable &dims = c.dims();
  std::vector<Dim> shape;
  for (ValueId v : values)
    shape.push_back(c.typeOf(v).hasRank ? elementCount(dims, c.typeOf(v).dims) : Dim());
  if (c.stringAttr("indexing", "ij") == "xy" && shape.size() >= 2)
    std::swap(shape[0], shape[1]);
  for (std::size_t i = 0; i < c.resultCount() && i < values.size(); ++i) {
    OwnedType t = viewOf(c.typeOf(values[i]));
    t.dropStrides();
    t.setDims(shape);
    c.setResult(i, t.view());
  }
}

void inferBroadcastTensors(InferContext &c) {
  const std::vector<ValueId> values = c.argList("tensors");
  std::vector<Type> types;
  for (ValueId v : values)
    types.push_back(c.typeOf(v));
  const Shape shape = broadcast(c.dims(), types);
  for (std::size_t i = 0; i < c.resultCount() && i < values.size(); ++i) {
    OwnedType t = viewOf(types[i]);
    const bool same = shape.hasRank && t.type.hasRank && t.dims == shape.dims;
    if (!same)
      t.dropStrides();
    if (shape.hasRank && !shape.mismatch)
      t.setDims(shape.dims);
    else if (!same)
      t.dropShape();
    c.setResult(i, t.view());
  }
}

void inferAtLeast(InferContext &c) {
  if (c.hasAttribute("tensors"))
    return;
  OwnedType t = viewOf(self(c));
  if (!t.type.hasRank)
    return c.setResult(0, t.view());
  DimTable &dims = c.dims();
  const std::size_t least = c.opName() == "atleast_3d" ? 3 : c.opName() == "atleast_2d" ? 2 : 1;
  if (t.dims.empty()) {
    t.setStrides(std::vector<Dim>(least, dims.constant(1)));
    t.setDims(std::vector<Dim>(least, dims.constant(1)));
  } else {
    if (t.dims.size() == 1 && least >= 2)
      insertAxis(dims, t, 0);
    if (t.dims.size() == 2 && least == 3)
      insertAxis(dims, t, 2);
  }
  c.setResult(0, t.view());
}

void inferDiagEmbed(InferContext &c) {
  const Type &from = self(c);
  DimTable &dims = c.dims();
  const std::int64_t offset = c.intAttr("offset", 0);
  if (!from.hasRank || from.dims.empty() || offset == INT64_MIN)
    return setFresh(c, 0, from.element, from);
  std::vector<Dim> shape = copyDims(from.dims);
  const Dim side = dims.add(shape.back(), dims.constant(offset < 0 ? -offset : offset));
  shape.pop_back();
  const std::size_t rank = from.dims.size() + 1;
  const auto a = axisOf(c, c.intAttr("dim1", -2), rank), b = axisOf(c, c.intAttr("dim2", -1), rank);
  if (!a || !b || *a == *b)
    return setFresh(c, 0, from.element, from);
  for (std::size_t at : {std::min(*a, *b), std::max(*a, *b)})
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), side);
  OwnedType t = freshTensor(c, from.element, shape, from);
  if (*a + 1 != rank - 1 || *b != rank - 1)
    t.dropStrides();
  setFresh(c, 0, t);
}

void inferDiag(InferContext &c) {
  const Type &from = self(c);
  DimTable &dims = c.dims();
  const std::int64_t k = c.intAttr("diagonal", 0);
  if (!from.hasRank || from.dims.empty() || from.dims.size() > 2 || k == INT64_MIN)
    return setFresh(c, 0, from.element, from);
  const Dim inward = dims.constant(k < 0 ? -k : k);
  if (from.dims.size() == 1) {
    const Dim side = dims.add(from.dims[0], inward);
    return setFresh(c, 0, from.element, {side, side}, from);
  }
  const Dim rows = k < 0 ? dims.sub(from.dims[0], inward) : from.dims[0];
  const Dim columns = k < 0 ? from.dims[1] : dims.sub(from.dims[1], inward);
  setFresh(c, 0, from.element, {larger(dims, dims.constant(0), smaller(dims, rows, columns))}, from);
}

/// Matrices, of which the triangle is kept.
void inferTriangle(InferContext &c) {
  if (const Type &t = self(c); t.hasRank && t.dims.size() < 2)
    c.reject(fmt::format("{}: the operand has rank {}, expected 2 or more", c.opName(), t.dims.size()));
  inferRowMajorCopy(c);
}

constexpr OpRow rows[] = {
    {"shape", inferShape, executeShape, "", "Shape", OpTrait::Trivial},
    {"size", inferSize, executeSize, "", "Size", OpTrait::Trivial},
    {"concat", inferConcat, executeConcat, "aten.cat aten.concat aten.concatenate prims.cat", "Concat"},
    {"stack", inferStack, executeStack, "aten.stack", ""},
    {"stack_along", inferStackAlong, executeStackAlong,
     "aten.hstack aten.vstack aten.row_stack aten.dstack aten.column_stack", ""},
    {"pad", inferPad, executePad,
     "aten.pad aten.constant_pad_nd aten.reflection_pad1d aten.reflection_pad2d aten.reflection_pad3d "
     "aten.replication_pad1d aten.replication_pad2d aten.replication_pad3d aten._pad_circular aten._pad_enum",
     "Pad"},
    {"repeat", inferRepeat, executeRepeat, "aten.repeat aten.tile", ""},
    {"tile", inferTile, executeTile, "", "Tile"},
    {"repeat_interleave", inferRepeatInterleave, executeRepeatInterleave, "aten.repeat_interleave", ""},
    {"flip", inferFlip, executeFlip, "aten.flip aten.fliplr aten.flipud prims.rev", ""},
    {"roll", inferRoll, executeRoll, "aten.roll", ""},
    {"rot90", inferRot90, executeRot90, "aten.rot90", ""},
    {"triangle", inferTriangle, executeTriangle, "aten.tril aten.tril_ aten.triu aten.triu_", "Trilu"},
    {"reverse_sequence", inferReverseSequence, executeReverseSequence, "", "ReverseSequence"},
    {"center_crop_pad", inferCenterCropPad, executeCenterCropPad, "", "CenterCropPad"},
    {"depth_to_space", inferDepthToSpace, executeDepthToSpace, "aten.pixel_shuffle", "DepthToSpace"},
    {"space_to_depth", inferSpaceToDepth, executeSpaceToDepth, "aten.pixel_unshuffle", "SpaceToDepth"},
    {"channel_shuffle", inferChannelShuffle, executeChannelShuffle, "aten.channel_shuffle aten.native_channel_shuffle",
     ""},
    {"meshgrid", inferMeshgrid, executeMeshgrid, "aten.meshgrid", ""},
    {"broadcast_tensors", inferBroadcastTensors, executeBroadcastTensors, "aten.broadcast_tensors", ""},
    {"at_least", inferAtLeast, executeAtLeast, "aten.atleast_1d aten.atleast_2d aten.atleast_3d", ""},
    {"diag_embed", inferDiagEmbed, executeDiagEmbed, "aten.diag_embed", ""},
    {"diag", inferDiag, executeDiag, "aten.diag", ""},
};

} // namespace

void inferRowMajorCopy(InferContext &c) {
  const Type &from = self(c);
  if (c.isOnnx())
    return c.setResult(0, from);
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  setFresh(c, 0, from.element, copyDims(from.dims), from);
}

OpFamily shapeFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint

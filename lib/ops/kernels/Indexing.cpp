//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ElementKernels.h"
#include "Functors.h"
#include "Kernels.h"
#include "Rows.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace condlint {

Tensor nonzero(const ExecContext &c, const Tensor &t) {
  const Tensor x = contiguous(c, t);
  std::vector<std::int64_t> found;
  const Sizes sizes = sizesOf(x);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    if (loadElement<ComplexDouble>(x.dtype(), x.bytes(), i) == ComplexDouble(0))
      continue;
    const std::size_t at = found.size();
    found.resize(at + sizes.size());
    std::int64_t rest = i;
    for (std::size_t k = sizes.size(); k-- > 0; rest /= sizes[k])
      found[at + k] = rest % sizes[k];
    if (sizes.empty())
      found.push_back(0); // counted below
  }
  const auto rank = static_cast<std::int64_t>(sizes.size());
  const std::int64_t shape[] = {
      rank == 0 ? static_cast<std::int64_t>(found.size()) : static_cast<std::int64_t>(found.size()) / rank, rank};
  const Tensor out = c.empty(DType::Int64, shape);
  if (rank != 0)
    std::ranges::copy(found, out.out<std::int64_t>());
  return out;
}

namespace {

/// Bytes of a row-major tensor's elements from the axis \p axis on.
std::int64_t innerCount(const Tensor &t, std::size_t axis) { return product(t.sizes().subspan(axis)); }

std::int64_t wrapped(const ExecContext &c, std::int64_t index, std::int64_t size, bool negative = true) {
  if (index < (negative ? -size : 0) || index >= size)
    c.fail(fmt::format("the index {} is outside of an axis of {} elements", index, size));
  return index < 0 ? index + size : index;
}

/// A dense int64 copy of \p t with each index checked against \p size and made positive.
Tensor checkedIndices(const ExecContext &c, const Tensor &t, std::int64_t size, bool negative = true) {
  if (!isIntegral(t.dtype()) && t.dtype() != DType::Bool)
    c.fail(fmt::format("an index is {}, not an integer", dtypeName(t.dtype())));
  Tensor out = copied(c, cast(c, t, DType::Int64));
  for (std::int64_t i = 0; i < out.numel(); ++i)
    out.out<std::int64_t>()[i] = wrapped(c, out.as<std::int64_t>()[i], size, negative);
  return out;
}

/// Whole slices of \p t along \p axis at \p indices, whose shape takes the axis' place.
Tensor takeSlices(const ExecContext &c, const Tensor &given, std::size_t axis, const Tensor &indices) {
  const Tensor t = contiguous(c, given);
  const Tensor at = checkedIndices(c, indices, t.size(axis));
  Sizes shape(t.sizes().begin(), t.sizes().begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), indices.sizes().begin(), indices.sizes().end());
  shape.insert(shape.end(), t.sizes().begin() + static_cast<std::ptrdiff_t>(axis) + 1, t.sizes().end());
  const Tensor out = c.empty(t.dtype(), shape);
  const std::int64_t inner = innerCount(t, axis + 1) * static_cast<std::int64_t>(t.itemBytes());
  const std::int64_t outer = product(t.sizes().first(axis)), size = t.size(axis), count = at.numel();
  const char *from = t.bytes();
  char *to = out.bytes();
  const auto *index = at.as<std::int64_t>();
  if (inner != 0)
    forEach(c.device(), outer * count, [=] CONDLINT_HD(std::int64_t i) {
      memcpy(to + i * inner, from + (i / count * size + index[i % count]) * inner, static_cast<std::size_t>(inner));
    });
  return out;
}

} // namespace

Tensor gatherAlong(const ExecContext &c, const Tensor &t, std::size_t axis, const Tensor &indices) {
  if (t.rank() == 0 || indices.rank() == 0)
    return copied(c, reshaped(c, t, indices.sizes()));
  if (indices.rank() != t.rank())
    c.fail(
        fmt::format("indices of shape {} into a tensor of shape {}", shapeText(indices.sizes()), shapeText(t.sizes())));
  for (std::size_t i = 0; i < t.rank(); ++i)
    if (i != axis && indices.size(i) > t.size(i))
      c.fail(fmt::format("indices of shape {} into a tensor of shape {}", shapeText(indices.sizes()),
                         shapeText(t.sizes())));
  const Tensor at = checkedIndices(c, indices, t.size(axis));
  const Tensor out = c.empty(t.dtype(), indices.sizes());
  const auto width = static_cast<std::int64_t>(t.itemBytes());
  struct Extents {
    std::int64_t size[Tensor::maxRank], stride[Tensor::maxRank];
    std::size_t rank, axis;
  } layout{};
  layout.rank = t.rank();
  layout.axis = axis;
  for (std::size_t i = 0; i < t.rank(); ++i) {
    layout.size[i] = indices.size(i);
    layout.stride[i] = t.stride(i);
  }
  const char *from = t.bytes();
  char *to = out.bytes();
  const auto *index = at.as<std::int64_t>();
  forEach(c.device(), out.numel(), [=] CONDLINT_HD(std::int64_t i) {
    std::int64_t rest = i, place = 0;
    for (std::size_t k = layout.rank; k-- > 0; rest /= layout.size[k])
      place += (k == layout.axis ? index[i] : rest % layout.size[k]) * layout.stride[k];
    memcpy(to + i * width, from + place * width, static_cast<std::size_t>(width));
  });
  return out;
}

// --- reading --------------------------------------------------------------------

void executeGather(ExecContext &c) {
  if (!c.isTorch()) {
    const Tensor &x = c.in(0);
    if (x.rank() == 0)
      c.fail("a tensor of rank 0 has no axis to gather along");
    return c.set(0, takeSlices(c, x, axisOf(c, c.integer("axis", 0), x.rank()), c.in(1)));
  }
  const Tensor &x = firstOperand(c);
  c.finish(0, gatherAlong(c, x, axisOf(c, c.integer("dim"), x.rank()), c.tensor("index")));
}

void executeGatherElements(ExecContext &c) {
  const Tensor &x = c.in(0);
  c.set(0, gatherAlong(c, x, axisOf(c, c.integer("axis", 0), x.rank()), c.in(1)));
}

void executeGatherNd(ExecContext &c) {
  const Tensor x = contiguous(c, c.in(0)), &indices = c.in(1);
  const std::int64_t batch = c.integer("batch_dims", 0);
  if (indices.rank() == 0 || batch < 0 || batch >= static_cast<std::int64_t>(std::min(x.rank(), indices.rank())))
    c.fail("the indices do not fit what they index");
  const auto b = static_cast<std::size_t>(batch);
  const std::int64_t depth = indices.size(indices.rank() - 1);
  if (depth < 0 || b + static_cast<std::size_t>(depth) > x.rank())
    c.fail("the indices do not fit what they index");
  const auto k = static_cast<std::size_t>(depth);
  Sizes shape(indices.sizes().begin(), indices.sizes().end() - 1);
  shape.insert(shape.end(), x.sizes().begin() + static_cast<std::ptrdiff_t>(b + k), x.sizes().end());
  const Tensor out = c.empty(x.dtype(), shape);
  const Sizes at = integersOf(c, indices);
  const std::int64_t inner = innerCount(x, b + k) * static_cast<std::int64_t>(x.itemBytes());
  const std::int64_t batches = product(x.sizes().first(b)), rows = indices.numel() / std::max<std::int64_t>(depth, 1);
  const std::int64_t each = batches == 0 ? 0 : rows / batches;
  const std::int64_t perBatch = product(x.sizes().subspan(b, k));
  for (std::int64_t r = 0; r < rows && inner != 0; ++r) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < k; ++d)
      place = place * x.size(b + d) + wrapped(c, at[static_cast<std::size_t>(r) * k + d], x.size(b + d));
    std::memcpy(out.bytes() + r * inner, x.bytes() + (r / std::max<std::int64_t>(each, 1) * perBatch + place) * inner,
                static_cast<std::size_t>(inner));
  }
  c.set(0, out);
}

void executeIndexSelect(ExecContext &c) {
  const Tensor &x = firstOperand(c), &index = c.tensor("index");
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  if (x.rank() == 0)
    return c.finish(0, copied(c, x));
  const std::int64_t flat[] = {index.numel()};
  c.finish(0, takeSlices(c, x, axis, reshaped(c, index, flat)));
}

void executeTakeAlongDim(ExecContext &c) {
  Tensor x = firstOperand(c), indices = c.tensor("indices");
  if (!c.hasArg("dim")) {
    const std::int64_t flat[] = {x.numel()}, flatIndices[] = {indices.numel()};
    return c.finish(0, gatherAlong(c, reshaped(c, x, flat), 0, reshaped(c, indices, flatIndices)));
  }
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  Sizes a = sizesOf(x), b = sizesOf(indices);
  const std::int64_t own = a[axis], theirs = b[axis];
  a[axis] = b[axis] = 1;
  Sizes common = broadcast(c, a, b);
  common[axis] = own;
  x = expanded(c, x, common);
  common[axis] = theirs;
  c.finish(0, gatherAlong(c, x, axis, expanded(c, indices, common)));
}

void executeTake(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::int64_t flat[] = {x.numel()};
  c.finish(0, takeSlices(c, reshaped(c, x, flat), 0, c.tensor("index")));
}

namespace {

/// What `x[indices]` reads or writes: the axes that are indexed, the indices stretched
/// to one shape, and where their shape stands in the result's.
struct AdvancedIndex {
  std::vector<std::size_t> axes;
  std::vector<Tensor> indices; ///< dense int64 of one shape, checked
  Sizes shape;                 ///< of the indices
  std::size_t position = 0;    ///< of their axes in the result
  Tensor x;                    ///< the operand, whose axes masks may have merged
};

AdvancedIndex advancedIndex(const ExecContext &c, const Tensor &self, const std::vector<std::optional<Tensor>> &given) {
  AdvancedIndex a;
  a.x = self;
  std::vector<std::optional<Tensor>> list;
  for (const std::optional<Tensor> &t : given) {
    if (!t || (t->dtype() != DType::Bool && t->dtype() != DType::UInt8)) {
      list.push_back(t);
      continue;
    }
    // A mask stands for the places where it is true, one index an axis.
    for (std::size_t k = 0; k < t->rank(); ++k)
      if (list.size() + k >= self.rank() || self.size(list.size() + k) != t->size(k))
        c.fail(fmt::format("a mask of shape {} does not fit {}", shapeText(t->sizes()), shapeText(self.sizes())));
    if (t->rank() == 0)
      c.fail("condlint does not index with a mask of rank 0");
    const Tensor places = nonzero(c, *t);
    for (std::size_t k = 0; k < t->rank(); ++k)
      list.emplace_back(contiguous(c, places.selected(1, static_cast<std::int64_t>(k))));
  }
  if (list.size() > self.rank())
    c.fail(fmt::format("{} indices for a tensor of shape {}", list.size(), shapeText(self.sizes())));
  bool adjacent = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i])
      continue;
    adjacent = adjacent && (a.axes.empty() || a.axes.back() + 1 == i);
    a.axes.push_back(i);
    a.shape = a.indices.empty() ? sizesOf(*list[i]) : broadcast(c, a.shape, list[i]->sizes());
    a.indices.push_back(*list[i]);
  }
  for (std::size_t k = 0; k < a.indices.size(); ++k)
    a.indices[k] = checkedIndices(c, expanded(c, a.indices[k], a.shape), self.size(a.axes[k]));
  a.position = adjacent && !a.axes.empty() ? a.axes[0] : 0;
  return a;
}

/// The operand with the indexed axes merged in front: [places, rest], as a view where
/// that is possible, and the flat place of each index.
struct FlatIndex {
  Tensor x; ///< [places, inner], dense
  Tensor places;
  Sizes rest;
};
FlatIndex flatten(const ExecContext &c, const AdvancedIndex &a) {
  FlatIndex f;
  std::vector<std::size_t> order = a.axes;
  std::int64_t count = 1;
  for (std::size_t i = 0; i < a.x.rank(); ++i)
    if (std::ranges::find(a.axes, i) == a.axes.end()) {
      order.push_back(i);
      f.rest.push_back(a.x.size(i));
    }
  for (std::size_t axis : a.axes)
    count *= a.x.size(axis);
  const std::int64_t shape[] = {count, product(f.rest)};
  f.x = contiguous(c, reshaped(c, a.x.permuted(order), shape));
  f.places = filled(c, DType::Int64, a.shape, Scalar::of(std::int64_t{0}));
  for (std::size_t k = 0; k < a.axes.size(); ++k)
    for (std::int64_t i = 0; i < f.places.numel(); ++i)
      f.places.out<std::int64_t>()[i] =
          f.places.as<std::int64_t>()[i] * a.x.size(a.axes[k]) + a.indices[k].as<std::int64_t>()[i];
  return f;
}

/// Moves the axes of the indices from the front to their place.
Tensor placeAxes(const Tensor &t, const AdvancedIndex &a) {
  std::vector<std::size_t> order;
  const std::size_t n = a.shape.size();
  for (std::size_t i = 0; i < t.rank(); ++i) {
    if (i < a.position)
      order.push_back(n + i);
    else if (i < a.position + n)
      order.push_back(i - a.position);
    else
      order.push_back(i);
  }
  return t.permuted(order);
}

} // namespace

void executeIndex(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const AdvancedIndex a = advancedIndex(c, x, c.optionalTensors("indices"));
  if (a.axes.empty())
    return c.set(0, copied(c, x));
  const FlatIndex f = flatten(c, a);
  const std::int64_t flat[] = {f.places.numel()};
  Sizes shape = a.shape;
  shape.insert(shape.end(), f.rest.begin(), f.rest.end());
  const Tensor taken = reshaped(c, takeSlices(c, f.x, 0, reshaped(c, f.places, flat)), shape);
  c.finish(0, contiguous(c, placeAxes(taken, a)));
}

void executeNonzero(ExecContext &c) {
  const Tensor found = nonzero(c, firstOperand(c));
  if (c.isTorch())
    return c.finish(0, found);
  c.set(0, contiguous(c, found.transposed(0, 1)));
}

void executeNonzeroStatic(ExecContext &c) {
  const Tensor found = nonzero(c, firstOperand(c));
  const std::int64_t size = c.integer("size");
  const std::int64_t shape[] = {size, found.size(1)};
  const Tensor out = filled(c, DType::Int64, shape, Scalar::of(c.integer("fill_value", -1)));
  const std::int64_t n = std::min(size, found.size(0));
  copyInto(c, out.sliced(0, 0, n), found.sliced(0, 0, n));
  c.finish(0, out);
}

void executeNonzeroNumpy(ExecContext &c) {
  const Tensor found = nonzero(c, firstOperand(c));
  std::vector<Tensor> columns;
  for (std::int64_t k = 0; k < found.size(1); ++k)
    columns.push_back(found.selected(1, k));
  c.setList(0, columns);
}

void executeMaskedSelect(ExecContext &c) {
  const Tensor &x = firstOperand(c), &mask = c.tensor("mask");
  const Sizes shape = broadcast(c, x.sizes(), mask.sizes());
  const Tensor values = contiguous(c, expanded(c, x, shape)), chosen = contiguous(c, expanded(c, mask, shape));
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < chosen.numel(); ++i)
    if (chosen.as<std::uint8_t>()[i] != 0)
      places.push_back(i);
  const std::int64_t flat[] = {values.numel()};
  c.finish(0, takeSlices(c, reshaped(c, values, flat), 0, tensorOf(c, places)));
}

void executeCompress(ExecContext &c) {
  Tensor x = c.in(0);
  std::size_t axis = 0;
  if (c.hasArg("axis")) {
    axis = axisOf(c, c.integer("axis"), x.rank());
  } else {
    const std::int64_t flat[] = {x.numel()};
    x = reshaped(c, x, flat);
  }
  const Sizes condition = integersOf(c, c.in(1));
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < condition.size(); ++i)
    if (condition[i] != 0)
      places.push_back(static_cast<std::int64_t>(i));
  c.set(0, takeSlices(c, x, axis, tensorOf(c, places)));
}

void executeEmbedding(ExecContext &c) { c.finish(0, takeSlices(c, c.tensor("weight"), 0, c.tensor("indices"))); }

void executeOneHot(ExecContext &c) {
  const Tensor &given = firstOperand(c);
  if (c.isTorch()) {
    const Sizes x = integersOf(c, given);
    std::int64_t classes = c.integer("num_classes", -1);
    for (std::int64_t v : x)
      if (v < 0)
        c.fail("Class values must be non-negative.");
    if (classes <= 0)
      for (std::int64_t v : x)
        classes = std::max(classes, v + 1);
    Sizes shape = sizesOf(given);
    shape.push_back(classes);
    const Tensor out = filled(c, DType::Int64, shape, Scalar::of(std::int64_t{0}));
    for (std::size_t i = 0; i < x.size(); ++i)
      out.out<std::int64_t>()[static_cast<std::int64_t>(i) * classes + wrapped(c, x[i], classes, false)] = 1;
    return c.set(0, out);
  }
  const std::int64_t depth = c.scalarIn(1).toInt();
  const Tensor values = contiguous(c, c.in(2));
  const std::size_t axis = axisOf(c, c.integer("axis", -1), given.rank() + 1);
  if (depth < 0 || values.numel() != 2)
    c.fail("OneHot needs a depth and two values");
  Sizes shape = sizesOf(given);
  shape.push_back(depth);
  const Tensor rows = expanded(c, reshaped(c, values.selected(0, 0), Sizes(shape.size(), 1)), shape);
  const Tensor out = copied(c, rows);
  const std::vector<double> x = doublesOf(c, given);
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto index = static_cast<std::int64_t>(x[i]);
    index += index < 0 ? depth : 0;
    if (index >= 0 && index < depth)
      copyInto(c, reshaped(c, out, Sizes{out.numel()}).selected(0, static_cast<std::int64_t>(i) * depth + index),
               values.selected(0, 1));
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < shape.size(); ++i)
    order.push_back(i < axis ? i : i == axis ? shape.size() - 1 : i - 1);
  c.set(0, contiguous(c, out.permuted(order)));
}

void executeBucketize(ExecContext &c) {
  const bool search = c.opName() == "searchsorted";
  const Tensor &edges = c.tensor(search ? "sorted_sequence" : "boundaries");
  const Operand given = c.tensorOrScalar("self");
  const bool right = c.flag("right") || c.text("side") == "right";
  const DType to = c.flag("out_int32") ? DType::Int32 : DType::Int64;
  const Tensor x = given.isTensor() ? given.tensor : scalarTensor(c, given.scalar, DType::Float64);
  if (c.hasArg("sorter"))
    c.fail("condlint does not execute searchsorted with a sorter");
  const std::vector<double> sequence = doublesOf(c, edges), values = doublesOf(c, x);
  const std::int64_t n = edges.rank() == 0 ? 1 : edges.size(edges.rank() - 1);
  const std::int64_t each = edges.rank() <= 1 ? static_cast<std::int64_t>(values.size()) : x.size(x.rank() - 1);
  const Tensor out = c.empty(DType::Int64, x.sizes());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto row = sequence.begin() + (edges.rank() <= 1 ? 0 : static_cast<std::int64_t>(i) / each * n);
    const auto at = right ? std::upper_bound(row, row + n, values[i]) : std::lower_bound(row, row + n, values[i]);
    out.out<std::int64_t>()[i] = at - row;
  }
  c.finish(0, cast(c, out, to));
}

// --- writing --------------------------------------------------------------------

namespace {

enum class Combine : std::uint8_t { Set, Add, Multiply, Maximum, Minimum };

Combine combineNamed(const ExecContext &c, std::string_view name) {
  if (name.empty() || name == "none")
    return Combine::Set;
  if (name == "add" || name == "sum")
    return Combine::Add;
  if (name == "mul" || name == "multiply" || name == "prod")
    return Combine::Multiply;
  if (name == "max" || name == "amax")
    return Combine::Maximum;
  if (name == "min" || name == "amin")
    return Combine::Minimum;
  c.fail(fmt::format("condlint does not combine with '{}'", name));
}

template <class T> void combineAt(T &to, T v, Combine how) {
  switch (how) {
  case Combine::Set:
    to = v;
    break;
  case Combine::Add:
    to = wrapAdd(to, v);
    break;
  case Combine::Multiply:
    to = wrapMul(to, v);
    break;
  default:
    if constexpr (!isComplexNumber<T>)
      to = how == Combine::Maximum ? Maximum()(to, v) : Minimum()(to, v);
  }
}

/// Writes elements of \p source to the \p places (flat) of \p x, a dense tensor in
/// its compute type, one after the other.
void combineInto(const ExecContext &c, const Tensor &x, const std::vector<std::int64_t> &places, const Tensor &source,
                 Combine how) {
  const Tensor values = contiguous(c, cast(c, source, x.dtype()));
  if ((how == Combine::Maximum || how == Combine::Minimum) && isComplex(x.dtype()))
    c.fail("complex numbers have no order");
  withCompute(computeOf(x.dtype()), [&](auto zero) {
    using T = decltype(zero);
    T *to = x.out<T>();
    const T *from = values.as<T>();
    for (std::size_t i = 0; i < places.size(); ++i)
      combineAt(to[places[i]], from[i], how);
  });
}

/// A dense copy of \p t in which elements can be combined.
Tensor workingCopy(const ExecContext &c, const Tensor &t) {
  const Tensor x = computing(c, t);
  return x.sharesStorage(t) ? copied(c, x) : x;
}

/// The flat places in a tensor of \p sizes that scatter along \p axis writes.
std::vector<std::int64_t> scatterPlaces(const ExecContext &c, const Tensor &t, std::size_t axis, const Tensor &index) {
  const Tensor at = checkedIndices(c, index, t.rank() == 0 ? 1 : t.size(axis));
  const Sizes strides = contiguousStrides(t.sizes());
  std::vector<std::int64_t> places(static_cast<std::size_t>(at.numel()));
  for (std::int64_t i = 0; i < at.numel(); ++i) {
    std::int64_t rest = i, place = 0;
    for (std::size_t k = index.rank(); k-- > 0; rest /= index.size(k))
      place += (k == axis ? at.as<std::int64_t>()[i] : rest % index.size(k)) * (k < strides.size() ? strides[k] : 0);
    places[static_cast<std::size_t>(i)] = place;
  }
  return places;
}

/// ATen's scatter family, ONNX's ScatterElements.
void scatterAlong(ExecContext &c, const Tensor &x, std::size_t axis, const Tensor &index, Operand source, Combine how,
                  bool mean, bool includeSelf) {
  if (index.rank() != x.rank() && index.numel() != 0 && x.rank() != 0)
    c.fail(
        fmt::format("indices of shape {} into a tensor of shape {}", shapeText(index.sizes()), shapeText(x.sizes())));
  for (std::size_t i = 0; i < std::min(x.rank(), index.rank()); ++i)
    if ((i != axis && index.size(i) > x.size(i)) ||
        (source.isTensor() && source.tensor.rank() == index.rank() && index.size(i) > source.tensor.size(i)))
      c.fail(fmt::format("indices of shape {} do not fit {}", shapeText(index.sizes()), shapeText(x.sizes())));
  const bool text = x.dtype() == DType::String;
  Tensor out = text ? copied(c, x) : workingCopy(c, x);
  if (index.numel() == 0)
    return c.finish(0, cast(c, out, x.dtype()));
  Tensor values;
  if (source.isTensor()) {
    values = source.tensor;
    for (std::size_t i = 0; i < index.rank(); ++i)
      values = values.sliced(i, 0, index.size(i));
  } else {
    values = filled(c, out.dtype(), index.sizes(), source.scalar);
  }
  const std::vector<std::int64_t> places = scatterPlaces(c, x, axis, index);
  if (!includeSelf) {
    // What is written to starts from the neutral element.
    double neutral = 0;
    if (how == Combine::Multiply)
      neutral = 1;
    if (how == Combine::Maximum || how == Combine::Minimum) {
      combineInto(c, out, places, values, Combine::Set);
    } else {
      combineInto(c, out, places, filled(c, out.dtype(), index.sizes(), Scalar::of(neutral)), Combine::Set);
    }
  }
  combineInto(c, out, places, values, how);
  if (mean) {
    const Tensor count = filled(c, out.dtype(), out.sizes(), Scalar::of(includeSelf ? 1.0 : 0.0));
    combineInto(c, count, places, filled(c, out.dtype(), index.sizes(), Scalar::of(1.0)), Combine::Add);
    const Tensor divisor = map(c, Maximum(), {operandOf(count), operandOf(1.0)});
    out = isFloating(out.dtype()) ? div(c, operandOf(out), operandOf(divisor))
                                  : map(c, FloorDivide(), {operandOf(out), operandOf(divisor)});
  }
  c.finish(0, cast(c, out, x.dtype()));
}

void scatterNd(ExecContext &c) {
  const Tensor &x = c.in(0), &indices = c.in(1), &updates = c.in(2);
  const Combine how = combineNamed(c, c.text("reduction", "none"));
  Tensor out = x.dtype() == DType::String ? copied(c, x) : workingCopy(c, x);
  if (indices.rank() == 0 || indices.size(indices.rank() - 1) > static_cast<std::int64_t>(x.rank()))
    c.fail("the indices do not fit what they index");
  const auto k = static_cast<std::size_t>(indices.size(indices.rank() - 1));
  const Sizes at = integersOf(c, indices);
  const std::int64_t inner = innerCount(x, k), rows = product(indices.sizes().first(indices.rank() - 1));
  if (updates.numel() != rows * inner)
    c.fail("the updates do not fit the indices");
  std::vector<std::int64_t> places;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < k; ++d)
      place = place * x.size(d) + wrapped(c, at[static_cast<std::size_t>(r) * k + d], x.size(d));
    for (std::int64_t i = 0; i < inner; ++i)
      places.push_back(place * inner + i);
  }
  combineInto(c, out, places, updates, how);
  c.set(0, cast(c, out, x.dtype()));
}

/// TensorScatter: rows of a cache from given positions on, linear or circular.
void tensorScatter(ExecContext &c) {
  const Tensor &past = c.in(0), &update = c.in(1);
  const Tensor out = copied(c, past);
  const std::size_t axis = axisOf(c, c.integer("axis", -2), past.rank());
  const bool circular = c.text("mode", "linear") == "circular";
  const auto begin = c.integersIn(2);
  if (past.rank() != update.rank() || axis == 0)
    c.fail("the update does not fit the cache");
  const std::int64_t limit = past.size(axis);
  for (std::int64_t b = 0; b < past.size(0); ++b) {
    const std::int64_t first = begin ? (*begin)[static_cast<std::size_t>(b) % begin->size()] : 0;
    for (std::int64_t i = 0; i < update.size(axis); ++i) {
      std::int64_t at = first + i;
      if (circular && limit != 0)
        at %= limit;
      if (at < 0 || at >= limit)
        c.fail(fmt::format("the position {} is outside of a cache of {}", at, limit));
      copyInto(c, out.selected(0, b).selected(axis - 1, at), update.selected(0, b).selected(axis - 1, i));
    }
  }
  c.set(0, out);
}

} // namespace

void executeScatter(ExecContext &c) {
  const std::string_view name = c.opName();
  if (!c.isTorch()) {
    if (name == "ScatterND")
      return scatterNd(c);
    if (name == "TensorScatter")
      return tensorScatter(c);
    const Tensor &x = c.in(0);
    return scatterAlong(c, x, axisOf(c, c.integer("axis", 0), x.rank()), c.in(1), operandOf(c.in(2)),
                        combineNamed(c, c.text("reduction", "none")), false, true);
  }
  const Tensor &x = firstOperand(c);
  const Tensor &index = c.tensor("index");
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  if (name.starts_with("index_")) {
    // Whole slices: one index an entry of the source along the axis.
    Tensor source = c.tensor("source");
    const double alpha = c.real("alpha", 1.0);
    if (alpha != 1)
      source = mul(c, operandOf(source), operandOf(alpha));
    Sizes shape = sizesOf(source);
    Sizes column(std::max<std::size_t>(x.rank(), 1), 1);
    column[axis] = index.numel();
    const Tensor wide = expanded(c, reshaped(c, index, column), shape.empty() ? column : shape);
    std::string_view how = name.starts_with("index_add")    ? "add"
                           : name.starts_with("index_copy") ? "none"
                                                            : c.text("reduce");
    const bool mean = how == "mean";
    return scatterAlong(c, x, axis, x.rank() == 0 ? reshaped(c, index, {}) : wide,
                        operandOf(x.rank() == 0 ? reshaped(c, source, {}) : source),
                        mean ? Combine::Add : combineNamed(c, how), mean, c.flag("include_self", true));
  }
  Operand source = c.hasArg("src") ? c.tensorOrScalar("src") : c.tensorOrScalar("value");
  std::string_view how = name.starts_with("scatter_add") ? "add" : c.text("reduce", "none");
  const bool mean = how == "mean";
  scatterAlong(c, x, axis, index, source, mean ? Combine::Add : combineNamed(c, how), mean,
               !name.starts_with("scatter_reduce") || c.flag("include_self", true));
}

void executeIndexPut(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = firstOperand(c);
  if (name.starts_with("index_fill")) {
    const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
    const Operand value = c.tensorOrScalar("value");
    const Scalar v = value.isTensor() ? scalarOfTensor(c, value.tensor) : value.scalar;
    const Tensor out = copied(c, x);
    const Sizes indices = integersOf(c, c.tensor("index"));
    for (std::int64_t i : indices)
      fill(c, x.rank() == 0 ? out : out.selected(axis, wrapped(c, i, x.size(axis))), v);
    return c.finish(0, out);
  }
  Tensor out = workingCopy(c, x);
  const bool accumulate = c.flag("accumulate");
  if (name.starts_with("put")) {
    const Tensor at = checkedIndices(c, c.tensor("index"), x.numel());
    const std::vector<std::int64_t> places(at.as<std::int64_t>(), at.as<std::int64_t>() + at.numel());
    combineInto(c, out, places, c.tensor("source"), accumulate ? Combine::Add : Combine::Set);
    return c.finish(0, cast(c, out, x.dtype()));
  }
  const AdvancedIndex a = advancedIndex(c, out, c.optionalTensors("indices"));
  const Tensor &given = c.tensor("values");
  if (a.axes.empty()) {
    copyInto(c, out, accumulate ? add(c, operandOf(out), operandOf(given)) : given);
    return c.finish(0, cast(c, out, x.dtype()));
  }
  const FlatIndex f = flatten(c, a);
  // The values have the shape of the result of the same index.
  Sizes shape = a.shape;
  shape.insert(shape.end(), f.rest.begin(), f.rest.end());
  Sizes placed;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t n = a.shape.size();
    placed.push_back(shape[i < a.position ? n + i : i < a.position + n ? i - a.position : i]);
  }
  const Tensor wide = expanded(c, given, placed);
  // Back to the order [indices, rest].
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < a.shape.size(); ++i)
    order.push_back(a.position + i);
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (i < a.position || i >= a.position + a.shape.size())
      order.push_back(i);
  const std::int64_t inner = product(f.rest);
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < f.places.numel(); ++i)
    for (std::int64_t k = 0; k < inner; ++k)
      places.push_back(f.places.as<std::int64_t>()[i] * inner + k);
  const Tensor flat = f.x.sharesStorage(x) ? copied(c, f.x) : f.x;
  combineInto(c, flat, places, wide.permuted(order), accumulate ? Combine::Add : Combine::Set);
  // From [indexed axes, rest] to the operand's own order.
  std::vector<std::size_t> merged = a.axes, inverse(x.rank());
  Sizes sizes;
  for (std::size_t i = 0; i < x.rank(); ++i)
    if (std::ranges::find(a.axes, i) == a.axes.end())
      merged.push_back(i);
  for (std::size_t i = 0; i < merged.size(); ++i) {
    inverse[merged[i]] = i;
    sizes.push_back(x.size(merged[i]));
  }
  c.finish(0, contiguous(c, cast(c, reshaped(c, flat, sizes).permuted(inverse), x.dtype())));
}

void executeMaskedScatter(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const Sizes shape = broadcast(c, x.sizes(), c.tensor("mask").sizes());
  const Tensor out = copied(c, expanded(c, x, shape));
  const Tensor mask = contiguous(c, expanded(c, c.tensor("mask"), shape));
  const Tensor source = contiguous(c, cast(c, c.tensor("source"), x.dtype()));
  const std::size_t width = x.itemBytes();
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < mask.numel(); ++i) {
    if (mask.as<std::uint8_t>()[i] == 0)
      continue;
    if (next >= source.numel())
      c.fail("masked_scatter has fewer elements than places");
    std::memcpy(out.bytes() + static_cast<std::size_t>(i) * width,
                source.bytes() + static_cast<std::size_t>(next++) * width, width);
  }
  c.finish(0, out);
}

/// select_scatter, slice_scatter, diagonal_scatter, as_strided_scatter: a copy of self
/// of which one view is overwritten.
void executeSelectScatter(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = firstOperand(c);
  const Tensor out = copied(c, x);
  if (name == "fill_diagonal_") {
    const std::int64_t n = x.rank() < 2 ? 0 : *std::ranges::min_element(x.sizes());
    std::int64_t step = 0;
    for (std::int64_t s : out.strides())
      step += s;
    const std::int64_t height = x.rank() == 2 && c.flag("wrap") ? (x.numel() + step - 1) / step : n;
    const std::int64_t sizes[] = {height}, strides[] = {step};
    fill(c, out.with(sizes, strides, 0), c.scalar("fill_value"));
    return c.finish(0, out);
  }
  const Tensor &source = c.tensor("src");
  if (name == "select_scatter") {
    const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
    copyInto(c, out.selected(axis, wrapped(c, c.integer("index"), x.size(axis))), source);
  } else if (name == "slice_scatter") {
    const std::size_t axis = axisOf(c, c.integer("dim", 0), x.rank());
    const std::int64_t size = x.size(axis), step = c.integer("step", 1);
    const auto clamped = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
    const std::int64_t begin = clamped(c.integer("start", 0)),
                       end = std::max(begin, clamped(c.integer("end", INT64_MAX)));
    if (step <= 0)
      c.fail("the step of a slice must be positive");
    copyInto(c, out.sliced(axis, begin, (end - begin + step - 1) / step, step), source);
  } else if (name == "diagonal_scatter") {
    const std::int64_t offset = c.integer("offset", 0);
    const std::size_t p = axisOf(c, c.integer("dim1", 0), x.rank()), q = axisOf(c, c.integer("dim2", 1), x.rank());
    Sizes sizes, strides;
    for (std::size_t i = 0; i < x.rank(); ++i)
      if (i != p && i != q) {
        sizes.push_back(out.size(i));
        strides.push_back(out.stride(i));
      }
    sizes.push_back(std::max<std::int64_t>(
        offset >= 0 ? std::min(x.size(p), x.size(q) - offset) : std::min(x.size(p) + offset, x.size(q)), 0));
    strides.push_back(out.stride(p) + out.stride(q));
    copyInto(c, out.with(sizes, strides, offset >= 0 ? offset * out.stride(q) : -offset * out.stride(p)), source);
  } else {
    c.fail("condlint does not execute as_strided_scatter");
  }
  c.finish(0, out);
}

void executeEmbeddingBag(ExecContext &c) {
  const Tensor &weight = c.tensor("weight");
  const Tensor &indices = c.tensor("indices");
  const std::int64_t mode = c.integer("mode", 0), padding = c.integer("padding_idx", -1);
  const bool includeLast = c.flag("include_last_offset");
  if (weight.rank() != 2)
    c.fail("the weight of embedding_bag is no matrix");
  const Sizes at = integersOf(c, indices);
  const Sizes offsets = integersOf(c, c.tensor("offsets"));
  const Tensor *scale = c.maybeTensor("per_sample_weights");
  const std::vector<double> scales = scale ? doublesOf(c, *scale) : std::vector<double>();
  const std::int64_t bags = static_cast<std::int64_t>(offsets.size()) - (includeLast ? 1 : 0), width = weight.size(1);
  const std::vector<double> w = doublesOf(c, weight);
  const std::int64_t shape[] = {std::max<std::int64_t>(bags, 0), width};
  const Tensor out = filled(c, DType::Float64, shape, Scalar::of(0.0));
  std::vector<std::int64_t> bagOf(at.size()), sizes(static_cast<std::size_t>(std::max<std::int64_t>(bags, 0)));
  const Tensor largest = filled(c, DType::Int64, shape, Scalar::of(std::int64_t{-1}));
  for (std::int64_t b = 0; b < bags; ++b) {
    const std::int64_t first = offsets[static_cast<std::size_t>(b)];
    const std::int64_t last = b + 1 < static_cast<std::int64_t>(offsets.size())
                                  ? offsets[static_cast<std::size_t>(b) + 1]
                                  : static_cast<std::int64_t>(at.size());
    std::int64_t count = 0;
    double *row = out.out<double>() + b * width;
    for (std::int64_t i = first; i < last; ++i) {
      if (i < 0 || i >= static_cast<std::int64_t>(at.size()))
        c.fail("an offset of embedding_bag is outside of its indices");
      const std::int64_t index = wrapped(c, at[static_cast<std::size_t>(i)], weight.size(0), false);
      bagOf[static_cast<std::size_t>(i)] = b;
      if (index == padding)
        continue;
      const double s = scales.empty() ? 1 : scales[static_cast<std::size_t>(i)];
      for (std::int64_t k = 0; k < width; ++k) {
        const double v = w[static_cast<std::size_t>(index * width + k)] * s;
        if (mode != 2) {
          row[k] += v;
        } else if (count == 0 || v > row[k]) {
          row[k] = v;
          largest.out<std::int64_t>()[b * width + k] = index;
        }
      }
      ++count;
    }
    for (std::int64_t k = 0; k < width && mode == 1 && count != 0; ++k)
      row[k] /= static_cast<double>(count);
    sizes[static_cast<std::size_t>(b)] = count;
  }
  c.finish(0, cast(c, out, weight.dtype()));
  c.finish(1, tensorOf(c, bagOf));
  c.finish(2, tensorOf(c, sizes));
  c.finish(3, mode == 2 ? largest : tensorOf(c, sizes));
}

} // namespace condlint

//===- View.cpp - Views, executed -----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "View.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "Functors.h"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace condlint {

namespace {

/// The element type and the strides of a complex tensor's parts.
Tensor partsOf(const Tensor &t, std::int64_t part, bool both) {
  Sizes sizes = sizesOf(t), strides;
  for (std::int64_t s : t.strides())
    strides.push_back(2 * s);
  if (both) {
    sizes.push_back(2);
    strides.push_back(1);
  }
  return {&t.storage(), realType(t.dtype()), sizes, strides, 2 * t.offset() + part};
}

/// A shape with at most one -1, which the number of elements of what had the shape \p of decides.
Sizes resolved(const ExecContext &c, SizeSpan of, std::int64_t elements, Sizes shape) {
  std::int64_t known = 1;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0) {
      if (__builtin_mul_overflow(known, shape[i], &known))
        c.fail(fmt::format("a tensor of shape {} cannot be", shapeText(shape)));
    } else if (shape[i] == -1 && !open) {
      open = i;
    } else {
      c.fail(fmt::format("the shape {} has more than one open size", shapeText(shape)));
    }
  }
  if (open) {
    if (known == 0 || elements % known != 0)
      c.fail(fmt::format("a tensor of shape {} cannot take the shape {}", shapeText(of), shapeText(shape)));
    shape[*open] = elements / known;
  }
  return shape;
}

/// A tensor argument: torch's `self` or what stands first.
const Tensor &source(const ExecContext &c) { return firstOperand(c); }

/// [begin, end) of a Python slice on an axis of \p size.
std::int64_t clampIndex(std::int64_t i, std::int64_t size) {
  if (i < 0)
    i = i < -size ? 0 : i + size;
  return std::min(i, size);
}

} // namespace

void executeAlias(ExecContext &c) { c.finishView(source(c)); }

void executeConj(ExecContext &c) {
  const Tensor &t = source(c);
  c.set(0, isComplex(t.dtype()) ? map(c, Conjugate(), {operandOf(t)}) : t);
}

void executeReal(ExecContext &c) {
  const Tensor &t = source(c);
  c.set(0, isComplex(t.dtype()) ? partsOf(t, 0, false) : t);
}

void executeImag(ExecContext &c) {
  const Tensor &t = source(c);
  if (!isComplex(t.dtype()))
    c.fail("imag is for complex tensors");
  c.set(0, partsOf(t, 1, false));
}

void executeViewAsReal(ExecContext &c) {
  const Tensor &t = source(c);
  if (!isComplex(t.dtype()))
    c.fail("view_as_real is for complex tensors");
  c.finishView(partsOf(t, 0, true));
}

void executeViewAsComplex(ExecContext &c) {
  const Tensor &t = source(c);
  bool fits = t.rank() != 0 && t.size(t.rank() - 1) == 2 && t.stride(t.rank() - 1) == 1 && t.offset() % 2 == 0 &&
              complexType(t.dtype()) != t.dtype() && t.dtype() != DType::BFloat16;
  Sizes sizes = sizesOf(t), strides;
  for (std::size_t i = 0; i + 1 < t.rank(); ++i) {
    fits = fits && (t.stride(i) % 2 == 0 || t.size(i) == 1);
    strides.push_back(t.stride(i) / 2);
  }
  if (!fits)
    c.fail(
        fmt::format("a {} tensor of shape {} cannot be viewed as complex", dtypeName(t.dtype()), shapeText(t.sizes())));
  sizes.pop_back();
  c.finishView({&t.storage(), complexType(t.dtype()), sizes, strides, t.offset() / 2});
}

namespace {

/// The bytes of \p t as elements of the type \p to: the last axis, which must lie without gaps, grows or shrinks.
Tensor ofOtherWidth(const ExecContext &c, const Tensor &t, DType to) {
  const auto was = static_cast<std::int64_t>(t.itemBytes()), is = static_cast<std::int64_t>(elementBytes(to));
  if (is == was)
    return t.withDType(to);
  if (t.rank() == 0 || is == 0 || t.stride(t.rank() - 1) != 1)
    c.fail(fmt::format("a {} tensor of shape {} cannot be viewed as {}: its last axis is no run of elements",
                       dtypeName(t.dtype()), shapeText(t.sizes()), dtypeName(to)));
  Sizes sizes = sizesOf(t), strides(t.strides().begin(), t.strides().end());
  bool fits = true;
  const auto converted = [&](std::int64_t n) {
    const std::int64_t bytes = times(c, n, was);
    fits = fits && bytes % is == 0;
    return bytes / is;
  };
  sizes.back() = converted(sizes.back());
  for (std::size_t i = 0; i + 1 < strides.size(); ++i)
    strides[i] = converted(strides[i]);
  const std::int64_t offset = converted(t.offset());
  if (!fits)
    c.fail(
        fmt::format("a {} tensor of shape {} cannot be viewed as {}: its sizes, strides and offset are not divisible",
                    dtypeName(t.dtype()), shapeText(t.sizes()), dtypeName(to)));
  return {&t.storage(), to, sizes, strides, offset};
}

} // namespace

void executeReshape(ExecContext &c) {
  const Tensor &t = source(c);
  if (c.isTorch()) {
    if (const auto dtype = c.overload() == "dtype" ? c.dtype("dtype") : std::nullopt) {
      return c.finishView(ofOtherWidth(c, t, *dtype));
    }
    Sizes shape;
    if (const Tensor *other = c.maybeTensor("other"))
      shape = sizesOf(*other);
    else if (auto given = c.integers(c.attribute("size") ? "size" : "shape"))
      shape = *given;
    else
      c.fail("the shape is missing");
    return c.finishView(reshaped(c, t, resolved(c, t.sizes(), t.numel(), shape)));
  }
  auto shape = c.integers("shape", 1);
  if (!shape)
    c.fail("Reshape has no shape");
  if (!c.flag("allowzero"))
    for (std::size_t i = 0; i < shape->size(); ++i)
      if ((*shape)[i] == 0) {
        if (i >= t.rank())
          c.fail("Reshape copies the size of an axis that is not there");
        (*shape)[i] = t.size(i);
      }
  c.set(0, reshaped(c, t, resolved(c, t.sizes(), t.numel(), *shape)));
}

void executeFlatten(ExecContext &c) {
  const Tensor &t = source(c);
  if (!c.isTorch()) {
    std::int64_t axis = c.integer("axis", 1);
    if (axis < 0)
      axis += static_cast<std::int64_t>(t.rank());
    if (axis < 0 || axis > static_cast<std::int64_t>(t.rank()))
      c.fail("the axis of Flatten is outside of its input");
    const std::int64_t rows = product(t.sizes().first(static_cast<std::size_t>(axis)));
    const std::int64_t shape[] = {rows, product(t.sizes().subspan(static_cast<std::size_t>(axis)))};
    return c.set(0, reshaped(c, t, shape));
  }
  const std::size_t first = axisOf(c, c.integer("start_dim", 0), t.rank());
  const std::size_t last = axisOf(c, c.integer("end_dim", -1), t.rank());
  if (first > last)
    c.fail("flatten() has its axes in the wrong order");
  if (t.rank() == 0) {
    const std::int64_t one[] = {1};
    return c.set(0, reshaped(c, t, one));
  }
  if (first == last)
    return c.set(0, t);
  Sizes shape(t.sizes().begin(), t.sizes().begin() + static_cast<std::ptrdiff_t>(first));
  shape.push_back(product(t.sizes().subspan(first, last - first + 1)));
  shape.insert(shape.end(), t.sizes().begin() + static_cast<std::ptrdiff_t>(last) + 1, t.sizes().end());
  c.set(0, reshaped(c, t, shape));
}

void executeUnflatten(ExecContext &c) {
  const Tensor &t = source(c);
  const std::size_t axis = axisOf(c, c.integer("dim"), t.rank());
  if (t.rank() == 0)
    c.fail("a tensor of rank 0 has no axis to unflatten");
  const std::int64_t own[] = {t.size(axis)};
  const Sizes inner = resolved(c, own, own[0], c.integers("sizes").value_or(Sizes()));
  Sizes shape = sizesOf(t);
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), inner.begin(), inner.end());
  c.set(0, reshaped(c, t, shape));
}

void executePermute(ExecContext &c) {
  const Tensor &t = source(c);
  std::vector<std::size_t> axes;
  auto given = c.isTorch() ? c.integers("dims") : c.integers("perm");
  if (!given)
    given = c.integers("permutation");
  if (given)
    for (std::int64_t a : *given)
      axes.push_back(axisOf(c, a, t.rank()));
  else
    for (std::size_t i = t.rank(); i-- > 0;)
      axes.push_back(i);
  std::vector<std::size_t> sorted = axes;
  std::ranges::sort(sorted);
  if (axes.size() != t.rank() || std::ranges::adjacent_find(sorted) != sorted.end())
    c.fail(
        fmt::format("the axes {} are no order of those of {}", given ? shapeText(*given) : "", shapeText(t.sizes())));
  c.finishView(t.permuted(axes));
}

void executeTranspose(ExecContext &c) {
  const Tensor &t = source(c);
  const bool named = c.attribute("axis0") != nullptr;
  if (t.rank() == 0)
    return c.finishView(t);
  c.finishView(t.transposed(axisOf(c, c.integer(named ? "axis0" : "dim0"), t.rank()),
                            axisOf(c, c.integer(named ? "axis1" : "dim1"), t.rank())));
}

void executeMatrixTranspose(ExecContext &c) {
  const Tensor &t = source(c);
  c.finishView(t.rank() < 2 ? t : t.transposed(t.rank() - 2, t.rank() - 1));
}

void executeAdjoint(ExecContext &c) {
  const Tensor &t = source(c);
  const Tensor turned = t.rank() < 2 ? t : t.transposed(t.rank() - 2, t.rank() - 1);
  c.set(0, isComplex(t.dtype()) ? map(c, Conjugate(), {operandOf(turned)}) : turned);
}

void executeMovedim(ExecContext &c) {
  const Tensor &t = source(c);
  const Sizes from = c.integers("source").value_or(Sizes()), to = c.integers("destination").value_or(Sizes());
  constexpr std::size_t open = Tensor::maxRank;
  std::vector<std::size_t> order(t.rank(), open);
  std::vector<bool> used(t.rank());
  if (from.size() != to.size())
    c.fail("movedim needs as many sources as destinations");
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t at = axisOf(c, to[i], t.rank()), own = axisOf(c, from[i], t.rank());
    if (t.rank() == 0)
      continue;
    if (order[at] != open || used[own])
      c.fail("movedim names an axis twice");
    order[at] = own;
    used[own] = true;
  }
  std::size_t next = 0;
  for (std::size_t &o : order) {
    if (o != open)
      continue;
    while (next < used.size() && used[next])
      ++next;
    if (next >= used.size())
      c.fail("movedim names an axis twice");
    o = next++;
  }
  c.set(0, t.permuted(order));
}

void executeUnsqueeze(ExecContext &c) {
  Tensor t = source(c);
  if (c.isTorch()) // the new axis is found in the result
    return c.finishView(t.unsqueezed(axisOf(c, c.integer("dim"), t.rank() + 1)));
  const auto axes = c.integers("axes", 1);
  if (!axes)
    c.fail("Unsqueeze has no axes");
  if (t.rank() + axes->size() > Tensor::maxRank)
    c.fail("the result of Unsqueeze has too many axes");
  if (!axes->empty())
    for (std::size_t a : axesOf(c, *axes, t.rank() + axes->size()))
      t = t.unsqueezed(a);
  c.set(0, t);
}

void executeSqueeze(ExecContext &c) {
  Tensor t = source(c);
  std::vector<std::size_t> axes;
  std::optional<Sizes> given;
  if (c.isTorch())
    given = c.integers(c.attribute("dimensions") ? "dimensions" : "dim");
  else
    given = c.integers("axes", 1);
  if (!given)
    axes = axesOf(c, {}, t.rank());
  else if (!given->empty())
    axes = axesOf(c, *given, t.rank());
  for (auto a = axes.rbegin(); a != axes.rend(); ++a) {
    if (t.size(*a) == 1)
      t = t.squeezed(*a);
    else if (given && !c.isTorch())
      c.fail(fmt::format("the axis {} of {} is not of size 1", *a, shapeText(t.sizes())));
  }
  c.finishView(t);
}

void executeExpand(ExecContext &c) {
  const Tensor &t = source(c);
  if (!c.isTorch()) // both are stretched
    return c.set(0, expanded(c, t, broadcast(c, t.sizes(), c.integersIn(1).value_or(Sizes()))));
  Sizes shape;
  if (const Tensor *other = c.maybeTensor("other"))
    shape = sizesOf(*other);
  else
    shape = c.integers("size").value_or(Sizes());
  if (shape.size() < t.rank())
    c.fail(fmt::format("a tensor of shape {} cannot be stretched to {}", shapeText(t.sizes()), shapeText(shape)));
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == -1 && i >= shape.size() - t.rank())
      shape[i] = t.size(i - (shape.size() - t.rank()));
  c.finishView(expanded(c, t, shape));
}

Tensor stridedView(const ExecContext &c, const Tensor &t, std::int64_t offset) {
  const Sizes sizes = c.integers("size").value_or(Sizes()), strides = c.integers("stride").value_or(Sizes());
  // Every element must lie in the storage.
  std::int64_t last = offset;
  bool fits = sizes.size() == strides.size() && sizes.size() <= Tensor::maxRank && offset >= 0;
  // What a view without elements begins at is any number, of which the address is still one.
  constexpr std::int64_t farthest = std::int64_t{1} << 40;
  const auto count = elementCount(sizes);
  for (std::size_t i = 0; fits && i < sizes.size(); ++i) {
    std::int64_t reach = 0;
    fits = strides[i] >= 0 && sizes[i] >= 0 &&
           !__builtin_mul_overflow(std::max<std::int64_t>(sizes[i] - 1, 0), strides[i], &reach) &&
           !__builtin_add_overflow(last, reach, &last);
  }
  const auto capacity = static_cast<std::int64_t>(t.storage().size() / t.itemBytes());
  if (!fits || !count || (*count == 0 ? offset > farthest : last >= capacity))
    c.fail(fmt::format("the view of shape {} with the strides {} at {} leaves the storage of {} elements",
                       shapeText(sizes), shapeText(strides), offset, capacity));
  return t.with(sizes, strides, offset);
}

void executeAsStrided(ExecContext &c) {
  const Tensor &t = source(c);
  c.finishView(stridedView(c, t, c.integer("storage_offset", t.offset())));
}

void executeDiagonal(ExecContext &c) {
  const bool linear = c.hasArg("A");
  const Tensor &t = linear ? c.tensor("A") : source(c);
  const std::int64_t offset = c.integer("offset", 0);
  const std::size_t a = axisOf(c, c.integer("dim1", linear ? -2 : 0), t.rank());
  const std::size_t b = axisOf(c, c.integer("dim2", linear ? -1 : 1), t.rank());
  if (t.rank() < 2 || a == b)
    c.fail("a diagonal needs two axes");
  const std::int64_t length = std::max<std::int64_t>(
      offset >= 0 ? std::min(t.size(a), t.size(b) - offset) : std::min(t.size(a) + offset, t.size(b)), 0);
  Sizes sizes, strides;
  for (std::size_t i = 0; i < t.rank(); ++i)
    if (i != a && i != b) {
      sizes.push_back(t.size(i));
      strides.push_back(t.stride(i));
    }
  sizes.push_back(length);
  strides.push_back(t.stride(a) + t.stride(b));
  const std::int64_t shift = length == 0 ? 0 : offset >= 0 ? offset * t.stride(b) : -offset * t.stride(a);
  c.finishView(t.with(sizes, strides, t.offset() + shift));
}

void executeUnfold(ExecContext &c) {
  const Tensor &t = source(c);
  const std::int64_t size = c.integer("size"), step = c.integer("step");
  if (t.rank() == 0)
    c.fail("condlint does not unfold a tensor of rank 0");
  const std::size_t axis = axisOf(c, c.integer("dimension"), t.rank());
  if (size < 0 || step <= 0 || size > t.size(axis))
    c.fail(fmt::format("windows of {} every {} do not fit into {}", size, step, shapeText(t.sizes())));
  Sizes sizes = sizesOf(t), strides(t.strides().begin(), t.strides().end());
  const std::int64_t own = strides[axis];
  sizes[axis] = (t.size(axis) - size) / step + 1;
  strides[axis] = sizes[axis] > 1 ? own * step : own;
  sizes.push_back(size);
  strides.push_back(own);
  c.finishView(t.with(sizes, strides, t.offset()));
}

void executeBroadcastInDim(ExecContext &c) {
  const Tensor &t = c.tensor("a");
  const Sizes shape = c.integers("shape").value_or(Sizes());
  const Sizes axes = c.integers("broadcast_dimensions").value_or(Sizes());
  if (axes.size() != t.rank() || shape.size() > Tensor::maxRank || !elementCount(shape))
    c.fail("broadcast_in_dim does not fit its operand");
  Sizes strides(shape.size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t at = axisOf(c, axes[i], shape.size());
    if (shape.empty())
      c.fail("broadcast_in_dim does not fit its operand");
    if (t.size(i) != 1 && t.size(i) != shape[at])
      c.fail("broadcast_in_dim does not fit its operand");
    strides[at] = t.size(i) == shape[at] ? t.stride(i) : 0;
  }
  c.set(0, t.with(shape, strides, t.offset()));
}

// --- parts ----------------------------------------------------------------------

void executeSelect(ExecContext &c) {
  const Tensor &t = source(c);
  if (t.rank() == 0)
    c.fail("a tensor of rank 0 has no axis to select of");
  const std::size_t axis = axisOf(c, c.integer("dim"), t.rank());
  std::int64_t index = c.integer("index");
  const std::int64_t size = t.size(axis);
  if (index < -size || index >= size)
    c.fail(fmt::format("the index {} is outside of the axis {} of {}", index, axis, shapeText(t.sizes())));
  c.finishView(t.selected(axis, index < 0 ? index + size : index));
}

void executeSlice(ExecContext &c) {
  Tensor t = source(c);
  if (c.isTorch()) {
    if (t.rank() == 0)
      c.fail("a tensor of rank 0 cannot be sliced");
    const std::size_t axis = axisOf(c, c.integer("dim", 0), t.rank());
    const std::int64_t step = c.integer("step", 1);
    if (step <= 0)
      c.fail("the step of a slice must be positive");
    const std::int64_t begin = clampIndex(c.integer("start", 0), t.size(axis));
    const std::int64_t end = std::max(begin, clampIndex(c.integer("end", INT64_MAX), t.size(axis)));
    return c.finishView(t.sliced(axis, begin, end == begin ? 0 : (end - begin - 1) / step + 1, step));
  }
  const auto starts = c.integers("starts", 1), ends = c.integers("ends", 2);
  if (!starts || !ends || starts->size() != ends->size())
    c.fail("Slice has no starts and ends that fit each other");
  auto axes = c.version() >= 10 ? c.integersIn(3) : c.integers("axes");
  auto steps = c.version() >= 10 ? c.integersIn(4) : std::nullopt;
  if (t.rank() == 0 && !starts->empty())
    c.fail("a tensor of rank 0 cannot be sliced");
  if (!axes) {
    axes.emplace(starts->size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (!steps)
    steps.emplace(starts->size(), 1);
  if (axes->size() != starts->size() || steps->size() != starts->size())
    c.fail("Slice has lists of different lengths");
  axesOf(c, *axes, t.rank()); // none is named twice
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const std::size_t axis = axisOf(c, (*axes)[i], t.rank());
    const std::int64_t size = t.size(axis), step = (*steps)[i];
    if (step == 0 || step == INT64_MIN)
      c.fail(step == 0 ? "the step of a slice is 0" : "the step of a slice is the least that there is");
    std::int64_t begin = (*starts)[i], end = (*ends)[i];
    if (step > 0) {
      begin = clampIndex(begin, size);
      end = std::max(begin, clampIndex(end, size));
      t = t.sliced(axis, begin, end == begin ? 0 : (end - begin - 1) / step + 1, step);
      continue;
    }
    // A start before the beginning is the first element, an end there is before it.
    begin = std::min<std::int64_t>(begin < 0 ? (begin < -size ? 0 : begin + size) : begin, size - 1);
    end = std::clamp<std::int64_t>(end < 0 ? (end < -size ? -1 : end + size) : end, -1, size - 1);
    const std::int64_t count = begin > end ? (begin - end - 1) / -step + 1 : 0;
    // Backwards: strides stay positive in condlint, so this is a copy.
    std::vector<Tensor> parts;
    Sizes sizes = sizesOf(t);
    sizes[axis] = count;
    const Tensor out = c.empty(t.dtype(), sizes);
    for (std::int64_t k = 0; k < count; ++k)
      copyInto(c, out.selected(axis, k), t.selected(axis, begin + k * step));
    t = out;
  }
  c.set(0, t);
}

void executeNarrow(ExecContext &c) {
  const Tensor &t = source(c);
  const std::size_t axis = axisOf(c, c.integer("dim"), t.rank());
  std::int64_t start = c.integer("start");
  const std::int64_t length = c.integer("length"), size = t.rank() == 0 ? -1 : t.size(axis);
  if (start < 0)
    start += size;
  if (start < 0 || length < 0 || length > size || start > size - length)
    c.fail(fmt::format("{} elements from {} are not in the axis {} of {}", length, start, axis, shapeText(t.sizes())));
  c.finishView(t.sliced(axis, start, length));
}

namespace {

/// Consecutive parts of \p t of the sizes given.
std::vector<Tensor> partsAlong(const ExecContext &c, const Tensor &t, std::size_t axis, const Sizes &sizes) {
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  const std::int64_t whole = t.rank() == 0 ? -1 : t.size(axis);
  for (std::int64_t s : sizes) {
    if (s < 0 || s > whole - at)
      c.fail(
          fmt::format("parts of {} do not fit into the axis {} of {}", shapeText(sizes), axis, shapeText(t.sizes())));
    parts.push_back(t.sliced(axis, at, s));
    at += s;
  }
  return parts;
}

/// Parts of \p each elements; the last may be smaller.
Sizes evenParts(const ExecContext &c, std::int64_t whole, std::int64_t each) {
  requireParts(c, whole == 0 ? 1 : (whole - 1) / each + 1);
  Sizes sizes;
  for (std::int64_t left = whole; left > 0; left -= each)
    sizes.push_back(std::min(each, left));
  if (sizes.empty())
    sizes.push_back(0);
  return sizes;
}

void finishParts(ExecContext &c, std::vector<Tensor> parts) {
  if (c.opName().ends_with("_copy"))
    for (Tensor &t : parts)
      t = copied(c, t);
  c.setList(0, parts);
}

} // namespace

void executeSplit(ExecContext &c) {
  const Tensor &t = source(c);
  if (!c.isTorch()) {
    const std::size_t axis = axisOf(c, c.integer("axis", 0), t.rank());
    auto sizes = c.integers("split", 1);
    if (t.rank() == 0)
      c.fail("a tensor of rank 0 cannot be split");
    if (!sizes) {
      const std::int64_t n = c.integer("num_outputs", static_cast<std::int64_t>(c.resultCount()));
      if (n <= 0)
        c.fail("Split into no parts");
      requireParts(c, n);
      const std::int64_t each = (t.size(axis) + n - 1) / n;
      constexpr std::int32_t unequalSince = 18; // the last part may be smaller, but no other
      const bool isEven = c.version() < unequalSince || !c.attribute("num_outputs");
      if (c.version() > 0 && (isEven ? t.size(axis) % n != 0 : (n - 1) * each > t.size(axis)))
        c.fail(fmt::format("the axis {} of {} does not give {} parts", axis, shapeText(t.sizes()), n));
      sizes.emplace();
      for (std::int64_t i = 0, left = t.size(axis); i < n; ++i, left -= sizes->back())
        sizes->push_back(std::min(each, left));
    }
    std::vector<Tensor> parts = partsAlong(c, t, axis, *sizes);
    std::int64_t taken = 0;
    for (const Tensor &p : parts)
      taken += p.size(axis);
    if (taken != t.size(axis))
      c.fail(fmt::format("parts of {} leave some of the axis {} of {}", shapeText(*sizes), axis, shapeText(t.sizes())));
    return finishParts(c, std::move(parts));
  }
  const std::size_t axis = axisOf(c, c.integer("dim", 0), t.rank());
  if (t.rank() == 0)
    c.fail("a tensor of rank 0 cannot be split");
  if (const Attribute *a = c.attribute("split_size");
      a && c.integers("split_size")->size() == 1 && a->kind != AttributeKind::Ints && a->kind != AttributeKind::Dims) {
    const std::int64_t each = c.integer("split_size");
    if (each < 0 || (each == 0 && t.size(axis) != 0))
      c.fail("the size of a part must be positive");
    return finishParts(c, partsAlong(c, t, axis, evenParts(c, t.size(axis), std::max<std::int64_t>(each, 1))));
  }
  auto sizes = c.integers("split_sizes");
  if (!sizes)
    sizes = c.integers("split_size");
  if (!sizes)
    c.fail("the sizes of the parts are missing");
  finishParts(c, partsAlong(c, t, axis, *sizes));
}

void executeChunk(ExecContext &c) {
  const Tensor &t = source(c);
  const std::int64_t n = c.integer("chunks");
  const std::size_t axis = axisOf(c, c.integer("dim", 0), t.rank());
  if (n <= 0 || t.rank() == 0)
    c.fail("chunk needs an axis and at least one part");
  if (t.size(axis) == 0) {
    requireParts(c, n);
    return finishParts(c, partsAlong(c, t, axis, Sizes(static_cast<std::size_t>(n), 0)));
  }
  const std::int64_t each = (t.size(axis) - 1) / n + 1;
  finishParts(c, partsAlong(c, t, axis, evenParts(c, t.size(axis), each)));
}

void executeUnbind(ExecContext &c) {
  const Tensor &t = source(c);
  if (t.rank() == 0)
    c.fail("a tensor of rank 0 cannot be taken apart");
  const std::size_t axis = axisOf(c, c.integer("dim", 0), t.rank());
  requireParts(c, t.size(axis));
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < t.size(axis); ++i)
    parts.push_back(t.selected(axis, i));
  finishParts(c, parts);
}

void executeTensorSplit(ExecContext &c) {
  const Tensor &t = source(c);
  const std::string_view name = c.opName();
  std::int64_t along = c.integer("dim", 0);
  if (name == "hsplit")
    along = t.rank() == 1 ? 0 : 1;
  else if (name == "dsplit")
    along = 2;
  const std::size_t axis = axisOf(c, along, t.rank());
  std::vector<std::int64_t> borders;
  std::optional<Sizes> indices = c.integers("indices");
  std::optional<std::int64_t> sections;
  if (!indices && c.hasArg("sections"))
    sections = c.integer("sections");
  if (!indices && !sections) {
    indices = c.integers("tensor_indices_or_sections");
    const Tensor *given = c.maybeTensor("tensor_indices_or_sections");
    if (given && given->rank() == 0)
      sections = (*indices)[0];
  }
  if (t.rank() == 0 || (!indices && !sections) || (sections && *sections <= 0))
    c.fail("the parts are not given");
  std::vector<Tensor> parts;
  const std::int64_t size = t.size(axis);
  if (sections) {
    requireParts(c, *sections);
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < *sections; ++i) {
      const std::int64_t n = size / *sections + (i < size % *sections ? 1 : 0);
      parts.push_back(t.sliced(axis, at, n));
      at += n;
    }
  } else {
    std::int64_t begin = 0;
    indices->push_back(size);
    for (std::int64_t i : *indices) {
      const std::int64_t from = clampIndex(begin, size), to = std::max(from, clampIndex(i, size));
      parts.push_back(t.sliced(axis, from, to - from));
      begin = i;
    }
  }
  finishParts(c, parts);
}

} // namespace condlint

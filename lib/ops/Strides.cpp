//===- Strides.cpp - How torch lays results out in memory -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Strides.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace condlint {

namespace {

/// A size as it counts in a stride: at least 1. Torch assumes that a size it can
/// trace is at least 1 and writes the maximum only for data-dependent ones.
Dim factor(DimTable &dims, Dim size) {
  if (!size.known())
    return size;
  if (const auto c = dims.asConstant(size))
    return *c < 1 ? dims.constant(1) : size;
  return dims.mentions(size, SymbolOrigin::Unbacked) ? dims.max(size, dims.constant(1)) : size;
}

enum class Order { Less, Equal, Greater, Unknown };

/// Compares two sizes or strides as torch's tracer does: what is at least as
/// large for every admitted size, and not the same expression, is larger.
Order compareDims(DimTable &dims, Dim a, Dim b) {
  if (!a.known() || !b.known())
    return Order::Unknown;
  if (a == b)
    return Order::Equal;
  const Interval range = dims.boundsOf(dims.sub(a, b));
  if (range.min >= 0 && range.max > 0)
    return Order::Greater;
  if (range.max <= 0 && range.min < 0)
    return Order::Less;
  // 4*s0 against 4 with s0 >= 0: torch specialises on sizes 0 and 1.
  const Interval x = dims.boundsOf(a), y = dims.boundsOf(b);
  const auto ca = dims.asConstant(a), cb = dims.asConstant(b);
  auto multipleOf = [&](Dim d, std::int64_t c) {
    return c > 0 && dims.isConstant(dims.mod(d, dims.constant(c)), 0) && dims.boundsOf(d).min >= 0;
  };
  if (ca && (*ca == 1 || multipleOf(b, *ca)) && y.min >= 0)
    return Order::Less;
  if (cb && (*cb == 1 || multipleOf(a, *cb)) && x.min >= 0)
    return Order::Greater;
  if (x.min >= 0 && y.min >= 0) {
    if (dims.isConstant(dims.mod(a, b), 0))
      return Order::Greater;
    if (dims.isConstant(dims.mod(b, a), 0))
      return Order::Less;
  }
  return Order::Unknown;
}

Tri sameDims(std::span<const Dim> a, std::span<const Dim> b) {
  if (a.size() != b.size())
    return Tri::No;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].known() || !b[i].known())
      return Tri::Unknown;
  return toTri(std::equal(a.begin(), a.end(), b.begin()));
}

/// Whether the strides are those expected, where axes of size 1 do not count.
Tri stridesMatch(DimTable &dims, const Type &t, std::span<const Dim> expected) {
  Tri result = Tri::Yes;
  for (std::size_t i = 0; i < t.dims.size(); ++i) {
    if (dims.isConstant(t.dims[i], 0))
      return Tri::Yes;
    if (dims.isConstant(t.dims[i], 1) || (t.strides[i] == expected[i] && t.strides[i].known()))
      continue;
    if (!t.strides[i].known() || !expected[i].known() || !t.dims[i].known()) {
      result = result == Tri::No ? Tri::No : Tri::Unknown;
      continue;
    }
    switch (dims.compare(t.strides[i], expected[i]).result) {
    case DimComparison::Verdict::Proved:
      break;
    case DimComparison::Verdict::Refuted:
      result = Tri::No;
      break;
    case DimComparison::Verdict::Unknown:
      result = result == Tri::No ? Tri::No : Tri::Unknown;
      break;
    }
  }
  return result;
}

/// The axes from the innermost: by stride, then by size; nothing when that
/// cannot be told. \p shape is the iterator's, `strides` those of the operands,
/// aligned at the end and zero where the operand is stretched.
std::optional<std::vector<std::size_t>> iterationOrder(DimTable &dims, std::span<const Dim> shape,
                                                       const std::vector<std::vector<Dim>> &operandStrides) {
  const std::size_t rank = shape.size();
  std::vector<std::size_t> perm(rank);
  for (std::size_t i = 0; i < rank; ++i)
    perm[i] = rank - 1 - i;
  // 1: dim0 is further out than dim1; -1: in order; 0: undecided by any operand.
  auto shouldSwap = [&](std::size_t dim0, std::size_t dim1) -> std::optional<int> {
    for (const auto &strides : operandStrides) {
      const Dim a = strides[dim0], b = strides[dim1];
      if (dims.isConstant(a, 0) || dims.isConstant(b, 0))
        continue;
      switch (compareDims(dims, a, b)) {
      case Order::Less:
        return -1;
      case Order::Greater:
        return 1;
      case Order::Unknown:
        return std::nullopt;
      case Order::Equal:
        break;
      }
      switch (compareDims(dims, shape[dim0], shape[dim1])) {
      case Order::Greater:
        return 1;
      case Order::Unknown:
        return std::nullopt;
      default:
        break;
      }
    }
    return 0;
  };
  for (std::size_t i = 1; i < rank; ++i) {
    std::size_t at = i;
    for (std::size_t j = i; j-- > 0;) {
      const auto comparison = shouldSwap(perm[j], perm[at]);
      if (!comparison)
        return std::nullopt;
      if (*comparison > 0) {
        std::swap(perm[j], perm[at]);
        at = j;
      } else if (*comparison < 0) {
        break;
      }
    }
  }
  return perm;
}

} // namespace

/// Strides without gaps, where \p axisAt gives the axes from the innermost.
template <class AxisAt>
static std::vector<Dim> stridesAlong(DimTable &dims, std::span<const Dim> shape, AxisAt axisAt) {
  std::vector<Dim> strides(shape.size());
  Dim next = dims.constant(1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    // The size of the outermost axis, often the one that is open, is in no stride.
    if (i != 0)
      next = dims.mul(next, factor(dims, shape[axisAt(i - 1)]));
    strides[axisAt(i)] = next;
  }
  return strides;
}

std::vector<Dim> denseStrides(DimTable &dims, std::span<const Dim> shape, std::span<const std::size_t> order) {
  return stridesAlong(dims, shape, [&](std::size_t i) { return order[i]; });
}

std::vector<Dim> contiguousStrides(DimTable &dims, std::span<const Dim> shape) {
  return stridesAlong(dims, shape, [&](std::size_t i) { return shape.size() - 1 - i; });
}

/// The axes of channels last from the innermost.
static constexpr std::array<std::size_t, 4> last2d{1, 3, 2, 0};
static constexpr std::array<std::size_t, 5> last3d{1, 4, 3, 2, 0};

std::optional<std::vector<Dim>> stridesInFormat(DimTable &dims, std::span<const Dim> shape, MemoryFormat format) {
  switch (format) {
  case MemoryFormat::Contiguous:
    return contiguousStrides(dims, shape);
  case MemoryFormat::ChannelsLast:
    if (shape.size() == 4)
      return denseStrides(dims, shape, last2d);
    return std::nullopt;
  case MemoryFormat::ChannelsLast3d:
    if (shape.size() == 5)
      return denseStrides(dims, shape, last3d);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Tri isContiguous(DimTable &dims, const Type &t) {
  if (!t.hasRank || !t.hasStrides || t.dims.size() != t.strides.size())
    return Tri::Unknown;
  // Row-major from the inside, where a size of 1 says nothing about its stride.
  return stridesMatch(dims, t, contiguousStrides(dims, t.dims));
}

Tri isChannelsLast(DimTable &dims, const Type &t) {
  if (!t.hasRank || !t.hasStrides || t.dims.size() != t.strides.size())
    return Tri::Unknown;
  const auto format = t.dims.size() == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
  const auto expected = stridesInFormat(dims, t.dims, format);
  return expected ? stridesMatch(dims, t, *expected) : Tri::No;
}

Tri isDense(DimTable &dims, const Type &t) {
  if (!t.hasRank || !t.hasStrides || t.dims.size() != t.strides.size())
    return Tri::Unknown;
  if (isContiguous(dims, t) == Tri::Yes)
    return Tri::Yes;
  // Sort the axes by stride and see whether the product of the sizes so far is
  // the next stride. Axes of size 1 do not count.
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < t.dims.size(); ++i) {
    if (!t.dims[i].known() || !t.strides[i].known())
      return Tri::Unknown;
    if (!dims.isConstant(t.dims[i], 1))
      axes.push_back(i);
  }
  Dim expected = dims.constant(1);
  while (!axes.empty()) {
    const auto next = std::find_if(axes.begin(), axes.end(), [&](std::size_t i) { return t.strides[i] == expected; });
    if (next == axes.end()) {
      const bool symbolic = std::any_of(axes.begin(), axes.end(), [&](std::size_t i) {
        return !dims.asConstant(t.strides[i]) || !dims.asConstant(t.dims[i]);
      });
      return symbolic ? Tri::Unknown : Tri::No;
    }
    expected = dims.mul(expected, factor(dims, t.dims[*next]));
    axes.erase(next);
  }
  return Tri::Yes;
}

std::optional<MemoryFormat> suggestedFormat(DimTable &dims, const Type &t) {
  if (!t.hasRank)
    return std::nullopt;
  if (t.dims.size() != 4 && t.dims.size() != 5)
    return MemoryFormat::Contiguous;
  if (!t.hasStrides || t.strides.size() != t.dims.size())
    return std::nullopt;
  if (dims.isConstant(t.strides[1], 0))
    return MemoryFormat::Contiguous;
  const bool is3d = t.dims.size() == 5;
  Dim extent = dims.constant(0); // of the axes so far
  for (const std::size_t axis : is3d ? std::span<const std::size_t>(last3d) : std::span<const std::size_t>(last2d)) {
    const Order order = compareDims(dims, t.strides[axis], extent);
    if (dims.isConstant(t.dims[axis], 0) || order == Order::Less)
      return MemoryFormat::Contiguous;
    if (order == Order::Unknown)
      return std::nullopt;
    // A single element wide, it lies in either order.
    if (axis == 0 && extent == t.strides[1])
      return MemoryFormat::Contiguous;
    extent = dims.mul(t.strides[axis], t.dims[axis]);
  }
  return is3d ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
}

std::optional<std::vector<Dim>> elementwiseStrides(DimTable &dims, std::span<const Dim> shape,
                                                   std::span<const Type> operands) {
  const std::size_t rank = shape.size();
  if (rank == 0)
    return std::vector<Dim>{};
  const auto isNumber = [](const Type &t) {
    return t.kind == ValueKind::SymInt || t.kind == ValueKind::SymFloat || t.kind == ValueKind::SymBool;
  };
  for (const Type &t : operands)
    if (!isNumber(t) &&
        (!t.hasRank || t.dims.size() > rank || (t.layout != Layout::Strided && t.layout != Layout::Unknown)))
      return std::nullopt;
  std::vector<Type> some; // where there are numbers besides
  const bool areAll = std::ranges::none_of(operands, isNumber);
  if (!areAll)
    std::ranges::remove_copy_if(operands, std::back_inserter(some), isNumber);
  const std::span<const Type> tensors = areAll ? operands : std::span<const Type>(some);
  if (tensors.empty())
    return std::nullopt;
  if (rank == 1)
    return std::vector<Dim>{dims.constant(1)};
  for (Dim d : shape)
    if (dims.isConstant(d, 0))
      return std::nullopt; // nothing to lay out, and torch's kernels disagree

  // The quick paths: all of one shape, all contiguous, or all channels last, or
  // all dense with the same strides.
  bool sameShape = true;
  for (const Type &t : tensors)
    sameShape = sameShape && sameDims(t.dims, shape) == Tri::Yes;
  auto all = [&](auto &&predicate) {
    return std::all_of(tensors.begin(), tensors.end(), [&](const Type &t) { return predicate(dims, t) == Tri::Yes; });
  };
  if (sameShape) {
    auto rowMajor = contiguousStrides(dims, shape);
    const auto isRowMajor = [&](DimTable &, const Type &t) {
      return t.hasStrides && t.strides.size() == rank ? stridesMatch(dims, t, rowMajor) : Tri::Unknown;
    };
    if (all(isRowMajor))
      return rowMajor;
    if (all(isChannelsLast))
      return stridesInFormat(dims, shape, rank == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast);
    if (all(isDense) && std::all_of(tensors.begin(), tensors.end(), [&](const Type &t) {
          return sameDims(t.strides, tensors.front().strides) == Tri::Yes;
        }))
      return std::vector<Dim>(tensors.front().strides.begin(), tensors.front().strides.end());
  }

  std::vector<std::vector<Dim>> strides;
  for (const Type &t : tensors) {
    if (!t.dims.empty() && (!t.hasStrides || t.strides.size() != t.dims.size()))
      return std::nullopt;
    std::vector<Dim> aligned(rank, dims.constant(0));
    const std::size_t offset = rank - t.dims.size();
    for (std::size_t i = 0; i < t.dims.size(); ++i) {
      if (!t.dims[i].known() || !shape[offset + i].known())
        return std::nullopt; // it may be stretched or not
      const bool stretched = dims.isConstant(t.dims[i], 1) && !dims.isConstant(shape[offset + i], 1);
      if (!stretched)
        aligned[offset + i] = t.strides[i];
    }
    strides.push_back(std::move(aligned));
  }
  const auto order = iterationOrder(dims, shape, strides);
  if (!order)
    return std::nullopt;
  return denseStrides(dims, shape, *order);
}

std::optional<std::vector<Dim>> preservedStrides(DimTable &dims, const Type &t) {
  if (!t.hasRank)
    return std::nullopt;
  if (t.dims.empty())
    return std::vector<Dim>{};
  if (!t.hasStrides || t.strides.size() != t.dims.size())
    return std::nullopt;
  if (isDense(dims, t) == Tri::Yes)
    return std::vector<Dim>(t.strides.begin(), t.strides.end());
  return elementwiseStrides(dims, t.dims, std::span<const Type>(&t, 1));
}

ViewStrides viewStrides(DimTable &dims, std::span<const Dim> oldShape, std::span<const Dim> oldStrides,
                        std::span<const Dim> shape) {
  ViewStrides result;
  if (oldShape.size() != oldStrides.size())
    return result;
  auto unknown = [](std::span<const Dim> v) {
    return std::any_of(v.begin(), v.end(), [](Dim d) { return !d.known(); });
  };
  if (unknown(oldShape) || unknown(oldStrides) || unknown(shape))
    return result;
  auto isZero = [&](Dim d) { return dims.isConstant(d, 0); };
  if (oldShape.empty()) {
    result.fits = Tri::Yes;
    result.strides.assign(shape.size(), dims.constant(1));
    return result;
  }
  if (std::any_of(oldShape.begin(), oldShape.end(), isZero)) {
    result.fits = Tri::Yes;
    if (sameDims(oldShape, shape) == Tri::Yes)
      result.strides.assign(oldStrides.begin(), oldStrides.end());
    else
      result.strides = contiguousStrides(dims, shape);
    return result;
  }
  std::vector<Dim> strides(shape.size());
  auto viewDim = static_cast<std::ptrdiff_t>(shape.size()) - 1;
  Dim chunkBase = oldStrides.back();
  Dim tensorCount = dims.constant(1), viewCount = dims.constant(1);
  bool symbolic = false;
  auto equal = [&](Dim a, Dim b) {
    if (a == b)
      return true;
    if (!dims.asConstant(a) || !dims.asConstant(b))
      symbolic = symbolic || dims.compare(a, b).result != DimComparison::Verdict::Refuted;
    return false;
  };
  for (auto d = static_cast<std::ptrdiff_t>(oldShape.size()) - 1; d >= 0; --d) {
    const auto i = static_cast<std::size_t>(d);
    tensorCount = dims.mul(tensorCount, oldShape[i]);
    // The end of a run of axes that lie in memory as one.
    if (d != 0 && (dims.isConstant(oldShape[i - 1], 1) || equal(oldStrides[i - 1], dims.mul(tensorCount, chunkBase))))
      continue;
    while (viewDim >= 0) {
      const Dim size = shape[static_cast<std::size_t>(viewDim)];
      if (!(dims.isConstant(size, 1) || compareDims(dims, viewCount, tensorCount) == Order::Less))
        break;
      strides[static_cast<std::size_t>(viewDim)] = dims.mul(viewCount, chunkBase);
      viewCount = dims.mul(viewCount, size);
      --viewDim;
    }
    if (!equal(viewCount, tensorCount)) {
      result.fits = symbolic || !dims.asConstant(viewCount) || !dims.asConstant(tensorCount) ? Tri::Unknown : Tri::No;
      return result;
    }
    if (d > 0) {
      chunkBase = oldStrides[i - 1];
      tensorCount = dims.constant(1);
      viewCount = dims.constant(1);
    }
  }
  if (viewDim != -1) {
    result.fits = symbolic ? Tri::Unknown : Tri::No;
    return result;
  }
  result.fits = Tri::Yes;
  result.strides = std::move(strides);
  return result;
}

} // namespace condlint

//===- Scatter.cpp - Scattering, executed ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checked.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "IndexPlaces.h"
#include "Indexing.h"
#include "Rows.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace condlint {

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
  if (static_cast<std::size_t>(values.numel()) < places.size())
    c.fail(fmt::format("{} values for {} places", values.numel(), places.size()));
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
  const Tensor at = checkedIndices(c, index, t.rank() == 0 ? 1 : t.size(axis), !c.isTorch());
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
  // A number counts as a row of one.
  const auto axes = [](const Tensor &t) { return std::max<std::size_t>(t.rank(), 1); };
  if (axes(index) != axes(x) || (source.isTensor() && axes(source.tensor) != axes(index)))
    c.fail("the index or the source has other axes than the tensor that is written to");
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
  Sizes wanted(indices.sizes().begin(), indices.sizes().end() - 1);
  wanted.insert(wanted.end(), x.sizes().begin() + static_cast<std::ptrdiff_t>(k), x.sizes().end());
  if (!std::ranges::equal(updates.sizes(), wanted))
    c.fail(fmt::format("updates of the shape {} do not fit the indices, which ask for {}", shapeText(updates.sizes()),
                       shapeText(wanted)));
  requireRoom(c, updates.numel());
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
  if (past.rank() != update.rank() || axis == 0 || past.size(0) != update.size(0) || (begin && begin->empty()))
    c.fail("the update does not fit the cache");
  const std::int64_t limit = past.size(axis);
  for (std::int64_t b = 0; b < past.size(0); ++b) {
    const std::int64_t first = begin ? (*begin)[static_cast<std::size_t>(b) % begin->size()] : 0;
    for (std::int64_t i = 0; i < update.size(axis); ++i) {
      std::int64_t at = plus(c, first, i);
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
    if (source.rank() > std::max<std::size_t>(x.rank(), 1) || (x.rank() > 1 && source.rank() != x.rank()))
      c.fail("the source has other axes than the tensor that it is written to");
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
  // The result lies as a clone of the operand does.
  const auto finishLikeOperand = [&](const Tensor &out) {
    c.finish(0, laidOut(c, cast(c, out, x.dtype()), preservedStrides(x)));
  };
  if (name.starts_with("index_fill")) {
    const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
    const Operand value = c.tensorOrScalar("value");
    const Scalar v = value.isTensor() ? scalarOfTensor(c, value.tensor) : value.scalar;
    const Tensor out = copied(c, x);
    const Sizes indices = integersOf(c, c.tensor("index"));
    for (std::int64_t i : indices)
      fill(c, x.rank() == 0 ? out : out.selected(axis, wrapped(c, i, x.size(axis))), v);
    return finishLikeOperand(out);
  }
  Tensor out = workingCopy(c, x);
  const bool accumulate = c.flag("accumulate");
  if (name.starts_with("put")) {
    const Tensor at = checkedIndices(c, c.tensor("index"), x.numel());
    const std::vector<std::int64_t> places(at.as<std::int64_t>(), at.as<std::int64_t>() + at.numel());
    combineInto(c, out, places, c.tensor("source"), accumulate ? Combine::Add : Combine::Set);
    return finishLikeOperand(out);
  }
  const AdvancedIndex a = advancedIndex(c, out, c.optionalTensors("indices"));
  const Tensor &given = c.tensor("values");
  if (a.axes.empty()) {
    copyInto(c, out, accumulate ? add(c, operandOf(out), operandOf(given)) : given);
    return finishLikeOperand(out);
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
  requireRoom(c, times(c, f.places.numel(), inner));
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
  finishLikeOperand(reshaped(c, flat, sizes).permuted(inverse));
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
    std::memcpy(out.outBytes() + static_cast<std::size_t>(i) * width,
                source.bytes() + static_cast<std::size_t>(next++) * width, width);
  }
  c.finish(0, out);
}

/// select_scatter, slice_scatter, diagonal_scatter, as_strided_scatter: a copy of self
/// of which one view is overwritten.
void executeSelectScatter(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = firstOperand(c);
  const Tensor out = name == "fill_diagonal_" ? copied(c, x) : laidOut(c, copied(c, x), ownStrides(x));
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
    if (x.rank() == 0)
      c.fail("a tensor of rank 0 cannot be sliced");
    const std::int64_t size = x.size(axis), step = c.integer("step", 1);
    const auto clamped = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
    const std::int64_t begin = clamped(c.integer("start", 0)),
                       end = std::max(begin, clamped(c.integer("end", INT64_MAX)));
    if (step <= 0)
      c.fail("the step of a slice must be positive");
    copyInto(c, out.sliced(axis, begin, end == begin ? 0 : (end - begin - 1) / step + 1, step), source);
  } else if (name == "diagonal_scatter") {
    const std::int64_t offset = c.integer("offset", 0);
    const std::size_t p = axisOf(c, c.integer("dim1", 0), x.rank()), q = axisOf(c, c.integer("dim2", 1), x.rank());
    if (x.rank() < 2 || p == q)
      c.fail("a diagonal needs two axes");
    Sizes sizes, strides;
    for (std::size_t i = 0; i < x.rank(); ++i)
      if (i != p && i != q) {
        sizes.push_back(out.size(i));
        strides.push_back(out.stride(i));
      }
    sizes.push_back(std::max<std::int64_t>(
        offset >= 0 ? std::min(x.size(p), x.size(q) - offset) : std::min(x.size(p) + offset, x.size(q)), 0));
    strides.push_back(out.stride(p) + out.stride(q));
    const std::int64_t shift = sizes.back() == 0 ? 0 : offset >= 0 ? offset * out.stride(q) : -offset * out.stride(p);
    copyInto(c, out.with(sizes, strides, shift), source);
  } else {
    copyInto(c, stridedView(c, out, c.integer("storage_offset", x.offset()) - x.offset()), source);
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
  if (scale && scales.size() != at.size())
    c.fail("there are other weights than indices");
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
  // torch sums rows that lie together without asking which bag an index is of (is_fast_path of EmbeddingBag.cpp).
  const bool fast = mode == 0 && padding < 0 && weight.dtype() != DType::Float64 && weight.stride(1) == 1 &&
                    (!scale || (scale->rank() == 1 && scale->stride(0) == 1));
  c.finish(1, fast ? c.empty(DType::Int64, Sizes{0}) : tensorOf(c, bagOf));
  c.finish(2, tensorOf(c, sizes));
  c.finish(3, mode == 2 ? largest : tensorOf(c, sizes));
}

/// embedding_renorm: the rows that are named and longer than `max_norm` become as long.
void executeEmbeddingRenorm(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const double most = c.real("max_norm"), p = c.real("norm_type");
  if (self.rank() != 2 || !isFloating(self.dtype()))
    c.fail(fmt::format("{}{} is no table of vectors", dtypeName(self.dtype()), shapeText(self.sizes())));
  Sizes rows = integersOf(c, c.tensor("indices"));
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  const Tensor out = laidOut(c, copied(c, self), preservedStrides(self));
  const std::size_t axis[] = {0};
  for (std::int64_t i : rows) {
    if (i < 0 || i >= self.size(0))
      c.fail(fmt::format("the index {} is outside of {} rows", i, self.size(0)));
    const Tensor row = self.selected(0, i);
    const double norm = doublesOf(c, normOf(c, row, axis, false, p, DType::Float64)).front();
    if (norm > most)
      copyInto(c, out.selected(0, i), mul(c, operandOf(row), operandOf(most / (norm + 1e-7))));
  }
  c.finish(0, out);
}

} // namespace condlint

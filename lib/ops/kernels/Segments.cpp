//===- Segments.cpp - Reductions of parts, differences between neighbours -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Segments.h"
#include "../Promotion.h"
#include "Checked.h"
#include "Rows.h"
#include "TensorOps.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace condlint {

namespace {

enum class Segment : std::uint8_t { Sum, Mean, Maximum, Minimum, Product };

Segment segmentReduction(const ExecContext &c) {
  const std::string_view name = c.text("reduce");
  if (name == "sum")
    return Segment::Sum;
  if (name == "mean")
    return Segment::Mean;
  if (name == "max" || name == "amax")
    return Segment::Maximum;
  if (name == "min" || name == "amin")
    return Segment::Minimum;
  if (name == "prod")
    return Segment::Product;
  c.fail(fmt::format("'{}' is no way to reduce a segment", name));
}

/// What a segment without elements has.
double startOf(Segment how) {
  switch (how) {
  case Segment::Maximum:
    return -std::numeric_limits<double>::infinity();
  case Segment::Minimum:
    return std::numeric_limits<double>::infinity();
  case Segment::Product:
    return 1;
  case Segment::Sum:
  case Segment::Mean:
    return 0;
  }
  return 0;
}

double joined(Segment how, double sum, double x) {
  switch (how) {
  case Segment::Maximum:
    return std::isnan(x) || sum < x ? x : sum;
  case Segment::Minimum:
    return std::isnan(x) || x < sum ? x : sum;
  case Segment::Product:
    return sum * x;
  case Segment::Sum:
  case Segment::Mean:
    return sum + x;
  }
  return sum;
}

/// Where each segment of a row begins, and after the last where it ends. The lengths of a row
/// of \p length elements make it up, unless nobody is to look (`unsafe`).
std::vector<std::int64_t> boundsOf(const ExecContext &c, std::span<const std::int64_t> given, bool lengths,
                                   std::int64_t length) {
  std::vector<std::int64_t> bounds;
  if (lengths) {
    bounds.push_back(0);
    for (std::int64_t n : given) {
      if (n < 0)
        c.fail(fmt::format("a segment has the length {}", n));
      bounds.push_back(plus(c, bounds.back(), n));
    }
    if (bounds.back() != length && !c.flag("unsafe"))
      c.fail(fmt::format("the lengths of a row's segments sum up to {}, not to {}", bounds.back(), length));
  } else {
    bounds.assign(given.begin(), given.end());
  }
  // Torch reads on behind the tensor.
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
    if (bounds[i] < 0 || bounds[i + 1] > length)
      c.fail(fmt::format("a segment reaches from {} to {} in a row of {}", bounds[i], bounds[i + 1], length));
  return bounds;
}

} // namespace

void executeSegmentReduce(ExecContext &c) {
  const Tensor &data = c.tensor("data");
  if (!isFloating(data.dtype()))
    c.fail(fmt::format("segments are of floating numbers, not of {}", dtypeName(data.dtype())));
  const Segment how = segmentReduction(c);
  const Tensor *lengths = c.maybeTensor("lengths"), *offsets = c.maybeTensor("offsets");
  if (!lengths && !offsets)
    c.fail("neither lengths nor offsets of segments are given");
  const Tensor &parts = lengths ? *lengths : *offsets;
  const std::size_t axis = axisOf(c, c.integer("axis", 0), data.rank());
  if (parts.rank() != axis + 1 || data.rank() <= axis || !isIntegral(parts.dtype()) ||
      !std::ranges::equal(parts.sizes().first(axis), data.sizes().first(axis)) || (!lengths && parts.size(axis) == 0))
    c.fail(fmt::format("segments of shape {} in {} do not divide axis {} of {}", shapeText(parts.sizes()),
                       dtypeName(parts.dtype()), axis, shapeText(data.sizes())));
  const std::int64_t length = data.size(axis), segments = parts.size(axis) - (lengths ? 0 : 1);
  const std::int64_t rows = product(data.sizes().first(axis)), inner = product(data.sizes().subspan(axis + 1));
  Sizes shape = sizesOf(data);
  shape[axis] = segments;
  const Tensor x = contiguous(c, cast(c, data, DType::Float64)), out = c.empty(DType::Float64, shape);
  const std::vector<std::int64_t> all = integersOf(c, parts);
  const auto initial = c.maybeScalar("initial");
  const double start = initial ? initial->toDouble() : startOf(how);
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto each = static_cast<std::size_t>(parts.size(axis));
    const auto bounds =
        boundsOf(c, std::span(all).subspan(static_cast<std::size_t>(row) * each, each), lengths != nullptr, length);
    for (std::int64_t s = 0; s < segments; ++s)
      for (std::int64_t k = 0; k < inner; ++k) {
        const std::int64_t begin = bounds[static_cast<std::size_t>(s)], end = bounds[static_cast<std::size_t>(s) + 1];
        double sum = start;
        for (std::int64_t i = begin; i < end; ++i)
          sum = joined(how, sum, x.as<double>()[(row * length + i) * inner + k]);
        if (how == Segment::Mean && begin >= end && !initial)
          sum = std::numeric_limits<double>::quiet_NaN();
        else if (how == Segment::Mean && begin < end)
          sum /= static_cast<double>(end - begin);
        out.out<double>()[(row * segments + s) * inner + k] = sum;
      }
  }
  c.finish(0, cast(c, out, data.dtype()));
}

namespace {

/// How far the neighbours along an axis lie from each other: everywhere the same, or each.
struct Spacing {
  double even = 1;
  std::vector<double> each; ///< empty: even
  double before(std::int64_t i) const { return each.empty() ? even : each[static_cast<std::size_t>(i)]; }
};

/// The slope of the parabola through three neighbours, \p d and \p e apart, at the first or
/// the last of them.
Tensor slopeAtEdge(const ExecContext &c, const std::array<Tensor, 3> &f, double d, double e, bool first) {
  const double outer = first ? -(2 * d + e) / (d * (d + e)) : (2 * e + d) / (e * (d + e)),
               middle = (d + e) / (d * e) * (first ? 1 : -1), far = first ? -d / (e * (d + e)) : e / (d * (d + e));
  const Tensor two = add(c, operandOf(mul(c, operandOf(f[first ? 0 : 2]), operandOf(outer))),
                         operandOf(mul(c, operandOf(f[1]), operandOf(middle))));
  return add(c, operandOf(two), operandOf(mul(c, operandOf(f[first ? 2 : 0]), operandOf(far))));
}

/// The slope at each place between two neighbours that are not equally far: of the parabola through the three.
Tensor unevenSlopes(const ExecContext &c, const Tensor &f, std::size_t axis, const std::vector<double> &distances) {
  const std::int64_t inner = f.size(axis) - 2;
  std::array<std::vector<double>, 3> factors;
  for (std::size_t i = 0; i + 1 < distances.size(); ++i) {
    const double d = distances[i], e = distances[i + 1];
    factors[0].push_back(-e / (d * (d + e)));
    factors[1].push_back((e - d) / (d * e));
    factors[2].push_back(d / (e * (d + e)));
  }
  Sizes along(f.rank(), 1);
  along[axis] = inner;
  Tensor sum;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const Tensor factor = cast(c, tensorOf(c, along, factors[k]), f.dtype());
    const Tensor part = mul(c, operandOf(f.sliced(axis, static_cast<std::int64_t>(k), inner)), operandOf(factor));
    sum = sum ? add(c, operandOf(sum), operandOf(part)) : part;
  }
  return sum;
}

/// The numeric derivative of \p f along \p axis, which has more than \p order places.
Tensor derivative(const ExecContext &c, const Tensor &f, std::size_t axis, const Spacing &h, std::int64_t order) {
  const std::int64_t n = f.size(axis), inner = n - 2;
  const Tensor out = c.empty(f.dtype(), f.sizes());
  const auto at = [&](std::int64_t i) { return f.sliced(axis, i, 1); };
  const auto difference = [&](const Tensor &x, const Tensor &y, double distance) {
    return div(c, operandOf(sub(c, operandOf(x), operandOf(y))), operandOf(distance));
  };
  if (inner > 0)
    copyInto(c, out.sliced(axis, 1, inner),
             h.each.empty() ? difference(f.sliced(axis, 2, inner), f.sliced(axis, 0, inner), 2 * h.even)
                            : unevenSlopes(c, f, axis, h.each));
  for (const bool first : {true, false}) {
    const std::int64_t from = first ? 0 : n - 1 - order;
    copyInto(c, out.sliced(axis, first ? 0 : n - 1, 1),
             order == 1
                 ? difference(at(from + 1), at(from), h.before(from))
                 : slopeAtEdge(c, {at(from), at(from + 1), at(from + 2)}, h.before(from), h.before(from + 1), first));
  }
  return out;
}

/// The spacing along each of \p axes of \p f: one number, one for each, or points.
std::vector<Spacing> spacingsOf(const ExecContext &c, const Tensor &f, std::span<const std::size_t> axes) {
  std::vector<Spacing> spacings(axes.size());
  const auto oneForEach = [&](std::size_t given) {
    if (given != axes.size())
      c.fail(fmt::format("{} spacings are given for {} axes", given, axes.size()));
  };
  if (c.overload().starts_with("tensorarray")) {
    const std::vector<Tensor> points = c.tensors("spacing");
    oneForEach(points.size());
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (points[k].rank() != 1 || points[k].numel() != f.size(axes[k]))
        c.fail(fmt::format("points of shape {} for an axis of {}", shapeText(points[k].sizes()), f.size(axes[k])));
      const std::vector<double> x = doublesOf(c, points[k]);
      for (std::size_t i = 0; i + 1 < x.size(); ++i)
        spacings[k].each.push_back(x[i + 1] - x[i]);
    }
  } else if (const auto list = c.reals("spacing");
             list && c.overload().starts_with("scalarray") && c.overload() != "scalararray") {
    oneForEach(list->size());
    for (std::size_t k = 0; k < axes.size(); ++k)
      spacings[k].even = (*list)[k];
  } else if (const auto one = c.maybeScalar("spacing")) {
    for (Spacing &s : spacings)
      s.even = one->toDouble();
  }
  return spacings;
}

} // namespace

void executeNumericGradient(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const std::int64_t order = c.integer("edge_order", 1);
  if (order != 1 && order != 2)
    c.fail(fmt::format("the edges are of order 1 or 2, not {}", order));
  if (self.dtype() == DType::Bool)
    c.fail("bools have no differences");
  std::vector<std::size_t> axes;
  if (const auto given = c.integers("dim"))
    for (std::int64_t axis : *given) {
      axes.push_back(axisOf(c, axis, self.rank()));
      if (std::ranges::count(axes, axes.back()) > 1)
        c.fail(fmt::format("axis {} is named twice", axis));
    }
  else
    for (std::size_t i = 0; i < self.rank(); ++i)
      axes.push_back(i);
  requireParts(c, std::ssize(axes));
  DType element = isFloating(self.dtype()) || isComplex(self.dtype()) ? self.dtype() : DType::Float32;
  if (c.overload().starts_with("tensorarray"))
    for (const Tensor &points : c.tensors("spacing"))
      element = promoteTypes(element, points.dtype());
  const Tensor f = cast(c, self, element);
  const std::vector<Spacing> spacings = spacingsOf(c, f, axes);
  std::vector<Tensor> list;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (f.rank() == 0 || f.size(axes[k]) < order + 1)
      c.fail(fmt::format("axis {} of {} is too short", axes[k], shapeText(f.sizes())));
    list.push_back(derivative(c, f, axes[k], spacings[k], order));
  }
  c.setList(0, list);
}

} // namespace condlint

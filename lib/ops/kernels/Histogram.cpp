//===- Histogram.cpp - How many points lie in each bin --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Histogram.h"
#include "Checked.h"
#include "Rows.h"
#include "TensorOps.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

/// How torch finds the bin of a point: by the edges, or by the share of the way from the
/// first edge to the last, which rounds.
enum class Search : std::uint8_t { Edges, Share };

/// The bin of \p x; -1 outside. The last bin holds its upper edge too.
template <class T> std::int64_t binOf(const std::vector<T> &edges, T x, Search how) {
  const auto bins = std::ssize(edges) - 1;
  if (bins < 1 || !(x >= edges.front() && x <= edges.back()))
    return -1;
  const std::int64_t at =
      how == Search::Edges
          ? std::ranges::upper_bound(edges, x) - edges.begin() - 1
          : static_cast<std::int64_t>((x - edges.front()) * static_cast<T>(bins) / (edges.back() - edges.front()));
  return std::min<std::int64_t>(at, bins - 1);
}

/// \p bins of one width between \p low and \p high, from both ends, so that the last edge is exact.
template <class T> std::vector<T> evenEdges(const ExecContext &c, std::int64_t bins, T low, T high) {
  requireRoom(c, plus(c, bins, 1));
  const T step = (high - low) / static_cast<T>(bins);
  std::vector<T> edges;
  for (std::int64_t i = 0; i <= bins; ++i)
    edges.push_back(i < (bins + 1) / 2 ? low + step * static_cast<T>(i) : high - step * static_cast<T>(bins - i));
  return edges;
}

/// Points, [count, axes], each with a weight where there are any.
struct Points {
  Tensor at, weight;
  std::int64_t count = 0, axes = 0;
};

Points pointsOf(const ExecContext &c, bool ofNumbers) {
  const Tensor &self = c.tensor("self");
  if (self.dtype() != DType::Float32 && self.dtype() != DType::Float64)
    c.fail(fmt::format("a histogram is of float32 or float64, not of {}", dtypeName(self.dtype())));
  if (!ofNumbers && self.rank() < 2)
    c.fail(fmt::format("a tensor of shape {} holds no points", shapeText(self.sizes())));
  Points p;
  p.axes = ofNumbers ? 1 : self.size(self.rank() - 1);
  const SizeSpan shape = ofNumbers ? self.sizes() : self.sizes().first(self.rank() - 1);
  p.count = product(shape);
  const std::int64_t rows[] = {p.count, p.axes}, flat[] = {p.count};
  p.at = contiguous(c, reshaped(c, self, rows));
  if (const Tensor *weight = c.maybeTensor("weight")) {
    const bool fits = ofNumbers ? weight->numel() == p.count : std::ranges::equal(weight->sizes(), shape);
    if (weight->dtype() != self.dtype() || !fits)
      c.fail(fmt::format("the weights, {} of {}, fit no points of shape {} in {}", dtypeName(weight->dtype()),
                         shapeText(weight->sizes()), shapeText(shape), dtypeName(self.dtype())));
    p.weight = contiguous(c, reshaped(c, *weight, flat));
  }
  return p;
}

/// Where the bins of axis \p axis begin and end: as the range says, or where the points do.
template <class T> std::pair<T, T> outerEdges(const ExecContext &c, const Points &p, std::int64_t axis) {
  T low = 0, high = 1;
  if (const auto range = c.reals("range")) {
    if (std::ssize(*range) != 2 * p.axes)
      c.fail(fmt::format("the range has {} numbers for {} axes", range->size(), p.axes));
    low = static_cast<T>((*range)[static_cast<std::size_t>(2 * axis)]);
    high = static_cast<T>((*range)[static_cast<std::size_t>(2 * axis + 1)]);
  } else if (p.count != 0) {
    const T *x = p.at.as<T>() + axis;
    low = high = *x;
    for (std::int64_t i = 0; i < p.count; ++i) {
      const T v = x[i * p.axes];
      low = std::isnan(v) || v < low ? v : low;
      high = std::isnan(v) || v > high ? v : high;
    }
  }
  if (!std::isfinite(low) || !std::isfinite(high))
    c.fail(fmt::format("the range of axis {}, [{}, {}], is not finite", axis, low, high));
  if (low > high)
    c.fail(fmt::format("the range of axis {} ends at {}, before {}", axis, high, low));
  return low == high ? std::pair(low - T(0.5), high + T(0.5)) : std::pair(low, high);
}

/// The edges along each axis: given, or of so many bins.
template <class T> std::vector<std::vector<T>> edgesOf(const ExecContext &c, const Points &p) {
  std::vector<std::vector<T>> edges;
  // Tensors of edges, one alone for `histogram`.
  const RuntimeValue *one = c.value("bins");
  std::vector<Tensor> lists;
  if (one && one->present() && c.opName() == "histogram")
    lists.push_back(c.tensor("bins"));
  else if (c.overload() == "TensorList_bins" || c.opName() == "_histogramdd_from_bin_tensors")
    lists = c.tensors("bins");
  if (!lists.empty()) {
    for (const Tensor &t : lists) {
      if (t.rank() != 1 || t.numel() < 2 || t.dtype() != p.at.dtype())
        c.fail(fmt::format("edges are a vector of two or more {}", dtypeName(p.at.dtype())));
      const Tensor dense = contiguous(c, t);
      edges.emplace_back(dense.as<T>(), dense.as<T>() + dense.numel());
    }
  } else {
    Sizes bins = c.integers("bins").value_or(Sizes{100});
    if (bins.size() == 1 && (c.overload() == "int_bins" || c.opName() == "histogram"))
      bins.assign(static_cast<std::size_t>(p.axes), bins.front());
    for (std::int64_t i = 0; i < std::ssize(bins) && i < p.axes; ++i) {
      const std::int64_t n = bins[static_cast<std::size_t>(i)];
      if (n <= 0)
        c.fail(fmt::format("axis {} has {} bins", i, n));
      const auto [low, high] = outerEdges<T>(c, p, i);
      edges.push_back(evenEdges(c, n, low, high));
    }
    if (std::ssize(bins) != p.axes)
      edges.clear();
  }
  if (std::ssize(edges) != p.axes)
    c.fail(fmt::format("the bins are of another number of axes than the points, which have {}", p.axes));
  return edges;
}

/// The weight of the points in each bin; as a density over their total and the size of the bin.
template <class T>
Tensor counted(const ExecContext &c, const Points &p, const std::vector<std::vector<T>> &edges, Search how) {
  Sizes shape;
  std::int64_t bins = 1;
  for (const auto &each : edges) {
    shape.push_back(std::ssize(each) - 1);
    bins = times(c, bins, shape.back());
  }
  if (shape.size() > Tensor::maxRank)
    c.fail(fmt::format("{} axes are too many", shape.size()));
  const Tensor counts = filled(c, DType::Float64, shape, Scalar::of(0.0));
  auto *o = counts.out<double>();
  const T *x = p.at.as<T>(), *weight = p.weight ? p.weight.as<T>() : nullptr;
  double total = 0;
  for (std::int64_t i = 0; i < p.count; ++i) {
    std::int64_t bin = 0;
    for (std::int64_t axis = 0; axis < p.axes && bin >= 0; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      const std::int64_t place = binOf(edges[at], x[i * p.axes + axis], how);
      bin = place < 0 ? -1 : bin * shape[at] + place;
    }
    if (bin < 0)
      continue;
    const double points = weight ? static_cast<double>(weight[i]) : 1;
    o[bin] += points;
    total += points;
  }
  if (c.flag("density"))
    for (std::int64_t bin = 0; bin < bins; ++bin) {
      double size = total;
      std::int64_t rest = bin;
      for (std::size_t axis = edges.size(); axis-- > 0; rest /= shape[axis]) {
        const auto at = static_cast<std::size_t>(rest % shape[axis]);
        size *= static_cast<double>(edges[axis][at + 1] - edges[axis][at]);
      }
      o[bin] /= size;
    }
  return cast(c, counts, p.at.dtype());
}

template <class T> Tensor vectorOf(const ExecContext &c, const std::vector<T> &values, DType t) {
  const std::int64_t shape[] = {std::ssize(values)};
  return cast(c, tensorOf(c, shape, std::vector<double>(values.begin(), values.end())), t);
}

} // namespace

void executeHistogram(ExecContext &c) {
  const Points p = pointsOf(c, true);
  withFloating(computeOf(p.at.dtype()), [&](auto zero) {
    const auto edges = edgesOf<decltype(zero)>(c, p);
    c.finish(0, counted(c, p, edges, Search::Edges));
    c.finish(1, vectorOf(c, edges.front(), p.at.dtype()));
  });
}

void executeHistogramOfPoints(ExecContext &c) {
  const Points p = pointsOf(c, false);
  const bool edgesAlone = c.opName() == "_histogramdd_bin_edges", countsAlone = c.opName().starts_with("_");
  withFloating(computeOf(p.at.dtype()), [&](auto zero) {
    const auto edges = edgesOf<decltype(zero)>(c, p);
    const bool given = c.overload() == "TensorList_bins" || c.opName() == "_histogramdd_from_bin_tensors";
    if (!edgesAlone)
      c.finish(0, counted(c, p, edges, given ? Search::Edges : Search::Share));
    if (countsAlone && !edgesAlone)
      return;
    std::vector<Tensor> list;
    for (const auto &each : edges)
      list.push_back(vectorOf(c, each, p.at.dtype()));
    c.setList(edgesAlone ? 0 : 1, list);
  });
}

} // namespace condlint

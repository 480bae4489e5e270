//===- Selection.cpp - Sorting, top k, searching, executed ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Selection.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Rows.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace condlint {

// --- boxes ----------------------------------------------------------------------

namespace {

struct Box {
  double x1, y1, x2, y2;
  double area() const { return (x2 - x1) * (y2 - y1); }
};

/// Of two scores; NaN is the highest.
bool higher(double a, double b) { return isNan(a) ? !isNan(b) : a > b; }

bool overlaps(const Box &a, const Box &b, double threshold) {
  const double w = std::min(a.x2, b.x2) - std::max(a.x1, b.x1), h = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (w <= 0 || h <= 0)
    return false;
  const double both = a.area() + b.area() - w * h;
  return a.area() > 0 && b.area() > 0 && both > 0 && w * h / both > threshold;
}

} // namespace

void executeNonMaxSuppression(ExecContext &c) {
  const Tensor &boxes = c.in(0), &scores = c.in(1);
  const std::int64_t most = c.has(2) ? c.scalarIn(2).toInt() : 0;
  const double overlap = c.has(3) ? c.scalarIn(3).toDouble() : 0;
  const std::optional<double> least = c.has(4) ? std::optional(c.scalarIn(4).toDouble()) : std::nullopt;
  const bool centred = c.flag("center_point_box");
  if (boxes.rank() != 3 || scores.rank() != 3 || boxes.size(2) != 4 || boxes.size(0) != scores.size(0) ||
      boxes.size(1) != scores.size(2))
    c.fail("the boxes do not fit the scores");
  const std::vector<double> b = doublesOf(c, boxes), s = doublesOf(c, scores);
  const std::int64_t count = boxes.size(1), classes = scores.size(1);
  std::vector<std::int64_t> found;
  for (std::int64_t n = 0; n < boxes.size(0); ++n)
    for (std::int64_t k = 0; k < classes; ++k) {
      const double *score = s.data() + (n * classes + k) * count;
      std::vector<std::int64_t> order(static_cast<std::size_t>(count)), chosen;
      sortIndices(order, [&](std::int64_t p, std::int64_t q) { return higher(score[p], score[q]); });
      const auto boxAt = [&](std::int64_t i) {
        const double *v = b.data() + (n * count + i) * 4;
        if (centred)
          return Box{v[0] - v[2] / 2, v[1] - v[3] / 2, v[0] + v[2] / 2, v[1] + v[3] / 2};
        return Box{std::min(v[1], v[3]), std::min(v[0], v[2]), std::max(v[1], v[3]), std::max(v[0], v[2])};
      };
      for (std::int64_t i : order) {
        if (static_cast<std::int64_t>(chosen.size()) >= most || (least && !(score[i] > *least)))
          break;
        if (std::ranges::any_of(chosen, [&](std::int64_t j) { return overlaps(boxAt(i), boxAt(j), overlap); }))
          continue;
        chosen.push_back(i);
        found.insert(found.end(), {n, k, i});
      }
    }
  const std::int64_t shape[] = {static_cast<std::int64_t>(found.size() / 3), 3};
  c.set(0, reshaped(c, tensorOf(c, found), shape));
}

void executeTorchNms(ExecContext &c) {
  const std::vector<double> b = doublesOf(c, c.tensor("dets")), s = doublesOf(c, c.tensor("scores"));
  const double overlap = c.real("iou_threshold");
  if (b.size() != 4 * s.size())
    c.fail("the boxes do not fit the scores");
  std::vector<std::int64_t> order(s.size()), chosen;
  sortIndices(order, [&](std::int64_t p, std::int64_t q) {
    return higher(s[static_cast<std::size_t>(p)], s[static_cast<std::size_t>(q)]);
  });
  const auto boxAt = [&](std::int64_t i) {
    const double *v = b.data() + i * 4;
    return Box{v[0], v[1], v[2], v[3]};
  };
  for (std::int64_t i : order)
    if (std::ranges::none_of(chosen, [&](std::int64_t j) { return overlaps(boxAt(i), boxAt(j), overlap); }))
      chosen.push_back(i);
  c.set(0, tensorOf(c, chosen));
}

// --- distinct elements ------------------------------------------------------------

namespace {

/// The distinct slices of \p t along an axis, sorted.
struct Distinct {
  std::vector<std::int64_t> first, inverse, counts;
};

/// Of \p rows rows, ordered by \p before; the next is a new one unless it is the \p same.
template <class Before, class Same> Distinct distinctRows(std::int64_t rows, const Before &before, const Same &same) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows));
  sortIndices(order, before);
  Distinct d;
  d.inverse.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !same(order[i - 1], order[i])) {
      d.first.push_back(order[i]);
      d.counts.push_back(0);
    }
    ++d.counts.back();
    d.inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(d.first.size()) - 1;
  }
  return d;
}

/// In the order in which they come.
void inOrderOfAppearance(Distinct &d) {
  std::vector<std::int64_t> order(d.first.size()), place(d.first.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int64_t i) { return d.first[static_cast<std::size_t>(i)]; });
  Distinct sorted = d;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.first[i] = d.first[static_cast<std::size_t>(order[i])];
    sorted.counts[i] = d.counts[static_cast<std::size_t>(order[i])];
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  for (std::int64_t &i : sorted.inverse)
    i = place[static_cast<std::size_t>(i)];
  d = std::move(sorted);
}

/// The order of numbers, in which NaN comes last.
template <class T> bool comesBefore(T a, T b) { return isNan(b) ? !isNan(a) : a < b; }

/// \p x with \p axis in front.
Tensor axisFirst(const Tensor &x, std::size_t axis) {
  std::vector<std::size_t> order{axis};
  for (std::size_t i = 0; i < x.rank(); ++i)
    if (i != axis)
      order.push_back(i);
  return x.permuted(order);
}

std::size_t axisOfSlices(const ExecContext &c, const Tensor &x, std::int64_t axis) {
  if (x.rank() == 0)
    c.fail("a tensor without axes has no slices");
  return axisOf(c, axis, x.rank());
}

/// ONNX takes all NaN for one, as NumPy does; torch takes each for itself.
enum class NanIs : std::uint8_t { Alike, Distinct };

Distinct distinctSlices(const ExecContext &c, const Tensor &x, std::size_t axis, NanIs nan) {
  const std::int64_t count = x.size(axis), width = count == 0 ? 0 : x.numel() / count;
  const auto distinct = [&](const auto &at, const auto &before, const auto &same) {
    return distinctRows(
        count,
        [&](std::int64_t a, std::int64_t b) {
          for (std::int64_t k = 0; k < width; ++k)
            if (before(at(a * width + k), at(b * width + k)) || before(at(b * width + k), at(a * width + k)))
              return before(at(a * width + k), at(b * width + k));
          return false;
        },
        [&](std::int64_t a, std::int64_t b) {
          for (std::int64_t k = 0; k < width; ++k)
            if (!same(at(a * width + k), at(b * width + k)))
              return false;
          return true;
        });
  };
  if (x.dtype() == DType::String) {
    const Tensor rows = contiguous(c, axisFirst(x, axis));
    return distinct([&](std::int64_t i) { return c.strings().view(rows.as<std::uint64_t>()[i]); }, std::less<>(),
                    std::equal_to<>());
  }
  const Tensor rows = computing(c, axisFirst(x, axis));
  Distinct d;
  withReal(c, computeOf(x.dtype()), [&](auto zero) {
    using T = decltype(zero);
    const T *v = rows.as<T>();
    d = distinct([&](std::int64_t i) { return v[i]; }, comesBefore<T>,
                 [&](T a, T b) { return a == b || (nan == NanIs::Alike && isNan(a) && isNan(b)); });
  });
  return d;
}

Tensor slicesAt(const ExecContext &c, const Tensor &x, std::size_t axis, const std::vector<std::int64_t> &places) {
  Sizes shape = sizesOf(x);
  shape[axis] = static_cast<std::int64_t>(places.size());
  const Tensor out = c.empty(x.dtype(), shape);
  for (std::size_t i = 0; i < places.size(); ++i)
    copyInto(c, out.selected(axis, static_cast<std::int64_t>(i)), x.selected(axis, places[i]));
  return out;
}

} // namespace

void executeUniqueOnnx(ExecContext &c) {
  Tensor x = c.in(0);
  std::size_t axis = 0;
  if (c.hasArg("axis"))
    axis = axisOfSlices(c, x, c.integer("axis"));
  else
    x = reshaped(c, x, Sizes{x.numel()});
  Distinct d = distinctSlices(c, x, axis, NanIs::Alike);
  if (!c.flag("sorted", true))
    inOrderOfAppearance(d);
  c.set(0, slicesAt(c, x, axis, d.first));
  c.set(1, tensorOf(c, d.first));
  c.set(2, tensorOf(c, d.inverse));
  c.set(3, tensorOf(c, d.counts));
}

/// _unique2, _unique, unique_dim, unique_consecutive, unique_dim_consecutive.
void executeUnique(ExecContext &c) {
  const std::string_view name = c.opName();
  Tensor x = firstOperand(c);
  const Sizes whole = sizesOf(x);
  std::size_t axis = 0;
  const bool along = c.hasArg("dim");
  if (along)
    axis = axisOfSlices(c, x, c.integer("dim"));
  else
    x = reshaped(c, x, Sizes{x.numel()});
  Distinct d = distinctSlices(c, x, axis, NanIs::Distinct);
  if (name.ends_with("consecutive")) {
    // Runs of equal neighbours instead of the whole.
    Distinct runs;
    for (std::size_t i = 0; i < d.inverse.size(); ++i) {
      if (i == 0 || d.inverse[i] != d.inverse[i - 1]) {
        runs.first.push_back(static_cast<std::int64_t>(i));
        runs.counts.push_back(0);
      }
      ++runs.counts.back();
      runs.inverse.push_back(static_cast<std::int64_t>(runs.first.size()) - 1);
    }
    d = std::move(runs);
  }
  const Tensor none = c.empty(DType::Int64, Sizes{0});
  c.finish(0, slicesAt(c, x, axis, d.first));
  // Along a dimension torch's kernel for the CPU gives both whether they are asked for or not.
  const bool all = name.starts_with("unique_dim");
  const Tensor inverse = tensorOf(c, d.inverse);
  c.finish(1, all || c.flag("return_inverse") ? (along ? inverse : reshaped(c, inverse, whole)) : none);
  if (c.resultCount() > 2)
    c.finish(2, all || c.flag("return_counts") ? tensorOf(c, d.counts) : none);
}

// --- one step of training ---------------------------------------------------------

namespace {

Operand number(const ExecContext &c, std::string_view name, double otherwise) {
  return operandOf(c.real(name, otherwise));
}

} // namespace

void executeAdagrad(ExecContext &c) {
  const double rate = c.scalarIn(0).toDouble() / (1 + c.scalarIn(1).toDouble() * c.real("decay_factor", 0.0));
  const std::size_t n = (c.operandCount() - 2) / 3;
  for (std::size_t i = 0; i < n; ++i) {
    const Operand x = operandOf(c.in(2 + i)), g = operandOf(c.in(2 + n + i)), h = operandOf(c.in(2 + 2 * n + i));
    const Tensor step = add(c, operandOf(mul(c, x, number(c, "norm_coefficient", 0.0))), g);
    const Tensor square = add(c, h, operandOf(mul(c, operandOf(step), operandOf(step))));
    const Tensor scale = add(c, operandOf(map(c, Sqrt(), {operandOf(square)})), number(c, "epsilon", 0.0));
    c.set(i, sub(c, x, operandOf(div(c, operandOf(mul(c, operandOf(step), operandOf(rate))), operandOf(scale)))));
    c.set(n + i, square);
  }
}

void executeAdam(ExecContext &c) {
  const double r = c.scalarIn(0).toDouble(), t = c.scalarIn(1).toDouble(), alpha = c.real("alpha", 0.9),
               beta = c.real("beta", 0.999);
  const double rate = t > 0 ? r * std::sqrt(1 - std::pow(beta, t)) / (1 - std::pow(alpha, t)) : r;
  const std::size_t n = (c.operandCount() - 2) / 4;
  for (std::size_t i = 0; i < n; ++i) {
    const Operand x = operandOf(c.in(2 + i)), g = operandOf(c.in(2 + n + i)), v = operandOf(c.in(2 + 2 * n + i)),
                  h = operandOf(c.in(2 + 3 * n + i));
    const Tensor step = add(c, operandOf(mul(c, x, number(c, "norm_coefficient", 0.0))), g);
    const Tensor first =
        add(c, operandOf(mul(c, v, operandOf(alpha))), operandOf(mul(c, operandOf(step), operandOf(1 - alpha))));
    const Tensor square = mul(c, operandOf(step), operandOf(step));
    const Tensor second =
        add(c, operandOf(mul(c, h, operandOf(beta))), operandOf(mul(c, operandOf(square), operandOf(1 - beta))));
    const Tensor scale = add(c, operandOf(map(c, Sqrt(), {operandOf(second)})), number(c, "epsilon", 0.0));
    const Tensor moved =
        sub(c, x, operandOf(mul(c, operandOf(div(c, operandOf(first), operandOf(scale))), operandOf(rate))));
    c.set(i, mul(c, operandOf(moved), operandOf(1 - c.real("norm_coefficient_post", 0.0))));
    c.set(n + i, first);
    c.set(2 * n + i, second);
  }
}

void executeMomentum(ExecContext &c) {
  const double r = c.scalarIn(0).toDouble(), t = c.scalarIn(1).toDouble(), alpha = c.real("alpha");
  const double beta = t > 0 ? c.real("beta") : 1;
  const bool nesterov = c.text("mode", "standard") == "nesterov";
  const std::size_t n = (c.operandCount() - 2) / 3;
  for (std::size_t i = 0; i < n; ++i) {
    const Operand x = operandOf(c.in(2 + i)), g = operandOf(c.in(2 + n + i)), v = operandOf(c.in(2 + 2 * n + i));
    const Tensor step = add(c, operandOf(mul(c, x, number(c, "norm_coefficient", 0.0))), g);
    const Tensor next =
        add(c, operandOf(mul(c, v, operandOf(alpha))), operandOf(mul(c, operandOf(step), operandOf(beta))));
    const Tensor move = nesterov ? add(c, operandOf(step), operandOf(mul(c, operandOf(next), operandOf(alpha)))) : next;
    c.set(i, sub(c, x, operandOf(mul(c, operandOf(move), operandOf(r)))));
    c.set(n + i, next);
  }
}

} // namespace condlint

//===- Scan.cpp - Scans, executed -----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Scan.h"
#include "ElementKernels.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

template <class T>
void cumulateRows(const ExecContext &c, const Rows &r, const Tensor &out, bool product, bool exclusive, bool reverse) {
  const T *x = r.data.deviceAs<T>();
  const std::int64_t n = r.length;
  T *o = out.deviceOut<T>();
  forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    const T *row = x + i * n;
    T *to = o + i * n;
    T sum = product ? T(1) : T(0);
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t at = reverse ? n - 1 - k : k;
      const T next = product ? wrapMul(sum, row[at]) : wrapAdd(sum, row[at]);
      to[at] = exclusive ? sum : next;
      sum = next;
    }
  });
}

Tensor cumulated(const ExecContext &c, const Tensor &t, std::size_t axis, bool product, bool exclusive, bool reverse,
                 DType to) {
  // Floats add up in double, as their sums do.
  const Tensor x = t.dtype() == DType::Float32 ? cast(c, t, DType::Float64) : t;
  const Rows r = rowsAlong(c, x, axis);
  const Tensor out = c.empty(r.data.dtype(), r.data.sizes());
  withCompute(computeOf(x.dtype()),
              [&](auto zero) { cumulateRows<decltype(zero)>(c, r, out, product, exclusive, reverse); });
  return fromRows(c, out, t, axis, to);
}

void executeCumulative(ExecContext &c, bool product) {
  if (!c.isTorch()) {
    const Tensor &x = c.in(0);
    const auto axis = c.integersIn(1);
    if (!axis || axis->size() != 1)
      c.fail("the axis is no single number");
    return c.set(0, cumulated(c, x, axisOf(c, (*axis)[0], x.rank()), product, c.flag("exclusive"), c.flag("reverse"),
                              x.dtype()));
  }
  const Tensor &x = firstOperand(c);
  const DType to = c.dtype("dtype").value_or(c.isInPlace() ? x.dtype() : accumulateType(x.dtype()));
  c.finish(0, cumulated(c, cast(c, x, to), axisOf(c, c.integer("dim"), x.rank()), product, false, false, to));
}

template <class T>
void cumulateExtremes(const ExecContext &c, const Rows &r, const Tensor &values, const Tensor &indices, bool largest) {
  const T *x = r.data.deviceAs<T>();
  T *v = values.deviceOut<T>();
  auto *at = indices.deviceOut<std::int64_t>();
  const std::int64_t n = r.length;
  forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    const T *row = x + i * n;
    std::int64_t best = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      // The last of several equal ones; NaN stays.
      if (isNan(row[k]) || (!isNan(row[best]) && (largest ? row[k] >= row[best] : row[k] <= row[best])))
        best = k;
      v[i * n + k] = row[best];
      at[i * n + k] = best;
    }
  });
}

template <class T> void logCumulateRows(const ExecContext &c, const Rows &r, const Tensor &out) {
  const T *x = r.data.deviceAs<T>();
  T *to = out.deviceOut<T>();
  const std::int64_t n = r.length;
  forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    T sum = -std::numeric_limits<T>::infinity();
    for (std::int64_t k = i * n; k < (i + 1) * n; ++k) {
      const T top = x[k] > sum ? x[k] : sum;
      if (isNan(x[k]) || isNan(sum))
        sum = x[k] + sum;
      else if (!isInfinite(top))
        sum = top + std::log(std::exp(x[k] - top) + std::exp(sum - top));
      else
        sum = top;
      to[k] = sum;
    }
  });
}

} // namespace

void executeCumSum(ExecContext &c) { executeCumulative(c, false); }
void executeCumProd(ExecContext &c) { executeCumulative(c, true); }

void executeLogCumSumExp(ExecContext &c) {
  const Tensor &given = firstOperand(c);
  const Tensor x = floating(c, given);
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  if (isComplex(x.dtype()))
    c.fail("condlint does not execute logcumsumexp of complex numbers");
  const Rows r = rowsAlong(c, x, axis);
  const Tensor out = c.empty(r.data.dtype(), r.data.sizes());
  withFloating(computeOf(x.dtype()), [&](auto zero) { logCumulateRows<decltype(zero)>(c, r, out); });
  c.finish(0, fromRows(c, out, given, axis, floatOf(c, given.dtype())));
}

void executeCumulativeExtreme(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  const Rows r = rowsAlong(c, x, axis);
  const Tensor values = c.empty(r.data.dtype(), r.data.sizes()), indices = c.empty(DType::Int64, r.data.sizes());
  const bool largest = c.opName() == "cummax";
  withReal(c, computeOf(x.dtype()),
           [&](auto zero) { cumulateExtremes<decltype(zero)>(c, r, values, indices, largest); });
  c.finish(0, fromRows(c, values, x, axis, x.dtype()));
  c.finish(1, fromRows(c, indices, x, axis, DType::Int64));
}

namespace {

/// ONNX up to opset 12: over all axes from the one given on, as a matrix.
bool flattensRows(const ExecContext &c) { return !c.isTorch() && c.version() >= 1 && c.version() < 13; }

struct SoftmaxOperand {
  Tensor x;
  std::size_t axis = 0;
};
SoftmaxOperand softmaxOperand(const ExecContext &c) {
  SoftmaxOperand s{firstOperand(c), 0};
  if (c.isTorch()) {
    s.axis = axisOf(c, c.integer("dim"), s.x.rank());
    if (const auto to = c.dtype("dtype"))
      s.x = cast(c, s.x, *to);
    return s;
  }
  if (!flattensRows(c)) {
    s.axis = axisOf(c, static_cast<std::int32_t>(c.integer("axis", -1)), s.x.rank()); // as the types have it
    return s;
  }
  const std::size_t axis = axisOf(c, c.integer("axis", 1), s.x.rank());
  const std::int64_t shape[] = {product(s.x.sizes().first(axis)), product(s.x.sizes().subspan(axis))};
  s.x = reshaped(c, s.x, shape);
  s.axis = 1;
  return s;
}

void finishSoftmax(ExecContext &c, const Tensor &t) {
  c.finish(0, flattensRows(c) ? reshaped(c, t, c.in(0).sizes()) : t);
}

} // namespace

void executeSoftmax(ExecContext &c) {
  const SoftmaxOperand s = softmaxOperand(c);
  const bool toFloat = c.isTorch() && c.flag("half_to_float");
  Tensor out = softmax(c, s.x, s.axis, toFloat ? DType::Float32 : s.x.dtype());
  if (c.opName() == "_safe_softmax") { // a row of -inf yields zeros
    const auto axes = axesOf(c, Sizes{static_cast<std::int64_t>(s.axis)}, s.x.rank());
    const Tensor top = reduced(c, s.x, axes, true, Reduction::Maximum, s.x.dtype());
    const Tensor masked = map(c, Equal(), {operandOf(top), operandOf(-HUGE_VAL)});
    out = select(c, expanded(c, masked, out.sizes()), operandOf(0.0), operandOf(out));
  }
  finishSoftmax(c, out);
}

void executeLogSoftmax(ExecContext &c) {
  const SoftmaxOperand s = softmaxOperand(c);
  const bool toFloat = c.isTorch() && c.flag("half_to_float");
  finishSoftmax(c, softmax(c, s.x, s.axis, toFloat ? DType::Float32 : s.x.dtype(), true));
}

void executeHardmax(ExecContext &c) {
  const SoftmaxOperand s = softmaxOperand(c);
  const auto axes = axesOf(c, Sizes{static_cast<std::int64_t>(s.axis)}, s.x.rank());
  const Tensor best = reduced(c, s.x, axes, false, Reduction::ArgMax, DType::Int64);
  // One at the largest of each row.
  const Tensor places = contiguous(c, best);
  const Rows r = rowsAlong(c, s.x, s.axis);
  const Tensor flat = filled(c, DType::Float64, r.data.sizes(), Scalar::of(0.0));
  for (std::int64_t i = 0; i < r.count; ++i)
    flat.out<double>()[i * r.length + places.as<std::int64_t>()[i]] = 1;
  finishSoftmax(c, fromRows(c, flat, s.x, s.axis, s.x.dtype()));
}

void executeDiff(ExecContext &c) {
  Tensor x = firstOperand(c);
  const std::size_t axis = axisOf(c, c.integer("dim", -1), x.rank());
  std::vector<Tensor> parts;
  if (const Tensor *t = c.maybeTensor("prepend"))
    parts.push_back(*t);
  parts.push_back(x);
  if (const Tensor *t = c.maybeTensor("append"))
    parts.push_back(*t);
  if (parts.size() > 1)
    x = concatenated(c, parts, axis);
  for (std::int64_t n = c.integer("n", 1); n > 0 && x.rank() != 0; --n) {
    const std::int64_t size = std::max<std::int64_t>(x.size(axis) - 1, 0);
    const Tensor after = x.sliced(axis, std::min<std::int64_t>(1, x.size(axis)), size), front = x.sliced(axis, 0, size);
    x = x.dtype() == DType::Bool ? map(c, LogicalXor(), {operandOf(after), operandOf(front)})
                                 : sub(c, operandOf(after), operandOf(front));
    if (size == 0)
      break;
  }
  c.finish(0, c.integer("n", 1) == 0 ? laidOut(c, copied(c, x), preservedStrides(x)) : x);
}

// --- sorting --------------------------------------------------------------------

void executeSort(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::size_t axis = axisOf(c, c.integer("dim", -1), x.rank());
  const Tensor order = sortedIndices(c, x, axis, c.flag("descending"));
  c.finish(0, laidOut(c, x.rank() == 0 ? copied(c, x) : gatherAlong(c, x, axis, order), preservedStrides(x)));
  c.finish(1, laidOut(c, order, preservedStrides(x)));
}

void executeArgsort(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const Tensor order = sortedIndices(c, x, axisOf(c, c.integer("dim", -1), x.rank()), c.flag("descending"));
  c.finish(0, laidOut(c, order, preservedStrides(x)));
}

void executeMsort(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const Tensor out = x.rank() == 0 ? copied(c, x) : gatherAlong(c, x, 0, sortedIndices(c, x, 0, false));
  c.finish(0, laidOut(c, out, preservedStrides(x)));
}

void executeTopK(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::size_t axis = axisOf(c, c.integer(c.isTorch() ? "dim" : "axis", -1), x.rank());
  const auto given = c.integers("k", 1);
  if (!given || given->size() != 1)
    c.fail("k is no single number");
  const std::int64_t k = (*given)[0], size = x.rank() == 0 ? 1 : x.size(axis);
  if (k < 0 || k > size)
    c.fail(fmt::format("the {} largest of {} elements are asked for", k, size));
  const Tensor order = sortedIndices(c, x, axis, c.flag("largest", true));
  const Tensor top = x.rank() == 0 ? order : contiguous(c, order.sliced(axis, 0, k));
  c.finish(0, x.rank() == 0 ? copied(c, x) : gatherAlong(c, x, axis, top));
  c.finish(1, top);
}

} // namespace condlint

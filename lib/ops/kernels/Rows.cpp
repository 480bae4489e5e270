//===- Rows.cpp - Kernels along axes --------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace condlint {

Rows rowsOf(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes) {
  Rows r;
  std::vector<std::size_t> order;
  r.keptDim = sizesOf(t);
  for (std::size_t i = 0; i < t.rank(); ++i)
    if (std::ranges::find(axes, i) == axes.end()) {
      order.push_back(i);
      r.kept.push_back(t.size(i));
      r.count *= t.size(i);
    }
  for (std::size_t a : axes) {
    if (t.rank() == 0)
      break; // a number is one row of one element, whatever axis is named
    order.push_back(a);
    r.length *= t.size(a);
    r.keptDim[a] = 1;
  }
  const std::int64_t shape[] = {r.count, r.length};
  r.data = reshaped(c, computing(c, t.permuted(order)), shape);
  return r;
}

Rows rowsAlong(const ExecContext &c, const Tensor &t, std::size_t axis) {
  if (t.rank() == 0) {
    Rows r;
    const std::int64_t shape[] = {1, 1};
    r.data = reshaped(c, computing(c, t), shape);
    return r;
  }
  const std::size_t axes[] = {axis};
  return rowsOf(c, t, axes);
}

Tensor fromRows(const ExecContext &c, const Tensor &rows, const Tensor &like, std::size_t axis, DType t) {
  if (like.rank() == 0)
    return cast(c, reshaped(c, rows, {}), t);
  Sizes sizes;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < like.rank(); ++i)
    if (i != axis)
      sizes.push_back(like.size(i));
  sizes.push_back(rows.size(1));
  // The last axis goes back to its place.
  for (std::size_t i = 0; i < like.rank(); ++i)
    order.push_back(i < axis ? i : i == axis ? like.rank() - 1 : i - 1);
  return contiguous(c, cast(c, contiguous(c, reshaped(c, rows, sizes).permuted(order)), t));
}

namespace {

template <class T> CONDLINT_HD bool before(T a, T b, bool largest) {
  if (isNan(b))
    return false;
  return isNan(a) || (largest ? a > b : a < b);
}

template <class T> CONDLINT_HD std::int64_t extremeAt(const T *x, std::int64_t n, bool largest, bool last) {
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < n; ++i)
    if (before(x[i], x[best], largest) || (last && !before(x[best], x[i], largest)))
      best = i;
  return best;
}

template <class T> constexpr T lowest() {
  return std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}
template <class T> constexpr T highest() {
  return std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}

/// What every type has.
template <class T> void reduceRows(const ExecContext &c, const Rows &r, Reduction how, const Tensor &out) {
  const T *x = r.data.deviceAs<T>();
  const std::int64_t n = r.length;
  T *o = out.deviceOut<T>();
  switch (how) {
  case Reduction::Sum:
  case Reduction::Mean:
    forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
      const auto sum = sumOf(x + i * n, n, [](Accumulated<T> v) { return v; });
      if (how == Reduction::Sum)
        o[i] = static_cast<T>(sum);
      else if constexpr (isWholeNumber<T>)
        o[i] = n == 0 ? T(0) : static_cast<T>(sum / static_cast<T>(n));
      else
        o[i] = static_cast<T>(sum / Accumulated<T>(static_cast<double>(n)));
    });
    break;
  case Reduction::Product:
    forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
      Accumulated<T> p(1);
      for (std::int64_t k = 0; k < n; ++k)
        p = wrapMul(p, static_cast<Accumulated<T>>(x[i * n + k]));
      o[i] = static_cast<T>(p);
    });
    break;
  case Reduction::SumSquare:
    forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
      o[i] = static_cast<T>(sumOf(x + i * n, n, [](Accumulated<T> v) { return wrapMul(v, v); }));
    });
    break;
  case Reduction::SumAbsolute:
    forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
      o[i] = static_cast<T>(sumOf(x + i * n, n, [](Accumulated<T> v) { return Absolute()(v); }));
    });
    break;
  default:
    c.fail("complex numbers have no order");
  }
}

/// What numbers with an order have besides.
template <class T> void reduceOrdered(const ExecContext &c, const Rows &r, Reduction how, const Tensor &out) {
  const T *x = r.data.deviceAs<T>();
  const std::int64_t n = r.length;
  T *o = out.deviceOut<T>();
  switch (how) {
  case Reduction::Maximum:
  case Reduction::Minimum: {
    const bool largest = how == Reduction::Maximum;
    forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
      T best = n != 0 ? x[i * n] : (largest ? lowest<T>() : highest<T>());
      for (std::int64_t k = 1; k < n; ++k)
        best = before(x[i * n + k], best, largest) ? x[i * n + k] : best;
      o[i] = best;
    });
    break;
  }
  case Reduction::LogSumExp:
  case Reduction::NanSum:
  case Reduction::NanMean:
    if constexpr (isReal<T>)
      forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
        double sum = 0, count = 0;
        if (how == Reduction::LogSumExp) {
          double top = -std::numeric_limits<double>::infinity();
          for (std::int64_t k = 0; k < n; ++k)
            top = static_cast<double>(x[i * n + k]) > top ? static_cast<double>(x[i * n + k]) : top;
          const double shift = isInfinite(top) ? 0 : top;
          for (std::int64_t k = 0; k < n; ++k)
            sum += std::exp(static_cast<double>(x[i * n + k]) - shift);
          o[i] = static_cast<T>(std::log(sum) + shift);
          return;
        }
        for (std::int64_t k = 0; k < n; ++k)
          if (!isNan(x[i * n + k])) {
            sum += static_cast<double>(x[i * n + k]);
            ++count;
          }
        o[i] = static_cast<T>(how == Reduction::NanMean ? sum / count : sum);
      });
    else
      c.fail("is defined for floating numbers only");
    break;
  default:
    reduceRows<T>(c, r, how, out);
  }
}

template <class T> void reduceToIndex(const ExecContext &c, const Rows &r, Reduction how, const Tensor &out) {
  const T *x = r.data.deviceAs<T>();
  const std::int64_t n = r.length;
  auto *o = out.deviceOut<std::int64_t>();
  forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    const T *row = x + i * n;
    std::int64_t found = 0;
    switch (how) {
    case Reduction::Any:
      for (std::int64_t k = 0; k < n && found == 0; ++k)
        found = row[k] != T(0) ? 1 : 0;
      break;
    case Reduction::All:
      found = 1;
      for (std::int64_t k = 0; k < n && found == 1; ++k)
        found = row[k] != T(0) ? 1 : 0;
      break;
    case Reduction::CountNonzero:
      for (std::int64_t k = 0; k < n; ++k)
        found += row[k] != T(0) ? 1 : 0;
      break;
    default:
      if constexpr (!isComplexNumber<T>)
        found = extremeAt(row, n, how == Reduction::ArgMax || how == Reduction::ArgMaxLast,
                          how == Reduction::ArgMaxLast || how == Reduction::ArgMinLast);
    }
    o[i] = found;
  });
}

bool yieldsIndex(Reduction how) {
  switch (how) {
  case Reduction::Any:
  case Reduction::All:
  case Reduction::ArgMax:
  case Reduction::ArgMin:
  case Reduction::ArgMaxLast:
  case Reduction::ArgMinLast:
  case Reduction::CountNonzero:
    return true;
  default:
    return false;
  }
}

template <class T> CONDLINT_HD double magnitude(T x) {
  if constexpr (isComplexNumber<T>)
    return math::abs(x);
  else
    return std::fabs(static_cast<double>(x));
}

template <class T> void normRows(const ExecContext &c, const Rows &r, double p, const Tensor &out) {
  const T *x = r.data.deviceAs<T>();
  const std::int64_t n = r.length;
  double *o = out.deviceOut<double>();
  forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    double sum = isInfinite(p) && p < 0 ? std::numeric_limits<double>::infinity() : 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const double a = magnitude(x[i * n + k]);
      if (p == 2)
        sum += a * a;
      else if (p == 1)
        sum += a;
      else if (p == 0)
        sum += a != 0 ? 1 : 0;
      else if (isInfinite(p))
        sum = isNan(a) ? a : (p > 0 ? (a > sum ? a : sum) : (a < sum ? a : sum));
      else
        sum += std::pow(a, p);
    }
    o[i] = p == 2 ? std::sqrt(sum) : (p == 1 || p == 0 || isInfinite(p) ? sum : std::pow(sum, 1 / p));
  });
}

template <class T>
void varianceRows(const ExecContext &c, const Rows &r, double correction, const Tensor &variance, const Tensor &mean) {
  const T *x = r.data.deviceAs<T>();
  const std::int64_t n = r.length;
  T *v = variance.deviceOut<T>(), *u = mean.deviceOut<T>();
  forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    const double m = static_cast<double>(sumOf(x + i * n, n, [](double a) { return a; })) / static_cast<double>(n);
    double sum = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const double d = static_cast<double>(x[i * n + k]) - m;
      sum += d * d;
    }
    const double freedom = static_cast<double>(n) - correction;
    v[i] = static_cast<T>(sum / (freedom < 0 ? 0 : freedom));
    u[i] = static_cast<T>(m);
  });
}

/// Of complex numbers: the mean of the squared distances from their mean, which is real.
void complexVarianceRows(const ExecContext &c, const Rows &r, double correction, const Tensor &variance,
                         const Tensor &mean) {
  const ComplexDouble *x = r.data.deviceAs<ComplexDouble>();
  const std::int64_t n = r.length;
  double *v = variance.deviceOut<double>();
  ComplexDouble *u = mean.deviceOut<ComplexDouble>();
  forEach(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    double re = 0, im = 0, sum = 0;
    for (std::int64_t k = 0; k < n; ++k)
      re += x[i * n + k].real(), im += x[i * n + k].imag();
    re /= static_cast<double>(n), im /= static_cast<double>(n);
    for (std::int64_t k = 0; k < n; ++k) {
      const double a = x[i * n + k].real() - re, b = x[i * n + k].imag() - im;
      sum += a * a + b * b;
    }
    const double freedom = static_cast<double>(n) - correction;
    v[i] = sum / (freedom < 0 ? 0 : freedom);
    u[i] = ComplexDouble(re, im);
  });
}

/// The largest number of \p x, by several at once.
template <class T> CONDLINT_HD T largestOf(const T *x, std::int64_t n) {
  constexpr int width = 8;
  T part[width];
  for (T &p : part)
    p = lowest<T>();
  std::int64_t i = 0;
  for (; i + width <= n; i += width)
    for (int k = 0; k < width; ++k)
      part[k] = x[i + k] > part[k] ? x[i + k] : part[k];
  for (; i < n; ++i)
    part[0] = x[i] > part[0] ? x[i] : part[0];
  for (int k = 1; k < width; ++k)
    part[0] = part[k] > part[0] ? part[k] : part[0];
  return part[0];
}

template <class T> void softmaxRows(const ExecContext &c, const Rows &r, const Tensor &out, bool logarithm) {
  const T *x = r.data.deviceAs<T>();
  const std::int64_t n = r.length;
  T *o = out.deviceOut<T>();
  forEachRow(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    const T *row = x + i * n;
    T *to = o + i * n;
    // What is no number makes the sum none.
    const T top = largestOf(row, n);
    for (std::int64_t k = 0; k < n; ++k)
      to[k] = math::exp(row[k] - top);
    const auto sum = sumOf(static_cast<const T *>(to), n, [](Accumulated<T> v) { return v; });
    if (logarithm) {
      const T shift = static_cast<T>(std::log(sum));
      for (std::int64_t k = 0; k < n; ++k)
        to[k] = row[k] - top - shift;
    } else {
      const T scale = static_cast<T>(1 / sum);
      for (std::int64_t k = 0; k < n; ++k)
        to[k] *= scale;
    }
  });
}

template <class T> void sortRows(const Rows &r, const Tensor &out, bool descending) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(r.length));
  for (std::int64_t i = 0; i < r.count; ++i) {
    const T *x = r.data.as<T>() + i * r.length;
    sortIndices(order, [&](std::int64_t a, std::int64_t b) {
      // NaN counts as the largest.
      if (isNan(x[a]) || isNan(x[b]))
        return descending ? isNan(x[a]) && !isNan(x[b]) : isNan(x[b]) && !isNan(x[a]);
      return descending ? x[a] > x[b] : x[a] < x[b];
    });
    std::ranges::copy(order, out.out<std::int64_t>() + i * r.length);
  }
}

} // namespace

namespace {

/// How \p how, in \p compute, goes on with what it yielded for the parts of a row; nothing: it does not.
std::optional<Reduction> ofParts(Reduction how, Compute compute) {
  switch (how) {
  case Reduction::Sum:
  case Reduction::SumSquare:
  case Reduction::SumAbsolute:
    return Reduction::Sum;
  case Reduction::Mean: // the parts are as long as each other; whole numbers would be rounded twice
    return compute == Compute::I64 || compute == Compute::U64 ? std::nullopt : std::optional(how);
  case Reduction::Maximum:
  case Reduction::Minimum:
    return how;
  default:
    return std::nullopt;
  }
}

/// How many parts of one length to reduce first where a row is one thread's work: about as
/// many as each has elements. 1: it is not worth it.
std::int64_t partsOf(const Rows &r) {
  constexpr std::int64_t longRow = 1024, manyRows = 8192;
  if (r.length < longRow || r.count == 0 || r.count > manyRows)
    return 1;
  auto parts = static_cast<std::int64_t>(std::sqrt(static_cast<double>(r.length)));
  while (r.length % parts != 0)
    --parts;
  return parts;
}

} // namespace

Tensor reduced(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes, bool keepDim, Reduction how,
               DType to) {
  const Rows r = rowsOf(c, t, axes);
  const Compute compute = computeOf(t.dtype());
  if (const auto then = ofParts(how, compute); then && c.device().isParallel())
    if (const std::int64_t parts = partsOf(r); parts > 1) {
      const std::int64_t sizes[] = {r.count, parts, r.length / parts}, strides[] = {r.length, r.length / parts, 1};
      const std::size_t last = 2, middle = 1;
      const Tensor parted = r.data.with(sizes, strides, r.data.offset());
      const Tensor first = reduced(c, parted, {&last, 1}, false, how, dtypeOf(compute));
      return reshaped(c, reduced(c, first, {&middle, 1}, false, *then, to), r.shape(keepDim));
    }
  if (yieldsIndex(how)) {
    const bool arg = how != Reduction::Any && how != Reduction::All && how != Reduction::CountNonzero;
    if (arg && r.length == 0 && r.count != 0)
      c.fail("the largest of no elements is asked for");
    if (arg && compute == Compute::C128)
      c.fail("complex numbers have no order");
    const Tensor out = c.empty(DType::Int64, r.shape(keepDim));
    withCompute(compute, [&](auto zero) { reduceToIndex<decltype(zero)>(c, r, how, out); });
    return cast(c, out, to);
  }
  // Of no elements the least is the largest that there can be, which is another number of the wider type computed in.
  const bool narrow = to == DType::Int8 || to == DType::Int16 || to == DType::Int32;
  if (r.length == 0 && narrow && (how == Reduction::Maximum || how == Reduction::Minimum)) {
    const std::int64_t most = to == DType::Int8 ? INT8_MAX : to == DType::Int16 ? INT16_MAX : INT32_MAX;
    return filled(c, to, r.shape(keepDim), Scalar::of(how == Reduction::Maximum ? -most - 1 : most));
  }
  const Tensor out = c.empty(dtypeOf(compute), r.shape(keepDim));
  if (compute == Compute::C128)
    reduceRows<ComplexDouble>(c, r, how, out);
  else
    withReal(c, compute, [&](auto zero) { reduceOrdered<decltype(zero)>(c, r, how, out); });
  return cast(c, out, to);
}

Tensor normOf(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes, bool keepDim, double p,
              DType to) {
  const Rows r = rowsOf(c, t, axes);
  if (r.length == 0 && (p < 0 || isInfinite(p)) && r.count != 0)
    c.fail("a norm of no elements is asked for");
  const Tensor out = c.empty(DType::Float64, r.shape(keepDim));
  withCompute(computeOf(t.dtype()), [&](auto zero) { normRows<decltype(zero)>(c, r, p, out); });
  return cast(c, out, to);
}

std::pair<Tensor, Tensor> varianceOf(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes,
                                     bool keepDim, double correction) {
  const Tensor x = isComplex(t.dtype()) ? cast(c, t, DType::Complex128) : floating(c, t);
  const Rows r = rowsOf(c, x, axes);
  if (isComplex(x.dtype())) {
    const Tensor variance = c.empty(DType::Float64, r.shape(keepDim)),
                 mean = c.empty(DType::Complex128, r.shape(keepDim));
    complexVarianceRows(c, r, correction, variance, mean);
    return {variance, mean};
  }
  const Tensor variance = c.empty(x.dtype(), r.shape(keepDim)), mean = c.empty(x.dtype(), r.shape(keepDim));
  withFloating(computeOf(x.dtype()),
               [&](auto zero) { varianceRows<decltype(zero)>(c, r, correction, variance, mean); });
  return {cast(c, variance, t.dtype()), cast(c, mean, t.dtype())};
}

Tensor softmax(const ExecContext &c, const Tensor &t, std::size_t axis, DType to, bool logarithm) {
  if (t.numel() == 0)
    return c.empty(to, t.sizes());
  const Tensor x = floating(c, t);
  if (isComplex(x.dtype()))
    c.fail("complex numbers have no softmax");
  const Rows r = rowsAlong(c, x, axis);
  const Tensor out = c.empty(x.dtype(), r.data.sizes());
  withFloating(computeOf(x.dtype()), [&](auto zero) { softmaxRows<decltype(zero)>(c, r, out, logarithm); });
  return fromRows(c, out, t, axis, to);
}

Tensor sortedIndices(const ExecContext &c, const Tensor &t, std::size_t axis, bool descending) {
  const Rows r = rowsAlong(c, t, axis);
  const Tensor out = c.empty(DType::Int64, r.data.sizes());
  withReal(c, computeOf(t.dtype()), [&](auto zero) { sortRows<decltype(zero)>(r, out, descending); });
  return fromRows(c, out, t, axis, DType::Int64);
}

} // namespace condlint

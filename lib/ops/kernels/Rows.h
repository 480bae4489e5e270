//===- Rows.h - Kernels along axes ------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_ROWS_H
#define CONDLINT_LIB_OPS_KERNELS_ROWS_H

#include "Functors.h"
#include "TensorOps.h"
#include <algorithm>
#include <numeric>

namespace condlint {

/// A tensor as a matrix: one row for each element that is left when \p axes are
/// reduced, dense, in the type it is computed in.
struct Rows {
  Tensor data; ///< [count, length]
  std::int64_t count = 1, length = 1;
  Sizes kept;    ///< sizes without the reduced axes
  Sizes keptDim; ///< with 1 for each of them
  const Sizes &shape(bool keepDim) const { return keepDim ? keptDim : kept; }
};
Rows rowsOf(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes);

/// \p t with \p axis moved to the end, dense, in the type it is computed in.
Rows rowsAlong(const ExecContext &c, const Tensor &t, std::size_t axis);
/// Back from \p rows (of \p length each) to a tensor like \p like, whose axis \p axis
/// they run along; as \p t.
Tensor fromRows(const ExecContext &c, const Tensor &rows, const Tensor &like, std::size_t axis, DType t);

/// What rows of a type are summed in.
template <class T> struct Accumulator {
  using Type = T;
};
template <> struct Accumulator<float> {
  using Type = double;
};
template <class T> using Accumulated = typename Accumulator<T>::Type;

/// Several partial sums: quicker, and more precise.
template <class T, class F> CONDLINT_HD Accumulated<T> sumOf(const T *x, std::int64_t n, const F &f) {
  using A = Accumulated<T>;
  A part[4] = {A(0), A(0), A(0), A(0)};
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k)
      part[k] = wrapAdd(part[k], f(static_cast<A>(x[i + k])));
  for (; i < n; ++i)
    part[0] = wrapAdd(part[0], f(static_cast<A>(x[i])));
  return wrapAdd(wrapAdd(part[0], part[1]), wrapAdd(part[2], part[3]));
}

enum class Reduction : std::uint8_t {
  Sum,
  Product,
  Maximum,
  Minimum,
  Mean,
  SumSquare,
  SumAbsolute,
  LogSumExp,
  Any,
  All,
  ArgMax,
  ArgMin,
  ArgMaxLast, ///< of several equal ones the last
  ArgMinLast,
  CountNonzero,
  NanSum,
  NanMean,
};
/// \p t reduced over \p axes; as \p to.
Tensor reduced(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes, bool keepDim, Reduction how,
               DType to);
/// (sum |x|^p)^(1/p), with the usual limits for 0 and infinities.
Tensor normOf(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes, bool keepDim, double p,
              DType to);
/// Variance with \p correction degrees of freedom less, and the mean.
std::pair<Tensor, Tensor> varianceOf(const ExecContext &c, const Tensor &t, std::span<const std::size_t> axes,
                                     bool keepDim, double correction);
Tensor softmax(const ExecContext &c, const Tensor &t, std::size_t axis, DType to, bool logarithm = false);
/// Fills \p order with the indices from 0, sorted by \p before; equal ones keep their order.
template <class Before> void sortIndices(std::vector<std::int64_t> &order, const Before &before) {
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::int64_t a, std::int64_t b) { return before(a, b) || (!before(b, a) && a < b); });
}
/// Indices that sort each row of \p t along \p axis, stably; NaN counts as the largest.
Tensor sortedIndices(const ExecContext &c, const Tensor &t, std::size_t axis, bool descending);
/// Elements of \p t along \p axis at \p indices, which has as many axes.
Tensor gatherAlong(const ExecContext &c, const Tensor &t, std::size_t axis, const Tensor &indices);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_ROWS_H

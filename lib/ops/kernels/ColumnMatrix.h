//===- ColumnMatrix.h - Products with a matrix of few rows of numbers -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_COLUMNMATRIX_H
#define CONDLINT_LIB_OPS_KERNELS_COLUMNMATRIX_H

#include "WideVectors.h"
#include "ops/OpenBlas.h"
#include <algorithm>
#include <cblas.h>
#include <cstdint>
#include <limits>
#include <vector>

namespace condlint {

/// A matrix, column by column: a product then adds whole columns, which vectors do, and each sum goes in the order of
/// the columns whatever their width is. What floats hold is kept as floats, which half the memory is read for.
class ColumnMatrix {
public:
  ColumnMatrix() = default;
  /// \p m is row by row.
  ColumnMatrix(const std::vector<double> &m, std::int64_t rowCount, std::int64_t columnCount)
      : rows(rowCount), columns(columnCount) {
    const bool areFloats =
        std::ranges::all_of(m, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
    if (areFloats)
      fill(m, narrow);
    else
      fill(m, wide);
  }

  /// What it is multiplied with are floats, and so the products may be; OpenBLAS makes them, where it is installed.
  ColumnMatrix(const std::vector<float> &m, std::int64_t rowCount, std::int64_t columnCount)
      : rows(rowCount), columns(columnCount) {
    if (mayMultiply())
      lines = m;
    else
      fill(m, narrow);
  }

  /// Adds, for \p count rows of \p x that are \p step apart, the products of the matrix with each to those of \p y,
  /// which are \p rows apart. Of the matrix the rows from \p first on count, \p height of them.
  void add(const double *x, std::int64_t step, std::int64_t count, double *y, std::int64_t first,
           std::int64_t height) const {
    if (!lines.empty())
      return multiply(x, step, count, y, first, height);
    if (!narrow.empty())
      addColumns(narrow.data() + first, x, step, count, y + first, height);
    else if (!wide.empty())
      addColumns(wide.data() + first, x, step, count, y + first, height);
  }
  void add(const double *x, std::int64_t step, std::int64_t count, double *y) const { add(x, step, count, y, 0, rows); }

private:
  struct Blas {
    decltype(&cblas_sgemm) sgemm = nullptr;
    decltype(&cblas_sgemv) sgemv = nullptr;
  };
  static const Blas &blas() {
    static const Blas found = [] {
      Blas b;
      findInOpenBlas("cblas_sgemm", b.sgemm);
      findInOpenBlas("cblas_sgemv", b.sgemv);
      return b;
    }();
    return found;
  }

  /// OpenBLAS can make the products.
  bool mayMultiply() const {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    return rows <= most && columns <= most && blas().sgemm && blas().sgemv;
  }

  /// The same by OpenBLAS, a block of the rows of \p x at a time.
  void multiply(const double *x, std::int64_t step, std::int64_t count, double *y, std::int64_t first,
                std::int64_t height) const {
    constexpr std::int64_t together = 512, few = 3;
    const auto across = static_cast<int>(columns), high = static_cast<int>(height);
    const float *m = lines.data() + first * columns;
    for (std::int64_t from = 0; from < count; from += together) {
      const std::int64_t some = std::min(together, count - from);
      factors.resize(static_cast<std::size_t>(some * columns));
      products.resize(static_cast<std::size_t>(some * height));
      for (std::int64_t k = 0; k < some; ++k)
        std::transform(x + (from + k) * step, x + (from + k) * step + columns, factors.begin() + k * columns,
                       [](double v) { return static_cast<float>(v); });
      // For few of them OpenBLAS would copy the matrix each time, to read it once more.
      if (some <= few)
        for (std::int64_t k = 0; k < some; ++k)
          blas().sgemv(CblasRowMajor, CblasNoTrans, high, across, 1, m, across, factors.data() + k * columns, 1, 0,
                       products.data() + k * height, 1);
      else
        blas().sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(some), high, across, 1, factors.data(),
                     across, m, across, 0, products.data(), high);
      for (std::int64_t k = 0; k < some; ++k)
        for (std::int64_t i = 0; i < height; ++i)
          y[(from + k) * rows + first + i] += static_cast<double>(products[static_cast<std::size_t>(k * height + i)]);
    }
  }

  template <class From, class T> void fill(const std::vector<From> &m, std::vector<T> &to) const {
    to.resize(m.size());
    constexpr std::int64_t block = 32; // rows at a time, so that what is written lies together
    for (std::int64_t from = 0; from < rows; from += block)
      for (std::int64_t k = 0; k < columns; ++k)
        for (std::int64_t i = from; i < std::min(from + block, rows); ++i)
          to[static_cast<std::size_t>(k * rows + i)] = static_cast<T>(m[static_cast<std::size_t>(i * columns + k)]);
  }

  template <class T>
  void addColumns(const T *m, const double *x, std::int64_t step, std::int64_t count, double *y,
                  std::int64_t height) const {
    withWideVectors([&] {
      constexpr std::int64_t together = 4;
      std::int64_t k = 0;
      for (; k + together <= columns; k += together)
        for (std::int64_t b = 0; b < count; ++b) {
          const double *f = x + b * step + k;
          const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
          const T *c0 = m + k * rows, *c1 = c0 + rows, *c2 = c1 + rows, *c3 = c2 + rows;
          double *out = y + b * rows;
          for (std::int64_t i = 0; i < height; ++i)
            out[i] = (((out[i] + f0 * static_cast<double>(c0[i])) + f1 * static_cast<double>(c1[i])) +
                      f2 * static_cast<double>(c2[i])) +
                     f3 * static_cast<double>(c3[i]);
        }
      for (; k < columns; ++k)
        for (std::int64_t b = 0; b < count; ++b) {
          const double f = x[b * step + k];
          const T *column = m + k * rows;
          double *out = y + b * rows;
          for (std::int64_t i = 0; i < height; ++i)
            out[i] += f * static_cast<double>(column[i]);
        }
    });
  }

  std::int64_t rows = 0, columns = 0;
  std::vector<float> lines;                     ///< row by row, for OpenBLAS; nothing else is filled then
  mutable std::vector<float> factors, products; ///< of the product that is made
  std::vector<float> narrow;
  std::vector<double> wide;
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_COLUMNMATRIX_H

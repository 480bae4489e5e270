//===- Spectra.cpp - Singular values, eigenvalues and what follows --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Spectra.h"
#include "Columns.h"
#include "Lapack.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace condlint {

namespace {

/// LAPACK may not end on what is no number.
void requireFinite(const ExecContext &c, const Columns &m) {
  const ComplexDouble *v = m.data.as<ComplexDouble>();
  if (!std::all_of(v, v + m.data.numel(),
                   [](ComplexDouble z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }))
    c.fail("the matrix holds what is not finite");
}

struct SingularVectors {
  Columns u, vh;
  Tensor values; ///< doubles
};

/// \p job: 'N' no vectors, 'S' those of the singular values, 'A' all.
SingularVectors svdOf(const ExecContext &c, const Tensor &x, char job) {
  const Lapack &lapack = Lapack::of(c);
  const Columns a = columnsOf(c, x);
  requireFinite(c, a);
  const int k = a.smaller();
  SingularVectors out;
  out.u = zeroColumns(c, a.lead, job == 'N' ? 0 : a.rows, job == 'A' ? a.rows : k);
  out.vh = zeroColumns(c, a.lead, job == 'A' ? a.columns : k, job == 'N' ? 0 : a.columns);
  out.values = emptyVectors(c, DType::Float64, a.lead, k);
  for (std::int64_t i = 0; i < a.count; ++i) {
    if (k == 0) { // nothing to LAPACK; all vectors are any basis
      for (const Columns *m : {&out.u, &out.vh})
        for (int r = 0; r < m->smaller(); ++r)
          m->at(i)[std::int64_t{r} * m->rows + r] = 1;
      continue;
    }
    if (lapack.svd(job, a.rows, a.columns, a.at(i), out.values.out<double>() + i * k, out.u.at(i), out.vh.at(i)) != 0)
      c.fail("the singular values do not converge");
  }
  return out;
}

struct SymmetricEigen {
  Columns vectors;
  Tensor values; ///< doubles, ascending
};

SymmetricEigen eighOf(const ExecContext &c, const Tensor &x, bool vectors, char triangle) {
  const Lapack &lapack = Lapack::of(c);
  SymmetricEigen out{columnsOf(c, x, true), {}};
  requireFinite(c, out.vectors);
  const int n = out.vectors.rows;
  out.values = emptyVectors(c, DType::Float64, out.vectors.lead, n);
  for (std::int64_t i = 0; i < out.vectors.count && n != 0; ++i)
    if (lapack.eigh(vectors, triangle, n, out.vectors.at(i), out.values.out<double>() + i * n) != 0)
      c.fail("the eigenvalues do not converge");
  return out;
}

/// V^H to V.
Columns adjointOf(const ExecContext &c, const Columns &m) {
  const Columns out = zeroColumns(c, m.lead, m.columns, m.rows);
  for (std::int64_t i = 0; i < m.count; ++i)
    for (int r = 0; r < m.rows; ++r)
      for (int k = 0; k < m.columns; ++k) {
        const ComplexDouble v = m.at(i)[std::int64_t{k} * m.rows + r];
        out.at(i)[std::int64_t{r} * m.columns + k] = ComplexDouble(v.real(), -v.imag());
      }
  return out;
}

} // namespace

Tensor singularValues(const ExecContext &c, const Tensor &x) { return svdOf(c, x, 'N').values; }

void executeSingularValues(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  c.finish(0, cast(c, singularValues(c, x), realType(x.dtype())));
}

/// linalg_svd, _linalg_svd, svd.
void executeSvd(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const bool old = c.opName() == "svd", vectors = c.flag("compute_uv", true);
  const bool all = old ? !c.flag("some", true) : c.flag("full_matrices", c.opName() == "linalg_svd");
  const SingularVectors svd = svdOf(c, x, !vectors ? 'N' : all ? 'A' : 'S');
  c.finish(1, cast(c, svd.values, realType(x.dtype())));
  const std::int64_t none[] = {0};
  if (vectors) {
    c.finish(0, tensorOf(c, svd.u, x.dtype()));
    // V itself is the older operator's.
    c.finish(2, old ? rowMajor(c, adjointOf(c, svd.vh), x.dtype()) : tensorOf(c, svd.vh, x.dtype()));
  } else if (old) {
    c.finish(0, rowMajor(c, zeroColumns(c, svd.u.lead, x.size(x.rank() - 2), x.size(x.rank() - 2)), x.dtype()));
    c.finish(2, tensorOf(c, zeroColumns(c, svd.u.lead, x.size(x.rank() - 1), x.size(x.rank() - 1)), x.dtype()));
  } else {
    c.finish(0, c.empty(x.dtype(), none));
    c.finish(2, c.empty(x.dtype(), none));
  }
}

/// linalg_eigh, linalg_eigvalsh, _linalg_eigh.
void executeEigh(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const std::string_view triangle = c.text("UPLO", "L");
  if (triangle != "L" && triangle != "U" && triangle != "l" && triangle != "u")
    c.fail(fmt::format("'{}' names no triangle", triangle));
  const bool vectors = c.opName() != "linalg_eigvalsh" && c.flag("compute_v", true);
  const SymmetricEigen eigen = eighOf(c, x, vectors, triangle == "L" || triangle == "l" ? 'L' : 'U');
  const std::int64_t none[] = {0};
  c.finish(0, cast(c, eigen.values, realType(x.dtype())));
  c.finish(1, vectors ? tensorOf(c, eigen.vectors, x.dtype()) : c.empty(x.dtype(), none));
}

/// linalg_eig, linalg_eigvals, _linalg_eigvals: complex numbers of any matrix.
void executeEig(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Tensor &x = matrixArgument(c);
  const Columns a = columnsOf(c, x, true), vectors = zeroColumns(c, a.lead, a.rows, a.rows);
  requireFinite(c, a);
  const Tensor values = emptyVectors(c, DType::Complex128, a.lead, a.rows);
  for (std::int64_t i = 0; i < a.count && a.rows != 0; ++i)
    if (lapack.eig(a.rows, a.at(i), values.out<ComplexDouble>() + i * a.rows, vectors.at(i)) != 0)
      c.fail("the eigenvalues do not converge");
  const bool wide = x.dtype() == DType::Float64 || x.dtype() == DType::Complex128;
  const DType to = wide ? DType::Complex128 : DType::Complex64;
  c.finish(0, cast(c, values, to));
  c.finish(1, tensorOf(c, vectors, to));
}

// --- what is small is taken for zero ----------------------------------------------

namespace {

double epsilonOf(DType t) {
  return t == DType::Float64 || t == DType::Complex128 ? std::numeric_limits<double>::epsilon()
                                                       : std::numeric_limits<float>::epsilon();
}

/// The argument \p name for each matrix of a batch, whether it is a number or a tensor; nothing when it is absent.
std::optional<std::vector<double>> perMatrix(const ExecContext &c, std::string_view name, const Sizes &lead) {
  if (!c.hasArg(name))
    return std::nullopt;
  if (const Tensor *t = c.maybeTensor(name))
    return doublesOf(c, contiguous(c, expanded(c, *t, lead)));
  return std::vector<double>(static_cast<std::size_t>(product(lead)), c.real(name));
}

/// For each matrix of \p x what its singular values have to exceed; \p largest of each.
std::vector<double> tolerances(const ExecContext &c, const Tensor &x, const Sizes &lead,
                               const std::vector<double> &largest) {
  // `tol` is absolute alone, and `rcond` relative alone.
  auto absolute = perMatrix(c, c.hasArg("tol") ? "tol" : "atol", lead);
  auto relative = perMatrix(c, c.hasArg("rcond") || !c.hasArg("rtol") ? "rcond" : "rtol", lead);
  const double usual = epsilonOf(x.dtype()) * static_cast<double>(std::max(x.size(x.rank() - 1), x.size(x.rank() - 2)));
  std::vector<double> out(largest.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double a = absolute ? (*absolute)[i] : 0;
    const double r = relative ? (*relative)[i] : c.hasArg("tol") || a > 0 ? 0 : usual;
    out[i] = std::max(a, r * largest[i]);
  }
  return out;
}

/// The largest size of the values of each matrix.
std::vector<double> largestOf(const Tensor &values) {
  const std::int64_t n = values.size(values.rank() - 1);
  std::vector<double> out(static_cast<std::size_t>(product(values.sizes().first(values.rank() - 1))));
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::int64_t k = 0; k < n; ++k)
      out[i] = std::max(out[i], std::fabs(values.as<double>()[static_cast<std::int64_t>(i) * n + k]));
  return out;
}

} // namespace

void executeMatrixRank(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const Tensor s = c.flag("hermitian") ? eighOf(c, x, false, 'L').values : singularValues(c, x);
  const Sizes lead(s.sizes().begin(), s.sizes().end() - 1);
  const std::int64_t n = s.size(s.rank() - 1);
  const std::vector<double> limits = tolerances(c, x, lead, largestOf(s));
  const Tensor out = c.empty(DType::Int64, lead);
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    const double *v = s.as<double>() + i * n;
    out.out<std::int64_t>()[i] =
        std::count_if(v, v + n, [&](double value) { return std::fabs(value) > limits[static_cast<std::size_t>(i)]; });
  }
  c.finish(0, out);
}

namespace {

/// out = L diag(1 / values) R^H for the values above \p limit, where L is [rows, n] and R [columns, n];
/// \p vh holds L^H.
void addInverted(const ComplexDouble *vh, const double *values, const ComplexDouble *u, int n, int rows, int columns,
                 double limit, ComplexDouble *out) {
  for (int k = 0; k < n; ++k) {
    if (!(std::fabs(values[k]) > limit))
      continue;
    for (int col = 0; col < columns; ++col) {
      const ComplexDouble right = u[std::int64_t{k} * columns + col];
      const ComplexDouble factor = ComplexDouble(right.real(), -right.imag()) / values[k];
      for (int row = 0; row < rows; ++row) {
        const ComplexDouble left = vh[std::int64_t{row} * n + k];
        out[std::int64_t{col} * rows + row] += ComplexDouble(left.real(), -left.imag()) * factor;
      }
    }
  }
}

} // namespace

/// linalg_pinv, pinverse.
void executePseudoInverse(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  SingularVectors svd;
  if (c.flag("hermitian")) {
    SymmetricEigen eigen = eighOf(c, x, true, 'L');
    svd = {eigen.vectors, adjointOf(c, eigen.vectors), eigen.values};
  } else {
    svd = svdOf(c, x, 'S');
  }
  const int n = svd.u.columns;
  std::vector<double> limits = largestOf(svd.values);
  if (c.opName() == "pinverse")
    for (double &limit : limits)
      limit *= c.real("rcond", 1e-15);
  else
    limits = tolerances(c, x, svd.u.lead, limits);
  const Columns out = zeroColumns(c, svd.u.lead, svd.vh.columns, svd.u.rows);
  for (std::int64_t i = 0; i < out.count && n != 0; ++i)
    addInverted(svd.vh.at(i), svd.values.as<double>() + i * n, svd.u.at(i), n, out.rows, out.columns,
                limits[static_cast<std::size_t>(i)], out.at(i));
  c.finish(0, rowMajor(c, out, x.dtype()));
}

namespace {

/// |A X - B|^2 of each column, summed over the rows.
Tensor residuals(const ExecContext &c, const Tensor &a, const Columns &x, const Columns &b) {
  const Columns m = columnsOf(c, a, b.lead);
  const Tensor out = emptyVectors(c, DType::Float64, b.lead, b.columns);
  for (std::int64_t i = 0; i < b.count; ++i)
    for (int col = 0; col < b.columns; ++col) {
      double sum = 0;
      for (int row = 0; row < b.rows; ++row) {
        ComplexDouble left = -b.at(i)[std::int64_t{col} * b.rows + row];
        for (int k = 0; k < m.columns; ++k)
          left += m.at(i)[std::int64_t{k} * m.rows + row] * x.at(i)[std::int64_t{col} * x.rows + k];
        sum += left.real() * left.real() + left.imag() * left.imag();
      }
      out.out<double>()[i * b.columns + col] = sum;
    }
  return out;
}

} // namespace

/// The solution of least norm among those that miss the right side least.
void executeLeastSquares(ExecContext &c) {
  const Tensor &a = c.tensor("self"), &given = c.tensor("b");
  const std::string_view driver = c.text("driver", "gelsy");
  const bool vectors = given.rank() + 1 == a.rank();
  if (a.rank() < 2 || (given.rank() != a.rank() && !vectors))
    c.fail(fmt::format("shapes {} and {} do not fit each other", shapeText(a.sizes()), shapeText(given.sizes())));
  const Tensor right = vectors ? given.unsqueezed(given.rank()) : given;
  const Sizes lead = broadcast(c, a.sizes().first(a.rank() - 2), right.sizes().first(right.rank() - 2));
  const Columns b = columnsOf(c, right, lead);
  Sizes shape = lead;
  shape.insert(shape.end(), a.sizes().end() - 2, a.sizes().end());
  const SingularVectors svd = svdOf(c, expanded(c, a, shape), 'S');
  const int m = svd.u.rows, n = svd.vh.columns, k = svd.u.columns;
  if (b.rows != m)
    c.fail(fmt::format("shapes {} and {} do not fit each other", shapeText(a.sizes()), shapeText(given.sizes())));
  const std::vector<double> limits = tolerances(c, a, lead, largestOf(svd.values));
  const Columns inverse = zeroColumns(c, lead, n, m), x = zeroColumns(c, lead, std::max(m, n), b.columns);
  const Tensor rank = c.empty(DType::Int64, lead);
  for (std::int64_t i = 0; i < x.count; ++i) {
    const double *values = svd.values.as<double>() + i * k;
    const double limit = limits[static_cast<std::size_t>(i)];
    rank.out<std::int64_t>()[i] = std::count_if(values, values + k, [&](double v) { return v > limit; });
    addInverted(svd.vh.at(i), values, svd.u.at(i), k, n, m, limit, inverse.at(i));
    for (int col = 0; col < b.columns; ++col)
      for (int from = 0; from < m; ++from)
        for (int row = 0; row < n; ++row)
          x.at(i)[std::int64_t{col} * x.rows + row] +=
              inverse.at(i)[std::int64_t{from} * n + row] * b.at(i)[std::int64_t{col} * m + from];
  }
  const std::int64_t none[] = {0};
  // It lies in the memory of the right side.
  const Tensor room = tensorOf(c, x, a.dtype()), solution = room.sliced(room.rank() - 2, 0, n);
  c.finish(0, vectors ? solution.squeezed(solution.rank() - 1) : solution);
  const std::int64_t *ranks = rank.as<std::int64_t>();
  const bool full = std::all_of(ranks, ranks + rank.numel(), [&](std::int64_t r) { return r == n; });
  c.finish(1, m > n && full && driver != "gelsy" ? cast(c, residuals(c, a, x, b), realType(a.dtype()))
                                                 : c.empty(realType(a.dtype()), none));
  c.finish(2, driver == "gels" ? c.empty(DType::Int64, none) : rank);
  c.finish(3, driver == "gelsd" || driver == "gelss" ? cast(c, svd.values, realType(a.dtype()))
                                                     : c.empty(realType(a.dtype()), none));
}

} // namespace condlint

//===- Factorizations.cpp - QR, LU, LDL and what is solved with them ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Factorizations.h"
#include "Columns.h"
#include "Lapack.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace condlint {

const Tensor &matrixArgument(const ExecContext &c) {
  for (std::string_view name : {"A", "self", "input"})
    if (const Tensor *t = c.maybeTensor(name))
      return *t;
  return c.in(0);
}

namespace {

int rowsOrColumns(const ExecContext &c, std::int64_t n) {
  if (n > std::numeric_limits<int>::max())
    c.fail(fmt::format("{} rows or columns are more than LAPACK counts", n));
  return static_cast<int>(n);
}

} // namespace

Columns columnsOf(const ExecContext &c, const Tensor &t, const Sizes &lead) {
  const bool known = t.dtype() == DType::Float32 || t.dtype() == DType::Float64 || isComplex(t.dtype());
  if (!known)
    c.fail(fmt::format("matrices of {} are not factored", dtypeName(t.dtype())));
  Sizes shape = lead;
  shape.insert(shape.end(), t.sizes().end() - 2, t.sizes().end());
  Columns m;
  m.lead = lead;
  m.count = product(lead);
  m.rows = rowsOrColumns(c, t.size(t.rank() - 2));
  m.columns = rowsOrColumns(c, t.size(t.rank() - 1));
  const Tensor turned = expanded(c, t, shape).transposed(shape.size() - 2, shape.size() - 1);
  const Tensor copy = c.empty(DType::Complex128, turned.sizes());
  copyInto(c, copy, turned);
  const std::int64_t flat[] = {m.count, m.columns, m.rows};
  m.data = reshaped(c, copy, flat);
  return m;
}

Columns columnsOf(const ExecContext &c, const Tensor &t, bool square) {
  if (t.rank() < 2 || (square && t.size(t.rank() - 1) != t.size(t.rank() - 2)))
    c.fail(fmt::format("a tensor of shape {} is no {}matrix", shapeText(t.sizes()), square ? "square " : ""));
  return columnsOf(c, t, Sizes(t.sizes().begin(), t.sizes().end() - 2));
}

Columns zeroColumns(const ExecContext &c, const Sizes &lead, std::int64_t rows, std::int64_t columns) {
  Columns m;
  m.lead = lead;
  m.count = product(lead);
  m.rows = rowsOrColumns(c, rows);
  m.columns = rowsOrColumns(c, columns);
  const std::int64_t shape[] = {m.count, columns, rows};
  m.data = c.empty(DType::Complex128, shape);
  std::fill_n(m.data.out<ComplexDouble>(), m.data.numel(), ComplexDouble(0));
  return m;
}

Tensor tensorOf(const ExecContext &c, const Columns &m, DType t) {
  Sizes shape = m.lead;
  shape.insert(shape.end(), {m.columns, m.rows});
  return reshaped(c, cast(c, m.data, t), shape).transposed(shape.size() - 2, shape.size() - 1);
}

Tensor rowMajor(const ExecContext &c, const Columns &m, DType t) { return contiguous(c, tensorOf(c, m, t)); }

Tensor emptyVectors(const ExecContext &c, DType t, const Sizes &lead, std::int64_t size) {
  Sizes shape = lead;
  shape.push_back(size);
  return c.empty(t, shape);
}

namespace {

/// The entries of \p from, copied to \p to where \p keeps says so, which is of at most its size.
template <class Keeps> void copyEntries(const Columns &from, const Columns &to, std::int64_t i, const Keeps &keeps) {
  const ComplexDouble *a = from.at(i);
  ComplexDouble *b = to.at(i);
  for (int k = 0; k < std::min(from.columns, to.columns); ++k)
    for (int r = 0; r < std::min(from.rows, to.rows); ++r)
      if (keeps(r, k))
        b[std::int64_t{k} * to.rows + r] = a[std::int64_t{k} * from.rows + r];
}

bool upper(int row, int column) { return row <= column; }
bool below(int row, int column) { return row > column; }

void setDiagonal(const Columns &m, std::int64_t i) {
  for (int k = 0; k < m.smaller(); ++k)
    m.at(i)[std::int64_t{k} * m.rows + k] = 1;
}

/// The factors that make Q beside the matrices, as a tensor of their own.
Tensor factorsOf(const ExecContext &c, const Tensor &tau, const Columns &a) {
  if (tau.rank() != a.lead.size() + 1 || !std::ranges::equal(tau.sizes().first(a.lead.size()), a.lead) ||
      tau.size(tau.rank() - 1) > a.columns)
    c.fail(fmt::format("factors of shape {} do not fit the matrices", shapeText(tau.sizes())));
  return contiguous(c, cast(c, tau, DType::Complex128));
}

} // namespace

// --- Q R --------------------------------------------------------------------------

void executeQr(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Tensor &x = matrixArgument(c);
  const bool old = c.opName() == "qr";
  const std::string_view mode = !old ? c.text("mode", "reduced") : c.flag("some", true) ? "reduced" : "complete";
  if (mode != "reduced" && mode != "complete" && mode != "r")
    c.fail(fmt::format("the mode '{}' is none of reduced, complete and r", mode));
  const Columns a = columnsOf(c, x);
  const int k = a.smaller(), size = mode == "complete" ? a.rows : k;
  const Columns q = zeroColumns(c, a.lead, a.rows, mode == "r" ? 0 : size), r = zeroColumns(c, a.lead, size, a.columns);
  std::vector<ComplexDouble> tau(static_cast<std::size_t>(k));
  for (std::int64_t i = 0; i < a.count; ++i) {
    lapack.qr(a.rows, a.columns, a.at(i), tau.data());
    copyEntries(a, r, i, upper);
    copyEntries(a, q, i, below);
    lapack.makeQ(q.rows, q.columns, std::min(k, q.columns), q.at(i), tau.data());
  }
  const std::int64_t none[] = {0};
  c.finish(0, mode == "r" ? c.empty(x.dtype(), none) : tensorOf(c, q, x.dtype()));
  c.finish(1, tensorOf(c, r, x.dtype()));
}

/// The reflectors themselves.
void executeGeqrf(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Tensor &x = matrixArgument(c);
  const Columns a = columnsOf(c, x);
  const Tensor tau = emptyVectors(c, DType::Complex128, a.lead, a.smaller());
  for (std::int64_t i = 0; i < a.count; ++i)
    lapack.qr(a.rows, a.columns, a.at(i), tau.out<ComplexDouble>() + i * a.smaller());
  c.finish(0, tensorOf(c, a, x.dtype()));
  c.finish(1, cast(c, tau, x.dtype()));
}

/// linalg_householder_product, orgqr: Q of its reflectors.
void executeHouseholderProduct(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Tensor &x = matrixArgument(c);
  const Columns a = columnsOf(c, x);
  const Tensor tau = factorsOf(c, c.tensor(c.hasArg("tau") ? "tau" : "input2"), a);
  if (a.rows < a.columns)
    c.fail("there are fewer rows than columns");
  const std::int64_t k = tau.size(tau.rank() - 1);
  for (std::int64_t i = 0; i < a.count; ++i)
    lapack.makeQ(a.rows, a.columns, static_cast<int>(k), a.at(i), tau.as<ComplexDouble>() + i * k);
  c.finish(0, tensorOf(c, a, x.dtype()));
}

/// Another matrix multiplied by that Q.
void executeOrmqr(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Columns a = columnsOf(c, c.tensor("self")), b = columnsOf(c, c.tensor("input3"));
  const Tensor tau = factorsOf(c, c.tensor("input2"), a);
  const bool left = c.flag("left", true);
  const std::int64_t k = tau.size(tau.rank() - 1);
  if (a.lead != b.lead || a.rows != (left ? b.rows : b.columns))
    c.fail("the matrices do not fit each other");
  for (std::int64_t i = 0; i < b.count; ++i)
    lapack.multiplyQ(left, c.flag("transpose"), b.rows, b.columns, static_cast<int>(k), a.at(i),
                     tau.as<ComplexDouble>() + i * k, b.at(i));
  c.finish(0, tensorOf(c, b, c.tensor("input3").dtype()));
}

// --- L U --------------------------------------------------------------------------

LuFactors luOf(const ExecContext &c, const Columns &a) {
  const Lapack &lapack = Lapack::of(c);
  LuFactors out;
  out.matrices = a;
  out.pivots = emptyVectors(c, DType::Int32, a.lead, a.smaller());
  out.info = c.empty(DType::Int32, a.lead);
  for (std::int64_t i = 0; i < a.count; ++i)
    out.info.out<std::int32_t>()[i] =
        lapack.lu(a.rows, a.columns, a.at(i), out.pivots.out<std::int32_t>() + i * a.smaller());
  return out;
}

namespace {

/// Where each row of P L U comes from.
std::vector<int> permutationOf(const ExecContext &c, const std::int32_t *pivots, std::int64_t count, int rows) {
  std::vector<int> order(static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i)
    order[static_cast<std::size_t>(i)] = i;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i >= rows || pivots[i] < 1 || pivots[i] > rows)
      c.fail(fmt::format("the pivot {} is no row of {}", pivots[i], rows));
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(pivots[i] - 1)]);
  }
  return order;
}

/// P, L and U of \p lu, row after row.
void finishParts(ExecContext &c, const Columns &lu, const Tensor &pivots, DType t, bool wantsPivots, bool wantsData) {
  const std::int64_t none[] = {0};
  const Columns p = zeroColumns(c, lu.lead, lu.rows, wantsPivots ? lu.rows : 0);
  const Columns l = zeroColumns(c, lu.lead, wantsData ? lu.rows : 0, lu.smaller());
  const Columns u = zeroColumns(c, lu.lead, wantsData ? lu.smaller() : 0, lu.columns);
  const std::int64_t length = pivots ? pivots.size(pivots.rank() - 1) : 0;
  for (std::int64_t i = 0; i < lu.count; ++i) {
    if (wantsPivots) {
      const auto order = permutationOf(c, pivots.as<std::int32_t>() + i * length, length, lu.rows);
      for (int r = 0; r < lu.rows; ++r)
        p.at(i)[std::int64_t{r} * lu.rows + order[static_cast<std::size_t>(r)]] = 1;
    }
    copyEntries(lu, l, i, below);
    copyEntries(lu, u, i, upper);
    setDiagonal(l, i);
  }
  c.finish(0, wantsPivots ? rowMajor(c, p, t) : c.empty(t, none));
  c.finish(1, wantsData ? rowMajor(c, l, t) : c.empty(t, none));
  c.finish(2, wantsData ? rowMajor(c, u, t) : c.empty(t, none));
}

/// The pivots of \p lu as a file gives them, in the batch \p lead.
Tensor givenPivots(const ExecContext &c, const Tensor &pivots, const Sizes &lead, std::int64_t size) {
  if (pivots.dtype() != DType::Int32 || pivots.rank() == 0 || pivots.size(pivots.rank() - 1) != size)
    c.fail(fmt::format("pivots of {}{} do not fit the matrices", dtypeName(pivots.dtype()), shapeText(pivots.sizes())));
  Sizes shape = lead;
  shape.push_back(size);
  return contiguous(c, expanded(c, pivots, shape));
}

} // namespace

void executeLu(ExecContext &c) {
  if (!c.flag("pivot", true))
    c.fail("torch factors without pivoting on a GPU only");
  const Tensor &x = matrixArgument(c);
  const LuFactors lu = luOf(c, columnsOf(c, x));
  finishParts(c, lu.matrices, lu.pivots, x.dtype(), true, true);
}

void executeLuUnpack(ExecContext &c) {
  const Tensor &x = c.tensor("LU_data");
  const Columns lu = columnsOf(c, x);
  const Tensor pivots = givenPivots(c, c.tensor("LU_pivots"), lu.lead, lu.smaller());
  finishParts(c, lu, pivots, x.dtype(), c.flag("unpack_pivots", true), c.flag("unpack_data", true));
}

/// linalg_lu_factor, linalg_lu_factor_ex, _lu_with_info.
void executeLuFactor(ExecContext &c) {
  if (!c.flag("pivot", true))
    c.fail("torch factors without pivoting on a GPU only");
  const Tensor &x = matrixArgument(c);
  const LuFactors lu = luOf(c, columnsOf(c, x));
  if (c.opName() == "linalg_lu_factor" || c.flag("check_errors"))
    for (std::int64_t i = 0; i < lu.info.numel(); ++i)
      if (const std::int32_t at = lu.info.as<std::int32_t>()[i]; at != 0)
        c.fail(fmt::format("the pivot {} is zero", at));
  c.finish(0, tensorOf(c, lu.matrices, x.dtype()));
  c.finish(1, lu.pivots);
  c.finish(2, lu.info);
}

namespace {

/// Solves A X = B for the matrices of \p a and \p b, which are stretched to each other:
/// \p solve(a, b, i) does it for one pair, in place.
template <class Solve>
void finishSolved(ExecContext &c, const Tensor &a, const Tensor &b, bool left, const Solve &solve) {
  if (a.rank() < 2 || b.rank() < 2 || a.dtype() != b.dtype())
    c.fail("the right side does not fit the matrix");
  const Sizes lead = broadcast(c, a.sizes().first(a.rank() - 2), b.sizes().first(b.rank() - 2));
  const Columns factors = columnsOf(c, a, lead);
  const Columns x = columnsOf(c, left ? b : b.transposed(b.rank() - 2, b.rank() - 1), lead);
  if (factors.rows != factors.columns || x.rows != factors.rows)
    c.fail(fmt::format("shapes {} and {} do not fit each other", shapeText(a.sizes()), shapeText(b.sizes())));
  for (std::int64_t i = 0; i < x.count; ++i)
    solve(factors, x, i);
  const Tensor out = tensorOf(c, x, b.dtype());
  c.finish(0, left ? out : out.transposed(out.rank() - 2, out.rank() - 1));
}

void conjugate(const Columns &m, std::int64_t i) {
  for (ComplexDouble *v = m.at(i), *end = v + std::int64_t{m.rows} * m.columns; v != end; ++v)
    *v = ComplexDouble(v->real(), -v->imag());
}

} // namespace

/// lu_solve, linalg_lu_solve.
void executeLuSolve(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const bool old = c.opName() == "lu_solve";
  const bool left = c.flag("left", true), adjoint = c.flag("adjoint");
  const Tensor &given = c.tensor(old ? "LU_pivots" : "pivots");
  Tensor pivots;
  // X A = B is A^T X^T = B^T, and X A^H = B is conj(A) X^T = B^T.
  finishSolved(c, c.tensor(old ? "LU_data" : "LU"), c.tensor(old ? "self" : "B"), left,
               [&](const Columns &lu, const Columns &x, std::int64_t i) {
                 if (!pivots)
                   pivots = givenPivots(c, given, lu.lead, lu.rows);
                 const std::int32_t *own = pivots.as<std::int32_t>() + i * lu.rows;
                 permutationOf(c, own, lu.rows, lu.rows);
                 const bool conjugated = !left && adjoint;
                 if (conjugated)
                   conjugate(x, i);
                 lapack.solveLu(left == adjoint ? (left ? 'C' : 'T') : 'N', lu.rows, x.columns, lu.at(i), own, x.at(i));
                 if (conjugated)
                   conjugate(x, i);
               });
}

void executeCholeskySolve(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const char triangle = c.flag("upper") ? 'U' : 'L';
  finishSolved(c, c.tensor("input2"), c.tensor("self"), true,
               [&](const Columns &factor, const Columns &x, std::int64_t i) {
                 lapack.solveCholesky(triangle, factor.rows, x.columns, factor.at(i), x.at(i));
               });
}

/// The inverse of the matrix whose Cholesky factor is given.
void executeCholeskyInverse(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Tensor &x = matrixArgument(c);
  const Columns factor = columnsOf(c, x, true);
  const Columns out = zeroColumns(c, factor.lead, factor.rows, factor.rows);
  for (std::int64_t i = 0; i < out.count; ++i) {
    setDiagonal(out, i);
    lapack.solveCholesky(c.flag("upper") ? 'U' : 'L', factor.rows, factor.rows, factor.at(i), out.at(i));
  }
  c.finish(0, tensorOf(c, out, x.dtype()));
}

// --- L D L^T ----------------------------------------------------------------------

void executeLdlFactor(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Tensor &x = matrixArgument(c);
  const Columns a = columnsOf(c, x, true), out = zeroColumns(c, a.lead, a.rows, a.rows);
  const Tensor pivots = emptyVectors(c, DType::Int32, a.lead, a.rows), info = c.empty(DType::Int32, a.lead);
  for (std::int64_t i = 0; i < a.count; ++i) {
    const int at = lapack.ldl(c.flag("hermitian"), a.rows, a.at(i), pivots.out<std::int32_t>() + i * a.rows);
    if (at != 0 && (c.opName() == "linalg_ldl_factor" || c.flag("check_errors")))
      c.fail(fmt::format("the pivot {} is zero", at));
    info.out<std::int32_t>()[i] = at;
    copyEntries(a, out, i, [](int row, int column) { return row >= column; });
  }
  c.finish(0, tensorOf(c, out, x.dtype()));
  c.finish(1, pivots);
  c.finish(2, info);
}

void executeLdlSolve(ExecContext &c) {
  const Lapack &lapack = Lapack::of(c);
  const Tensor &given = c.tensor("pivots");
  Tensor pivots;
  finishSolved(c, c.tensor("LD"), c.tensor("B"), true, [&](const Columns &ld, const Columns &x, std::int64_t i) {
    if (!pivots)
      pivots = givenPivots(c, given, ld.lead, ld.rows);
    const std::int32_t *own = pivots.as<std::int32_t>() + i * ld.rows;
    // A block of two names its row twice, with a sign; so may not the last one alone.
    for (int k = 0; k < ld.rows; ++k) {
      if (own[k] == 0 || std::abs(own[k]) > ld.rows || (own[k] < 0 && (k + 1 == ld.rows || own[k + 1] != own[k])))
        c.fail(fmt::format("the pivot {} is none of a matrix of {} rows", own[k], ld.rows));
      k += own[k] < 0 ? 1 : 0;
    }
    lapack.solveLdl(c.flag("hermitian"), ld.rows, x.columns, ld.at(i), own, x.at(i));
  });
}

} // namespace condlint

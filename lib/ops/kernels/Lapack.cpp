//===- Lapack.cpp - LAPACK's factorizations -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lapack.h"
#include "../Kernel.h"
#include "../OpenBlas.h"
#include <algorithm>
#include <vector>

namespace condlint {

namespace {

/// Calls \p f with the work space that \p f asks for when it is given none.
template <class F> int withWork(const F &f) {
  ComplexDouble wanted;
  int info = f(&wanted, -1);
  if (info != 0)
    return info;
  std::vector<ComplexDouble> work(static_cast<std::size_t>(std::max(wanted.real(), 1.0)));
  return f(work.data(), static_cast<int>(work.size()));
}

/// The rows of a matrix lie this far from each other; LAPACK wants at least one.
int leading(int rows) { return std::max(rows, 1); }

} // namespace

Lapack Lapack::load() {
  Lapack l;
  findInOpenBlas("zgeqrf_", l.geqrf);
  findInOpenBlas("zungqr_", l.ungqr);
  findInOpenBlas("zunmqr_", l.unmqr);
  findInOpenBlas("zgesdd_", l.gesdd);
  findInOpenBlas("zheevd_", l.heevd);
  findInOpenBlas("zgeev_", l.geev);
  findInOpenBlas("zgetrf_", l.getrf);
  findInOpenBlas("zgetrs_", l.getrs);
  findInOpenBlas("zsytrf_", l.sytrf);
  findInOpenBlas("zhetrf_", l.hetrf);
  findInOpenBlas("zsytrs_", l.sytrs);
  findInOpenBlas("zhetrs_", l.hetrs);
  findInOpenBlas("zpotrs_", l.potrs);
  l.found = l.geqrf && l.ungqr && l.unmqr && l.gesdd && l.heevd && l.geev && l.getrf && l.getrs && l.sytrf && l.hetrf &&
            l.sytrs && l.hetrs && l.potrs;
  return l;
}

const Lapack &Lapack::of(const ExecContext &c) {
  static const Lapack library = load();
  if (!library.found)
    c.fail("condlint factors matrices with OpenBLAS, which is not installed (pip install 'condlint[run]' brings it)");
  return library;
}

int Lapack::qr(int m, int n, Z *a, Z *tau) const {
  const int lead = leading(m);
  return withWork([&](Z *work, int size) {
    int info = 0;
    geqrf(&m, &n, a, &lead, tau, work, &size, &info);
    return info;
  });
}

int Lapack::makeQ(int m, int n, int k, Z *a, const Z *tau) const {
  const int lead = leading(m);
  return withWork([&](Z *work, int size) {
    int info = 0;
    ungqr(&m, &n, &k, a, &lead, tau, work, &size, &info);
    return info;
  });
}

int Lapack::multiplyQ(bool left, bool adjoint, int m, int n, int k, const Z *a, const Z *tau, Z *b) const {
  const int leadA = leading(left ? m : n), leadB = leading(m);
  const char side = left ? 'L' : 'R', transpose = adjoint ? 'C' : 'N';
  return withWork([&](Z *work, int size) {
    int info = 0;
    unmqr(&side, &transpose, &m, &n, &k, a, &leadA, tau, b, &leadB, work, &size, &info, 1, 1);
    return info;
  });
}

int Lapack::svd(char job, int m, int n, Z *a, double *s, Z *u, Z *vh) const {
  const int k = std::min(m, n), lead = leading(m), leadV = leading(job == 'A' ? n : k);
  const auto small = static_cast<std::size_t>(k), large = static_cast<std::size_t>(std::max(m, n));
  std::vector<double> real(std::max<std::size_t>(1, small * std::max(5 * small + 7, 2 * large + 2 * small + 1)));
  std::vector<int> whole(std::max<std::size_t>(1, 8 * small));
  return withWork([&](Z *work, int size) {
    int info = 0;
    gesdd(&job, &m, &n, a, &lead, s, u, &lead, vh, &leadV, work, &size, real.data(), whole.data(), &info, 1);
    return info;
  });
}

int Lapack::eigh(bool vectors, char triangle, int n, Z *a, double *values) const {
  const int lead = leading(n);
  const char job = vectors ? 'V' : 'N';
  Z wanted;
  double wantedReal = 0;
  int wantedWhole = 0, info = 0;
  const int ask = -1;
  heevd(&job, &triangle, &n, a, &lead, values, &wanted, &ask, &wantedReal, &ask, &wantedWhole, &ask, &info, 1, 1);
  if (info != 0)
    return info;
  std::vector<Z> work(static_cast<std::size_t>(std::max(wanted.real(), 1.0)));
  std::vector<double> real(static_cast<std::size_t>(std::max(wantedReal, 1.0)));
  std::vector<int> whole(static_cast<std::size_t>(std::max(wantedWhole, 1)));
  const int size = static_cast<int>(work.size()), realSize = static_cast<int>(real.size()),
            wholeSize = static_cast<int>(whole.size());
  heevd(&job, &triangle, &n, a, &lead, values, work.data(), &size, real.data(), &realSize, whole.data(), &wholeSize,
        &info, 1, 1);
  return info;
}

int Lapack::eig(int n, Z *a, Z *values, Z *vectors) const {
  const int lead = leading(n), one = 1;
  const char none = 'N', all = 'V';
  Z unused;
  std::vector<double> real(static_cast<std::size_t>(2 * lead));
  return withWork([&](Z *work, int size) {
    int info = 0;
    geev(&none, &all, &n, a, &lead, values, &unused, &one, vectors, &lead, work, &size, real.data(), &info, 1, 1);
    return info;
  });
}

int Lapack::lu(int m, int n, Z *a, int *pivots) const {
  const int lead = leading(m);
  int info = 0;
  getrf(&m, &n, a, &lead, pivots, &info);
  return info;
}

int Lapack::solveLu(char transpose, int n, int columns, const Z *lu, const int *pivots, Z *b) const {
  const int lead = leading(n);
  int info = 0;
  getrs(&transpose, &n, &columns, lu, &lead, pivots, b, &lead, &info, 1);
  return info;
}

int Lapack::ldl(bool hermitian, int n, Z *a, int *pivots) const {
  const int lead = leading(n);
  const char lower = 'L';
  return withWork([&](Z *work, int size) {
    int info = 0;
    (hermitian ? hetrf : sytrf)(&lower, &n, a, &lead, pivots, work, &size, &info, 1);
    return info;
  });
}

int Lapack::solveLdl(bool hermitian, int n, int columns, const Z *ld, const int *pivots, Z *b) const {
  const int lead = leading(n);
  const char lower = 'L';
  int info = 0;
  (hermitian ? hetrs : sytrs)(&lower, &n, &columns, ld, &lead, pivots, b, &lead, &info, 1);
  return info;
}

int Lapack::solveCholesky(char triangle, int n, int columns, const Z *factor, Z *b) const {
  const int lead = leading(n);
  int info = 0;
  potrs(&triangle, &n, &columns, factor, &lead, b, &lead, &info, 1);
  return info;
}

} // namespace condlint

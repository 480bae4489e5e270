//===- Lapack.h - LAPACK's factorizations -----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices are of complex doubles, column after column without gaps; of real numbers LAPACK
// makes real ones. What a factorization returns is LAPACK's `info`: 0, or the number, counted
// from 1, of the pivot or the minor that stopped it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_LAPACK_H
#define CONDLINT_LIB_OPS_KERNELS_LAPACK_H

#include "../Complex.h"

namespace condlint {

class ExecContext;

/// The factorizations of OpenBLAS' LAPACK.
class Lapack {
public:
  /// Found at the first call; fails where OpenBLAS is not installed.
  static const Lapack &of(const ExecContext &c);

  /// A = Q R: R in the upper triangle of \p a, Q as min(m, n) reflectors below it and in \p tau.
  int qr(int m, int n, ComplexDouble *a, ComplexDouble *tau) const;
  /// The first \p n columns of the Q of \p k reflectors, over them.
  int makeQ(int m, int n, int k, ComplexDouble *a, const ComplexDouble *tau) const;
  /// \p b, m x n, multiplied by the Q of \p k reflectors or by its adjoint, from the left or the right.
  int multiplyQ(bool left, bool adjoint, int m, int n, int k, const ComplexDouble *a, const ComplexDouble *tau,
                ComplexDouble *b) const;
  /// A = U S V^H, over which \p a is lost. \p job: 'N' no vectors, 'S' those of the singular values, 'A' all.
  int svd(char job, int m, int n, ComplexDouble *a, double *s, ComplexDouble *u, ComplexDouble *vh) const;
  /// Eigenvalues, ascending, of a Hermitian matrix of which one triangle is read ('U' or 'L'); the
  /// vectors over \p a.
  int eigh(bool vectors, char triangle, int n, ComplexDouble *a, double *values) const;
  /// Eigenvalues and right vectors.
  int eig(int n, ComplexDouble *a, ComplexDouble *values, ComplexDouble *vectors) const;
  /// P A = L U, both over \p a; the rows that were exchanged, counted from 1.
  int lu(int m, int n, ComplexDouble *a, int *pivots) const;
  /// Solves for \p columns right sides with what \c lu left. \p transpose: 'N', 'T' or 'C'.
  int solveLu(char transpose, int n, int columns, const ComplexDouble *lu, const int *pivots, ComplexDouble *b) const;
  /// A = L D L^T, or L D L^H, of the lower triangle.
  int ldl(bool hermitian, int n, ComplexDouble *a, int *pivots) const;
  int solveLdl(bool hermitian, int n, int columns, const ComplexDouble *ld, const int *pivots, ComplexDouble *b) const;
  /// Solves with a Cholesky factor.
  int solveCholesky(char triangle, int n, int columns, const ComplexDouble *factor, ComplexDouble *b) const;

private:
  using Z = ComplexDouble;
  using I = const int;
  // Fortran passes the length of each character behind the arguments.
  using Length = unsigned long;
  void (*geqrf)(I *, I *, Z *, I *, Z *, Z *, I *, int *) = nullptr;
  void (*ungqr)(I *, I *, I *, Z *, I *, const Z *, Z *, I *, int *) = nullptr;
  void (*unmqr)(const char *, const char *, I *, I *, I *, const Z *, I *, const Z *, Z *, I *, Z *, I *, int *, Length,
                Length) = nullptr;
  void (*gesdd)(const char *, I *, I *, Z *, I *, double *, Z *, I *, Z *, I *, Z *, I *, double *, int *, int *,
                Length) = nullptr;
  void (*heevd)(const char *, const char *, I *, Z *, I *, double *, Z *, I *, double *, I *, int *, I *, int *, Length,
                Length) = nullptr;
  void (*geev)(const char *, const char *, I *, Z *, I *, Z *, Z *, I *, Z *, I *, Z *, I *, double *, int *, Length,
               Length) = nullptr;
  void (*getrf)(I *, I *, Z *, I *, int *, int *) = nullptr;
  void (*getrs)(const char *, I *, I *, const Z *, I *, I *, Z *, I *, int *, Length) = nullptr;
  void (*sytrf)(const char *, I *, Z *, I *, int *, Z *, I *, int *, Length) = nullptr;
  void (*hetrf)(const char *, I *, Z *, I *, int *, Z *, I *, int *, Length) = nullptr;
  void (*sytrs)(const char *, I *, I *, const Z *, I *, I *, Z *, I *, int *, Length) = nullptr;
  void (*hetrs)(const char *, I *, I *, const Z *, I *, I *, Z *, I *, int *, Length) = nullptr;
  void (*potrs)(const char *, I *, I *, const Z *, I *, Z *, I *, int *, Length) = nullptr;
  bool found = false;

  static Lapack load();
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_LAPACK_H

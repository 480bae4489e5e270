//===- StandinCublas.cpp - Matrix products as cuBLAS defines them ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "cuda_runtime.h"
#include "executor/cuda/Cublas.h"
#include <complex>

namespace standin {

bool hasCublas = true;

}

namespace condlint {

namespace {

/// C = alpha op(A) op(B) + beta C for matrices whose columns lie densely.
template <class T>
int gemm(bool transposeA, bool transposeB, int m, int n, int k, const T *alpha, const T *a, int lda, const T *b,
         int ldb, const T *beta, T *c, int ldc) {
  const T factor = *alpha, old = *beta;
  const standin::OnDevice scope;
  if (lda < (transposeA ? k : m) || ldb < (transposeB ? n : k) || ldc < m)
    return 7; // CUBLAS_STATUS_INVALID_VALUE
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      T sum{};
      for (int i = 0; i < k; ++i)
        sum += a[transposeA ? row * lda + i : i * lda + row] * b[transposeB ? i * ldb + column : column * ldb + i];
      T &out = c[column * ldc + row];
      out = old == T(0) ? factor * sum : factor * sum + old * out;
    }
  return 0;
}

int create(Cublas::Handle *handle) {
  *handle = handle;
  return 0;
}
int destroy(Cublas::Handle) { return 0; }
int setStream(Cublas::Handle, CUstream_st *) { return 0; }

template <class T>
int real(Cublas::Handle, int transposeA, int transposeB, int m, int n, int k, const T *alpha, const T *a, int lda,
         const T *b, int ldb, const T *beta, T *c, int ldc) {
  return gemm(transposeA != 0, transposeB != 0, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int complex(Cublas::Handle, int transposeA, int transposeB, int m, int n, int k, const void *alpha, const void *a,
            int lda, const void *b, int ldb, const void *beta, void *c, int ldc) {
  using T = std::complex<double>;
  return gemm(transposeA != 0, transposeB != 0, m, n, k, static_cast<const T *>(alpha), static_cast<const T *>(a), lda,
              static_cast<const T *>(b), ldb, static_cast<const T *>(beta), static_cast<T *>(c), ldc);
}

} // namespace

const Cublas *cublas() {
  static const Cublas library{create, destroy, setStream, real<float>, real<double>, complex};
  return standin::hasCublas ? &library : nullptr;
}

} // namespace condlint

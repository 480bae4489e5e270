//===- StandinCublas.cpp - Matrix products as cuBLAS defines them ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "Streams.h"
#include "cuda_runtime.h"
#include "executor/cuda/Cublas.h"
#include <complex>

namespace standin {

bool hasCublas = true;

}

namespace condlint {

namespace {

/// C = factor op(A) op(B) + old C for matrices whose columns lie densely.
template <class T>
void multiply(bool transposeA, bool transposeB, int m, int n, int k, T factor, const T *a, int lda, const T *b, int ldb,
              T old, T *c, int ldc) {
  const standin::OnDevice scope;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      T sum{};
      for (int i = 0; i < k; ++i)
        sum += a[transposeA ? row * lda + i : i * lda + row] * b[transposeB ? i * ldb + column : column * ldb + i];
      T &out = c[column * ldc + row];
      out = old == T(0) ? factor * sum : factor * sum + old * out;
    }
}

template <class T>
int gemm(CUstream_st *stream, bool transposeA, bool transposeB, int m, int n, int k, const T *alpha, const T *a,
         int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {
  if (lda < (transposeA ? k : m) || ldb < (transposeB ? n : k) || ldc < m)
    return 7; // CUBLAS_STATUS_INVALID_VALUE
  const T factor = *alpha, old = *beta;
  return standin::submit(stream,
                         [=] { multiply(transposeA, transposeB, m, n, k, factor, a, lda, b, ldb, old, c, ldc); });
}

/// What a handle stands for: the stream, and whether it has a workspace on it.
struct State {
  CUstream_st *stream = nullptr;
  bool hasWorkspace = false;
};

int create(Cublas::Handle *handle) {
  *handle = new State;
  return 0;
}
int destroy(Cublas::Handle handle) {
  delete static_cast<State *>(handle);
  return 0;
}
int setStream(Cublas::Handle handle, CUstream_st *stream) {
  *static_cast<State *>(handle) = {stream, false};
  return 0;
}
int setWorkspace(Cublas::Handle handle, void *workspace, std::size_t) {
  static_cast<State *>(handle)->hasWorkspace = workspace != nullptr;
  return 0;
}

/// Where to multiply; without a workspace of the caller's cuBLAS would obtain one, which no graph can.
bool findStream(Cublas::Handle handle, CUstream_st *&stream) {
  const State &s = *static_cast<const State *>(handle);
  stream = s.stream;
  return s.hasWorkspace || !standin::isCapturing(s.stream);
}

template <class T>
int real(Cublas::Handle handle, int transposeA, int transposeB, int m, int n, int k, const T *alpha, const T *a,
         int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {
  CUstream_st *stream = nullptr;
  if (!findStream(handle, stream))
    return 14; // CUBLAS_STATUS_INTERNAL_ERROR
  return gemm(stream, transposeA != 0, transposeB != 0, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int complex(Cublas::Handle handle, int transposeA, int transposeB, int m, int n, int k, const void *alpha,
            const void *a, int lda, const void *b, int ldb, const void *beta, void *c, int ldc) {
  using T = std::complex<double>;
  CUstream_st *stream = nullptr;
  if (!findStream(handle, stream))
    return 14; // CUBLAS_STATUS_INTERNAL_ERROR
  return gemm(stream, transposeA != 0, transposeB != 0, m, n, k, static_cast<const T *>(alpha),
              static_cast<const T *>(a), lda, static_cast<const T *>(b), ldb, static_cast<const T *>(beta),
              static_cast<T *>(c), ldc);
}

} // namespace

const Cublas *cublas() {
  static const Cublas library{create, destroy, setStream, setWorkspace, real<float>, real<double>, complex};
  return standin::hasCublas ? &library : nullptr;
}

} // namespace condlint

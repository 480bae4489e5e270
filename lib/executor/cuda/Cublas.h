//===- Cublas.h - cuBLAS, when something is executed ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_CUDA_CUBLAS_H
#define CONDLINT_LIB_EXECUTOR_CUDA_CUBLAS_H

#include <cstddef>

struct CUstream_st;

namespace condlint {

/// What condlint calls of cuBLAS, as cublas_api.h declares it (its second interface,
/// which has been the same since CUDA 4): a handle is a pointer, an enumeration an int.
/// So neither cuBLAS' headers are needed to build condlint, nor cuBLAS to start it.
struct Cublas {
  using Handle = void *;
  /// \p transposeA, \p transposeB: 0 as it is, 1 transposed. Columns lie densely.
  template <class T>
  using Gemm = int (*)(Handle, int transposeA, int transposeB, int m, int n, int k, const T *alpha, const T *a, int lda,
                       const T *b, int ldb, const T *beta, T *c, int ldc);

  int (*create)(Handle *) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*setStream)(Handle, CUstream_st *) = nullptr;
  int (*setWorkspace)(Handle, void *, std::size_t) = nullptr;
  Gemm<float> sgemm = nullptr;
  Gemm<double> dgemm = nullptr;
  Gemm<void> zgemm = nullptr; ///< pairs of double
};

/// Loads cuBLAS at the first call; null where it is not installed.
const Cublas *cublas();

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_CUDA_CUBLAS_H

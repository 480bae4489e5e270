//===- Blas.h - The matrix products of OpenBLAS ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_CPU_BLAS_H
#define CONDLINT_LIB_EXECUTOR_CPU_BLAS_H

#include <cblas.h>

namespace condlint {

/// The matrix products of OpenBLAS; null members where it is not installed.
struct Blas {
  decltype(&cblas_sgemm) sgemm = nullptr;
  decltype(&cblas_dgemm) dgemm = nullptr;
  decltype(&cblas_zgemm) zgemm = nullptr;
  decltype(&cblas_sgemv) sgemv = nullptr;
  decltype(&cblas_dgemv) dgemv = nullptr;
  bool complete() const { return sgemm && dgemm && zgemm && sgemv && dgemv; }
};

/// Found at the first call (ops/OpenBlas.h).
const Blas &blas();

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_CPU_BLAS_H

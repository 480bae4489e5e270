//===- Blas.h - OpenBLAS, when something is executed -----------*- C++ -*-===//
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
};

/// Loads OpenBLAS at the first call, for one thread. It is not linked, because
/// loading it would take a third of the time that checking a small model takes.
const Blas &blas();

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_CPU_BLAS_H

//===- Blas.cpp - The matrix products of OpenBLAS -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Blas.h"
#include "ops/OpenBlas.h"

namespace condlint {

namespace {

Blas load() {
  Blas out;
  findInOpenBlas("cblas_sgemm", out.sgemm);
  findInOpenBlas("cblas_dgemm", out.dgemm);
  findInOpenBlas("cblas_zgemm", out.zgemm);
  findInOpenBlas("cblas_sgemv", out.sgemv);
  findInOpenBlas("cblas_dgemv", out.dgemv);
  return out;
}

} // namespace

const Blas &blas() {
  static const Blas library = load();
  return library;
}

} // namespace condlint

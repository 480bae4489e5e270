//===- PlainProduct.h - Matrix products without a library -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_PLAINPRODUCT_H
#define CONDLINT_LIB_EXECUTOR_PLAINPRODUCT_H

#include "ops/kernels/Element.h"

namespace condlint {

/// One element of a product: right, and slow.
template <class T> struct PlainProduct {
  MatrixProduct p;
  CONDLINT_HD void operator()(std::int64_t i) const {
    const auto *a = static_cast<const T *>(p.a);
    const auto *b = static_cast<const T *>(p.b);
    const T alpha(static_cast<T>(p.alpha)), beta(static_cast<T>(p.beta));
    const std::int64_t row = i / p.n, column = i % p.n;
    T sum{};
    for (std::int64_t k = 0; k < p.k; ++k)
      sum += a[p.transposeA ? k * p.lda + row : row * p.lda + k] *
             b[p.transposeB ? column * p.ldb + k : k * p.ldb + column];
    T &out = static_cast<T *>(p.c)[row * p.ldc + column];
    // A factor of zero takes no part, as in BLAS: what was there may be no number.
    out = p.beta == 0 ? alpha * sum : alpha * sum + beta * out;
  }
};
/// The product that \p p describes, one element after the other.
inline void multiplyPlainly(Device &device, const MatrixProduct &p) {
  const std::int64_t count = p.m * p.n;
  if (p.dtype == DType::Float32)
    forEach(device, count, PlainProduct<float>{p});
  else if (p.dtype == DType::Float64)
    forEach(device, count, PlainProduct<double>{p});
  else
    forEach(device, count, PlainProduct<ComplexDouble>{p});
}

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_PLAINPRODUCT_H

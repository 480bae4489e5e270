//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuDevice.h"
#include "Blas.h"
#include <complex>
#include <cstdlib>
#include <cstring>

namespace condlint {

CpuDevice::CpuDevice() { blas(); }

char *CpuDevice::obtain(std::size_t bytes) {
  constexpr std::size_t large = 4096, line = 64;
  if (bytes < large)
    return static_cast<char *>(std::malloc(bytes == 0 ? 1 : bytes));
  if (bytes > SIZE_MAX - line)
    return nullptr;
  return static_cast<char *>(std::aligned_alloc(line, (bytes + line - 1) / line * line));
}

void CpuDevice::giveBack(char *data, std::size_t) { std::free(data); }

void CpuDevice::copy(void *to, const void *from, std::size_t bytes) {
  if (bytes != 0)
    std::memcpy(to, from, bytes);
}

void CpuDevice::fill(void *to, int byte, std::size_t bytes) {
  if (bytes != 0)
    std::memset(to, byte, bytes);
}

void CpuDevice::run(const RangeLoop &loop, const void *functor, std::int64_t count) {
  if (count > 0)
    loop.loop(functor, 0, count);
}

namespace {

/// The product without a library: right, and slow.
template <class T> void multiplyPlainly(const MatrixProduct &p) {
  const auto *a = static_cast<const T *>(p.a);
  const auto *b = static_cast<const T *>(p.b);
  auto *c = static_cast<T *>(p.c);
  const T alpha(static_cast<T>(p.alpha)), beta(static_cast<T>(p.beta));
  for (std::int64_t row = 0; row < p.m; ++row)
    for (std::int64_t column = 0; column < p.n; ++column) {
      T sum{};
      for (std::int64_t k = 0; k < p.k; ++k)
        sum += a[p.transposeA ? k * p.lda + row : row * p.lda + k] *
               b[p.transposeB ? column * p.ldb + k : k * p.ldb + column];
      T &out = c[row * p.ldc + column];
      // A factor of zero takes no part, as in BLAS: what was there may be no number.
      out = p.beta == 0 ? alpha * sum : alpha * sum + beta * out;
    }
}

} // namespace

void CpuDevice::multiply(const MatrixProduct &p) {
  const Blas &library = blas();
  const auto flag = [](bool t) { return t ? CblasTrans : CblasNoTrans; };
  const auto i = [](std::int64_t v) { return static_cast<blasint>(v); };
  switch (p.dtype) {
  case DType::Float32:
    if (!library.sgemm)
      return multiplyPlainly<float>(p);
    library.sgemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), i(p.m), i(p.n), i(p.k),
                  static_cast<float>(p.alpha), static_cast<const float *>(p.a), i(p.lda),
                  static_cast<const float *>(p.b), i(p.ldb), static_cast<float>(p.beta), static_cast<float *>(p.c),
                  i(p.ldc));
    break;
  case DType::Float64:
    if (!library.dgemm)
      return multiplyPlainly<double>(p);
    library.dgemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), i(p.m), i(p.n), i(p.k), p.alpha,
                  static_cast<const double *>(p.a), i(p.lda), static_cast<const double *>(p.b), i(p.ldb), p.beta,
                  static_cast<double *>(p.c), i(p.ldc));
    break;
  case DType::Complex128: {
    if (!library.zgemm)
      return multiplyPlainly<std::complex<double>>(p);
    const std::complex<double> alpha(p.alpha, 0), beta(p.beta, 0);
    library.zgemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), i(p.m), i(p.n), i(p.k), &alpha, p.a, i(p.lda),
                  p.b, i(p.ldb), &beta, p.c, i(p.ldc));
    break;
  }
  default:
    break;
  }
}

} // namespace condlint

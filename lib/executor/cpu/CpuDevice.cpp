//===- CpuDevice.cpp - Kernels on the processor ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuDevice.h"
#include "../PlainProduct.h"
#include "Blas.h"
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace condlint {

CpuDevice::CpuDevice() { blas(); }

CpuDevice::~CpuDevice() {
  for (auto &[bytes, blocks] : kept)
    for (char *data : blocks)
      std::free(data);
}

namespace {

constexpr std::size_t large = 4096, line = 64;
/// Blocks of these sizes are kept, as many as this together. AddressSanitizer is to see each of them freed.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t leastKept = SIZE_MAX, mostKept = 0;
#else
constexpr std::size_t leastKept = 64 << 10, mostKept = 64 << 20;
#endif

} // namespace

char *CpuDevice::obtain(std::size_t bytes) {
  if (bytes < large)
    return static_cast<char *>(std::malloc(bytes == 0 ? 1 : bytes));
  if (bytes > SIZE_MAX - line)
    return nullptr;
  if (bytes >= leastKept)
    if (const auto found = kept.find(bytes); found != kept.end() && !found->second.empty()) {
      char *data = found->second.back();
      found->second.pop_back();
      keptBytes -= bytes;
      return data;
    }
  return static_cast<char *>(std::aligned_alloc(line, (bytes + line - 1) / line * line));
}

void CpuDevice::giveBack(char *data, std::size_t bytes) {
  if (bytes < leastKept || bytes > mostKept - keptBytes)
    return std::free(data);
  kept[bytes].push_back(data);
  keptBytes += bytes;
}

/// What the machine has left, by the kernel's own estimate.
std::uint64_t CpuDevice::freeMemory() const {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kilobytes = 0;
  while (info >> key >> kilobytes) {
    std::getline(info, unit);
    if (key == "MemAvailable:")
      return kilobytes * 1024;
  }
  return std::uint64_t{4} << 30;
}

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

constexpr CBLAS_TRANSPOSE flag(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }
constexpr blasint count(std::int64_t v) { return static_cast<blasint>(v); }

/// y = alpha * op(M) * x + beta * y, of which \p p is one where it has a single row or column. OpenBLAS would
/// copy the matrix to multiply matrices, which takes longer than the product.
template <class T, class Gemv> void multiplyVector(const MatrixProduct &p, Gemv gemv) {
  const bool isRow = p.m == 1; // the matrix is B, transposed
  const bool transposed = isRow != (isRow ? p.transposeB : p.transposeA);
  const auto *matrix = static_cast<const T *>(isRow ? p.b : p.a), *x = static_cast<const T *>(isRow ? p.a : p.b);
  const std::int64_t length = isRow ? p.n : p.m, ld = isRow ? p.ldb : p.lda;
  const std::int64_t stepX = isRow ? (p.transposeA ? p.lda : 1) : (p.transposeB ? 1 : p.ldb);
  const std::int64_t stepY = isRow ? 1 : p.ldc;
  auto *y = static_cast<T *>(p.c);
  if (p.beta == 0) // whatever lies there, not a number either
    for (std::int64_t i = 0; i < length; ++i)
      y[i * stepY] = 0;
  gemv(CblasRowMajor, flag(transposed), count(transposed ? p.k : length), count(transposed ? length : p.k),
       static_cast<T>(p.alpha), matrix, count(ld), x, count(stepX), static_cast<T>(p.beta), y, count(stepY));
}

template <class T, class Gemm, class Gemv> void multiplyReal(const MatrixProduct &p, Gemm gemm, Gemv gemv) {
  if ((p.m == 1 || p.n == 1) && p.k > 0)
    return multiplyVector<T>(p, gemv);
  gemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), count(p.m), count(p.n), count(p.k),
       static_cast<T>(p.alpha), static_cast<const T *>(p.a), count(p.lda), static_cast<const T *>(p.b), count(p.ldb),
       static_cast<T>(p.beta), static_cast<T *>(p.c), count(p.ldc));
}

void multiplyComplex(const MatrixProduct &p, const Blas &library) {
  const ComplexDouble alpha(p.alpha), beta(p.beta);
  library.zgemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), count(p.m), count(p.n), count(p.k), &alpha, p.a,
                count(p.lda), p.b, count(p.ldb), &beta, p.c, count(p.ldc));
}

} // namespace

void CpuDevice::multiply(const MatrixProduct &p) {
  const Blas &library = blas();
  if (!library.complete() || !p.fitsLibraries())
    return multiplyPlainly(*this, p);
  switch (p.dtype) {
  case DType::Float32:
    return multiplyReal<float>(p, library.sgemm, library.sgemv);
  case DType::Float64:
    return multiplyReal<double>(p, library.dgemm, library.dgemv);
  case DType::Complex128:
    return multiplyComplex(p, library);
  default:
    break;
  }
}

} // namespace condlint

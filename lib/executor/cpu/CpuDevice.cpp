//===----------------------------------------------------------------------===//
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

void CpuDevice::multiply(const MatrixProduct &p) {
  if (!p.fitsLibraries())
    return multiplyPlainly(*this, p);
  const Blas &library = blas();
  const auto flag = [](bool t) { return t ? CblasTrans : CblasNoTrans; };
  const auto i = [](std::int64_t v) { return static_cast<blasint>(v); };
  switch (p.dtype) {
  case DType::Float32:
    if (!library.sgemm)
      return multiplyPlainly(*this, p);
    library.sgemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), i(p.m), i(p.n), i(p.k),
                  static_cast<float>(p.alpha), static_cast<const float *>(p.a), i(p.lda),
                  static_cast<const float *>(p.b), i(p.ldb), static_cast<float>(p.beta), static_cast<float *>(p.c),
                  i(p.ldc));
    break;
  case DType::Float64:
    if (!library.dgemm)
      return multiplyPlainly(*this, p);
    library.dgemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), i(p.m), i(p.n), i(p.k), p.alpha,
                  static_cast<const double *>(p.a), i(p.lda), static_cast<const double *>(p.b), i(p.ldb), p.beta,
                  static_cast<double *>(p.c), i(p.ldc));
    break;
  case DType::Complex128: {
    if (!library.zgemm)
      return multiplyPlainly(*this, p);
    const ComplexDouble alpha(p.alpha), beta(p.beta);
    library.zgemm(CblasRowMajor, flag(p.transposeA), flag(p.transposeB), i(p.m), i(p.n), i(p.k), &alpha, p.a, i(p.lda),
                  p.b, i(p.ldb), &beta, p.c, i(p.ldc));
    break;
  }
  default:
    break;
  }
}

} // namespace condlint

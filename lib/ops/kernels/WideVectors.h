//===- WideVectors.h - Loops for the vectors a processor has ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program runs on every x86-64, whose vectors hold four floats. Loops that are
// worth it are compiled three times, and the widest that the processor has is called.
// The results are the same to the bit: none of the three fuses a product with a sum
// (-ffp-contract=off in lib/ops/CMakeLists.txt).
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_WIDEVECTORS_H
#define CONDLINT_LIB_OPS_KERNELS_WIDEVECTORS_H

#include <cstdint>

namespace condlint {

#if defined(__x86_64__) && !defined(__CUDACC__)

enum class VectorWidth : std::uint8_t { Baseline, Avx2, Avx512 };

inline VectorWidth widestVectors() {
  static const VectorWidth width = [] {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
      return VectorWidth::Avx512;
    return __builtin_cpu_supports("avx2") ? VectorWidth::Avx2 : VectorWidth::Baseline;
  }();
  return width;
}

template <class F> [[gnu::flatten, gnu::target("avx2")]] void runWithAvx2(const F &f) { f(); }
template <class F> [[gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]] void runWithAvx512(const F &f) {
  f();
}

/// Calls \p f, a loop, compiled for the widest vectors of the processor.
template <class F> void withWideVectors(const F &f) {
  switch (widestVectors()) {
  case VectorWidth::Avx512:
    return runWithAvx512(f);
  case VectorWidth::Avx2:
    return runWithAvx2(f);
  case VectorWidth::Baseline:
    return f();
  }
}

#else

template <class F> void withWideVectors(const F &f) { f(); }

#endif

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_WIDEVECTORS_H

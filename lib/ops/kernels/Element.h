//===- Element.h - Elementwise functors and their loops ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise functor is a small struct with `operator()` marked CONDLINT_HD,
// which says how many operands it takes and in which types. `elementLoops<F>()`
// makes the loops that a device runs. In a build with CUDA the files that use this
// are compiled by nvcc, and the same functor also makes what runs it on a GPU.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_ELEMENT_H
#define CONDLINT_LIB_OPS_KERNELS_ELEMENT_H

#include "../Convert.h"
#include "../Device.h"
#include "WideVectors.h"
#include <type_traits>
#if defined(__CUDACC__) || defined(CONDLINT_CUDA_STANDIN)
#define CONDLINT_LAUNCHES
#include "Launch.h"
#endif

namespace condlint {

/// The types a functor computes in.
enum Takes : unsigned {
  Floats = 1,    ///< float and double
  Integers = 2,  ///< 64 bits with sign, and bool
  Unsigned = 4,  ///< 64 bits without sign: needed only where the sign matters
  Complexes = 8, ///< complex double
  Reals = Floats | Integers | Unsigned,
  Numbers = Reals | Complexes,
};

/// Base of functors: number of operands, types, whether the result is a truth.
/// A functor of one operand and many steps sets `wide`: its loop over floats is made for wide vectors.
template <unsigned Arity, unsigned Types, bool Predicate = false> struct ElementFunctor {
  static constexpr bool wide = false;
  static constexpr unsigned arity = Arity;
  static constexpr unsigned types = Types;
  static constexpr bool predicate = Predicate;
};

template <class F, class T> void elementLoop(const void *functor, void *out, const void *const *in, std::int64_t n) {
  const F f = *static_cast<const F *>(functor);
  using R = std::conditional_t<F::predicate, std::uint8_t, T>;
  auto *o = static_cast<R *>(out);
  const auto *a = static_cast<const T *>(in[0]);
  if constexpr (F::wide && F::arity == 1 && std::is_same_v<T, float>) {
    withWideVectors([=] {
      for (std::int64_t i = 0; i < n; ++i)
        o[i] = static_cast<R>(f(a[i]));
    });
  } else if constexpr (F::arity == 1) {
    for (std::int64_t i = 0; i < n; ++i)
      o[i] = static_cast<R>(f(a[i]));
  } else if constexpr (F::arity == 2) {
    const auto *b = static_cast<const T *>(in[1]);
    for (std::int64_t i = 0; i < n; ++i)
      o[i] = static_cast<R>(f(a[i], b[i]));
  } else {
    const auto *b = static_cast<const T *>(in[1]);
    const auto *c = static_cast<const T *>(in[2]);
    for (std::int64_t i = 0; i < n; ++i)
      o[i] = static_cast<R>(f(a[i], b[i], c[i]));
  }
}

template <class F, class T> constexpr void setElementLoop(ElementLoops &l, Compute c) {
  l.loop[static_cast<std::size_t>(c)] = elementLoop<F, T>;
#ifdef CONDLINT_LAUNCHES
  l.launch[static_cast<std::size_t>(c)] = gpu::launchElements<F, T>;
#endif
}

// In a build with CUDA every file that makes functors run must make launchers too.
#if defined(CONDLINT_CUDA) && !defined(CONDLINT_LAUNCHES)
template <class F> inline constexpr bool compilesForDevices = sizeof(F) == 0;
#else
template <class F> inline constexpr bool compilesForDevices = true;
#endif

template <class F> constexpr ElementLoops makeElementLoops() {
  static_assert(compilesForDevices<F>, "see device_sources in lib/ops/CMakeLists.txt");
  ElementLoops l;
  l.arity = F::arity;
  l.predicate = F::predicate;
  if constexpr ((F::types & Floats) != 0) {
    setElementLoop<F, float>(l, Compute::F32);
    setElementLoop<F, double>(l, Compute::F64);
  }
  if constexpr ((F::types & Integers) != 0)
    setElementLoop<F, std::int64_t>(l, Compute::I64);
  if constexpr ((F::types & Unsigned) != 0)
    setElementLoop<F, std::uint64_t>(l, Compute::U64);
  else if constexpr ((F::types & Integers) != 0)
    setElementLoop<F, std::int64_t>(l, Compute::U64);
  if constexpr ((F::types & Complexes) != 0)
    setElementLoop<F, ComplexDouble>(l, Compute::C128);
  return l;
}

template <class F> inline constexpr ElementLoops loopsOf = makeElementLoops<F>();
template <class F> const ElementLoops &elementLoops() {
  static_assert(std::is_trivially_copyable_v<F>);
  return loopsOf<F>;
}

template <class F> void rangeLoop(const void *functor, std::int64_t begin, std::int64_t end) {
  const F f = *static_cast<const F *>(functor);
  for (std::int64_t i = begin; i < end; ++i)
    f(i);
}

/// The same for work of many steps, for wide vectors.
template <class F> void wideRangeLoop(const void *functor, std::int64_t begin, std::int64_t end) {
  const F f = *static_cast<const F *>(functor);
  withWideVectors([&] {
    for (std::int64_t i = begin; i < end; ++i)
      f(i);
  });
}

template <class F> constexpr RangeLoop makeRangeLoop(RangeLoop::Loop loop) {
  static_assert(compilesForDevices<F>, "see device_sources in lib/ops/CMakeLists.txt");
  RangeLoop l{loop, nullptr};
#ifdef CONDLINT_LAUNCHES
  l.launch = gpu::launchRange<F>;
#endif
  return l;
}

/// Calls \p f with each index below \p count, in any order, on \p device. What it works on
/// lies in the device's memory (`Tensor::deviceAs`, `deviceOut`) or in \p f itself.
template <class F> void forEach(Device &device, std::int64_t count, const F &f) {
#ifndef __CUDACC__ // which wraps lambdas
  static_assert(std::is_trivially_copyable_v<F>);
#endif
  device.run(makeRangeLoop<F>(rangeLoop<F>), &f, count);
}

/// The same where each index is the work of a row of numbers, worth wide vectors.
template <class F> void forEachRow(Device &device, std::int64_t count, const F &f) {
#ifndef __CUDACC__
  static_assert(std::is_trivially_copyable_v<F>);
#endif
  device.run(makeRangeLoop<F>(wideRangeLoop<F>), &f, count);
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_ELEMENT_H

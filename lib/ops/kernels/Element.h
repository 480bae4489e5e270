//===- Element.h - Elementwise functors and their loops ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise functor is a small struct with `operator()` marked CONDLINT_HD,
// which says how many operands it takes and in which types. `elementLoops<F>()`
// makes the loops that a device runs.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_ELEMENT_H
#define CONDLINT_LIB_OPS_KERNELS_ELEMENT_H

#include "../Convert.h"
#include "../Device.h"
#include <type_traits>

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
template <unsigned Arity, unsigned Types, bool Predicate = false> struct ElementFunctor {
  static constexpr unsigned arity = Arity;
  static constexpr unsigned types = Types;
  static constexpr bool predicate = Predicate;
};

template <class F, class T> void elementLoop(const void *functor, void *out, const void *const *in, std::int64_t n) {
  const F f = *static_cast<const F *>(functor);
  using R = std::conditional_t<F::predicate, std::uint8_t, T>;
  auto *o = static_cast<R *>(out);
  const auto *a = static_cast<const T *>(in[0]);
  if constexpr (F::arity == 1) {
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

template <class F> constexpr ElementLoops makeElementLoops() {
  ElementLoops l;
  l.arity = F::arity;
  l.predicate = F::predicate;
  const auto set = [&](Compute c, ElementLoops::Loop loop) { l.loop[static_cast<std::size_t>(c)] = loop; };
  if constexpr ((F::types & Floats) != 0) {
    set(Compute::F32, elementLoop<F, float>);
    set(Compute::F64, elementLoop<F, double>);
  }
  if constexpr ((F::types & Integers) != 0)
    set(Compute::I64, elementLoop<F, std::int64_t>);
  if constexpr ((F::types & Unsigned) != 0)
    set(Compute::U64, elementLoop<F, std::uint64_t>);
  else if constexpr ((F::types & Integers) != 0)
    set(Compute::U64, elementLoop<F, std::int64_t>);
  if constexpr ((F::types & Complexes) != 0)
    set(Compute::C128, elementLoop<F, ComplexDouble>);
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

/// Calls \p f with each index below \p count, in any order, on \p device.
template <class F> void forEach(Device &device, std::int64_t count, const F &f) {
  static_assert(std::is_trivially_copyable_v<F>);
  const RangeLoop loop{rangeLoop<F>, sizeof(F)};
  device.run(loop, &f, count);
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_ELEMENT_H

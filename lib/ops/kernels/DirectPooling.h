//===- DirectPooling.h - Pools over dense runs ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_DIRECTPOOLING_H
#define CONDLINT_LIB_OPS_KERNELS_DIRECTPOOLING_H

#include "Windows.h"

namespace condlint {

/// The largest element of each window over \p planes images, on the host and without where it lies. \p x and \p out are
/// dense and of one type. False, and nothing is done, where that does not suit.
bool maxPoolDirectly(const ExecContext &c, const Tensor &x, const SlidingWindow &w, std::int64_t planes,
                     const Tensor &out);

/// The sum of each window, divided by what \p divisors has for each place of the output. The same otherwise.
bool meanPoolDirectly(const ExecContext &c, const Tensor &x, const SlidingWindow &w, std::int64_t planes,
                      std::span<const double> divisors, const Tensor &out);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_DIRECTPOOLING_H

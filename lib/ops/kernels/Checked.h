//===- Checked.h - Arithmetic on sizes that a model gives -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_CHECKED_H
#define CONDLINT_LIB_OPS_KERNELS_CHECKED_H

#include "../Kernel.h"
#include <fmt/format.h>

namespace condlint {

/// \p a * \p b; what is beyond 64 bits is refused.
inline std::int64_t times(const ExecContext &c, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r))
    c.fail(fmt::format("{} times {} is no size", a, b));
  return r;
}

/// \p a + \p b; what is beyond 64 bits is refused.
inline std::int64_t plus(const ExecContext &c, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r))
    c.fail(fmt::format("{} and {} make no size", a, b));
  return r;
}

/// \p n as what the argument \p name counts or steps: so large a number has no use, and
/// products of two of them are still numbers.
inline std::int64_t moderate(const ExecContext &c, std::int64_t n, std::string_view name) {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  if (n < -limit || n > limit)
    c.fail(fmt::format("{} is too far from 0 for {}", n, name));
  return n;
}

/// Refuses a list of \p n numbers for which there is no room, before it grows.
inline void requireRoom(const ExecContext &c, std::int64_t n) {
  const std::int64_t shape[] = {n};
  c.empty(DType::Int64, shape);
}

/// Refuses \p n results or parts where the node has others: a list is not made to find that out.
inline void requireParts(const ExecContext &c, std::int64_t n) {
  if (n < 0 || static_cast<std::size_t>(n) != c.resultCount())
    c.fail(fmt::format("{} results are computed where the node has {}", n, c.resultCount()));
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_CHECKED_H

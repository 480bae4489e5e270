//===- AtenIntegers.h - How ATen's overloads write integers -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENINTEGERS_H
#define CONDLINT_OPS_ATENINTEGERS_H

#include <cstdint>
#include <vector>

namespace condlint {

struct EffectsRow;

/// How a schema writes the integers of a parameter, which decides what torch converts to them.
enum class AtenIntegers : std::uint8_t {
  Plain,    ///< int, int[]: a constant of torch is an integer too; or no integers
  Symbolic, ///< SymInt, SymInt[2]: a text without letters is an empty list
  Repeated, ///< int[2]: an integer stands for that many
};

/// Of each parameter of \p row, in their order.
std::vector<AtenIntegers> integersOf(const EffectsRow &row);

} // namespace condlint

#endif // CONDLINT_OPS_ATENINTEGERS_H

//===- SymExpr.h - Sizes as sympy writes them -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_SYMEXPR_H
#define CONDLINT_LIB_READERS_PT2_SYMEXPR_H

#include "condlint/Dim.h"
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::pt2 {

/// What expressions assume of their symbols, over all that were read.
struct SymbolFacts {
  SymbolOrigin origin = SymbolOrigin::Declared;
  Interval bounds;
  std::optional<Interval> hints{}; ///< around the sizes it had while the model was exported

  void addHint(std::int64_t n) {
    const Interval had = hints.value_or(Interval{n, n});
    hints = {std::min(had.min, n), std::max(had.max, n)};
  }
};
using SymbolTable = std::map<std::string, SymbolFacts, std::less<>>;

/// Which system of names a symbol belongs to: torch calls backed sizes `s0`
/// and unbacked ones `u0` (`i0` before 2.2).
SymbolOrigin originOfSymbol(std::string_view name);

struct SymExpr {
  Dim dim;             ///< unknown for an expression that is no integer
  std::string problem; ///< why it cannot be read; empty when it can
  std::vector<std::string> symbols;
};

/// Reads the expression \p text: sympy's `srepr` ("Mul(Integer(2),
/// Symbol('s0', positive=True, integer=True))") or, as versions before 2.6
/// wrote it, its `str` ("2*s0"). A function that is not known is opaque;
/// \p symbols learns what the symbols assume. Bounded in length and depth.
SymExpr parseSymExpr(std::string_view text, DimTable &dims, SymbolTable &symbols);

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_SYMEXPR_H

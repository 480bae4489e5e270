//===- DimCopier.h - Expressions in another store ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_DIMCOPIER_H
#define CONDLINT_LIB_GRAPH_DIMCOPIER_H

#include "DimStore.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace condlint::detail {

/// Writes expressions of one store into another, which simplifies them under its own symbols.
class DimCopier {
public:
  /// What each symbol becomes is said by `replace`. \p expanding writes `a % b` and `max(a, b)` with `//` and `min`.
  DimCopier(const DimStore &source, DimStore &target, bool expanding) : from(source), to(target), expand(expanding) {}

  /// \p by stands for the symbol \p symbol of the source.
  void replace(std::uint32_t symbol, ExprId by) { symbols.emplace_back(symbol, by); }

  /// \returns 0 where a symbol has nothing that stands for it, or the expression grows beyond what is followed.
  ExprId copy(ExprId e);

private:
  ExprId atom(AtomId a);
  ExprId make(AtomId a);

  const DimStore &from;
  DimStore &to;
  bool expand;
  std::vector<std::pair<std::uint32_t, ExprId>> symbols;
  std::vector<std::pair<AtomId, ExprId>> done;
};

} // namespace condlint::detail

#endif // CONDLINT_LIB_GRAPH_DIMCOPIER_H

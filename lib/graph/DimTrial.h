//===- DimTrial.h - Two expressions at values -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_DIMTRIAL_H
#define CONDLINT_LIB_GRAPH_DIMTRIAL_H

#include "DimStore.h"
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace condlint::detail {

/// Two expressions that are compared, in a store of their own.
struct ComparedDims {
  DimStore store;
  ExprId left = 0, right = 0;
  ExprId difference = 0;        ///< 0: it grows beyond what is followed
  std::vector<ExprId> admitted; ///< values at which one of these is below zero do not count
  /// The symbols of the difference; of both sides where that is not known.
  std::vector<std::uint32_t> relevant;

  /// Numbers worth trying: those in the expressions and their neighbours.
  std::set<std::int64_t> tellingNumbers() const;
};

/// What two expressions are at values that were tried.
struct DimTrial {
  std::size_t equal = 0, differ = 0, excluded = 0; ///< how many values
  bool isExhaustive = false;                       ///< every admitted value was tried
  /// Values at which they differ, and the two sides there, where \c differ is not zero.
  SymbolValues witness;
  std::int64_t left = 0, right = 0;

  void differsAt(const SymbolValues &values, std::int64_t x, std::int64_t y) {
    ++differ;
    witness = values;
    left = x;
    right = y;
  }
  /// What is compared are mostly sizes, which are not negative.
  bool showsSizes() const { return left >= 0 && right >= 0; }
};

/// Tries values as they come to mind: all of them where they are few, else the most telling ones, within a budget.
DimTrial tryValues(const ComparedDims &dims);

} // namespace condlint::detail

#endif // CONDLINT_LIB_GRAPH_DIMTRIAL_H

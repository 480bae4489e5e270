//===- PossibleValues.h - What a number of the host may be -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_POSSIBLEVALUES_H
#define CONDLINT_CXX_INTERP_VALUES_POSSIBLEVALUES_H

#include <clang/AST/OperationKinds.h>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace condlint::cxx {

/// The comparison that \p op asks for with its sides exchanged.
clang::BinaryOperatorKind mirrored(clang::BinaryOperatorKind op);

/// What a whole number may be, as far as it was compared with constants.
class PossibleValues {
public:
  /// "the number \p opcode \p k" holds.
  void restrict(clang::BinaryOperatorKind opcode, std::int64_t k);
  /// It is what \p other leaves, too.
  void restrict(const PossibleValues &other);
  /// Whether it holds for all that the number may be, or for none of that.
  std::optional<bool> holds(clang::BinaryOperatorKind opcode, std::int64_t k) const;

  /// No number is left.
  bool isNone() const { return low > high || (low == high && equals(low) == std::optional(false)); }
  /// Some of what it may be: at its ends, and beside what it is not.
  std::vector<std::int64_t> telling() const;
  /// The least that it may be; nothing where there is none.
  std::optional<std::int64_t> lowest() const { return low == least ? std::nullopt : std::optional(low); }
  std::optional<std::int64_t> highest() const { return high == most ? std::nullopt : std::optional(high); }
  /// It may be any number.
  bool isAny() const { return low == least && high == most && excluded.empty(); }
  /// What either of them leaves, and what lies between.
  PossibleValues hullWith(const PossibleValues &other) const;
  friend bool operator==(const PossibleValues &, const PossibleValues &) = default;

private:
  std::optional<bool> equals(std::int64_t k) const;
  std::optional<bool> isBelow(std::int64_t k) const;
  std::optional<bool> isAbove(std::int64_t k) const;
  void moveEnds();

  static constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t low = least;
  std::int64_t high = most;
  std::vector<std::int64_t> excluded; ///< in order, each once
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_POSSIBLEVALUES_H

//===- SignedNumbers.h - Numbers from outside below zero --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_SIGNEDNUMBERS_H
#define CONDLINT_CXX_INTERP_MACHINE_SIGNEDNUMBERS_H

#include "condlint/Dim.h"
#include <clang/AST/ASTFwd.h>
#include <clang/AST/Type.h>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::cxx {

/// Numbers from outside that are no sizes, and what operators make of them: what a program asks of them is decided for
/// all that their types hold. In a type of 64 bits without a sign the largest are held as those below zero (`npos` is
/// -1).
///
/// A tensor's sizes are never below zero, and what is computed of such a number is most often one. So its symbol has
/// the bounds of a size, which keeps expressions over it simple; only what is asked here sees it as it is.
class SignedNumbers {
public:
  /// What a number of the integer \p type may be; no enumerator is taken to be below zero.
  static Interval rangeOf(const clang::ASTContext &ast, clang::QualType type);
  /// A new symbol of \p dims, called after \p hint, for a number that may be any of \p all.
  Dim fresh(DimTable &dims, std::string_view hint, Interval all = {});
  /// What is made of numbers that are known; nothing where that is not defined.
  using Making = std::function<std::optional<std::int64_t>(std::span<const std::int64_t>)>;
  /// What an operator or a conversion that is called \p how makes of \p of, and no expression over these says: one of
  /// \p all. The same where it is made of the same. \p making: how it is computed, where that is known.
  Dim made(DimTable &dims, std::string_view how, std::span<const Dim> of, Interval all, Making making = {});
  /// What a symbol is; nothing where that is not known, or follows from what it is made of.
  using Lookup = std::function<std::optional<std::int64_t>(const condlint::Symbol &)>;
  /// What \p d is by what \p known says of symbols, and by what is made of these; nothing where that is not known.
  std::optional<std::int64_t> valueAt(const DimTable &dims, Dim d, const Lookup &known, unsigned depth = 0) const;
  /// The same of \p symbol.
  std::optional<std::int64_t> valueOf(const DimTable &dims, const condlint::Symbol &symbol, const Lookup &known,
                                      unsigned depth = 0) const;
  /// What \p d, a symbol, is hangs on whatever else is asked of what it was computed of, which is not worked out.
  void leaveOpen(const DimTable &dims, Dim d);
  /// \p d is made of such a one.
  bool hangsOnOpen(const DimTable &dims, Dim d, unsigned depth = 0) const;
  /// What \p symbol may be.
  Interval rangeOf(const condlint::Symbol &symbol) const;
  /// Of what \p symbol, which stands for such a number, is made; nothing for others.
  std::span<const Dim> partsOf(const condlint::Symbol &symbol) const;
  /// \p symbol stands for a number from outside, or for such a one.
  bool isOfHost(const condlint::Symbol &symbol) const { return ranges.contains(symbol.name); }
  /// The symbol that \p d, an expression over one alone, is made of.
  Dim symbolIn(const DimTable &dims, Dim d) const;
  /// \p d is made of sizes alone.
  bool areSizes(const DimTable &dims, Dim d) const;
  /// The bounds of \p d for all that its numbers may be.
  Interval boundsOf(DimTable &dims, Dim d) const;
  /// Whether \p a is \p b, for all that their numbers may be.
  DimComparison compare(DimTable &dims, Dim a, Dim b) const;
  /// The lesser or, \p isGreatest, the greater of two numbers with a sign.
  Dim extremum(DimTable &dims, Dim a, Dim b, bool isGreatest) const;

private:
  class Widened;
  struct Range {
    Interval all;   ///< what the number may be
    Interval given; ///< the bounds that its symbol was given
    Dim symbol;
    std::vector<Dim> of; ///< what it is made of
    Making making;       ///< and how
  };
  Dim newSymbol(DimTable &dims, std::string_view hint, Interval all, std::span<const Dim> of);

  std::map<std::string, Range, std::less<>> ranges; ///< by the symbol's name, which no declared one has
  std::map<std::pair<std::string, std::vector<Dim>>, Dim> results;
  std::set<std::string, std::less<>> open; ///< names of symbols: \ref leaveOpen
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_SIGNEDNUMBERS_H

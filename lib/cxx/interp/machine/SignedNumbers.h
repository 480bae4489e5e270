//===- SignedNumbers.h - Numbers from outside below zero --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_SIGNEDNUMBERS_H
#define CONDLINT_CXX_INTERP_MACHINE_SIGNEDNUMBERS_H

#include "condlint/Dim.h"
#include <clang/AST/Type.h>
#include <set>
#include <string>
#include <string_view>

namespace condlint::cxx {

/// Numbers from outside that are no sizes: what a program asks of them is decided for those below zero, too, which in a
/// type of 64 bits without a sign are the largest (`npos` is -1).
///
/// A tensor's sizes are never below zero, and what is computed of such a number is most often one. So its symbol has
/// the bounds of a size, which keeps expressions over it simple; only what is asked here sees it as it is.
class SignedNumbers {
public:
  /// A number of the \p type may be below zero; no enumerator is taken to be.
  static bool areOf(clang::QualType type);
  /// A new symbol of \p dims, called after \p hint, for a number that may be below zero if it is \p isSigned.
  Dim fresh(DimTable &dims, std::string_view hint, bool isSigned = true);
  /// The bounds of \p d for all that its numbers may be.
  Interval boundsOf(DimTable &dims, Dim d) const;
  /// Whether \p a is \p b, for all that their numbers may be.
  DimComparison compare(DimTable &dims, Dim a, Dim b) const;

private:
  class Widened;
  std::set<std::string, std::less<>> names;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_SIGNEDNUMBERS_H

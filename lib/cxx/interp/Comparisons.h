//===- Comparisons.h - How the library orders the users' own --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sorts, and what keeps its elements in order, compares them: by what it is
// given for that, or by the elements' own operator. Both may be the user's code.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_COMPARISONS_H
#define CONDLINT_CXX_INTERP_COMPARISONS_H

#include "Machine.h"

namespace condlint::cxx {

/// The operator that the class \p element has for \p kind, as something to call; absent where it has none of its own.
Value ownOrder(Machine &m, clang::QualType element, clang::OverloadedOperatorKind kind = clang::OO_Less);

/// How a map orders its keys, or finds that two of them are one.
class KeyOrder {
public:
  KeyOrder(Machine &machine, clang::QualType map);
  /// Below 0 where \p a is before \p b, 0 where they are one key; of those that are not sorted any other number where
  /// they are two. \p byFields is what their fields alone say. Nothing where it is not known.
  std::optional<int> compare(const Value &a, const Value &b, int byFields, const clang::Expr *at) const;
  bool sorts() const { return isSorted; }

private:
  Machine &m;
  clang::QualType key;
  Value own;              ///< the user's comparison, if there is one
  bool isSorted = false;  ///< else its keys are only told apart
  bool isByField = false; ///< the compiler compares their fields
};

/// \p a is before \p b by the class \p comparison (null: std::less) of objects of the class \p element.
std::optional<bool> comesBefore(Machine &m, clang::QualType comparison, clang::QualType element, const Value &a,
                                const Value &b, const clang::Expr *at);

/// How two values compare that the library compares part by part: below 0, 0 or above it; nothing where it is not
/// known.
std::optional<int> orderOf(Machine &m, const Value &a, const Value &b, clang::QualType type, const clang::Expr *at);

/// Runs the user's own comparison where the method \p c of a container of the class \p cls looks for the place of
/// an element.
void compareHeld(Machine &m, Call &c, std::string_view cls);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_COMPARISONS_H

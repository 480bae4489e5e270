//===- Comparisons.h - How the library orders the users' own ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sorts, searches and keeps its elements in order compares them: by what it is
// given for that, or by the elements' own operators. Both may be the user's code, as
// may be what hashes a key.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_COMPARISONS_H
#define CONDLINT_CXX_INTERP_LIBRARY_COMPARISONS_H

#include "OwnOperators.h"

namespace condlint::cxx {

/// What \p function makes of \p a and \p b, two of the \p type.
Value compared(Machine &m, const Value &function, const Value &a, const Value &b, clang::QualType type,
               const clang::Expr *at);

/// What tells the keys or elements of a container apart, and puts them in order where it has one.
enum class KeysBy : std::uint8_t { Themselves, Reversed, Own };
/// Of a container of the type \p container: the keys themselves as `<` or `==` of the library say, the same the other
/// way around, or something of the program's own.
KeysBy keysBy(Machine &m, clang::QualType container);
/// How many elements or entries of the key \p key are in \p whole, a \p container from outside; nothing where that is
/// not kept.
std::optional<Value> countOfKey(Machine &m, const Value &whole, const Value &key, clang::QualType container);
/// What the method \p name of a set asks of \p key, where the set, \p whole, is from outside: `count`, `contains`,
/// `find`.
std::optional<Value> askedOfKey(Machine &m, Call &c, std::string_view name, const Value &whole, const Value &key);

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
  clang::QualType key, comparison;
  bool isSorted = false;  ///< else its keys are only told apart
  bool isByField = false; ///< the compiler compares their fields
};

/// \p a is before \p b by the class \p comparison (null: std::less) of objects of the class \p element.
std::optional<bool> comesBefore(Machine &m, clang::QualType comparison, clang::QualType element, const Value &a,
                                const Value &b, const clang::Expr *at);

/// How two values compare that the library compares part by part: below 0, 0 or above it; nothing where it is not
/// known.
std::optional<int> orderOf(Machine &m, const Value &a, const Value &b, clang::QualType type, const clang::Expr *at);

/// Runs the program's own comparison and hash where the method \p c of a container of the class \p cls, or its
/// constructor, looks for the place of an element.
void compareHeld(Machine &m, Call &c, std::string_view cls);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_COMPARISONS_H

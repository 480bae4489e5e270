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

/// Runs the user's own comparison where the method \p c of a container of the class \p cls looks for the place of
/// an element.
void compareHeld(Machine &m, Call &c, std::string_view cls);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_COMPARISONS_H

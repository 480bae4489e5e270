//===- OwnOperators.h - Operators of the program's own classes --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the library compares, adds up or hashes may be of a class whose operators
// somebody wrote: those run, and may do anything.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_OWNOPERATORS_H
#define CONDLINT_CXX_INTERP_LIBRARY_OWNOPERATORS_H

#include "../machine/Machine.h"
#include <clang/AST/OperationKinds.h>
#include <clang/Basic/OperatorKinds.h>

namespace condlint::cxx {

/// A class of the program's own: neither the standard library's nor one that the domain knows as a value.
bool isOfTheProgram(Machine &m, const clang::CXXRecordDecl *c);

/// The operator that the class \p type has for \p kind, its own or a base's, as something to call; unknown where it
/// has one of which nobody knows which; absent where it has none.
Value ownOperator(Machine &m, clang::QualType type, clang::OverloadedOperatorKind kind);

/// What the operator \p op makes of \p a and \p b where the library applies it, run as the program's own operators
/// say, those of the parts of pairs and containers too. Nothing where there are none.
std::optional<Value> applyOwn(Machine &m, clang::BinaryOperatorKind op, const Argument &a, const Argument &b,
                              const clang::Expr *site);

/// Something that \p c, a function of the library that nobody follows, is given is of a class of the program with
/// operators of its own, which it may call.
bool mayCallOperators(Machine &m, const Call &c);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_OWNOPERATORS_H

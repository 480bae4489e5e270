//===- Names.h - What tells unknown numbers apart ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_NAMES_H
#define CONDLINT_CXX_INTERP_MACHINE_NAMES_H

#include "Machine.h"

namespace condlint::cxx {

/// \p v, in which each number of which nothing is known has a name of its own: what is asked of it twice, whoever
/// made it, is one question.
Value withNames(Machine &m, Value v);
/// The same of what was computed in a way that is not worked out: it hangs on whatever else is asked of what it is made
/// of.
Value withOpenName(Machine &m, Value v);

/// Texts have a part in \p s, so that what it comes to hangs on whatever else is asked of them.
bool asksText(const clang::Stmt *s);

/// A number that is not below zero, of which no more is known: how many there are, or how far it is. \p name is for
/// people.
Value someCount(Machine &m, std::string_view name);
/// From here on \p n, which is not known, is no less than \p least.
void atLeast(Machine &m, const Number &n, std::int64_t least);

/// What the \p value of the condition \p e asks; null where it cannot be recognised again.
std::shared_ptr<const Test> testOf(Machine &m, const Value &value, const clang::Stmt *e);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_NAMES_H

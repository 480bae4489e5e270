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

/// What the \p value of the condition \p e asks; null where it cannot be recognised again.
std::shared_ptr<const Test> testOf(Machine &m, const Value &value, const clang::Stmt *e);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_NAMES_H

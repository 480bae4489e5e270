//===- Gaps.h - Where code is missing in an AST -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of code that does not compile Clang keeps what is sound and marks the rest, or
// leaves it out: what such a statement does to the variables around is lost.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_GAPS_H
#define CONDLINT_CXX_INTERP_MACHINE_GAPS_H

#include "../../Reading.h"

namespace clang {
class Stmt;
} // namespace clang

namespace condlint::cxx {

/// The first place in \p body behind which variables may not be what they seem, the bodies of
/// lambdas left out; invalid where there is none.
clang::SourceLocation firstGap(const SourceOptions &options, const clang::SourceManager &sm, const clang::Stmt &body);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_GAPS_H

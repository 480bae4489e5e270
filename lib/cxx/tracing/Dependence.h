//===- Dependence.h - What host values of traced code hang on ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_DEPENDENCE_H
#define CONDLINT_CXX_TRACING_DEPENDENCE_H

#include "ReachingDefinitions.h"
#include <cstdint>

namespace condlint::cxx {

/// What a host value hangs on.
enum class Dependence : std::uint8_t { Nothing, Flag, Value };

/// What the host value of \p e hangs on where traced code evaluates it: the training
/// flag or what a tensor holds, through variables, fields, containers and functions of
/// this unit. What is assigned under a condition that hangs on something does not: that
/// condition is the one to name. What cannot be followed hangs on nothing.
Dependence dependenceOf(const clang::Expr *e, const Assignments &assignments, ReachingDefinitions &reaching,
                        const clang::ASTContext &ast);

/// What the number of elements of the container \p range hangs on.
Dependence sizeDependenceOf(const clang::Expr *range, const Assignments &assignments, ReachingDefinitions &reaching,
                            const clang::ASTContext &ast);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_DEPENDENCE_H

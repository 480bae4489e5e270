//===- ArmTypes.h - Selections whose arms differ in type --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_ARMTYPES_H
#define CONDLINT_CXX_TRACING_ARMTYPES_H

#include "../Reading.h"
#include <map>
#include <set>

namespace clang {
class Expr;
class FunctionDecl;
} // namespace clang

namespace condlint::cxx {

/// The selections that running \p functions abstractly meets and whose arms are
/// tensors of different dtypes or ranks for certain (NS13): the condition of a
/// `?:`, the call of a `where`, and how the arms differ.
std::map<const clang::Expr *, std::string> differingArms(clang::ASTContext &ast, const SourceOptions &options,
                                                         const std::vector<const clang::FunctionDecl *> &functions);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_ARMTYPES_H

//===- ConstantFlags.h - Constants where the training flag belongs -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_CONSTANTFLAGS_H
#define CONDLINT_CXX_TRACING_CONSTANTFLAGS_H

#include "ReachingDefinitions.h"
#include <optional>
#include <string>

namespace condlint::cxx {

/// An argument by which an operator of libtorch trains in evaluation too (NS15).
struct ConstantFlag {
  const clang::Expr *at = nullptr;
  std::string what; ///< "dropout: its 'train' is always true"
};
/// Nothing where \p call has none.
std::optional<ConstantFlag> constantFlagIn(const clang::CallExpr *call, const Assignments &assignments,
                                           ReachingDefinitions &reaching, const clang::ASTContext &ast);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_CONSTANTFLAGS_H

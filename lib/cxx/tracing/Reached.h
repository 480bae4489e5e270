//===- Reached.h - What tracing runs ----------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_REACHED_H
#define CONDLINT_CXX_TRACING_REACHED_H

#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace condlint::cxx {

/// The functions below the traversal scope that tracing runs: every `forward` of a
/// module, what is marked CONDLINT_TRACED, and what they call, construct or hand on as
/// a callable. A virtual call reaches whatever overrides.
struct Reached {
  explicit Reached(clang::ASTContext &ast);
  std::vector<const clang::FunctionDecl *> roots;     ///< where tracing begins; definitions
  std::vector<const clang::FunctionDecl *> functions; ///< definitions, in the order in which they are met
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_REACHED_H

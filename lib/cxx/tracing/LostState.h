//===- LostState.h - Members that traced code assigns --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_LOSTSTATE_H
#define CONDLINT_CXX_TRACING_LOSTSTATE_H

#include "TracedCode.h"
#include <string>
#include <vector>

namespace condlint::cxx {

/// A place where a traced method changes a member that a later call, or somebody else, reads (NS14).
struct LostState {
  const clang::Expr *at = nullptr;
  std::string member;
};
/// Those of \p f; \p traced: all functions that tracing runs.
std::vector<LostState> lostStateIn(const clang::FunctionDecl &f, const std::vector<const clang::FunctionDecl *> &traced,
                                   const clang::ASTContext &ast);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_LOSTSTATE_H

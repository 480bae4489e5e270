//===- Holders.h - Which variable holds what a call yields ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_HOLDERS_H
#define CONDLINT_CXX_TENSORRT_HOLDERS_H

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <memory>
#include <unordered_map>

namespace condlint::cxx {

/// The local pointers that expressions initialise, for repairs that name them. A body
/// is walked once, when it is first asked for.
class Holders {
public:
  struct Holder {
    const clang::VarDecl *variable = nullptr;
    const clang::CompoundStmt *block = nullptr; ///< around its declaration
  };

  Holders();
  ~Holders();
  /// The variable of \p f, which has a body, that \p e initialises; none where it is
  /// assigned again, or where another one has its name.
  Holder of(const clang::FunctionDecl &f, const clang::Expr *e);

private:
  class Body;
  std::unordered_map<const clang::FunctionDecl *, std::unique_ptr<Body>> bodies;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_HOLDERS_H

//===- WritersElsewhere.h - What other functions change ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that is not seen cannot name a variable of internal linkage, but it may call a function
// of this unit that changes it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_WRITERSELSEWHERE_H
#define CONDLINT_CXX_INTERP_MACHINE_WRITERSELSEWHERE_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <span>
#include <vector>

namespace clang {
class ASTContext;
class DeclContext;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace condlint::cxx {

/// Which functions of a unit may change which of its variables that only it can name.
class WritersElsewhere {
public:
  /// \p v may be changed by a function that code which is not seen can call, besides those that are \p running.
  bool mayChange(const clang::ASTContext &ast, const clang::VarDecl &v,
                 std::span<const clang::FunctionDecl *const> running);

private:
  void read(const clang::DeclContext &in);
  void read(const clang::FunctionDecl &f);
  void readUses(const clang::Stmt &body, const clang::FunctionDecl *by);

  bool isRead = false;
  /// By variable: who does more than read it. Null: a lambda, which may be given away.
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::FunctionDecl *>> writers;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::FunctionDecl *>> callers;
  llvm::DenseSet<const clang::FunctionDecl *> givenAway; ///< named without being called
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_WRITERSELSEWHERE_H

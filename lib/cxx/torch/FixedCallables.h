//===- FixedCallables.h - Functions that variables always hold --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch function may be kept in a member or a global variable. Which one that
// is can be told where it is `const`, or where nobody who could assign it does.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_FIXEDCALLABLES_H
#define CONDLINT_CXX_TORCH_FIXEDCALLABLES_H

#include "../Reading.h"
#include "../interp/values/Value.h"
#include <functional>
#include <llvm/ADT/DenseSet.h>

namespace clang {
class CXXConstructorDecl;
class CXXRecordDecl;
class Expr;
class FieldDecl;
class FunctionDecl;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace condlint::cxx {

class FixedCallables {
public:
  /// \p own: whose bodies are seen; \p isCond: whose arguments are only called.
  FixedCallables(clang::ASTContext &ast, const SourceOptions &options,
                 std::function<bool(const clang::FunctionDecl &)> own,
                 std::function<bool(const clang::FunctionDecl &)> isCond);

  /// The function, or the lambda without captures, that the member or variable \p decl
  /// holds whenever it is called; absent where that is not known.
  Value heldBy(const clang::ValueDecl &decl, unsigned depth = 0);

private:
  Value inMember(const clang::FieldDecl &field, unsigned depth);
  Value inVariable(const clang::VarDecl &variable, unsigned depth);
  /// What the constructors of the member's class put there.
  Value constructed(const clang::FieldDecl &field, const clang::CXXRecordDecl &record, unsigned depth);
  /// What \p init makes: it names a function, is a lambda, or names what always holds one.
  Value made(const clang::Expr *init, unsigned depth);
  /// Nobody assigns \p decl, or lends it to somebody who may.
  bool isNeverAssigned(const clang::ValueDecl &decl);
  /// Every method of \p record is seen, and it has no friends.
  bool isSeen(const clang::CXXRecordDecl &record) const;
  void findAssignments();

  clang::ASTContext &ast;
  const SourceOptions &options;
  std::function<bool(const clang::FunctionDecl &)> own, isCond;
  llvm::DenseSet<const clang::ValueDecl *> assigned; ///< or lent
  bool searched = false;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_FIXEDCALLABLES_H

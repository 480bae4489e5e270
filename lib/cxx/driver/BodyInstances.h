//===- BodyInstances.h - What templates became for one body -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_BODYINSTANCES_H
#define CONDLINT_CXX_DRIVER_BODYINSTANCES_H

#include <functional>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <vector>

namespace clang {
class Decl;
class DeclContext;
class FunctionDecl;
class Stmt;
class TemplateArgument;
} // namespace clang

namespace condlint::cxx {

/// Knows the functions that the project's templates were made into for the body of one function, and takes those out
/// that nothing uses once the body is another: they are read by themselves, as whatever the project's files declare.
class BodyInstances {
public:
  using Test = std::function<bool(const clang::Decl &)>;

  /// \p declarations are what the project's files declare, with what was made of their templates; \p isOfProject tells
  /// such a template, \p isInBody what stands within the body.
  BodyInstances(std::vector<clang::Decl *> &declarations, Test isOfProject, Test isInBody);

  /// Looks at the body of \p function. \returns false where it uses what cannot be taken out: members of the project's
  /// class templates.
  bool collect(const clang::FunctionDecl &function);
  /// For when the new body is there.
  void takeOutUnused();

private:
  using Functions = llvm::SmallPtrSet<const clang::FunctionDecl *, 32>;

  bool isInstance(const clang::FunctionDecl &f) const;
  bool standsWithin(const clang::DeclContext *context) const;
  bool mentionsBody(llvm::ArrayRef<clang::TemplateArgument> arguments) const;
  bool isOfBody(const clang::FunctionDecl &f) const;
  void follow(const clang::Stmt *code, Functions &used) const;

  std::vector<clang::Decl *> &declarations;
  Test isOfProject, isInBody;
  Functions own;  ///< of types that the body declares, such as its lambdas': nobody else has any use for them
  Functions used; ///< besides: by the body, and by what it uses
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_BODYINSTANCES_H

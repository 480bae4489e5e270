//===- StmtWalk.h - Looks through a statement -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_STMTWALK_H
#define CONDLINT_CXX_INTERP_MACHINE_STMTWALK_H

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <cstdint>
#include <vector>

namespace condlint::cxx {

/// What \ref findStatement does behind a statement.
enum class Walk : std::uint8_t {
  On,    ///< looks into it
  Past,  ///< leaves out what is inside
  Found, ///< ends
};

/// Asks \p visit for \p root and what is inside of it; true when something was found.
template <class Visit> bool findStatement(const clang::Stmt *root, const Visit &visit) {
  std::vector<const clang::Stmt *> open{root};
  while (!open.empty()) {
    const clang::Stmt *s = open.back();
    open.pop_back();
    const Walk next = s ? visit(*s) : Walk::Past;
    if (next == Walk::Found)
      return true;
    if (next == Walk::On)
      for (const clang::Stmt *child : s->children())
        open.push_back(child);
  }
  return false;
}

/// Asks \p visit for every statement and expression of \p root, as many times faster than a
/// RecursiveASTVisitor as nobody asks for types and names: with default arguments, what
/// lambdas capture and do, and the bodies of local classes' methods.
template <class Visit> void forEachStatement(const clang::Stmt *root, const Visit &visit) {
  std::vector<const clang::Stmt *> open{root};
  const auto openMethods = [&](const clang::CXXRecordDecl &local, const auto &self) -> void {
    for (const clang::Decl *d : local.decls())
      if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(d))
        open.push_back(method->isThisDeclarationADefinition() ? method->getBody() : nullptr);
      else if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(d))
        open.push_back(field->getInClassInitializer());
      else if (const auto *inner = llvm::dyn_cast<clang::CXXRecordDecl>(d); inner && !inner->isImplicit())
        self(*inner, self);
  };
  while (!open.empty()) {
    const clang::Stmt *s = open.back();
    open.pop_back();
    if (!s)
      continue;
    visit(*s);
    switch (s->getStmtClass()) {
    case clang::Stmt::CXXDefaultArgExprClass:
      open.push_back(llvm::cast<clang::CXXDefaultArgExpr>(s)->getExpr());
      break;
    case clang::Stmt::CXXDefaultInitExprClass:
      open.push_back(llvm::cast<clang::CXXDefaultInitExpr>(s)->getExpr());
      break;
    case clang::Stmt::DeclStmtClass:
      for (const clang::Decl *d : llvm::cast<clang::DeclStmt>(s)->decls())
        if (const auto *local = llvm::dyn_cast<clang::CXXRecordDecl>(d))
          openMethods(*local, openMethods);
      break;
    default:
      break;
    }
    for (const clang::Stmt *child : s->children())
      open.push_back(child);
  }
}

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_STMTWALK_H

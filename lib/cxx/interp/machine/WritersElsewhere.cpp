//===- WritersElsewhere.cpp - What other functions change -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WritersElsewhere.h"
#include "StmtWalk.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

namespace condlint::cxx {

/// Only this unit can name it, and it is there before and after a call.
static bool isOwn(const clang::VarDecl &v) {
  return v.hasGlobalStorage() && !v.hasExternalFormalLinkage() && !v.getType().isConstQualified() && !v.isConstexpr();
}

void WritersElsewhere::readUses(const clang::Stmt &body, const clang::FunctionDecl *by) {
  llvm::DenseSet<const clang::Stmt *> onlyRead, called;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(by);
  const bool isOfLambda = method && method->getParent()->isLambda();
  forEachStatement(&body, [&](const clang::Stmt &s) {
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&s);
        cast && cast->getCastKind() == clang::CK_LValueToRValue) {
      const clang::Expr *what = cast->getSubExpr()->IgnoreParens();
      for (const auto *member = llvm::dyn_cast<clang::MemberExpr>(what); member && !member->isArrow();
           member = llvm::dyn_cast<clang::MemberExpr>(what))
        what = member->getBase()->IgnoreParenImpCasts();
      onlyRead.insert(what);
    }
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&s)) {
      called.insert(call->getCallee()->IgnoreParenImpCasts());
      if (const auto *looks = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
          looks && looks->getMethodDecl() && looks->getMethodDecl()->isConst())
        onlyRead.insert(looks->getImplicitObjectArgument()->IgnoreParenImpCasts());
    }
    // A lambda may be given away; those within it are met here as well.
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&s); lambda && !isOfLambda)
      readUses(*lambda->getBody(), lambda->getCallOperator()->getCanonicalDecl());
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(&s);
    if (!ref)
      return;
    if (const auto *v = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()); v && isOwn(*v) && !onlyRead.contains(ref))
      writers[v->getCanonicalDecl()].push_back(by);
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl())) {
      if (!called.contains(ref))
        givenAway.insert(f->getCanonicalDecl());
      else
        callers[f->getCanonicalDecl()].push_back(by);
    }
  });
}

void WritersElsewhere::read(const clang::FunctionDecl &f) {
  if (const clang::Stmt *body = f.doesThisDeclarationHaveABody() ? f.getBody() : nullptr)
    readUses(*body, f.getCanonicalDecl());
}

void WritersElsewhere::read(const clang::DeclContext &in) {
  for (const clang::Decl *d : in.noload_decls()) { // what was parsed before is no code of this file
    if (const auto *made = llvm::dyn_cast<clang::FunctionTemplateDecl>(d))
      d = made->getTemplatedDecl();
    else if (const auto *record = llvm::dyn_cast<clang::ClassTemplateDecl>(d))
      d = record->getTemplatedDecl();
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d))
      read(*f);
    else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(d))
      read(*llvm::cast<clang::DeclContext>(d));
  }
}

bool WritersElsewhere::mayChange(const clang::ASTContext &ast, const clang::VarDecl &v,
                                 std::span<const clang::FunctionDecl *const> running) {
  if (!isOwn(v))
    return false;
  if (!isRead) {
    isRead = true;
    read(*ast.getTranslationUnitDecl());
  }
  const auto at = writers.find(v.getCanonicalDecl());
  if (at == writers.end())
    return false;
  const auto isRunning = [&](const clang::FunctionDecl *f) {
    return std::ranges::any_of(running, [&](const clang::FunctionDecl *r) { return r && r->getCanonicalDecl() == f; });
  };
  std::vector<const clang::FunctionDecl *> open = at->second;
  llvm::DenseSet<const clang::FunctionDecl *> seen;
  while (!open.empty()) {
    const clang::FunctionDecl *f = open.back();
    open.pop_back();
    if (isRunning(f) || !seen.insert(f).second)
      continue;
    if (f->hasExternalFormalLinkage() || f->isTemplated() || givenAway.contains(f) ||
        llvm::isa<clang::CXXMethodDecl>(f))
      return true;
    if (const auto by = callers.find(f); by != callers.end())
      open.insert(open.end(), by->second.begin(), by->second.end());
  }
  return false;
}

} // namespace condlint::cxx

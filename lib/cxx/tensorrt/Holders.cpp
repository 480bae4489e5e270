//===- Holders.cpp - Which variable holds what a call yields --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Holders.h"
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <utility>

namespace condlint::cxx {

class Holders::Body : public clang::RecursiveASTVisitor<Body> {
public:
  explicit Body(const clang::FunctionDecl &f) { TraverseStmt(f.getBody()); }

  Holder of(const clang::Expr *e) const {
    const Holder found = holders.lookup(bare(e));
    const clang::VarDecl *v = found.variable;
    return !v || assigned.contains(v) || named.lookup(v->getDeclName()) != 1 ? Holder() : found;
  }

  bool TraverseCompoundStmt(clang::CompoundStmt *s) {
    const clang::CompoundStmt *const outer = std::exchange(block, s);
    const bool ok = RecursiveASTVisitor::TraverseCompoundStmt(s);
    block = outer;
    return ok;
  }
  bool VisitVarDecl(clang::VarDecl *v) {
    ++named[v->getDeclName()];
    if (v->getInit() && v->getType()->isPointerType())
      holders[bare(v->getInit())] = {v, block};
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *b) {
    if (b->isAssignmentOp())
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(b->getLHS()->IgnoreParenImpCasts()))
        assigned.insert(ref->getDecl());
    return true;
  }

private:
  static const clang::Expr *bare(const clang::Expr *e) { return e->IgnoreImplicit()->IgnoreParenCasts(); }

  const clang::CompoundStmt *block = nullptr;
  llvm::DenseMap<const clang::Expr *, Holder> holders;
  llvm::DenseMap<clang::DeclarationName, unsigned> named;
  llvm::DenseSet<const clang::ValueDecl *> assigned;
};

Holders::Holders() = default;
Holders::~Holders() = default;

Holders::Holder Holders::of(const clang::FunctionDecl &f, const clang::Expr *e) {
  std::unique_ptr<Body> &body = bodies[&f];
  if (!body)
    body = std::make_unique<Body>(f);
  return body->of(e);
}

} // namespace condlint::cxx

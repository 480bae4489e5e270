//===- Holders.cpp - Which variable holds what a call yields --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Holders.h"
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <vector>

namespace condlint::cxx {

class Holders::Body {
public:
  explicit Body(const clang::FunctionDecl &f) {
    std::vector<Part> open{{f.getBody(), nullptr}};
    while (!open.empty()) {
      const auto [s, block] = open.back();
      open.pop_back();
      if (!s)
        continue;
      visit(*s, block);
      const auto *inner = llvm::dyn_cast<clang::CompoundStmt>(s);
      for (const clang::Stmt *child : s->children())
        open.push_back({child, inner ? inner : block});
    }
  }

  Holder of(const clang::Expr *e) const {
    const Holder found = holders.lookup(bare(e));
    const clang::VarDecl *v = found.variable;
    return !v || assigned.contains(v) || named.lookup(v->getDeclName()) != 1 ? Holder() : found;
  }

private:
  struct Part {
    const clang::Stmt *code;
    const clang::CompoundStmt *block; ///< around it
  };

  void visit(const clang::Stmt &s, const clang::CompoundStmt *block) {
    if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(&s)) {
      for (const clang::Decl *d : declared->decls())
        if (const auto *v = llvm::dyn_cast<clang::VarDecl>(d))
          declare(*v, block);
    } else if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&s)) {
      for (const clang::ParmVarDecl *p : lambda->getCallOperator()->parameters())
        declare(*p, block);
    } else if (const auto *handler = llvm::dyn_cast<clang::CXXCatchStmt>(&s)) {
      if (handler->getExceptionDecl())
        declare(*handler->getExceptionDecl(), block);
    } else if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(&s); b && b->isAssignmentOp()) {
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(b->getLHS()->IgnoreParenImpCasts()))
        assigned.insert(ref->getDecl());
    }
  }
  void declare(const clang::VarDecl &v, const clang::CompoundStmt *block) {
    ++named[v.getDeclName()];
    if (v.getInit() && v.getType()->isPointerType())
      holders[bare(v.getInit())] = {&v, block};
  }
  static const clang::Expr *bare(const clang::Expr *e) { return e->IgnoreImplicit()->IgnoreParenCasts(); }

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

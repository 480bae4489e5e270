//===- LateInstantiation.cpp - Bodies that nobody asked for ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LateInstantiation.h"
#include "../interp/machine/StmtWalk.h"
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>
#include <vector>

namespace condlint::cxx {

namespace {

/// Collects call operators and functions that have a pattern and no body.
class Wanted : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<clang::FunctionDecl *> functions;

  Wanted() { ShouldVisitTemplateInstantiations = true; }
  // Types and names are not asked for: only lambdas and local classes are of interest.
  bool TraverseStmt(clang::Stmt *root) override {
    findStatement(root, [this](const clang::Stmt &s) {
      if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&s)) {
        if (clang::FunctionTemplateDecl *t = lambda->getDependentCallOperator())
          VisitFunctionTemplateDecl(t);
      } else if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(&s)) {
        for (clang::Decl *d : declared->decls())
          if (!llvm::isa<clang::VarDecl>(d))
            TraverseDecl(d);
      }
      return Walk::On;
    });
    return true;
  }
  bool VisitFunctionTemplateDecl(clang::FunctionTemplateDecl *t) override {
    for (clang::FunctionDecl *f : t->specializations())
      consider(f);
    return true;
  }
  bool VisitCXXMethodDecl(clang::CXXMethodDecl *method) override {
    // A module is called by name where it is held, often in another unit.
    const bool isForward = method->getIdentifier() != nullptr && method->getName() == "forward";
    if (method->getOverloadedOperator() == clang::OO_Call || isForward)
      consider(method);
    return true;
  }

private:
  void consider(clang::FunctionDecl *f) {
    constexpr std::size_t most = 10'000;
    if (functions.size() >= most || f->isInvalidDecl() || f->isDefined() || f->isDependentContext())
      return;
    const clang::FunctionDecl *pattern = f->getTemplateInstantiationPattern();
    if (pattern != nullptr && pattern->isDefined())
      functions.push_back(f);
  }
};

} // namespace

void instantiateUsedTemplates(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> declarations) {
  Wanted wanted;
  for (clang::Decl *d : declarations)
    wanted.TraverseDecl(d);
  for (clang::FunctionDecl *f : wanted.functions)
    if (!f->isDefined())
      sema.InstantiateFunctionDefinition(f->getLocation(), f, /*Recursive=*/true, /*DefinitionRequired=*/false,
                                         /*AtEndOfTU=*/true);
}

} // namespace condlint::cxx

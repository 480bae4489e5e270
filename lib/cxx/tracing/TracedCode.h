//===- TracedCode.h - Questions about traced code ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_TRACEDCODE_H
#define CONDLINT_CXX_TRACING_TRACEDCODE_H

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <string>

namespace condlint::cxx {

/// How far names, bases and calls are followed.
constexpr unsigned deepestTraced = 16;

bool isModule(const clang::CXXRecordDecl *record); ///< torch::nn::Module, or derived from it
bool isTensor(clang::QualType type);
/// A module, a holder of one, or a pointer to one.
bool isModuleLike(clang::QualType type);
/// The name of the function that \p call calls, when it is libtorch's; else empty.
llvm::StringRef torchCallee(const clang::CallExpr *call);
/// The body of \p f that belongs to traced code: not libtorch's, not the standard library's.
const clang::FunctionDecl *tracedDefinition(const clang::FunctionDecl *f, const clang::ASTContext &ast);
/// Somewhere in namespace std, also a member of a class there.
bool isStandard(const clang::Decl *d);
/// `std::name`, for one of \p names.
bool isStd(const clang::FunctionDecl *f, std::initializer_list<llvm::StringRef> names);

/// `[this->]is_training()`.
bool isOwnFlag(const clang::Expr *e);
/// `child->is_training()`.
bool isOtherModulesFlag(const clang::Expr *e);
/// `is_training()` or `training` of a class that is no module.
bool isImpostorsFlag(const clang::Expr *e);
/// `child->train(…)`, `child->eval()`, also where they are overridden.
bool setsOtherModulesMode(const clang::CallExpr *call);
/// `this`, or `*this`.
bool isThis(const clang::Expr *e);

/// \p e without what only hands it on: parentheses, conversions, copies.
const clang::Expr *plain(const clang::Expr *e);
/// The variable that \p e names, or null.
const clang::VarDecl *variable(const clang::Expr *e);
/// The argument that \p call (a call or a construction) gives the parameter \p i
/// of its callee; null where there is none.
const clang::Expr *argumentOf(const clang::Expr *call, unsigned i);
/// The object whose method \p call calls, or null.
const clang::Expr *objectOf(const clang::Expr *call);

/// Visits the expressions of a subtree; false from \p visit leaves one out with all below.
template <class Visit> void forEachExpr(const clang::Stmt *s, Visit visit, unsigned depth = 0) {
  constexpr unsigned deepestTree = 2000;
  if (s == nullptr || depth > deepestTree)
    return;
  if (const auto *e = llvm::dyn_cast<clang::Expr>(s); e != nullptr && !visit(e))
    return;
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(s)) {
    forEachExpr(lambda->getBody(), visit, depth + 1);
    return;
  }
  for (const clang::Stmt *child : s->children())
    forEachExpr(child, visit, depth + 1);
}

/// Visits what the function with the body \p s returns.
template <class Visit> void forEachReturn(const clang::Stmt *s, Visit visit, unsigned depth = 0) {
  constexpr unsigned deepestTree = 500;
  if (s == nullptr || depth > deepestTree || llvm::isa<clang::Expr>(s))
    return;
  if (const auto *r = llvm::dyn_cast<clang::ReturnStmt>(s); r != nullptr && r->getRetValue() != nullptr)
    visit(r->getRetValue());
  for (const clang::Stmt *child : s->children())
    forEachReturn(child, visit, depth + 1);
}

/// A call in \p arm, as nnScaler counts calls: not an operator, a conversion, a
/// copy, or std::move (NS2, NS4).
bool holdsCall(const clang::Expr *arm);
/// Why \p arm must not be evaluated always (NS5); empty when it may.
std::string unsafeToEvaluate(const clang::Expr *arm, clang::ASTContext &ast);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_TRACEDCODE_H

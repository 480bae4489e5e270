//===- Reached.cpp - What tracing runs ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reached.h"
#include "TracedCode.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <map>
#include <set>

namespace condlint::cxx {

namespace {

using namespace clang;

/// The lambda that \p held makes a callable of, a `std::function` perhaps; null for anything else.
const CXXMethodDecl *lambdaIn(const Expr *held) {
  if (const auto *made = held != nullptr ? dyn_cast<CXXConstructExpr>(plain(held)) : nullptr)
    held = made->getNumArgs() == 1 ? made->getArg(0) : nullptr;
  const auto *lambda = held != nullptr ? dyn_cast<LambdaExpr>(plain(held)) : nullptr;
  return lambda != nullptr ? lambda->getCallOperator() : nullptr;
}

/// The functions at which tracing begins, who overrides whom, and what fields are made to call.
class Declarations : public DynamicRecursiveASTVisitor {
public:
  std::vector<const FunctionDecl *> roots;
  std::multimap<const CXXMethodDecl *, const CXXMethodDecl *> overriders;
  std::multimap<const FieldDecl *, const CXXMethodDecl *> callables;

  Declarations() { ShouldVisitTemplateInstantiations = true; }
  bool VisitFieldDecl(FieldDecl *field) override {
    if (field->hasInClassInitializer())
      note(field, field->getInClassInitializer());
    return true;
  }
  bool VisitCXXConstructorDecl(CXXConstructorDecl *constructor) override {
    for (const CXXCtorInitializer *i : constructor->inits())
      if (i->isWritten() && i->isMemberInitializer())
        note(i->getMember(), i->getInit());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *c) override {
    if (c->getOperator() == OO_Equal && c->getNumArgs() == 2)
      if (const auto *m = dyn_cast<MemberExpr>(c->getArg(0)->IgnoreParenImpCasts()))
        note(dyn_cast<FieldDecl>(m->getMemberDecl()), c->getArg(1));
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *f) override {
    const auto *method = dyn_cast<CXXMethodDecl>(f);
    if (method != nullptr)
      for (const CXXMethodDecl *base : method->overridden_methods())
        overriders.emplace(base->getCanonicalDecl(), method);
    const bool isForward = method != nullptr && f->getIdentifier() != nullptr && f->getName() == "forward" &&
                           isModule(method->getParent());
    if ((isForward || isMarked(f)) && !f->isInvalidDecl() && !f->isDependentContext() &&
        f->doesThisDeclarationHaveABody())
      roots.push_back(f);
    return true;
  }

private:
  void note(const FieldDecl *field, const Expr *held) {
    if (const CXXMethodDecl *callable = field != nullptr ? lambdaIn(held) : nullptr)
      callables.emplace(field, callable);
  }
  static bool isMarked(const FunctionDecl *f) {
    for (const FunctionDecl *each : f->redecls())
      for (const auto *a : each->specific_attrs<AnnotateAttr>())
        if (a->getAnnotation() == "condlint::traced")
          return true;
    return false;
  }
};

/// The lambdas in what initialises a constant.
struct Lambdas : DynamicRecursiveASTVisitor {
  explicit Lambdas(std::vector<const FunctionDecl *> &list) : found(list) {}
  std::vector<const FunctionDecl *> &found;
  bool VisitLambdaExpr(LambdaExpr *e) override {
    found.push_back(e->getCallOperator());
    return true;
  }
};

/// What a body calls, constructs, or names as a callable.
struct Callees : DynamicRecursiveASTVisitor {
  std::vector<const FunctionDecl *> found;
  std::vector<const CXXMethodDecl *> dispatched; ///< called by way of the object's class
  std::vector<const FieldDecl *> fields;         ///< perhaps called

  Callees() { ShouldVisitImplicitCode = true; }
  bool VisitDeclRefExpr(DeclRefExpr *r) override {
    if (const auto *f = dyn_cast<FunctionDecl>(r->getDecl()))
      found.push_back(f);
    // A table of functions, or one of them.
    if (const auto *v = dyn_cast<VarDecl>(r->getDecl());
        v != nullptr && !v->isLocalVarDeclOrParm() && v->getType().isConstQualified())
      if (const VarDecl *made = v->getInitializingDeclaration())
        Lambdas{found}.TraverseStmt(const_cast<Expr *>(made->getInit()));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *c) override {
    found.push_back(c->getConstructor());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *c) override {
    if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(c->getDirectCallee()); method && method->isVirtual())
      dispatched.push_back(method);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *m) override {
    if (const auto *field = dyn_cast<FieldDecl>(m->getMemberDecl()))
      fields.push_back(field);
    const auto *method = dyn_cast<CXXMethodDecl>(m->getMemberDecl());
    if (method == nullptr)
      return true;
    found.push_back(method);
    if (method->isVirtual() && !m->hasQualifier())
      dispatched.push_back(method);
    return true;
  }
};

} // namespace

Reached::Reached(ASTContext &ast) {
  constexpr std::size_t most = 10'000;
  Declarations declarations;
  for (Decl *d : ast.getTraversalScope())
    declarations.TraverseDecl(d);
  roots = declarations.roots;
  std::vector<const FunctionDecl *> pending(roots.rbegin(), roots.rend());
  std::set<const FunctionDecl *> seen;
  while (!pending.empty() && seen.size() < most) {
    const FunctionDecl *f = tracedDefinition(pending.back(), ast);
    pending.pop_back();
    if (f == nullptr || !seen.insert(f).second)
      continue;
    functions.push_back(f);
    Callees callees;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(f))
      for (const CXXCtorInitializer *i : constructor->inits())
        callees.TraverseStmt(i->getInit());
    callees.TraverseStmt(f->getBody());
    for (std::size_t i = 0; i < callees.dispatched.size() && i < most; ++i) {
      auto [first, last] = declarations.overriders.equal_range(callees.dispatched[i]->getCanonicalDecl());
      for (auto at = first; at != last; ++at) {
        callees.found.push_back(at->second);
        callees.dispatched.push_back(at->second);
      }
    }
    for (const FieldDecl *field : callees.fields) {
      auto [first, last] = declarations.callables.equal_range(field);
      for (auto at = first; at != last; ++at)
        callees.found.push_back(at->second);
    }
    pending.insert(pending.end(), callees.found.rbegin(), callees.found.rend());
  }
}

} // namespace condlint::cxx

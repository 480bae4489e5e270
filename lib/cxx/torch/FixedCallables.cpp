//===- FixedCallables.cpp - Functions that variables always hold ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FixedCallables.h"
#include "../interp/machine/Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

namespace condlint::cxx {

namespace {

constexpr unsigned deepestHolder = 8; ///< variables that hold what others hold

bool isFunctionObject(clang::QualType type) {
  const clang::CXXRecordDecl *c = type->getAsCXXRecordDecl();
  if (!c || !c->getIdentifier())
    return false;
  return c->isInStdNamespace() && (c->getName() == "function" || c->getName() == "move_only_function");
}

/// A type whose values are called.
bool holdsFunction(clang::QualType type) {
  const clang::CXXRecordDecl *c = type->getAsCXXRecordDecl();
  return type->isFunctionPointerType() || (c && c->isLambda()) || isFunctionObject(type);
}

/// The member or variable for functions that \p e names as it stands, whatever becomes of it.
const clang::ValueDecl *namedIn(const clang::Expr *e) {
  e = e->IgnoreParens();
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(e);
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const clang::ValueDecl *d = member ? member->getMemberDecl() : ref ? ref->getDecl() : nullptr;
  if (!d || !llvm::isa<clang::FieldDecl, clang::VarDecl>(d) || !holdsFunction(d->getType().getNonReferenceType()))
    return nullptr;
  return llvm::cast<clang::ValueDecl>(d->getCanonicalDecl());
}

/// Counts how often each member and variable is named where more than reading may become of it.
class Uses : public clang::DynamicRecursiveASTVisitor {
public:
  using IsCond = std::function<bool(const clang::FunctionDecl &)>;
  explicit Uses(const IsCond &c) : isCond(c) { ShouldVisitTemplateInstantiations = true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr *e) override { return count(e, 1); }
  bool VisitMemberExpr(clang::MemberExpr *e) override { return count(e, 1); }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *e) override {
    const bool isConst = e->getCastKind() == clang::CK_NoOp && e->getType().isConstQualified();
    return isConst || e->getCastKind() == clang::CK_LValueToRValue ? count(e->getSubExpr(), -1) : true;
  }
  bool VisitCallExpr(clang::CallExpr *e) override {
    const clang::FunctionDecl *callee = e->getDirectCallee();
    if (callee && isCond(*callee))
      std::ranges::for_each(e->arguments(), [&](const clang::Expr *a) { count(a, -1); });
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *e) override {
    return isFunctionObject(e->getType()) && e->getNumArgs() == 1 ? count(e->getArg(0), -1) : true;
  }

  llvm::DenseMap<const clang::ValueDecl *, int> open;

private:
  bool count(const clang::Expr *e, int by) {
    if (const clang::ValueDecl *d = namedIn(e))
      open[d] += by;
    return true;
  }

  const IsCond &isCond;
};

bool same(const Value &a, const Value &b) {
  if (a.callable() && b.callable())
    return a.callable()->function == b.callable()->function;
  return a.record() && b.record() && a.record()->type == b.record()->type;
}

/// What \p e is made from where that is one thing: no temporary, cast or wrapper around it.
const clang::Expr *unwrapped(const clang::Expr *e) {
  for (const clang::Expr *before = nullptr; e != before;) {
    before = e;
    e = e->IgnoreImplicit()->IgnoreParenCasts();
    if (const auto *init = llvm::dyn_cast<clang::CXXDefaultInitExpr>(e))
      e = init->getExpr();
    else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e); list && list->getNumInits() == 1)
      e = list->getInit(0);
    else if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e); made && made->getNumArgs() == 1)
      e = made->getArg(0);
    else if (const auto *sign = llvm::dyn_cast<clang::UnaryOperator>(e);
             sign && (sign->getOpcode() == clang::UO_AddrOf || sign->getOpcode() == clang::UO_Plus))
      e = sign->getSubExpr();
    else if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
             call && llvm::isa_and_nonnull<clang::CXXConversionDecl>(call->getMethodDecl()))
      e = call->getImplicitObjectArgument();
  }
  return e;
}

} // namespace

FixedCallables::FixedCallables(clang::ASTContext &context, const SourceOptions &sourceOptions,
                               std::function<bool(const clang::FunctionDecl &)> ownCode,
                               std::function<bool(const clang::FunctionDecl &)> condLike)
    : ast(context), options(sourceOptions), own(std::move(ownCode)), isCond(std::move(condLike)) {}

Value FixedCallables::heldBy(const clang::ValueDecl &decl, unsigned depth) {
  if (depth > deepestHolder || decl.getType()->isDependentType() || !holdsFunction(decl.getType()))
    return {};
  if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(&decl))
    return inMember(*field, depth);
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  return variable && variable->hasGlobalStorage() ? inVariable(*variable, depth) : Value();
}

Value FixedCallables::inMember(const clang::FieldDecl &field, unsigned depth) {
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (!record || record->isDependentContext() || record->isUnion())
    return {};
  const bool fixed = field.getType().isConstQualified() ||
                     (field.getAccess() == clang::AS_private && isSeen(*record) && isNeverAssigned(field));
  return fixed ? constructed(field, *record, depth) : Value();
}

Value FixedCallables::constructed(const clang::FieldDecl &field, const clang::CXXRecordDecl &record, unsigned depth) {
  if (record.isAggregate())
    return {}; // whoever makes an object says what it holds
  const clang::Expr *byDefault = field.getInClassInitializer();
  if (!record.hasUserDeclaredConstructor())
    return byDefault ? made(byDefault, depth) : Value();
  Value all;
  for (const clang::CXXConstructorDecl *c : record.ctors()) {
    if (c->isCopyOrMoveConstructor() || c->isDeleted())
      continue;
    const clang::Expr *init = byDefault;
    const clang::FunctionDecl *body = nullptr;
    if (c->isUserProvided()) {
      if (!c->hasBody(body) || body->isDependentContext() || !own(*body))
        return {};
      const auto inits = llvm::cast<clang::CXXConstructorDecl>(body)->inits();
      if (std::ranges::any_of(inits, [](const auto *i) { return i->isDelegatingInitializer(); }))
        continue; // the other one says it
      for (const clang::CXXCtorInitializer *i : inits)
        if (i->getAnyMember() == &field)
          init = i->getInit();
    }
    const Value here = init ? made(init, depth) : Value();
    if (here.isAbsent() || (!all.isAbsent() && !same(all, here)))
      return {};
    all = here;
  }
  return all;
}

Value FixedCallables::inVariable(const clang::VarDecl &variable, unsigned depth) {
  const clang::VarDecl *definition = variable.getInitializingDeclaration();
  const clang::Expr *init = definition ? definition->getInit() : nullptr;
  if (!init || init->isValueDependent())
    return {};
  const bool here = variable.isStaticLocal() || variable.getFormalLinkage() == clang::Linkage::Internal;
  return variable.getType().isConstQualified() || (here && isNeverAssigned(variable)) ? made(init, depth) : Value();
}

Value FixedCallables::made(const clang::Expr *init, unsigned depth) {
  const clang::Expr *e = unwrapped(init);
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(e)) {
    if (lambda->capture_size() != 0)
      return {};
    Record r;
    r.type = lambda->getLambdaClass();
    return r;
  }
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (!ref)
    return {};
  if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl())) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
    return method && method->isInstance() ? Value() : Value(Callable{f, {}, {}});
  }
  return heldBy(*ref->getDecl(), depth + 1);
}

bool FixedCallables::isSeen(const clang::CXXRecordDecl &record) const {
  return !record.hasFriends() && std::ranges::all_of(record.decls(), [&](const clang::Decl *d) {
    if (const auto *inner = llvm::dyn_cast<clang::CXXRecordDecl>(d))
      return inner->isImplicit() || (inner->hasDefinition() && isSeen(*inner->getDefinition()));
    if (llvm::isa<clang::FunctionTemplateDecl>(d))
      return false; // of which there may be other instances
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(d);
    const clang::FunctionDecl *body = nullptr;
    return !method || !method->isUserProvided() || method->isPureVirtual() || (method->hasBody(body) && own(*body));
  });
}

bool FixedCallables::isNeverAssigned(const clang::ValueDecl &decl) {
  findAssignments();
  return !assigned.contains(llvm::cast<clang::ValueDecl>(decl.getCanonicalDecl()));
}

void FixedCallables::findAssignments() {
  if (std::exchange(searched, true))
    return;
  Uses uses(isCond);
  BodyFilter(options).forEachRead(ast, [&](clang::Decl *d) { uses.TraverseDecl(d); });
  for (const auto &[decl, count] : uses.open)
    if (count > 0)
      assigned.insert(decl);
}

} // namespace condlint::cxx

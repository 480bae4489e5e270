//===- TracedCode.cpp - Questions about traced code -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TracedCode.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

std::string nameOf(const NamedDecl *d) {
  std::string out;
  for (const DeclContext *c = d->getDeclContext(); c != nullptr; c = c->getParent())
    if (const auto *n = dyn_cast<NamespaceDecl>(c); n != nullptr && !n->isInline())
      out = n->getNameAsString() + "::" + out;
    else if (const auto *r = dyn_cast<CXXRecordDecl>(c))
      out = r->getNameAsString() + "::" + out;
  return out + d->getNameAsString();
}

bool derivesFrom(const CXXRecordDecl *record, StringRef base, unsigned depth = 0) {
  if (record == nullptr || depth > deepestTraced)
    return false;
  if (nameOf(record) == base)
    return true;
  record = record->getDefinition();
  if (record == nullptr)
    return false;
  return llvm::any_of(record->bases(), [&](const CXXBaseSpecifier &b) {
    return derivesFrom(b.getType()->getAsCXXRecordDecl(), base, depth + 1);
  });
}

const CXXMethodDecl *method(const Expr *e) {
  const auto *call = dyn_cast<CXXMemberCallExpr>(plain(e));
  return call == nullptr ? nullptr : call->getMethodDecl();
}

bool isFlagMethod(const Expr *e) {
  const CXXMethodDecl *m = method(e);
  return m != nullptr && m->getIdentifier() != nullptr && m->getName() == "is_training" && m->getNumParams() == 0;
}

} // namespace

const Expr *plain(const Expr *e) {
  for (;;) {
    const Expr *inner = e->IgnoreParenImpCasts();
    if (const auto *cleanups = dyn_cast<ExprWithCleanups>(inner))
      inner = cleanups->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(inner))
      inner = bound->getSubExpr();
    else if (const auto *copy = dyn_cast<CXXConstructExpr>(inner);
             copy != nullptr && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor())
      inner = copy->getArg(0);
    if (inner == e)
      return e;
    e = inner;
  }
}

const VarDecl *variable(const Expr *e) {
  const auto *r = dyn_cast<DeclRefExpr>(plain(e));
  return r == nullptr ? nullptr : dyn_cast<VarDecl>(r->getDecl());
}

bool isThis(const Expr *e) {
  constexpr int most = 16; // names of names
  for (int i = 0; e != nullptr && i < most; ++i) {
    e = e->IgnoreParenCasts();
    if (const auto *u = dyn_cast<UnaryOperator>(e);
        u != nullptr && (u->getOpcode() == UO_Deref || u->getOpcode() == UO_AddrOf))
      e = u->getSubExpr()->IgnoreParenCasts();
    if (isa<CXXThisExpr>(e))
      return true;
    // Another name of it: `auto &self = *this;`, `[self = this]`.
    const auto *r = dyn_cast<DeclRefExpr>(e);
    const auto *v = r != nullptr ? dyn_cast<VarDecl>(r->getDecl()) : nullptr;
    const bool isName = v != nullptr && !isa<ParmVarDecl>(v) && v->isLocalVarDeclOrParm() &&
                        (v->getType()->isReferenceType() || v->getType()->isPointerType());
    e = isName ? v->getInit() : nullptr;
  }
  return false;
}

const Expr *argumentOf(const Expr *call, unsigned i) {
  const auto at = [&](unsigned n, auto *c) -> const Expr * {
    return n < c->getNumArgs() && !isa<CXXDefaultArgExpr>(c->getArg(n)) ? c->getArg(n) : nullptr;
  };
  if (const auto *c = dyn_cast<CXXConstructExpr>(call))
    return at(i, c);
  const auto *c = dyn_cast<CallExpr>(call);
  const auto *m = c != nullptr ? dyn_cast_or_null<CXXMethodDecl>(c->getDirectCallee()) : nullptr;
  const bool skipsObject = isa<CXXOperatorCallExpr>(call) && m != nullptr && m->isImplicitObjectMemberFunction();
  return c != nullptr ? at(skipsObject ? i + 1 : i, c) : nullptr;
}

const Expr *objectOf(const Expr *call) {
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
    return member->getImplicitObjectArgument();
  const auto *o = dyn_cast<CXXOperatorCallExpr>(call);
  const auto *m = o != nullptr ? dyn_cast_or_null<CXXMethodDecl>(o->getDirectCallee()) : nullptr;
  return m != nullptr && m->isInstance() && o->getNumArgs() != 0 ? o->getArg(0) : nullptr;
}

const FunctionDecl *tracedDefinition(const FunctionDecl *f, const ASTContext &ast) {
  const FunctionDecl *definition = nullptr;
  if (f == nullptr || f->isInvalidDecl() || f->isDependentContext() || !f->hasBody(definition) ||
      definition->getBody() == nullptr || ast.getSourceManager().isInSystemHeader(definition->getLocation()))
    return nullptr;
  const std::string name = nameOf(definition);
  const bool library = name.starts_with("torch::") || name.starts_with("at::") || name.starts_with("c10::");
  return library ? nullptr : definition;
}

bool isStandard(const Decl *d) {
  const DeclContext *c = d->getDeclContext();
  while (c != nullptr && !c->isStdNamespace())
    c = c->getParent();
  return c != nullptr;
}

bool isStd(const FunctionDecl *f, std::initializer_list<StringRef> names) {
  return f != nullptr && f->getIdentifier() != nullptr && llvm::is_contained(names, f->getName()) && isStandard(f);
}

bool isModule(const CXXRecordDecl *record) { return derivesFrom(record, "torch::nn::Module"); }

bool isTensor(QualType type) {
  if (type.isNull())
    return false;
  const CXXRecordDecl *r = type.getNonReferenceType()->getAsCXXRecordDecl();
  return r != nullptr && derivesFrom(r, "at::TensorBase");
}

bool isModuleLike(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    return isModule(type->getPointeeType()->getAsCXXRecordDecl());
  const CXXRecordDecl *r = type->getAsCXXRecordDecl();
  if (r == nullptr)
    return false;
  if (isModule(r) || derivesFrom(r, "torch::nn::ModuleHolder"))
    return true;
  const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(r);
  return s != nullptr && (s->getName() == "shared_ptr" || s->getName() == "unique_ptr") &&
         s->getTemplateArgs().get(0).getKind() == TemplateArgument::Type &&
         isModule(s->getTemplateArgs().get(0).getAsType()->getAsCXXRecordDecl());
}

StringRef torchCallee(const CallExpr *call) {
  const FunctionDecl *f = call->getDirectCallee();
  if (f == nullptr || f->getIdentifier() == nullptr)
    return {};
  const std::string name = nameOf(f);
  return name.starts_with("at::") || name.starts_with("torch::") ? f->getName() : StringRef();
}

bool isOwnFlag(const Expr *e) {
  if (!isFlagMethod(e) || !isModule(method(e)->getParent()))
    return false;
  return isThis(cast<CXXMemberCallExpr>(plain(e))->getImplicitObjectArgument());
}

bool isOtherModulesFlag(const Expr *e) {
  return isFlagMethod(e) && isModule(method(e)->getParent()) &&
         !isThis(cast<CXXMemberCallExpr>(plain(e))->getImplicitObjectArgument());
}

bool isImpostorsFlag(const Expr *e) {
  e = plain(e);
  const NamedDecl *d = nullptr;
  if (const auto *call = dyn_cast<CallExpr>(e))
    d = call->getDirectCallee();
  else if (const auto *m = dyn_cast<MemberExpr>(e))
    d = m->getMemberDecl();
  else if (const auto *r = dyn_cast<DeclRefExpr>(e))
    d = r->getDecl();
  const auto *owner = d != nullptr ? dyn_cast<CXXRecordDecl>(d->getDeclContext()) : nullptr;
  if (owner == nullptr || d->getIdentifier() == nullptr)
    return false;
  const auto *f = dyn_cast<FunctionDecl>(d);
  if (f != nullptr && !isa<CallExpr>(e))
    return false; // the function, not what it says
  const bool named = f != nullptr ? f->getName() == "is_training" && f->getNumParams() == 0
                                  : d->getName() == "training" && cast<ValueDecl>(d)->getType()->isBooleanType();
  return named && !isModule(owner) && !StringRef(nameOf(d)).starts_with("torch::");
}

bool setsOtherModulesMode(const CallExpr *call) {
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const CXXMethodDecl *m = member != nullptr ? member->getMethodDecl() : nullptr;
  if (m == nullptr || m->getIdentifier() == nullptr || isThis(member->getImplicitObjectArgument()))
    return false;
  const auto isModules = [](const CXXMethodDecl *each) {
    const std::string name = nameOf(each);
    return name == "torch::nn::Module::train" || name == "torch::nn::Module::eval";
  };
  for (unsigned i = 0; i < deepestTraced && !isModules(m); ++i) {
    if (m->size_overridden_methods() == 0)
      return false;
    m = *m->begin_overridden_methods();
  }
  return isModules(m);
}

bool holdsCall(const Expr *arm) {
  bool found = false;
  forEachExpr(arm, [&](const Expr *e) {
    if (const auto *t = dyn_cast<CXXTemporaryObjectExpr>(e))
      found |= t->getNumArgs() > 1;
    const auto *call = dyn_cast<CallExpr>(e);
    const auto *o = dyn_cast_or_null<CXXOperatorCallExpr>(call);
    if (call == nullptr || (o != nullptr && o->getOperator() != OO_Call) ||
        isa_and_nonnull<CXXConversionDecl>(call->getCalleeDecl()))
      return !found;
    found |= !isStd(call->getDirectCallee(), {"move", "forward", "as_const"}) && !isOwnFlag(call);
    return !found;
  });
  return found;
}

std::string unsafeToEvaluate(const Expr *arm, ASTContext &ast) {
  std::string why;
  forEachExpr(arm, [&](const Expr *e) {
    if (!why.empty())
      return false;
    if (const auto *b = dyn_cast<BinaryOperator>(e)) {
      Expr::EvalResult divisor;
      if (b->isAssignmentOp())
        why = "it assigns";
      else if ((b->getOpcode() == BO_Div || b->getOpcode() == BO_Rem) && b->getType()->isIntegerType() &&
               !(!b->getRHS()->isValueDependent() && b->getRHS()->EvaluateAsInt(divisor, ast) &&
                 divisor.Val.getInt() != 0))
        why = "it divides integers";
    } else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      if (u->isIncrementDecrementOp())
        why = "it counts";
      else if (u->getOpcode() == UO_Deref && !isThis(u->getSubExpr()))
        why = "it follows a pointer";
    } else if (const auto *m = dyn_cast<MemberExpr>(e)) {
      if (m->isArrow() && !isThis(m->getBase()))
        why = "it follows a pointer";
    } else if (isa<ArraySubscriptExpr>(e)) {
      why = "it subscripts";
    } else if (isa<CXXThrowExpr>(e)) {
      why = "it throws";
    } else if (isa<CXXNewExpr>(e) || isa<CXXDeleteExpr>(e)) {
      why = "it allocates";
    } else if (const auto *o = dyn_cast<CXXOperatorCallExpr>(e)) {
      if (o->isAssignmentOp())
        why = "it assigns";
      else if (o->getOperator() == OO_Subscript)
        why = "it subscripts";
      else if (o->getOperator() == OO_Arrow || (o->getOperator() == OO_Star && o->getNumArgs() == 1))
        why = "it follows what may be empty";
      else if (o->getOperator() == OO_PlusPlus || o->getOperator() == OO_MinusMinus)
        why = "it counts";
    }
    return why.empty();
  });
  return why;
}

} // namespace condlint::cxx

//===- TracedCode.cpp - Questions about traced code -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TracedCode.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <set>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

constexpr unsigned deepest = 16;

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
  if (record == nullptr || depth > deepest)
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

/// Visits the expressions of a subtree; false from \p visit leaves one out with all below.
template <class Visit> void forEachExpr(const Stmt *s, Visit visit, unsigned depth = 0) {
  constexpr unsigned deepestTree = 2000;
  if (s == nullptr || depth > deepestTree)
    return;
  if (const auto *e = dyn_cast<Expr>(s); e != nullptr && !visit(e))
    return;
  if (const auto *lambda = dyn_cast<LambdaExpr>(s)) {
    forEachExpr(lambda->getBody(), visit, depth + 1);
    return;
  }
  for (const Stmt *child : s->children())
    forEachExpr(child, visit, depth + 1);
}

const CXXMethodDecl *method(const Expr *e) {
  const auto *call = dyn_cast<CXXMemberCallExpr>(plain(e));
  return call == nullptr ? nullptr : call->getMethodDecl();
}

bool isThis(const Expr *e) { return isa<CXXThisExpr>(e->IgnoreParenImpCasts()); }

bool isFlagMethod(const Expr *e) {
  const CXXMethodDecl *m = method(e);
  return m != nullptr && m->getIdentifier() != nullptr && m->getName() == "is_training" && m->getNumParams() == 0;
}

bool isRead(StringRef name) { return name == "item" || name == "is_nonzero" || name == "equal" || name == "allclose"; }

class Dependences {
public:
  explicit Dependences(const Locals &l) : locals(l) {}

  Dependence of(const Expr *e, unsigned depth = 0) {
    Dependence found = Dependence::Nothing;
    forEachExpr(e, [&](const Expr *x) {
      if (found != Dependence::Nothing || isa<LambdaExpr>(x))
        return false;
      if (isOwnFlag(x))
        found = Dependence::Flag;
      else if (const auto *call = dyn_cast<CallExpr>(x); call != nullptr && isRead(torchCallee(call)))
        found = Dependence::Value;
      else if (const auto *c = dyn_cast<CallExpr>(x); c != nullptr && c->getType()->isScalarType())
        found = ofFunction(c->getDirectCallee(), depth);
      else if (const auto *r = dyn_cast<DeclRefExpr>(x))
        found = ofVariable(dyn_cast<VarDecl>(r->getDecl()), depth);
      // What a tensor holds does not show in its sizes.
      return found == Dependence::Nothing && !isTensor(x->getType());
    });
    return found;
  }

private:
  Dependence ofVariable(const VarDecl *v, unsigned depth) {
    if (v == nullptr || depth > deepest || !v->getType()->isScalarType() || !seen.insert(v).second)
      return Dependence::Nothing;
    auto [first, last] = locals.values().equal_range(v);
    for (auto at = first; at != last; ++at)
      if (const Dependence d = of(at->second, depth + 1); d != Dependence::Nothing)
        return d;
    return Dependence::Nothing;
  }

  Dependence ofFunction(const FunctionDecl *f, unsigned depth) {
    const FunctionDecl *definition = nullptr;
    if (f == nullptr || depth > deepest || !torchCalleeName(f).empty() || !f->hasBody(definition) ||
        !seen.insert(definition).second)
      return Dependence::Nothing;
    const Locals own(definition->getBody());
    Dependences inner(own);
    inner.seen = seen;
    Dependence found = Dependence::Nothing;
    forEachReturn(definition->getBody(), [&](const Expr *value) {
      if (found == Dependence::Nothing)
        found = inner.of(value, depth + 1);
    });
    return found;
  }

  template <class Visit> static void forEachReturn(const Stmt *s, Visit visit, unsigned depth = 0) {
    if (s == nullptr || depth > 500 || isa<Expr>(s))
      return;
    if (const auto *r = dyn_cast<ReturnStmt>(s); r != nullptr && r->getRetValue() != nullptr)
      visit(r->getRetValue());
    for (const Stmt *child : s->children())
      forEachReturn(child, visit, depth + 1);
  }

  static StringRef torchCalleeName(const FunctionDecl *f) {
    const std::string name = nameOf(f);
    const bool torch = name.starts_with("at::") || name.starts_with("torch::") || name.starts_with("c10::");
    return torch && f->getIdentifier() != nullptr ? f->getName() : StringRef();
  }

  const Locals &locals;
  std::set<const Decl *> seen;
};

} // namespace

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
  if (isFlagMethod(e))
    return !isModule(method(e)->getParent()) && !StringRef(nameOf(method(e))).starts_with("torch::");
  const auto *m = dyn_cast<MemberExpr>(plain(e));
  const auto *field = m == nullptr ? nullptr : dyn_cast<FieldDecl>(m->getMemberDecl());
  const auto *owner = field == nullptr ? nullptr : dyn_cast<CXXRecordDecl>(field->getParent());
  return owner != nullptr && field->getName() == "training" && field->getType()->isBooleanType() && !isModule(owner) &&
         !StringRef(nameOf(field)).starts_with("torch::");
}

Locals::Locals(const Stmt *body) {
  struct Finder : RecursiveASTVisitor<Finder> {
    std::multimap<const VarDecl *, const Expr *> &out;
    explicit Finder(std::multimap<const VarDecl *, const Expr *> &o) : out(o) {}
    bool VisitVarDecl(VarDecl *v) {
      if (v->getInit() != nullptr && !isa<ParmVarDecl>(v))
        out.emplace(v, v->getInit());
      return true;
    }
    void assign(const Expr *to, const Expr *value) {
      if (const VarDecl *v = variable(to))
        out.emplace(v, value);
    }
    bool VisitBinaryOperator(BinaryOperator *b) {
      if (b->isAssignmentOp())
        assign(b->getLHS(), b->getRHS());
      return true;
    }
    bool VisitUnaryOperator(UnaryOperator *u) {
      if (u->isIncrementDecrementOp())
        assign(u->getSubExpr(), u->getSubExpr());
      return true;
    }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *c) {
      if (c->isAssignmentOp() && c->getNumArgs() == 2)
        assign(c->getArg(0), c->getArg(1));
      return true;
    }
  } finder(assigned);
  finder.TraverseStmt(const_cast<Stmt *>(body));
}

const Expr *Locals::onlyValue(const VarDecl *v) const {
  auto [first, last] = assigned.equal_range(v);
  return first != last && std::next(first) == last && v->isLocalVarDecl() ? first->second : nullptr;
}

Dependence dependenceOf(const Expr *e, const Locals &locals) { return Dependences(locals).of(e); }

bool holdsCall(const Expr *arm) {
  bool found = false;
  forEachExpr(arm, [&](const Expr *e) {
    if (const auto *t = dyn_cast<CXXTemporaryObjectExpr>(e))
      found |= t->getNumArgs() > 1;
    const auto *call = dyn_cast<CallExpr>(e);
    if (call == nullptr || isa<CXXOperatorCallExpr>(call) || isa_and_nonnull<CXXConversionDecl>(call->getCalleeDecl()))
      return !found;
    const FunctionDecl *f = call->getDirectCallee();
    const bool cast = f != nullptr && f->isInStdNamespace() && f->getIdentifier() != nullptr &&
                      (f->getName() == "move" || f->getName() == "forward" || f->getName() == "as_const");
    found |= !cast && !isOwnFlag(call);
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

namespace {

/// The variables that a condition such as `n > 0` compares.
std::set<const VarDecl *> testedBy(const Expr *condition, const Locals &locals, unsigned depth = 0) {
  std::set<const VarDecl *> out;
  if (const VarDecl *v = variable(condition)) {
    if (const Expr *value = locals.onlyValue(v); value != nullptr && depth < deepest)
      return testedBy(value, locals, depth + 1);
    return out;
  }
  forEachExpr(plain(condition), [&](const Expr *e) {
    const Expr *left = nullptr, *right = nullptr;
    if (const auto *o = dyn_cast<CXXOperatorCallExpr>(e); o != nullptr && o->isComparisonOp() && o->getNumArgs() == 2)
      left = o->getArg(0), right = o->getArg(1);
    else if (const auto *c = dyn_cast<CXXMemberCallExpr>(e)) {
      const StringRef name = torchCallee(c);
      if ((name == "gt" || name == "ge" || name == "lt" || name == "le" || name == "eq" || name == "ne") &&
          c->getNumArgs() == 1)
        left = c->getImplicitObjectArgument(), right = c->getArg(0);
    }
    for (const Expr *side : {left, right})
      if (side != nullptr && variable(side) != nullptr && isTensor(variable(side)->getType()))
        out.insert(variable(side));
    return true;
  });
  return out;
}

/// Whether `pow` to \p exponent is defined everywhere: a whole number from 0 up.
bool isHarmlessExponent(const Expr *exponent) {
  bool harmless = false;
  forEachExpr(exponent, [&](const Expr *e) {
    if (const auto *i = dyn_cast<IntegerLiteral>(e); i != nullptr)
      harmless = true;
    else if (const auto *f = dyn_cast<FloatingLiteral>(e))
      harmless = f->getValue().isInteger() && !f->getValue().isNegative();
    else if (const auto *u = dyn_cast<UnaryOperator>(e); u != nullptr && u->getOpcode() == UO_Minus)
      return false;
    return true;
  });
  return harmless;
}

bool isRandom(StringRef name) {
  return name.starts_with("rand") || name.starts_with("bernoulli") || name == "normal" || name == "multinomial" ||
         name.starts_with("poisson");
}

} // namespace

std::string unsafeInWhere(const Expr *condition, const Expr *arm, const Locals &locals, bool &writes) {
  const std::set<const VarDecl *> tested = testedBy(condition, locals);
  std::string why;
  std::set<const VarDecl *> seen;
  auto isTested = [&](const Expr *e) { return e != nullptr && tested.contains(variable(e)); };
  auto look = [&](auto &&self, const Expr *e) -> void {
    forEachExpr(e, [&](const Expr *x) {
      if (writes)
        return false;
      if (const VarDecl *v = isa<DeclRefExpr>(x) ? variable(x) : nullptr) {
        if (const Expr *value = locals.onlyValue(v);
            value != nullptr && isTensor(v->getType()) && seen.insert(v).second)
          self(self, value);
        return false;
      }
      const auto *call = dyn_cast<CallExpr>(x);
      if (call == nullptr)
        return true;
      const StringRef name = torchCallee(call);
      if (name == "where")
        return false; // what it selects is safe where it selects it
      const auto *member = dyn_cast<CXXMemberCallExpr>(call);
      const Expr *self0 = member != nullptr         ? member->getImplicitObjectArgument()
                          : call->getNumArgs() != 0 ? call->getArg(0)
                                                    : nullptr;
      const unsigned second = member != nullptr ? 0 : 1;
      const Expr *other = call->getNumArgs() > second ? call->getArg(second) : nullptr;
      if (member != nullptr && name.ends_with("_") && !name.starts_with("_")) {
        writes = true;
        why = "it writes in place: " + name.str();
      } else if (isRandom(name)) {
        why = "it draws random numbers: " + name.str();
      } else if ((name == "log" || name == "sqrt" || name == "rsqrt" || name == "reciprocal" || name == "log2" ||
                  name == "log10") &&
                 isTested(self0)) {
        why = "it takes " + name.str() + " of what the condition tests";
      } else if (name == "pow" && isTested(self0) && !(other != nullptr && isHarmlessExponent(other))) {
        why = "it takes pow of what the condition tests";
      } else if (name == "div" && isTested(other)) {
        why = "it divides by what the condition tests";
      } else if (const auto *o = dyn_cast<CXXOperatorCallExpr>(call);
                 o != nullptr && o->getOperator() == OO_Slash && o->getNumArgs() == 2 && isTested(o->getArg(1))) {
        why = "it divides by what the condition tests";
      }
      return true;
    });
  };
  look(look, arm);
  return why;
}

namespace {

/// `torch::kHalf` is "Half"; empty for anything else.
std::string dtypeConstant(const Expr *e) {
  std::string out;
  forEachExpr(e, [&](const Expr *x) {
    if (const auto *r = dyn_cast<DeclRefExpr>(x);
        r != nullptr && isa<VarDecl>(r->getDecl()) && r->getDecl()->getIdentifier() != nullptr) {
      const StringRef name = r->getDecl()->getName();
      const std::string type = r->getDecl()->getType().getUnqualifiedType().getAsString();
      if (name.starts_with("k") && StringRef(type).contains("ScalarType"))
        out = name.drop_front().str();
    }
    return out.empty();
  });
  return out;
}

bool isFloating(StringRef dtype) {
  return dtype == "Half" || dtype == "Float" || dtype == "Double" || dtype == "BFloat16" || dtype.starts_with("Float");
}

std::string dtypeOf(const Expr *e, const Locals &locals, unsigned depth) {
  if (depth > deepest)
    return {};
  e = plain(e);
  if (const VarDecl *v = variable(e)) {
    const Expr *value = locals.onlyValue(v);
    return value != nullptr ? dtypeOf(value, locals, depth + 1) : std::string();
  }
  const auto *call = dyn_cast<CallExpr>(e);
  if (call == nullptr)
    return {};
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(call)) {
    if (o->getNumArgs() == 1 && o->getOperator() == OO_Minus)
      return dtypeOf(o->getArg(0), locals, depth + 1);
    const OverloadedOperatorKind k = o->getOperator();
    if (o->getNumArgs() != 2 || (k != OO_Plus && k != OO_Minus && k != OO_Star && k != OO_Slash))
      return {};
    // Numbers bend to a floating tensor; two tensors agree or nothing is plain.
    std::string found;
    for (const Expr *side : o->arguments()) {
      const Expr *p = plain(side);
      if (const auto *c = dyn_cast<CXXConstructExpr>(p); c != nullptr && c->getNumArgs() == 1)
        p = plain(c->getArg(0));
      if (p->getType()->isArithmeticType())
        continue;
      const std::string dtype = dtypeOf(side, locals, depth + 1);
      if (dtype.empty() || (!found.empty() && found != dtype))
        return {};
      found = dtype;
    }
    return isFloating(found) ? found : std::string();
  }
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const StringRef name = torchCallee(call);
  if (member != nullptr && name == "to" && call->getNumArgs() != 0)
    return dtypeConstant(call->getArg(0));
  if (member != nullptr && (name == "clone" || name == "contiguous" || name == "detach" || name == "relu"))
    return dtypeOf(member->getImplicitObjectArgument(), locals, depth + 1);
  if (member == nullptr && (name == "zeros_like" || name == "ones_like") && call->getNumArgs() != 0 &&
      (call->getNumArgs() == 1 || isa<CXXDefaultArgExpr>(call->getArg(1))))
    return dtypeOf(call->getArg(0), locals, depth + 1);
  return {};
}

} // namespace

std::string plainDtype(const Expr *e, const Locals &locals) { return dtypeOf(e, locals, 0); }

} // namespace condlint::cxx

//===- Dependence.cpp - What host values of traced code hang on -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dependence.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <set>
#include <tuple>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

bool isRead(StringRef name) {
  return name == "item" || name == "is_nonzero" || name == "equal" || name == "allclose" ||
         name == "_local_scalar_dense";
}

/// A pointer to a tensor's elements.
bool isDataPointer(const Expr *e, unsigned depth = 0) {
  e = plain(plain(e)->IgnoreParenCasts());
  if (depth > deepestTraced)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(e)) {
    const StringRef name = torchCallee(call);
    return name == "data_ptr" || name == "const_data_ptr" || name == "mutable_data_ptr";
  }
  if (const VarDecl *v = variable(e))
    return v->getType()->isPointerType() && v->getInit() != nullptr && !isa<ParmVarDecl>(v) &&
           isDataPointer(v->getInit(), depth + 1);
  const auto *sum = dyn_cast<BinaryOperator>(e);
  return sum != nullptr && sum->isAdditiveOp() && sum->getType()->isPointerType() &&
         (isDataPointer(sum->getLHS(), depth + 1) || isDataPointer(sum->getRHS(), depth + 1));
}

/// An element of a tensor, read on the host.
bool isElement(const Expr *e) {
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return isDataPointer(s->getBase());
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    return u->getOpcode() == UO_Deref && isDataPointer(u->getSubExpr());
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  const CXXRecordDecl *of = o != nullptr && o->getOperator() == OO_Subscript && o->getNumArgs() == 2
                                ? o->getArg(0)->getType().getNonReferenceType()->getAsCXXRecordDecl()
                                : nullptr;
  return of != nullptr && of->getIdentifier() != nullptr && of->getName().contains("TensorAccessor") &&
         o->getType()->isScalarType();
}

/// A class of the standard library or c10 that holds host values: `std::vector`, its
/// iterators, `std::optional`, `c10::Scalar`. What a user's class holds is known by its fields.
bool isHolder(QualType type) {
  const CXXRecordDecl *r = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (r == nullptr || r->getIdentifier() == nullptr || isTensor(type) || isModuleLike(type))
    return false;
  const auto *space = dyn_cast<NamespaceDecl>(r->getDeclContext()->getEnclosingNamespaceContext());
  while (space != nullptr && isa<NamespaceDecl>(space->getParent()))
    space = cast<NamespaceDecl>(space->getParent());
  return space != nullptr && llvm::is_contained({"std", "__gnu_cxx", "c10"}, space->getName()) &&
         r->getName() != "function";
}

bool holdsHostValue(QualType type) { return type.getNonReferenceType()->isScalarType() || isHolder(type); }

/// How many there are, and whether there is one, says nothing of what they are.
bool asksForPresence(const CallExpr *call) {
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const CXXMethodDecl *m = member != nullptr ? member->getMethodDecl() : nullptr;
  if (m == nullptr || !isHolder(m->getFunctionObjectParameterType()))
    return false;
  if (isa<CXXConversionDecl>(m))
    return m->getReturnType()->isBooleanType();
  return m->getIdentifier() != nullptr &&
         llvm::is_contained({"size", "empty", "length", "capacity", "has_value", "count", "contains", "find"},
                            m->getName());
}

/// A std::function.
bool isFunctionObject(const Expr *e) {
  const auto *r = e != nullptr ? e->getType()->getAsCXXRecordDecl() : nullptr;
  return r != nullptr && r->getIdentifier() != nullptr && r->isInStdNamespace() &&
         llvm::is_contained({"function", "move_only_function"}, r->getName());
}

/// What may be called: a lambda, a function, or a variable that holds one.
bool isCallable(const Expr *e) {
  const QualType type = plain(e)->getType().getNonReferenceType();
  const auto *r = type->getAsCXXRecordDecl();
  return (r != nullptr && r->isLambda()) || type->isFunctionType() || type->isFunctionPointerType() ||
         isFunctionObject(plain(e));
}

/// What is left of \p steps below the part \p into of a value; nothing when that is another part.
std::optional<Steps> below(const Steps &into, const Steps &steps) {
  const std::size_t common = std::min(into.size(), steps.size());
  if (!std::equal(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(common), steps.begin()))
    return std::nullopt;
  return Steps(steps.begin() + static_cast<std::ptrdiff_t>(common), steps.end());
}

Steps joined(Steps first, const Steps &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class Follower {
public:
  Follower(const Assignments &a, const ASTContext &c) : assignments(a), ast(c) {}

  /// A call on the way to a value that is returned.
  struct Frame {
    const FunctionDecl *callee = nullptr;
    const Expr *call = nullptr;
    const Frame *outer = nullptr;
    unsigned depth = 0;
  };

  Dependence of(const Expr *e, const Steps &steps, const Frame *frame) {
    if (e == nullptr || ++looks > most)
      return Dependence::Nothing;
    e = plain(e);
    if (isOwnFlag(e))
      return Dependence::Flag;
    if (isImpostorsFlag(e) || isOtherModulesFlag(e) || isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(e))
      return Dependence::Nothing;
    if (const auto *call = dyn_cast<CallExpr>(e); call != nullptr && isRead(torchCallee(call)))
      return Dependence::Value;
    if (isElement(e))
      return Dependence::Value;
    // What a tensor holds does not show in its sizes.
    if (steps.empty() && !holdsHostValue(e->getType()))
      return Dependence::Nothing;
    if (const auto *r = dyn_cast<DeclRefExpr>(e))
      return ofDeclaration(r->getDecl(), steps, frame);
    if (const Part part = partOf(e, ast); part.whole != nullptr)
      return ofPart(e, part, steps, frame);
    if (const auto *m = dyn_cast<MemberExpr>(e))
      return ofDeclaration(m->getMemberDecl(), steps, frame);
    if (const auto *call = dyn_cast<CallExpr>(e))
      return ofCall(call, steps, frame);
    if (const auto *c = dyn_cast<CXXConstructExpr>(e))
      return ofConstruction(c, steps, frame);
    if (const auto *list = dyn_cast<InitListExpr>(e); list != nullptr && !steps.empty())
      return ofList(list, steps, frame);
    if (const auto *list = dyn_cast<CXXStdInitializerListExpr>(e))
      return of(list->getSubExpr(), steps, frame);
    if (const auto *cast = dyn_cast<ExplicitCastExpr>(e))
      return of(cast->getSubExpr(), steps, frame);
    if (const auto *c = dyn_cast<AbstractConditionalOperator>(e))
      return first(of(c->getCond(), {}, frame), [&] {
        return first(of(c->getTrueExpr(), steps, frame), [&] { return of(c->getFalseExpr(), steps, frame); });
      });
    return ofChildren(e, frame);
  }

private:
  static constexpr unsigned most = 4000; ///< expressions that one question looks at

  template <class Next> static Dependence first(Dependence d, Next next) {
    return d != Dependence::Nothing ? d : next();
  }

  Dependence ofChildren(const Expr *e, const Frame *frame) {
    for (const Stmt *child : e->children())
      if (const auto *x = dyn_cast_or_null<Expr>(child))
        if (const Dependence d = of(x, {}, frame); d != Dependence::Nothing)
          return d;
    return Dependence::Nothing;
  }

  Dependence ofDeclaration(const ValueDecl *d, const Steps &steps, const Frame *frame) {
    if (const auto *binding = dyn_cast<BindingDecl>(d))
      return of(binding->getBinding(), steps, frame);
    const auto *v = dyn_cast<VarDecl>(d);
    return v != nullptr ? ofVariable(v, steps, frame) : Dependence::Nothing;
  }

  Dependence ofPart(const Expr *e, const Part &part, const Steps &steps, const Frame *frame) {
    if (part.index != nullptr)
      if (const Dependence d = of(part.index, {}, frame); d != Dependence::Nothing)
        return d;
    const auto *m = dyn_cast<MemberExpr>(e);
    if (m != nullptr && isThis(part.whole))
      return ofOwnField(cast<FieldDecl>(m->getMemberDecl()), steps, frame);
    return of(part.whole, part.step ? joined({*part.step}, steps) : steps, frame);
  }

  Dependence ofVariable(const VarDecl *v, const Steps &steps, const Frame *frame) {
    const QualType type = v->getType();
    if (isTensor(type) || isModuleLike(type) || (steps.empty() && !holdsHostValue(type)) ||
        !seen.emplace(v, steps, frame != nullptr ? frame->call : nullptr).second)
      return Dependence::Nothing;
    Dependence found = Dependence::Nothing;
    if (const auto *p = dyn_cast<ParmVarDecl>(v))
      found = ofArgument(p, steps, frame);
    else if (!v->isCXXForRangeDecl())
      found = of(v->getInit(), steps, frame);
    return first(found, [&] { return ofAssigned(v, steps, frame); });
  }

  Dependence ofArgument(const ParmVarDecl *p, const Steps &steps, const Frame *frame) {
    const auto *function = dyn_cast<FunctionDecl>(p->getDeclContext());
    for (const Frame *f = frame; f != nullptr; f = f->outer)
      if (f->callee == function)
        return of(argumentOf(f->call, p->getFunctionScopeIndex()), steps, f->outer);
    for (const Expr *call : assignments.callsOf(function))
      if (const Dependence d = of(argumentOf(call, p->getFunctionScopeIndex()), steps, nullptr);
          d != Dependence::Nothing)
        return d;
    return Dependence::Nothing;
  }

  Dependence ofAssigned(const ValueDecl *v, const Steps &steps, const Frame *frame) {
    for (const Assignments::Given &g : assignments.to(v))
      if (auto rest = below(g.into, steps)) {
        if (g.asElement && !rest->empty())
          rest->erase(rest->begin()); // whichever element it is
        if (const Dependence d = of(g.value, joined(g.from, *rest), frame); d != Dependence::Nothing)
          return d;
      }
    for (const Assignments::Passed &p : assignments.passed(v)) {
      const auto rest = below(p.into, steps);
      const auto *callee = dyn_cast<FunctionDecl>(p.parameter->getDeclContext());
      const unsigned depth = frame != nullptr ? frame->depth + 1 : 1;
      if (!rest || callee == nullptr || depth > deepestTraced || !seen.emplace(p.parameter, *rest, p.call).second)
        continue;
      const Frame inner{callee, p.call, frame, depth};
      if (const Dependence d = ofAssigned(p.parameter, *rest, &inner); d != Dependence::Nothing)
        return d;
    }
    // A method gave it to the field of its own object.
    if (!steps.empty() && steps.front().field != nullptr)
      return ofFields(steps.front().field, Steps(steps.begin() + 1, steps.end()));
    return Dependence::Nothing;
  }

  /// The field \p f of the object that runs.
  Dependence ofOwnField(const FieldDecl *f, const Steps &steps, const Frame *frame) {
    const auto *owner = dyn_cast<CXXRecordDecl>(f->getParent());
    for (const Frame *at = frame; at != nullptr && owner != nullptr; at = at->outer) {
      const auto *m = dyn_cast<CXXMethodDecl>(at->callee);
      if (m == nullptr || !m->isInstance() || m->getParent()->isLambda() ||
          (m->getParent() != owner && !m->getParent()->isDerivedFrom(owner)))
        continue;
      const Expr *object = objectOf(at->call);
      if (object == nullptr || isThis(object))
        continue;
      return of(object, joined({{f, 0}}, steps), at->outer);
    }
    return ofFields(f, steps);
  }

  Dependence ofFields(const FieldDecl *f, const Steps &steps) {
    if (isTensor(f->getType()) || isModuleLike(f->getType()) || (steps.empty() && !holdsHostValue(f->getType())) ||
        !seen.emplace(f, steps, nullptr).second)
      return Dependence::Nothing;
    return ofAssigned(f, steps, nullptr);
  }

  Dependence ofCall(const CallExpr *call, const Steps &steps, const Frame *frame) {
    if (asksForPresence(call))
      return Dependence::Nothing;
    const FunctionDecl *f = call->getDirectCallee();
    if (!steps.empty() && steps.front().field == nullptr && isStd(f, {"make_pair", "make_tuple", "forward_as_tuple"}))
      return steps.front().element < call->getNumArgs() ? of(call->getArg(static_cast<unsigned>(steps.front().element)),
                                                             Steps(steps.begin() + 1, steps.end()), frame)
                                                        : Dependence::Nothing;
    if (const FunctionDecl *definition = tracedDefinition(f, ast))
      return ofReturns(definition, call, steps, frame);
    // Through a pointer or a std::function.
    const Expr *through = f == nullptr                       ? call->getCallee()
                          : isFunctionObject(objectOf(call)) ? objectOf(call)
                                                             : nullptr;
    if (through != nullptr)
      return ofCallables(through, call, steps, frame, 0);
    if (!steps.empty() && !isHolder(call->getType()))
      return Dependence::Nothing;
    if (const Expr *object = objectOf(call))
      if (const Dependence d = of(object, {}, frame); d != Dependence::Nothing)
        return d;
    for (const Expr *argument : call->arguments())
      if (const Dependence d = isDataPointer(argument) ? Dependence::Value
                               : isCallable(argument)  ? ofCallables(argument, call, {}, frame, 0)
                                                       : of(argument, {}, frame);
          d != Dependence::Nothing)
        return d;
    return Dependence::Nothing;
  }

  /// What the callable \p e returns, which \p call calls or hands to one that does.
  Dependence ofCallables(const Expr *e, const Expr *call, const Steps &steps, const Frame *frame, unsigned depth) {
    if (e == nullptr || depth > deepestTraced || ++looks > most)
      return Dependence::Nothing;
    e = plain(e);
    const auto inner = [&](const Expr *from) { return ofCallables(from, call, steps, frame, depth + 1); };
    const auto returns = [&](const FunctionDecl *f) {
      const FunctionDecl *definition = tracedDefinition(f, ast);
      return definition != nullptr ? ofReturns(definition, call, steps, frame) : Dependence::Nothing;
    };
    if (const auto *lambda = dyn_cast<LambdaExpr>(e))
      return returns(lambda->getCallOperator());
    if (const auto *u = dyn_cast<UnaryOperator>(e))
      return inner(u->getSubExpr());
    if (const auto *made = dyn_cast<CXXConstructExpr>(e); made != nullptr && made->getNumArgs() == 1)
      return inner(made->getArg(0));
    if (const auto *converted = dyn_cast<CXXMemberCallExpr>(e);
        converted != nullptr && isa_and_nonnull<CXXConversionDecl>(converted->getMethodDecl()))
      return inner(converted->getImplicitObjectArgument());
    const auto *name = dyn_cast<DeclRefExpr>(e);
    if (name == nullptr)
      return Dependence::Nothing;
    if (const auto *f = dyn_cast<FunctionDecl>(name->getDecl()))
      return returns(f);
    const auto *v = dyn_cast<VarDecl>(name->getDecl());
    Dependence found = v != nullptr ? inner(v->getInit()) : Dependence::Nothing;
    if (v != nullptr)
      for (const Assignments::Given &g : assignments.to(v))
        found = first(found, [&] { return inner(g.value); });
    return found;
  }

  Dependence ofReturns(const FunctionDecl *f, const Expr *call, const Steps &steps, const Frame *frame) {
    const Frame inner{f, call, frame, frame != nullptr ? frame->depth + 1 : 1};
    Dependence found = Dependence::Nothing;
    if (inner.depth <= deepestTraced)
      forEachReturn(f->getBody(), [&](const Expr *value) {
        if (found == Dependence::Nothing)
          found = of(value, steps, &inner);
      });
    return found;
  }

  Dependence ofConstruction(const CXXConstructExpr *c, const Steps &steps, const Frame *frame) {
    const bool holder = isHolder(c->getType());
    if (holder && !steps.empty() && steps.front().field == nullptr && c->getNumArgs() > 1 &&
        llvm::is_contained({"pair", "tuple"}, c->getConstructor()->getParent()->getName()))
      return steps.front().element < c->getNumArgs() ? of(c->getArg(static_cast<unsigned>(steps.front().element)),
                                                          Steps(steps.begin() + 1, steps.end()), frame)
                                                     : Dependence::Nothing;
    if (holder && c->getNumArgs() != 0 && isa<CXXStdInitializerListExpr>(plain(c->getArg(0))))
      return of(c->getArg(0), steps, frame);
    if (holder) {
      for (const Expr *argument : c->arguments())
        if (const Dependence d = isDataPointer(argument) ? Dependence::Value : of(argument, steps, frame);
            d != Dependence::Nothing)
          return d;
      return Dependence::Nothing;
    }
    const auto *constructor = dyn_cast_or_null<CXXConstructorDecl>(tracedDefinition(c->getConstructor(), ast));
    const Frame inner{constructor, c, frame, frame != nullptr ? frame->depth + 1 : 1};
    if (constructor == nullptr || steps.empty() || inner.depth > deepestTraced)
      return Dependence::Nothing;
    for (const CXXCtorInitializer *i : constructor->inits())
      if (i->getMember() != nullptr && i->getMember() == steps.front().field)
        return of(i->getInit(), Steps(steps.begin() + 1, steps.end()), &inner);
    return Dependence::Nothing;
  }

  Dependence ofList(const InitListExpr *list, const Steps &steps, const Frame *frame) {
    const Step &step = steps.front();
    const std::uint64_t at = step.field != nullptr ? step.field->getFieldIndex() : step.element;
    // std::array holds its elements in a field.
    if (step.field == nullptr && list->getType()->isRecordType() && list->getNumInits() == 1)
      return of(list->getInit(0), steps, frame);
    return at < list->getNumInits()
               ? of(list->getInit(static_cast<unsigned>(at)), Steps(steps.begin() + 1, steps.end()), frame)
               : Dependence::Nothing;
  }

  const Assignments &assignments;
  const ASTContext &ast;
  std::set<std::tuple<const ValueDecl *, Steps, const Expr *>> seen; ///< the last: of which call
  unsigned looks = 0;
};

} // namespace

Dependence dependenceOf(const Expr *e, const Assignments &assignments, const ASTContext &ast) {
  return Follower(assignments, ast).of(e, {}, nullptr);
}

} // namespace condlint::cxx

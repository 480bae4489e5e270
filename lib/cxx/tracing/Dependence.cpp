//===- Dependence.cpp - What host values of traced code hang on -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dependence.h"
#include "HostValues.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <set>
#include <tuple>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

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

/// \p steps go on with what is asked of a container as a whole.
bool isAsked(const Steps &steps, std::uint64_t what) {
  return !steps.empty() && steps.front().field == nullptr && steps.front().element == what;
}

class Follower {
public:
  Follower(const Assignments &a, ReachingDefinitions &r, const ASTContext &c) : assignments(a), reaching(r), ast(c) {}

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
    // A number of elements; a number is no container.
    if (e->getType()->isArithmeticType() && (isAsked(steps, PartStep::size) || isAsked(steps, PartStep::keys)))
      return isAsked(steps, PartStep::size) ? of(e, {}, frame) : Dependence::Nothing;
    if (assignments.isOwnFlag(e))
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
      return ofDeclaration(r->getDecl(), steps, frame, r);
    if (const Part part = partOf(e, ast); part.whole != nullptr)
      return ofPart(e, part, steps, frame);
    if (const auto *m = dyn_cast<MemberExpr>(e))
      return ofDeclaration(m->getMemberDecl(), steps, frame, m);
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
    if (const auto *u = dyn_cast<UnaryOperator>(e);
        u != nullptr && u->getOpcode() == UO_AddrOf && isAsked(steps, PartStep::size))
      return Dependence::Nothing; // where it is
    // `first != last` of two pointers.
    if (const auto *b = dyn_cast<BinaryOperator>(e);
        b != nullptr && isPosition(b->getLHS()->getType()) && isPosition(b->getRHS()->getType()))
      return first(of(b->getLHS(), {{nullptr, PartStep::size}}, frame),
                   [&] { return of(b->getRHS(), {{nullptr, PartStep::size}}, frame); });
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

  Dependence ofDeclaration(const ValueDecl *d, const Steps &steps, const Frame *frame, const Expr *read) {
    if (const auto *binding = dyn_cast<BindingDecl>(d))
      return of(binding->getBinding(), steps, frame);
    const auto *v = dyn_cast<VarDecl>(d);
    return v != nullptr ? ofVariable(v, steps, frame, read) : Dependence::Nothing;
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

  /// \p v where \p read reads it.
  Dependence ofVariable(const VarDecl *v, const Steps &steps, const Frame *frame, const Expr *read) {
    const QualType type = v->getType();
    if (isTensor(type) || isModuleLike(type) || (steps.empty() && !holdsHostValue(type)))
      return Dependence::Nothing;
    // Without an order a variable is one and the same wherever it is read.
    if (reaching.isExhausted() && !unordered.emplace(v, steps, frame != nullptr ? frame->call : nullptr).second)
      return Dependence::Nothing;
    const ReachingDefinitions::Values values = reaching.at(v, steps, read);
    Dependence found = Dependence::Nothing;
    if (values.first && !v->isCXXForRangeDecl() && isNew(v, steps, frame)) {
      const auto *p = dyn_cast<ParmVarDecl>(v);
      found = p != nullptr ? ofArgument(p, steps, frame) : of(v->getInit(), steps, frame);
    }
    return first(found, [&] { return ofGiven(values, steps, frame); });
  }

  /// Looked at for the first time, in this call.
  bool isNew(const void *what, const Steps &steps, const Frame *frame) {
    return seen.emplace(what, steps, frame != nullptr ? frame->call : nullptr).second;
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

  /// What is left of \p rest in an element, whichever it is; nothing when it is not asked for.
  static std::optional<Steps> ofElement(const Assignments::Given &g, Steps rest) {
    if (isAsked(rest, PartStep::size) || isAsked(rest, PartStep::keys))
      return std::nullopt;
    if (!rest.empty() && rest.front().field == nullptr)
      rest.erase(rest.begin());
    return below(g.within, rest);
  }

  Dependence ofGiven(const ReachingDefinitions::Values &values, const Steps &steps, const Frame *frame) {
    for (const Assignments::Given *g : values.given)
      if (auto rest = below(g->into, steps); rest && isNew(g, steps, frame)) {
        if (g->asElement)
          rest = ofElement(*g, std::move(*rest));
        if (!rest)
          continue;
        if (const Dependence d = of(g->value, joined(g->from, *rest), frame); d != Dependence::Nothing)
          return d;
      }
    for (const Assignments::Passed *p : values.passed) {
      const auto rest = below(p->into, steps);
      const auto *callee = dyn_cast<FunctionDecl>(p->parameter->getDeclContext());
      const unsigned depth = frame != nullptr ? frame->depth + 1 : 1;
      const Frame inner{callee, p->call, frame, depth};
      if (!rest || callee == nullptr || depth > deepestTraced || !isNew(p, *rest, &inner))
        continue;
      if (const Dependence d = ofGiven(reaching.at(p->parameter, *rest, nullptr), *rest, &inner);
          d != Dependence::Nothing)
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
        !isNew(f, steps, nullptr))
      return Dependence::Nothing;
    return ofGiven(reaching.everything(f), steps, nullptr);
  }

  Dependence ofCall(const CallExpr *call, const Steps &steps, const Frame *frame) {
    if (const HolderQuestion asked = askedBy(call); asked != HolderQuestion::Other)
      return ofAsked(asked, call, steps, frame);
    const FunctionDecl *f = call->getDirectCallee();
    if (!steps.empty() && steps.front().field == nullptr && isStd(f, {"make_pair", "make_tuple", "forward_as_tuple"}))
      return steps.front().element < call->getNumArgs() ? of(call->getArg(static_cast<unsigned>(steps.front().element)),
                                                             Steps(steps.begin() + 1, steps.end()), frame)
                                                        : Dependence::Nothing;
    const FunctionDecl *definition = tracedDefinition(f, ast);
    if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(f); method != nullptr && method->isVirtual())
      if (const Dependence d = ofOverriders(method, call, steps, frame); d != Dependence::Nothing)
        return d;
    if (definition != nullptr)
      return ofReturns(definition, call, steps, frame);
    // Through a pointer or a std::function.
    const Expr *through = f == nullptr                       ? call->getCallee()
                          : isFunctionObject(objectOf(call)) ? objectOf(call)
                                                             : nullptr;
    if (through != nullptr)
      return ofCallables(through, call, steps, frame, 0);
    if (!steps.empty() && !isHolder(call->getType()))
      return Dependence::Nothing;
    return isAsked(steps, PartStep::size) ? ofSize(call, steps, frame) : ofOperands(call, frame);
  }

  /// What the methods return that the virtual \p call of \p method may run besides.
  Dependence ofOverriders(const CXXMethodDecl *method, const CallExpr *call, const Steps &steps, const Frame *frame,
                          unsigned depth = 0) {
    for (const CXXMethodDecl *each : assignments.overriders(method)) {
      const FunctionDecl *definition = tracedDefinition(each, ast);
      Dependence found = definition != nullptr ? ofReturns(definition, call, steps, frame) : Dependence::Nothing;
      if (found == Dependence::Nothing && depth < deepestTraced)
        found = ofOverriders(each, call, steps, frame, depth + 1);
      if (found != Dependence::Nothing)
        return found;
    }
    return Dependence::Nothing;
  }

  /// Everything that \p call is given.
  Dependence ofOperands(const CallExpr *call, const Frame *frame) {
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

  /// How many elements there are in what \p call, of no body here, returns, or where it stands.
  Dependence ofSize(const CallExpr *call, const Steps &steps, const Frame *frame) {
    const FunctionDecl *f = call->getDirectCallee();
    if (f == nullptr || (!isStandard(f) && torchCallee(call).empty()))
      return Dependence::Nothing;
    const Expr *object = objectOf(call);
    const bool keeps = isa<CXXOperatorCallExpr>(call) || isStd(f, {"next", "prev"});
    if (object == nullptr && !keeps)
      return ofOperands(call, frame);
    Dependence found = object != nullptr ? of(object, steps, frame) : Dependence::Nothing;
    for (const Expr *argument : call->arguments())
      if (argument != object)
        found = first(found, [&] { return of(argument, keeps ? steps : Steps(), frame); });
    return found;
  }

  /// What \p call asks of a holder, but not for what it holds.
  Dependence ofAsked(HolderQuestion asked, const CallExpr *call, const Steps &steps, const Frame *frame) {
    if (asked == HolderQuestion::Kind)
      return Dependence::Nothing;
    Dependence found = Dependence::Nothing;
    if (asked == HolderQuestion::HowMany) {
      const auto *member = dyn_cast<CXXMemberCallExpr>(call);
      if (member != nullptr)
        return of(member->getImplicitObjectArgument(), {{nullptr, PartStep::size}}, frame);
      for (const Expr *argument : call->arguments())
        found = first(found, [&] { return of(argument, {{nullptr, PartStep::size}}, frame); });
      return found;
    }
    const Expr *object = objectOf(call);
    const Expr *key = call->getNumArgs() != 0 ? call->getArg(0) : nullptr;
    found = first(of(key, {}, frame), [&] { return of(object, {{nullptr, PartStep::keys}}, frame); });
    // `m.find(k)->second`
    if (!steps.empty() && steps.front() == PartStep{nullptr, 1})
      if (const auto element = elementAt(key, ast))
        found =
            first(found, [&] { return of(object, joined({*element}, Steps(steps.begin() + 1, steps.end())), frame); });
    return found;
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
    const bool sized = isAsked(steps, PartStep::size);
    if (holder && c->getNumArgs() != 0 && !isKeyed(c->getType()) &&
        c->getConstructor()->getParamDecl(0)->getType()->isIntegerType()) { // (n), (n, value)
      const bool filled = c->getNumArgs() > 1 && !sized;
      return of(c->getArg(filled ? 1 : 0), sized || steps.empty() ? Steps() : Steps(steps.begin() + 1, steps.end()),
                frame);
    }
    if (holder) {
      const bool asked = sized || isAsked(steps, PartStep::keys);
      for (const Expr *argument : c->arguments())
        if (const Dependence d = isDataPointer(argument) && !asked ? Dependence::Value
                                 : isAsked(steps, PartStep::keys) && isPosition(argument->getType())
                                     ? of(argument, {}, frame)
                                     : of(argument, steps, frame);
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
    const PartStep &step = steps.front();
    const std::uint64_t at = step.field != nullptr ? step.field->getFieldIndex() : step.element;
    if (isAsked(steps, PartStep::keys)) {
      Dependence found = Dependence::Nothing;
      for (const Expr *element : list->inits())
        found = first(found, [&] { return ofKey(element, frame); });
      return found;
    }
    // std::array holds its elements in a field.
    if (step.field == nullptr && list->getType()->isRecordType() && list->getNumInits() == 1)
      return of(list->getInit(0), steps, frame);
    return at < list->getNumInits()
               ? of(list->getInit(static_cast<unsigned>(at)), Steps(steps.begin() + 1, steps.end()), frame)
               : Dependence::Nothing;
  }

  /// An element of a keyed container: of a map's, its key.
  Dependence ofKey(const Expr *element, const Frame *frame) {
    const auto *r = element->getType()->getAsCXXRecordDecl();
    const bool pair = r != nullptr && r->getIdentifier() != nullptr && r->getName() == "pair" && isStandard(r);
    return of(element, pair ? Steps{{nullptr, 0}} : Steps(), frame);
  }

  const Assignments &assignments;
  ReachingDefinitions &reaching;
  const ASTContext &ast;
  /// Declarations and what they are given, the part of it, and of which call.
  std::set<std::tuple<const void *, Steps, const Expr *>> seen, unordered;
  unsigned looks = 0;
};

} // namespace

Dependence dependenceOf(const Expr *e, const Assignments &assignments, ReachingDefinitions &reaching,
                        const ASTContext &ast) {
  return Follower(assignments, reaching, ast).of(e, {}, nullptr);
}

Dependence sizeDependenceOf(const Expr *range, const Assignments &assignments, ReachingDefinitions &reaching,
                            const ASTContext &ast) {
  return isHolder(range->getType())
             ? Follower(assignments, reaching, ast).of(range, {{nullptr, PartStep::size}}, nullptr)
             : Dependence::Nothing;
}

} // namespace condlint::cxx

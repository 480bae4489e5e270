//===- Invocation.cpp - Calling values ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../library/StandardLibrary.h"
#include "../values/FieldPointer.h"
#include "Calls.h"
#include "Construction.h"
#include "Machine.h"
#include "Types.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

namespace condlint::cxx {

namespace {

/// How well \p f takes arguments of these types: -1 not at all.
int fitness(const clang::FunctionDecl &f, const std::vector<Argument> &arguments) {
  const unsigned most = f.getNumNonObjectParams();
  if (arguments.size() < f.getMinRequiredExplicitArguments() || (arguments.size() > most && !f.isVariadic()))
    return -1;
  int score = 0;
  for (std::size_t i = 0; i < arguments.size() && i < most; ++i) {
    if (arguments[i].type.isNull())
      continue;
    if (plainType(f.getNonObjectParameter(static_cast<unsigned>(i))->getType()) == plainType(arguments[i].type))
      ++score;
  }
  return score;
}

const clang::FunctionDecl *callOperator(const clang::CXXRecordDecl &type, const std::vector<Argument> &arguments) {
  if (!type.hasDefinition())
    return nullptr;
  const clang::FunctionDecl *best = nullptr;
  int bestScore = -1;
  bool isOpen = false; // which of several classes' is not known
  const auto consider = [&](const clang::FunctionDecl *f) {
    const int score = fitness(*f, arguments);
    isOpen = score > bestScore ? false : isOpen || (score == bestScore && best && best->getParent() != f->getParent());
    if (score > bestScore || (score == bestScore && best && !best->hasBody() && f->hasBody())) {
      best = f;
      bestScore = score;
    }
  };
  const clang::DeclarationName name = type.getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Call);
  std::vector<const clang::CXXRecordDecl *> classes{&type};
  for (std::size_t i = 0; i < classes.size() && i < 32; ++i) {
    for (const clang::NamedDecl *found : classes[i]->lookup(name)) {
      const clang::NamedDecl *d = found->getUnderlyingDecl(); // `using Ts::operator()...`
      if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(d))
        consider(method);
      else if (const auto *t = llvm::dyn_cast<clang::FunctionTemplateDecl>(d))
        for (const clang::FunctionDecl *instance : t->specializations())
          consider(instance);
    }
    if (best)
      break;
    for (const clang::CXXBaseSpecifier &base : classes[i]->bases())
      if (const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl(); b && b->hasDefinition())
        classes.push_back(b);
  }
  return isOpen ? nullptr : best;
}

} // namespace

/// It is handed on to be moved from.
static bool isMoved(const Argument &a) {
  const clang::Expr *e = a.expr;
  return e && !a.type.isNull() && a.type->isRValueReferenceType() && !a.type->getPointeeType().isConstQualified();
}

Value Machine::constructBest(clang::QualType type, std::vector<Argument> arguments, const clang::Expr *site,
                             const Pointer *at) {
  const clang::CXXRecordDecl *record = classOf(type);
  if (!record || !record->hasDefinition())
    return arguments.size() == 1 ? convertNumber(load(arguments[0]), type) : defaultValue(type, true);
  if (arguments.size() == 1 && classOf(arguments[0].type) == record)
    return copyOf(arguments[0], type, site, isMoved(arguments[0]) ? Transfer::Move : Transfer::Copy);
  const clang::CXXConstructorDecl *best = nullptr;
  int bestScore = -1;
  const auto consider = [&](const clang::CXXConstructorDecl &ctor) {
    if (const int score = fitness(ctor, arguments); score > bestScore && !ctor.isCopyOrMoveConstructor()) {
      best = &ctor;
      bestScore = score;
    }
  };
  for (const clang::CXXConstructorDecl *ctor : record->ctors())
    consider(*ctor);
  // And those that a base lends it: `using Base::Base`.
  for (const clang::Decl *d : record->decls())
    if (const auto *lent = llvm::dyn_cast<clang::ConstructorUsingShadowDecl>(d))
      if (const auto *ctor = llvm::dyn_cast<clang::CXXConstructorDecl>(lent->getTargetDecl());
          ctor && !ctor->isDefaultConstructor())
        consider(*ctor);
  if (!best && arguments.empty())
    return defaultValue(type, true);
  if (!best && record->isAggregate() && record->getNumBases() == 0) {
    Value made = defaultValue(type, true);
    auto field = record->field_begin();
    for (std::size_t i = 0; made.record() && i < arguments.size() && field != record->field_end(); ++i, ++field)
      made.own<Record>().set(*field, field->getType()->isReferenceType()
                                         ? Value(placeOf(arguments[i]))
                                         : convertNumber(load(arguments[i]), field->getType()));
    return made;
  }
  if (!best) {
    // The library's own are known by what they are given: those of a pair are templates.
    Call call;
    call.expr = site;
    call.type = type;
    call.arguments = std::move(arguments);
    const auto v = standard->construct(call);
    return v ? *v : unknown(type, "a constructor that is not known");
  }
  return Construction(*this).construct(*best, std::move(arguments), site, type, at);
}

const clang::FunctionDecl *Machine::target(const Value &callable, const std::vector<Argument> &arguments) {
  if (const Callable *c = callable.callable()) {
    if (!c->target.isAbsent())
      return target(c->target, {});
    return c->function;
  }
  if (const Pointer *p = callable.pointer())
    if (const Place *only = p->only())
      return target(peek(*only), arguments);
  const clang::CXXRecordDecl *type = nullptr;
  if (const Record *r = callable.record())
    type = r->type;
  else if (const Symbol *s = callable.symbol())
    type = classOf(symbols[s->id.index()].type);
  if (!type || qualifiedName(*type) == "std::function")
    return nullptr;
  return callOperator(*type, arguments);
}

/// A pointer, smart pointer or holder of an object whose members are those of \p pointee.
static bool isPointerTo(clang::QualType type, const clang::RecordDecl &pointee) {
  if (type.isNull() || type->isPointerType())
    return !type.isNull();
  const clang::CXXRecordDecl *own = Machine::classOf(type);
  const auto *base = llvm::dyn_cast<clang::CXXRecordDecl>(&pointee);
  return own && own->getCanonicalDecl() != pointee.getCanonicalDecl() &&
         !(base && own->hasDefinition() && own->isDerivedFrom(base));
}

Argument Machine::selfOf(Argument self, const clang::RecordDecl &record, const clang::Expr *site) {
  // The object itself, which is no use of all of it.
  const Value v = self.place && self.place->only() ? peek(*self.place->only()) : load(self);
  if (v.pointer())
    self.place = *v.pointer();
  else if (v.symbol() && isPointerTo(symbols[v.symbol()->id.index()].type, record)) {
    self.type = context.getCanonicalTagType(&record);
    self.place = dereference(v, self.type, site);
  }
  return self;
}

Value Machine::invoke(const Value &callable, std::vector<Argument> arguments, const clang::Expr *site,
                      const ReturnHandler &onReturn) {
  if (const Pointer *p = callable.pointer())
    return invoke(*p, std::move(arguments), site, onReturn);
  if (const auto *f = callable.as<FieldPointer>(); f && arguments.size() == 1) {
    Argument whole = selfOf(std::move(arguments.front()), *f->field->getParent(), site);
    return load(fieldOf(placeOf(whole), *f->field), site, f->field->getType().getNonReferenceType());
  }
  if (callable.record() || callable.symbol()) {
    const clang::CXXRecordDecl *type =
        callable.record() ? callable.record()->type : classOf(symbols[callable.symbol()->id.index()].type);
    const clang::QualType t = type ? context.getCanonicalTagType(type) : clang::QualType();
    return invoke(Pointer::to(newObject(callable, t)), std::move(arguments), site, onReturn);
  }
  Call call;
  call.expr = site;
  const Callable *c = callable.callable();
  if (!c) {
    call.type = site ? site->getType() : clang::QualType();
    call.arguments = std::move(arguments);
    return opaque(call);
  }
  if (!c->target.isAbsent()) { // std::bind
    std::vector<Argument> all;
    for (const Value &bound : c->bound) {
      if (const auto *p = bound.as<Placeholder>()) {
        if (p->number >= 1 && p->number <= arguments.size())
          all.push_back(arguments[p->number - 1]);
        else
          all.push_back({nullptr, {}, unknown("an argument that is missing"), std::nullopt, false});
        continue;
      }
      Argument a;
      if (const Pointer *p = bound.pointer()) {
        a.place = *p;
        if (const Place *only = p->only())
          a.type = typeOf(*only);
      } else {
        a.value = bound;
      }
      all.push_back(std::move(a));
    }
    return invoke(c->target, std::move(all), site, onReturn);
  }
  call.callee = c->function;
  call.type = c->function->getReturnType();
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c->function);
      method && method->isInstance() && !arguments.empty()) {
    call.self = selfOf(std::move(arguments.front()), *method->getParent(), site);
    arguments.erase(arguments.begin());
    Calls(*this).resolveVirtual(call);
  }
  call.arguments = std::move(arguments);
  if (onReturn && !call.isOpen && Calls(*this).mayInline(*call.callee)) {
    std::optional<Pointer> self;
    if (call.self)
      self = placeOf(*call.self);
    return Calls(*this).inlined(*call.callee, std::move(self), call.arguments, site, onReturn);
  }
  Value v = Calls(*this).dispatch(call);
  if (call.type->isReferenceType() && v.pointer())
    v = load(*v.pointer(), site, call.type.getNonReferenceType());
  if (onReturn && !isDead)
    onReturn(v, nullptr);
  return v;
}

Value Machine::invoke(const Pointer &callable, std::vector<Argument> arguments, const clang::Expr *site,
                      const ReturnHandler &onReturn) {
  const Place *only = callable.only();
  const Value v = only ? peek(*only) : unknown("a callable");
  if (!v.record() && !v.symbol()) {
    if (v.pointer() || v.callable() || v.as<FieldPointer>())
      return invoke(v, std::move(arguments), site, onReturn);
  } else if (const clang::FunctionDecl *f = target(v, arguments)) {
    Call call;
    call.callee = f;
    call.expr = site;
    call.type = f->getReturnType();
    Argument self;
    self.place = callable;
    self.type = only ? typeOf(*only) : clang::QualType();
    call.self = std::move(self);
    Calls(*this).resolveVirtual(call);
    if (!call.isOpen && Calls(*this).mayInline(*call.callee)) {
      Value result = Calls(*this).inlined(*call.callee, callable, arguments, site, onReturn);
      if (call.type->isReferenceType() && result.pointer())
        return load(*result.pointer(), site, call.type.getNonReferenceType());
      return result;
    }
    call.arguments = std::move(arguments);
    Value result = Calls(*this).dispatch(call);
    if (onReturn && !isDead)
      onReturn(result, nullptr);
    return result;
  }
  Call call;
  call.expr = site;
  call.type = site ? site->getType() : clang::QualType();
  call.arguments = std::move(arguments);
  Value result = opaque(call);
  if (onReturn && !isDead)
    onReturn(result, nullptr);
  return result;
}

} // namespace condlint::cxx

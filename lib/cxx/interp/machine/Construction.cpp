//===- Construction.cpp - Objects come to be ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Construction.h"
#include "../library/StandardLibrary.h"
#include "Calls.h"
#include "Determination.h"
#include "Followers.h"
#include "Lifetimes.h"
#include "Machine.h"
#include "Places.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

/// Code of the program makes an object of the \p type that nobody initialises, or a part of one.
static bool isMadeByCode(clang::QualType type) {
  if (type.isNull() || type->isReferenceType() || type->isDependentType())
    return false;
  if (const clang::Type *element = type->getArrayElementTypeNoTypeQual())
    return isMadeByCode(clang::QualType(element, 0));
  const clang::CXXRecordDecl *record = Machine::classOf(type);
  if (!record || !record->hasDefinition() || record->isInStdNamespace() || type->isPointerType())
    return false;
  record = record->getDefinition();
  const auto isPart = [](const auto &part) { return isMadeByCode(part.getType()); };
  return record->hasUserProvidedDefaultConstructor() ||
         std::ranges::any_of(record->fields(), [&](const clang::FieldDecl *f) { return isPart(*f); }) ||
         std::ranges::any_of(record->bases(), isPart);
}

/// So many objects of the \p type that nobody initialises: what code makes is made anew for each.
static std::vector<Value> defaults(Machine &m, clang::QualType type, std::size_t count, bool zero) {
  std::vector<Value> all;
  if (isMadeByCode(type))
    while (all.size() < count && !m.dead())
      all.push_back(m.defaultValue(type, zero));
  if (all.size() < count)
    all.resize(count, m.defaultValue(type, zero));
  return all;
}

Value Machine::defaultValue(clang::QualType type, bool zero) {
  if (type.isNull())
    return unknown("not initialised");
  type = type.getNonReferenceType();
  if (const auto kind = numberKind(type)) {
    if (!zero)
      return determined(unknown(type, "not initialised")); // nobody can choose it
    Number n = Number::ofInteger(0);
    n.kind = *kind;
    return n;
  }
  if (type->isAnyPointerType() || type->isMemberPointerType() || type->isNullPtrType())
    return zero ? Value(Null{}) : Value(Pointer::unknown());
  if (const clang::ConstantArrayType *array = context.getAsConstantArrayType(type)) {
    const std::uint64_t size = array->getZExtSize();
    if (size > limits.elements)
      return unknown("too large");
    List l;
    l.items = defaults(*this, array->getElementType(), size, zero);
    return l;
  }
  const clang::CXXRecordDecl *record = classOf(type);
  if (!record || !record->hasDefinition())
    return unknown(type, "not initialised");
  Call call;
  call.type = type;
  const std::string name = std::string(qualifiedName(*record)) + "::" + record->getNameAsString();
  call.name = name;
  if (auto v = dom.construct(*this, call))
    return *v;
  if (auto v = standard->construct(call))
    return *v;
  if (record->isUnion())
    return unknown("a union");
  for (const clang::CXXConstructorDecl *ctor : record->ctors())
    if (ctor->isDefaultConstructor() && ctor->isUserProvided()) {
      if (Calls(*this).mayInline(*ctor))
        return Construction(*this).construct(*ctor, {}, nullptr, type, nullptr);
      return unknown(type, "made elsewhere");
    }
  return Construction(*this).aggregate(type, {});
}

Value Machine::Construction::aggregate(clang::QualType type, std::span<clang::Expr *const> inits) {
  const clang::CXXRecordDecl *record = classOf(type);
  if (!record)
    return m.unknown(type, "not understood");
  Record r;
  r.type = record;
  r.restReason = m.reason("a part that is not known");
  std::size_t at = 0;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    Value v = at < inits.size() ? m.eval(inits[at]) : m.defaultValue(base.getType(), true);
    ++at;
    if (const Record *b = v.record())
      for (const auto &[field, value] : b->fields)
        r.set(field, value);
  }
  if (inits.empty())
    at = 0;
  for (const clang::FieldDecl *f : record->fields()) {
    if (f->isUnnamedBitField())
      continue;
    if (at < inits.size()) {
      const clang::Expr *init = inits[at++];
      r.set(f, f->getType()->isReferenceType() ? Value(m.lvalue(init)) : m.eval(init));
    } else if (f->hasInClassInitializer() && f->getInClassInitializer()) {
      r.set(f, m.eval(f->getInClassInitializer()));
    } else {
      r.set(f, m.defaultValue(f->getType(), true));
    }
  }
  return r;
}

Value Machine::Construction::evalInitList(const clang::InitListExpr &written) {
  const clang::InitListExpr &e =
      written.isSemanticForm() || !written.getSemanticForm() ? written : *written.getSemanticForm();
  const clang::QualType type = e.getType();
  if (const clang::ConstantArrayType *array = m.context.getAsConstantArrayType(type)) {
    List l;
    const std::uint64_t size = array->getZExtSize();
    if (size > m.limits.elements)
      return m.unknown("too large");
    for (unsigned i = 0; i < e.getNumInits() && !m.isDead; ++i)
      l.items.push_back(m.eval(e.getInit(i)));
    if (l.items.size() < size)
      l.items.resize(size,
                     e.hasArrayFiller() ? m.eval(e.getArrayFiller()) : m.defaultValue(array->getElementType(), true));
    return l;
  }
  if (const clang::CXXRecordDecl *record = classOf(type)) {
    if (record->isUnion())
      return m.unknown("a union");
    // A standard array is the array that it holds.
    if (m.qualifiedName(*record) == "std::array")
      return e.getNumInits() == 1 ? m.eval(e.getInit(0)) : m.defaultValue(type, true);
    if (e.isTransparent())
      return m.eval(e.getInit(0));
    std::vector<clang::Expr *> inits;
    for (unsigned i = 0; i < e.getNumInits(); ++i)
      inits.push_back(const_cast<clang::Expr *>(e.getInit(i)));
    if (inits.empty() &&
        record->getNumBases() + static_cast<unsigned>(std::distance(record->field_begin(), record->field_end())) != 0)
      return m.defaultValue(type, true);
    return aggregate(type, inits);
  }
  if (e.getNumInits() == 0)
    return m.defaultValue(type, true);
  return e.getNumInits() == 1 ? m.eval(e.getInit(0)) : m.unknown(type, "not understood");
}

Value Machine::Construction::evalConstruct(const clang::CXXConstructExpr &e) {
  m.reachedCalls.insert(&e);
  const clang::CXXConstructorDecl *ctor = e.getConstructor();
  const clang::QualType type = e.getType();
  if (const clang::ConstantArrayType *array = m.context.getAsConstantArrayType(type)) {
    if (array->getZExtSize() > m.limits.elements)
      return m.unknown("too large");
    List l;
    l.items = defaults(m, array->getElementType(), array->getZExtSize(), false);
    return l;
  }
  const std::span<clang::Expr *const> args(const_cast<clang::CXXConstructExpr &>(e).getArgs(), e.getNumArgs());
  return construct(*ctor, Calls(m).arguments(args, ctor), &e, type, nullptr);
}

Value Machine::Construction::construct(const clang::CXXConstructorDecl &ctor, std::vector<Argument> args,
                                       const clang::Expr *site, clang::QualType type, const Pointer *at) {
  if (m.isDead)
    return m.unknown(type, "code that does not run");
  const clang::FunctionDecl *definition = nullptr;
  const clang::CXXConstructorDecl *written = &ctor;
  for (unsigned i = 0; i < 16 && written->isInheritingConstructor(); ++i)
    written = written->getInheritedConstructor().getConstructor();
  const bool own = written->hasBody(definition) && !definition->isImplicit() && !definition->isDefaulted() &&
                   Calls(m).mayInline(*written);
  // A copy is the same value; what a user's own copy constructor does, it says.
  if (ctor.isCopyOrMoveConstructor() && !args.empty() && !own)
    return m.copyOf(args.front(), type, site, ctor.isMoveConstructor() ? Transfer::Move : Transfer::Copy);
  Call call;
  call.callee = &ctor;
  call.expr = site;
  call.type = type;
  call.name = m.qualifiedName(ctor);
  call.arguments = std::move(args);
  if (auto v = m.dom.construct(m, call))
    return *v;
  const bool isClosed = Determination(m).isDetermined(call);
  if (auto v = m.standard->construct(call)) {
    m.lifetimes->keepDeleter(call, at);
    return isClosed ? m.determined(*v) : Determination(m).answeredBy(call, std::move(*v));
  }
  if (own) {
    Pointer self = at ? *at : Pointer::to(m.newObject(Value(), type));
    Record r;
    r.type = classOf(type);
    r.restReason = m.reason("a part that is not initialised");
    if (const Place *only = self.only(); only && only->path.empty())
      m.memory.set(only->object, r);
    else
      m.store(self, r, site);
    runConstructor(ctor, *r.type->getDefinition(), self, call.arguments, site);
    Value made = self.only() ? m.peek(*self.only(), type) : m.unknown(type, "not understood");
    if (!at) { // the object is where the value goes to
      m.leads->departWhole(*self.only(), made);
      made = m.leads->leaving(std::move(made));
      if (m.isDestroyed(type))
        m.memory.set(self.only()->object, m.unknown("moved from"));
    }
    return made;
  }
  if (ctor.isDefaultConstructor() && (ctor.isImplicit() || ctor.isDefaulted())) {
    const clang::CXXRecordDecl *record = classOf(type);
    if (record && !record->isUnion())
      return aggregate(type, {});
  }
  return m.opaque(call);
}

void Machine::Construction::runConstructor(const clang::CXXConstructorDecl &ctor, const clang::CXXRecordDecl &type,
                                           const Pointer &self, std::vector<Argument> &arguments,
                                           const clang::Expr *site) {
  if (ctor.isInheritingConstructor())
    return runConstructor(*ctor.getInheritedConstructor().getConstructor(), type, self, arguments, site);
  if (ctor.getParent()->getCanonicalDecl() == type.getCanonicalDecl()) {
    Calls(m).inlined(ctor, self, arguments, site, nullptr);
    return;
  }
  for (const clang::CXXBaseSpecifier &base : type.bases())
    if (const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl();
        b && b->hasDefinition() &&
        (b->getCanonicalDecl() == ctor.getParent()->getCanonicalDecl() || b->isDerivedFrom(ctor.getParent())))
      runConstructor(ctor, *b->getDefinition(), self, arguments, site);
  // What the class adds to its base is as its declaration says.
  for (const clang::FieldDecl *f : type.fields()) {
    if (m.isDead || f->isUnnamedBitField())
      continue;
    const Pointer at = self.then(Step::ofField(f));
    if (f->hasInClassInitializer() && f->getInClassInitializer())
      initialise(at, f->getType(), f->getInClassInitializer());
    else
      m.store(at, m.defaultValue(f->getType(), false), nullptr);
  }
}

void Machine::Construction::initialise(const Pointer &at, clang::QualType type, const clang::Expr *init) {
  const std::size_t before = m.lifetimes->living.size();
  const clang::Expr *e = init;
  for (;;) {
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto *temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
      e = temporary->getSubExpr();
    else if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(e))
      e = paren->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e);
             cast && cast->getCastKind() == clang::CK_ConstructorConversion)
      e = cast->getSubExpr();
    else if (const auto *d = llvm::dyn_cast<clang::CXXDefaultInitExpr>(e))
      e = d->getExpr();
    else
      break;
  }
  if (const auto *c = llvm::dyn_cast<clang::CXXConstructExpr>(e);
      c && c->getType()->isRecordType() && !c->getConstructor()->isCopyOrMoveConstructor()) {
    m.reachedCalls.insert(c);
    const std::span<clang::Expr *const> args(const_cast<clang::CXXConstructExpr *>(c)->getArgs(), c->getNumArgs());
    std::vector<Argument> given = Calls(m).arguments(args, c->getConstructor());
    const Value v = construct(*c->getConstructor(), std::move(given), c, type, &at);
    if (!m.isDead)
      m.store(at, v, init);
    m.lifetimes->leaveScope(before);
    return;
  }
  const Value v = m.eval(init);
  if (!m.isDead)
    m.store(at, v, init);
}

void Machine::Construction::runConstructorInitialisers(const clang::CXXConstructorDecl &ctor, const Pointer &self) {
  for (const clang::CXXCtorInitializer *init : ctor.inits()) {
    if (m.isDead || !init->getInit())
      return;
    if (init->isDelegatingInitializer()) {
      initialise(self, m.context.getCanonicalTagType(ctor.getParent()), init->getInit());
    } else if (init->isBaseInitializer()) {
      const clang::Expr *e = init->getInit()->IgnoreImplicit();
      const auto *c = llvm::dyn_cast<clang::CXXConstructExpr>(e);
      if (!c)
        continue;
      // The base lies in the same object: its constructor runs on that.
      const std::span<clang::Expr *const> args(const_cast<clang::CXXConstructExpr *>(c)->getArgs(), c->getNumArgs());
      std::vector<Argument> given = Calls(m).arguments(args, c->getConstructor());
      if (Calls(m).mayInline(*c->getConstructor())) {
        Calls(m).inlined(*c->getConstructor(), self, given, c, nullptr);
      } else if (const Value base = m.defaultValue(clang::QualType(init->getBaseClass(), 0), false); base.record()) {
        for (const auto &[field, value] : base.record()->fields)
          m.store(self.then(Step::ofField(field)), value, nullptr);
      }
    } else if (const clang::FieldDecl *f = init->getAnyMember()) {
      const Pointer at = self.then(Step::ofField(f));
      if (f->getType()->isReferenceType()) {
        // What the reference names is stored itself, not through it.
        const Value v = m.lvalue(init->getInit());
        if (const Place *only = self.only(); only && !m.memory.get(only->object).isAbsent()) {
          std::vector<Step> path = only->path;
          path.push_back(Step::ofField(f));
          m.memory.set(only->object,
                       Places(m).with(m.memory.get(only->object), path, v, m.objects[only->object.index()].type));
        }
      } else {
        initialise(at, f->getType(), init->getInit());
      }
    }
  }
}

Pointer Machine::allocate(const clang::Expr *at) {
  List l;
  l.sized = false;
  l.every = unknown("memory that nobody has written");
  const ObjectId o = newObject(
      std::move(l), context.getIncompleteArrayType(context.CharTy, clang::ArraySizeModifier::Normal, 0), Storage::Heap);
  allocations[o.index()] = at;
  return Pointer::to(Place{o, {Step::ofIndex(0)}});
}

/// `new T[n]{a, b}`: as many elements as there are, the first ones as they are written.
Value Machine::Construction::evalNewArray(const clang::CXXNewExpr &e) {
  const clang::QualType type = e.getAllocatedType();
  const clang::Expr *init = e.getInitializer();
  const auto *written = init ? llvm::dyn_cast<clang::InitListExpr>(init->IgnoreImplicit()) : nullptr;
  Value size = e.getArraySize() && *e.getArraySize() ? m.eval(*e.getArraySize()) : Value();
  if (size.isAbsent() && written) // `new T[]{a, b}`
    size = Number::ofInteger(static_cast<std::int64_t>(written->getNumInits()));
  List l;
  const Number *n = size.number();
  if (n && n->known && n->integer >= 0 && n->integer <= m.limits.unroll * 64) {
    l.items = defaults(m, type, static_cast<std::size_t>(n->integer), e.hasInitializer());
  } else {
    l.sized = false;
    l.every = m.defaultValue(type, e.hasInitializer());
  }
  if (!l.sized && written && written->getNumInits() != 0)
    l.every = m.unknown("an element of an array");
  const std::size_t count = l.items.size();
  const ObjectId o = m.newObject(
      std::move(l), m.context.getIncompleteArrayType(type, clang::ArraySizeModifier::Normal, 0), Storage::Heap);
  m.allocations[o.index()] = &e;
  const Pointer array = Pointer::to(Place{o, {}});
  for (unsigned i = 0; written && i < written->getNumInits() && i < count && !m.isDead; ++i)
    initialise(array.then(Step::ofIndex(i)), type, written->getInit(i));
  return array.then(Step::ofIndex(0));
}

Value Machine::Construction::evalNew(const clang::CXXNewExpr &e) {
  const clang::QualType type = e.getAllocatedType();
  const clang::FunctionDecl *allocate = e.getOperatorNew();
  const bool isInPlace = allocate && allocate->isReservedGlobalPlacementOperator();
  std::optional<Pointer> place; // of what is there no more
  for (const clang::Expr *p : e.placement_arguments())
    if (const Value where = m.eval(p); isInPlace)
      place = m.dereference(where, type, &e);
  if (e.isArray()) {
    if (place)
      m.store(*place, m.unknown(type, "made in place"), &e);
    return evalNewArray(e);
  }
  const ObjectId o = m.newObject(Value(), type, Storage::Heap);
  m.allocations[o.index()] = &e;
  if (e.getInitializer())
    initialise(Pointer::to(o), type, e.getInitializer());
  else
    m.memory.set(o, m.defaultValue(type, false));
  if (place && !m.isDead)
    m.store(*place, m.memory.get(o), &e);
  return Pointer::to(o);
}

} // namespace condlint::cxx

//===- Copies.cpp - Objects are copied, moved, assigned -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy is the same value, unless a constructor or an assignment says otherwise that
// somebody wrote: of the class itself, of a part of it, or of the elements of a
// container. Those are run for each.
//
//===----------------------------------------------------------------------===//

#include "../library/LibraryClasses.h"
#include "Calls.h"
#include "Construction.h"
#include "Followers.h"
#include "Lifetimes.h"
#include "Machine.h"
#include "Parts.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

/// Copying and assigning objects, part by part where nobody wrote how.
class Machine::Copies {
public:
  explicit Copies(Machine &machine) : m(machine) {}
  /// The constructor that somebody wrote for it; null where there is none.
  const clang::CXXConstructorDecl *writtenCopy(const clang::CXXRecordDecl &record, Transfer how) const;
  const clang::CXXMethodDecl *writtenAssignment(const clang::CXXRecordDecl &record, Transfer how) const;
  /// The part that is copied along, for which stands what is written for the whole.
  Argument partOf(const Argument &whole, const Step &step, clang::QualType type);
  Value copyOfObject(Argument &source, const clang::CXXRecordDecl &record, clang::QualType type,
                     const clang::Expr *site, Transfer how);

private:
  Machine &m;
};

const clang::CXXConstructorDecl *Machine::Copies::writtenCopy(const clang::CXXRecordDecl &record, Transfer how) const {
  const clang::CXXConstructorDecl *byCopy = nullptr, *byMove = nullptr;
  for (const clang::CXXConstructorDecl *c : record.ctors()) {
    const clang::FunctionDecl *body = nullptr;
    if (!c->isUserProvided() || !c->hasBody(body) || (m.ownCode && !m.ownCode(*body)))
      continue;
    if (c->isMoveConstructor())
      byMove = c;
    else if (c->isCopyConstructor())
      byCopy = c;
  }
  return how == Transfer::Move && (byMove || record.hasMoveConstructor()) ? byMove : byCopy;
}

const clang::CXXMethodDecl *Machine::Copies::writtenAssignment(const clang::CXXRecordDecl &record, Transfer how) const {
  const clang::CXXMethodDecl *byCopy = nullptr, *byMove = nullptr;
  for (const clang::CXXMethodDecl *method : record.methods()) {
    const clang::FunctionDecl *body = nullptr;
    if (!method->isUserProvided() || !method->hasBody(body) || (m.ownCode && !m.ownCode(*body)))
      continue;
    if (method->isMoveAssignmentOperator())
      byMove = method;
    else if (method->isCopyAssignmentOperator())
      byCopy = method;
  }
  return how == Transfer::Move && (byMove || record.hasMoveAssignment()) ? byMove : byCopy;
}

bool Machine::isTransferredByCode(clang::QualType type, Transfer how) {
  if (type.isNull() || type->isReferenceType() || type->isDependentType())
    return false;
  if (const clang::ConstantArrayType *array = context.getAsConstantArrayType(type))
    return isTransferredByCode(array->getElementType(), how);
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  record = record->getDefinition();
  const auto key = std::pair(record, static_cast<unsigned>(how));
  if (const auto [known, isNew] = lifetimes->transferred.try_emplace(key, false); !isNew)
    return known->second;
  bool does = false;
  const std::string_view name = qualifiedName(*record);
  if (record->isInStdNamespace()) {
    if (isLibraryClass(name, how == Transfer::Copy ? LibraryClass::CopiedByPart : LibraryClass::MovedByPart))
      for (unsigned i = 0; i < typeArgumentCount(type) && !does; ++i)
        does = isTransferredByCode(typeArgument(type, i), how);
  } else if (!record->isLambda()) {
    does = Copies(*this).writtenCopy(*record, how) || Copies(*this).writtenAssignment(*record, how);
  }
  const auto isPart = [&](clang::QualType part) { return isTransferredByCode(part, how); };
  if (!does && !record->isInStdNamespace())
    does = std::ranges::any_of(record->fields(), [&](const clang::FieldDecl *f) { return isPart(f->getType()); }) ||
           std::ranges::any_of(record->bases(), [&](const clang::CXXBaseSpecifier &b) { return isPart(b.getType()); });
  lifetimes->transferred[key] = does;
  return does;
}

Argument Machine::Copies::partOf(const Argument &whole, const Step &step, clang::QualType type) {
  Argument part = cxx::partOf(m, whole, step, type);
  part.expr = whole.expr;
  return part;
}

Value Machine::copyOf(Argument &source, clang::QualType type, const clang::Expr *site, Transfer how) {
  type = type.isNull() ? type : type.getNonReferenceType().getUnqualifiedType();
  if (isDead || !isTransferredByCode(type, how) || !step()) {
    Value v = load(source);
    if (how != Transfer::Move)
      return v;
    moveFrom(source, type);
    return leads->leaving(std::move(v));
  }
  const clang::CXXRecordDecl *record = classOf(type);
  if (record && !record->isInStdNamespace())
    return Copies(*this).copyOfObject(source, *record->getDefinition(), type, site, how);
  Value v = load(source);
  const auto copied = [&](Value &element, const Step &step) {
    const clang::QualType inner = partType(context, type, step);
    if (!isTransferredByCode(inner, how))
      return;
    Argument one = source.place && source.place->only() && step.index >= 0 ? Copies(*this).partOf(source, step, inner)
                                                                           : Argument{source.expr, inner, element, {}};
    element = copyOf(one, inner, site, how);
  };
  if (const List *held = v.list(); held && !held->rest && !held->origin) {
    List l = *held;
    for (std::size_t i = 0; l.sized && i < l.items.size() && !isDead; ++i)
      copied(l.items[i], Step::ofIndex(static_cast<std::int64_t>(i)));
    if (!l.sized)
      copied(l.every, Step::ofIndex(-1));
    return l;
  }
  if (const Map *held = v.map()) {
    Map map = *held;
    for (auto &[key, value] : map.entries)
      copied(value, Step::ofKey(key));
    return map;
  }
  if (const Optional *held = v.optional(); held && held->has.value_or(true) && !held->value.isAbsent()) {
    Optional o = *held;
    copied(o.value, Step::ofIndex(0));
    return o;
  }
  return v;
}

Value Machine::Copies::copyOfObject(Argument &source, const clang::CXXRecordDecl &record, clang::QualType type,
                                    const clang::Expr *site, Transfer how) {
  if (const clang::CXXConstructorDecl *own = writtenCopy(record, how); own && Calls(m).mayInline(*own))
    return Construction(m).construct(*own, {source}, site, type, nullptr);
  const Value held = m.load(source);
  if (!held.record())
    return held;
  // By the copies of its bases, on the object itself, and of its parts.
  const ObjectId made = m.newObject(held, type);
  const Pointer at = Pointer::to(made);
  for (const clang::CXXBaseSpecifier &base : record.bases()) {
    const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl();
    const clang::CXXConstructorDecl *own = b && b->hasDefinition() ? writtenCopy(*b->getDefinition(), how) : nullptr;
    if (!own || !Calls(m).mayInline(*own))
      continue;
    std::vector<Argument> given{source};
    Calls(m).inlined(*own, at, given, site, nullptr);
  }
  for (const clang::FieldDecl *f : record.fields()) {
    if (m.isDead || !m.isTransferredByCode(f->getType(), how))
      continue;
    Argument part = partOf(source, Step::ofField(f), f->getType());
    m.store(at.then(Step::ofField(f)), m.copyOf(part, f->getType(), site, how), site);
  }
  Value result = m.isDead ? held : m.memory.get(made);
  m.leads->departWhole(Place{made, {}}, result);
  result = m.leads->leaving(std::move(result));
  m.memory.set(made, m.unknown("moved from"));
  return result;
}

void Machine::assign(const Pointer &to, Argument &from, clang::QualType type, const clang::Expr *site, Transfer how) {
  type = type.isNull() ? type : type.getNonReferenceType().getUnqualifiedType();
  const clang::CXXRecordDecl *record = classOf(type);
  const bool isOwn = record && !record->isInStdNamespace() && isTransferredByCode(type, how);
  if (!isOwn || !step())
    return store(to, copyOf(from, type, site, how), site);
  record = record->getDefinition();
  if (const clang::CXXMethodDecl *own = Copies(*this).writtenAssignment(*record, how);
      own && Calls(*this).mayInline(*own)) {
    std::vector<Argument> given{from};
    Calls(*this).inlined(*own, to, given, site, nullptr);
    return;
  }
  const Value held = load(from);
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl();
    const clang::CXXMethodDecl *own =
        b && b->hasDefinition() ? Copies(*this).writtenAssignment(*b->getDefinition(), how) : nullptr;
    if (own && Calls(*this).mayInline(*own)) {
      std::vector<Argument> given{from};
      Calls(*this).inlined(*own, to, given, site, nullptr);
    }
  }
  if (!held.record())
    return store(to, held, site);
  for (const clang::FieldDecl *f : record->fields()) {
    if (isDead)
      return;
    Argument part = Copies(*this).partOf(from, Step::ofField(f), f->getType());
    assign(to.then(Step::ofField(f)), part, f->getType(), site, how);
  }
}

void Machine::perhapsMove(const Pointer &at, clang::QualType type, const clang::Expr *site) {
  if (isDead || !isTransferredByCode(type, Transfer::Move))
    return;
  const std::size_t doubts = dom.doubts();
  dom.beginDoubt(*this, site);
  fork(
      [&] {
        Argument from;
        from.place = at;
        from.type = type;
        const Value made = copyOf(from, type, site, Transfer::Move);
        Argument back;
        back.value = made;
        back.type = type;
        assign(Pointer::to(newObject(made, type)), back, type, site, Transfer::Move);
      },
      [] {}, {true, 0, {}, {}});
  dom.endDoubts(doubts);
}

} // namespace condlint::cxx

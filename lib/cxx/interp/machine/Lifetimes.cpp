//===- Lifetimes.cpp - Objects come to their end --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that closes in a destructor what it opened in a constructor does its work
// at the end of a scope, however that is left. Only destructors that do something
// are looked at; what they belong to is not known afterwards.
//
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"
#include "../library/LibraryClasses.h"
#include "Calls.h"
#include "Followers.h"
#include "Machine.h"
#include "Places.h"
#include "Types.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <ranges>

namespace condlint::cxx {

namespace {

bool isSmartPointer(std::string_view cls) { return cls == "std::unique_ptr" || cls == "std::shared_ptr"; }

bool isContainer(std::string_view cls) { return isLibraryClass(cls, LibraryClass::DestroyedByPart); }

/// The body of the destructor that somebody wrote; null where that does nothing, or is elsewhere.
const clang::CXXDestructorDecl *writtenDestructor(const clang::CXXRecordDecl &type) {
  const clang::CXXDestructorDecl *destructor = type.getDestructor();
  const clang::FunctionDecl *definition = nullptr;
  if (!destructor || !destructor->isUserProvided() || !destructor->hasBody(definition))
    return nullptr;
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody());
  return body && body->body_empty() ? nullptr : llvm::cast<clang::CXXDestructorDecl>(definition);
}

} // namespace

bool Machine::isDestroyed(clang::QualType type) {
  if (type.isNull() || type->isReferenceType() || type->isDependentType())
    return false;
  if (const clang::ConstantArrayType *array = context.getAsConstantArrayType(type))
    return isDestroyed(array->getElementType());
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
    return false;
  record = record->getDefinition();
  if (const auto [known, isNew] = lifetimes->destroyed.try_emplace(record, false); !isNew)
    return known->second;
  const bool does = lifetimes->doesWorkAtItsEnd(*record, type);
  lifetimes->destroyed[record] = does;
  return does;
}

bool Machine::Lifetimes::doesWorkAtItsEnd(const clang::CXXRecordDecl &record, clang::QualType type) {
  const std::string_view name = m.qualifiedName(record);
  if (isSmartPointer(name)) {
    const clang::QualType pointee = typeArgument(type, 0);
    const clang::QualType deleter = name == "std::unique_ptr" ? typeArgument(type, 1) : clang::QualType();
    if (!deleter.isNull() && m.className(deleter) != "std::default_delete")
      return true;
    const clang::CXXRecordDecl *target = classOf(pointee);
    // What is destroyed may be of a class that is derived from it.
    const bool derived = target && target->hasDefinition() && target->getDestructor() &&
                         target->getDestructor()->isVirtual() &&
                         !m.context.getSourceManager().isInSystemHeader(target->getLocation());
    return derived || m.isDestroyed(pointee);
  }
  if (record.isInStdNamespace()) {
    for (unsigned i = 0; isContainer(name) && i < typeArgumentCount(type); ++i)
      if (m.isDestroyed(typeArgument(type, i)))
        return true;
    return false;
  }
  if (const clang::CXXDestructorDecl *written = writtenDestructor(record))
    if (!m.ownCode || m.ownCode(*written))
      return true;
  return std::ranges::any_of(record.fields(), [&](const clang::FieldDecl *f) { return m.isDestroyed(f->getType()); }) ||
         std::ranges::any_of(record.bases(),
                             [&](const clang::CXXBaseSpecifier &base) { return m.isDestroyed(base.getType()); });
}

//===----------------------------------------------------------------------===//
// Lives
//===----------------------------------------------------------------------===//

void Machine::Lifetimes::keepAlive(ObjectId o) {
  if (!m.isDead && (m.isDestroyed(m.objects[o.index()].type) || deleters.contains(o.index())))
    living.push_back(o);
}

void Machine::Lifetimes::adoptExtended() {
  for (const ObjectId o : extended)
    keepAlive(o);
  extended.clear();
}

void Machine::Lifetimes::endLives(std::size_t since, ObjectId except) {
  for (std::size_t i = living.size(); i-- > since && !m.isDead;)
    if (const ObjectId o = living[i]; o != except && !m.memory.get(o).isAbsent())
      m.destroy(Pointer::to(o), m.objects[o.index()].type);
}

void Machine::Lifetimes::leaveScope(std::size_t since) {
  if (living.size() <= since)
    return;
  endLives(since);
  living.resize(since);
}

void Machine::destroy(const Pointer &at, clang::QualType type) {
  const Place *only = at.only();
  if (!only || !only->object || isDead)
    return;
  const bool deletes = only->path.empty() && lifetimes->deleters.contains(only->object.index());
  if ((!isDestroyed(type) && !deletes) || !step())
    return;
  const Place place = *only;
  const Value held = peek(place, type);
  if (held.unknown() || held.isAbsent() || held.symbol())
    return; // moved from, or somebody else's
  const clang::CXXRecordDecl *record = classOf(type);
  const std::string_view name = record ? qualifiedName(*record) : std::string_view();
  if (isSmartPointer(name)) {
    lifetimes->release(place, type, held);
    return;
  }
  if (!record || record->isInStdNamespace()) {
    lifetimes->destroyElements(place, held);
    return;
  }
  record = record->getDefinition();
  lifetimes->destroyAs(at, *record);
  if (place.path.empty() && !isDead)
    memory.set(place.object, unknown("destroyed"));
}

void Machine::Lifetimes::destroyAs(const Pointer &at, const clang::CXXRecordDecl &record) {
  if (const clang::CXXDestructorDecl *written = writtenDestructor(record); written && Calls(m).mayInline(*written)) {
    std::vector<Argument> none;
    Calls(m).inlined(*written, at, none, nullptr, nullptr);
  }
  const std::vector<const clang::FieldDecl *> fields(record.field_begin(), record.field_end());
  for (const clang::FieldDecl *f : std::views::reverse(fields))
    m.destroy(at.then(Step::ofField(f)), f->getType());
  for (const clang::CXXBaseSpecifier &base : record.bases())
    if (const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl();
        b && b->hasDefinition() && m.isDestroyed(base.getType()))
      destroyAs(at, *b->getDefinition());
}

void Machine::Lifetimes::destroyElements(const Place &place, const Value &held) {
  if (const List *list = held.list()) {
    for (std::size_t i = 0; list->sized && i < list->items.size() && !m.isDead; ++i) {
      const Place element = place.then(Step::ofIndex(static_cast<std::int64_t>(i)));
      m.destroy(Pointer::to(element), m.typeOf(element));
    }
  } else if (const Map *map = held.map()) {
    for (const auto &[key, value] : map->entries) {
      const Place element = place.then(Step::ofKey(key));
      m.destroy(Pointer::to(element), m.typeOf(element));
    }
  } else if (const Optional *o = held.optional(); o && o->has.value_or(false)) {
    const Place element = place.then(Step::ofIndex(0));
    m.destroy(Pointer::to(element), m.typeOf(element));
  }
}

void Machine::Lifetimes::destroyPointee(const Value &pointer) {
  const Place *target = pointer.pointer() ? pointer.pointer()->only() : nullptr;
  if (!target || !target->object)
    return;
  const Object &o = m.objects[target->object.index()];
  if (o.storage != Storage::Heap)
    return;
  if (!target->path.empty()) { // an array: what points to it points to its first element
    destroyElements(Place{target->object, {}}, m.memory.get(target->object));
    return;
  }
  m.destroy(*pointer.pointer(), o.type);
}

bool Machine::Lifetimes::isShared(const Value &pointer, const Place &except) {
  const Place *target = pointer.pointer() ? pointer.pointer()->only() : nullptr;
  if (!target)
    return true;
  const std::function<bool(const Value &, clang::QualType, unsigned)> owns = [&](const Value &v, clang::QualType type,
                                                                                 unsigned depth) {
    constexpr unsigned deepest = 6;
    if (depth > deepest)
      return true;
    if (m.className(type) == "std::weak_ptr") // it owns nothing
      return false;
    const auto inner = [&](const Value &part) {
      return owns(part, partType(m.context, type, Step::ofIndex(0)), depth + 1);
    };
    if (const Pointer *p = v.pointer())
      return std::ranges::find(p->places, *target) != p->places.end();
    if (const Record *r = v.record())
      return std::ranges::any_of(r->fields, [&](const auto &field) {
        const clang::QualType of = field.first->getType();
        return !of->isPointerOrReferenceType() && owns(field.second, of, depth + 1);
      });
    if (const List *l = v.list())
      return std::ranges::any_of(l->items, inner) || (!l->sized && inner(l->every));
    if (const Map *map = v.map())
      return std::ranges::any_of(map->entries, [&](const auto &entry) {
        return owns(entry.second, partType(m.context, type, Step::ofKey(entry.first)), depth + 1);
      });
    if (const Optional *o = v.optional())
      return inner(o->value);
    return false;
  };
  return std::ranges::any_of(m.leads->holdersOf(target->object), [&](ObjectId o) {
    const clang::QualType type = m.objects[o.index()].type;
    return o != except.object && !type.isNull() && !type->isPointerOrReferenceType() && owns(m.memory.get(o), type, 0);
  });
}

void Machine::Lifetimes::keepDeleter(Call &call, const Pointer *at) {
  const bool given = call.arguments.size() >= 2 && !call.arguments[1].isDefault;
  if (!given || !isSmartPointer(m.className(call.type)))
    return;
  Value deleter = m.peek(call.arguments[1]);
  if (!deleter.callable() && !deleter.record())
    return;
  const Place *only = at ? at->only() : nullptr;
  if (only && only->path.empty())
    deleters[only->object.index()] = std::move(deleter);
  else
    m.dom.onOpaque(m, call);
}

void Machine::Lifetimes::loseDeleter(ObjectId o) {
  const auto own = deleters.find(o.index());
  if (own == deleters.end())
    return;
  Call call;
  Argument deleter;
  deleter.value = own->second;
  call.arguments.push_back(std::move(deleter));
  deleters.erase(own);
  m.dom.onOpaque(m, call);
}

void Machine::Lifetimes::release(const Place &place, clang::QualType type, const Value &held) {
  const bool shared = m.className(type) == "std::shared_ptr";
  Value deleter;
  if (place.path.empty())
    if (const auto own = deleters.find(place.object.index()); own != deleters.end())
      deleter = own->second;
  if (!held.pointer() && (!held.isNull() || !shared || deleter.isAbsent()))
    return;
  if (shared && held.pointer() && isShared(held, place))
    return loseDeleter(place.object);
  const clang::QualType deleterType = shared ? clang::QualType() : typeArgument(type, 1);
  const bool plain = deleterType.isNull() || m.className(deleterType) == "std::default_delete";
  if (deleter.isAbsent() && !plain)
    deleter = classOf(deleterType) ? m.defaultValue(deleterType, true) : m.unknown("a deleter");
  m.memory.set(place.object, Places(m).with(m.memory.get(place.object), place.path, m.unknown("released"),
                                            m.objects[place.object.index()].type));
  if (deleter.isAbsent())
    return destroyPointee(held);
  std::vector<Argument> pointer(1);
  pointer[0].value = held;
  pointer[0].type = m.context.getPointerType(typeArgument(type, 0));
  if (const clang::FunctionDecl *f = m.target(deleter, pointer); f && Calls(m).mayInline(*f))
    m.invoke(deleter, std::move(pointer), nullptr);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// A container whose elements go with it when it is moved.
static bool isEmptyContainerWhenMoved(std::string_view cls) {
  return isContainer(cls) && !isLibraryClass(cls, LibraryClass::MovedByPart);
}

/// Nobody says what moving it leaves behind.
static bool isAnyWhenMoved(std::string_view cls) {
  return cls == "std::any" || cls == "std::function" || cls == "std::move_only_function" || cls == "std::variant" ||
         cls == "std::basic_string";
}

/// A smart pointer, a container, a handle of the domain's, or an object that has one in it: moving it leaves
/// nothing behind.
static bool isEmptied(Machine &m, clang::QualType type, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const clang::CXXRecordDecl *record = type.isNull() || type->isReferenceType() ? nullptr : Machine::classOf(type);
  if (!record || !record->hasDefinition())
    return false;
  if (depth > deepest) // it may be: its parts are looked at one by one
    return true;
  const std::string_view name = m.qualifiedName(*record);
  if (isSmartPointer(name) || isEmptyContainerWhenMoved(name) || isAnyWhenMoved(name) ||
      m.domain().isEmptyWhenMoved(name))
    return true;
  const auto part = [&](clang::QualType t) { return isEmptied(m, t, depth + 1); };
  if (record->isInStdNamespace()) {
    for (unsigned i = 0; isContainer(name) && i < typeArgumentCount(type); ++i)
      if (part(typeArgument(type, i)))
        return true;
    return false;
  }
  return std::ranges::any_of(record->fields(), [&](const clang::FieldDecl *f) { return part(f->getType()); }) ||
         std::ranges::any_of(record->bases(), [&](const clang::CXXBaseSpecifier &b) { return part(b.getType()); });
}

Value Machine::Lifetimes::leftBehind(const Value &v, clang::QualType type) {
  const bool ends = m.isDestroyed(type);
  if (!ends && !isEmptied(m, type))
    return v;
  const clang::CXXRecordDecl *record = classOf(type);
  const std::string_view name = record ? m.qualifiedName(*record) : std::string_view();
  if (isSmartPointer(name))
    return Null{};
  if (isAnyWhenMoved(name))
    return m.unknown("moved from");
  if (m.dom.isEmptyWhenMoved(name))
    return m.defaultValue(type, true);
  if (isEmptyContainerWhenMoved(name))
    return isMapClass(name) ? Value(Map{}) : Value(List{});
  if (const List *parts = v.list(); parts && parts->sized && isContainer(name)) {
    List l = *parts;
    for (std::size_t i = 0; i < l.items.size(); ++i)
      l.items[i] = leftBehind(l.items[i], partType(m.context, type, Step::ofIndex(static_cast<std::int64_t>(i))));
    return l;
  }
  if (const Optional *o = v.optional(); o && name == "std::optional")
    return Optional{o->has, leftBehind(o->value, typeArgument(type, 0))};
  const Record *old = v.record();
  // Nobody wrote what moving it does: that is what moving its parts does.
  if (!old || !record || (ends && writtenDestructor(*record->getDefinition())))
    return m.unknown("moved from");
  Record r = *old;
  for (auto &[field, value] : r.fields)
    value = leftBehind(value, field->getType());
  return r;
}

void Machine::moveFrom(const Argument &source, clang::QualType type) {
  const Place *only = source.place ? source.place->only() : nullptr;
  if (!only || !only->object || isDead)
    return;
  if (only->path.empty())
    lifetimes->loseDeleter(only->object);
  type = type.getNonReferenceType();
  if (!isDestroyed(type) && !isEmptied(*this, type))
    return;
  const Place from = *only;
  const Value held = peek(from), left = lifetimes->leftBehind(held, type);
  leads->depart(from, held, type);
  if (isOuter(from.object))
    dom.onWrite(*this, from, left, source.expr);
  memory.set(from.object,
             Places(*this).with(memory.get(from.object), from.path, left, objects[from.object.index()].type));
}

} // namespace condlint::cxx
